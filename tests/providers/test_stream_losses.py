"""Events that are lost on the way or come twice, as far as the wire shows it."""

import json
from types import ModuleType
from typing import Any

import pytest

from tests.providers.fake_kit import FakeKit, listed
from toolroll import CallContext, ToolCall
from toolroll.content import JsonObject, JsonValue
from toolroll.providers import anthropic, gemini, openai_chat, openai_responses

CONTEXT: CallContext[None] = CallContext()
OPEN: JsonObject = {"type": "object", "properties": {}, "additionalProperties": True}
KIT = FakeKit((listed("add", OPEN),))
SAID = '{"text": "a b"}'


def streamed(edge: ModuleType, *events: JsonObject | str) -> tuple[Any, list[ToolCall]]:
    offer = edge.offer(KIT, CONTEXT)
    assembler = offer.assembler()
    for event in events:
        assembler.feed(event if isinstance(event, str) else json.dumps(event))
    reply = assembler.reply()
    return reply, offer.read(reply)


def numbered(*events: JsonObject, first: int = 0) -> list[JsonObject]:
    return [{**event, "sequence_number": first + place} for place, event in enumerate(events)]


def word(kind: str, **said: JsonValue) -> JsonObject:
    return {"type": f"response.{kind}", "output_index": 0, **said}


ITEM: JsonObject = {"type": "function_call", "id": "f", "call_id": "a", "name": "add"}
DELTA = "function_call_arguments.delta"
BEGUN = (
    word("created", response={"id": "r", "status": "in_progress"}),
    word("in_progress", response={}),
    word("output_item.added", item={**ITEM, "arguments": ""}),
)
PIECES = tuple(word(DELTA, delta=piece) for piece in ('{"text": "', "a", " ", "b", '"}'))
DONE = word("function_call_arguments.done", arguments=SAID)
WHOLE = word("output_item.done", item={**ITEM, "arguments": SAID})


@pytest.mark.rule("stream-lost-and-doubled")
@pytest.mark.parametrize("first", [0, 1, 7])
@pytest.mark.parametrize("place", range(3, 8))
def test_a_numbered_event_that_comes_again_counts_once(place: int, first: int) -> None:
    events = numbered(*BEGUN, *PIECES, first=first)
    twice = [*events[:place], *events[place - 2 : place], *events[place:], "[DONE]"]
    reply, (call,) = streamed(openai_responses, *twice)
    assert (call.arguments.value, call.arguments.status) == ({"text": "a b"}, "complete")
    assert reply["status"] == "completed"


@pytest.mark.rule("stream-lost-and-doubled")
@pytest.mark.parametrize("lost", range(3, 7))
def test_a_call_ends_where_a_number_is_missing_and_is_not_run(lost: int) -> None:
    events = numbered(*BEGUN, *PIECES)
    del events[lost]
    reply, (call,) = streamed(openai_responses, *events, "[DONE]")
    assert (call.arguments.status, call.finish) == ("truncated", "interrupted")
    assert reply["output"][0]["status"] == "incomplete"


@pytest.mark.rule("stream-lost-and-doubled")
@pytest.mark.parametrize("healing", [DONE, WHOLE], ids=["arguments", "item"])
def test_what_is_said_as_a_whole_heals_a_gap(healing: JsonObject) -> None:
    ended = word("completed", response={"status": "completed", "output": [WHOLE["item"]]})
    events = numbered(*BEGUN, *PIECES, healing, ended)
    del events[4]
    reply, (call,) = streamed(openai_responses, *events)
    assert (call.arguments.value, call.arguments.status) == ({"text": "a b"}, "complete")
    assert reply["status"] == "completed"
    reply, (call,) = streamed(openai_responses, *events[:-1], "[DONE]")
    assert (call.arguments.status, reply["status"]) == ("complete", "interrupted")


@pytest.mark.rule("stream-lost-and-doubled")
@pytest.mark.parametrize(
    "numbers",
    [[0] * 8, [-1] * 8, [0, 0, 0, 1, 1, 2, 2, 3], [3, 2, 1, 0, 1, 2, 3, 4], range(0, 80, 10)],
    ids=["none", "minus one", "by item", "any", "steps"],
)
def test_numbers_that_count_nothing_are_not_believed(numbers: list[int]) -> None:
    pieces = tuple(word(DELTA, delta=piece) for piece in ('{"text": "', "a", "a", "a", '"}'))
    events: list[JsonObject] = [
        {**event, "sequence_number": number}
        for event, number in zip((*BEGUN, *pieces), numbers, strict=True)
    ]
    reply, (call,) = streamed(openai_responses, *events, "[DONE]")
    assert (call.arguments.value, reply["status"]) == ({"text": "aaa"}, "completed")


def gemini_chunk(*parts: JsonObject, tokens: int | None = None, **said: JsonValue) -> JsonObject:
    content: JsonValue = {"role": "model", "parts": list(parts)}
    usage: JsonObject = (
        {} if tokens is None else {"usageMetadata": {"candidatesTokenCount": tokens}}
    )
    return {"candidates": [{"content": content, **said}], **usage}


@pytest.mark.rule("stream-lost-and-doubled")
def test_a_signed_call_of_gemini_that_comes_again_counts_once() -> None:
    add: JsonObject = {"functionCall": {"name": "add", "args": {"x": 1}}}
    signed = gemini_chunk({**add, "thoughtSignature": "c2ln"})
    other = gemini_chunk({**add, "thoughtSignature": "b3RoZXI="})
    end = gemini_chunk({"text": ""}, finishReason="STOP")
    assert len(streamed(gemini, signed, signed, other, signed, end)[1]) == 2
    assert len(streamed(gemini, gemini_chunk(add), gemini_chunk(add), end)[1]) == 2


@pytest.mark.rule("stream-lost-and-doubled")
def test_the_end_of_a_stream_that_comes_again_counts_once() -> None:
    def texts(*chunks: JsonObject) -> list[Any]:
        reply, _ = streamed(gemini, *chunks)
        return [part["text"] for part in reply["candidates"][0]["content"]["parts"]]

    last = gemini_chunk({"text": "ha"}, tokens=9, finishReason="STOP")
    assert texts(gemini_chunk({"text": "a"}, tokens=4), last, last) == ["aha"]
    every = gemini_chunk({"text": "ha"}, finishReason="STOP")  # told in every chunk, uncounted
    assert texts(every, every) == ["haha"]

    def said(*deltas: str) -> Any:
        chunks: list[JsonObject] = [
            {"choices": [{"delta": {"content": delta}, "finish_reason": "stop" if more else None}]}
            for more, delta in enumerate(deltas)
        ]
        return streamed(openai_chat, *chunks)[0]["choices"][0]["message"]["content"]

    assert said("a", "ha", "ha") == "aha"
    assert said("a", "h", "ha", "ha") == "ahhaha"  # told in every chunk


@pytest.mark.rule("read-unread-calls")
@pytest.mark.parametrize(
    ("edge", "reply"),
    [
        (
            openai_chat,
            {"choices": [{"message": {"content": "So."}, "finish_reason": "tool_calls"}]},
        ),
        (anthropic, {"content": [{"type": "text", "text": "So."}], "stop_reason": "tool_use"}),
    ],
    ids=["chat", "anthropic"],
)
def test_a_reply_that_ended_for_a_call_which_did_not_come_has_one(
    edge: ModuleType, reply: JsonObject
) -> None:
    offer = edge.offer(KIT, CONTEXT)
    (call,) = offer.read(reply)
    assert (call.arguments.status, call.arguments.complete) == ("malformed", False)
    assert "no call came" in call.arguments.problem
    said = offer.assistant(reply)
    assert "So." in json.dumps(said)
    go: JsonObject = {"role": "user", "content": "go"}
    lost = edge.repair_history([go, said])
    assert [note.kind for note in lost.report.notes] == ["added"]


@pytest.mark.rule("read-unread-calls")
def test_calls_that_are_no_business_of_ours_are_calls() -> None:
    custom: JsonObject = {"id": "a", "type": "custom", "custom": {"name": "sh", "input": "ls"}}
    message: JsonObject = {"content": None, "tool_calls": [custom]}
    chosen: JsonObject = {"message": message, "finish_reason": "tool_calls"}
    assert streamed(openai_chat, {"choices": [chosen]})[1] == []
    ran: JsonObject = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
    assert anthropic.offer(KIT, CONTEXT).read({"content": [ran], "stop_reason": "tool_use"}) == []


def chat_chunk(**delta: JsonValue) -> JsonObject:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}


@pytest.mark.rule("stream-pieces-of-parts")
def test_parts_of_content_and_details_of_reasoning_are_joined_in_chat() -> None:
    def thinking(text: str) -> JsonValue:
        return [{"type": "thinking", "thinking": [{"type": "text", "text": text}]}]

    reply, _ = streamed(
        openai_chat,
        chat_chunk(content=thinking("h")),
        chat_chunk(content=thinking("m")),
        chat_chunk(content="y"),
        chat_chunk(content="es"),
    )
    assert reply["choices"][0]["message"]["content"] == [
        {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
        {"type": "text", "text": "yes"},
    ]

    def detail(index: int, **said: JsonValue) -> JsonValue:
        return [{"type": "reasoning.text", "index": index, **said}]

    whole: JsonObject = {"type": "reasoning.encrypted", "data": "xx"}
    reply, _ = streamed(
        openai_chat,
        chat_chunk(reasoning_details=detail(0, text="so ", format="f")),
        chat_chunk(reasoning_details=detail(0, text="far")),
        chat_chunk(reasoning_details=detail(1, text="next")),
        chat_chunk(reasoning_details=detail(0, signature="c2ln")),
        chat_chunk(reasoning_details=[whole, whole]),
    )
    first: JsonObject = {"type": "reasoning.text", "index": 0, "text": "so far", "format": "f"}
    assert reply["choices"][0]["message"]["reasoning_details"] == [
        {**first, "signature": "c2ln"},
        {"type": "reasoning.text", "index": 1, "text": "next"},
        whole,
        whole,
    ]


@pytest.mark.rule("stream-pieces-of-parts")
def test_custom_calls_and_sound_come_in_pieces_in_chat() -> None:
    reply, _ = streamed(
        openai_chat,
        chat_chunk(
            tool_calls=[
                {"index": 0, "id": "a", "type": "custom", "custom": {"name": "sh", "input": ""}}
            ]
        ),
        chat_chunk(tool_calls=[{"index": 0, "custom": {"input": "l"}}]),
        chat_chunk(tool_calls=[{"index": 0, "custom": {"input": "s"}}]),
        chat_chunk(audio={"id": "s", "transcript": "he"}),
        chat_chunk(audio={"transcript": "llo", "data": "AA"}),
        chat_chunk(audio={"data": "EC", "expires_at": 1}),
    )
    message = reply["choices"][0]["message"]
    custom: JsonObject = {"name": "sh", "input": "ls"}
    assert message["tool_calls"] == [{"id": "a", "type": "custom", "custom": custom}]
    assert message["audio"] == {"id": "s", "transcript": "hello", "data": "AAEC", "expires_at": 1}


@pytest.mark.rule("stream-pieces-of-parts")
@pytest.mark.parametrize(
    ("word_", "kind", "field"),
    [
        ("custom_tool_call_input", "custom_tool_call", "input"),
        ("mcp_call_arguments", "mcp_call", "arguments"),
        ("code_interpreter_call_code", "code_interpreter_call", "code"),
    ],
)
def test_calls_of_other_kinds_come_in_pieces_in_responses(
    word_: str, kind: str, field: str
) -> None:
    begun = word("output_item.added", item={"type": kind, "id": "i", field: ""})
    pieces = (word(f"{word_}.delta", delta="l"), word(f"{word_}.delta", delta="s"))
    reply, _ = streamed(openai_responses, begun, *pieces, "[DONE]")
    assert reply["output"][0][field] == "ls"
    done: JsonObject = word(f"{word_}.done", **{field: "ls -l"})
    reply, _ = streamed(openai_responses, begun, *pieces, done, "[DONE]")
    assert reply["output"][0][field] == "ls -l"


@pytest.mark.rule("stream-pieces-of-parts")
def test_sources_of_a_text_come_with_it_in_responses() -> None:
    cited: JsonObject = {"type": "url_citation", "url": "u"}
    reply, _ = streamed(
        openai_responses,
        word("output_item.added", item={"type": "message", "id": "m", "content": []}),
        word("output_text.delta", content_index=0, delta="hi"),
        word("output_text.annotation.added", content_index=0, annotation=cited),
        "[DONE]",
    )
    assert reply["output"][0]["content"] == [
        {"type": "output_text", "text": "hi", "annotations": [cited]}
    ]


@pytest.mark.rule("stream-own-parts")
def test_a_compaction_and_sources_of_anthropic_stay_whole() -> None:
    def delta(index: int, **said: JsonValue) -> JsonObject:
        return {"type": "content_block_delta", "index": index, "delta": said}

    begun: JsonObject = {"type": "content_block_start", "index": 0}
    reply, _ = streamed(
        anthropic,
        {**begun, "content_block": {"type": "compaction"}},
        delta(0, type="compaction_delta", content="so far", encrypted_content="xx"),
        {**begun, "index": 1, "content_block": {"type": "text", "text": "", "citations": []}},
        delta(1, type="citations_delta", citation={"cited_text": "a"}),
        delta(1, type="text_delta", text="hi"),
        delta(1, type="citations_delta", citation={"cited_text": "b"}),
    )
    assert reply["content"] == [
        {"type": "compaction", "content": "so far", "encrypted_content": "xx"},
        {"type": "text", "text": "hi", "citations": [{"cited_text": "a"}, {"cited_text": "b"}]},
    ]


@pytest.mark.rule("stream-own-parts")
def test_a_tool_of_the_provider_that_was_cut_is_not_sent_back_and_is_no_call() -> None:
    ran: JsonObject = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
    offer = anthropic.offer(KIT, CONTEXT)
    assembler = offer.assembler()
    assembler.feed({"type": "content_block_start", "index": 0, "content_block": ran})
    said: JsonObject = {"type": "input_json_delta", "partial_json": '{"query": "x'}
    assembler.feed({"type": "content_block_delta", "index": 0, "delta": said})
    assert list(assembler.partial()) == []
    assert offer.assistant(assembler.reply())["content"] == [
        {"type": "text", "text": "(no output)"}
    ]


@pytest.mark.rule("stream-noise")
@pytest.mark.parametrize("edge", [openai_chat, openai_responses, anthropic, gemini])
def test_an_event_that_is_nested_beyond_all_measure_is_passed_over(edge: ModuleType) -> None:
    deep = '{"choices": [{"delta": {"x": ' + "[" * 100_000 + "]" * 100_000 + "}}]}"
    assert streamed(edge, deep)[1] == []


def arguments_in_chat(*pieces: str) -> tuple[JsonValue, str]:
    head: JsonObject = {"index": 0, "id": "a", "function": {"name": "add", "arguments": ""}}
    rest: list[JsonObject] = [{"index": 0, "function": {"arguments": each}} for each in pieces]
    chunks = [chat_chunk(tool_calls=[each]) for each in (head, *rest)]
    _, (call,) = streamed(openai_chat, *chunks, "[DONE]")
    return call.arguments.value, call.arguments.status


@pytest.mark.rule("stream-snapshots")
@pytest.mark.parametrize(
    ("pieces", "meant"),
    [
        (('{"a":', '{"a":1}', "}"), {"a": {"a": 1}}),
        (('{"a":', '{"a":', '{"a":1}', "}}"), {"a": {"a": {"a": 1}}}),
        (("{", '{"a":1}'), {"a": 1}),
        (('{"a"', '{"a":1', '{"a":1}'), {"a": 1}),
        (('{"a"', '{"a":1', '{"a":1,"b":', "2}"), {"a": 1, "b": 2}),
        (('{"a":1}', '{"a":1}'), {"a": 1}),
        (('{"a":{"b":', '{"a":{"b":{}}}'), {"a": {"b": {}}}),
    ],
)
def test_an_inner_object_that_begins_like_the_whole_is_no_repetition(
    pieces: tuple[str, ...], meant: JsonValue
) -> None:
    assert arguments_in_chat(*pieces) == (meant, "complete")


@pytest.mark.rule("stream-snapshots")
def test_a_repeated_text_that_breaks_off_is_cut() -> None:
    assert arguments_in_chat('{"a": "x', '{"a": "xy')[0] == {"a": "xy"}
    offer = openai_chat.offer(KIT, CONTEXT)
    assembler = offer.assembler()
    for text in ('{"text": "he', '{"text": "hel', '{"text": "hello"}'):
        assembler.feed(
            chat_chunk(tool_calls=[{"index": 0, "function": {"name": "add", "arguments": text}}])
        )
    assert assembler.partial() == [("add", {"text": "hello"})]
