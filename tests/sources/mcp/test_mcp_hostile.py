"""Over HTTP: servers that mean harm, or count as if they did."""

import gzip
import itertools
import json
from typing import Any

import httpx2
import pytest

from tests.sources.mcp.asking import call, failing, looking, source
from tests.sources.mcp.scripted import (
    MODERN,
    Call,
    Reply,
    Script,
    error,
    event,
    legacy,
    modern,
    progress,
    response,
    result,
    serving,
    stream,
    text,
)
from toolroll.sources.mcp import McpOptions
from toolroll.tools.context import CallContext, Progress, Question
from toolroll.tools.context import Reply as Answer

pytestmark = pytest.mark.anyio

ENDLESS = 10**400
"""An integer that JSON can say and no float can hold."""


@pytest.mark.rule("mcp-client-odd-numbers")
async def test_numbers_beyond_every_float_spoil_no_call_and_no_listing() -> None:
    script = modern()
    listed = {"tools": [], "ttlMs": ENDLESS, "resultType": "complete"}
    script.on("tools/list", lambda call: result(call, listed))
    script.on(
        "tools/call",
        lambda call: stream(
            event(progress(call, ENDLESS)),
            event(progress(call, 1, total=ENDLESS, message="half")),
            event(response(call, text("ok"))),
        ),
    )
    heard: list[Progress] = []
    with serving(script):
        async with source(script.url) as client:
            assert (await client.discover()).ttl is not None
            answer = await call(client, context=CallContext(on_progress=heard.append))
    assert answer.text == "ok"
    assert heard == [Progress("half", 1, None)]


@pytest.mark.rule("mcp-client-time-to-end")
async def test_other_tasks_run_while_one_packed_chunk_is_read() -> None:
    def flood(call: Call) -> Reply:
        steps = b"".join(event(progress(call, step)) for step in range(15_000))
        packed = gzip.compress(steps + event(response(call, text("ok"))))
        headers = {"content-encoding": "gzip"}
        return Reply(headers=headers, body=iter([packed]), kind="text/event-stream")

    script = modern().on("tools/call", flood)
    heard: list[Progress] = []
    with serving(script):
        async with source(script.url) as client, looking(lambda: len(heard)) as seen:
            answer = await call(client, context=CallContext(on_progress=heard.append))
            assert answer.text == "ok"
    assert len(heard) == 15_000
    assert len(seen) > 10


@pytest.mark.rule("mcp-client-time-to-end")
async def test_other_tasks_run_while_a_page_of_many_tools_is_read() -> None:
    tools = [{"name": f"t{number}"} for number in range(3_000)]

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked = json.loads(request.content)
        found = {"supportedVersions": [MODERN], "capabilities": {}, "tools": tools}
        return httpx2.Response(
            200,
            json={"jsonrpc": "2.0", "id": asked["id"], "result": found},
        )

    async with (
        httpx2.AsyncClient(transport=httpx2.MockTransport(answer)) as own,
        source("https://mcp.test/mcp", client=own) as client,
        looking(itertools.count().__next__) as turns,
    ):
        assert len((await client.discover()).definitions) == 3_000
    assert len(turns) > 50


@pytest.mark.rule("mcp-client-logs-bounded")
async def test_a_flood_of_requests_of_a_modern_server_is_not_a_flood_of_warnings(
    caplog: pytest.LogCaptureFixture,
) -> None:
    ask = {"jsonrpc": "2.0", "id": "r", "method": "ping"}
    script = modern().on(
        "tools/call", lambda call: stream(event(ask) * 200, event(response(call, text("ok"))))
    )
    with serving(script):
        async with source(script.url) as client:
            assert (await call(client)).text == "ok"
    assert 1 <= len(caplog.records) <= 10


@pytest.mark.rule("mcp-client-bounded")
async def test_a_first_event_of_the_oldest_transport_may_be_too_large() -> None:
    script = Script()
    script.on("server/discover", lambda _: Reply(status=400))
    script.on("initialize", lambda _: Reply(status=400))
    script.on("GET", lambda _: stream(b"data: " + b"x" * 5000 + b"\n\n"))
    with serving(script):
        async with source(script.url).with_options(McpOptions(message_bytes=1024)) as client:
            assert (await failing(client)).reason == "result-too-large"


@pytest.mark.rule("mcp-client-session-id")
@pytest.mark.parametrize("id", ["s\xe9", "s\x7f"], ids=ascii)
@pytest.mark.parametrize("own", [True, False])
async def test_a_session_id_that_no_header_holds_is_an_invalid_response(id: str, own: bool) -> None:
    script = legacy()
    begun = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {}}
    script.on("initialize", lambda call: result(call, begun, mcp_session_id=id))
    async with httpx2.AsyncClient() as client:
        with serving(script):
            async with source(script.url, client=None if own else client) as asked:
                assert (await failing(asked)).reason == "invalid-response"


def refusal(call: Call, words: str) -> dict[str, Any]:
    """Invalid params as a message."""
    return {"jsonrpc": "2.0", "id": call.id, "error": {"code": -32602, "message": words}}


TOKEN = "tok-4711/abcDEF+ghi"
TENANT = "tenant-acme-000001"


@pytest.mark.rule("mcp-client-no-secrets")
async def test_a_credential_at_the_end_of_what_is_shown_is_not_cut_in_two() -> None:
    words = "e" * 490 + " " + TOKEN
    steps = "e" * 1990 + " " + TOKEN
    script = modern()
    script.on(
        "tools/call",
        lambda call: stream(event(progress(call, 1, message=steps)), event(refusal(call, words))),
    )
    heard: list[Progress] = []
    with serving(script):
        async with source(script.url, headers={"Authorization": f"Bearer {TOKEN}"}) as client:
            context = CallContext(on_progress=heard.append)
            told = (await failing(client, context=context)).message
    assert told.startswith("eee")
    for said in (told, heard[0].message):
        assert "tok" not in said


@pytest.mark.rule("mcp-client-no-secrets")
async def test_a_credential_that_the_client_got_later_is_hidden_too() -> None:
    script = modern().on("tools/call", lambda call: result(call, text(f"you are {TOKEN}")))
    with serving(script):
        async with httpx2.AsyncClient() as own, source(script.url, client=own) as client:
            assert (await call(client)).text == f"you are {TOKEN}"
            own.headers["Authorization"] = f"Bearer {TOKEN}"
            assert (await call(client)).text == "you are [hidden]"


@pytest.mark.rule("mcp-client-no-secrets")
async def test_words_for_the_host_show_no_credential_either() -> None:
    script = modern().on(
        "tools/call",
        lambda _: Reply(status=401, body=f"bad token {TOKEN}".encode(), kind="text/plain"),
        lambda call: error(call, -32603, f"bad token {TOKEN}"),
    )
    with serving(script):
        async with source(script.url, headers={"Authorization": f"Bearer {TOKEN}"}) as client:
            for _ in range(2):
                assert (await failing(client)).description.endswith("bad token [hidden]")


@pytest.mark.rule("mcp-client-sent-back-exactly")
async def test_what_only_the_server_reads_goes_back_as_it_wrote_it() -> None:
    state, question = f"st {TENANT}", {"message": TENANT, "requestedSchema": {"type": "object"}}
    asked = {
        "resultType": "input_required",
        "requestState": state,
        "inputRequests": {f"q {TENANT}": {"method": "elicitation/create", "params": question}},
    }
    pages = [
        {"tools": [], "resultType": "complete", "nextCursor": f"{TENANT}:2"},
        {"tools": [], "resultType": "complete"},
    ]
    script = modern()
    script.on("tools/list", *(lambda call, page=page: result(call, page) for page in pages))
    script.on(
        "tools/call", lambda call: result(call, asked), lambda call: result(call, text("done"))
    )

    async def ask(question: Question) -> Answer:
        assert TENANT not in question.message
        return Answer("accept", {})

    with serving(script):
        async with source(script.url, headers={"X-Tenant": TENANT}) as client:
            await client.discover()
            assert (await call(client, context=CallContext(on_ask=ask))).text == "done"
    assert script.of("tools/list")[1].params["cursor"] == f"{TENANT}:2"
    assert script.of("tools/call")[1].params["requestState"] == state
    assert [*script.of("tools/call")[1].params["inputResponses"]] == [f"q {TENANT}"]
