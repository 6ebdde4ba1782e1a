"""Signed sessions: what a legacy HTTP client can do, remembered by nobody."""

import json
import time
from typing import Any

import anyio
import httpx
import pytest

from tests.hosts.mcp_server.harness import call, hello, http_app, http_client, modern, post, request
from tests.hosts.mcp_server.kits import TableKit, needs_approval, text
from tests.hosts.mcp_server.test_questions import KIT, NAME, YES, accept
from tests.hosts.mcp_server.test_stdio_server import Gate
from toolroll.hosts.mcp_server import Denied, RequestHead, ServerOptions
from toolroll.hosts.mcp_server.http.session import SessionSigner
from toolroll.outcome import Outcome
from toolroll.tools.call import ToolCall
from toolroll.tools.context import CallContext, Principal

pytestmark = pytest.mark.anyio

SIGNED = ServerOptions(sessions="signed")
ASKS: dict[str, Any] = {"elicitation": {}}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def begin(client: httpx.AsyncClient, **capabilities: object) -> dict[str, str]:
    """The headers of a session."""
    response = await post(client, hello(**capabilities))
    return {
        "mcp_session_id": response.headers["mcp-session-id"],
        "mcp_protocol_version": "2025-11-25",
    }


@pytest.mark.rule("mcp-server-sessions")
async def test_a_session_is_begun_by_initialize_and_known_to_every_process_with_the_keys() -> None:
    options = ServerOptions(sessions="signed", state_keys=(b"k" * 32,))
    async with http_client(http_app(TableKit(KIT), options)) as client:
        session = await begin(client, **ASKS)
        assert session["mcp_session_id"].isascii()
        assert session["mcp_session_id"].isprintable()
        assert (await post(client, request(1, "ping"), **session)).json()["result"] == {}
    async with http_client(http_app(TableKit(KIT), options)) as client:
        assert (await post(client, request(1, "ping"), **session)).status_code == 200
    async with http_client(http_app(TableKit(KIT), SIGNED)) as client:
        assert (await post(client, request(1, "ping"), **session)).status_code == 404


@pytest.mark.rule("mcp-server-sessions")
async def test_a_forged_session_is_not_found_and_a_stateless_request_passes_it_over() -> None:
    async with http_client(http_app(TableKit(KIT), SIGNED)) as client:
        session = await begin(client)
        forged = {**session, "mcp_session_id": "x" + session["mcp_session_id"]}
        assert (await post(client, request(1, "ping"), **forged)).status_code == 404
        stateless = await post(client, modern(1, "tools/list"), mcp_session_id="forged")
        assert stateless.status_code == 200
    async with http_client(http_app(TableKit(KIT))) as client:
        assert (await post(client, request(1, "ping"), **forged)).status_code == 200


@pytest.mark.rule("mcp-server-sessions")
async def test_a_session_is_good_for_its_own_caller_alone() -> None:
    async def authorize(head: RequestHead) -> Principal | Denied:
        return Principal(id=head.headers["x-user"])

    options = ServerOptions(sessions="signed", authorize=authorize)
    async with http_client(http_app(TableKit(KIT), options), **{"x-user": "ada"}) as client:
        session = await begin(client)
        assert (await post(client, request(1, "ping"), **session)).status_code == 200
        stolen = await post(client, request(1, "ping"), **session, x_user="bob")
        assert stolen.status_code == 404


@pytest.mark.rule("mcp-server-sessions")
async def test_a_session_ends_after_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    signer = SessionSigner(())
    session = signer.begin("2025-11-25", ASKS, None)
    assert signer.read(session.id, None) == session
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 25 * 3600)
    assert signer.read(session.id, None) is None


class Stream:
    """One answer as a stream, while others are sent meanwhile."""

    def __init__(self) -> None:
        self.messages: list[Any] = []
        self.status = 0
        self._more = anyio.Event()

    async def send(self, message: Any) -> None:
        self.status = message.get("status", self.status)
        for line in message.get("body", b"").decode().splitlines():
            if line.startswith("data: "):
                self.messages.append(json.loads(line.removeprefix("data: ")))
        self._more.set()
        self._more = anyio.Event()

    async def message(self, number: int) -> Any:
        while len(self.messages) <= number:
            await self._more.wait()
        return self.messages[number]


def raw(message: Any, session: dict[str, str]) -> tuple[dict[str, Any], Any]:
    from tests.hosts.mcp_server.test_http_server import asgi

    scope, receive = asgi(message)
    scope["headers"] += [
        (name.replace("_", "-").encode(), value.encode()) for name, value in session.items()
    ]
    return scope, receive


@pytest.mark.rule("mcp-server-requests-for-input", "mcp-server-sessions")
async def test_a_client_with_a_session_is_asked_on_the_stream_of_its_call() -> None:
    app = http_app(TableKit(KIT), SIGNED)
    async with http_client(app) as client:
        session = await begin(client, **ASKS)
        other = await begin(client, **ASKS)
        stream = Stream()
        async with anyio.create_task_group() as tasks:
            scope, receive = raw(request(1, "tools/call", call("greet")), session)
            tasks.start_soon(app, scope, receive, stream.send)
            first = await stream.message(0)
            assert first["method"] == "elicitation/create"
            reply = {"jsonrpc": "2.0", "id": first["id"], "result": accept(name="Eve")}
            assert (await post(client, reply, **other)).status_code == 202
            assert (await post(client, reply)).status_code == 202
            assert len(stream.messages) == 1  # neither was of this session
            reply["result"] = accept(name="Ada")
            assert (await post(client, reply, **session)).status_code == 202
            second = await stream.message(1)
            reply = {"jsonrpc": "2.0", "id": second["id"], "result": {"action": "decline"}}
            await post(client, reply, **session)
        answer = await stream.message(2)
    assert answer["result"]["content"][0]["text"] == "accept {'name': 'Ada'} decline None"


@pytest.mark.rule("mcp-server-approval", "mcp-server-sessions")
async def test_an_approval_works_within_a_session_and_not_without() -> None:
    async def ran(made: ToolCall, context: CallContext[object]) -> Outcome:
        return text("ran")

    app = http_app(TableKit({"purge": needs_approval(ran)}), SIGNED)
    async with http_client(app) as client:
        session = await begin(client, **ASKS)
        stream = Stream()
        async with anyio.create_task_group() as tasks:
            scope, receive = raw(request(1, "tools/call", call("purge")), session)
            tasks.start_soon(app, scope, receive, stream.send)
            asked = await stream.message(0)
            reply = {"jsonrpc": "2.0", "id": asked["id"], "result": YES}
            await post(client, reply, **session)
        assert (await stream.message(1))["result"]["content"][0]["text"] == "ran"
        alone = (await post(client, request(1, "tools/call", call("purge")))).json()
        assert alone["result"]["isError"] is True
        json_only = await post(
            client, request(1, "tools/call", call("purge")), **session, accept="application/json"
        )
        assert json_only.json()["result"]["isError"] is True


@pytest.mark.rule("mcp-server-cancel", "mcp-server-sessions")
async def test_a_call_is_cancelled_within_its_session_alone() -> None:
    gate = Gate()
    app = http_app(TableKit({"gate": gate.run}), SIGNED)
    cancel = {
        "jsonrpc": "2.0",
        "method": "notifications/cancelled",
        "params": {"requestId": 1},
    }
    async with http_client(app) as client:
        session, other = await begin(client), await begin(client)
        stream = Stream()
        async with anyio.create_task_group() as tasks:
            scope, receive = raw(request(1, "tools/call", call("gate")), session)
            tasks.start_soon(app, scope, receive, stream.send)
            await gate.until(entered=1)
            await post(client, cancel)
            await post(client, cancel, **other)
            await anyio.wait_all_tasks_blocked()
            assert gate.cancelled == 0
            await post(client, cancel, **session)
        assert gate.cancelled == 1
        assert (stream.status, stream.messages) == (200, [])
    assert NAME
