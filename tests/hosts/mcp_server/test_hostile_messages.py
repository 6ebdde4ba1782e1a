"""Whatever a client sends, the server goes on, and every request gets one answer."""

import json
from typing import Any

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.hosts.mcp_server.harness import (
    CAPABILITIES_KEY,
    MODERN_META,
    VERSION_KEY,
    hello,
    http_app,
    over_pipes,
    request,
)
from tests.hosts.mcp_server.kits import TableKit
from tests.hosts.mcp_server.test_questions import greet
from tests.hosts.mcp_server.test_stdio_server import KIT, stepping
from toolroll.hosts.mcp_server import ServerOptions
from toolroll.toolkit.live import LiveToolkit

METHODS = [
    "initialize",
    "ping",
    "tools/list",
    "tools/call",
    "server/discover",
    "logging/setLevel",
    "notifications/initialized",
    "notifications/cancelled",
    "prompts/get",
    "",
]
NAMES = ["echo", "step", "greet", "nope", "\ud800", ""]

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)
metas = st.fixed_dictionaries(
    {},
    optional={
        VERSION_KEY: st.sampled_from(["2026-07-28", "2025-11-25", "x"]) | values,
        CAPABILITIES_KEY: st.sampled_from([{}, {"elicitation": {}}]) | values,
        "progressToken": values,
        "traceparent": values,
    },
)
params = values | st.fixed_dictionaries(
    {},
    optional={
        "name": st.sampled_from(NAMES) | values,
        "arguments": values,
        "cursor": values,
        "requestId": values,
        "requestState": values,
        "inputResponses": values,
        "protocolVersion": values,
        "capabilities": values,
        "notifications": values,
        "_meta": st.just(MODERN_META) | metas | values,
    },
)
messages = values | st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.just("2.0") | values,
        "id": st.integers(0, 3) | values,
        "method": st.sampled_from(METHODS) | values,
        "params": params,
        "result": values,
        "error": values,
    },
)
RUNS = {**KIT, "step": stepping, "greet": greet}


def is_request(message: Any) -> bool:
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return False
    id, params = message.get("id"), message.get("params")
    return (
        isinstance(id, (str, int))
        and not isinstance(id, bool)
        and isinstance(message.get("method"), str)
        and (params is None or isinstance(params, dict))
    )


@pytest.mark.rule("mcp-server-malformed", "mcp-server-same-ids")
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(sent=st.lists(messages, max_size=8), greeted=st.booleans())
def test_every_request_over_stdio_gets_one_answer_whatever_comes_beside_it(
    sent: list[Any], greeted: bool
) -> None:
    async def speak() -> list[Any]:
        got: list[Any] = []
        async with over_pipes(TableKit(RUNS), ServerOptions(drain=50)) as client:
            if greeted:
                await client.ask(hello("2025-03-26"))
            for message in sent:
                await client.send(json.dumps(message).encode())
            await client.send(request("last", "ping"))
            client.close()
            try:
                while True:
                    got.append(await client.receive())
            except EOFError:
                return got

    got = anyio.run(speak)
    answers = [
        answer
        for each in got
        for answer in (each if isinstance(each, list) else [each])
        if "method" not in answer
    ]
    wanted = [message["id"] for message in sent if is_request(message) and json_safe(message)]
    cancelled = [m for m in sent if isinstance(m, dict) and m.get("method") == METHODS[7]]
    ids = [answer["id"] for answer in answers if "id" in answer]
    assert "last" in ids
    if not cancelled:
        for id in wanted:
            assert sum(_same(id, each) for each in ids) >= sum(_same(id, each) for each in wanted)


def _same(one: object, other: object) -> bool:
    return type(one) is type(other) and one == other


def json_safe(message: Any) -> bool:
    try:
        json.dumps(message, allow_nan=False)
    except ValueError:
        return False
    return "\ud800" not in json.dumps(message, ensure_ascii=False)


headers = st.lists(
    st.tuples(
        st.sampled_from(
            [
                b"host",
                b"origin",
                b"accept",
                b"content-type",
                b"content-length",
                b"content-encoding",
                b"authorization",
                b"mcp-protocol-version",
                b"mcp-method",
                b"mcp-name",
                b"mcp-session-id",
                b"mcp-param-x",
            ]
        ),
        st.binary(max_size=12)
        | st.sampled_from(
            [
                b"localhost",
                b"application/json",
                b"2026-07-28",
                b"2025-11-25",
                b"tools/call",
                b"echo",
            ]
        ),
    ),
    max_size=6,
)


@pytest.mark.rule("mcp-server-malformed")
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    lines=headers,
    usual=st.booleans(),
    method=st.sampled_from(["POST", "POST", "POST", "GET", "\x00"]),
    path=st.sampled_from(["/mcp", "/mcp", "/", "//mcp", "/mcp/../mcp"]),
    body=st.binary(max_size=20) | messages.map(lambda message: json.dumps(message).encode()),
)
def test_every_http_request_gets_one_whole_answer(
    lines: list[tuple[bytes, bytes]], usual: bool, method: str, path: str, body: bytes
) -> None:
    kit: LiveToolkit[object] = LiveToolkit(TableKit(RUNS))
    options = ServerOptions(sessions="signed", keep_alive=0.001, changes=kit.changes)
    if usual:
        default = [(b"host", b"localhost"), (b"content-type", b"application/json")]
        lines = default + [line for line in lines if line[0] not in (b"host", b"content-type")]
    scope = {"type": "http", "method": method, "path": path, "headers": lines}
    parts = [{"type": "http.request", "body": body}]
    sent: list[Any] = []

    async def serve() -> None:
        app = http_app(kit, options)

        async def receive() -> Any:
            if parts:
                return parts.pop()
            await anyio.sleep(0.05)  # an open stream ends because its client goes
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        await app(scope, receive, send)

    anyio.run(serve)
    starts = [message for message in sent if message["type"] == "http.response.start"]
    assert len(starts) <= 1
    if starts:
        assert 200 <= starts[0]["status"] < 600
        assert starts[0]["status"] != 500
