"""Histories that careless hosts keep: older calls, custom calls, empty places, calls of the user."""

import json
from types import ModuleType
from typing import Any, cast

import pytest

from tests.providers import histories as h
from toolroll import CallContext, LocalToolkit, providers
from toolroll.content import JsonObject
from toolroll.providers import anthropic, gemini, openai_chat, openai_responses

IMAGE: JsonObject = {
    "type": "image",
    "source": {"type": "base64", "media_type": "image/png", "data": "AAEC"},
}


def repaired(edge: ModuleType, *messages: JsonObject) -> tuple[list[Any], list[str]]:
    before = json.dumps(messages)
    history = cast("providers.History", edge.repair_history(messages))
    assert json.dumps(messages) == before
    again = cast("providers.History", edge.repair_history(history.messages))
    assert (again.messages, list(again.report.notes)) == (history.messages, [])
    return list(history.messages), [note.kind for note in history.report.notes]


def older(name: str, arguments: str = "{}") -> JsonObject:
    call: JsonObject = {"name": name, "arguments": arguments}
    return {"role": "assistant", "content": None, "function_call": call}


@pytest.mark.rule("history-older-calls")
def test_older_function_calls_of_chat_become_calls_with_ids_and_keep_their_results() -> None:
    said = [
        h.user("go"),
        older("t", '{"q":1}'),
        {"role": "function", "name": "t", "content": "ok"},
        older("u"),
        h.user("and?"),
    ]
    messages, kinds = repaired(openai_chat, *said)
    assert [message["role"] for message in messages] == [
        "user",
        "assistant",
        "tool",
        "assistant",
        "tool",
        "user",
    ]
    assert not any("function_call" in message for message in messages)
    (call,) = messages[1]["tool_calls"]
    assert call["function"] == {"name": "t", "arguments": '{"q":1}'}
    assert (messages[2]["tool_call_id"], messages[2]["content"]) == (call["id"], "ok")
    assert "interrupted" in messages[4]["content"]
    assert kinds == ["renamed", "renamed", "added"]
    moved = anthropic.write_history(openai_chat.read_history(said)).messages
    (use,) = cast("list[Any]", moved[1]["content"])
    assert (use["name"], use["input"]) == ("t", {"q": 1})


@pytest.mark.rule("history-custom-calls")
def test_custom_calls_of_chat_keep_their_results_and_move_as_calls() -> None:
    custom: JsonObject = {"id": "b", "type": "custom", "custom": {"name": "sh", "input": "ls"}}
    said = [
        h.user("go"),
        h.chat_assistant(h.chat_call("a"), custom),
        h.chat_result("a"),
        h.chat_result("b", "files"),
    ]
    assert repaired(openai_chat, *said) == (said, [])
    lost, kinds = repaired(openai_chat, *said[:-1])
    assert ([each.get("tool_call_id") for each in lost[2:]], kinds) == (["a", "b"], ["added"])
    moved = anthropic.write_history(openai_chat.read_history(said)).messages
    uses = cast("list[Any]", moved[1]["content"])
    assert [(use["name"], use["input"]) for use in uses] == [("t", {}), ("sh", {"input": "ls"})]


@pytest.mark.rule("history-names-arguments")
def test_media_of_an_anthropic_error_stands_behind_the_results() -> None:
    failed: JsonObject = {**h.tool_result("a", [IMAGE]), "is_error": True}
    used = h.blocks("assistant", h.tool_use("a"), h.tool_use("b"))
    text: JsonObject = {"type": "text", "text": "look"}
    said = [h.user("go"), used, h.blocks("user", failed, h.tool_result("b"), text)]
    messages, kinds = repaired(anthropic, *said)
    first, second, label, image, last = messages[2]["content"]
    assert first["content"] == [{"type": "text", "text": "[image image/png, 3 bytes]"}]
    assert (first["is_error"], second["tool_use_id"], last) == (True, "b", text)
    assert (label["text"], image) == ("[image image/png, 3 bytes] of a:", IMAGE)
    assert kinds == ["repaired", "moved"]


@pytest.mark.rule("history-names-arguments")
def test_media_of_an_error_moves_to_anthropic_behind_the_results() -> None:
    shown: JsonObject = {"type": "input_image", "image_url": "data:image/png;base64,AAEC"}
    told: JsonObject = {"type": "input_text", "text": "The tool reported a failure:"}
    output: JsonObject = {"type": "function_call_output", "call_id": "a", "output": [told, shown]}
    turns = openai_responses.read_history([h.user("go"), h.item_call("a"), output])
    content = cast("list[Any]", anthropic.write_history(turns).messages[2]["content"])
    assert [block["type"] for block in content] == ["tool_result", "text", "image"]
    assert content[0]["is_error"] is True


@pytest.mark.rule("history-names-arguments")
@pytest.mark.parametrize("arguments", ["null", "[1]", '"x"'])
def test_arguments_that_are_no_object_become_one(arguments: str) -> None:
    said = [
        h.user("go"),
        h.chat_assistant(h.chat_call("a", arguments=arguments)),
        h.chat_result("a"),
    ]
    messages, kinds = repaired(openai_chat, *said)
    assert messages[1]["tool_calls"][0]["function"]["arguments"] == "{}"
    assert kinds == ["repaired"]


@pytest.mark.rule("history-names-arguments")
def test_arguments_of_gemini_that_are_a_text_become_an_object() -> None:
    call: JsonObject = {"functionCall": {"name": "t", "args": '{"q": 1}'}}
    go = h.contents("user", {"text": "go"})
    messages, kinds = repaired(
        gemini, go, h.contents("model", call), h.contents("user", h.g_result())
    )
    assert messages[1]["parts"][0]["functionCall"]["args"] == {"q": 1}
    assert kinds == ["repaired"]


@pytest.mark.rule("history-names-arguments")
def test_results_and_messages_without_content_get_an_empty_one() -> None:
    nothing: JsonObject = {"role": "assistant", "content": None}
    result: JsonObject = {"role": "tool", "tool_call_id": "a", "content": None}
    messages, kinds = repaired(
        openai_chat, h.user("go"), h.chat_assistant(h.chat_call("a")), result, nothing
    )
    assert [message["content"] for message in messages[2:]] == ["(no output)", ""]
    assert kinds == ["repaired", "repaired"]
    output: JsonObject = {"type": "function_call_output", "call_id": "a", "output": None}
    items, kinds = repaired(openai_responses, h.item_call("a"), output, nothing)
    assert (items[1]["output"], items[2]["content"]) == ("(no output)", "")
    assert kinds == ["repaired", "repaired"]
    used = h.blocks("assistant", h.tool_use("a"))
    blocks, kinds = repaired(
        anthropic, h.user("go"), used, h.blocks("user", h.tool_result("a", None))
    )
    assert blocks[2]["content"][0]["content"] == [{"type": "text", "text": "(no output)"}]
    assert kinds == ["repaired"]
    bare: JsonObject = {"functionResponse": {"name": "t"}}
    go, called = h.contents("user", {"text": "go"}), h.contents("model", h.g_call())
    contents, kinds = repaired(gemini, go, called, h.contents("user", bare, {}))
    assert contents[2]["parts"] == [
        {"functionResponse": {"name": "t", "response": {"output": "(no output)"}}}
    ]
    assert kinds == ["repaired", "dropped"]


@pytest.mark.rule("history-orphans")
@pytest.mark.parametrize("edge", [anthropic, gemini], ids=["anthropic", "gemini"])
def test_calls_that_the_user_is_said_to_have_made_go_with_their_results(edge: ModuleType) -> None:
    if edge is anthropic:
        said = [
            h.blocks("user", h.tool_use("a")),
            h.blocks("user", h.tool_result("a")),
            h.user("hi"),
        ]
    else:
        hi = h.contents("user", {"text": "hi"})
        said = [h.contents("user", h.g_call()), h.contents("user", h.g_result()), hi]
    messages, kinds = repaired(edge, *said)
    assert (messages, kinds) == ([said[-1]], ["dropped", "dropped"])
    assert openai_chat.write_history(edge.read_history(said)).messages == [h.user("hi")]


@pytest.mark.rule("assistant-keeps")
@pytest.mark.parametrize("arguments", ["null", "", "[1]", '"x"', "{'a': 1}", '{"a": 1'])
def test_the_history_of_a_reply_is_in_order_whatever_its_arguments_are(arguments: str) -> None:
    offer = openai_chat.offer(LocalToolkit("none"), CallContext())
    reply: JsonObject = {
        "choices": [{"message": h.chat_assistant(h.chat_call("a", arguments=arguments))}]
    }
    said = [h.user("go"), offer.assistant(reply), h.chat_result("a")]
    assert repaired(openai_chat, *said) == (said, [])
