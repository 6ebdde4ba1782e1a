"""The work of adapting grows with the schema, counted in calls of functions and not in seconds."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from tests.text.slowdown import without_collections
from toolroll import dialects
from toolroll.content import JsonObject, JsonValue

NAMES = ("openai", "openai_strict", "anthropic", "anthropic_strict", "gemini", "gemini_openapi3")


def calls_of(work: Callable[[], object]) -> int:
    """How many functions are entered, those of C included."""
    count = 0

    def seen(_: FrameType, event: str, __: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    with without_collections():  # which call finalizers of others
        sys.setprofile(seen)
        try:
            work()
        finally:
            sys.setprofile(before)
    return count


def wide(size: int) -> JsonObject:
    properties: JsonObject = {
        f"p{number}": {"type": "integer", "minimum": number, "default": 0} for number in range(size)
    }
    return {"type": "object", "properties": properties, "required": ["p0"]}


def branches(size: int) -> JsonObject:
    union: list[JsonValue] = [
        {
            "type": "object",
            "properties": {f"k{number}": {"const": number}},
            "required": [f"k{number}"],
        }
        for number in range(size)
    ]
    return {"type": "object", "properties": {"one": {"oneOf": union}}}


def root_branches(size: int) -> JsonObject:
    union: list[JsonValue] = [
        {"type": "object", "properties": {"kind": {"const": f"v{number}"}, "x": {"type": "string"}}}
        for number in range(size)
    ]
    return {"anyOf": union}


def definitions(size: int) -> JsonObject:
    defs: JsonObject = {
        f"D{number}": {"type": "object", "properties": {"a": {"type": "string", "format": "uri"}}}
        for number in range(size)
    }
    properties: JsonObject = {
        f"p{number}": {"$ref": f"#/$defs/D{number}"} for number in range(size)
    }
    return {"type": "object", "properties": properties, "$defs": defs}


def conjunctions(size: int) -> JsonObject:
    parts: list[JsonValue] = [
        {"properties": {f"p{number}": {"type": "string"}}} for number in range(size)
    ]
    return {"type": "object", "allOf": parts}


def fixed(size: int) -> JsonObject:
    return {"type": "object", "properties": {"one": {"enum": list(range(size))}}}


SHAPES = (wide, branches, root_branches, definitions, conjunctions, fixed)


@pytest.mark.rule("dialect-linear")
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
@pytest.mark.parametrize("name", NAMES)
def test_four_times_the_schema_is_four_times_the_work(
    name: str, shape: Callable[[int], JsonObject]
) -> None:
    adapt = getattr(dialects, name).adapt
    adapt(shape(4))  # what is made at the first use
    small, large = (calls_of(lambda size=size: adapt(shape(size))) for size in (200, 800))
    assert large < 4.5 * small
