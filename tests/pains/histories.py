"""Conversations: put in order, ids made fitting, media where only text can go."""

import json
import re
from typing import Any

from tests.pains.case import Case
from tests.pains.making import NOBODY
from tests.providers.histories import chat_assistant, chat_call, chat_result
from toolroll import LocalToolkit, ToolCall, ToolResult
from toolroll.content import content_from_json
from toolroll.outcome import Answer
from toolroll.providers import openai_chat
from toolroll.repair import ID_RULES


def repair_history(case: Case) -> None:
    """Calls and results in pairs."""
    wanted = case.wanted
    made: Any = openai_chat.repair_history(_chat(case.given["messages"])).messages
    if "messages" in wanted:
        assert made == _chat(wanted["messages"])
        return
    results = [message for message in made if message["role"] == "tool"]
    assert [result["tool_call_id"] for result in results] == wanted["result_ids"]
    said = {result["tool_call_id"]: result["content"] for result in results}
    assert [id for id, content in said.items() if "interrupted" in content] == wanted["errors"]
    assert {id: said[id] for id in wanted["content_of"]} == wanted["content_of"]


def normalize_history_ids(case: Case) -> None:
    """Ids that a provider takes, on both sides of a pair."""
    given, wanted = case.given, case.wanted
    ids: Any = given["provider"].replace("-", "_")
    rule = ID_RULES[ids]
    assert rule.limit == given.get("limit", rule.limit)

    def repaired() -> Any:
        return openai_chat.repair_history(_chat(given["messages"]), ids=ids).messages

    assistant, *results = repaired()
    calls = [call["id"] for call in assistant["tool_calls"]]
    pairs = [(result["tool_call_id"], result["content"]) for result in results]
    assert (pairs == list(zip(calls, "12", strict=True))) is wanted["pairs_kept"]
    assert (repaired() == [assistant, *results]) is wanted.get("same_every_time", True)
    assert len(set(calls)) == wanted.get("distinct", 2)
    assert all(re.search(wanted.get("ids_match", ""), id) for id in calls)
    assert max(map(len, calls)) <= wanted.get("max_length", rule.limit)
    assert calls[0] == wanted.get("first_id", calls[0])


def adapter_result(case: Case) -> None:
    """A result written where only text can go: the tool message of chat completions."""
    assert case.given["adapter"] == "plain-text"
    content = tuple(map(content_from_json, case.given["content"]))
    offer = openai_chat.offer(LocalToolkit("pains"), NOBODY)
    outcome = Answer(result=ToolResult(content=content))
    message, *_ = offer.results([ToolCall.of("show", id="c1")], [outcome])
    text = str(message["content"])
    assert all(words in text for words in case.wanted["text_has"])
    assert case.wanted["text_must_not_contain"] not in text


def _chat(messages: list[dict[str, Any]]) -> list[Any]:
    """The messages of a case as chat completions have them."""
    chat: list[Any] = []
    for message in messages:
        if message["role"] == "tool":
            chat.append(chat_result(message["id"], message["content"]))
        elif "calls" in message:
            calls = [
                chat_call(call["id"], call["name"], json.dumps(call["arguments"]))
                for call in message["calls"]
            ]
            chat.append(chat_assistant(*calls))
        else:
            chat.append(message)
    return chat
