"""Events of the four streams beside calls: thinking, reasoning, refusals, usage, errors."""

import json
from types import ModuleType
from typing import Any

import pytest

from tests.providers.fake_kit import FakeKit, listed
from tests.text.slowdown import slowdown
from toolroll import CallContext, providers
from toolroll.content import JsonObject, JsonValue
from toolroll.providers import anthropic, gemini, openai_chat, openai_responses

CONTEXT: CallContext[None] = CallContext()
OPEN: JsonObject = {"type": "object", "properties": {}, "additionalProperties": True}
KIT = FakeKit((listed("add", OPEN),))
GOES_ON: JsonObject = {"willContinue": True}
DEAD = {"message": "overloaded"}


def streamed(edge: ModuleType, *events: JsonObject) -> tuple[Any, Any, Any]:
    """The reply, its calls, and what goes into the history."""
    offer = edge.offer(KIT, CONTEXT)
    assembler = offer.assembler()
    for event in events:
        assembler.feed(json.dumps(event))
    reply = assembler.reply()
    return reply, offer.read(reply), offer.assistant(reply)


def block(index: int, **start: JsonValue) -> JsonObject:
    return {"type": "content_block_start", "index": index, "content_block": start}


def piece(index: int, kind: str, **said: JsonValue) -> JsonObject:
    return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **said}}


def item(index: int, **said: JsonValue) -> JsonObject:
    return {"type": "response.output_item.added", "output_index": index, "item": said}


def word(kind: str, index: int, **said: JsonValue) -> JsonObject:
    return {"type": f"response.{kind}", "output_index": index, **said}


def part(**said: JsonValue) -> JsonObject:
    return {"candidates": [{"content": {"role": "model", "parts": [said]}, "index": 0}]}


@pytest.mark.rule("stream-own-parts")
def test_thinking_whose_text_is_withheld_keeps_its_empty_text_and_its_signature() -> None:
    _, _, said = streamed(
        anthropic,
        block(0, type="thinking", thinking="", signature=""),
        piece(0, "signature_delta", signature="c2"),
        piece(0, "signature_delta", signature="ln"),
        {"type": "content_block_stop", "index": 0},
        block(1, type="redacted_thinking", data="xx"),
        block(2, type="text", text=""),
        piece(2, "text_delta", text="hi"),
    )
    assert said["content"] == [
        {"type": "thinking", "thinking": "", "signature": "c2ln"},
        {"type": "redacted_thinking", "data": "xx"},
        {"type": "text", "text": "hi"},
    ]


@pytest.mark.rule("stream-own-parts")
def test_thinking_that_was_cut_before_its_signature_is_not_sent_back() -> None:
    reply, _, said = streamed(
        anthropic,
        block(0, type="thinking", thinking="", signature=""),
        piece(0, "thinking_delta", thinking="hm"),
    )
    assert reply["content"][0]["thinking"] == "hm"
    assert said["content"] == [{"type": "text", "text": "(no output)"}]
    saved: list[JsonObject] = [
        {"role": "user", "content": "go"},
        {
            "role": "assistant",
            "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "so"}],
        },
    ]
    repaired = anthropic.repair_history(saved)
    assert repaired.messages[1]["content"] == [{"type": "text", "text": "so"}]
    assert [note.kind for note in repaired.report.notes] == ["dropped"]


@pytest.mark.rule("stream-own-parts")
def test_what_the_provider_ran_itself_stays_whole() -> None:
    found: JsonObject = {"type": "web_search_tool_result", "tool_use_id": "s", "content": []}
    _, calls, said = streamed(
        anthropic,
        block(0, type="server_tool_use", id="s", name="web_search", input={}),
        piece(0, "input_json_delta", partial_json='{"query": '),
        piece(0, "input_json_delta", partial_json='"x"}'),
        {"type": "content_block_stop", "index": 0},
        {"type": "content_block_start", "index": 1, "content_block": found},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "end_turn"},
            "usage": {"output_tokens": 3},
        },
    )
    assert calls == []
    assert said["content"][0]["input"] == {"query": "x"}
    assert said["content"][1] == found


@pytest.mark.rule("stream-own-parts")
def test_usage_comes_together_from_both_ends_of_a_message() -> None:
    reply, _, _ = streamed(
        anthropic,
        {
            "type": "message_start",
            "message": {"id": "m", "usage": {"input_tokens": 7, "output_tokens": 1}},
        },
        {
            "type": "message_delta",
            "delta": {"stop_reason": "end_turn"},
            "usage": {"output_tokens": 3},
        },
        {"type": "message_stop"},
    )
    assert reply["usage"] == {"input_tokens": 7, "output_tokens": 3}
    chunk: JsonObject = {"choices": [], "usage": {"total_tokens": 9}}
    assert streamed(openai_chat, chunk)[0]["usage"] == {"total_tokens": 9}


@pytest.mark.rule("stream-own-parts")
def test_refusals_come_together_and_go_back() -> None:
    _, calls, said = streamed(
        openai_chat,
        {"choices": [{"index": 0, "delta": {"role": "assistant", "refusal": "I can"}}]},
        {"choices": [{"index": 0, "delta": {"refusal": "not."}, "finish_reason": "stop"}]},
    )
    assert (calls, said["refusal"]) == ([], "I cannot.")
    reply, calls, said = streamed(
        openai_responses,
        item(0, type="message", id="m", role="assistant", content=[], status="in_progress"),
        word("refusal.delta", 0, content_index=0, delta="I can"),
        word("refusal.delta", 0, content_index=0, delta="not."),
    )
    assert (calls, reply["status"]) == ([], "interrupted")
    assert said[0]["content"] == [{"type": "refusal", "refusal": "I cannot."}]
    assert said[0]["status"] == "incomplete"


@pytest.mark.rule("stream-own-parts")
def test_reasoning_comes_together_from_its_pieces() -> None:
    reply, _, said = streamed(
        openai_responses,
        item(0, type="reasoning", id="rs", summary=[]),
        word("reasoning_summary_text.delta", 0, summary_index=1, delta="second"),
        word("reasoning_summary_text.delta", 0, summary_index=0, delta="fir"),
        word("reasoning_summary_text.done", 0, summary_index=0, text="first"),
        word("output_text.delta", 1, content_index=0, delta="hi"),
    )
    texts = [{"type": "summary_text", "text": text} for text in ("first", "second")]
    assert reply["output"][0] == {"type": "reasoning", "id": "rs", "summary": texts}
    assert said[1]["content"] == [{"type": "output_text", "text": "hi", "annotations": []}]


@pytest.mark.rule("stream-own-parts")
def test_reasoning_that_nothing_follows_and_messages_that_say_nothing_are_not_sent_back() -> None:
    events = (
        item(0, type="reasoning", id="rs", summary=[]),
        item(1, type="message", id="m", role="assistant", content=[], status="in_progress"),
    )
    assert streamed(openai_responses, *events)[2] == []
    call = item(2, type="function_call", id="f", call_id="c", name="add", arguments="")
    _, calls, said = streamed(openai_responses, *events, call)
    assert [each["type"] for each in said] == ["reasoning", "function_call"]
    assert calls[0].arguments.status == "truncated"


@pytest.mark.rule("stream-own-parts")
def test_signatures_of_gemini_stay_at_their_parts_also_where_the_text_is_empty() -> None:
    _, _, said = streamed(
        gemini,
        part(text="hm", thought=True),
        part(functionCall={"name": "add", "args": {"x": 1}}, thoughtSignature="one"),
        part(text="so "),
        part(text="be it"),
        part(text="", thoughtSignature="two"),
        {"candidates": [{"finishReason": "STOP"}]},
    )
    assert said["parts"] == [
        {"text": "hm", "thought": True},
        {"thoughtSignature": "one", "functionCall": {"name": "add", "args": {"x": 1}}},
        {"text": "so be it"},
        {"text": "", "thoughtSignature": "two"},
    ]


@pytest.mark.rule("stream-errors")
@pytest.mark.parametrize(
    ("edge", "before", "error", "finish"),
    [
        (
            openai_chat,
            {
                "choices": [
                    {
                        "delta": {
                            "tool_calls": [{"index": 0, "id": "a", "function": {"name": "add"}}]
                        }
                    }
                ]
            },
            {"error": DEAD},
            "interrupted",
        ),
        (
            openai_responses,
            item(
                0, type="function_call", call_id="a", name="add", arguments="", status="in_progress"
            ),
            {"type": "error", "code": None, **DEAD},
            "interrupted",
        ),
        (
            anthropic,
            block(0, type="tool_use", id="a", name="add", input={}),
            {"type": "error", "error": DEAD},
            "interrupted",
        ),
        (
            gemini,
            part(functionCall={"name": "add", "willContinue": True}),
            {"error": DEAD},
            "interrupted",
        ),
    ],
    ids=["openai_chat", "openai_responses", "anthropic", "gemini"],
)
def test_an_error_in_mid_stream_stands_in_the_reply_and_the_call_is_cut(
    edge: ModuleType, before: JsonObject, error: JsonObject, finish: str
) -> None:
    reply, calls, _ = streamed(edge, before, error)
    assert reply["error"]["message"] == "overloaded"
    assert [(call.arguments.status, call.finish) for call in calls] == [("truncated", finish)]


@pytest.mark.rule("stream-errors")
def test_a_response_that_failed_says_why() -> None:
    failed: JsonObject = {"id": "r", "status": "failed", "error": {"message": "x"}, "output": []}
    reply, calls, said = streamed(openai_responses, {"type": "response.failed", "response": failed})
    assert (reply["status"], reply["error"], calls, said) == ("failed", {"message": "x"}, [], [])


@pytest.mark.rule("stream-errors")
def test_a_prompt_that_gemini_blocks_is_no_interrupted_reply() -> None:
    reply, calls, _ = streamed(gemini, {"promptFeedback": {"blockReason": "SAFETY"}})
    assert (reply, calls) == ({"promptFeedback": {"blockReason": "SAFETY"}}, [])


@pytest.mark.rule("stream-fragments")
def test_a_call_of_which_nothing_came_is_none() -> None:
    chunk: JsonObject = {"choices": [{"delta": {"tool_calls": [{"index": 0, "id": ""}]}}]}
    assert streamed(openai_chat, chunk)[1] == []
    named: JsonObject = {
        "choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"name": "add"}}]}}]
    }
    assert [call.name for call in streamed(openai_chat, named)[1]] == ["add"]


def streams(name: str, text: str) -> list[JsonObject]:
    """One call whose only argument comes in very many pieces."""
    pieces = [text[at : at + 200] for at in range(0, len(text), 200)]
    if name == "gemini":
        return [
            part(
                functionCall={"partialArgs": [{"jsonPath": "$.t", "stringValue": each}], **GOES_ON}
            )
            for each in pieces
        ]
    quoted = ['{"t": "', *pieces]
    if name == "anthropic":
        start = block(0, type="tool_use", id="a", name="add", input={})
        return [start, *(piece(0, "input_json_delta", partial_json=each) for each in quoted)]
    if name == "openai_responses":
        return [word("function_call_arguments.delta", 0, delta=each) for each in quoted]
    return [
        {"choices": [{"delta": {"tool_calls": [{"index": 0, "function": {"arguments": each}}]}}]}
        for each in quoted
    ]


@pytest.mark.rule("stream-linear")
@pytest.mark.parametrize("name", ["openai_chat", "openai_responses", "anthropic", "gemini"])
def test_long_streams_take_time_in_proportion(name: str) -> None:
    # Pieces as long as these, of wide characters: joining all that came each time shows at once.
    short, long = "\N{SNOWMAN}" * 200_000, "\N{SNOWMAN}" * 1_600_000
    made = {len(text): streams(name, text) for text in (short, long)}

    def assemble(text: str) -> None:
        offer = getattr(providers, name).offer(KIT, CONTEXT)
        assembler = offer.assembler()
        for event in made[len(text)]:
            assembler.feed(event)
        assert [call.arguments.value for call in offer.read(assembler.reply())] == [{"t": text}]

    assert slowdown(assemble, short, long) < 24  # 8 times the length


@pytest.mark.rule("stream-partial")
def test_partial_arguments_of_gemini_do_not_change_afterwards() -> None:
    assembler = providers.gemini.offer(KIT, CONTEXT).assembler()
    first: JsonValue = [{"jsonPath": "$.list[0].n", "numberValue": 1}]
    assembler.feed(part(functionCall={"name": "add", "partialArgs": first, "willContinue": True}))
    seen, replied = assembler.partial(), assembler.reply()
    more: JsonValue = [{"jsonPath": "$.list[1].n", "numberValue": 2}]
    assembler.feed(part(functionCall={"partialArgs": more, "willContinue": True}))
    assert list(seen) == [("add", {"list": [{"n": 1}]})]
    assert '"n": 2' not in json.dumps(replied)
    assert list(assembler.partial()) == [("add", {"list": [{"n": 1}, {"n": 2}]})]
