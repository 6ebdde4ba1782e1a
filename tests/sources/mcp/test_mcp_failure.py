"""Over HTTP: what goes wrong, as reasons; what is sent again; what never reaches a model."""

import json
import socket
import threading
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import anyio
import httpx
import httpx2
import pytest

from tests.sources.loopback import read_head
from tests.sources.loopback import scripted as raw
from tests.sources.mcp.asking import call, failing, hurry, source, tool
from tests.sources.mcp.memory import asking
from tests.sources.mcp.scripted import (
    Call,
    Reply,
    dropped,
    error,
    event,
    legacy,
    modern,
    progress,
    result,
    serving,
    stream,
    text,
)
from toolroll.outcome import ConfigError
from toolroll.sources.adoption import as_toolkit
from toolroll.sources.mcp import mcp_http
from toolroll.sources.mcp.failure import read_retry_after
from toolroll.sources.source import SourceError, Timeouts
from toolroll.tools.call import ToolCall
from toolroll.tools.context import CallContext
from toolroll.tools.hints import Hints

pytestmark = pytest.mark.anyio

READS, WRITES = Hints(read_only=True), Hints(destructive=True)


@pytest.mark.rule("mcp-client-one-drop-one-call")
async def test_one_dropped_connection_costs_one_call() -> None:
    script = modern().on("tools/call", dropped, lambda call: result(call, text("ok")))
    with serving(script):
        async with source(script.url) as client:
            await failing(client)
            assert (await call(client)).text == "ok"


@pytest.mark.rule("mcp-client-one-drop-one-call")
async def test_a_drop_among_many_calls_costs_that_one() -> None:
    def answer(call: Call) -> Reply:
        return dropped(call) if call.params["arguments"]["n"] == 3 else result(call, text("ok"))

    outcomes: list[str] = []
    with serving(modern().on("tools/call", answer)) as script:
        async with source(script.url) as client:
            await client.discover()

            async def one(n: int) -> None:
                try:
                    outcomes.append((await call(client, {"n": n})).text)
                except SourceError as failure:
                    outcomes.append(failure.reason)

            async with anyio.create_task_group() as tasks:
                for n in range(8):
                    tasks.start_soon(one, n)
    assert sorted(outcomes) == ["ok"] * 7 + ["outcome-unknown"]


LOSSES = {
    "before the answer": dropped,
    "in the middle of a body": lambda call: Reply(body=b'{"jsonrpc":', reset=True),
    "a stream that ends": lambda call: stream(event(progress(call, 1))),
    "a stream that breaks": lambda call: stream(event(progress(call, 1)), reset=True),
}


@pytest.mark.rule("mcp-client-lost-answer")
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize(
    "hints", [Hints(), WRITES, READS], ids=["unsaid", "writes", "reads untrusted"]
)
async def test_a_lost_call_is_never_repeated_on_a_servers_word(loss: str, hints: Hints) -> None:
    with serving(modern().on("tools/call", LOSSES[loss])) as script:
        async with source(script.url) as client:
            failure = await failing(client, tool=tool("pay", hints=hints))
    assert (failure.reason, failure.retryable, failure.may_have_run) == (
        "outcome-unknown",
        False,
        True,
    )
    assert "may have run" in failure.message
    assert script.methods.count("tools/call") == 1


@pytest.mark.rule("mcp-client-lost-answer")
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("hints", [READS, Hints(idempotent=True)], ids=["reads", "idempotent"])
async def test_a_lost_call_that_does_no_harm_is_sent_again_once(loss: str, hints: Hints) -> None:
    good = lambda call: result(call, text("ok"))  # noqa: E731
    with serving(modern().on("tools/call", LOSSES[loss], good)) as script:
        async with source(script.url, trust=True) as client:
            assert (await call(client, tool=tool(hints=hints))).text == "ok"
            assert len({seen.id for seen in script.of("tools/call")}) == 2
            script.on("tools/call", LOSSES[loss])
            failure = await failing(client, tool=tool(hints=hints))
            assert failure.reason == "outcome-unknown"
            assert script.methods.count("tools/call") == 4


@pytest.mark.rule("mcp-client-lost-answer")
async def test_a_tools_own_error_is_no_reason_to_repeat() -> None:
    bad = {"isError": True, "content": [{"type": "text", "text": "invalid account"}]}
    with serving(legacy().on("tools/call", lambda call: result(call, bad))) as script:
        async with source(script.url, trust=True) as client:
            answer = await call(client, tool=tool("pay", hints=Hints(idempotent=True)))
    assert (answer.is_error, answer.text) == (True, "invalid account")
    assert script.methods.count("tools/call") == script.methods.count("initialize") == 1


@pytest.mark.rule("mcp-client-lost-answer")
async def test_a_listing_may_be_repeated() -> None:
    with serving(modern()) as script:
        script.on("tools/list", dropped, script.answers["tools/list"])
        async with source(script.url) as client:
            assert len((await client.discover()).definitions) == 1
            script.on("tools/list", dropped)
            with pytest.raises(SourceError) as caught:
                await client.discover()
            assert (caught.value.reason, caught.value.may_have_run) == ("unavailable", False)


@pytest.mark.rule("mcp-client-statuses")
@pytest.mark.parametrize(
    ("status", "reason", "may_have_run", "retryable"),
    [
        (401, "authentication", False, False),
        (403, "authentication", False, False),
        (405, "unavailable", False, False),
        (408, "unavailable", False, True),
        (413, "invalid-input", False, False),
        (418, "source-error", False, False),
        (429, "unavailable", False, True),
        (500, "unavailable", True, False),
        (501, "unavailable", False, False),
        (502, "unavailable", True, False),
        (503, "unavailable", False, True),
        (504, "unavailable", True, False),
        (202, "invalid-response", True, False),
        (302, "invalid-response", False, False),
    ],
)
async def test_a_status_has_its_reason(
    status: int, reason: str, may_have_run: bool, retryable: bool
) -> None:
    with serving(legacy().on("tools/call", lambda call: Reply(status=status))) as script:
        async with source(script.url) as client:
            failure = await failing(client)
    assert (failure.reason, failure.may_have_run, failure.retryable) == (
        reason,
        may_have_run,
        retryable,
    )


@pytest.mark.rule("mcp-client-statuses")
async def test_a_500_may_be_tried_again_where_that_does_no_harm() -> None:
    with serving(modern().on("tools/call", lambda call: Reply(status=500))) as script:
        async with source(script.url, trust=True) as client:
            failure = await failing(client, tool=tool(hints=READS))
    assert (failure.retryable, failure.may_have_run) == (True, False)


@pytest.mark.rule("mcp-client-statuses")
@pytest.mark.parametrize("status", [403, 429, 503])
async def test_retry_after_is_passed_on(status: int) -> None:
    reply = Reply(status=status, headers={"Retry-After": "7"})
    with serving(modern().on("tools/call", lambda call: reply)) as script:
        async with source(script.url) as client:
            failure = await failing(client)
    assert (failure.reason, failure.retry_after) == ("unavailable", 7.0)


@pytest.mark.rule("mcp-client-statuses")
async def test_retry_after_may_be_a_date_and_nonsense_is_none() -> None:
    soon = read_retry_after(format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True))
    assert soon is not None
    assert 3000 < soon <= 3600
    assert read_retry_after("Wed, 21 Oct 2015 07:28:00 GMT") == 0.0
    assert read_retry_after("9" * 9) == 24 * 3600
    assert [
        read_retry_after(bad) for bad in ("", "soon", "-5", "1e9", "9" * 30, "Wed, 99 Foo")
    ] == [None] * 6


@pytest.mark.rule("mcp-client-error-codes")
@pytest.mark.parametrize(
    ("code", "reason", "may_have_run"),
    [
        (-32602, "invalid-input", False),
        (-32601, "unsupported", False),
        (-32021, "unsupported", False),
        (-32042, "unsupported", False),
        (-32600, "source-error", False),
        (-32700, "source-error", False),
        (-32603, "source-error", True),
        (-32000, "source-error", True),
        (0, "source-error", True),
        (4711, "source-error", True),
    ],
)
async def test_an_error_has_its_reason(code: int, reason: str, may_have_run: bool) -> None:
    with serving(
        legacy().on("tools/call", lambda call: error(call, code, "upstream 502"))
    ) as script:
        async with source(script.url) as client:
            failure = await failing(client)
    assert (failure.reason, failure.may_have_run, failure.retryable) == (
        reason,
        may_have_run,
        False,
    )
    assert ("upstream 502" in failure.message) is (code == -32602)
    assert "upstream 502" in failure.description


@pytest.mark.rule("mcp-client-error-codes")
async def test_words_of_an_error_are_one_line_of_bounded_length() -> None:
    long = "no\n\x1b[31m such account" + "!" * 10_000
    with serving(modern().on("tools/call", lambda call: error(call, -32602, long))) as script:
        async with source(script.url) as client:
            failure = await failing(client)
    assert failure.message.startswith("no such account!")
    assert len(failure.message) <= 500


BODIES: dict[str, bytes] = {
    "no JSON": b"Bad",
    "another id": b'{"jsonrpc":"2.0","id":"other","result":{}}',
    "no object": b'{"jsonrpc":"2.0","id":1,"result":7}',
    "empty": b"",
    "not UTF-8": b"\xff",
    "an empty batch": b"[]",
}


@pytest.mark.rule("mcp-client-error-codes")
@pytest.mark.parametrize("body", BODIES)
async def test_an_answer_that_is_none_is_an_invalid_response(body: str) -> None:
    with serving(legacy().on("tools/call", lambda call: Reply(body=BODIES[body]))) as script:
        async with source(script.url) as client:
            assert (await failing(client)).reason == "invalid-response"
            script.on("tools/call", lambda call: result(call, text("ok")))
            assert (await call(client)).text == "ok"


# --- secrets

SECRET, KEY = "s3cr3t-token-of-ours", "k3y-in-the-address"


def _telling(call: Call) -> str:
    return f"{call.headers.get('authorization')} {call.path} {call.headers['host']} 10.1.2.3:5432"


TELLERS: dict[str, Any] = {
    "error": lambda call: error(call, -32602, _telling(call)),
    "other error": lambda call: error(call, -32603, _telling(call), data={"at": _telling(call)}),
    "result": lambda call: result(call, text(f"{call.headers.get('authorization')} {call.path}")),
    "data": lambda call: result(
        call, {"content": [], "structuredContent": {call.headers["authorization"]: [call.path]}}
    ),
    "failure": lambda call: result(
        call, {**text(f"{call.headers.get('authorization')} {call.path}"), "isError": True}
    ),
    "stream": lambda call: stream(
        event({"jsonrpc": "2.0", "id": call.id, "result": text(str(call.headers["authorization"]))})
    ),
    "status": lambda call: Reply(status=500, body=_telling(call).encode(), kind="text/plain"),
    "page": lambda call: Reply(status=401, body=_telling(call).encode(), kind="text/html"),
    "drop": dropped,
}


@pytest.mark.rule("mcp-client-no-secrets")
@pytest.mark.parametrize("teller", TELLERS)
async def test_nothing_of_ours_reaches_a_model(teller: str) -> None:
    with serving(modern().on("tools/call", TELLERS[teller])) as script:
        url = f"{script.url}?api_key={KEY}"
        headers = {"Authorization": f"Bearer {SECRET}"}
        host = script.url.partition("//")[2].partition("/")[0]
        async with source(url, headers=headers) as client:
            kit = as_toolkit(client, [tool()])
            outcome = await kit.call(ToolCall.of("echo", {}), CallContext())
        seen = str(outcome.for_model()) + str(outcome.to_json())
        assert script.of("tools/call")
        for ours in (SECRET, KEY, host, "10.1.2.3"):
            assert ours not in seen, outcome


@pytest.mark.rule("mcp-client-no-secrets")
async def test_a_clients_own_credentials_are_hidden_too() -> None:
    with serving(modern().on("tools/call", TELLERS["result"])) as script:
        for library in (httpx, httpx2):
            async with library.AsyncClient(headers={"Authorization": f"Bearer {SECRET}"}) as http:
                async with source(script.url, client=http) as client:
                    assert SECRET not in (await call(client)).text
        assert SECRET in script.of("tools/call")[0].headers["authorization"]


# --- credentials


class Tokens:
    """Makes tokens as a host does; counts how often it was asked for another."""

    def __init__(self, *tokens: str) -> None:
        self.tokens, self.refreshes, self.at = tokens, 0, 0

    async def __call__(self, context: CallContext[object], /, *, refresh: bool) -> dict[str, str]:
        if refresh:
            self.refreshes += 1
            self.at = min(self.at + 1, len(self.tokens) - 1)
        return {"Authorization": f"Bearer {self.tokens[self.at]}"}


def _wants(token: str) -> Any:
    def answer(call: Call) -> Reply:
        if call.headers.get("authorization") != f"Bearer {token}":
            return Reply(status=401, headers={"WWW-Authenticate": "Bearer"})
        return result(call, text("ok"))

    return answer


@pytest.mark.rule("mcp-client-renews-headers")
async def test_a_refused_token_is_renewed_once_for_all_that_were_refused() -> None:
    tokens = Tokens("t1-expired", "t2-fresh")
    with serving(legacy().on("tools/call", _wants("t2-fresh"))) as script:
        async with source(script.url, headers=tokens) as client:
            async with anyio.create_task_group() as tasks:
                for _ in range(4):
                    tasks.start_soon(call, client)
    assert tokens.refreshes == 1
    assert {seen.path for seen in script.seen} == {"/mcp"}  # nothing asks for authorization servers


@pytest.mark.rule("mcp-client-renews-headers")
async def test_a_token_that_is_refused_again_is_an_authentication_failure() -> None:
    with serving(legacy().on("tools/call", _wants("another"))) as script:
        for headers, posts in ((Tokens("t1-same"), 1), (Tokens("t1-old", "t2-bad"), 2)):
            script.seen.clear()
            async with source(script.url, headers=headers) as client:
                failure = await failing(client)
            assert (failure.reason, failure.retryable) == ("authentication", False)
            assert script.methods.count("tools/call") == posts


@pytest.mark.rule("mcp-client-renews-headers")
async def test_headers_that_cannot_be_made_fail_the_call() -> None:
    def broken(context: CallContext[object], /, *, refresh: bool) -> dict[str, str]:
        raise LookupError(f"vault at 10.0.0.7 has no {SECRET}")

    with serving(modern()) as script:
        async with source(script.url, headers=broken) as client:
            failure = await failing(client)
    assert (failure.reason, failure.may_have_run) == ("source-error", False)
    assert SECRET not in str(failure)
    assert script.seen == []


# --- redirects and addresses


@pytest.mark.rule("mcp-client-redirects")
@pytest.mark.parametrize("status", [307, 308])
async def test_a_redirect_within_the_origin_keeps_method_body_and_headers(status: int) -> None:
    def answer(call: Call) -> Reply:
        if call.path == "/mcp":
            return Reply(status=status, headers={"Location": "/elsewhere"})
        return result(call, text("ok"))

    with serving(modern().on("tools/call", answer)) as script:
        async with source(script.url, headers={"Authorization": "Bearer x"}) as client:
            assert (await call(client)).text == "ok"
    first, second = script.of("tools/call")
    assert (second.http, second.body) == ("POST", first.body)
    assert second.headers["authorization"] == "Bearer x"


@pytest.mark.rule("mcp-client-redirects")
async def test_a_redirect_elsewhere_is_refused_and_carries_nothing() -> None:
    with serving(modern()) as other, serving(modern()) as script:
        for place in (
            other.url,
            "//evil.example/mcp",
            "https://127.0.0.1/mcp",
            "http://[::1",
            "/mcp",
        ):
            script.on(
                "tools/call", lambda call, to=place: Reply(status=307, headers={"Location": to})
            )
            async with source(script.url, headers={"Authorization": "Bearer x"}) as client:
                failure = await failing(client)
            assert (failure.reason, failure.may_have_run) == ("invalid-response", False)
        assert other.seen == []


@pytest.mark.rule("mcp-client-address-checked")
@pytest.mark.parametrize(
    "url",
    [
        "",
        "mcp.example",
        "ftp://mcp.example",
        "file:///etc/passwd",
        "http://",
        "http://u:p@mcp.example",
        "http://[::1",
    ],
)
def test_an_address_that_cannot_be_used_is_refused_at_once(url: str) -> None:
    with pytest.raises(ConfigError) as caught:
        mcp_http("demo", url)
    assert "u:p" not in str(caught.value)


# --- time


@pytest.mark.rule("mcp-client-limits", "mcp-client-row-default-limit")
@pytest.mark.parametrize(
    ("limits", "reason", "says"),
    [
        ({"idle": 0.2}, "idle-timed-out", "idle limit of 0.2 s"),
        ({"total": 0.2}, "timed-out", "total limit of 0.2 s"),
    ],
    ids=["idle", "total"],
)
async def test_a_silent_server_meets_the_limit_that_comes_first(
    limits: dict[str, float], reason: str, says: str
) -> None:
    held = threading.Event()
    script = modern().on("tools/call", lambda call: (held.wait(60), dropped(call))[1])
    with serving(script):
        async with source(script.url) as client:
            await client.discover()
            hurry(client, **limits)
            failure = await failing(client)
            held.set()
    assert (failure.reason, failure.may_have_run, failure.retryable) == (reason, True, False)
    assert says in failure.description


@pytest.mark.usefixtures("virtual_time")
@pytest.mark.rule("mcp-client-limits", "mcp-client-row-progress")
async def test_progress_keeps_a_call_alive_but_not_for_ever() -> None:
    async def steps(call: Call) -> AsyncIterator[bytes]:
        for step in range(1, 1000):
            yield b": still here\n\n" + event(progress(call, step))
            await anyio.sleep(0.5)

    script = modern().on(
        "tools/call", lambda call: Reply(body=steps(call), kind="text/event-stream")
    )
    limits = Timeouts(connect=60, idle=0.6, total=20)
    async with asking(script, timeouts=limits) as client:
        began = anyio.current_time()
        failure = await failing(client)
    assert failure.reason == "timed-out"
    assert "total" in failure.description
    assert anyio.current_time() - began == pytest.approx(20)


@pytest.mark.rule("mcp-client-limits")
async def test_comments_and_late_bytes_are_no_sign_of_life() -> None:
    held = threading.Event()

    def pings() -> Any:
        while not held.wait(0.05):
            yield b": ping\n\n"

    script = modern().on("tools/call", lambda call: Reply(body=pings(), kind="text/event-stream"))
    with serving(script):
        async with source(script.url) as client:
            await client.discover()
            hurry(client, idle=0.3)
            assert (await failing(client)).reason == "idle-timed-out"
            held.set()


@pytest.mark.rule("mcp-client-limits")
async def test_a_listing_that_is_silent_may_be_tried_again() -> None:
    held = threading.Event()
    script = modern().on("tools/list", lambda call: (held.wait(60), dropped(call))[1])
    with serving(script):
        async with source(script.url) as client:
            await call(client)
            hurry(client, idle=0.2)
            with pytest.raises(SourceError) as caught:
                await client.discover()
            held.set()
    assert caught.value.retryable
    assert not caught.value.may_have_run


@pytest.mark.rule("mcp-client-deadline")
async def test_the_callers_deadline_counts() -> None:
    held = threading.Event()
    script = modern().on("tools/call", lambda call: (held.wait(60), dropped(call))[1])
    with serving(script):
        async with source(script.url) as client:
            await client.discover()
            context = CallContext(deadline=anyio.current_time() + 0.2)
            failure = await failing(client, context=context)
            held.set()
    assert failure.reason == "timed-out"


@pytest.mark.rule("mcp-client-one-drop-one-call")
async def test_a_server_that_hangs_up_between_calls_costs_none() -> None:
    closed = threading.Event()

    def script(connection: socket.socket) -> None:
        while head := read_head(connection):
            length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0] or 0)
            body = head.partition(b"\r\n\r\n")[2]
            while len(body) < length:
                body += connection.recv(65536)
            message = json.loads(body)
            found = {"supportedVersions": ["2026-07-28"]}
            value = found if message["method"] == "server/discover" else text("ok")
            answer = {"jsonrpc": "2.0", "id": message["id"], "result": value}
            data = json.dumps(answer).encode()
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n")
            connection.sendall(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
            if message["method"] == "tools/call":
                break
        connection.shutdown(socket.SHUT_RDWR)
        connection.close()
        closed.set()

    with raw(script) as url:
        async with source(url) as client:
            for _ in range(3):
                closed.clear()
                assert (await call(client)).text == "ok"
                assert await anyio.to_thread.run_sync(closed.wait, 60)
