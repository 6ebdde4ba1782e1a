"""Streams put together: what belongs where, what counts once, what is cut."""

import json
from types import ModuleType
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.providers.fake_kit import FakeKit, listed
from tests.providers.scripted import WIRES, Call, Said
from toolroll import CallContext, providers
from toolroll.content import JsonObject, JsonValue
from toolroll.providers import anthropic, gemini, openai_chat, openai_responses

NAMES = ("openai_chat", "openai_responses", "anthropic", "gemini")
EDGES: dict[str, ModuleType] = {name: getattr(providers, name) for name in NAMES}
CONTEXT: CallContext[None] = CallContext()
OPEN: JsonObject = {"type": "object", "properties": {}, "additionalProperties": True}


def offer_of(name: str) -> Any:
    return EDGES[name].offer(FakeKit((listed("add", OPEN), listed("sub", OPEN))), CONTEXT)


def deltas(*fragments: JsonObject) -> list[JsonObject]:
    return [
        {"choices": [{"index": 0, "delta": {"tool_calls": [fragment]}}]} for fragment in fragments
    ]


def fragment(index: int | None, arguments: str | None = None, **rest: str) -> JsonObject:
    function = {key: rest.pop(key) for key in ("name",) if key in rest}
    said: dict[str, JsonValue] = {
        **rest,
        "function": {**function, **({} if arguments is None else {"arguments": arguments})},
    }
    return said if index is None else {"index": index, **said}


def assembled(name: str, events: list[Any], *, end: bool = True) -> Any:
    offer = offer_of(name)
    assembler = offer.assembler()
    for event in events:
        assembler.feed(event)
    if end and name == "openai_chat":
        assembler.feed("[DONE]")
    return offer.read(assembler.reply())


def brief(calls: Any) -> list[tuple[str, str, JsonValue, str]]:
    return [(call.id, call.name, call.arguments.value, call.arguments.status) for call in calls]


@pytest.mark.rule("stream-fragments")
def test_interleaved_fragments_belong_to_their_index_and_an_empty_id_overwrites_nothing() -> None:
    events = deltas(
        fragment(0, '{"x":', id="a", name="add"),
        fragment(1, '{"y":', id="b", name="sub"),
        fragment(0, "1}"),
        fragment(1, "2}", id="", name=""),
    )
    assert brief(assembled("openai_chat", events)) == [
        ("a", "add", {"x": 1}, "complete"),
        ("b", "sub", {"y": 2}, "complete"),
    ]


@pytest.mark.rule("stream-fragments")
def test_the_last_id_and_name_that_are_not_empty_win_and_calls_come_by_index() -> None:
    events = deltas(
        fragment(1, "{}", id="b", name="sub"),
        fragment(0, id="a", name="ad"),
        fragment(0, id="a2", name="add"),
    )
    assert brief(assembled("openai_chat", events)) == [
        ("a2", "add", {}, "complete"),
        ("b", "sub", {}, "complete"),
    ]


@pytest.mark.rule("stream-fragments")
@pytest.mark.parametrize("index", [0, None])
def test_parallel_calls_that_are_all_numbered_alike_or_not_at_all_stay_apart(
    index: int | None,
) -> None:
    events = deltas(
        fragment(index, '{"x": 1}', id="a", name="add"),
        fragment(index, '{"y": 2}', id="b", name="add"),
        fragment(index, '{"z": 3}', id="c", name="sub"),
    )
    assert [call.arguments.value for call in assembled("openai_chat", events)] == [
        {"x": 1},
        {"y": 2},
        {"z": 3},
    ]


@pytest.mark.rule("stream-fragments")
def test_fragments_without_an_index_go_on_with_the_last_call() -> None:
    events = deltas(fragment(None, '{"x":', id="a", name="add"), fragment(None, " 1}"))
    assert brief(assembled("openai_chat", events)) == [("a", "add", {"x": 1}, "complete")]


@pytest.mark.rule("stream-snapshots")
def test_a_server_that_sends_all_so_far_each_time_is_not_added_up() -> None:
    events = deltas(
        fragment(0, '{"text": "he', id="a", name="add"), fragment(0, '{"text": "hello"}')
    )
    assert brief(assembled("openai_chat", events)) == [("a", "add", {"text": "hello"}, "complete")]


@pytest.mark.rule("stream-snapshots")
def test_a_whole_message_at_the_end_counts_once() -> None:
    events: list[JsonObject] = [
        {"choices": [{"delta": {"content": "so "}}]},
        *deltas(fragment(0, '{"x": 1}', id="a", name="add")),
        {
            "choices": [
                {
                    "message": {
                        "content": "so be it",
                        "tool_calls": [
                            {"id": "a", "function": {"name": "add", "arguments": '{"x": 1}'}}
                        ],
                    },
                    "finish_reason": "tool_calls",
                }
            ]
        },
    ]
    offer = offer_of("openai_chat")
    assembler = offer.assembler()
    for event in events:
        assembler.feed(event)
    assert brief(offer.read(assembler.reply())) == [("a", "add", {"x": 1}, "complete")]
    assert assembler.reply()["choices"][0]["message"]["content"] == "so be it"


@pytest.mark.rule("stream-snapshots")
def test_items_and_arguments_that_are_said_to_be_done_take_the_place_of_their_pieces() -> None:
    item: JsonObject = {
        "type": "function_call",
        "id": "fc",
        "call_id": "a",
        "name": "add",
        "arguments": '{"x": 1}',
        "status": "completed",
    }
    delta: JsonObject = {"type": "response.function_call_arguments.delta", "output_index": 0}
    events: list[JsonObject] = [
        {
            "type": "response.output_item.added",
            "output_index": 0,
            "item": {**item, "arguments": ""},
        },
        {**delta, "delta": '{"x"'},
        {**delta, "delta": ": 1}"},
        {
            "type": "response.function_call_arguments.done",
            "output_index": 0,
            "arguments": '{"x": 1}',
        },
        {"type": "response.output_item.done", "output_index": 0, "item": {**item, "call_id": ""}},
        {"type": "response.completed", "response": {"status": "completed", "output": [item]}},
    ]
    assert brief(assembled("openai_responses", events)) == [("a", "add", {"x": 1}, "complete")]
    assert brief(assembled("openai_responses", events[:-1])) == [("a", "add", {"x": 1}, "complete")]


@pytest.mark.rule("stream-interrupted")
@pytest.mark.parametrize("name", ["openai_chat", "openai_responses", "anthropic"])
@pytest.mark.parametrize("text", ["", '{"x": "', '{"x": "a"'])
def test_a_stream_that_breaks_off_leaves_a_cut_call(name: str, text: str) -> None:
    events = WIRES[name].events(Said([Call("a", "add", text or '{"x": 1}')]))
    cut = next(place for place, event in enumerate(events) if '"add"' in json.dumps(event))
    kept = events[: cut + 1]
    for event in events[cut + 1 :]:
        said = json.dumps(event)
        if (
            text
            and ("delta" in said and 'finish_reason": "' not in said)
            and "done" not in said
            and "stop" not in said
        ):
            kept.append(event)
    calls = assembled(name, kept, end=False)
    assert [call.arguments.status for call in calls] == ["truncated"]
    assert calls[0].finish == "interrupted"


@pytest.mark.rule("stream-interrupted")
def test_a_call_that_came_whole_before_the_break_is_whole() -> None:
    events = deltas(
        fragment(0, '{"x": 1}', id="a", name="add"), fragment(1, '{"y":', id="b", name="sub")
    )
    assert [call.arguments.status for call in assembled("openai_chat", events, end=False)] == [
        "complete",
        "truncated",
    ]


@pytest.mark.rule("stream-same-as-whole")
@pytest.mark.parametrize("name", NAMES)
@given(
    texts=st.lists(
        st.dictionaries(
            st.text("ab", min_size=1),
            st.integers(0, 99) | st.text('é{}"\\\n', max_size=9),
            max_size=3,
        ),
        max_size=3,
    ),
    text=st.text("hi ", max_size=12),
)
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_a_streamed_reply_reads_like_one_that_came_whole(
    name: str, texts: list[dict[str, JsonValue]], text: str
) -> None:
    said = Said(
        [Call(f"c{number}", "add", json.dumps(each)) for number, each in enumerate(texts)],
        text=text,
    )
    offer = offer_of(name)
    assembler = offer.assembler()
    for event in WIRES[name].events(said):
        assembler.feed(json.dumps(event))
    whole, streamed = WIRES[name].whole(said), assembler.reply()
    assert [call.arguments.value for call in offer.read(streamed)] == texts
    assert brief(offer.read(streamed)) == brief(offer.read(whole))
    if text.strip():
        assert text in json.dumps(offer.assistant(streamed))
    taken = offer.assembler()
    taken.feed(json.dumps(whole))
    assert brief(offer.read(taken.reply())) == brief(offer.read(whole))
    assert [value for _, value in taken.partial()] == texts
    assert offer.assistant(taken.reply()) == offer.assistant(whole)


@pytest.mark.rule("stream-partial")
@pytest.mark.parametrize("name", ["openai_chat", "openai_responses", "anthropic"])
def test_partial_arguments_can_be_seen_while_they_come_and_do_not_change_afterwards(
    name: str,
) -> None:
    offer = offer_of(name)
    assembler = offer.assembler()
    seen: list[Any] = []
    for event in WIRES[name].events(Said([Call("a", "add", '{"path": "a.txt", "text": "hello"}')])):
        assembler.feed(event)
        seen += assembler.partial()
    values = [json.dumps(value) for called, value in seen if called == "add"]
    assert json.loads(values[-1]) == {"path": "a.txt", "text": "hello"}
    assert any('"text": "hel"' in value for value in values) or any(
        '"text": "he' in value for value in values
    )
    assert values == [json.dumps(value) for _, value in seen]


@pytest.mark.rule("stream-gemini-pieces")
def test_arguments_gemini_streams_in_pieces_are_put_where_their_paths_lead() -> None:
    def piece(path: str, going_on: bool = True, **value: JsonValue) -> JsonObject:
        part: JsonObject = {"jsonPath": path, **value}
        return {
            "functionCall": {"partialArgs": [part], **({"willContinue": True} if going_on else {})}
        }

    parts: list[JsonObject] = [
        {
            "functionCall": {"name": "add", "id": "g1", "willContinue": True},
            "thoughtSignature": "c2ln",
        },
        piece("$.city", stringValue="Bo", willContinue=True),
        piece("$.city", stringValue="ston"),
        piece("$.list[0].n", numberValue=3.0),
        piece("$.list[1]['odd key']", boolValue=True),
        piece("$.none", nullValue="NULL_VALUE"),
        {"functionCall": {}},
    ]
    chunks: list[JsonObject] = [{"candidates": [{"content": {"parts": [part]}}]} for part in parts]
    chunks.append({"candidates": [{"finishReason": "STOP"}]})
    want: JsonValue = {"city": "Boston", "list": [{"n": 3}, {"odd key": True}], "none": None}
    assert brief(assembled("gemini", chunks)) == [("g1", "add", want, "complete")]
    assert [call.arguments.status for call in assembled("gemini", chunks[:4])] == ["truncated"]


@pytest.mark.rule("stream-gemini-pieces")
def test_two_calls_of_gemini_in_one_stream_stay_two() -> None:
    parts = [
        {"functionCall": {"name": "add", "args": {"x": 1}}},
        {"functionCall": {"name": "add", "args": {"x": 1}}},
    ]
    chunks = [
        {"candidates": [{"content": {"parts": [part]}, "finishReason": "STOP"}]} for part in parts
    ]
    calls = assembled("gemini", chunks)
    assert [call.arguments.value for call in calls] == [{"x": 1}, {"x": 1}]
    assert len({call.id for call in calls}) == 2


@pytest.mark.rule("stream-noise")
@pytest.mark.parametrize(
    "make",
    [
        openai_chat.ChatAssembler,
        openai_responses.ResponsesAssembler,
        anthropic.AnthropicAssembler,
        gemini.GeminiAssembler,
    ],
)
def test_what_is_no_event_is_passed_over(make: Any) -> None:
    assembler = make()
    for noise in (
        "",
        "  ",
        "no json",
        "[1]",
        "null",
        "[DONE]",
        {},
        {"type": 5},
        {"choices": None},
        {"choices": [{"delta": None}]},
        {"candidates": [None]},
        {"type": "content_block_delta"},
        {"type": "response.output_item.done"},
        {"type": "error", "error": {}},
    ):
        assembler.feed(noise)
    assert isinstance(assembler.reply(), dict)
    assert cast("list[Any]", assembler.partial()) in ([], [("", {})])


@pytest.mark.rule("stream-noise")
@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_events_in_any_order_never_raise(name: str, data: st.DataObject) -> None:
    said = Said([Call("a", "add", '{"x": 1}'), Call("", "", "{")], text="hi")
    said = Said(said.calls[:1], text="hi") if name == "gemini" else said
    events = WIRES[name].events(said)
    drawn = data.draw(st.lists(st.sampled_from(events), max_size=12))
    offer = offer_of(name)
    assembler = offer.assembler()
    for event in drawn:
        assembler.feed(event)
        assembler.partial()
    reply = assembler.reply()
    offer.read(reply)
    offer.assistant(reply)


@pytest.mark.rule("stream-snapshots")
def test_a_piece_that_came_twice_is_put_right_by_what_is_said_as_a_whole() -> None:
    pieces, meant = ('{"x": 1', "1", "}"), {"x": 1}
    whole = json.dumps(meant)
    item: JsonObject = {"type": "function_call", "id": "f", "call_id": "a", "name": "add"}
    done: JsonObject = {"type": "response.output_item.done", "item": {**item, "arguments": whole}}
    words = "response.function_call_arguments"
    events: list[JsonObject] = [
        {
            "type": "response.output_item.added",
            "output_index": 0,
            "item": {**item, "arguments": ""},
        },
        *({"type": f"{words}.delta", "output_index": 0, "delta": piece} for piece in pieces),
        {**done, "output_index": 0},
    ]
    assert brief(assembled("openai_responses", events)) == [("a", "add", meant, "complete")]
    empty: JsonObject = {"type": f"{words}.done", "output_index": 0, "arguments": "{}"}
    read = assembled("openai_responses", [*events, empty])
    assert brief(read) == [("a", "add", meant, "complete")]


@pytest.mark.rule("stream-snapshots")
def test_a_call_of_gemini_that_comes_once_more_counts_once() -> None:
    def chunk(**call: JsonValue) -> JsonObject:
        part: JsonObject = {"functionCall": {"name": "add", "args": {"x": 1}, **call}}
        return {"candidates": [{"content": {"parts": [part]}}]}

    end: JsonObject = {"candidates": [{"finishReason": "STOP"}]}
    twice = assembled("gemini", [chunk(id="a"), chunk(id="b"), chunk(id="a"), end])
    assert [call.id for call in twice] == ["a", "b"]
    assert len(assembled("gemini", [chunk(), chunk(), end])) == 2
