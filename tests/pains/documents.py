"""OpenAPI documents and HTTP answers."""

import json
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing, asynccontextmanager
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.pains.case import Case
from tests.pains.making import NOBODY, check_failure, definition
from toolroll import ToolCall
from toolroll.ports import HttpAnswer, HttpRequest
from toolroll.schema.reading import RejectedInput
from toolroll.sources import as_toolkit
from toolroll.sources.http import Operation, RequestTemplate, fill, http_source
from toolroll.sources.openapi import OpenApiReading, read_operations

BASE = "https://api.example.com"


async def openapi_import(case: Case) -> None:
    """A document -> tools, and what is left out."""
    reading = read_operations(case.given["document"])
    ways = case.ways()
    way = next((way for way in ways if _is_read_so(reading, way)), None)
    assert way is not None, reading
    by_name = {operation.name: operation for operation in reading.operations}
    for name, path in case.wanted.get("path_of", {}).items():
        assert by_name[name].request.path == path
    if "input" in case.wanted:
        (operation,) = reading.operations
        schema: Any = dict(operation.definition.input_schema)
        assert list(schema.pop("$defs")) == case.wanted["defs"]
        assert schema == {**case.wanted["input"], "additionalProperties": False}
    if "sends" in way:
        assert case.wanted["must_not"] == "a JSON body"
        sent = await _sent(by_name["sendForm"], {"body": {"a": "1"}})
        content_type = dict(sent.headers)["Content-Type"]
        body = (sent.content or b"").decode()
        assert f"{body} with Content-Type {content_type}" == way["sends"]


def _is_read_so(reading: OpenApiReading, way: Mapping[str, Any]) -> bool:
    names = [operation.name for operation in reading.operations]
    if names != way.get("tools", [] if "skipped" in way else names):
        return False
    skipped = [(one.method, one.path, one.reason) for one in reading.skipped]
    wanted = way.get("skipped", [])
    return len(wanted) == len(skipped) and all(
        one.get("method", method) == method and one["path"] == path and one["reason_has"] in reason
        for one, (method, path, reason) in zip(wanted, skipped, strict=True)
    )


async def openapi_request(case: Case) -> None:
    """An operation and arguments -> the request, or the refusal."""
    given, wanted = case.given, case.wanted
    # Nothing is left out: the case would allow it.
    assert wanted.get("or_skipped", True)
    operation, base = _operation(given["operation"]), given.get("base", BASE)
    request = fill(operation.request, base, given["args"])
    if "outcome" in wanted:
        assert isinstance(request, RejectedInput)
        assert [issue.pointer for issue in request.issues] == wanted["at"]
        transport = _Noting()
        outcome = await _called(operation, given["args"], transport, base)
        assert outcome.kind == wanted["outcome"]
        assert len(transport.sent) == wanted["sent"]
        return
    sent = await _sent(operation, given["args"], base)
    parts = urlsplit(sent.url)
    assert f"{parts.scheme}://{parts.netloc}" == BASE
    assert parts.path == wanted.get("path", parts.path)
    query = [list(pair) for pair in parse_qsl(parts.query, keep_blank_values=True)]
    assert query == wanted.get("query", [])
    if "json" in wanted:
        assert json.loads(sent.content or b"") == wanted["json"]


def _operation(said: Mapping[str, Any]) -> Operation:
    body = {"content": {"application/json": {"schema": said["body"]}}} if "body" in said else None
    entry: dict[str, Any] = {"operationId": "op", "parameters": said["parameters"]}
    if body:
        entry["requestBody"] = body
    paths = {said["path"]: {said["method"].lower(): entry}}
    document: Any = {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": paths}
    reading = read_operations(document)
    assert not reading.skipped
    return reading.operations[0]


class _Noting:
    """A transport that notes requests and answers `{}`, or what it was given."""

    def __init__(self, body: Callable[[], AsyncGenerator[bytes]] | None = None) -> None:
        self.sent: list[HttpRequest] = []
        self._body = body or _small

    @asynccontextmanager
    async def send(self, request: HttpRequest, /) -> AsyncGenerator[HttpAnswer]:
        self.sent.append(request)
        headers = (("content-type", "application/json"),)
        async with aclosing(self._body()) as chunks:
            yield HttpAnswer(status=200, headers=headers, chunks=chunks, url=request.url)

    async def aclose(self) -> None:
        """Nothing is held."""


async def _small() -> AsyncGenerator[bytes]:
    yield b"{}"


async def _called(operation: Operation, arguments: Any, transport: Any, base: str = BASE) -> Any:
    source = http_source("pains", base, [operation], client=transport)
    kit = as_toolkit(source, [operation.definition])
    return await kit.call(ToolCall.of(operation.name, arguments), NOBODY)


async def _sent(operation: Operation, arguments: Any, base: str = BASE) -> HttpRequest:
    """The one request of a call."""
    transport = _Noting()
    outcome = await _called(operation, arguments, transport, base)
    assert outcome.ok, outcome
    (sent,) = transport.sent
    return sent


async def http_answer(case: Case) -> None:
    """An answer without end."""
    assert case.given["body"] == "endless stream of 1 MiB chunks"
    read = 0

    async def endless() -> AsyncGenerator[bytes]:
        nonlocal read
        while True:
            read += 1024 * 1024
            yield b"x" * (1024 * 1024)

    operation = Operation(definition=definition("op"), request=RequestTemplate.of("GET", "/op"))
    source = http_source(
        "pains", BASE, [operation], client=_Noting(endless), limit=case.given["limit"]
    )
    kit = as_toolkit(source, [operation.definition])
    check_failure(await kit.call(ToolCall.of("op"), NOBODY), case.wanted)
    assert read <= case.wanted["bytes_read_at_most"]
