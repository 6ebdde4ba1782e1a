"""Checks of values against schemas, and the words of what is wrong."""

import copy
from typing import Any

import pytest

from toolroll.outcome import issue_lines, one_line
from toolroll.schema import (
    Limits,
    ReadInput,
    SchemaError,
    SchemaTooLarge,
    clamp,
    compile_check,
    lint,
    schema_reader,
    slim,
)

DEMO = {
    "type": "object",
    "properties": {
        "word": {"type": "string", "pattern": "^[a-z]+$"},
        "mode": {"enum": ["plain", "loud"]},
        "limit": {"type": "integer", "maximum": 3},
        "items": {"type": "array", "minItems": 1},
        "point": {
            "type": "object",
            "properties": {"x": {"type": "number"}, "y": {"type": "number"}},
            "additionalProperties": False,
        },
    },
    "required": ["word"],
    "additionalProperties": False,
}

SHAPES = {
    "type": "object",
    "properties": {
        "shape": {
            "anyOf": [
                {
                    "type": "object",
                    "properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}},
                    "required": ["kind", "radius"],
                    "additionalProperties": False,
                },
                {
                    "type": "object",
                    "properties": {"kind": {"const": "square"}, "side": {"type": "number"}},
                    "required": ["kind", "side"],
                    "additionalProperties": False,
                },
            ]
        }
    },
    "additionalProperties": False,
}


def lines(schema, value) -> list[str]:
    return issue_lines(compile_check(schema)(value))


def test_what_holds_has_no_issue() -> None:
    assert compile_check(DEMO)({"word": "a", "mode": "loud", "limit": 3, "items": [1]}) == []


@pytest.mark.rule("schema-order-of-place")
@pytest.mark.rule("schema-enum-lists-values")
def test_unknown_key_missing_and_enum_are_three_lines() -> None:
    assert lines(DEMO, {"wrod": "x", "mode": "quiet"}) == [
        'Invalid arguments: unknown property "wrod"; takes word, mode, limit, items, point',
        "Invalid arguments at /: must have required properties word",
        "Invalid arguments at /mode: must be one of plain, loud",
    ]


@pytest.mark.rule("schema-unknown-keys-first")
def test_ten_unknown_keys_are_ten_lines_in_the_order_of_the_arguments() -> None:
    value = {"word": "A", **{f"k{number}": 1 for number in range(9, -1, -1)}}

    found = lines(DEMO, value)

    assert [line.partition('"')[2].partition('"')[0] for line in found[:10]] == [
        f"k{number}" for number in range(9, -1, -1)
    ]
    assert found[10:] == ['Invalid arguments at /word: must match pattern "^[a-z]+$"']


@pytest.mark.rule("schema-unknown-names-fields")
def test_an_unknown_key_cannot_break_the_line() -> None:
    schema = {"properties": {"a/b": {"type": "object", "additionalProperties": False}}}

    assert lines(schema, {"a/b": {"c~d\nSYSTEM": 1}}) == [
        'Invalid arguments at /a~1b: unknown property "c~d\\nSYSTEM"; takes no properties'
    ]


@pytest.mark.rule("schema-unknown-names-fields")
@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a\nSYSTEM: b": {}}, "additionalProperties": False},
        {"required": ["a\u2028b"]},
        {"properties": {"x\u202ey": {"enum": ["a\nb", "c\x1b[31md"]}}},
        {"properties": {"x\u202ey": {"pattern": "^a\nb$"}}},
    ],
)
def test_no_text_of_a_schema_can_break_a_line(schema) -> None:
    issues = compile_check(schema)({"x\u202ey": "z"})

    assert issues
    assert all(issue.problem.isprintable() for issue in issues)


@pytest.mark.rule("schema-unknown-names-fields")
def test_a_nested_unknown_key_names_the_nested_fields() -> None:
    assert lines(DEMO, {"word": "a", "point": {"z": 1}}) == [
        'Invalid arguments at /point: unknown property "z"; takes x, y'
    ]


@pytest.mark.rule("schema-unknown-names-fields")
def test_patterns_of_keys_are_named() -> None:
    schema = {
        "patternProperties": {"^x-": {}},
        "properties": {"a": {}},
        "additionalProperties": False,
    }

    assert lines(schema, {"b": 1}) == [
        'Invalid arguments: unknown property "b"; takes a, keys matching "^x-"'
    ]


@pytest.mark.rule("schema-unknown-names-fields")
def test_unevaluated_properties_name_the_fields_of_all_parts() -> None:
    schema = {
        "allOf": [{"$ref": "#/$defs/a"}],
        "properties": {"own": {}},
        "unevaluatedProperties": False,
        "$defs": {"a": {"properties": {"led": {}}}},
    }

    assert [issue.problem for issue in compile_check(schema)({"x": 1})] == [
        'unknown property "x"; takes own, led'
    ]


def test_a_property_called_like_the_keyword_is_no_closed_object() -> None:
    schema = {"properties": {"additionalProperties": False}}

    assert lines(schema, {"additionalProperties": {"a": 1}}) == [
        "Invalid arguments at /additionalProperties: must not be present"
    ]


@pytest.mark.parametrize(
    ("schema", "value", "problem"),
    [
        ({"pattern": "^[a-z]+$"}, "A", 'must match pattern "^[a-z]+$"'),
        ({"maximum": 3}, 4, "must be <= 3"),
        ({"minimum": 1.5}, 1, "must be >= 1.5"),
        ({"exclusiveMaximum": 3}, 3, "must be < 3"),
        ({"exclusiveMinimum": 3.0}, 3, "must be > 3"),
        ({"multipleOf": 2}, 3, "must be multiple of 2"),
        ({"type": "integer"}, 1.5, "must be integer"),
        ({"type": ["string", "null"]}, 5, "must be string"),
        ({"type": ["string", "integer"]}, None, "must be either string or integer"),
        ({"type": "null"}, 5, "must be null"),
        ({"minItems": 1}, [], "must not have fewer than 1 items"),
        ({"maxItems": 1}, [1, 2], "must not have more than 1 items"),
        ({"minLength": 2}, "a", "must not have fewer than 2 characters"),
        ({"maxLength": 2}, "abc", "must not have more than 2 characters"),
        ({"minProperties": 1}, {}, "must not have fewer than 1 properties"),
        ({"maxProperties": 0}, {"a": 1}, "must not have more than 0 properties"),
        ({"uniqueItems": True}, [1, 1], "must not have duplicate items"),
        ({"const": "on"}, "off", "must be one of on"),
        ({"enum": ["a", 1, None, True]}, "b", "must be one of a, 1, null, true"),
        ({"not": {"type": "string"}}, "b", "must not be valid"),
        ({"contains": {"type": "string"}}, [1], "must contain at least 1 valid items"),
        ({"contains": {}, "minContains": 2}, [1], "must contain at least 2 valid items"),
        ({"contains": {}, "maxContains": 1}, [1, 2], "must contain at most 1 valid items"),
        ({"propertyNames": {"maxLength": 1}}, {"ab": 1},
         'property name "ab" must not have more than 1 characters'),
        ({"unevaluatedItems": False}, [1], "must not have unevaluated items"),
        ({"oneOf": [{"type": "integer"}, {"minimum": 2}]}, 3, "must match exactly one schema in oneOf"),
        (False, 1, "must not be present"),
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, "must have required properties b"),
    ],
)  # fmt: skip
def test_words_of_each_keyword(schema, value, problem: str) -> None:
    assert [issue.problem for issue in compile_check(schema)(value)] == [problem]


@pytest.mark.rule("schema-missing-in-one")
def test_missing_names_stand_in_one_issue() -> None:
    (issue,) = compile_check({"required": ["a", "b"], "properties": {"a": {}, "b": {}}})({})

    assert issue.missing == ("a", "b")
    assert issue.problem == "must have required properties a, b"


def test_long_lists_of_values_are_cut() -> None:
    (issue,) = compile_check({"enum": [f"v{number}" for number in range(70)]})("x")

    assert issue.problem.endswith("v49, and 20 more")


@pytest.mark.rule("schema-order-of-place")
def test_issues_follow_the_input_and_are_said_once() -> None:
    schema = {
        "properties": {
            "a": {"type": "string"},
            "b": {"type": "integer", "allOf": [{"type": "integer"}]},
        },
        "allOf": [{"required": ["c"]}],
    }

    assert lines(schema, {"b": "x", "a": 1}) == [
        "Invalid arguments at /: must have required properties c",
        "Invalid arguments at /b: must be integer",
        "Invalid arguments at /a: must be string",
    ]


def test_the_one_line_form_of_the_same_issues() -> None:
    assert one_line(compile_check(DEMO)({"word": 1, "point": {"x": "a"}})) == (
        "word: must be string; point.x: must be number"
    )


@pytest.mark.rule("schema-union-meant")
@pytest.mark.parametrize(
    ("shape", "problems"),
    [
        ({"kind": "circle", "side": 3}, {"/shape": ["must have required properties radius"]}),
        ({"kind": "circle", "radius": "3"}, {"/shape/radius": ["must be number"]}),
        (
            {"kind": "circle", "radius": 1, "z": 3},
            {"/shape": ['unknown property "z"; takes {kind, radius} or {kind, side}']},
        ),
        ({"kind": "oval", "radius": 1}, {"/shape/kind": ["must be one of circle, square"]}),
        (5, {"/shape": ["must be object"]}),
        (
            {"kind": "circle", "radius": 1, "side": 1},
            {"/shape": ['unknown property "side"; takes {kind, radius} or {kind, side}']},
        ),
    ],
)
def test_a_union_speaks_of_the_branch_that_was_meant(shape, problems) -> None:
    found: dict[str, list[str]] = {}
    for issue in compile_check(SHAPES)({"shape": shape}):
        found.setdefault(issue.pointer, []).append(issue.problem)

    assert found == problems


@pytest.mark.rule("schema-union-meant")
def test_unions_of_scalars_and_of_literals_say_all_that_is_taken() -> None:
    assert lines({"anyOf": [{"type": "string"}, {"type": "null"}]}, 5) == [
        "Invalid arguments at /: must be string"
    ]
    assert lines({"anyOf": [{"type": "string"}, {"type": "integer"}]}, []) == [
        "Invalid arguments at /: must be either string or integer"
    ]
    assert lines({"anyOf": [{"const": "a"}, {"enum": ["b", "c"]}]}, "x") == [
        "Invalid arguments at /: must be one of a, b, c"
    ]


@pytest.mark.rule("schema-ref-siblings-hold")
def test_what_stands_beside_a_reference_holds_too() -> None:
    schema = {
        "$defs": {"Code": {"type": "string"}},
        "properties": {"c": {"$ref": "#/$defs/Code", "maxLength": 3}},
    }

    assert [issue.pointer for issue in compile_check(schema)({"c": "abcd"})] == ["/c"]


@pytest.mark.rule("schema-dialects")
@pytest.mark.parametrize(
    ("dialect", "schema", "good", "bad"),
    [
        ("", {"prefixItems": [{"type": "string"}]}, ["a"], [1]),
        (
            "https://json-schema.org/draft/2020-12/schema",
            {"dependentRequired": {"a": ["b"]}},
            {},
            {"a": 1},
        ),
        (
            "https://json-schema.org/draft/2019-09/schema",
            {"items": [{"type": "string"}]},
            ["a"],
            [1],
        ),
        ("http://json-schema.org/draft-07/schema#", {"dependencies": {"a": ["b"]}}, {}, {"a": 1}),
        ("http://json-schema.org/draft-06/schema#", {"exclusiveMinimum": 3}, 4, 3),
        ("http://json-schema.org/draft-04/schema#", {"minimum": 3, "exclusiveMinimum": True}, 4, 3),
        ("http://json-schema.org/draft-04/schema", {"minimum": 3}, 3, 2),
    ],
)
def test_dialects_by_schema_keyword(dialect: str, schema, good, bad) -> None:
    check = compile_check({"$schema": dialect, **schema} if dialect else schema)

    assert check.accepts(good)
    assert not check.accepts(bad)


@pytest.mark.rule("schema-dialects")
@pytest.mark.parametrize(
    "dialect", ["http://json-schema.org/draft-03/schema#", "https://example.com/own"]
)
def test_other_dialects_are_refused(dialect: str) -> None:
    with pytest.raises(SchemaError, match="is not read here") as caught:
        compile_check({"$schema": dialect})

    assert caught.value.pointer == "/$schema"


@pytest.mark.rule("schema-refs-are-local")
@pytest.mark.parametrize(
    "reference",
    [
        "https://example.com/other.json",
        "http://127.0.0.1:9/x",
        "file:///etc/hostname",
        "#/$defs/none",
    ],
)
def test_references_that_are_not_answered_are_refused(reference: str) -> None:
    with pytest.raises(SchemaError):
        compile_check({"properties": {"a": {"$ref": reference}}})


def test_references_with_characters_no_uri_has_still_resolve() -> None:
    for name in ("Page<Note>", "a b", "x[y]", "é", "100%"):
        schema = {"$defs": {name: {"type": "string"}}, "$ref": f"#/$defs/{name}"}

        assert compile_check(schema).accepts("a")
        assert [issue.problem for issue in compile_check(schema)(1)] == ["must be string"]


@pytest.mark.rule("schema-patterns-are-linear")
@pytest.mark.parametrize("pattern", ["(?=a)b", r"^(a)\1$", "(", "a{5000}{5000}"])
def test_patterns_without_linear_time_are_refused(pattern: str) -> None:
    for schema in (
        {"properties": {"a": {"pattern": pattern}}},
        {"patternProperties": {pattern: {}}},
    ):
        with pytest.raises(SchemaError, match="linear time"):
            compile_check(schema)


@pytest.mark.rule("schema-patterns-are-linear")
def test_a_pattern_that_hangs_elsewhere_does_not_hang() -> None:
    check = compile_check({"pattern": "^(a+)+$"})
    assert not check.accepts("a" * 50_000 + "b")


@pytest.mark.rule("schema-format-off")
def test_format_is_asserted_on_request_only() -> None:
    schema = {"$schema": "http://json-schema.org/draft-07/schema#", "format": "date"}

    assert compile_check(schema)("soon") == []
    assert [issue.problem for issue in compile_check(schema, formats=True)("soon")] == [
        'must match format "date"'
    ]


@pytest.mark.rule("schema-only-json")
@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (float("nan"), "must be a finite number"),
        (float("inf"), "must be a finite number"),
        ({1, 2}, "must be a JSON value"),
        (b"x", "must be a JSON value"),
        ({1: 2}, "must have texts as keys"),
        ("\ud800", "must be text that can be encoded (it holds half of a surrogate pair)"),
    ],
)
def test_what_is_no_json_is_a_fault_at_its_place(value, problem: str) -> None:
    for types in (["null", "number", "string", "array"], ["null", "string"]):
        check = compile_check({"properties": {"a": {"type": types}}})
        assert not check.accepts({"a": value})
        assert [(i.pointer, i.problem) for i in check({"a": value})] == [("/a", problem)]


@pytest.mark.rule("schema-limits-hold")
def test_values_nested_too_deep_are_a_fault() -> None:
    deep = []
    for _ in range(5_000):
        deep = [deep]
    loop = []
    loop.append(loop)

    for value in (deep, loop):
        (issue,) = compile_check({})(value)
        assert issue.problem == "must not be nested more than 100 levels deep"
    assert compile_check({}, limits=Limits(value_depth=3))([[[1]]]) == []
    assert compile_check({}, limits=Limits(value_depth=3))([[[[1]]]])


@pytest.mark.rule("schema-limits-hold")
def test_schemas_beyond_the_limits_are_refused() -> None:
    deep = {}
    for _ in range(200):
        deep = {"items": deep}
    loop = {}
    loop["properties"] = {"a": loop}

    for schema in (deep, loop, {"properties": {str(number): {} for number in range(10_001)}}):
        with pytest.raises(SchemaError):
            compile_check(schema)
    with pytest.raises(SchemaTooLarge):
        compile_check({"items": {"items": {}}}, limits=Limits(schema_depth=1))


def _blocks(kinds: int) -> dict[str, Any]:
    """A union of blocks that hold blocks, as document tools have it."""
    block = {"$ref": "#/$defs/block"}
    return {
        "$ref": "#/$defs/block",
        "$defs": {
            "block": {
                "anyOf": [
                    {
                        "type": "object",
                        "properties": {
                            "kind": {"const": f"k{number}"},
                            "text": {"type": "string"},
                            "kids": {"type": "array", "items": block},
                        },
                        "required": ["kind"],
                        "additionalProperties": False,
                    }
                    for number in range(kinds)
                ]
            }
        },
    }


@pytest.mark.rule("schema-union-meant")
@pytest.mark.rule("schema-limits-hold")
def test_unions_that_hold_unions_are_explained_without_end_of_time() -> None:
    value: dict[str, Any] = {"kind": "k3", "text": 5}
    for _ in range(12):
        value = {"kind": "k3", "kids": [{"kind": "k1"}, value]}

    issues = compile_check(_blocks(20))(value)

    assert [(issue.pointer, issue.problem) for issue in issues] == [
        ("/kids/1" * 12 + "/text", "must be string")
    ]


@pytest.mark.rule("schema-limits-hold")
@pytest.mark.parametrize(
    "applied",
    [
        {"anyOf": [{"properties": {"x": {"$ref": "#"}}, "required": ["x"]}] * 2},
        {"allOf": [{"properties": {"x": {"$ref": "#"}}, "required": ["x"]}] * 2},
        {
            "properties": {"x": {"$ref": "#"}},
            "patternProperties": {"^x": {"$ref": "#"}},
            "required": ["x"],
        },
    ],
)
def test_schemas_that_double_the_work_at_each_level_are_explained(applied) -> None:
    value: dict[str, Any] = {}
    for _ in range(40):
        value = {"x": value}

    issues = compile_check(applied)(value)

    assert {issue.problem for issue in issues} == {"must have required properties x"}


def _chain(links: int, link: Any, end: Any) -> dict[str, Any]:
    """Definitions of which each leads to the next one twice."""
    below = [{"$ref": f"#/$defs/d{number + 1}"} for number in range(links)]
    return {
        "$ref": "#/$defs/d0",
        "$defs": {f"d{number}": link(ref) for number, ref in enumerate(below)} | {f"d{links}": end},
    }


@pytest.mark.rule("schema-limits-hold")
@pytest.mark.parametrize("union", ["anyOf", "oneOf", "allOf"])
def test_references_that_double_the_work_at_one_place_are_refused(union: str) -> None:
    schema = _chain(60, lambda ref: {union: [ref, ref]}, {"type": "string", "maxLength": 2})

    with pytest.raises(SchemaTooLarge, match="lead to more than 1000000 places"):
        compile_check(schema)
    assert compile_check(_chain(9, lambda ref: {union: [ref, ref]}, {"type": "string"}))(5)
    within = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/d0"}},
        "$defs": schema["$defs"],
    }
    foreign = schema_reader(within, authored=False)
    assert "too large" in foreign.loss
    assert clamp("abcdef", schema).value == "a…"
    assert [finding.rule for finding in lint(schema)] == ["too-large"]


@pytest.mark.rule("schema-limits-hold")
def test_references_that_double_the_work_at_each_level_bound_the_input() -> None:
    schema = _chain(30, lambda ref: {"anyOf": [{"properties": {"x": ref}}] * 2}, {"type": "string"})
    deep: Any = 1
    for _ in range(30):
        deep = {"x": deep}

    check = compile_check(schema)

    assert [issue.problem for issue in check(deep)] == ["must not be nested so deep"]
    assert check({"x": {"x": 1}}) == []


@pytest.mark.rule("schema-limits-hold")
@pytest.mark.parametrize(
    "link",
    [
        lambda below: below,
        lambda below: {"allOf": [below]},
        lambda below: {"anyOf": [below, {"type": "null"}]},
        lambda below: {"type": "object", "properties": {"x": below}, "additionalProperties": False},
    ],
    ids=["alone", "allOf", "anyOf", "properties"],
)
def test_long_chains_of_references_are_refused_everywhere(link) -> None:
    count = 3_000
    defs = {f"d{n}": link({"$ref": f"#/$defs/d{n + 1}"}) for n in range(count)}
    schema = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/d0"}},
        "additionalProperties": False,
        "$defs": {**defs, f"d{count}": {"type": "integer"}},
    }

    for refused in (compile_check, slim, schema_reader):
        with pytest.raises(SchemaTooLarge):
            refused(schema)
    assert [finding.rule for finding in lint(schema)] == ["too-large"]
    assert clamp({"a": 1}, schema).value == {"a": 1}
    imported = schema_reader(schema, authored=False)
    assert isinstance(imported.read({"a": "x"}), ReadInput)
    assert "too large" in imported.loss


@pytest.mark.rule("schema-limits-hold")
def test_the_work_of_explaining_is_bounded() -> None:
    schema = {"items": {"items": {"type": "string"}}}
    check = compile_check(schema, limits=Limits(explained=50))

    assert check([["a"] * 1_000, [1]]) != []


@pytest.mark.rule("schema-limits-hold")
def test_the_list_of_issues_is_bounded() -> None:
    issues = compile_check({"items": {"type": "string"}})(list(range(500)))

    assert len(issues) == 101
    assert issues[-1].problem == "and 400 more faults"


@pytest.mark.parametrize(
    "schema", [{"type": "nope"}, {"properties": []}, {"required": "a"}, {"minimum": "1"}]
)
def test_what_is_no_schema_of_its_dialect_is_refused_with_its_place(schema) -> None:
    with pytest.raises(SchemaError) as caught:
        compile_check(schema)

    assert caught.value.pointer == "/" + next(iter(schema))


@pytest.mark.parametrize("schema", [None, 5, "text", [], {"a": {1}}])
def test_what_is_no_mapping_is_refused(schema) -> None:
    with pytest.raises(SchemaError):
        compile_check(schema)


@pytest.mark.rule("schema-never-mutates")
def test_neither_schema_nor_value_changes_and_later_changes_have_no_effect() -> None:
    schema, value = copy.deepcopy(DEMO), {"wrod": 1, "point": {"z": 1}}
    check = compile_check(schema)
    check(value)

    assert (schema, value) == (DEMO, {"wrod": 1, "point": {"z": 1}})
    schema["properties"].clear()
    assert check({"word": "a"}) == []


def test_equal_schemas_share_one_check_while_it_is_used() -> None:
    first = compile_check({"type": "string", "minLength": 4711})

    assert compile_check({"type": "string", "minLength": 4711}) is first
    assert compile_check({"type": "string", "minLength": 4711}, formats=True) is not first


def test_own_words_for_a_place() -> None:
    schema = {"properties": {"text": {"type": "string", "minLength": 1}}, "required": ["text"]}
    check = compile_check(schema, messages={"/properties/text": "note_write needs text"})

    assert {(i.pointer, i.problem) for v in ({}, {"text": ""}) for i in check(v)} == {
        ("/text", "note_write needs text")
    }
    assert [i.problem for i in check({"text": 5})] == ["must be string"]


@pytest.mark.rule("schema-too-large-to-explain")
def test_what_is_too_large_to_explain_says_so_with_the_limit_and_what_to_do() -> None:
    check = compile_check({"items": {"type": "integer"}}, limits=Limits(explained=50))
    (issue,) = check([1] * 100 + ["x"])
    assert issue.pointer == ""
    assert issue.problem == (
        "is too large to be explained whole: the first 50 places looked at "
        "(Limits.explained) hold no fault; send less at once"
    )
    assert [issue.pointer for issue in check([1] * 10 + ["x"])] == ["/10"]
    assert [issue.pointer for issue in check(["x"] + [1] * 100)] == ["/0"]


@pytest.mark.rule("schema-too-large-to-explain")
def test_more_items_to_mend_than_are_explained_are_refused_in_words() -> None:
    reader = schema_reader(
        {"type": "object", "properties": {"n": {"type": "array", "items": {"type": "integer"}}}},
        limits=Limits(explained=50),
    )
    read = reader.read({"n": ["1"] * 100}, repair="schema")
    assert not isinstance(read, ReadInput)
    assert "send less at once" in read.issues[0].problem
