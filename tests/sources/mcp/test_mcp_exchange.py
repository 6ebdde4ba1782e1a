"""Over HTTP: streams, headers, cancellation, and what a server asks back."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sources.mcp.asking import call, failing, hurry, source, tool
from tests.sources.mcp.memory import asking
from tests.sources.mcp.scripted import (
    EVENTS,
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
from toolroll.outcome import Outcome
from toolroll.sources.adoption import as_toolkit
from toolroll.sources.mcp import McpOptions, McpSource
from toolroll.sources.mcp.event import Event, EventReader, EventTooLong
from toolroll.sources.source import SourceError, Timeouts
from toolroll.testing.polling import until
from toolroll.tools.behavior import Behavior
from toolroll.tools.call import ToolCall
from toolroll.tools.cancel import CancelSignal
from toolroll.tools.context import CallContext, Progress, Question
from toolroll.tools.context import Reply as Answer

pytestmark = pytest.mark.anyio


# --- events


def _events(*chunks: bytes) -> list[Event]:
    reader = EventReader()
    return [each for chunk in chunks for each in reader.feed(chunk)]


@pytest.mark.rule("mcp-client-sse")
def test_events_are_read_as_the_standard_has_them() -> None:
    read = _events(
        b': ping\r\nevent: message\r\ndata: {"jsonrpc":"2.0","id":2,\r\ndata: "result":{"ok":1}}\r\n\r\n'
        b': keepalive\n\nid: 7\nfoo: bar\ndata: {"jsonrpc":"2.0","method":"n"}\n\n'
    )
    assert [json.loads(each.data) for each in read] == [
        {"jsonrpc": "2.0", "id": 2, "result": {"ok": 1}},
        {"jsonrpc": "2.0", "method": "n"},
    ]
    assert [each.id for each in read] == [None, "7"]


CASES: dict[str, tuple[bytes, list[bytes]]] = {
    "a byte order mark": (b"\xef\xbb\xbfdata: a\n\n", [b"a"]),
    "no space behind the colon": (b"data:a\n\n", [b"a"]),
    "one space only is taken": (b"data:  a\n\n", [b" a"]),
    "a field without a colon": (b"data\n\n", [b""]),
    "CR alone": (b"data: a\r\rdata: b\r\r", [b"a", b"b"]),
    "no data": (b"event: x\nid: 1\n\n", []),
    "an event without an end": (b"data: a\n\ndata: lost\n", [b"a"]),
    "line separators are text": ("data: a\u2028b\x0bc\n\n".encode(), ["a\u2028b\x0bc".encode()]),
}


@pytest.mark.rule("mcp-client-sse")
@pytest.mark.parametrize("case", CASES)
def test_odd_events_are_read(case: str) -> None:
    text_, data = CASES[case]
    assert [each.data for each in _events(text_)] == data
    assert [
        each.data for each in _events(*(text_[at : at + 1] for at in range(len(text_))))
    ] == data


@pytest.mark.rule("mcp-client-sse")
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["a", "b c", "", "é", ":", "data: x"]),
            st.sampled_from(["\n", "\r", "\r\n"]),
        )
    ),
    st.data(),
)
def test_where_a_chunk_ends_does_not_matter(
    lines: list[tuple[str, str]], data: st.DataObject
) -> None:
    raw = b"".join(f"data: {words}{end}{end}".encode() for words, end in lines)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(raw)), max_size=6)))
    pieces = [raw[a:b] for a, b in zip([0, *cuts], [*cuts, len(raw)], strict=True)]
    assert _events(*pieces) == _events(raw)
    assert [each.data.decode() for each in _events(raw)] == [words for words, _ in lines]


@pytest.mark.rule("mcp-client-sse")
def test_an_id_counts_when_its_event_ends_and_a_retry_at_once() -> None:
    reader = EventReader()
    reader.feed(b"id: 1\ndata: a\n\nretry: 250\nretry: soon\nid: 2\nid: 3\0\ndata: b\n")
    assert (reader.id, reader.retry) == ("1", 250)
    [read] = reader.feed(b"\n")
    assert (read.id, read.retry, reader.id) == ("2", 250, "2")


@pytest.mark.rule("mcp-client-bounded")
def test_an_event_is_bounded_however_it_comes() -> None:
    for chunks in (
        [b"data: " + b"x" * 200],
        [b"data: x\n"] * 40,
        [b"x" * 10] * 40,
        [b": c\n"] * 60,
    ):
        reader = EventReader(limit=100)
        with pytest.raises(EventTooLong):
            list(map(reader.feed, chunks))
    reader = EventReader(limit=100)
    for _ in range(1000):
        reader.feed(b": ping\n\ndata: x\n\n")


# --- streams


@pytest.mark.rule("mcp-client-content-types")
@pytest.mark.parametrize("make", [modern, legacy])
async def test_notices_come_before_the_answer_and_parameters_do_not_matter(
    make: Callable[[], Script],
) -> None:
    def answer(call: Call) -> Reply:
        pieces = (
            b": one\n\n: two\n\n",
            event(progress(call, 1, total=2, message="one\x1b[31m")),
            event(
                {
                    "jsonrpc": "2.0",
                    "method": "notifications/message",
                    "params": {"level": "info", "data": "x"},
                }
            ),
            b"data: no message\n\n",
            event(progress(call, 1)),
            event(progress(call, float("nan"))),
            event({**progress(call, 9), "params": {"progressToken": "another", "progress": 9}}),
            event(progress(call, 2)),
            event({"jsonrpc": "2.0", "id": "another", "result": {}}),
            event(response(call, text("ok"))),
        )
        return Reply(body=iter(pieces), kind="Text/Event-Stream; charset=utf-8")

    heard: list[Progress] = []
    with serving(make().on("tools/call", answer)) as script:
        listed = script.answers["tools/list"]
        script.on(
            "tools/list",
            lambda call: Reply(body=listed(call).body, kind="application/json; charset=utf-8"),
        )
        async with source(script.url) as client:
            context = CallContext(on_progress=heard.append)
            assert (await call(client, context=context)).text == "ok"
            assert len((await client.discover()).definitions) == 1
    assert heard == [Progress("one", 1, 2), Progress("", 2, None)]


@pytest.mark.rule("mcp-client-content-types")
async def test_a_listener_that_fails_does_not_fail_the_call(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def answer(call: Call) -> Reply:
        return stream(event(progress(call, 1)), event(response(call, text("ok"))))

    def broken(step: Progress) -> None:
        raise LookupError("listener")

    with serving(modern().on("tools/call", answer)) as script:
        async with source(script.url) as client:
            assert (await call(client, context=CallContext(on_progress=broken))).text == "ok"
    assert "a progress listener failed" in caplog.text


@pytest.mark.rule("mcp-client-content-types")
async def test_an_answer_may_come_in_a_batch_before_2025_06_18() -> None:
    def answer(call: Call) -> Reply:
        batch = [{"jsonrpc": "2.0", "method": "n"}, response(call, text("ok"))]
        return Reply(body=json.dumps(batch).encode())

    with serving(legacy(version="2025-03-26").on("tools/call", answer)) as script:
        async with source(script.url) as client:
            assert (await call(client)).text == "ok"


@pytest.mark.rule("mcp-client-content-types")
async def test_an_id_that_comes_back_as_text_is_taken() -> None:
    def answer(call: Call) -> Reply:
        body = {"jsonrpc": "2.0", "id": str(call.id), "result": text("ok")}
        return Reply(body=json.dumps(body).encode())

    with serving(modern().on("tools/call", answer)) as script:
        async with source(script.url) as client:
            assert (await call(client)).text == "ok"


@pytest.mark.rule("mcp-client-bounded")
@pytest.mark.parametrize("kind", ["application/json", EVENTS])
async def test_an_endless_answer_is_read_only_up_to_the_limit(kind: str) -> None:
    sent: list[int] = []

    def endless(call: Call) -> Iterator[bytes]:
        yield b"data: " if kind == EVENTS else b"{"
        for _ in range(10_000):
            sent.append(1)
            yield b"x" * 65536

    script = modern().on("tools/call", lambda call: Reply(body=endless(call), kind=kind))
    with serving(script):
        limited = McpOptions(message_bytes=200_000)
        async with source(script.url).with_options(limited) as client:
            failure = await failing(client)
    assert failure.reason == "result-too-large"
    assert "200,000 bytes" in failure.message
    assert "less" in failure.message
    assert len(sent) < 500


# --- resuming


@pytest.mark.rule("mcp-client-resumes")
async def test_a_legacy_stream_goes_on_from_its_last_event() -> None:
    asked: list[Call] = []
    began: list[float] = []

    def first(call: Call) -> Reply:
        asked.append(call)
        began.append(time.monotonic())
        return stream(b"id: e1\nretry: 300\ndata: \n\n", b"id: lost\ndata: ")

    def again(call: Call) -> Reply:
        began.append(time.monotonic())
        last = call.headers["last-event-id"]
        if last == "e1":
            return stream(event(progress(asked[0], 1), id="e2"), reset=True)
        return stream(event(response(asked[0], text("resumed")), id="e3"))

    heard: list[Progress] = []
    script = legacy().on("tools/call", first).on("GET", again)
    with serving(script):
        async with source(script.url) as client:
            context = CallContext(on_progress=heard.append)
            assert (await call(client, context=context)).text == "resumed"
    assert [seen.headers["last-event-id"] for seen in script.of("GET")] == ["e1", "e2"]
    assert [seen.session for seen in script.of("GET")] == ["s1", "s1"]
    assert len(heard) == 1
    assert began[1] - began[0] >= 0.3
    assert script.methods.count("tools/call") == 1


@pytest.mark.rule("mcp-client-resumes")
async def test_a_stream_that_never_answers_is_given_up() -> None:
    script = legacy().on("tools/call", lambda call: stream(b"id: e1\nretry: 1\ndata: \n\n"))
    script.on("GET", lambda call: stream(b": nothing\n\n"))
    with serving(script):
        async with source(script.url) as client:
            assert (await failing(client)).reason == "outcome-unknown"
        assert 1 < script.methods.count("GET") < 10
        script.on("GET", lambda call: Reply(status=405))
        async with source(script.url) as client:
            assert (await failing(client)).reason == "outcome-unknown"


@pytest.mark.rule("mcp-client-resumes")
async def test_a_modern_stream_is_never_resumed() -> None:
    script = modern().on("tools/call", lambda call: stream(b"id: e1\nretry: 1\ndata: \n\n"))
    with serving(script):
        async with source(script.url) as client:
            assert (await failing(client)).reason == "outcome-unknown"
    assert "GET" not in script.methods


# --- cancelling


class _Holding:
    """Answers with a stream that stays open until it is released, and sees its reader leave."""

    def __init__(self) -> None:
        self.begun, self.release, self.gone = (threading.Event() for _ in range(3))

    def __call__(self, call: Call) -> Reply:
        self.begun.set()
        return Reply(body=self._pieces(), kind=EVENTS)

    def _pieces(self) -> Iterator[bytes]:
        try:
            while not self.release.wait(0.05):
                yield b": ping\n\n"
        finally:
            self.gone.set()


async def _given_up(client: McpSource, by: str, holding: _Holding) -> None:
    """A call that arrived is given up, by its caller or by its limit."""
    if by == "limit":
        hurry(client, total=0.3)
        while not holding.begun.is_set():  # it may be met before the call is there
            await failing(client)
        return
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(call, client)
        assert await until(holding.begun.is_set, 60)
        tasks.cancel_scope.cancel()


@pytest.mark.rule("mcp-client-cancel-reaches-server", "mcp-client-row-cancel")
@pytest.mark.parametrize("by", ["caller", "limit"])
async def test_a_modern_server_sees_its_stream_close(by: str) -> None:
    holding = _Holding()
    with serving(modern().on("tools/call", holding)) as script:
        async with source(script.url) as client:
            await client.discover()
            await _given_up(client, by, holding)
            assert await until(holding.gone.is_set, 60)
    assert "notifications/cancelled" not in script.methods


@pytest.mark.rule("mcp-client-cancel-reaches-server", "mcp-client-row-cancel")
@pytest.mark.parametrize("by", ["caller", "limit"])
async def test_a_legacy_server_is_told(by: str) -> None:
    holding = _Holding()
    with serving(legacy().on("tools/call", holding)) as script:
        async with source(script.url) as client:
            await client.discover()
            await _given_up(client, by, holding)
            holding.release.set()
            told = script.of("notifications/cancelled")[-1]
            assert told.params["requestId"] == script.of("tools/call")[-1].id
            assert told.session == "s1"
            hurry(client)
            script.on("tools/call", lambda call: result(call, text("ok")))
            assert (await call(client)).text == "ok"


@pytest.mark.rule("mcp-client-cancel-reaches-server")
async def test_a_server_that_cannot_be_told_does_not_hold_the_caller() -> None:
    holding, answered = _Holding(), threading.Event()

    def late(call: Call) -> Reply:
        holding.release.wait(60)
        answered.set()
        return Reply(status=202)

    script = legacy().on("tools/call", holding).on("notifications/cancelled", late)
    with serving(script):
        quick = McpOptions(grace=0.2)
        async with source(script.url).with_options(quick) as client:
            await client.discover()
            hurry(client, total=0.2)
            await failing(client)
            assert not answered.is_set()
            holding.release.set()


# --- questions of the server


def _elicit(id: Any = "q1") -> dict[str, Any]:
    form = {"type": "object", "properties": {"name": {"type": "string"}}}
    params = {"message": "Who?", "requestedSchema": form}
    return {"jsonrpc": "2.0", "id": id, "method": "elicitation/create", "params": params}


@pytest.mark.rule("mcp-client-answers-requests")
async def test_a_legacy_server_asks_in_the_middle_of_its_answer() -> None:
    answered: list[dict[str, Any]] = []
    both = threading.Event()

    def answer(call: Call) -> Reply:
        def pieces() -> Iterator[bytes]:
            yield event({"jsonrpc": "2.0", "id": "p1", "method": "ping"})
            yield event(_elicit())
            yield event(
                {"jsonrpc": "2.0", "id": "x1", "method": "sampling/createMessage", "params": {}}
            )
            both.wait(60)
            yield event(response(call, text("ok")))

        return Reply(body=pieces(), kind=EVENTS)

    script = legacy().on("tools/call", answer)
    plain = script.answer

    def keeping(call: Call) -> Reply:
        if call.http == "POST" and "method" not in call.message:
            answered.append(call.message)
            if len(answered) == 3:
                both.set()
            return Reply(status=202)
        return plain(call)

    script.answer = keeping  # type: ignore[method-assign]

    async def ask(question: Question) -> Answer:
        return Answer("accept", {"name": f"Ada, asked {question.message}"})

    with serving(script):
        async with source(script.url).with_options(McpOptions(questions=True)) as client:
            assert (await call(client, context=CallContext(on_ask=ask))).text == "ok"
            assert script.of("initialize")[0].params["capabilities"] == {
                "elicitation": {"form": {}}
            }
            answers = {each["id"]: each.get("result", each.get("error")) for each in answered}
            assert answers["p1"] == {}
            assert answers["q1"] == {"action": "accept", "content": {"name": "Ada, asked Who?"}}
            assert answers["x1"]["code"] == -32601
            answered.clear()
            both.clear()
            assert (await call(client)).text == "ok"
            answers = {each["id"]: each.get("result") for each in answered}
            assert answers["q1"] == {"action": "cancel"}


def _form(key: str = "q") -> dict[str, Any]:
    return {key: {"method": "elicitation/create", "params": _elicit()["params"]}}


def _wanting(rounds: int) -> Callable[[Call], Reply]:
    def answer(call: Call) -> Reply:
        state = int(call.params.get("requestState") or 0)
        if state >= rounds:
            return result(call, text(json.dumps(call.params.get("inputResponses"))))
        wanted = {
            "resultType": "input_required",
            "inputRequests": _form(),
            "requestState": str(state + 1),
        }
        return result(call, wanted)

    return answer


async def _says_ada(question: Question) -> Answer:
    return Answer("accept", {"name": "Ada"})


@pytest.mark.rule("mcp-client-input-required")
async def test_a_call_that_wants_input_is_made_again_with_the_replies() -> None:
    with serving(modern().on("tools/call", _wanting(2))) as script:
        async with source(script.url) as client:
            answer = await call(client, {"a": 1}, context=CallContext(on_ask=_says_ada))
    assert json.loads(answer.text) == {"q": {"action": "accept", "content": {"name": "Ada"}}}
    first, second, third = script.of("tools/call")
    assert len({first.id, second.id, third.id}) == 3
    assert [each.params["arguments"] for each in (first, second, third)] == [{"a": 1}] * 3
    assert "requestState" not in first.params
    assert [each.params["requestState"] for each in (second, third)] == ["1", "2"]
    capabilities = first.params["_meta"]["io.modelcontextprotocol/clientCapabilities"]
    assert capabilities == {"elicitation": {"form": {}}}


@pytest.mark.rule("mcp-client-input-required")
async def test_a_state_alone_is_given_back_and_none_is_made_up() -> None:
    states: list[Any] = []

    def answer(call: Call) -> Reply:
        states.append(call.params.get("requestState", "absent"))
        if len(states) == 1:
            return result(call, {"resultType": "input_required", "requestState": "ü\n"})
        if len(states) == 2:
            return result(call, {"resultType": "input_required", "inputRequests": _form()})
        return result(call, text("ok"))

    with serving(modern().on("tools/call", answer)) as script:
        async with source(script.url) as client:
            assert (await call(client, context=CallContext(on_ask=_says_ada))).text == "ok"
    assert states == ["absent", "ü\n", "absent"]


@pytest.mark.rule("mcp-client-input-required")
async def test_who_cannot_answer_is_told_so() -> None:
    sampling = {"s": {"method": "sampling/createMessage", "params": {}}}
    cases: list[tuple[dict[str, Any], Any, str]] = [
        ({"inputRequests": _form()}, CallContext(), "unsupported"),
        ({"inputRequests": sampling}, CallContext(on_ask=_says_ada), "unsupported"),
        ({}, CallContext(on_ask=_says_ada), "invalid-response"),
    ]
    for wanted, context, reason in cases:
        reply = {"resultType": "input_required", **wanted}
        with serving(
            modern().on("tools/call", lambda call, reply=reply: result(call, reply))
        ) as script:
            async with source(script.url) as client:
                assert (await failing(client, context=context)).reason == reason
            assert script.methods.count("tools/call") == 1


@pytest.mark.rule("mcp-client-input-required")
async def test_rounds_are_bounded() -> None:
    with serving(modern().on("tools/call", _wanting(10_000))) as script:
        async with source(script.url).with_options(McpOptions(rounds=3)) as client:
            failure = await failing(client, context=CallContext(on_ask=_says_ada))
    assert failure.reason == "unsupported"
    assert script.methods.count("tools/call") == 4


@pytest.mark.usefixtures("virtual_time")
@pytest.mark.rule("mcp-client-deadline")
async def test_a_person_may_take_their_time() -> None:
    async def slowly(question: Question) -> Answer:
        await anyio.sleep(0.8)
        return Answer("accept", {"name": "Ada"})

    limits = Timeouts(connect=60, idle=0.5, total=0.5)
    async with asking(modern().on("tools/call", _wanting(1)), timeouts=limits) as client:
        assert "Ada" in (await call(client, context=CallContext(on_ask=slowly))).text


# --- headers


REGION = {
    "type": "object",
    "properties": {
        "region": {"type": "string", "x-mcp-header": "Region"},
        "count": {"type": "integer", "x-mcp-header": "Count"},
        "dry": {"type": "boolean", "x-mcp-header": "Dry"},
    },
}


@pytest.mark.rule("mcp-client-headers")
async def test_a_call_is_mirrored_in_headers_without_any_listing() -> None:
    with serving(modern()) as script:
        async with source(script.url) as client:
            arguments = {"region": " eu ", "count": 3, "dry": None, "other": "x"}
            await call(client, arguments, tool=tool("löschen", schema=REGION))
    [sent] = script.of("tools/call")
    named = {name: value for name, value in sent.headers.items() if name.startswith("mcp-")}
    assert named == {
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "=?base64?bMO2c2NoZW4=?=",
        "mcp-param-region": "=?base64?IGV1IA==?=",
        "mcp-param-count": "3",
    }
    assert sent.headers["accept"] == "application/json, text/event-stream"
    assert "tools/list" not in script.methods
    meta = sent.params["_meta"]
    assert meta["io.modelcontextprotocol/protocolVersion"] == "2026-07-28"
    assert meta["io.modelcontextprotocol/clientInfo"]["name"] == "toolroll"


@pytest.mark.rule("mcp-client-headers")
async def test_a_legacy_call_has_no_such_headers_and_trace_goes_with_both() -> None:
    trace = {"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}
    for make in (legacy, modern):
        with serving(make()) as script:
            async with source(script.url) as client:
                context = CallContext(trace=trace)
                await call(client, {"region": "eu"}, tool=tool(schema=REGION), context=context)
        [sent] = script.of("tools/call")
        assert ("mcp-param-region" in sent.headers) is (make is modern)
        assert ("mcp-method" in sent.headers) is (make is modern)
        assert sent.params["_meta"]["traceparent"] == trace["traceparent"]


@pytest.mark.rule("mcp-client-headers")
async def test_an_integer_that_no_header_can_hold_is_refused_before_sending() -> None:
    with serving(modern()) as script:
        async with source(script.url) as client:
            failure = await failing(client, arguments={"count": 2**60}, tool=tool(schema=REGION))
    assert (failure.reason, failure.may_have_run) == ("invalid-input", False)
    assert "count" in failure.message
    assert "tools/call" not in script.methods


def _wants_region(call: Call) -> Reply:
    if "mcp-param-region" not in call.headers:
        return error(call, -32020, "Header mismatch", status=400)
    return result(call, text(call.headers["mcp-param-region"]))


@pytest.mark.rule("mcp-client-header-mismatch")
async def test_a_mismatch_is_mended_by_listing_again_once() -> None:
    stale = tool(schema={"type": "object", "properties": {"region": {"type": "string"}}})
    with serving(
        modern({"name": "echo", "inputSchema": REGION}).on("tools/call", _wants_region)
    ) as script:
        async with source(script.url) as client:
            assert (await call(client, {"region": "eu"}, tool=stale)).text == "eu"
            assert script.methods[1:] == ["tools/call", "tools/list", "tools/call"]
            assert (await call(client, {"region": "us"}, tool=stale)).text == "us"
            assert script.methods[4:] == ["tools/call"]


@pytest.mark.rule("mcp-client-header-mismatch")
async def test_a_mismatch_that_listing_does_not_mend_is_an_error() -> None:
    always = lambda call: error(call, -32020, status=400)  # noqa: E731
    with serving(
        modern({"name": "echo", "inputSchema": REGION}).on("tools/call", always)
    ) as script:
        async with source(script.url) as client:
            current = await failing(client, arguments={"region": "eu"}, tool=tool(schema=REGION))
            assert (current.reason, current.may_have_run) == ("source-error", False)
            assert script.methods.count("tools/call") == 1  # the headers would be the same
            stale = await failing(client, arguments={"region": "eu"})
            assert stale.reason == "source-error"
            assert script.methods.count("tools/call") == 3  # and no third try
            gone = await failing(client, tool=tool("gone"))
            assert gone.reason == "not-found"


@pytest.mark.rule("mcp-client-result-type")
@pytest.mark.parametrize("kind", ["weird", "task", None, 7])
async def test_a_result_of_an_unknown_type_is_refused_in_the_modern_era(kind: object) -> None:
    reply = {**text("ok"), "resultType": kind}
    for make, accepted in ((modern, False), (legacy, True)):
        with serving(make().on("tools/call", lambda call: result(call, reply))) as script:
            async with source(script.url) as client:
                if accepted:
                    assert (await call(client)).text == "ok"
                else:
                    assert (await failing(client)).reason == "invalid-response"


@pytest.mark.rule("mcp-client-lifecycle")
async def test_closing_while_a_call_waits_ends_that_call() -> None:
    holding = _Holding()
    failures: list[SourceError] = []
    with serving(legacy().on("tools/call", holding)) as script:
        client = source(script.url)

        async def one() -> None:
            failures.append(await failing(client))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(one)
            assert await until(holding.begun.is_set, 60)
            await client.aclose()
        holding.release.set()
    assert failures[0].may_have_run


@pytest.mark.rule("mcp-client-resumes")
async def test_an_event_id_that_no_header_can_hold_is_not_sent_back() -> None:
    script = legacy().on("tools/call", lambda call: stream("id: é\nretry: 1\ndata: \n\n".encode()))
    with serving(script):
        async with source(script.url) as client:
            assert (await failing(client)).reason == "outcome-unknown"
    assert "GET" not in script.methods


@pytest.mark.rule("mcp-client-cancel-reaches-server", "mcp-client-limits")
@pytest.mark.parametrize("how", ["timeout", "signal"])
async def test_a_toolkits_own_limit_and_signal_reach_the_server(how: str) -> None:
    holding = _Holding()
    with serving(legacy().on("tools/call", holding)) as script:
        async with source(script.url) as client:
            await client.discover()
            limit = Behavior(timeout=0.3 if how == "timeout" else 60)
            kit = as_toolkit(client, [tool()], behavior=limit)
            signal = CancelSignal()
            outcomes: list[Outcome] = []

            async def one() -> None:
                while not holding.begun.is_set():  # its limit may be met before the call is there
                    outcomes.append(await kit.call(ToolCall.of("echo"), CallContext(cancel=signal)))

            async with anyio.create_task_group() as tasks:
                tasks.start_soon(one)
                if how == "signal":
                    assert await until(holding.begun.is_set, 60)
                    signal.cancel("stop")
            assert outcomes[-1].kind == ("timeout" if how == "timeout" else "aborted")
            told = script.of("notifications/cancelled")[-1]
            assert told.params["requestId"] == script.of("tools/call")[-1].id
            holding.release.set()
            script.on("tools/call", lambda call: result(call, text("ok")))
            patient = as_toolkit(client, [tool()])
            assert (await patient.call(ToolCall.of("echo"), CallContext())).ok


@pytest.mark.rule("mcp-client-header-mismatch")
async def test_newer_marks_that_the_input_does_not_fit_are_the_inputs_fault() -> None:
    stale = tool(schema={"type": "object", "properties": {"count": {"type": "integer"}}})
    always = lambda call: error(call, -32020, status=400)  # noqa: E731
    with serving(
        modern({"name": "echo", "inputSchema": REGION}).on("tools/call", always)
    ) as script:
        async with source(script.url) as client:
            failure = await failing(client, arguments={"count": 2**60}, tool=stale)
            assert failure.reason == "invalid-input"
    with serving(legacy().on("tools/call", always)) as script:
        async with source(script.url) as client:
            assert (await failing(client)).reason == "source-error"
    assert "tools/list" not in script.methods
