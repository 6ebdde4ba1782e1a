"""The application in this process, without sockets."""

import asyncio
import json
from collections.abc import MutableMapping
from typing import Any

import anyio
import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from tests.hosts.mcp_server.harness import (
    CAPABILITIES_KEY,
    HEADERS,
    VERSION_KEY,
    call,
    events_of,
    hello,
    http_app,
    http_client,
    mirror,
    modern,
    post,
    request,
    text_of,
)
from tests.hosts.mcp_server.kits import TableKit, echo, text
from tests.hosts.mcp_server.test_stdio_server import BAD, KIT, Gate, answering, stepping
from toolroll.content import Other, ToolResult
from toolroll.hosts.mcp_server import (
    Denied,
    RequestHead,
    RequestInfo,
    ServerLimits,
    ServerOptions,
    static_token,
)
from toolroll.outcome import Answer, ConfigError, Outcome
from toolroll.protocol import LEGACY
from toolroll.toolkit.live import LiveToolkit
from toolroll.tools.call import ToolCall
from toolroll.tools.context import CallContext, Principal
from toolroll.tools.definition import ToolDefinition

pytestmark = pytest.mark.anyio

ECHO = call("echo", {"text": "hi"})


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.rule("mcp-server-both-eras")
async def test_one_endpoint_serves_both_eras_without_a_session() -> None:
    async with http_client(http_app(TableKit(KIT))) as client:
        new = await post(client, modern(1, "tools/call", ECHO))
        assert new.headers["content-type"] == "application/json"
        assert new.json()["result"]["resultType"] == "complete"
        for version in LEGACY:
            agreed = await post(client, hello(version))
            assert agreed.json()["result"]["protocolVersion"] == version
            assert "mcp-session-id" not in agreed.headers
            headers = {"mcp_protocol_version": version} if version > "2025-04" else {}
            old = await post(client, request(2, "tools/call", ECHO), **headers)
            assert old.json()["result"] == {"content": [{"type": "text", "text": "hi"}]}


@pytest.mark.rule("mcp-server-accepted")
@pytest.mark.parametrize("version", ["2026-07-28", "2025-11-25"])
async def test_a_notification_is_taken_with_202_and_no_body(version: str) -> None:
    async with http_client(http_app(TableKit(KIT))) as client:
        message = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        response = await post(client, message, mcp_protocol_version=version)
        assert (response.status_code, response.content) == (202, b"")
        response = await post(client, message, mcp_protocol_version="1900-01-01")
        assert (response.status_code, response.json()["error"]["code"]) == (400, -32022)


@pytest.mark.rule("mcp-server-accepted")
async def test_an_answer_to_nothing_is_taken_from_a_legacy_client_only() -> None:
    async with http_client(http_app(TableKit(KIT))) as client:
        message = {"jsonrpc": "2.0", "id": 1, "result": {}}
        assert (await post(client, message)).status_code == 202
        response = await post(client, message, mcp_protocol_version="2026-07-28")
        assert response.status_code == 400


MIRROR = mirror(modern(1, "tools/call", ECHO))


@pytest.mark.rule("mcp-server-headers-mirror")
@pytest.mark.parametrize(
    ("headers", "word"),
    [
        ({**MIRROR, "mcp-method": "tools/list"}, "Mcp-Method"),
        ({**MIRROR, "mcp-method": "TOOLS/CALL"}, "Mcp-Method"),
        ({**MIRROR, "mcp-name": "other"}, "Mcp-Name"),
        ({**MIRROR, "mcp-name": "=?base64?ZWNob28=?="}, "Mcp-Name"),
        ({**MIRROR, "mcp-name": "=?base64?*?="}, "Mcp-Name"),
        ({**MIRROR, "mcp-protocol-version": "2025-11-25"}, "MCP-Protocol-Version"),
        ({**MIRROR, "mcp-protocol-version": "1900-01-01"}, "MCP-Protocol-Version"),
        ({k: v for k, v in MIRROR.items() if k != "mcp-method"}, "Mcp-Method"),
        ({k: v for k, v in MIRROR.items() if k != "mcp-name"}, "Mcp-Name"),
        ({k: v for k, v in MIRROR.items() if k != "mcp-protocol-version"}, "MCP-Protocol-Version"),
    ],
)
async def test_headers_that_do_not_mirror_the_body_are_refused(
    headers: dict[str, str], word: str
) -> None:
    kit = TableKit(KIT)
    async with http_client(http_app(kit)) as client:
        response = await client.post("/mcp", json=modern(1, "tools/call", ECHO), headers=headers)
        error = response.json()["error"]
        assert (response.status_code, error["code"], response.json()["id"]) == (400, -32020, 1)
        assert word in error["message"]
    assert kit.called == []


@pytest.mark.rule("mcp-server-headers-mirror")
async def test_an_encoded_name_and_space_around_it_are_taken() -> None:
    async with http_client(http_app(TableKit({"é": echo, "echo": echo}))) as client:
        message = modern(1, "tools/call", call("é"))
        encoded = {**mirror(message), "mcp-name": "=?base64?w6k=?="}
        assert "result" in (await client.post("/mcp", json=message, headers=encoded)).json()
        spaced = {**MIRROR, "mcp-name": "  echo\t"}
        message = modern(1, "tools/call", ECHO)
        assert "result" in (await client.post("/mcp", json=message, headers=spaced)).json()


@pytest.mark.rule("mcp-server-headers-once")
async def test_a_repeated_mcp_header_refuses_a_stateless_request() -> None:
    async with http_client(http_app(TableKit(KIT))) as client:
        lines = [*MIRROR.items(), ("mcp-name", "echo"), *HEADERS.items()]
        response = await client.post("/mcp", json=modern(1, "tools/call", ECHO), headers=lines)
        assert (response.status_code, response.json()["error"]["code"]) == (400, -32020)


def marked() -> TableKit:
    schema = {
        "type": "object",
        "properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "deep": {
                "type": "object",
                "properties": {"n": {"type": "integer", "x-mcp-header": "N"}},
            },
        },
    }
    definition = ToolDefinition(name="mark", description="Marked.", input_schema=schema)
    return TableKit({"mark": echo}, {"mark": definition})


@pytest.mark.rule("mcp-server-headers-mirror")
@pytest.mark.parametrize(
    ("arguments", "headers", "status"),
    [
        ({"region": "eu"}, {"mcp_param_region": "eu"}, 200),
        ({"region": "é"}, {"mcp_param_region": "=?base64?w6k=?="}, 200),
        ({"deep": {"n": 42}}, {"mcp_param_n": "42.0"}, 200),
        ({"region": None}, {}, 200),
        ({}, {}, 200),
        ({"region": "eu"}, {}, 400),
        ({"region": "eu"}, {"mcp_param_region": "us"}, 400),
        ({"region": "eu"}, {"mcp_param_region": "=?base64?ZXU?="}, 400),
        ({}, {"mcp_param_region": "eu"}, 400),
        ({"region": None}, {"mcp_param_region": "eu"}, 400),
        ({"deep": {"n": 42}}, {"mcp_param_n": "43"}, 400),
    ],
)
async def test_marked_arguments_and_their_headers_say_the_same(
    arguments: dict[str, object], headers: dict[str, str], status: int
) -> None:
    kit = marked()
    async with http_client(http_app(kit)) as client:
        message = modern(1, "tools/call", call("mark", arguments))
        response = await post(client, message, **headers)
        assert response.status_code == status
        assert len(kit.called) == (status == 200)
        legacy = await post(client, request(1, "tools/call", call("mark", arguments)))
        assert legacy.status_code == 200


@pytest.mark.rule("mcp-server-envelope")
@pytest.mark.parametrize("key", [VERSION_KEY, CAPABILITIES_KEY])
async def test_a_stateless_request_without_its_meta_is_answered_400(key: str) -> None:
    async with http_client(http_app(TableKit(KIT))) as client:
        message = modern(5, "tools/list")
        headers = mirror(message)
        del message["params"]["_meta"][key]
        for sent in (message, request(5, "tools/list"), request(5, "server/discover")):
            response = await client.post("/mcp", json=sent, headers=headers)
            assert (response.status_code, response.json()["error"]["code"]) == (400, -32602)
            assert response.json()["id"] == 5


@pytest.mark.rule("mcp-server-unsupported-version")
async def test_an_unknown_version_is_answered_400_with_those_there_are() -> None:
    async with http_client(http_app(TableKit(KIT))) as client:
        message = modern(1, "tools/list", **{VERSION_KEY: "v999"})
        for sent in (message, request(1, "tools/list"), hello()):
            response = await post(client, sent, mcp_protocol_version="v999")
            error = response.json()["error"]
            assert (response.status_code, error["code"]) == (400, -32022)
            assert error["data"]["requested"] == "v999"


@pytest.mark.rule("mcp-server-http-status")
async def test_errors_have_the_status_of_their_era() -> None:
    async with http_client(http_app(TableKit(KIT))) as client:
        for method in ("nope", "ping", "initialize", "prompts/list"):
            response = await post(client, modern(1, method))
            assert (response.status_code, response.json()["error"]["code"]) == (404, -32601)
        response = await post(client, request(1, "nope"))
        assert (response.status_code, response.json()["error"]["code"]) == (200, -32601)
        for make in (modern, request):
            response = await post(client, make(1, "tools/call", call("nope")))
            assert (response.status_code, response.json()["error"]["code"]) == (200, -32602)


@pytest.mark.rule("mcp-server-malformed")
@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", -32700),
        (b"[[[", -32700),
        (b"\xff", -32700),
        (b"7", -32600),
        (b"{}", -32600),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
        (b"[" * 100_000, -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"n":' + b"9" * 10_000 + b"}}", -32700),
    ],
)
async def test_what_is_no_message_is_answered_400(body: bytes, code: int) -> None:
    async with http_client(http_app(TableKit(KIT))) as client:
        headers = {"content-type": "application/json"}
        response = await client.post("/mcp", content=body, headers=headers)
        assert response.status_code == 400
        assert response.json()["error"]["code"] in (code, -32600)
        assert "id" not in response.json()


@pytest.mark.rule("mcp-server-batches")
async def test_batches_are_answered_where_the_version_has_them() -> None:
    batch = [request(1, "ping"), request(2, "tools/call", ECHO), {"id": 3}]
    async with http_client(http_app(TableKit(KIT))) as client:
        for headers in ({}, {"mcp_protocol_version": "2025-03-26"}):
            response = await post(client, batch, **headers)
            assert {each["id"] for each in response.json()} == {1, 2, 3}
        for version in ("2025-06-18", "2025-11-25", "2026-07-28"):
            response = await post(client, batch, mcp_protocol_version=version)
            assert (response.status_code, response.json()["error"]["code"]) == (400, -32600)
        for sent in ([], [request(1, "ping")] * 51):
            assert (await post(client, sent)).status_code == 400
        quiet = [{"jsonrpc": "2.0", "method": "notifications/x"}]
        response = await post(client, quiet)
        assert (response.status_code, response.content) == (202, b"")


@pytest.mark.rule("mcp-server-bad-outcomes")
@pytest.mark.parametrize(("outcome", "wanted"), BAD, ids=lambda value: getattr(value, "code", ""))
async def test_a_bad_outcome_is_a_result_and_never_its_cause(outcome: Outcome, wanted: str) -> None:
    async with http_client(http_app(answering(outcome))) as client:
        response = await post(client, modern(1, "tools/call", call("it")))
        assert response.status_code == 200
        assert text_of(response.json()) == wanted
        assert "hunter2" not in response.text


@pytest.mark.rule("mcp-server-internal-errors")
async def test_an_answer_that_is_no_json_is_an_internal_error() -> None:
    outcome = Answer(result=ToolResult(content=(Other({"type": "x", "v": float("inf")}),)))
    async with http_client(http_app(answering(outcome))) as client:
        response = await post(client, modern(1, "tools/call", call("it")))
        assert response.json()["error"] == {"code": -32603, "message": "Internal error"}


@pytest.mark.rule("mcp-server-answer-kind")
async def test_progress_makes_the_answer_a_stream() -> None:
    async with http_client(http_app(TableKit({"step": stepping}))) as client:
        for make in (modern, request):
            params = call("step")
            message = make(1, "tools/call", params)
            message["params"].setdefault("_meta", {})["progressToken"] = "t"
            response = await post(client, message)
            assert response.headers["content-type"] == "text/event-stream"
            assert response.headers["x-accel-buffering"] == "no"
            *told, answer = events_of(response)
            assert [each["params"]["progress"] for each in told] == [1, 50, 51]
            assert answer["id"] == 1
            assert text_of(answer) == "done"


@pytest.mark.rule("mcp-server-answer-kind")
async def test_who_takes_json_alone_gets_json_and_who_takes_events_alone_gets_events() -> None:
    async with http_client(http_app(TableKit({"step": stepping}))) as client:
        message = modern(1, "tools/call", call("step"), progressToken="t")
        response = await post(client, message, accept="application/json")
        assert text_of(response.json()) == "done"
        response = await post(client, modern(1, "tools/list"), accept="text/event-stream")
        assert [each["id"] for each in events_of(response)] == [1]
        response = await post(client, modern(1, "nope"), accept="text/event-stream")
        assert response.status_code == 404


@pytest.mark.rule("mcp-server-answer-kind")
async def test_a_long_silence_is_broken_by_comments() -> None:
    gate = Gate()
    app = http_app(TableKit({"gate": gate.run}), ServerOptions(keep_alive=0.01))
    sent: list[MutableMapping[str, Any]] = []

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)
        if len(sent) > 3:
            gate.go.set()

    await app(*asgi(modern(1, "tools/call", call("gate"))), send)
    assert sent[0]["headers"][0] == (b"content-type", b"text/event-stream")
    assert sent[1]["body"] == b":\n\n"
    assert b'"let go"' in sent[-1]["body"]
    assert not sent[-1].get("more_body")


def asgi(message: Any) -> tuple[dict[str, Any], Any]:
    """A scope and a `receive` that stays open, as a real server has it."""
    body = json.dumps(message).encode()
    headers = {"host": "localhost", "content-type": "application/json", **HEADERS}
    headers |= mirror(message) if "_meta" in message.get("params", {}) else {}
    lines = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "POST", "path": "/mcp", "headers": lines}
    parts = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        if parts:
            return parts.pop()
        await anyio.sleep_forever()
        raise AssertionError

    return scope, receive


@pytest.mark.rule("mcp-server-disconnect")
@pytest.mark.parametrize("era", ["modern", "legacy"])
async def test_a_closed_connection_cancels_a_stateless_call_and_no_other(era: str) -> None:
    gate, gone = Gate(), anyio.Event()
    app = http_app(TableKit({"gate": gate.run}))
    make = modern if era == "modern" else request
    scope, first = asgi(make(1, "tools/call", call("gate")))
    asked = 0
    sent: list[object] = []

    async def receive() -> dict[str, Any]:
        nonlocal asked
        asked += 1
        if asked == 1:
            return await first()
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(app, scope, receive, send)
        await gate.until(entered=1)
        gone.set()
        if era == "modern":
            await gate.until(cancelled=1)
        else:
            await anyio.wait_all_tasks_blocked()
            assert gate.cancelled == 0
            gate.go.set()
    assert bool(sent) == (era == "legacy") or era == "modern"
    assert gate.cancelled == (era == "modern")


@pytest.mark.rule("mcp-server-http-sizes")
async def test_a_body_over_the_limit_is_refused_before_it_is_held() -> None:
    app = http_app(TableKit(KIT), ServerOptions(limits=ServerLimits(message=1000)))
    async with http_client(app) as client:
        headers = {"content-type": "application/json"}
        response = await client.post("/mcp", content=b"x" * 1001, headers=headers)
        assert response.status_code == 413

        async def parts() -> Any:
            for _ in range(100):
                yield b"x" * 100

        response = await client.post("/mcp", content=parts(), headers=headers)
        assert response.status_code == 413
        for strange in ("-1", "1e3", "9" * 5000, "٣"):
            scope, receive = asgi(request(1, "ping"))
            scope["headers"].append((b"content-length", strange.encode()))
            sent: list[Any] = []

            async def send(message: Any, sent: list[Any] = sent) -> None:
                sent.append(message)

            await app(scope, receive, send)
            assert sent[0]["status"] == 413


@pytest.mark.rule("mcp-server-body-time")
async def test_a_body_that_does_not_come_is_not_waited_for() -> None:
    app = http_app(TableKit(KIT), ServerOptions(limits=ServerLimits(body_seconds=0.05)))
    scope, _ = asgi(request(1, "ping"))
    sent: list[Any] = []

    async def never() -> Any:
        await anyio.sleep_forever()

    async def send(message: Any) -> None:
        sent.append(message)

    for _ in range(2):
        await app(scope, never, send)
    assert [message["status"] for message in sent if "status" in message] == [408, 408]


@pytest.mark.rule("mcp-server-body-time")
async def test_who_cancels_a_request_while_its_body_is_read_is_not_answered_408() -> None:
    app = http_app(TableKit(KIT))
    scope, _ = asgi(request(1, "ping"))

    async def never() -> Any:
        await anyio.sleep_forever()

    task = asyncio.ensure_future(app(scope, never, never))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.rule("mcp-server-concurrency")
@pytest.mark.parametrize("limits", [ServerLimits(calls=1), ServerLimits(requests=1)], ids=str)
async def test_requests_over_the_limits_are_answered_503(limits: ServerLimits) -> None:
    gate, first = Gate(), list[httpx.Response]()
    app = http_app(TableKit({"gate": gate.run}), ServerOptions(limits=limits))
    async with http_client(app) as client, anyio.create_task_group() as tasks:

        async def ask() -> None:
            first.append(await post(client, modern(1, "tools/call", call("gate"))))

        tasks.start_soon(ask)
        await gate.until(entered=1)
        response = await post(client, modern(2, "tools/call", call("gate")))
        assert (response.status_code, response.headers["retry-after"]) == (503, "1")
        gate.go.set()
    assert text_of(first[0].json()) == "let go"


@pytest.mark.rule("mcp-server-same-ids")
async def test_many_requests_in_flight_with_one_id_are_each_answered() -> None:
    gate = Gate()
    async with http_client(http_app(TableKit({"gate": gate.run}))) as client:
        answers: list[httpx.Response] = []

        async def ask(make: Any) -> None:
            answers.append(await post(client, make("same", "tools/call", call("gate"))))

        async with anyio.create_task_group() as tasks:
            for number in range(32):
                tasks.start_soon(ask, modern if number % 2 else request)
            await gate.until(entered=32)
            gate.go.set()
        assert [answer.json()["id"] for answer in answers] == ["same"] * 32


@pytest.mark.rule("mcp-server-authorize")
async def test_who_is_denied_gets_a_challenge_and_runs_nothing() -> None:
    kit = TableKit(KIT)
    options = ServerOptions(authorize=static_token("a long enough token", Principal(id="ada")))
    async with http_client(http_app(kit, options)) as client:
        message = modern(1, "tools/call", ECHO)
        response = await post(client, message)
        assert response.status_code == 401
        assert response.headers["www-authenticate"] == "Bearer"
        for wrong in ("Bearer wrong", "Basic a long enough token", "Bearer", "a long enough token"):
            assert (await post(client, message, authorization=wrong)).status_code == 401
        assert kit.called == []
        right = await post(client, message, authorization="bearer a long enough token")
        assert right.status_code == 200


@pytest.mark.rule("mcp-server-authorize")
async def test_a_forbidden_request_and_a_broken_authorizer_let_nobody_in(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def forbid(head: RequestHead) -> Principal | Denied:
        return Denied(status=403, challenge='Bearer error="insufficient_scope"', reason="No.")

    async def broken(head: RequestHead) -> Principal | Denied:
        raise RuntimeError("the key store at 10.0.0.1 is gone")

    kit = TableKit(KIT)
    for authorize, status in ((forbid, 403), (broken, 500)):
        async with http_client(http_app(kit, ServerOptions(authorize=authorize))) as client:
            response = await post(client, modern(1, "tools/call", ECHO))
            assert response.status_code == status
            assert "10.0.0.1" not in response.text
    assert kit.called == []
    assert "10.0.0.1" in caplog.text


@pytest.mark.rule("mcp-server-authorize")
async def test_the_body_of_a_denied_request_is_not_read() -> None:
    options = ServerOptions(authorize=static_token("a long enough token", Principal(id="ada")))
    scope, _ = asgi(request(1, "ping"))
    sent: list[Any] = []

    async def receive() -> Any:
        raise AssertionError

    async def send(message: Any) -> None:
        sent.append(message)

    await http_app(TableKit(KIT), options)(scope, receive, send)
    assert sent[0]["status"] == 401


@pytest.mark.rule("mcp-server-context", "mcp-server-authorize")
async def test_the_principal_of_the_request_reaches_the_context_unless_the_host_says_another() -> (
    None
):
    async def tell(made: ToolCall, context: CallContext[object]) -> Outcome:
        return text(context.principal.id if context.principal else "nobody")

    async def authorize(head: RequestHead) -> Principal | Denied:
        return Principal(id=head.headers["x-user"])

    def host(info: RequestInfo) -> CallContext[None]:
        assert info.principal is not None
        return CallContext(principal=Principal(id=f"host says {info.principal.id}"))

    message = modern(1, "tools/call", call("tell"))
    options = ServerOptions(authorize=authorize)
    async with http_client(http_app(TableKit({"tell": tell}), options)) as client:
        assert text_of((await post(client, message, x_user="ada")).json()) == "ada"
    async with http_client(http_app(TableKit({"tell": tell}), options, context=host)) as client:
        assert text_of((await post(client, message, x_user="bob")).json()) == "host says bob"


@pytest.mark.rule("mcp-server-static-token")
def test_a_short_token_is_a_mistake_of_the_host() -> None:
    with pytest.raises(ConfigError, match="at least 16"):
        static_token("short", Principal(id="ada"))
    with pytest.raises(ConfigError, match="at least 32"):
        ServerOptions(state_keys=(b"short",))


def test_options_that_cannot_be_are_mistakes_of_the_host() -> None:
    wrong: dict[str, Any] = {
        "page_size": 0,
        "state_keys": b"k" * 32,
        "allowed_hosts": "*.example.org",
        "allowed_origins": "https://example.org",
        "path": "mcp",
        "sessions": "yes",
        "cache_scope": "shared",
        "unknown_tool": "raise",
    }
    for option, value in wrong.items():
        with pytest.raises(ConfigError, match=f"ServerOptions.{option}: "):
            ServerOptions(**{option: value})


@pytest.mark.rule("mcp-server-path")
async def test_the_application_answers_under_its_path_alone_and_mounted() -> None:
    message = modern(1, "tools/list")
    app = http_app(TableKit(KIT))
    async with http_client(app) as client:
        for path, status in (("/mcp", 200), ("/", 404), ("/mcp/x", 404), ("/.well-known/x", 404)):
            response = await client.post(path, json=message, headers=mirror(message))
            assert response.status_code == status
    mounted = Starlette(routes=[Mount("/tools", app=app)])
    transport = httpx.ASGITransport(mounted)
    async with httpx.AsyncClient(
        transport=transport, base_url="http://localhost", headers=HEADERS
    ) as client:
        for path, status in (("/tools/mcp", 200), ("/tools/", 200), ("/tools/x", 404)):
            response = await client.post(path, json=message, headers=mirror(message))
            assert response.status_code == status
    async with http_client(http_app(TableKit(KIT), ServerOptions(path=None))) as client:
        response = await client.post("/any/where", json=message, headers=mirror(message))
        assert response.status_code == 200


@pytest.mark.rule("mcp-server-http-method")
async def test_a_stream_cannot_be_opened_nor_a_session_ended() -> None:
    async with http_client(http_app(TableKit(KIT))) as client:
        for method in ("GET", "DELETE"):
            response = await client.request(method, "/mcp")
            assert (response.status_code, response.headers["allow"]) == (405, "POST")


@pytest.mark.rule("mcp-server-subscriptions")
async def test_a_subscription_is_a_stream_that_close_ends_with_a_result() -> None:
    kit: LiveToolkit[object] = LiveToolkit(TableKit(KIT))
    app = http_app(kit, ServerOptions(changes=kit.changes))
    wanted = {"notifications": {"toolsListChanged": True}}
    sent: list[bytes] = []

    async def send(message: Any) -> None:
        if body := message.get("body"):
            sent.append(body)
            if len(sent) == 1:
                kit.swap(TableKit({"other": echo}))
            elif len(sent) == 2:
                app.close()

    await app(*asgi(modern("sub", "subscriptions/listen", wanted)), send)
    messages = [json.loads(each.split(b"data: ")[1]) for each in sent]
    assert [each.get("method") for each in messages] == [
        "notifications/subscriptions/acknowledged",
        "notifications/tools/list_changed",
        None,
    ]
    assert messages[2]["result"]["resultType"] == "complete"


@pytest.mark.rule("mcp-server-list-changed")
async def test_a_legacy_http_client_is_promised_no_changes() -> None:
    kit: LiveToolkit[object] = LiveToolkit(TableKit(KIT))
    async with http_client(http_app(kit, ServerOptions(changes=kit.changes))) as client:
        result = (await post(client, hello())).json()["result"]
        assert result["capabilities"] == {"tools": {}}
        result = (await post(client, modern(1, "server/discover"))).json()["result"]
        assert result["capabilities"] == {"tools": {"listChanged": True}}


async def test_other_kinds_of_asgi_connection_are_ended() -> None:
    app = http_app(TableKit(KIT))
    sent: list[Any] = []
    lifespan = [{"type": "lifespan.shutdown"}, {"type": "lifespan.startup"}]

    async def receive() -> Any:
        return lifespan.pop()

    async def send(message: Any) -> None:
        sent.append(message["type"])

    await app({"type": "lifespan"}, receive, send)
    await app({"type": "websocket"}, receive, send)
    assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete", "websocket.close"]


@pytest.mark.rule("mcp-server-asyncio-only")
def test_another_event_loop_is_told_so() -> None:
    app = http_app(TableKit(KIT))

    async def serve() -> None:
        await app(*asgi(request(1, "ping")), lambda message: anyio.sleep(0))

    with pytest.raises(ConfigError, match="asyncio"):
        anyio.run(serve, backend="trio")
