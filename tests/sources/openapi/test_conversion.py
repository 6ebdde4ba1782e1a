"""A document's schemas as JSON Schema 2020-12."""

from typing import Any

import jsonschema_rs
import pytest

from tests.sources.openapi.specimen import (
    document,
    get,
    posting,
    properties,
    query,
    reason,
    references,
    tool,
)
from toolroll.sources.openapi import ReadingLimits, read_operations


def converted(schema: Any, version: str = "3.0.3") -> Any:
    return properties(tool(get(query("a", schema), version=version)))["a"]


@pytest.mark.rule("openapi-3-0-schemas")
@pytest.mark.parametrize(
    ("schema", "made"),
    [
        ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
        ({"type": "string", "nullable": False}, {"type": "string"}),
        (
            {"type": "string", "enum": ["a"], "nullable": True},
            {"type": ["string", "null"], "enum": ["a", None]},
        ),
        ({"enum": ["a"], "nullable": True}, {"enum": ["a", None]}),
        (
            {"allOf": [{"type": "integer"}], "nullable": True, "description": "d"},
            {"anyOf": [{"allOf": [{"type": "integer"}]}, {"type": "null"}], "description": "d"},
        ),
        ({"minimum": 1, "exclusiveMinimum": True}, {"exclusiveMinimum": 1}),
        ({"maximum": 9, "exclusiveMaximum": False}, {"maximum": 9}),
        ({"exclusiveMinimum": True}, {}),
        ({"type": "string", "example": "x", "xml": {}, "x-y": 1, "title": "T"}, {"type": "string"}),
        ({"type": "String"}, {"type": "string"}),
        ({"type": "any"}, {}),
        ({"type": "string", "minLength": "3", "maxLength": 5.0}, {"type": "string", "maxLength": 5}),
        ({"type": "integer", "multipleOf": 0, "maximum": float("inf")}, {"type": "integer"}),
        ({"type": "string", "required": True, "enum": []}, {"type": "string"}),
        ({"type": "array", "items": [{"type": "string"}]}, {"type": "array", "prefixItems": [{"type": "string"}]}),
        ({"type": "string", "format": "date", "pattern": "^x", "default": "y"}, {"type": "string", "format": "date", "pattern": "^x", "default": "y"}),
        ({"oneOf": [{"type": "string"}], "discriminator": {"propertyName": "k"}}, {"oneOf": [{"type": "string"}]}),
        ({"type": "object", "additionalProperties": {"type": "string", "nullable": True}}, {"type": "object", "additionalProperties": {"type": ["string", "null"]}}),
    ],
    ids=range(18),
)  # fmt: skip
def test_a_schema_of_3_0_is_said_the_way_of_2020_12(schema: Any, made: Any) -> None:
    assert converted(schema) == made


@pytest.mark.rule("openapi-3-1-schemas")
@pytest.mark.parametrize(
    "schema",
    [
        {"type": ["string", "null"]},
        {"const": None},
        {"exclusiveMinimum": 1, "minimum": 0},
        {"maximum": 10**400},
        {"if": {"type": "string"}, "then": {"minLength": 1}, "else": True},
        {"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"a": {"type": "object"}}},
        {"prefixItems": [{"type": "string"}], "items": False, "contains": {"const": 1}},
        {"patternProperties": {"^a": {}}, "propertyNames": {"maxLength": 3}},
        {"unevaluatedProperties": False, "not": {"required": ["x"]}},
        {"type": "string", "contentEncoding": "base64", "contentMediaType": "image/png"},
    ],
    ids=range(10),
)
def test_a_schema_of_3_1_is_kept(schema: Any) -> None:
    assert converted(schema, "3.1.0") == schema


@pytest.mark.rule("openapi-3-1-schemas")
def test_what_stands_beside_a_reference_counts_in_3_1_and_not_in_3_0() -> None:
    schemas = {"schemas": {"A": {"type": "string"}}}
    beside = {"$ref": "#/components/schemas/A", "maxLength": 3, "description": "d"}
    kept = {"$ref": "#/$defs/A", "maxLength": 3, "description": "d"}
    for version, made in (("3.1.0", kept), ("3.0.3", {"type": "string", "description": "d"})):
        raw = document({"/x": {"get": {"operationId": "op", "parameters": [query("a", beside)]}}}, version=version, components=schemas)  # fmt: skip
        assert properties(tool(raw))["a"] == made


@pytest.mark.rule("openapi-nullable-reference")
def test_a_nullable_reference_takes_null_in_every_version() -> None:
    schemas = {"schemas": {"A": {"type": "string"}}}
    raw = get(query("a", {"$ref": "#/components/schemas/A", "nullable": True}), version="3.0.0")
    made = properties(tool({**raw, "components": schemas}))["a"]
    assert made == {"anyOf": [{"type": "string"}, {"type": "null"}]}


NODE: Any = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "kids": {"type": "array", "items": {"$ref": "#/components/schemas/Node"}},
    },
    "required": ["name"],
}


@pytest.mark.rule("openapi-definitions-kept")
def test_a_recursive_schema_stays_a_reference_and_unused_ones_are_not_copied() -> None:
    raw = posting("application/json", {"schema": {"$ref": "#/components/schemas/Node"}})
    raw["components"] = {"schemas": {"Node": NODE, "Unused": {"$ref": "#/components/schemas/No"}}}
    schema = tool(raw).definition.input_schema
    assert schema["properties"] == {"body": {"$ref": "#/$defs/Node"}}
    assert schema["required"] == ["body"]
    definitions: Any = schema["$defs"]
    assert list(definitions) == ["Node"]
    assert definitions["Node"]["properties"]["kids"]["items"] == {"$ref": "#/$defs/Node"}
    check = jsonschema_rs.Draft202012Validator(schema)
    assert check.is_valid({"body": {"name": "a", "kids": [{"name": "b"}]}})
    assert not check.is_valid({"body": {"name": "a", "kids": [{}]}})


@pytest.mark.rule("openapi-definitions-kept")
def test_tools_share_what_they_refer_to() -> None:
    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Node"}}}}
    raw = document(
        {f"/{n}": {"post": {"requestBody": body}} for n in range(2)},
        components={"schemas": {"Node": NODE}},
    )
    one, other = (o.definition.input_schema["$defs"] for o in read_operations(raw).operations)
    assert isinstance(one, dict)
    assert isinstance(other, dict)
    assert one["Node"] is other["Node"]


@pytest.mark.rule("openapi-definitions-kept")
def test_schemas_of_one_name_stay_apart_and_references_may_lead_anywhere() -> None:
    again: Any = {
        "properties": {
            "a": {"$ref": "#/components/schemas/A"},
            "b": {"$ref": "#/components/schemas/B/properties/A"},
            "c": {"$ref": "#/components/parameters/P/schema"},
            "d": {"$ref": "#/components/schemas/Own"},
            "e": {"$ref": "#/components/schemas/T~1x~0y"},
        }
    }
    raw = document(
        {
            "/x": {
                "post": {
                    "operationId": "op",
                    "parameters": [
                        query("a", {"$ref": "#/components/schemas/A"}),
                        query("b", {"$ref": "#/components/schemas/B/properties/A"}),
                        query("c", {"$ref": "#/components/parameters/P/schema"}),
                        query("d", {"$ref": "#/components/schemas/Own"}),
                        query("e", {"$ref": "#/components/schemas/T~1x~0y"}),
                    ],
                    "requestBody": {"content": {"application/json": {"schema": again}}},
                }
            }
        },
        components={
            "schemas": {
                "A": {"type": "string"},
                "B": {"properties": {"A": {"type": "integer"}}},
                "Own": {"$ref": "#/$defs/Inner", "$defs": {"Inner": {"type": "boolean"}}},
                "T/x~y": {"type": "number"},
            },
            "parameters": {"P": {"schema": {"type": "array"}}},
        },
    )
    made = tool(raw)
    definitions: Any = made.definition.input_schema["$defs"]
    named = [value for key, value in properties(made).items() if key != "body"]
    types = [definitions[value["$ref"][8:]].get("type") for value in named]
    assert types == ["string", "integer", "array", "boolean", "number"]
    assert properties(made)["body"]["properties"]["a"] == named[0]


CHAIN: Any = {
    "Top": {"type": "object", "properties": {"low": {"$ref": "#/components/schemas/Low"}}},
    "Low": {"type": "object", "properties": {"n": {"$ref": "#/components/schemas/Number"}}},
    "Number": {"type": "integer", "description": "How many."},
}


@pytest.mark.rule("openapi-definitions-kept")
def test_what_is_referred_to_once_stands_in_its_place() -> None:
    top = {"$ref": "#/components/schemas/Top"}
    raw = posting("application/json", {"schema": top})
    raw["components"] = {"schemas": CHAIN}
    number = {"type": "integer", "description": "How many."}
    low = {"type": "object", "properties": {"n": number}}
    placed = {"type": "object", "properties": {"low": low}}
    assert tool(raw).definition.input_schema == {
        "type": "object",
        "properties": {"body": placed},
        "required": ["body"],
        "additionalProperties": False,
    }
    twice = posting("application/json", {"schema": {"properties": {"a": top, "b": top}}})
    twice["components"] = {"schemas": CHAIN}
    schema: Any = tool(twice).definition.input_schema
    assert schema["$defs"] == {"Top": placed}
    referred = {"$ref": "#/$defs/Top"}
    assert schema["properties"]["body"]["properties"] == {"a": referred, "b": referred}


@pytest.mark.rule("openapi-definitions-kept")
@pytest.mark.parametrize(
    ("beside", "placed"),
    [
        ({}, True),
        ({"default": 7}, True),
        ({"deprecated": True}, True),
        ({"description": "Other words."}, False),
        ({"minimum": 7}, False),
        ({"title": "T"}, True),
    ],
    ids=repr,
)
def test_a_reference_stays_where_what_stands_beside_it_would_be_lost_or_mean_something_else(
    beside: Any, placed: bool
) -> None:
    raw = get(query("a", {"$ref": "#/components/schemas/Number", **beside}))
    raw["components"] = {"schemas": CHAIN}
    schema: Any = tool(raw).definition.input_schema
    assert ("$defs" not in schema) is placed
    if placed:
        said = {key: value for key, value in beside.items() if key != "title"}
        assert schema["properties"]["a"] == {**CHAIN["Number"], **said}
    else:
        assert schema["properties"]["a"] == {"$ref": "#/$defs/Number", **beside}


@pytest.mark.rule("openapi-definitions-kept", "openapi-limits")
def test_schemas_are_put_in_place_no_deeper_than_one_may_be_and_in_bounded_time() -> None:
    chain = {
        f"S{n}": {"type": "object", "properties": {"n": {"$ref": f"#/components/schemas/S{n + 1}"}}}
        for n in range(200)
    }
    chain["S200"] = {"type": "integer"}
    raw = posting("application/json", {"schema": {"$ref": "#/components/schemas/S0"}})
    raw["components"] = {"schemas": chain}
    schema: Any = tool(raw, limits=ReadingLimits(depth=10)).definition.input_schema
    assert set(references(schema)) == {f"#/$defs/{name}" for name in schema["$defs"]}
    assert 15 <= len(schema["$defs"]) <= 25

    deepest: Any = {"n": None}
    for _ in range(200):
        deepest = {"n": deepest}
    check = jsonschema_rs.Draft202012Validator(schema)
    assert not check.is_valid({"body": deepest})

    large = {"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(20_000)}}
    holds = {"type": "array", "items": {"allOf": [large, {"$ref": "#/components/schemas/In"}]}}
    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Out"}}}}
    many = document(
        {f"/{n}": {"post": {"requestBody": body}} for n in range(60)},
        components={"schemas": {"Out": holds, "In": {"type": "object"}}},
    )
    made = [o.definition.input_schema for o in read_operations(many).operations]
    assert "$defs" not in made[0]
    assert "$defs" in made[-1]  # after 1,000,000 subschemas references stay


@pytest.mark.rule("openapi-only-local-schemas")
@pytest.mark.parametrize(
    ("reference", "said"),
    [
        ("https://evil.test/a.json", "is not in this document"),
        ("other.yaml#/A", "is not in this document"),
        ("#/components/schemas/Gone", "leads to nothing"),
        ("#/components/parameters/P", "is not to a schema"),
        ("#anchor", "is an anchor"),
        ("#/openapi", "neither an object nor a boolean"),
    ],
)
def test_a_reference_to_anything_but_a_schema_of_the_document_skips_the_operation(
    reference: str, said: str
) -> None:
    raw = get(query("a", {"type": "array", "items": {"$ref": reference}}))
    raw["components"] = {"parameters": {"P": {"name": "p", "in": "query"}}}
    assert said in reason(raw)


READ_ONLY: Any = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "readOnly": True},
        "made": {"$ref": "#/components/schemas/Stamp"},
        "password": {"type": "string", "writeOnly": True},
        "name": {"type": "string"},
    },
    "required": ["id", "made", "password", "name"],
}


@pytest.mark.rule("openapi-read-only-left-out")
def test_read_only_properties_are_not_asked_for_and_write_only_ones_not_promised() -> None:
    media = {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}
    raw = get(method="post", requestBody={"content": media}, responses={"200": {"content": media}})
    raw["components"] = {
        "schemas": {"Thing": READ_ONLY, "Stamp": {"type": "string", "readOnly": True}}
    }
    definition = tool(raw).definition
    asked: Any = properties(tool(raw))["body"]
    told: Any = definition.output_schema
    assert list(asked["properties"]) == ["password", "name"]
    assert asked["required"] == ["password", "name"]
    assert list(told["properties"]) == ["id", "made", "name"]
    assert told["required"] == ["id", "made", "name"]


@pytest.mark.rule("openapi-read-only-left-out")
def test_a_read_only_property_of_one_part_is_not_required_by_another() -> None:
    schema = {
        "allOf": [
            {"$ref": "#/components/schemas/Base"},
            {"type": "object", "required": ["id", "name"]},
        ],
        "required": ["id"],
    }
    raw = posting("application/json", {"schema": schema})
    base = {"properties": {"id": {"readOnly": True}, "name": {}}, "required": ["id"]}
    raw["components"] = {"schemas": {"Base": base}}
    body = properties(tool(raw))["body"]
    assert body == {
        "allOf": [{"properties": {"name": {}}}, {"type": "object", "required": ["name"]}]
    }
    assert jsonschema_rs.Draft202012Validator(tool(raw).definition.input_schema).is_valid(
        {"body": {"name": "x"}}
    )


CIRCLES: dict[str, Any] = {
    "itself": {"A": {"$ref": "#/components/schemas/A"}},
    "two": {
        "A": {"$ref": "#/components/schemas/B"},
        "B": {"$ref": "#/components/schemas/A"},
    },
    "all of itself": {"A": {"allOf": [{"$ref": "#/components/schemas/A"}], "type": "object"}},
    "kinds of a base": {
        "A": {
            "type": "object",
            "properties": {"kind": {"type": "string"}},
            "required": ["kind"],
            "oneOf": [{"$ref": "#/components/schemas/B"}, {"$ref": "#/components/schemas/C"}],
            "discriminator": {"propertyName": "kind"},
        },
        "B": {
            "allOf": [{"$ref": "#/components/schemas/A"}, {"required": ["b"]}],
        },
        "C": {
            "allOf": [{"$ref": "#/components/schemas/A"}, {"required": ["c"]}],
        },
    },
    "not": {"A": {"not": {"anyOf": [{"$ref": "#/components/schemas/A"}, {"type": "null"}]}}},
    "then": {"A": {"if": True, "then": {"$ref": "#/components/schemas/A"}}},
    "dependent": {"A": {"dependentSchemas": {"x": {"$ref": "#/components/schemas/A"}}}},
}


@pytest.mark.rule("openapi-circles-opened")
@pytest.mark.parametrize("name", CIRCLES)
def test_a_schema_that_contains_itself_in_one_place_is_opened_and_named(name: str) -> None:
    raw = posting("application/json", {"schema": {"$ref": "#/components/schemas/A"}})
    raw["components"] = {"schemas": CIRCLES[name]}
    reading = read_operations(raw)
    schema = reading.operations[0].definition.input_schema
    # A check that ran in circles would never come back.
    jsonschema_rs.Draft202012Validator(schema).is_valid({"body": {"kind": "b", "b": 1, "x": 1}})
    opened = {note.subject for note in reading.report.notes if "opened" in note.reason}
    assert opened
    assert opened <= set(CIRCLES[name])


@pytest.mark.rule("openapi-circles-opened")
def test_kinds_of_a_base_keep_their_own_demands_and_those_of_the_base() -> None:
    raw = posting("application/json", {"schema": {"$ref": "#/components/schemas/B"}})
    raw["components"] = {"schemas": CIRCLES["kinds of a base"]}
    check = jsonschema_rs.Draft202012Validator(tool(raw).definition.input_schema)
    assert check.is_valid({"body": {"kind": "b", "b": 1}})
    assert not check.is_valid({"body": {"kind": "b"}})
    assert not check.is_valid({"body": {"b": 1}})


@pytest.mark.rule("openapi-limits")
def test_a_schema_that_is_too_deep_is_any_value_below_and_one_too_wide_is_skipped() -> None:
    deep: Any = {"type": "string"}
    for _ in range(500):
        deep = {"type": "object", "properties": {"a": deep}}
    raw = posting("application/json", {"schema": deep})
    made: Any = properties(tool(raw, limits=ReadingLimits(depth=3)))["body"]
    assert made["properties"]["a"]["properties"]["a"]["properties"]["a"] is True
    assert properties(tool(raw))["body"]["type"] == "object"
    wide = {"type": "object", "properties": {str(n): {} for n in range(100)}}
    reading = read_operations(
        posting("application/json", {"schema": wide}), limits=ReadingLimits(places=50)
    )
    assert reading.skipped[0].reason == "a schema has more than 50 parts"


@pytest.mark.rule("openapi-limits")
def test_aliases_that_multiply_are_stopped() -> None:
    # What `&a [*b, *b, ...]` of YAML becomes: small in memory, endless written out.
    shared: Any = {"type": "string", "default": ["lol"] * 9}
    for _ in range(12):
        shared = {"anyOf": [shared] * 9, "default": [shared] * 9}
    assert "more than 50,000 parts" in reason(posting("application/json", {"schema": shared}))
    circle: Any = {"type": "object"}
    circle["properties"] = {"a": circle, "b": circle}
    assert reason(posting("application/json", {"schema": circle}))


@pytest.mark.rule("openapi-output-schema")
def test_an_output_schema_is_short_and_says_only_what_can_be_read() -> None:
    schema = {
        "type": "object",
        "description": "d",
        "properties": {"n": {"type": "integer", "format": "int32", "default": 3, "nullable": True}},
        "required": ["n"],
    }
    responses: Any = {
        "404": {"content": {"application/json": {"schema": {"type": "string"}}}},
        "201": {"content": {"text/csv": {}, "application/x+json": {"schema": schema}}},
        "2XX": {"content": {"application/json": {"schema": {"type": "string"}}}},
    }
    operation = tool(get(responses=responses, version="3.0.0"))
    assert operation.definition.output_schema == {
        "type": "object",
        "properties": {"n": {"type": ["integer", "null"]}},
        "required": ["n"],
    }
    assert operation.request.accept == "application/x+json, */*;q=0.5"
    assert tool(get(responses=responses), output_schemas=False).definition.output_schema is None


@pytest.mark.rule("openapi-output-schema")
@pytest.mark.parametrize(
    "schema",
    [{"$ref": "#/components/schemas/Gone"}, {"enum": ["x" * 5000]}, 7],
    ids=["gone", "large", "odd"],
)
def test_an_output_schema_that_cannot_be_had_costs_no_tool(schema: Any) -> None:
    reading = read_operations(get(responses={"200": {"content": {"application/json": {"schema": schema}}}}))  # fmt: skip
    assert reading.operations[0].definition.output_schema is None
    assert "it has no output schema" in reading.report.notes[0].reason


@pytest.mark.parametrize(
    ("responses", "accept"),
    [
        ({}, "application/json, */*;q=0.5"),
        ({"200": {"content": {"application/json": {}, "text/xml": {}}}}, "application/json, */*;q=0.5"),
        ({"200": {"content": {"text/csv": {}, "image/png": {}}}}, "text/csv, image/png, */*;q=0.5"),
        ({"200": {"content": {"a/b\r\nX-Evil: 1": {}, "*/*": {}}}}, "application/json, */*;q=0.5"),
        ({"default": {"content": {"text/csv": {}}}}, "application/json, */*;q=0.5"),
        ({"200": {"$ref": "#/gone"}, "202": {"content": {"text/csv": {}}}}, "text/csv, */*;q=0.5"),
    ],
    ids=range(6),
)  # fmt: skip
def test_json_is_asked_for_where_it_is_offered(responses: Any, accept: str) -> None:
    assert tool(get(responses=responses)).request.accept == accept


def test_every_reference_of_a_tool_is_among_its_definitions() -> None:
    raw = posting("application/json", {"schema": {"$ref": "#/components/schemas/A"}})
    raw["components"] = {
        "schemas": {"A": {"items": {"$ref": "#/components/schemas/B"}}, "B": {"items": {"$ref": "#/components/schemas/A"}}}
    }  # fmt: skip
    schema: Any = tool(raw).definition.input_schema
    assert {f"#/$defs/{name}" for name in schema["$defs"]} == set(references(schema))
