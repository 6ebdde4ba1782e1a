"""From a document to the wire: one API over a real socket, plain and hostile inputs."""

import json
from collections.abc import Generator
from typing import Any

import pytest

from tests.sources.loopback import Api, Got, Reply, serving
from tests.sources.openapi.specimen import get
from toolroll.outcome import Answer, Failed, InvalidInput, Outcome
from toolroll.sources import as_toolkit
from toolroll.sources.http import http_source
from toolroll.sources.openapi import read_operations
from toolroll.tools.call import ToolCall
from toolroll.tools.context import CallContext

pytestmark = pytest.mark.anyio

DOCUMENT: Any = {
    "openapi": "3.1.0",
    "info": {"title": "Items", "version": "1"},
    "components": {
        "schemas": {
            "Item": {
                "type": "object",
                "properties": {
                    "name": {"type": "string"},
                    "parent": {"$ref": "#/components/schemas/Item"},
                },
                "required": ["name"],
            }
        },
        "parameters": {
            "Id": {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
        },
    },
    "paths": {
        "/items/{id}": {
            "get": {
                "operationId": "get_item",
                "summary": "Gets an item",
                "parameters": [
                    {"$ref": "#/components/parameters/Id"},
                    {"name": "tag", "in": "query", "schema": {"type": "array", "items": {"type": "string"}}},
                    {"name": "X-Trace", "in": "header", "schema": {"type": "string"}},
                ],
            },
            "put": {
                "operationId": "put_item",
                "parameters": [{"$ref": "#/components/parameters/Id"}],
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Item"}}},
                },
            },
            "patch": {
                "operationId": "patch_item",
                "parameters": [{"$ref": "#/components/parameters/Id"}],
                "requestBody": {"content": {"application/json": {"schema": {"type": "object"}}}},
            },
        },
        "/form": {
            "post": {
                "operationId": "send_form",
                "requestBody": {
                    "content": {
                        "application/x-www-form-urlencoded": {
                            "schema": {"type": "object", "properties": {"a": {"type": "string"}}}
                        }
                    }
                },
            }
        },
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def api() -> Generator[Api]:
    def handler(got: Got) -> Reply:
        if "missing" in got.path:
            said = {"error": "no such item; internal host db-7.corp.internal"}
            return Reply(status=404, body=json.dumps(said).encode())
        return Reply()

    with serving(Api(handler)) as api:
        yield api


async def call(api: Api, name: str, **input: Any) -> tuple[Outcome, Got | None]:
    """Call one tool; what came of it and the request that arrived."""
    api.got.clear()
    reading = read_operations({**DOCUMENT, "servers": [{"url": api.url}]})
    async with http_source("items", reading.servers[0], reading.operations) as source:
        kit = as_toolkit(source, (await source.discover()).definitions)
        outcome = await kit.call(ToolCall.of(name, input), CallContext())
    return outcome, api.got[0] if api.got else None


@pytest.mark.rule("openapi-parameters-sent")
@pytest.mark.parametrize(
    ("input", "line"),
    [
        ({"id": "7"}, "GET /items/7?"),
        ({"id": "../admin"}, "GET /items/..%2Fadmin?"),
        ({"id": "a/b"}, "GET /items/a%2Fb?"),
        ({"id": "7?admin=1"}, "GET /items/7%3Fadmin%3D1?"),
        ({"id": "7", "tag": ["a", "b"]}, "GET /items/7?tag=a&tag=b"),
    ],
)
async def test_an_input_arrives_in_its_place(api: Api, input: dict[str, Any], line: str) -> None:
    outcome, got = await call(api, "get_item", **input)
    assert isinstance(outcome, Answer)
    assert outcome.result.data == {"ok": True}
    assert got is not None
    assert f"{got.method} {got.path}?{got.query}" == line


@pytest.mark.rule("http-input-fills-places-only")
@pytest.mark.parametrize(
    ("input", "said"),
    [
        ({"id": ".."}, "/id"),
        ({"id": ""}, "/id"),
        ({"id": "7", "X-Trace": "a\r\nX-Evil: 1"}, "/X-Trace"),
        ({"id": "7", "nn": 1}, "nn"),
        ({}, "id"),
    ],
)
async def test_an_input_that_has_no_place_is_refused_and_nothing_is_sent(
    api: Api, input: dict[str, Any], said: str
) -> None:
    outcome, got = await call(api, "get_item", **input)
    assert isinstance(outcome, InvalidInput | Failed)
    assert outcome.code in ("bad-arguments", "invalid-input")
    assert said in "\n".join(outcome.lines_for_model())
    assert got is None


@pytest.mark.rule("openapi-body-kinds")
async def test_bodies_arrive_as_their_media_type(api: Api) -> None:
    body = {"name": "n", "parent": {"name": "p"}}
    _, got = await call(api, "put_item", id="7", body=body)
    assert got is not None
    assert (got.method, json.loads(got.body)) == ("PUT", body)
    _, got = await call(api, "patch_item", id="7", body={"id": "8"})
    assert got is not None
    assert (got.method, got.path, got.body) == ("PATCH", "/items/7", b'{"id":"8"}')
    _, got = await call(api, "send_form", body={"a": "1"})
    assert got is not None
    assert (got.body, got.header("content-type")) == (b"a=1", "application/x-www-form-urlencoded")


@pytest.mark.rule("http-not-given-is-not-sent")
@pytest.mark.parametrize(
    ("schema", "required", "sent"),
    [
        ({"type": ["object", "null"]}, True, b"null"),
        ({"type": "object"}, False, b""),
        ({"type": "object"}, True, None),
    ],
)
async def test_a_body_that_is_null_is_sent_where_its_schema_takes_null(
    api: Api, schema: Any, required: bool, sent: bytes | None
) -> None:
    body = {"required": required, "content": {"application/json": {"schema": schema}}}
    raw = get(method="post", requestBody=body)
    api.got.clear()
    async with http_source("items", api.url, read_operations(raw).operations) as source:
        kit = as_toolkit(source, (await source.discover()).definitions)
        await kit.call(ToolCall.of("op", {"body": None}), CallContext())
    assert [got.body for got in api.got] == ([] if sent is None else [sent])


@pytest.mark.rule("openapi-definitions-kept")
async def test_a_recursive_body_is_checked_before_it_is_sent(api: Api) -> None:
    outcome, got = await call(api, "put_item", id="7", body={"name": "n", "parent": {}})
    assert isinstance(outcome, InvalidInput)
    assert outcome.issues[0].pointer == "/body/parent"
    assert got is None


@pytest.mark.rule("http-no-address-in-words")
async def test_the_words_of_a_refusal_come_without_the_internal_host(api: Api) -> None:
    outcome, _ = await call(api, "get_item", id="missing")
    assert isinstance(outcome, Failed)
    assert "no such item" in outcome.message
    assert "corp" not in outcome.message
