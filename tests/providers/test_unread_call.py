"""A call the provider itself could not read is no silent end of the loop."""

from types import ModuleType
from typing import Any, cast

import pytest

from toolroll import (
    CallContext,
    InvalidInput,
    LocalToolkit,
    Outcome,
    Refused,
    call_all,
    run_sync,
    tool,
)
from toolroll.content import JsonObject
from toolroll.providers import gemini, openai_chat

CONTEXT: CallContext[None] = CallContext()
SAID = "Malformed function call: print(default_api.note_count(x=[...]))"


@tool(effect="read")
def note_count() -> int:
    """Say how many notes there are."""
    return 2


KIT = LocalToolkit("notes", note_count)


def candidate(*parts: JsonObject, **said: str) -> JsonObject:
    return {"candidates": [{"content": {"role": "model", "parts": list(parts)}, **said}]}


def run(edge: ModuleType, reply: JsonObject) -> tuple[list[Outcome], list[Any]]:
    """The outcomes of a reply, and the history behind it, which is in order."""
    offer = edge.offer(KIT, CONTEXT)
    assembler = offer.assembler()
    assembler.feed(reply)
    for form in (reply, assembler.reply()):
        calls = offer.read(form)
        outcomes = list(run_sync(call_all, KIT, calls, CONTEXT))
        history = [offer.assistant(form), *offer.results(calls, outcomes)]
    go: JsonObject = {"role": "user", "content": "go", "parts": [{"text": "go"}]}
    repaired = edge.repair_history([go, *history])
    assert (repaired.messages[1:], list(repaired.report.notes)) == (history, [])
    return outcomes, history


@pytest.mark.rule("read-unread-calls")
def test_a_call_gemini_could_not_read_is_answered_with_the_reason() -> None:
    reply = candidate(finishReason="MALFORMED_FUNCTION_CALL", finishMessage=SAID)
    (outcome,), (said, answered) = run(gemini, reply)
    assert isinstance(outcome, InvalidInput)
    assert outcome.code == "malformed-arguments"
    assert SAID in outcome.message
    (part,) = said["parts"]
    assert part["functionCall"] == {"name": "note_count", "args": {}}
    assert part["thoughtSignature"]
    assert SAID in answered["parts"][0]["functionResponse"]["response"]["error"]


@pytest.mark.rule("read-unread-calls")
def test_a_call_gemini_says_nothing_of_is_told_too() -> None:
    bare: JsonObject = {"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL", "index": 0}]}
    (outcome,), (said, _) = run(gemini, bare)
    assert isinstance(outcome, Refused)
    assert "malformed_function_call" in outcome.message
    assert said["parts"][0]["functionCall"]["name"] == "malformed_function_call"


@pytest.mark.rule("read-unread-calls")
def test_a_call_that_stands_in_a_malformed_reply_is_not_run() -> None:
    part: JsonObject = {"functionCall": {"name": "note_count", "args": {}}, "thoughtSignature": "s"}
    (outcome,), (said, _) = run(gemini, candidate(part, finishReason="MALFORMED_FUNCTION_CALL"))
    assert cast("InvalidInput", outcome).code == "truncated-arguments"
    assert said["parts"] == [part]


@pytest.mark.rule("read-unread-calls")
def test_chat_completions_of_gemini_say_it_in_small_letters() -> None:
    message: JsonObject = {"role": "assistant", "content": None, "refusal": SAID}
    choice: JsonObject = {"message": message, "finish_reason": "malformed_function_call"}
    (outcome,), (said, answered) = run(openai_chat, {"choices": [choice]})
    assert cast("InvalidInput", outcome).code == "malformed-arguments"
    assert said["tool_calls"][0]["function"] == {"name": "note_count", "arguments": "{}"}
    assert SAID in answered["content"]
