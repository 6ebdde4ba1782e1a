"""Histories that providers would refuse, put in order; whole ones left alone."""

import json
from collections.abc import Callable
from types import ModuleType
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.providers import histories as h
from tests.text.slowdown import slowdown
from toolroll import providers
from toolroll.content import JsonObject
from toolroll.tools.hints import Hints

NAMES = ("openai_chat", "openai_responses", "anthropic", "gemini")
EDGES: dict[str, ModuleType] = {name: getattr(providers, name) for name in NAMES}
GO = h.contents("user", {"text": "go"})


def repaired(name: str, messages: list[JsonObject], **given: Any) -> providers.History:
    before = json.dumps(messages)
    history = EDGES[name].repair_history(messages, **given)
    assert json.dumps(messages) == before
    return cast("providers.History", history)


def kinds(history: providers.History) -> list[str]:
    return [note.kind for note in history.report.notes]


@pytest.mark.rule("history-whole-is-untouched")
@pytest.mark.parametrize("name", NAMES)
def test_a_whole_history_comes_back_equal_without_a_word(name: str) -> None:
    history = repaired(name, h.WHOLE[name])
    assert history.messages == h.WHOLE[name]
    assert not history.report


@pytest.mark.rule("history-missing-results")
def test_only_missing_results_are_filled_in_the_order_of_the_calls() -> None:
    calls = [h.chat_call("a"), h.chat_call("b"), h.chat_call("c")]
    history = repaired("openai_chat", [h.chat_assistant(*calls), h.chat_result("b", "B")])
    results = [message for message in history.messages if message["role"] == "tool"]
    assert [result["tool_call_id"] for result in results] == ["a", "b", "c"]
    assert results[1]["content"] == "B"
    assert all("interrupted" in str(results[place]["content"]) for place in (0, 2))
    assert kinds(history) == ["added", "added"]


@pytest.mark.rule("history-missing-results")
def test_missing_results_of_every_wire_say_so_and_are_errors() -> None:
    use = repaired("anthropic", [h.blocks("assistant", h.tool_use("a")), h.user("go on")]).messages
    assert [message["role"] for message in use] == ["assistant", "user", "user"]
    block = cast("list[Any]", use[1]["content"])[0]
    assert (block["tool_use_id"], block["is_error"]) == ("a", True)
    called = h.contents("model", h.g_call(), h.g_call("u"))
    made = repaired("gemini", [GO, called, h.contents("user", h.g_result())]).messages
    parts = cast("list[Any]", made[2]["parts"])
    assert [part["functionResponse"]["name"] for part in parts] == ["t", "u"]
    assert list(parts[1]["functionResponse"]["response"]) == ["error"]
    items = repaired("openai_responses", [h.item_call("a"), h.user("go on")]).messages
    assert [item.get("type", "message") for item in items] == [
        "function_call",
        "function_call_output",
        "message",
    ]


@pytest.mark.rule("history-missing-results")
@pytest.mark.parametrize("name", NAMES)
def test_a_lost_call_of_a_tool_that_only_reads_may_be_made_again(name: str) -> None:
    calls: dict[str, list[JsonObject]] = {
        "openai_chat": [h.chat_assistant(h.chat_call("a"), h.chat_call("b", "w"))],
        "openai_responses": [h.item_call("a"), h.item_call("b", "w")],
        "anthropic": [h.blocks("assistant", h.tool_use("a"), h.tool_use("b", "w"))],
        "gemini": [GO, h.contents("model", h.g_call(), h.g_call("w"))],
    }
    hints = {"t": Hints(read_only=True), "w": Hints(read_only=False)}
    text = json.dumps(repaired(name, calls[name], hints=hints).messages)
    assert text.count("call it again.") == 2
    assert text.count("only reads") == 1
    assert text.count("check before") == 1


@pytest.mark.rule("history-orphans")
@pytest.mark.parametrize("name", NAMES)
def test_a_result_without_its_call_goes_and_so_does_a_second_one(name: str) -> None:
    broken: dict[str, list[JsonObject]] = {
        "openai_chat": [
            h.user("hi"),
            h.chat_result("ghost"),
            h.chat_assistant(h.chat_call("a")),
            h.chat_result("a", "first"),
            h.chat_result("a", "second"),
        ],
        "openai_responses": [
            h.user("hi"),
            h.item_output("ghost"),
            h.item_call("a"),
            h.item_output("a", "first"),
            h.item_output("a", "second"),
        ],
        "anthropic": [
            h.blocks("user", {"type": "text", "text": "hi"}, h.tool_result("ghost")),
            h.blocks("assistant", h.tool_use("a")),
            h.blocks("user", h.tool_result("a", "first"), h.tool_result("a", "second")),
        ],
        "gemini": [
            h.contents("user", {"text": "hi"}, h.g_result("ghost")),
            h.contents("model", h.g_call()),
            h.contents("user", h.g_result(output="first"), h.g_result(output="second")),
        ],
    }
    history = repaired(name, broken[name])
    text = json.dumps(history.messages)
    assert "ghost" not in text
    assert "first" in text
    assert "second" not in text
    assert kinds(history) == ["dropped", "dropped"]


@pytest.mark.rule("history-orphans")
def test_messages_around_a_dropped_result_stay_as_they_were() -> None:
    messages = [h.user("hi"), h.chat_result("ghost"), h.chat_assistant(text="hello")]
    assert repaired("openai_chat", messages).messages == [messages[0], messages[2]]


@pytest.mark.rule("history-order")
def test_a_result_moves_behind_its_call() -> None:
    late = [
        h.chat_assistant(h.chat_call("a"), h.chat_call("b")),
        h.chat_result("a"),
        h.user("wait"),
        h.chat_result("b"),
    ]
    history = repaired("openai_chat", late)
    assert [message["role"] for message in history.messages] == [
        "assistant",
        "tool",
        "tool",
        "user",
    ]
    assert kinds(history) == ["moved"]
    early = [h.item_output("a"), h.item_call("a")]
    assert repaired("openai_responses", early).messages == [h.item_call("a"), h.item_output("a")]


@pytest.mark.rule("history-order")
def test_results_stand_at_the_start_of_the_message_for_anthropic() -> None:
    said = h.blocks("user", {"type": "text", "text": "so"}, h.tool_result("a"))
    history = repaired("anthropic", [h.blocks("assistant", h.tool_use("a")), said])
    content = cast("list[Any]", history.messages[1]["content"])
    assert [block["type"] for block in content] == ["tool_result", "text"]
    assert kinds(history) == ["moved"]


@pytest.mark.rule("history-ids")
def test_blank_ids_are_numbered_by_message_and_call_and_long_ones_fit() -> None:
    foreign = "toolu_" + "q" * 37
    messages = [
        h.chat_assistant(h.chat_call(""), h.chat_call(foreign)),
        h.chat_result("", "1"),
        h.chat_result(foreign, "2"),
    ]
    first = repaired("openai_chat", messages).messages
    ids = [call["id"] for call in cast("list[Any]", first[0]["tool_calls"])]
    assert ids[0] == "call_0_0"
    assert len(ids[1]) <= 40
    assert [message["tool_call_id"] for message in first[1:]] == ids
    assert [message["content"] for message in first[1:]] == ["1", "2"]
    assert repaired("openai_chat", messages).messages == first


@pytest.mark.rule("history-ids")
def test_a_repeated_id_is_made_two_with_each_result_at_its_call() -> None:
    messages = [
        h.chat_assistant(h.chat_call("a")),
        h.chat_result("a", "1"),
        h.chat_assistant(h.chat_call("a")),
        h.chat_result("a", "2"),
    ]
    made = repaired("openai_chat", messages).messages
    assert [
        (message["tool_call_id"], message["content"])
        for message in made
        if message["role"] == "tool"
    ] == [("a", "1"), ("a_2", "2")]


@pytest.mark.rule("history-ids")
def test_ids_with_other_characters_are_respelled_for_anthropic_on_both_sides() -> None:
    messages = [
        h.blocks("assistant", h.tool_use("call:1|x")),
        h.blocks("user", h.tool_result("call:1|x")),
    ]
    made = repaired("anthropic", messages).messages
    use = cast("list[Any]", made[0]["content"])[0]["id"]
    assert cast("list[Any]", made[1]["content"])[0]["tool_use_id"] == use
    assert all(character.isalnum() or character in "_-" for character in use)


@pytest.mark.rule("history-ids")
def test_calls_of_gemini_without_ids_keep_none_and_are_matched_by_name_and_place() -> None:
    messages = [
        GO,
        h.contents("model", h.g_call("t"), h.g_call("u"), h.g_call("t")),
        h.contents(
            "user",
            h.g_result("u", output="U"),
            h.g_result("t", output="1"),
            h.g_result("t", output="2"),
        ),
    ]
    assert repaired("gemini", messages).messages == messages


@pytest.mark.rule("history-names-arguments")
def test_names_and_arguments_the_api_refuses_are_respelled() -> None:
    call = h.chat_call("a", "files.read/all", '{"path": "x", "text": "cut o')
    made = repaired("openai_chat", [h.chat_assistant(call), h.chat_result("a")])
    function = cast("list[Any]", made.messages[0]["tool_calls"])[0]["function"]
    assert function["name"] == "files_read_all"
    assert json.loads(function["arguments"]) == {"path": "x", "text": "cut o"}
    assert kinds(made) == ["renamed", "repaired"]
    use = repaired(
        "anthropic",
        [
            h.blocks("assistant", h.tool_use("a", given='{"q": 1}')),
            h.blocks("user", h.tool_result("a")),
        ],
    )
    assert cast("list[Any]", use.messages[0]["content"])[0]["input"] == {"q": 1}


@pytest.mark.rule("history-names-arguments")
def test_empty_texts_and_trailing_reasoning_go() -> None:
    made = repaired(
        "anthropic",
        [h.blocks("user", {"type": "text", "text": ""}, {"type": "text", "text": "hi"})],
    )
    assert cast("list[Any]", made.messages[0]["content"]) == [{"type": "text", "text": "hi"}]
    reasoning: JsonObject = {"type": "reasoning", "id": "rs", "summary": []}
    assert repaired("openai_responses", [h.user("a"), reasoning, h.user("b")]).messages == [
        h.user("a"),
        h.user("b"),
    ]


@pytest.mark.rule("history-order")
def test_calls_of_gemini_stand_behind_the_users_words_or_behind_responses() -> None:
    call, result = h.contents("model", h.g_call()), h.contents("user", h.g_result())
    made = repaired("gemini", [GO, h.contents("model", {"text": "so"}), call, result])
    assert [content["role"] for content in made.messages] == ["user", "model", "user"]
    assert made.messages[1]["parts"] == [{"text": "so"}, h.g_call()]
    assert kinds(made) == ["moved"]
    begun = repaired("gemini", [call, result])
    assert [content["role"] for content in begun.messages] == ["user", "model", "user"]
    assert kinds(begun) == ["added"]


@pytest.mark.rule("history-names-arguments")
def test_an_empty_list_of_calls_goes() -> None:
    said: JsonObject = {"role": "assistant", "content": None, "tool_calls": []}
    assert repaired("openai_chat", [said]).messages == [{"role": "assistant", "content": ""}]


@pytest.mark.rule("history-names-arguments")
@pytest.mark.parametrize("name", ["openai_chat", "openai_responses"])
def test_arguments_become_text_where_the_wire_takes_text(name: str) -> None:
    function: JsonObject = {"name": "t", "arguments": {"q": 1}}
    calls: dict[str, list[JsonObject]] = {
        "openai_chat": [h.chat_assistant({**h.chat_call("a"), "function": function})],
        "openai_responses": [{**h.item_call("a"), **function}],
    }
    made = repaired(name, calls[name])
    assert json.dumps(made.messages[0]).count(json.dumps('{"q":1}')) == 1
    assert kinds(made) == ["repaired", "added"]


@pytest.mark.rule("history-names-arguments")
def test_what_anthropic_refuses_in_messages_and_results_goes_or_is_named() -> None:
    image: JsonObject = {
        "type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": "AAEC"},
    }
    empty: JsonObject = {"type": "text", "text": ""}
    failed: JsonObject = {**h.tool_result("a", [empty, image]), "is_error": True}
    made = repaired(
        "anthropic",
        [
            h.user("go"),
            h.blocks("assistant", h.tool_use("a")),
            h.blocks("user", failed),
            h.user(""),
            h.blocks("assistant"),
        ],
    )
    assert [message["role"] for message in made.messages] == ["user", "assistant", "user"]
    result = cast("list[Any]", made.messages[2]["content"])[0]
    assert result["content"] == [{"type": "text", "text": "[image image/png, 3 bytes]"}]
    assert kinds(made) == ["repaired", "dropped", "dropped"]


@pytest.mark.rule("history-names-arguments", "history-whole-is-untouched")
def test_contents_without_parts_go_and_older_roles_stay() -> None:
    function: JsonObject = {"role": "function", "parts": [h.g_result()]}
    said = [GO, h.contents("model", h.g_call()), function]
    assert repaired("gemini", said).messages == said
    made = repaired("gemini", [*said, h.contents("model")])
    assert made.messages == said
    assert kinds(made) == ["dropped"]


LONG: dict[str, Callable[[int], list[JsonObject]]] = {
    "one turn of many calls": lambda count: [
        h.chat_assistant(*(h.chat_call(f"c{number}") for number in range(count))),
        *(h.chat_result(f"c{number}") for number in range(count)),
    ],
    "one id again and again": lambda count: (
        [h.chat_assistant(h.chat_call("a")), h.chat_result("a")] * count
    ),
    "all results at the end": lambda count: [
        *(h.chat_assistant(h.chat_call(f"c{number}")) for number in range(count)),
        *(h.chat_result(f"c{number}") for number in range(count)),
    ],
}


@pytest.mark.rule("history-linear")
@pytest.mark.parametrize("shape", LONG)
def test_long_histories_take_time_in_proportion(shape: str) -> None:
    short, long = LONG[shape](500), LONG[shape](32_000)
    # 64 times the length. Copying the rest of the history for each turn takes more than 300 times as
    # long.
    assert slowdown(providers.openai_chat.repair_history, short, long, rounds=3) < 150


PIECES: dict[str, list[JsonObject]] = {
    "openai_chat": [
        h.user("u"),
        h.chat_assistant(text="x"),
        h.chat_assistant(h.chat_call(""), h.chat_call("a")),
        h.chat_assistant(h.chat_call("a", "b.c", "{"), h.chat_call("z" * 50)),
        {**h.chat_assistant(text=None), "refusal": "no", "reasoning_content": "hm"},
        h.chat_result("a"),
        h.chat_result(""),
        h.chat_result("z" * 50),
        {"role": "tool", "content": [{"type": "text", "text": "x"}]},
        {
            "role": "user",
            "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,AAEC"}}],
        },
    ],
    "openai_responses": [
        h.user("u"),
        {"type": "reasoning", "id": "rs", "summary": []},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "x"}]},
        h.item_call("a"),
        h.item_call("", "b.c", "{"),
        h.item_call("z" * 70),
        h.item_output("a"),
        h.item_output(""),
        h.item_output("z" * 70),
        {"type": "web_search_call", "id": "ws", "status": "completed"},
    ],
    "anthropic": [
        h.user("u"),
        h.blocks("assistant", {"type": "text", "text": "x"}, h.tool_use("a"), h.tool_use("")),
        h.blocks("assistant", h.tool_use("a", "b.c", "{"), h.tool_use("z:" * 40)),
        h.blocks(
            "user", h.tool_result("a"), {"type": "text", "text": ""}, h.tool_result("z:" * 40)
        ),
        h.blocks("user", {"type": "text", "text": "t"}, h.tool_result("")),
        h.blocks("user", {**h.tool_result("a", [{"type": "text", "text": ""}]), "is_error": True}),
        h.blocks("user"),
        h.user(""),
    ],
    "gemini": [
        h.contents("user", {"text": "u"}),
        h.contents("model", {"text": "x"}, h.g_call(), h.g_call("u", "a")),
        h.contents("model", h.g_call("9 b"), h.g_call("u", "a")),
        h.contents("user", h.g_result(), h.g_result("u", "a"), {"text": "t"}),
        h.contents("user", h.g_result("u")),
        {"role": "function", "parts": [h.g_result()]},
        h.contents("user"),
    ],
}


@pytest.mark.rule("history-idempotent")
@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
def test_a_repaired_history_is_whole(name: str, data: st.DataObject) -> None:
    messages = data.draw(st.lists(st.sampled_from(PIECES[name]), max_size=8))
    once = repaired(name, messages)
    again = repaired(name, once.messages)
    assert again.messages == once.messages
    assert not again.report
    assert unpaired(name, once.messages) == []


def unpaired(name: str, messages: list[JsonObject]) -> list[str]:
    """What a provider would refuse: calls and results that do not pair up at their place."""
    faults: list[str] = []
    waiting: list[str] = []
    for kind, key in _events(name, messages):
        if kind == "call":
            waiting.append(key)
        elif kind == "result":
            if key not in waiting:
                faults.append(f"result {key}")
            else:
                waiting.remove(key)
        elif waiting:
            faults.append(f"calls {waiting}")
            waiting = []
    return faults + waiting


def _events(name: str, messages: list[JsonObject]) -> list[tuple[str, str]]:
    events: list[tuple[str, str]] = []
    for message in cast("list[Any]", messages):
        if name == "openai_chat":
            events += (
                [("result", message["tool_call_id"])]
                if message["role"] == "tool"
                else [("other", "")]
            )
            events += [("call", call["id"]) for call in message.get("tool_calls", ())]
        elif name == "openai_responses":
            kind = message.get("type", "message")
            known = {"function_call": "call", "function_call_output": "result"}
            model = kind in ("reasoning", "web_search_call") or message.get("role") == "assistant"
            if not model:
                events.append((known.get(kind, "other"), message.get("call_id", "")))
        elif name == "anthropic":
            held = message["content"] if isinstance(message["content"], list) else []
            events += [
                ("result", block["tool_use_id"]) for block in held if block["type"] == "tool_result"
            ]
            events.append(("other", ""))
            events += [("call", block["id"]) for block in held if block["type"] == "tool_use"]
        else:
            held = message["parts"]
            events += [
                (
                    "result",
                    part["functionResponse"]["name"] + part["functionResponse"].get("id", ""),
                )
                for part in held
                if "functionResponse" in part
            ]
            events.append(("other", ""))
            events += [
                ("call", part["functionCall"]["name"] + part["functionCall"].get("id", ""))
                for part in held
                if "functionCall" in part
            ]
    return events
