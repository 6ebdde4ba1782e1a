"""Ways through an offer to a model: its reply read, called, and answered in its wire."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.doors.entering import through
from tests.doors.library import KIT
from tests.doors.place import Places
from tests.doors.trial import Arrival, Json, Trial
from toolroll import CallContext, ToolCall, call_all
from toolroll.outcome import Outcome


def chat_reply(trial: Trial) -> Json:
    function = {"name": trial.tool, "arguments": _text(trial)}
    message = {"role": "assistant", "tool_calls": [_of_type("function", function)]}
    return {"choices": [{"message": message, "finish_reason": trial.finish or "tool_calls"}]}


def _of_type(kind: str, function: Json) -> Json:
    return {"id": "c1", "type": kind, kind: function}


def responses_reply(trial: Trial) -> Json:
    call = {"type": "function_call", "call_id": "c1", "name": trial.tool, "arguments": _text(trial)}
    cut = {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
    return {"output": [call], **(cut if trial.finish == "length" else {"status": "completed"})}


def anthropic_reply(trial: Trial) -> Json:
    block = {"type": "tool_use", "id": "c1", "name": trial.tool, "input": trial.arguments}
    return {"role": "assistant", "content": [block], "stop_reason": "tool_use"}


def gemini_reply(trial: Trial) -> Json:
    call = {"functionCall": {"id": "c1", "name": trial.tool, "args": trial.arguments}}
    return {"candidates": [{"content": {"role": "model", "parts": [call]}}]}


def _text(trial: Trial) -> str:
    return json.dumps(trial.arguments) if trial.text is None else trial.text


def chat_told(messages: list[Json]) -> str:
    assert messages[0]["tool_call_id"] == "c1"
    return str(messages[0]["content"])


def responses_told(messages: list[Json]) -> str:
    assert messages[0]["call_id"] == "c1"
    output = messages[0]["output"]
    parts = [{"text": output}] if isinstance(output, str) else output
    return "\n".join(part["text"] for part in parts if "text" in part)


def anthropic_told(messages: list[Json]) -> str:
    (result, *_) = messages[0]["content"]
    assert result["tool_use_id"] == "c1"
    content = result["content"]
    parts = [{"text": content}] if isinstance(content, str) else content
    return "\n".join(part["text"] for part in parts if "text" in part)


def gemini_told(messages: list[Json]) -> str:
    response = messages[0]["parts"][0]["functionResponse"]
    assert response["id"] == "c1"
    (said,) = response["response"].values()
    return str(said)


async def offered(
    trial: Trial, places: Places, *, wire: Any, reply: Any, told: Callable[[list[Json]], str]
) -> Arrival:
    offer = wire.offer(KIT, CallContext())
    (call,) = offer.read(reply(trial))
    outcomes: list[Outcome] = []

    async def keep(call: ToolCall, context: CallContext[Any]) -> Outcome:
        (outcome,) = await call_all(KIT, [call], context)
        outcomes[:] = [outcome]
        return outcome

    arrived = await through(keep, trial, call)
    return replace(arrived, told=told(offer.results([call], outcomes)))
