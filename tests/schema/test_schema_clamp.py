"""Cutting values to their bounds."""

import pytest

from toolroll.schema import clamp


@pytest.mark.rule("clamp-table")
@pytest.mark.parametrize(
    ("value", "schema", "cut", "places"),
    [
        ("abcdefghij", {"maxLength": 5}, "abcd…", [""]),
        ("abcde", {"maxLength": 5}, "abcde", []),
        ("ab", {"maxLength": 1}, "…", [""]),
        ("ab", {"maxLength": 0}, "ab", []),
        ("🙂🙂🙂", {"maxLength": 2}, "🙂…", [""]),
        (["aaaa", "bbbb", "cccc"], {"maxItems": 2, "items": {"maxLength": 3}}, ["aa…", "bb…"],
         ["", "/0", "/1"]),
        ([1, 2], {"maxItems": 2}, [1, 2], []),
        (["aaaa", 99], {"prefixItems": [{"maxLength": 2}, {"maximum": 5}]}, ["a…", 5], ["/0", "/1"]),
        (99, {"maximum": 10}, 10, [""]),
        (-5, {"minimum": 0}, 0, [""]),
        (99.5, {"type": "integer", "maximum": 10.5}, 10, [""]),
        (99, {"exclusiveMaximum": 10}, 9, [""]),
        (10, {"exclusiveMaximum": 10}, 9, [""]),
        (0, {"type": "integer", "exclusiveMinimum": 0}, 1, [""]),
        (0.0, {"exclusiveMinimum": 0}, 5e-324, [""]),
        (9, {"maximum": 5, "exclusiveMaximum": True}, 4, [""]),
        (1, {"minimum": 5, "exclusiveMinimum": True}, 6, [""]),
        (9, {"maximum": 5, "exclusiveMaximum": False}, 5, [""]),
        (9, {"maximum": 10**400, "exclusiveMaximum": 10**400}, 9, []),
        (10**400, {"maximum": 5}, 5, [""]),
        (True, {"maximum": 0}, True, []),
        (42, {"type": "string", "maximum": 10}, 42, []),
        ("abcdef", {"type": "integer", "maxLength": 2}, "abcdef", []),
        ({"a": "xxxx", "b": "yyyy"}, {"properties": {"a": {"maxLength": 2}}}, {"a": "x…", "b": "yyyy"},
         ["/a"]),
        ({"a": "x"}, {"properties": {"a": {"maxLength": 2}}}, {"a": "x"}, []),
        ({"a/b": [99]}, {"properties": {"a/b": {"items": {"maximum": 1}}}}, {"a/b": [1]}, ["/a~1b/0"]),
        ("abcdef", {"$ref": "#/$defs/s", "$defs": {"s": {"maxLength": 3}}}, "ab…", [""]),
        ("abcdef", {"allOf": [{"maxLength": 4}, {"maxLength": 3}]}, "ab…", [""]),
        ("abcdef", True, "abcdef", []),
        ("abcdef", None, "abcdef", []),
        (None, {"maxLength": 1}, None, []),
    ],
)  # fmt: skip
def test_clamped(value, schema, cut, places) -> None:
    got = clamp(value, schema)

    assert got.value == cut
    assert type(got.value) is type(cut)
    assert list(got.clamped) == places
    if not places:
        assert got.value is value


@pytest.mark.rule("clamp-narrowest")
def test_every_branch_of_a_union_cuts_and_its_siblings_are_ignored() -> None:
    schema = {"anyOf": [{"type": "string", "maxLength": 6}, {"type": "string", "maxLength": 4},
                        {"type": "integer", "maximum": 3}], "maxLength": 2}  # fmt: skip

    assert clamp("abcdefgh", schema).value == "abc…"
    assert clamp(9, schema).value == 3
    assert clamp("abcdefgh", {"oneOf": schema["anyOf"]}).value == "abc…"


@pytest.mark.rule("schema-limits-hold")
def test_a_recursive_schema_ends() -> None:
    schema = {"$ref": "#", "maxLength": 2}

    assert clamp("abcdef", schema).value == "a…"


@pytest.mark.rule("schema-never-mutates")
def test_the_value_is_not_changed() -> None:
    value = {"a": ["xxxx"], "b": 9}

    clamp(value, {"properties": {"a": {"items": {"maxLength": 1}}, "b": {"maximum": 1}}})

    assert value == {"a": ["xxxx"], "b": 9}
