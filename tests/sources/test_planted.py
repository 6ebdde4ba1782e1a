"""Credentials and addresses planted in every place: none is in anything that a model reads."""

import json
import sys
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from toolroll.ports.http import HttpBrokenError, HttpConnectError
from toolroll.sources import Timeouts, ToolSource, as_toolkit
from toolroll.sources.http import http_source
from toolroll.sources.mcp import McpOptions, mcp_http, mcp_stdio
from toolroll.sources.openapi import read_operations
from toolroll.tools import CallContext, Progress, ToolCall, ToolDefinition

pytestmark = [pytest.mark.anyio, pytest.mark.rule("source-nothing-planted-is-told")]

HEADER, QUERY, CLIENT = "hdr-0123456789-abc", "qry-0123456789-abc", "cli-0123456789-abc"
IN_PATH, MADE, PASSWORD = "pTh0123456789aBcdeF", "mde-0123456789-abc", "pwd-0123456789-abc"
TOKEN, OPTION, IN_URL = "env-0123456789-abc", "opt-0123456789-abc", "dsn-0123456789-abc"
HOST = "api.planted.test:8443"
SAYS = f"{HEADER} {QUERY} {CLIENT} {IN_PATH} {MADE} {PASSWORD} {TOKEN} {OPTION} {IN_URL}"
WITH_ADDRESS = f"{SAYS} at https://{HOST}/x"
PLANTED = SAYS.split()
ESCAPED = "".join(f"\\u{ord(each):04x}" for each in HEADER)
SCHEMA = {"type": "object", "properties": {}}
TOOL = ToolDefinition(name="echo", description="", input_schema=SCHEMA)

Handler = Callable[[httpx2.Request], httpx2.Response]


def said(words: str) -> dict[str, Any]:
    """Words at every depth of an answer."""
    return {"you": {"sent": [words], words: words}}


# --- how a system over HTTP answers, in the protocol or below it

BELOW: dict[str, Handler] = {
    **{
        f"status {status}": lambda _, status=status: httpx2.Response(
            status, json=said(WITH_ADDRESS), headers={"x-said": SAYS}
        )
        for status in (400, 401, 403, 404, 418, 429, 500, 503)
    },
    "html": lambda _: httpx2.Response(502, html=f"<h1>{WITH_ADDRESS}</h1>"),
    "redirect": lambda _: httpx2.Response(307, headers={"location": f"https://{HOST}/{HEADER}"}),
    "redirect away": lambda _: httpx2.Response(
        302, headers={"location": f"https://u:{HEADER}@elsewhere.test/?k={QUERY}"}
    ),
    "no json": lambda _: httpx2.Response(
        200, content=WITH_ADDRESS.encode(), headers={"content-type": "application/x-odd"}
    ),
    "bad json": lambda _: httpx2.Response(
        200, content=b"{" + SAYS.encode(), headers={"content-type": "application/json"}
    ),
}


def raising(error: Exception) -> Handler:
    def handler(request: httpx2.Request) -> httpx2.Response:
        raise error

    return handler


BELOW["refused"] = raising(httpx2.ConnectError(WITH_ADDRESS))
BELOW["broken"] = raising(httpx2.ReadError(WITH_ADDRESS))
BELOW["defect"] = raising(RuntimeError(WITH_ADDRESS))

API: dict[str, Handler] = {
    **BELOW,
    "json": lambda _: httpx2.Response(200, json=said(SAYS)),
    "text": lambda _: httpx2.Response(200, text=SAYS),
    "its type": lambda _: httpx2.Response(200, headers={"content-type": f"x/{HEADER}"}),
    "deep": lambda _: httpx2.Response(200, text="[" * 150 + f'"{ESCAPED}"' + "]" * 150),
}

RESULTS: dict[str, Any] = {
    "text": {"content": [{"type": "text", "text": SAYS}]},
    "data": {"content": [], "structuredContent": said(SAYS)},
    "failed": {"content": [{"type": "text", "text": WITH_ADDRESS}], "isError": True},
    "odd": {"content": [], "resultType": WITH_ADDRESS},
}
ERRORS = {f"error {code}": code for code in (-32602, -32603, -32601, -32020, -32000, 7)}


def mcp_handler(case: str) -> Handler:
    """A modern server whose calls end so."""

    def handler(request: httpx2.Request) -> httpx2.Response:
        asked = json.loads(request.content)

        def answer(result: Mapping[str, Any]) -> httpx2.Response:
            told = {"resultType": "complete", **result}
            return httpx2.Response(200, json={"jsonrpc": "2.0", "id": asked["id"], "result": told})

        match asked["method"]:
            case "server/discover":
                return answer({"supportedVersions": ["2026-07-28"], "instructions": SAYS})
            case "tools/list":
                listed = {"name": "echo", "description": SAYS, "inputSchema": SCHEMA}
                return answer({"tools": [listed]})
            case _ if case in BELOW:
                return BELOW[case](request)
            case _ if case in ERRORS:
                error = {"code": ERRORS[case], "message": WITH_ADDRESS, "data": said(SAYS)}
                body = {"jsonrpc": "2.0", "id": asked["id"], "error": error}
                return httpx2.Response(200, json=body)
            case _ if case == "progress":
                token = asked["params"]["_meta"]["progressToken"]
                step = {"progressToken": token, "progress": 1, "message": WITH_ADDRESS}
                note = {"jsonrpc": "2.0", "method": "notifications/progress", "params": step}
                last = {"jsonrpc": "2.0", "id": asked["id"], "result": {"content": []}}
                events = "".join(f"data: {json.dumps(each)}\n\n" for each in (note, last))
                kind = {"content-type": "text/event-stream"}
                return httpx2.Response(200, content=events.encode(), headers=kind)
            case _:
                return answer(RESULTS[case])

    return handler


def made(context: CallContext[object], /, *, refresh: bool) -> dict[str, str]:
    return {"X-Api-Key": HEADER, "Authorization": f"Bearer {MADE}"}


@asynccontextmanager
async def client(handler: Handler) -> AsyncGenerator[httpx2.AsyncClient]:
    async with httpx2.AsyncClient(
        headers={"X-Client": CLIENT},
        params={"key": QUERY},
        auth=("user", PASSWORD),
        transport=httpx2.MockTransport(handler),
    ) as sender:
        yield sender


async def told_by(source: ToolSource) -> str:
    """Everything that a model or its transcript gets of listing and calling, and of printing."""
    steps: list[Progress] = []
    context: CallContext[object] = CallContext(on_progress=steps.append)
    told = [repr(source), str(source)]
    async with source as opened:  # type: ignore[attr-defined]
        found = await opened.discover(context)
        told += [json.dumps(each.to_json()) for each in found.definitions]
        told += [str(note) for note in found.report.notes]
        kit = as_toolkit(opened, found.definitions)
        outcome = await kit.call(ToolCall.of("echo", {}), context)
        told += [str(block) for block in outcome.for_model()]
        told += [
            json.dumps(outcome.to_json()),
            str(kit.listing(context)),
            repr(outcome.for_model()),
        ]
    told += [step.message for step in steps]
    return "\n".join(told)


def clean(told: str, *planted: str) -> None:
    found = [each for each in (*planted, "elsewhere.test") if each in told]
    assert found == [], told


@pytest.mark.parametrize("case", [*BELOW, *RESULTS, *ERRORS, "progress"])
async def test_an_mcp_server_over_http(case: str) -> None:
    async with client(mcp_handler(case)) as sender:
        url = f"https://{HOST}/mcp/{IN_PATH}?api_key={QUERY}"
        told = await told_by(mcp_http("planted", url, client=sender, headers=made))
    known = {HEADER, QUERY, CLIENT, IN_PATH, MADE, PASSWORD}
    clean(told, *known, *([] if case in ("text", "data") else [HOST]))


DOCUMENT = {
    "openapi": "3.1.0",
    "info": {"title": "Planted", "version": "1"},
    "paths": {"/echo": {"post": {"operationId": "echo", "responses": {"200": {}}}}},
}


@pytest.mark.parametrize("kind", ["by hand", "openapi"])
@pytest.mark.parametrize("case", API)
async def test_an_api(case: str, kind: str) -> None:
    reading = read_operations(DOCUMENT)
    operations = reading.operations
    if kind == "by hand":
        operations = tuple(type(each).from_json(each.to_json()) for each in operations)
    async with client(API[case]) as sender:
        url = f"https://{HOST}/bot4711:{IN_PATH}"
        told = await told_by(http_source("planted", url, operations, client=sender, headers=made))
    known = {HEADER, QUERY, CLIENT, IN_PATH, MADE, PASSWORD, ESCAPED[1:6]}
    clean(told, *known, *([] if case in ("json", "text", "no json") else [HOST]))


LOCAL = """
import json, os, sys
says, case = sys.argv[1], sys.argv[2]
print(says, file=sys.stderr, flush=True)
print("noise", says, flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    method, id = asked["method"], asked.get("id")
    def write(**more):
        print(json.dumps({"jsonrpc": "2.0", **more}), flush=True)
    def answer(result):
        write(id=id, result={"resultType": "complete", **result})
    if method == "server/discover":
        answer({"supportedVersions": ["2026-07-28"], "instructions": says})
    elif method == "tools/list":
        schema = {"type": "object", "properties": {}}
        answer({"tools": [{"name": "echo", "description": says, "inputSchema": schema}]})
    elif case == "exit":
        print(says, file=sys.stderr, flush=True)
        sys.exit(says)
    elif case == "error":
        write(id=id, error={"code": -32602, "message": says, "data": says})
    elif case == "progress":
        token = asked["params"]["_meta"]["progressToken"]
        step = {"progressToken": token, "progress": 1, "message": says}
        write(method="notifications/progress", params=step)
        answer({"content": []})
    elif case == "data":
        answer({"content": [], "structuredContent": {"x": [says], says: 1}})
    else:
        answer({"content": [{"type": "text", "text": says}], "isError": case == "failed"})
"""


@pytest.mark.parametrize("case", ["text", "data", "failed", "error", "progress", "exit"])
async def test_a_local_mcp_server(case: str, tmp_path: Path) -> None:
    program = tmp_path / "local.py"
    program.write_text(LOCAL)
    command = [sys.executable, str(program), SAYS, case, "--token", OPTION]
    env = {"SERVICE_TOKEN": TOKEN, "DB_PASS": PASSWORD, "DATABASE_URL": f"pg://u:{IN_URL}@db/x"}
    limits = Timeouts(connect=60, idle=60, total=60)
    source = mcp_stdio("planted", command, env=env, timeouts=limits)
    clean(
        await told_by(source.with_options(McpOptions(grace=0.5, probe=60))),
        TOKEN,
        OPTION,
        PASSWORD,
        IN_URL,
    )


@pytest.mark.parametrize("kind", ["mcp", "http"])
@pytest.mark.parametrize("error", [HttpConnectError, HttpBrokenError, KeyError])
async def test_what_a_transport_of_the_host_raises(kind: str, error: type[Exception]) -> None:
    class Transport:
        def send(self, request: object, /) -> Any:
            raise error(WITH_ADDRESS)

        async def aclose(self) -> None:
            pass

    url = f"https://{HOST}/{IN_PATH}"
    if kind == "http":
        operations = read_operations(DOCUMENT).operations
        source: Any = http_source("planted", url, operations, client=Transport(), headers=made)
    else:
        source = mcp_http("planted", url, client=Transport(), headers=made)
    outcome = await as_toolkit(source, [TOOL]).call(ToolCall.of("echo", {}), CallContext())
    assert not outcome.ok
    clean(f"{outcome.to_json()} {outcome.for_model()}", *PLANTED, HOST)


async def test_headers_that_cannot_be_made() -> None:
    def broken(context: CallContext[object], /, *, refresh: bool) -> dict[str, str]:
        raise LookupError(f"vault at {HOST} said {HEADER}")

    async with client(API["json"]) as sender:
        sources: list[Any] = [
            mcp_http("planted", f"https://{HOST}", client=sender, headers=broken),
            http_source(
                "planted",
                f"https://{HOST}",
                read_operations(DOCUMENT).operations,
                client=sender,
                headers=broken,
            ),
        ]
        for source in sources:
            outcome = await as_toolkit(source, [TOOL]).call(ToolCall.of("echo", {}), CallContext())
            assert not outcome.ok
            clean(f"{outcome.to_json()} {outcome.for_model()}", HEADER, HOST)
