"""Over HTTP: which era a server is of, its sessions, and the oldest transport."""

import json
import queue
import socket
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager

import anyio
import pytest

from tests.sources.loopback import nobody
from tests.sources.loopback import scripted as raw
from tests.sources.mcp.asking import AMPLE, call, failing, source
from tests.sources.mcp.scripted import (
    EVENTS,
    MODERN,
    Answer,
    Call,
    Reply,
    Script,
    dropped,
    error,
    event,
    legacy,
    modern,
    response,
    result,
    serving,
    text,
)
from tests.sources.mcp.test_mcp_change import step
from toolroll.sources.mcp import McpOptions
from toolroll.sources.source import SourceError, Timeouts
from toolroll.tools.context import CallContext, Principal

pytestmark = pytest.mark.anyio


@pytest.mark.rule("mcp-client-modern-first")
async def test_a_modern_server_is_never_sent_a_handshake() -> None:
    with serving(modern()) as script:
        async with source(script.url) as client:
            assert (await call(client)).text == "ok"
            await client.discover()
            assert client.server is not None
            assert client.server.versions == (MODERN,)
    assert script.methods == ["server/discover", "tools/call", "tools/list"]
    assert {seen.headers["mcp-protocol-version"] for seen in script.seen} == {MODERN}
    assert all("mcp-session-id" not in seen.headers for seen in script.seen)


@pytest.mark.rule("mcp-client-modern-first")
@pytest.mark.parametrize("code", [-32020, -32021, -32022])
async def test_an_error_of_a_modern_server_makes_it_one(code: int) -> None:
    data = {"supported": [MODERN], "requested": "1900-01-01"}
    script = modern().on("server/discover", lambda call: error(call, code, status=400, data=data))
    with serving(script):
        async with source(script.url) as client:
            assert (await call(client)).text == "ok"
    assert "initialize" not in script.methods


REFUSALS: dict[str, Answer] = {
    "400 without a message": lambda call: Reply(status=400, body=b"Bad Request: no session"),
    "400 invalid request": lambda call: error(call, -32600, status=400),
    "400 no session": lambda call: error(call, -32000, status=400),
    "200 unknown method": lambda call: error(call, -32601),
    "404 unknown method": lambda call: error(call, -32601, status=404),
    "404 page": lambda call: Reply(status=404, kind="text/html", body=b"<h1>Not found</h1>"),
    "405": lambda call: Reply(status=405),
    "legacy versions in an error": lambda call: error(
        call, -32022, status=400, data={"supported": ["2025-06-18"]}
    ),
    "no versions": lambda call: result(call, {}),
    "legacy versions": lambda call: result(call, {"supportedVersions": ["2025-06-18"]}),
}


@pytest.mark.rule("mcp-client-legacy-fallback")
@pytest.mark.parametrize("refusal", REFUSALS)
async def test_what_is_not_modern_is_begun_with_a_handshake(refusal: str) -> None:
    script = legacy(version="2025-06-18").on("server/discover", REFUSALS[refusal])
    with serving(script):
        async with source(script.url) as client:
            assert (await call(client)).text == "ok"
    assert script.methods[:4] == [
        "server/discover",
        "initialize",
        "notifications/initialized",
        "tools/call",
    ]
    [call_] = script.of("tools/call")
    assert call_.headers["mcp-protocol-version"] == "2025-06-18"
    assert call_.session == "s1"
    assert "mcp-session-id" not in script.of("initialize")[0].headers


@pytest.mark.rule("mcp-client-legacy-fallback")
async def test_before_2025_06_18_no_version_header_was_sent() -> None:
    with serving(legacy(version="2025-03-26")) as script:
        async with source(script.url) as client:
            await call(client)
    assert "mcp-protocol-version" not in script.of("tools/call")[0].headers


@pytest.mark.rule("mcp-client-legacy-fallback")
async def test_a_server_that_denies_every_method_of_both_eras_may_still_be_modern() -> None:
    script = modern().on("server/discover", lambda call: error(call, -32601, status=404))
    with serving(script):
        async with source(script.url) as client:
            assert (await call(client)).text == "ok"
    assert script.methods == ["server/discover", "initialize", "GET", "tools/call"]


@pytest.mark.rule("mcp-client-unknown-versions")
async def test_a_server_of_unknown_versions_is_unsupported() -> None:
    newer = {"supportedVersions": ["2031-01-01"], "capabilities": {}}
    for script in (
        modern().on("server/discover", lambda call: result(call, newer)),
        modern().on(
            "server/discover",
            lambda call: error(call, -32022, status=400, data={"supported": ["x"]}),
        ),
        legacy(version="2031-01-01"),
    ):
        with serving(script):
            async with source(script.url) as client:
                assert (await failing(client)).reason == "unsupported"


@pytest.mark.rule("mcp-client-era-silent")
@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Reply(status=401), "authentication"),
        (Reply(status=403), "authentication"),
        (Reply(status=408), "unavailable"),
        (Reply(status=429), "unavailable"),
        (Reply(status=500), "unavailable"),
        (
            Reply(
                status=503, body=b'{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":""}}'
            ),
            "unavailable",
        ),
        (Reply(kind="text/html", body=b"<h1>Sign in</h1>"), "invalid-response"),
        (Reply(status=302, headers={"location": "/login"}), "invalid-response"),
    ],
)
async def test_what_says_nothing_about_the_era_changes_none(reply: Reply, reason: str) -> None:
    script = modern()
    working = script.answers["server/discover"]
    script.on("server/discover", lambda call: reply, working)
    with serving(script):
        async with source(script.url) as client:
            first = await failing(client)
            assert first.reason == reason
            assert not first.may_have_run or reason == "invalid-response"
            assert (await call(client)).text == "ok"
    assert script.methods == ["server/discover", "server/discover", "tools/call"]


@pytest.mark.rule("mcp-client-era-silent", "mcp-client-never-sent")
async def test_a_refused_connection_is_unavailable_and_nothing_was_run() -> None:
    with nobody() as url:
        async with source(f"{url}/mcp") as client:
            failure = await failing(client)
            assert (failure.reason, failure.retryable, failure.may_have_run) == (
                "unavailable",
                True,
                False,
            )
            with pytest.raises(SourceError) as caught:
                await client.discover()
            assert (caught.value.reason, caught.value.retryable) == ("unavailable", True)


@pytest.mark.rule("mcp-client-era-silent", "mcp-client-limits")
async def test_silence_at_the_beginning_is_unavailable_and_no_handshake() -> None:
    held = threading.Event()

    def hold(connection: socket.socket) -> None:
        connection.recv(65536)
        held.wait(60)

    with raw(hold) as url:
        limits = Timeouts(connect=0.2, idle=60, total=60)
        async with source(url, timeouts=limits) as client:
            failure = await failing(client)
            held.set()
    assert failure.reason == "unavailable"
    assert "connect" in failure.description.lower()


@pytest.mark.rule("mcp-client-era-kept")
async def test_the_era_is_found_out_once_and_again_when_it_no_longer_holds() -> None:
    old, new = legacy(), modern()
    with serving(legacy()) as script:
        async with source(script.url) as client:
            await call(client)
            await call(client)
            assert script.methods.count("server/discover") == 1
            # the server is replaced by a modern one
            script.answers = new.answers
            script.on(
                "tools/call",
                lambda call: Reply(status=404) if call.session else result(call, text("new")),
            )
            assert (await call(client)).text == "new"
            # and back
            script.answers = {
                **old.answers,
                "tools/call": lambda call: (
                    result(call, text("old")) if call.session else Reply(status=400)
                ),
            }
            assert (await call(client)).text == "old"


@pytest.mark.rule("mcp-client-era-pinned")
async def test_a_pinned_era_is_the_only_one_tried() -> None:
    with serving(legacy()) as script:
        async with source(script.url).with_options(McpOptions(era="modern")) as client:
            assert (await failing(client)).reason == "unavailable"
        assert script.methods == ["server/discover"]
        async with source(script.url).with_options(McpOptions(era="legacy")) as client:
            await call(client)
        assert script.methods.count("server/discover") == 1


# --- sessions


@pytest.mark.rule("mcp-client-one-session")
async def test_one_session_serves_all_calls_and_is_ended() -> None:
    with serving(legacy()) as script:
        async with source(script.url) as client:
            async with anyio.create_task_group() as tasks:
                for _ in range(5):
                    tasks.start_soon(call, client)
            await client.discover()
        assert script.methods.count("initialize") == 1
        assert {seen.session for seen in script.of("tools/call")} == {"s1"}
        assert [seen.session for seen in script.of("DELETE")] == ["s1"]


@pytest.mark.rule("mcp-client-session-again")
async def test_a_restart_of_the_server_is_not_noticed() -> None:
    with serving(legacy()) as script:
        script.on(
            "tools/call", lambda call: Reply(status=404), lambda call: result(call, text("ok"))
        )
        async with source(script.url) as client:
            assert (await call(client)).text == "ok"
    assert [seen.session for seen in script.of("tools/call")] == ["s1", "s2"]
    assert len({seen.id for seen in script.of("tools/call")}) == 2


@pytest.mark.rule("mcp-client-session-again")
async def test_calls_that_lose_their_session_together_share_the_next() -> None:
    with serving(legacy()) as script:
        script.on(
            "tools/call",
            lambda call: Reply(status=404) if call.session == "s1" else result(call, text("ok")),
        )
        async with source(script.url) as client, anyio.create_task_group() as tasks:
            for _ in range(5):
                tasks.start_soon(call, client)
    assert script.methods.count("initialize") == 2
    assert len({seen.id for seen in script.of("tools/call")}) == len(script.of("tools/call"))


@pytest.mark.rule("mcp-client-session-again")
@pytest.mark.parametrize(
    "body",
    [b"", b'{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}'],
)
async def test_a_second_404_is_unavailable(body: bytes) -> None:
    with serving(legacy()) as script:
        script.on("tools/call", lambda call: Reply(status=404, body=body))
        async with source(script.url) as client:
            failure = await failing(client)
    assert (failure.reason, failure.retryable) == ("unavailable", False)
    assert script.methods.count("tools/call") == 2


@pytest.mark.rule("mcp-client-session-again")
async def test_other_refusals_begin_no_session() -> None:
    with serving(legacy()) as script:
        script.on("tools/call", lambda call: Reply(status=400))
        async with source(script.url) as client:
            assert (await failing(client)).reason == "source-error"
    assert script.methods.count("initialize") == 1


@pytest.mark.rule("mcp-client-session-for-each-user")
async def test_each_user_has_a_session_where_headers_differ() -> None:
    def headers(context: CallContext[object], /, *, refresh: bool) -> dict[str, str]:
        return {
            "Authorization": f"Bearer of-{context.principal.id if context.principal else 'nobody'}"
        }

    ada, bob = (
        CallContext(principal=Principal(id="ada")),
        CallContext(principal=Principal(id="bob")),
    )
    with serving(legacy()) as script:
        async with source(script.url, headers=headers) as client:
            for context in (ada, bob, ada):
                await call(client, context=context)
        pairs = [(seen.session, seen.headers["authorization"]) for seen in script.of("tools/call")]
        assert pairs == [("s1", "Bearer of-ada"), ("s2", "Bearer of-bob"), ("s1", "Bearer of-ada")]
        ended = {(seen.session, seen.headers["authorization"]) for seen in script.of("DELETE")}
        assert ended == {("s1", "Bearer of-ada"), ("s2", "Bearer of-bob")}


def of_each(context: CallContext[object], /, *, refresh: bool) -> dict[str, str]:
    """Headers that differ from user to user."""
    return {"Authorization": f"Bearer of-{context.principal.id if context.principal else '?'}"}


def user(name: str) -> CallContext[object]:
    return CallContext(principal=Principal(id=name))


@pytest.mark.rule("mcp-client-sessions-bounded")
async def test_the_session_that_was_used_longest_ago_is_ended_for_another() -> None:
    with serving(legacy()) as script:
        options = McpOptions(sessions=2)
        async with source(script.url, headers=of_each).with_options(options) as client:
            for name in ("ada", "bob", "ada", "eve", "ada", "bob"):
                await call(client, context=user(name))
            ended = [(seen.session, seen.headers["authorization"]) for seen in script.of("DELETE")]
            assert ended == [("s2", "Bearer of-bob"), ("s3", "Bearer of-eve")]
            calls = [seen.session for seen in script.of("tools/call")]
            assert calls == ["s1", "s2", "s1", "s3", "s1", "s4"]
        assert {seen.session for seen in script.of("DELETE")} == {"s1", "s2", "s3", "s4"}


@pytest.mark.rule("mcp-client-sessions-bounded")
async def test_a_session_that_was_idle_for_too_long_is_ended_and_another_begun() -> None:
    with serving(legacy()) as script:
        options = McpOptions(session_idle=0)
        async with source(script.url, headers=of_each).with_options(options) as client:
            await call(client, context=user("ada"))
            await call(client, context=user("bob"))
            assert [seen.session for seen in script.of("DELETE")] == ["s1"]
            await call(client, context=user("ada"))
            assert [seen.session for seen in script.of("DELETE")] == ["s1", "s2"]
            assert [seen.session for seen in script.of("tools/call")] == ["s1", "s2", "s3"]


@pytest.mark.rule("mcp-client-sessions-bounded")
async def test_a_session_in_use_is_not_ended() -> None:
    arrived, go = threading.Event(), threading.Event()

    def slowly(asked: Call) -> Reply:
        arrived.set()
        go.wait(60)
        return result(asked, text("ok"))

    with serving(
        legacy().on("tools/call", slowly, lambda asked: result(asked, text("ok")))
    ) as script:
        options = McpOptions(sessions=1, session_idle=0)
        async with source(script.url, headers=of_each).with_options(options) as client:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(lambda: call(client, context=user("ada")))
                await anyio.to_thread.run_sync(arrived.wait, 60)
                await call(client, context=user("bob"))
                assert script.of("DELETE") == []
                go.set()
            await call(client, context=user("eve"))
            assert {seen.session for seen in script.of("DELETE")} == {"s1", "s2"}


# --- HTTP+SSE


class Oldest(Script):
    """A server of 2024-11-05: answers come on the stream of a GET."""

    def __init__(self) -> None:
        super().__init__()
        self.streams: list[queue.Queue[bytes | None]] = []
        self.endpoint = "/messages?s=1"
        self.tool_answer = text("from the stream")

    def answer(self, call: Call) -> Reply:
        self.seen.append(call)
        if call.http == "GET":
            waiting: queue.Queue[bytes | None] = queue.Queue()
            self.streams.append(waiting)
            first = f"event: endpoint\r\ndata: {self.endpoint}\r\n\r\n".encode()
            return Reply(kind=EVENTS, body=self._pieces(first, waiting))
        if not call.path.startswith("/messages"):
            return Reply(status=405)
        waiting = self.streams[-1]
        if call.method == "initialize":
            told = {"tools": {"listChanged": True}}
            begun = {"protocolVersion": "2024-11-05", "capabilities": told, "serverInfo": {}}
            waiting.put(b": ping\n\n" + event(response(call, begun)))
        elif call.method == "tools/list":
            waiting.put(event(response(call, {"tools": [{"name": "old"}]})))
        elif call.method == "tools/call":
            waiting.put(event(response(call, self.tool_answer)))
        return Reply(status=202, body=b"Accepted", kind="text/plain")

    @staticmethod
    def _pieces(first: bytes, waiting: "queue.Queue[bytes | None]") -> Iterator[bytes]:
        yield first
        while (piece := waiting.get()) is not None:
            yield piece


@contextmanager
def serving_oldest(script: Oldest) -> Generator[Oldest]:
    """Serve while the block runs; at its end every stream ends."""
    with serving(script):
        try:
            yield script
        finally:
            for each in script.streams:
                each.put(None)


@pytest.mark.rule("mcp-client-oldest-fallback")
async def test_the_oldest_transport_is_the_last_resort() -> None:
    with serving_oldest(Oldest()) as script:
        async with source(script.url) as client:
            assert (await call(client)).text == "from the stream"
            assert [tool.name for tool in (await client.discover()).definitions] == ["old"]
    # Found out once; then each question has a stream and a session of its own.
    assert script.methods[:4] == ["server/discover", "initialize", "GET", "initialize"]
    assert script.methods.count("server/discover") == 1
    assert script.methods.count("GET") == 3


@pytest.mark.rule("mcp-client-changes-legacy")
async def test_the_oldest_transport_tells_of_changes_too() -> None:
    changed = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
    with serving_oldest(Oldest()) as script:
        client = source(script.url).with_options(McpOptions(relisten=0.01))
        async with client, client.changes() as changes:
            script.streams[-1].put(event({"jsonrpc": "2.0", "id": 1, "method": "ping"}))
            script.streams[-1].put(event(changed))
            await step(changes)
            script.streams[-1].put(None)
            await step(changes)
    assert {"jsonrpc": "2.0", "id": 1, "result": {}} in [seen.message for seen in script.seen]


@pytest.mark.rule("mcp-client-oldest-fallback")
async def test_an_endpoint_in_another_origin_is_refused() -> None:
    script = Oldest()
    script.endpoint = "http://169.254.169.254/latest"
    with serving_oldest(script):
        async with source(script.url, headers={"Authorization": "Bearer secret-1"}) as client:
            assert (await failing(client)).reason == "invalid-response"


@pytest.mark.rule("mcp-client-oldest-fallback")
async def test_where_nothing_works_the_first_error_is_said_first() -> None:
    script = Script()
    script.on(
        "server/discover",
        lambda call: Reply(status=400, body=b"unknown protocol version", kind="text/plain"),
    )
    script.on("initialize", lambda call: Reply(status=400, body=b"second", kind="text/plain"))
    with serving(script):
        async with source(script.url) as client:
            failure = await failing(client)
    assert failure.reason == "unavailable"
    words = failure.description
    assert words.index("unknown protocol version") < words.index("second") < words.index("405")


@pytest.mark.rule("mcp-client-lifecycle")
async def test_a_closed_source_says_so_and_opens_again() -> None:
    with serving(modern()) as script:
        client = source(script.url)
        assert (await call(client)).text == "ok"
        await client.aclose()
        await client.aclose()
        failure = await failing(client)
        assert (failure.reason, failure.retryable) == ("unavailable", False)
        assert "closed" in failure.description
        async with client:
            assert (await call(client)).text == "ok"


@pytest.mark.rule("mcp-client-lifecycle")
async def test_sources_open_and_close_in_any_task_and_order() -> None:
    with serving(legacy()) as script:
        a, b = source(script.url), source(script.url)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(call, a)
            tasks.start_soon(call, b)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(a.aclose)
        assert (await call(b)).text == "ok"
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(b.aclose)


@pytest.mark.rule("mcp-client-one-session")
async def test_a_lost_handshake_is_made_again() -> None:
    with serving(legacy()) as script:
        begun = script.answers["initialize"]
        script.on("initialize", dropped, begun)
        async with source(script.url, timeouts=AMPLE) as client:
            assert (await call(client)).text == "ok"
    assert json.loads(script.of("initialize")[0].body)["params"]["capabilities"] == {}
