"""Faults of schemas that are found when a tool is defined."""

from typing import Any

import pytest
from pydantic import BaseModel
from pydantic.v1 import BaseModel as OldModel

from toolroll.schema import Limits, SchemaError, lint


def said(**properties) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: {"description": "d", **schema} for name, schema in properties.items()},
        "additionalProperties": False,
    }


def found(schema, **options) -> list[tuple[str, str]]:
    return [(finding.rule, finding.pointer) for finding in lint(schema, **options)]


SOUND = said(
    a={"type": "string"},
    b={"type": "object", "properties": {}},
    c={"type": "object", "patternProperties": {"^x": {"type": "string"}}},
    d={"anyOf": [{"const": "only"}]},
    e={"anyOf": [{"const": "a"}, {"type": "integer"}]},
    f={"type": "integer", "minimum": 1, "maximum": 1, "default": 1},
    g={"type": "array", "items": {"$ref": "#/$defs/g"}, "default": []},
    h={"type": "string", "minLength": 1},
) | {"required": ["h"], "$defs": {"g": said(x={"type": "string"})}}


@pytest.mark.rule("lint-rules")
def test_a_sound_schema_has_no_finding() -> None:
    assert lint(SOUND) == []
    assert lint({"type": "object"}) == []
    assert lint({"type": "object", "properties": {}}) == []


OPEN = {"type": "object", "properties": {"k": {"type": "string", "description": "d"}}}
UNION = {"anyOf": [{"const": "a"}, {"const": "b"}]}


@pytest.mark.rule("lint-rules")
@pytest.mark.parametrize(
    "bad",
    [
        pytest.param(("open-object", OPEN), id="open"),
        pytest.param(("literal-union", UNION), id="union"),
    ],
)
@pytest.mark.parametrize(
    ("around", "pointer"),
    [
        (lambda bad: said(a=bad), "/properties/a"),
        (lambda bad: said(a={"type": "array", "items": bad}), "/properties/a/items"),
        (
            lambda bad: said(a={"type": "array", "prefixItems": [bad]}),
            "/properties/a/prefixItems/0",
        ),
        (
            lambda bad: said(a={"type": "object", "patternProperties": {"x": bad}}),
            "/properties/a/patternProperties/x",
        ),
        (
            lambda bad: said(a={"type": "object", "additionalProperties": bad}),
            "/properties/a/additionalProperties",
        ),
        (lambda bad: said(a={"anyOf": [{"type": "null"}, bad]}), "/properties/a/anyOf/1"),
        (lambda bad: said(a={"oneOf": [{"type": "null"}, bad]}), "/properties/a/oneOf/1"),
        (lambda bad: said(a={"type": "object", "allOf": [bad]}), "/properties/a/allOf/0"),
        (lambda bad: said(a={"$ref": "#/$defs/b"}) | {"$defs": {"b": bad}}, "/$defs/b"),
    ],
)
def test_open_objects_and_unions_of_literals_are_found_at_every_depth(bad, around, pointer) -> None:
    rule, schema = bad

    assert (rule, pointer) in found(around(schema))


@pytest.mark.rule("lint-rules")
@pytest.mark.parametrize(
    "opened", [{}, {"additionalProperties": True}, {"additionalProperties": {"type": "string"}}]
)
def test_an_open_root_is_an_error_unless_it_shall_be_open(opened) -> None:
    schema = {
        key: value
        for key, value in said(a={"type": "string"}).items()
        if key != "additionalProperties"
    }

    (finding,) = lint(schema | opened)

    assert (finding.severity, finding.rule, finding.pointer) == ("error", "open-object", "")
    assert str(finding).startswith("at /: object with named properties")
    assert lint(schema | opened, allow_open=True) == []


@pytest.mark.rule("lint-rules")
def test_parts_of_a_whole_need_not_be_closed_by_themselves() -> None:
    part = {"properties": {"b": {"type": "string", "description": "d"}}}
    schema = {
        "type": "object",
        "allOf": [part],
        "if": part,
        "then": part,
        "dependentSchemas": {"b": part},
        "unevaluatedProperties": False,
        "properties": {"a": {"type": "string", "description": "d"}},
    }

    assert found(schema) == []


@pytest.mark.rule("lint-rules")
@pytest.mark.parametrize(
    ("schema", "finding"),
    [
        ({"type": "array"}, ("root-not-object", "")),
        ({"properties": {}}, ("root-not-object", "")),
        ({"anyOf": [{"type": "object"}]}, ("root-not-object", "")),
        ({"type": ["object", "null"]}, ("root-not-object", "")),
        (said(a={"type": "strin"}), ("invalid-schema", "/properties/a/type")),
        (said(a={"pattern": "(?=x)"}), ("invalid-schema", "/properties/a/pattern")),
        (said(a={"$ref": "#/$defs/no"}), ("invalid-schema", "/properties/a")),
        (said(a={"$ref": "https://example.com/x"}), ("invalid-schema", "/properties/a")),
        ({"type": "object", "$schema": "https://example.com/own"}, ("invalid-schema", "/$schema")),
        (said(a={"type": "string"}) | {"required": ["b"]}, ("unknown-required", "")),
        (said(a={"type": "integer", "minimum": 3, "maximum": 2}), ("unsatisfiable", "/properties/a")),
        (said(a={"type": "number", "exclusiveMinimum": 3, "maximum": 3}), ("unsatisfiable", "/properties/a")),
        (said(a={"type": "number", "exclusiveMinimum": 3, "exclusiveMaximum": 3}),
         ("unsatisfiable", "/properties/a")),
        (said(a={"type": "string", "minLength": 3, "maxLength": 2}) | {"required": ["a"]},
         ("unsatisfiable", "/properties/a")),
        (said(a={"type": "array", "minItems": 3, "maxItems": 2}), ("unsatisfiable", "/properties/a")),
        (said(a={"type": "integer", "enum": ["1"]}), ("unsatisfiable", "/properties/a")),
        (said(a={"type": "string", "const": 1}), ("unsatisfiable", "/properties/a")),
        (said(a={"enum": []}), ("unsatisfiable", "/properties/a")),
        (said(a={"type": "integer", "enum": [1, 2], "minimum": 5}), ("unsatisfiable", "/properties/a")),
        (said(a={"enum": [1, 2], "const": 5}), ("unsatisfiable", "/properties/a")),
        (said(a={"type": "integer", "minimum": 1.2, "maximum": 1.8}), ("unsatisfiable", "/properties/a")),
        (said(a={"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 2}),
         ("unsatisfiable", "/properties/a")),
        (said(a={"allOf": [{"minimum": 5}, {"maximum": 1}]}), ("unsatisfiable", "/properties/a")),
        (said(a={"$ref": "#/$defs/b", "maxLength": 1}) | {"$defs": {"b": {"minLength": 2}}},
         ("unsatisfiable", "/properties/a")),
        (said(a={"type": "string", "allOf": [{"type": "integer"}]}), ("unsatisfiable", "/properties/a")),
        (said(a={"type": "array", "prefixItems": [{}], "items": False, "minItems": 2}),
         ("unsatisfiable", "/properties/a")),
        (said(a={"type": "array", "items": [{}], "additionalItems": False, "minItems": 2}),
         ("unsatisfiable", "/properties/a")),
        (said(a={"type": "string"}) | {"minProperties": 2}, ("unsatisfiable", "")),
        ({"type": "object", "required": ["b"]}, ("unknown-required", "")),
        ({"type": "object", "patternProperties": {"^x": {}}, "required": ["b"], "additionalProperties": False},
         ("unknown-required", "")),
        (said(a={"type": "string", "default": 1}), ("bad-default", "/properties/a")),
        (said(a={"$ref": "#/$defs/b", "default": 1}) | {"$defs": {"b": {"type": "string"}}},
         ("bad-default", "/properties/a")),
        (said(a={}), ("undescribable", "/properties/a")),
        (said(a={"enum": ["a", 1]}), ("undescribable", "/properties/a")),
        (said(a={"type": "string", "minLength": 1}), ("optional-min-length", "/properties/a")),
        (said(a={"type": "string", "description": ""}), ("no-description", "/properties/a")),
    ],
)  # fmt: skip
def test_each_rule_finds_its_fault(schema, finding) -> None:
    assert finding in found(schema)


@pytest.mark.rule("lint-rules")
@pytest.mark.parametrize(
    "schema",
    [
        said(a={"type": "number", "allOf": [{"type": "integer"}], "minimum": 1, "maximum": 1}),
        said(a={"type": "number", "exclusiveMinimum": 1, "exclusiveMaximum": 2}),
        said(a={"type": "integer", "enum": [1, 9], "minimum": 5}),
        said(a={"type": "object"}) | {"minProperties": 1, "required": ["a"]},
        said(a={"type": "string"}) | {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
        {
            "type": "object",
            "patternProperties": {"^x": {}},
            "required": ["x1"],
            "additionalProperties": False,
        },
        {"type": "object", "additionalProperties": {"type": "string"}, "required": ["b"]},
        said(a={"allOf": [{"$ref": "#/$defs/b"}, {"$ref": "#/$defs/b"}]})
        | {"$defs": {"b": {"allOf": [{"$ref": "#/$defs/b"}], "minimum": 1}}},
    ],
)
def test_what_can_be_met_is_not_called_unsatisfiable(schema) -> None:
    assert not {"unsatisfiable", "unknown-required"} & {rule for rule, _ in found(schema)}


@pytest.mark.rule("lint-rules")
def test_a_contradiction_is_told_once_at_the_part_that_holds_it() -> None:
    broken = {"type": "integer", "minimum": 3, "maximum": 2}

    assert found(said(a={"allOf": [broken]})) == [("unsatisfiable", "/properties/a/allOf/0")]


@pytest.mark.rule("lint-rules")
def test_names_of_properties_and_data_break_no_rule() -> None:
    schema = said(
        anyOf={"type": "string"},
        properties={"type": "string"},
        minLength={"type": "string"},
        x={
            "type": "object",
            "default": {"anyOf": [{"const": 1}, {"const": 2}]},
            "examples": [OPEN],
        },
    )

    assert found(schema) == []


@pytest.mark.rule("lint-rules")
def test_errors_come_first_and_become_exceptions() -> None:
    findings = lint(said(a={"type": "string", "minLength": 1}, b=UNION))

    assert [finding.severity for finding in findings] == ["error", "warning"]
    error = findings[0].to_error("note_write")
    assert isinstance(error, SchemaError)
    assert (error.tool, error.pointer) == ("note_write", "/properties/b")
    assert str(error).startswith("note_write: schema at /properties/b: union of literals")


@pytest.mark.rule("schema-limits-hold")
def test_a_schema_too_large_is_one_finding() -> None:
    assert found(said(a={"type": "object"}), limits=Limits(schema_places=1)) == [
        ("too-large", "/properties/a")
    ]


class New(BaseModel):
    a: int


class Old(OldModel):
    a: int


def make_schema() -> dict[str, Any]:
    return {}


@pytest.mark.rule("lint-stranger")
@pytest.mark.parametrize(
    ("given", "words"),
    [
        (New, ["pydantic model", "test_schema_lint.New", "takes="]),
        (Old, ["model of pydantic 1", "test_schema_lint.Old"]),
        (New(a=1), ["New"]),
        (dict, ["class builtins.dict"]),
        (make_schema, ["function", "make_schema", "has to be called"]),
        (make_schema.__call__, ["function"]),
        (None, ["NoneType"]),
        ("text", ["builtins.str"]),
        (True, ["builtins.bool"]),
    ],
)
def test_what_is_no_schema_is_told_by_what_came(given, words) -> None:
    (finding,) = lint(given)

    assert (finding.severity, finding.rule) == ("error", "not-a-schema")
    assert all(word in str(finding) for word in words)
    assert lint(given, authored=False) == [finding]


@pytest.mark.rule("lint-stranger")
def test_what_is_no_json_inside_a_schema_is_told_with_its_place() -> None:
    assert found({"type": "object", "properties": {"a": {"enum": {1}}}}) == [
        ("not-a-schema", "/properties/a/enum")
    ]
    (finding,) = lint({"type": "object", "properties": {"a": New}})
    assert (finding.rule, finding.pointer) == ("not-a-schema", "/properties/a")
    assert "pydantic model" in finding.fault


@pytest.mark.rule("lint-foreign-mild")
def test_a_schema_from_elsewhere_is_judged_mildly() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string", "minLength": 1, "default": 5}, "b": {}, "c": UNION},
        "required": ["z"],
    }

    findings = lint(schema, authored=False)

    assert {finding.severity for finding in findings} == {"warning"}
    assert {finding.rule for finding in findings} == {"bad-default", "undescribable"}
    assert [f.severity for f in lint({"type": "array"}, authored=False)] == ["error"]


@pytest.mark.rule("lint-stranger")
@pytest.mark.parametrize(
    ("schema", "pointer", "says"),
    [
        ({"default": float("nan")}, "/default", "the default nan must be a finite number"),
        ({"default": {"a": {1}}}, "/default/a", "the default {1} must be a JSON value"),
        ({"enum": ["a", {1}]}, "/enum/1", "the enum {1} must be a JSON value"),
        ({"const": float("inf")}, "/const", "the const inf must be a finite number"),
        ({"minimum": float("nan")}, "/minimum", "the minimum nan must be a finite number"),
        ({"items": {"examples": [{1}]}}, "/items/examples/0", "the examples {1} must be"),
        ({"items": [{}, 1.5, float("nan")]}, "/items/2", "got nan (builtins.float) as a schema"),
        ({"anyOf": [{}, {1}]}, "/anyOf/1", "got {1} (builtins.set) as a schema"),
    ],
    ids=str,
)
def test_data_that_json_cannot_hold_is_told_as_what_it_is(
    schema: dict[str, Any], pointer: str, says: str
) -> None:
    (finding,) = lint(said(default=schema))
    assert (finding.rule, finding.pointer) == ("not-a-schema", "/properties/default" + pointer)
    assert says in finding.fault
