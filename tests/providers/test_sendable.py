"""What goes out can be sent: half a surrogate pair costs itself, and no request."""

import json
from types import ModuleType
from typing import Any, cast

import pytest

from tests.providers import histories as h
from tests.providers.fake_kit import FakeKit, listed
from toolroll import Answer, CallContext, ToolResult, providers
from toolroll.content import JsonObject, Text
from toolroll.providers import anthropic, gemini, openai_chat, openai_responses

HALF = "\ud83d"
every = pytest.mark.parametrize("edge", [openai_chat, openai_responses, anthropic, gemini])


def sent(value: object) -> str:
    """As a client sends it."""
    return json.dumps(value, ensure_ascii=False).encode().decode()


@pytest.mark.rule("sent-as-text")
@every
def test_half_a_pair_in_a_schema_or_a_result_is_replaced(edge: ModuleType) -> None:
    odd: JsonObject = {
        "type": "object",
        "properties": {"a": {"type": "string", "description": HALF}},
    }
    plain: JsonObject = {"type": "object", "properties": {"a": {"type": "string"}}}
    offer = edge.offer(FakeKit((listed("t", odd), listed("u", plain))), CallContext())
    assert "\ufffd" in sent(offer.tools)
    assert [note.subject for note in offer.report.of_kind("lost")] == ["t"]
    call = h_call(edge, offer)
    result = ToolResult(content=(Text(f"half {HALF}"),))
    answered = offer.results([call], [Answer(call_id=call.id, result=result)])
    assert "half \ufffd" in sent(answered)


def h_call(edge: ModuleType, offer: Any) -> Any:
    """A call with half a pair in its arguments, whose history can be sent."""
    given = {"a": HALF}
    text = json.dumps(given)
    replies: dict[ModuleType, JsonObject] = {
        openai_chat: h.chat_assistant(h.chat_call("c", "t", text)),
        openai_responses: {"output": [{**h.item_call("c", "t"), "arguments": text}]},
        anthropic: h.blocks("assistant", h.tool_use("c", "t", cast("Any", given))),
        gemini: h.contents("model", {"functionCall": {"name": "t", "args": cast("Any", given)}}),
    }
    assert sent(offer.assistant(replies[edge]))
    (call,) = offer.read(replies[edge])
    assert call.arguments.value == given
    return call


@pytest.mark.rule("sent-as-text")
@every
def test_half_a_pair_in_a_history_is_replaced_and_told(edge: ModuleType) -> None:
    words = f"half {HALF}"
    said = h.contents("user", {"text": words}) if edge is gemini else h.user(words)
    history = cast("providers.History", edge.repair_history([said]))
    assert "half \ufffd" in sent(history.messages)
    assert [note.kind for note in history.report.notes] == ["repaired"]
    again = edge.repair_history(history.messages)
    assert (again.messages, list(again.report.notes)) == (history.messages, [])
