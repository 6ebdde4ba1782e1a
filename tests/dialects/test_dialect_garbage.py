"""Whatever JSON object is given as a schema: it is adapted, taken by the provider, and costs nothing else."""

import json
import random
from typing import Any, cast

import jsonschema_rs
import pytest

from toolroll import dialects
from toolroll.content import JsonObject
from toolroll.dialects.fault import Mode, faults
from toolroll.schema.error import SchemaTooLarge

NAMES = ("openai", "openai_strict", "anthropic", "anthropic_strict", "gemini", "gemini_openapi3")
ONE = (
    "not",
    "if",
    "then",
    "else",
    "propertyNames",
    "contains",
    "additionalItems",
    "unevaluatedProperties",
    "additionalProperties",
)
MAPS = (
    "properties",
    "$defs",
    "definitions",
    "patternProperties",
    "dependentSchemas",
    "dependencies",
)
LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
SCALARS: dict[str, list[Any]] = {
    "type": [
        "string",
        "integer",
        "object",
        "array",
        "null",
        "any",
        ["string", "null"],
        ["array", "object"],
        [],
        5,
        ["bogus"],
    ],
    "$ref": [
        "#",
        "#/$defs/a",
        "#/$defs/b",
        "#/properties/a",
        "#/definitions/a",
        "#/nope",
        "http://x.test/y",
        "#anchor",
        5,
    ],
    "enum": [[1, "a", None], [True, "", [1]], [], [{"z": 1}], "a"],
    "const": [None, 1, "", {"a": 1}],
    "required": [["a"], ["a", "b", "a"], [1], True, []],
    "minimum": [0, 1.5, "7", True],
    "exclusiveMinimum": [True, False, 3, "3"],
    "maxItems": [0, 2, 2.5, -1, "7"],
    "minLength": [0, 2, False],
    "pattern": ["a", 5],
    "format": ["uri", "date-time", 5],
    "title": ["t", 5],
    "description": ["d", {}],
    "default": [None, {"type": "x"}],
    "examples": [[1], 1],
    "nullable": [True, "x"],
    "uniqueItems": [True, "x"],
    "multipleOf": [2, 0, -1],
    "$schema": ["http://json-schema.org/draft-07/schema#", 5],
    "$id": ["a", 5],
    "$anchor": ["anchor", "", 5],
    "x-own": [{"a": 1}],
}
KEYWORDS = [*SCALARS, *ONE, *MAPS, *LISTS, "items", "dependentRequired"]


def garbage(source: random.Random, depth: int = 0) -> Any:
    if depth > 3 or source.random() < 0.05:
        return source.choice([True, False, {}, {"type": "string"}, None, 5, []])
    schema: dict[str, Any] = {}
    for keyword in source.sample(KEYWORDS, source.randint(0, 5)):
        below = [garbage(source, depth + 1) for _ in range(source.randint(0, 3))]
        if source.random() < 0.1:
            schema[keyword] = source.choice([None, 1, "x", [], {}, *below])
        elif keyword in SCALARS:
            schema[keyword] = source.choice(SCALARS[keyword])
        elif keyword in ONE:
            schema[keyword] = garbage(source, depth + 1)
        elif keyword in LISTS:
            schema[keyword] = below
        elif keyword == "items":
            schema[keyword] = source.choice([below, garbage(source, depth + 1)])
        else:
            schema[keyword] = dict(
                zip(source.sample(["a", "b", "$ref", "x y"], len(below)), below, strict=True)
            )
    return schema


@pytest.mark.rule("dialect-careless", "dialect-never-mutates", "dialect-restore-never-raises")
@pytest.mark.parametrize("name", NAMES)
def test_any_json_object_is_adapted_to_a_schema_the_provider_takes(name: str) -> None:
    for seed in range(400):
        source = random.Random(seed)
        schema = garbage(source)
        if not isinstance(schema, dict):
            continue
        before = json.dumps(schema)
        try:
            made = getattr(dialects, name).adapt(cast("JsonObject", schema))
        except SchemaTooLarge:
            continue
        assert json.dumps(schema) == before
        mode = (
            name.removesuffix("_strict") if name.endswith("_strict") and not made.strict else name
        )
        assert faults(made.schema, cast("Mode", mode)) == [], before
        if name != "gemini_openapi3":
            jsonschema_rs.meta.validate(cast("dict[str, object]", made.schema))
        for value in (None, 1, "x", [1], {"a": None, "x_y": [{"b": "1"}]}):
            made.restore(value)
