"""Small documents for tests."""

from collections.abc import Iterable
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from toolroll.content import JsonObject
from toolroll.ports import HttpRequest
from toolroll.schema.reading import RejectedInput
from toolroll.sources.http import Operation, fill
from toolroll.sources.openapi import OpenApiReading, read_operations

BASE = "https://api.test/v1"


def document(
    paths: dict[str, Any], *, version: str = "3.1.0", components: Any = None, **more: Any
) -> dict[str, Any]:
    made: dict[str, Any] = {"openapi": version, "info": {"title": "t", "version": "1"}}
    made |= {"paths": paths, **({"components": components} if components else {}), **more}
    return made


def get(
    *parameters: Any, path: str = "/x", method: str = "get", version: str = "3.1.0", **more: Any
) -> dict[str, Any]:
    """A document of one operation called `op`."""
    operation = {"operationId": "op", "parameters": list(parameters), **more}
    return document({path: {method: operation}}, version=version)


def query(name: str, schema: Any = None, **more: Any) -> dict[str, Any]:
    return {"name": name, "in": "query", "schema": schema or {"type": "string"}, **more}


def posting(media_type: str, media: Any, *, version: str = "3.1.0", **more: Any) -> dict[str, Any]:
    """A document of one operation with a body."""
    body = {"required": True, "content": {media_type: media}, **more}
    return get(method="post", version=version, requestBody=body)


def only(reading: OpenApiReading) -> Operation:
    assert not reading.skipped, reading.skipped
    (operation,) = reading.operations
    return operation


def tool(raw: JsonObject, **options: Any) -> Operation:
    """The one tool of a document."""
    return only(read_operations(raw, **options))


def reason(raw: JsonObject) -> str:
    """Why the one operation of a document is skipped."""
    reading = read_operations(raw)
    assert not reading.operations
    (skipped,) = reading.skipped
    return skipped.reason


def properties(operation: Operation) -> dict[str, Any]:
    found: Any = operation.definition.input_schema["properties"]
    return found


def sent(operation: Operation, **input: Any) -> HttpRequest:
    request = fill(operation.request, BASE, input)
    assert isinstance(request, HttpRequest), request
    return request


def refused(operation: Operation, **input: Any) -> list[str]:
    rejected = fill(operation.request, BASE, input)
    assert isinstance(rejected, RejectedInput), rejected
    return [issue.pointer for issue in rejected.issues]


def pairs(request: HttpRequest) -> list[tuple[str, str]]:
    return parse_qsl(urlsplit(request.url).query, keep_blank_values=True)


def form(request: HttpRequest) -> list[tuple[str, str]]:
    return parse_qsl((request.content or b"").decode(), keep_blank_values=True)


def path(request: HttpRequest) -> str:
    return unquote(urlsplit(request.url).path)


def references(schema: Any) -> Iterable[str]:
    """Every `$ref` below a schema."""
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key == "$ref" and isinstance(value, str):
                yield value
            else:
                yield from references(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from references(value)
