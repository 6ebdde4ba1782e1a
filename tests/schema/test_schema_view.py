"""The short view of a schema."""

import copy
from typing import Any

import pytest

from toolroll.schema import (
    Limits,
    SchemaError,
    SchemaTooLarge,
    compile_check,
    lint,
    object_schema,
    slim,
    verbatim,
)


def of(schema, **properties) -> dict[str, Any]:
    return {"type": "object", "properties": {"x": schema, **properties}}


def view(schema, unions="first"):
    return slim(of(schema) | {"$defs": DEFS}, unions)["properties"]["x"]


DEFS = {
    "Word": {"type": "string", "description": "a word", "minLength": 1},
    "Node": {
        "type": "object",
        "properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/Node"}}},
        "required": ["kids"],
    },
    "Alias": {"$ref": "#/$defs/Word"},
    "Open": {"type": "object", "additionalProperties": {"type": "string"}},
}


@pytest.mark.rule("slim-keeps-six")
@pytest.mark.rule("slim-first-branch")
@pytest.mark.parametrize(
    ("schema", "short"),
    [
        ({"type": "integer", "minimum": 1, "maximum": 5, "title": "X", "default": 3}, {"type": "integer"}),
        ({"type": "string", "pattern": "x", "format": "date", "minLength": 1}, {"type": "string"}),
        ({"type": "string", "description": "what"}, {"type": "string", "description": "what"}),
        ({"type": ["integer", "null"]}, {"type": "integer"}),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, {"type": "integer"}),
        ({"anyOf": [{"type": "null", "description": "no"}, {"type": "integer"}]}, {"type": "integer"}),
        ({"anyOf": [{"type": "string"}, {"type": "number"}]}, {"type": "string"}),
        ({"type": ["string", "number"]}, {"type": "string"}),
        ({"oneOf": [{"type": "string"}, {"type": "number"}], "description": "d"},
         {"type": "string", "description": "d"}),
        ({"oneOf": [{"type": "array", "items": {}}, {"type": "string"}], "items": {"type": "string"}},
         {"type": "array", "items": {"type": "string"}}),
        ({"type": "object", "enum": [{}], "default": {}}, {"type": "object"}),
        ({"type": "array", "const": ["a"], "items": {"type": "string"}},
         {"type": "array", "items": {"type": "string"}}),
        ({"enum": ["a", "b"]}, {"type": "string", "enum": ["a", "b"]}),
        ({"enum": [1, 2]}, {"type": "integer", "enum": [1, 2]}),
        ({"enum": [1, 2.5]}, {"type": "number", "enum": [1, 2.5]}),
        ({"type": "number", "enum": [1, 2]}, {"type": "number", "enum": [1, 2]}),
        ({"enum": ["a", None]}, {"type": "string", "enum": ["a"]}),
        ({"const": True}, {"type": "boolean", "enum": [True]}),
        ({"anyOf": [{"const": "a"}, {"const": "b"}]}, {"type": "string", "enum": ["a", "b"]}),
        ({"anyOf": [{"enum": ["a"], "type": "string"}, {"type": "null"}]}, {"type": "string", "enum": ["a"]}),
        ({"type": "object", "additionalProperties": {"type": "string"}}, {"type": "object"}),
        ({"type": "object", "patternProperties": {"x": {}}}, {"type": "object"}),
        ({"type": "array", "items": {"type": "string", "maxLength": 3}, "maxItems": 2},
         {"type": "array", "items": {"type": "string"}}),
        ({"type": "array"}, {"type": "array"}),
        ({"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]}, {"type": "array"}),
        ({"type": "array", "prefixItems": [{"type": "string"}, {"type": "string"}]},
         {"type": "array", "items": {"type": "string"}}),
        ({"properties": {"a": {"type": "string"}}, "required": []},
         {"type": "object", "properties": {"a": {"type": "string"}}}),
        ({"$ref": "#/$defs/Word"}, {"type": "string", "description": "a word"}),
        ({"$ref": "#/$defs/Alias"}, {"type": "string", "description": "a word"}),
        ({"$ref": "#/$defs/Word", "description": "mine"}, {"type": "string", "description": "mine"}),
        ({"$ref": "#/$defs/Open"}, {"type": "object"}),
        ({"allOf": [{"$ref": "#/$defs/Word"}], "description": "mine"},
         {"type": "string", "description": "mine"}),
        ({"allOf": [{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
                    {"properties": {"b": {"type": "integer"}}, "required": ["b"]}]},
         {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}},
          "required": ["a", "b"]}),
        ({"type": "object", "properties": {"a": {"type": "string"}}, "oneOf": [{"required": ["a"]}]},
         {"type": "object", "properties": {"a": {"type": "string"}}}),
    ],
)  # fmt: skip
def test_short_view_of(schema, short) -> None:
    assert view(schema) == short


@pytest.mark.rule("slim-first-branch")
def test_all_branches_on_request() -> None:
    schema = {
        "anyOf": [
            {"type": "string", "minLength": 1},
            {"type": "null"},
            {"type": "number"},
            {"type": "string"},
        ]
    }

    assert view(schema, "all") == {"anyOf": [{"type": "string"}, {"type": "number"}]}
    assert view({"anyOf": [{"type": "string"}, {"type": "null"}]}, "all") == {"type": "string"}
    nested = {"anyOf": [{"const": "on"}, {"anyOf": [{"const": "off"}]}]}
    assert view(nested, "all") == {"type": "string", "enum": ["on", "off"]}


@pytest.mark.rule("slim-no-single-type")
@pytest.mark.parametrize(
    "schema",
    [{}, True, {"description": "any"}, {"not": {"type": "string"}}, {"enum": ["a", 1]}, {"enum": [{}, {}]},
     {"type": "object", "enum": [{}, "a"]}, {"enum": [[]], "type": "object"},
     {"type": "array", "items": {}}, {"anyOf": [{}]}, {"$ref": "#/$defs/none"}, {"type": "null"}],
)  # fmt: skip
def test_a_place_of_no_single_type_is_refused_with_its_pointer(schema) -> None:
    with pytest.raises(SchemaError) as caught:
        view(schema)

    assert caught.value.pointer.startswith("/properties/x")


@pytest.mark.rule("slim-default-optional")
def test_a_field_with_a_default_is_not_required() -> None:
    schema = {
        "type": "object",
        "properties": {
            "a": {"type": "string"},
            "b": {"type": "string", "default": "x"},
            "c": {"$ref": "#/$defs/c"},
        },
        "required": ["a", "b", "c", "ghost"],
        "$defs": {"c": {"type": "string", "default": "y"}},
    }

    assert slim(schema)["required"] == ["a"]


@pytest.mark.rule("slim-recursion-ends")
def test_a_recursion_ends_with_its_type_alone() -> None:
    node = {
        "type": "object",
        "properties": {"kids": {"type": "array", "items": {"type": "object"}}},
        "required": ["kids"],
    }

    assert view({"$ref": "#/$defs/Node"}) == node
    assert slim({"type": "object", "properties": {"me": {"$ref": "#"}}})["properties"]["me"] == {
        "type": "object"
    }
    with pytest.raises(SchemaError):
        slim(
            of({"$ref": "#/$defs/a"})
            | {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}
        )


@pytest.mark.rule("schema-limits-hold")
def test_references_that_double_each_time_are_bounded() -> None:
    defs: dict[str, Any] = {"d0": {"type": "string"}}
    for number in range(1, 40):
        below = {"$ref": f"#/$defs/d{number - 1}"}
        defs[f"d{number}"] = {"type": "object", "properties": {"a": below, "b": below}}
    alls: dict[str, Any] = {"d0": {"type": "string"}}
    for number in range(1, 40):
        alls[f"d{number}"] = {"allOf": [{"$ref": f"#/$defs/d{number - 1}"}] * 2}

    for stored in (defs, alls):
        with pytest.raises(SchemaTooLarge):
            slim(of({"$ref": "#/$defs/d39"}) | {"$defs": stored})
    with pytest.raises(SchemaTooLarge):
        slim(
            of({"type": "object", "properties": {"a": {"type": "string"}}}),
            limits=Limits(schema_places=2),
        )


@pytest.mark.rule("schema-never-mutates")
def test_the_schema_is_not_changed_and_equal_schemas_share_their_view() -> None:
    schema = of({"$ref": "#/$defs/Node"}) | {"$defs": DEFS}
    before = copy.deepcopy(schema)

    first = slim(schema)

    assert schema == before
    assert slim(copy.deepcopy(schema)) is first
    assert verbatim(schema) is schema


@pytest.mark.rule("schema-import-forms")
@pytest.mark.parametrize(
    ("raw", "read"),
    [
        (None, {"type": "object", "properties": {}}),
        ({"properties": {"a": {}}}, {"type": "object", "properties": {"a": {}}}),
        ({"anyOf": [{"type": "object"}]}, {"anyOf": [{"type": "object"}]}),
        ({"$ref": "#/$defs/a", "$defs": {}}, {"$ref": "#/$defs/a", "$defs": {}}),
        ({"type": ["object", "null"]}, {"type": ["object", "null"], "properties": {}}),
    ],
)
def test_input_schemas_from_elsewhere(raw, read) -> None:
    assert object_schema(raw) == read


@pytest.mark.rule("schema-import-forms")
@pytest.mark.parametrize("raw", [5, "x", [], {"type": "array"}, {"type": ["string", "null"]}])
def test_what_is_no_object_schema_is_refused(raw) -> None:
    with pytest.raises(SchemaError, match="must be an object"):
        object_schema(raw)


def _ring() -> dict[str, Any]:
    ring: dict[str, Any] = {"type": "object", "properties": {}}
    ring["properties"]["again"] = ring
    return ring


@pytest.mark.rule("slim-no-json")
@pytest.mark.parametrize(
    "schema",
    [_ring(), of({"default": {1}}), of({"default": float("nan")}), of({(1, 2): "key"})],
    ids=["ring", "set", "nan", "key"],
)
def test_a_schema_that_is_no_json_has_no_short_view(schema: dict[str, Any]) -> None:
    with pytest.raises(SchemaError, match="must be plain JSON"):
        slim(schema)


@pytest.mark.rule("lint-stranger")
def test_a_schema_that_holds_itself_is_an_error_everywhere_else_too() -> None:
    ring = _ring()
    assert [finding.severity for finding in lint(ring)] == ["error"]
    with pytest.raises(SchemaError):
        compile_check(ring)
