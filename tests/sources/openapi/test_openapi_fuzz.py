"""Documents that somebody broke on purpose."""

import copy
import json
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sources.openapi.specimen import BASE
from toolroll.outcome import DefinitionError
from toolroll.sources.http import fill
from toolroll.sources.openapi import read_operations

RICH: Any = {
    "openapi": "3.0.3",
    "info": {"title": "t", "version": "1"},
    "servers": [{"url": "https://{a}.test", "variables": {"a": {"default": "x"}}}],
    "paths": {
        "/a/{id}": {
            "parameters": [{"$ref": "#/components/parameters/Id"}],
            "servers": [{"url": "https://b.test"}],
            "get": {
                "operationId": "getA",
                "tags": ["t"],
                "parameters": [
                    {"name": "q", "in": "query", "style": "deepObject", "schema": {"type": "object"}},
                    {"name": "h", "in": "header", "content": {"application/json": {"schema": {}}}},
                ],
                "responses": {"200": {"$ref": "#/components/responses/R"}},
            },
            "post": {
                "operationId": "postA",
                "deprecated": True,
                "requestBody": {
                    "required": True,
                    "content": {
                        "multipart/form-data": {
                            "schema": {"$ref": "#/components/schemas/Upload"},
                            "encoding": {"f": {"contentType": "image/png"}, "s": {"style": "form", "explode": False}},
                        },
                    },
                },
            },
            "put": {"requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Node"}}}}},
        },
        "/b": {"$ref": "#/paths/~1a~1{id}"},
    },
    "components": {
        "parameters": {"Id": {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}},
        "responses": {"R": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Node"}}}}},
        "securitySchemes": {"k": {"type": "apiKey", "in": "query", "name": "k"}},
        "schemas": {
            "Node": {
                "type": "object",
                "required": ["id", "kids"],
                "properties": {
                    "id": {"type": "string", "readOnly": True, "nullable": True, "enum": ["a"]},
                    "kids": {"type": "array", "items": {"$ref": "#/components/schemas/Node"}, "minItems": 1},
                },
                "allOf": [{"$ref": "#/components/schemas/Base"}],
            },
            "Base": {"oneOf": [{"$ref": "#/components/schemas/Node"}], "minimum": 1, "exclusiveMinimum": True},
            "Upload": {
                "allOf": [{"type": "object", "properties": {"f": {"type": "string", "format": "binary"}}}],
                "properties": {"s": {"type": "array", "items": {"type": "string"}}},
            },
        },
    },
}  # fmt: skip


def places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [at] if at else []
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, item in items:
        found += places(item, (*at, key))
    return found


PLACES = places(RICH)

junk = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-1, 10),
    st.floats(),
    st.text(max_size=4),
    st.sampled_from(["#/components/schemas/Node", "#/paths/~1a~1{id}/get", "#", "", "object", "x\r\ny"]),
    st.just([]),
    st.just({}),
    st.just({"$ref": "#/components/schemas/Base"}),
    st.just({"$ref": "#/components/parameters/Id"}),
    st.just({"$ref": 7}),
    st.just([{"$ref": "#"}]),
    st.dictionaries(st.text(max_size=3) | st.integers(0, 3), st.none() | st.integers(), max_size=2),
)  # fmt: skip


@st.composite
def broken(draw: st.DrawFn) -> Any:
    raw = copy.deepcopy(RICH)
    raw["openapi"] = draw(st.sampled_from(["3.0.3", "3.1.0", "3.2.0"]))
    for place in draw(st.lists(st.sampled_from(PLACES), min_size=1, max_size=4)):
        holder = raw
        try:
            for key in place[:-1]:
                holder = holder[key]
            if draw(st.booleans()):
                holder[place[-1]] = draw(junk)
            else:
                holder[draw(st.sampled_from(["$ref", "type", "in", "schema", "items"]))] = draw(
                    junk
                )
        except (KeyError, IndexError, TypeError):
            continue
    return raw


@given(broken(), st.dictionaries(st.text(max_size=3), st.none() | st.text(max_size=3), max_size=3))
@pytest.mark.rule("openapi-item-by-item")
def test_no_broken_document_raises_and_whatever_is_made_of_it_is_whole(
    raw: Any, junk_input: dict[str, Any]
) -> None:
    try:
        reading = read_operations(raw)
    except DefinitionError:  # the document as a whole is no OpenAPI any more
        return
    for skipped in reading.skipped:
        assert skipped.reason
    for operation in reading.operations:
        json.dumps(operation.to_json(), allow_nan=False)
        schema: Any = operation.definition.input_schema
        jsonschema_rs.Draft202012Validator(schema).is_valid(junk_input)
        fill(operation.request, BASE, junk_input)
        fill(operation.request, BASE, dict.fromkeys(schema["properties"], "v"))


@given(
    st.recursive(
        junk,
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
        ),
    )
)
@pytest.mark.rule("openapi-item-by-item")
def test_no_paths_raise(paths: Any) -> None:
    try:
        read_operations(
            {
                "openapi": "3.1.0",
                "paths": {"/a": paths, "/b": {"get": paths, "post": {"requestBody": paths}}},
            }
        )
    except DefinitionError:
        pytest.fail("one bad operation costs one operation")
