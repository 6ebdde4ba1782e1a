"""Messages no provider knows: roles and contents of a host's own, of other wires, of SDKs."""

import json
from types import ModuleType
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.providers import histories as h
from tests.providers.test_broken_history import repaired
from tests.providers.test_history import EDGES, NAMES
from toolroll import CallContext, LocalToolkit
from toolroll.content import JsonObject, JsonValue
from toolroll.providers import anthropic, gemini, openai_chat, openai_responses

IMAGE: JsonObject = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAEC"}}
LINE = "[image image/png, 3 bytes]"


def say(name: str, text: JsonValue, role: JsonValue = None, **more: JsonValue) -> JsonObject:
    """A message that holds the text in the place of the provider."""
    field = "parts" if name == "gemini" else "content"
    said: dict[str, JsonValue] = {field: text, **more}
    return said if role is None else {"role": role, **said}


def part(name: str, text: str, role: str = "user") -> JsonObject:
    kinds = {"openai_responses": "output_text" if role == "assistant" else "input_text"}
    return {"text": text} if name == "gemini" else {"type": kinds.get(name, "text"), "text": text}


@pytest.mark.rule("history-odd-roles")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("role", "meant"),
    [
        ("phase", "user"),
        ("", "user"),
        (5, "user"),
        ("human", "user"),
        ("ai", "assistant"),
        ("Assistant", "assistant"),
        ("bot", "assistant"),
    ],
)
def test_a_role_nobody_knows_is_whom_it_means(name: str, role: JsonValue, meant: str) -> None:
    go = say(name, [part(name, "go")], "user")
    messages, kinds = repaired(EDGES[name], go, say(name, [part(name, "so", meant)], role))
    wire = "model" if name == "gemini" and meant == "assistant" else meant
    assert messages == [go, say(name, [part(name, "so", meant)], wire)]
    assert kinds == ["repaired"]


@pytest.mark.rule("history-odd-roles")
def test_a_message_without_a_role_is_of_whom_its_content_is() -> None:
    made, kinds = repaired(
        openai_chat,
        h.user("go"),
        {"content": None, "tool_calls": [h.chat_call("a")]},
        {"content": "ok", "tool_call_id": "a"},
        {"content": "and?"},
    )
    assert [message["role"] for message in made] == ["user", "assistant", "tool", "user"]
    assert kinds == ["repaired"] * 3
    remote: JsonObject = {"type": "mcp_tool_use", "id": "m", "name": "f", "input": {}}
    (made,), _ = repaired(anthropic, {"content": [remote]})
    assert made["role"] == "assistant"
    used: JsonObject = {"content": [h.tool_use("a")]}
    made, _ = repaired(anthropic, h.user("go"), used, h.blocks("user", h.tool_result("a")))
    assert [message["role"] for message in made] == ["user", "assistant", "user"]
    called: JsonObject = {"parts": [h.g_call()]}
    asked: JsonObject = {"parts": [{"text": "go"}]}
    made, kinds = repaired(gemini, asked, called, h.contents("user", h.g_result()))
    assert (made[0], made[1]["role"], kinds) == (asked, "model", ["repaired"])
    spoken: JsonObject = {"content": [{"type": "output_text", "text": "hi"}]}
    assert repaired(openai_responses, spoken)[0][0]["role"] == "assistant"


@pytest.mark.rule("history-odd-contents")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("held", "texts"),
    [
        (5, ["5"]),
        ({"text": "hi"}, ["hi"]),
        (["hi", {"text": "ho"}, 7, None, {}], ["hi", "ho", "7"]),
        ([{"type": "text", "text": "hi"}], ["hi"]),
        ([{"type": "input_text", "text": "hi"}], ["hi"]),
        ([{"type": "output_text", "text": "hi"}], ["hi"]),
        ([{"type": "text", "text": {"value": "hi"}}], ['{"value":"hi"}']),
        (["hi", {"type": "input_text", "text": None}], ["hi"]),
    ],
)
def test_a_content_nobody_knows_says_the_same(name: str, held: JsonValue, texts: list[str]) -> None:
    go = say(name, [part(name, "go")], "user")
    messages, _ = repaired(EDGES[name], go, say(name, held, "user"))
    assert messages[1] == say(name, [part(name, text) for text in texts], "user")


@pytest.mark.rule("history-odd-contents")
def test_what_says_nothing_is_an_empty_text_or_goes() -> None:
    nothing: list[JsonValue] = [[], {}, [{}], [None], [""]]
    for held in nothing:
        for edge in (openai_chat, openai_responses):
            assert repaired(edge, say("", held, "user"))[0] == [h.user("")]
        for name in ("anthropic", "gemini"):
            go = say(name, [part(name, "go")], "user")
            messages, kinds = repaired(EDGES[name], go, say(name, held, "user"))
            assert messages == [go]
            assert kinds
    text: JsonObject = {"role": "user", "content": "in the place of another wire"}
    (made,), _ = repaired(gemini, text)
    assert made == h.contents("user", {"text": "in the place of another wire"})
    empty = h.contents("model", {"text": ""}, {"text": "", "thoughtSignature": "c2ln"})
    (made,), kinds = repaired(gemini, empty)
    assert (made["parts"], kinds) == ([{"text": "", "thoughtSignature": "c2ln"}], ["dropped"])


@pytest.mark.rule("history-odd-contents")
def test_words_have_the_type_of_who_says_them() -> None:
    held: list[JsonValue] = [{"type": "input_text", "text": "a"}, {"type": "text", "text": "b"}]
    (made,), _ = repaired(openai_responses, {"role": "assistant", "content": held})
    assert [each["type"] for each in made["content"]] == ["output_text", "output_text"]
    (made,), _ = repaired(openai_responses, {"role": "user", "content": [*held, IMAGE]})
    assert [each["type"] for each in made["content"]] == ["input_text", "input_text", "input_image"]
    refused: JsonObject = {"type": "refusal", "refusal": "no"}
    (made,), _ = repaired(openai_chat, {"role": "user", "content": [refused]})
    assert made["content"] == [{"type": "text", "text": "no"}]
    (made,), _ = repaired(openai_chat, {"role": "user", "name": "Ann Lee", "content": "hi"})
    assert made["name"] == "Ann_Lee"


@pytest.mark.rule("history-system")
def test_the_system_stands_beside_the_messages_of_anthropic_or_between_them() -> None:
    rule: JsonObject = {**h.user("rule"), "role": "system"}
    later: JsonObject = {**h.user("later"), "role": "system"}
    said = [rule, h.user("go"), later, h.blocks("assistant", {"type": "text", "text": "so"})]
    history = anthropic.repair_history(said)
    assert (history.system, history.messages) == ("rule", said[1:])
    assert [note.kind for note in history.report.notes] == ["moved"]
    assert not anthropic.repair_history(history.messages).report
    moved = openai_chat.write_history(anthropic.read_history(said)).messages
    assert [message["role"] for message in moved] == ["system", "user", "system", "assistant"]


@pytest.mark.rule("history-system")
def test_the_system_stands_beside_the_contents_of_gemini() -> None:
    said = [h.contents("system", {"text": "rule"}), h.contents("user", {"text": "go"})]
    later = h.contents("system", {"text": "later"}, {"inlineData": {}})
    history = gemini.repair_history([*said, later])
    assert (history.system, history.messages) == ("rule\n\nlater", [said[1]])
    assert [note.kind for note in history.report.notes] == ["moved", "moved", "dropped"]


@pytest.mark.rule("history-media-places")
def test_media_that_only_the_user_may_show_stands_behind_the_results() -> None:
    text: JsonObject = {"type": "text", "text": "see"}
    drawn = h.chat_assistant(h.chat_call("a"), h.chat_call("b"))
    said: list[JsonObject] = [
        h.user("go"),
        {**drawn, "content": [text, IMAGE]},
        {**h.chat_result("a"), "content": [text, IMAGE]},
        h.chat_result("b"),
    ]
    messages, kinds = repaired(openai_chat, *said)
    assert [message["role"] for message in messages] == [
        "user",
        *(each["role"] for each in said[1:]),
        "user",
    ]
    assert [each["text"] for each in messages[1]["content"]] == ["see", LINE]
    assert [each["text"] for each in messages[2]["content"]] == ["see", LINE]
    assert [each for each in messages[-1]["content"] if each["type"] == "image_url"] == [IMAGE] * 2
    assert kinds == ["moved", "moved"]
    moved = anthropic.write_history(openai_chat.read_history([h.user("go"), drawn, *said[2:]]))
    result = cast("Any", moved.messages[2])["content"][0]
    assert [each["type"] for each in result["content"]] == ["text", "image"]
    system: JsonObject = {"role": "system", "content": [text, IMAGE]}
    assert [each["role"] for each in repaired(openai_chat, system)[0]] == ["system", "user"]


class Sent:
    """As the objects of SDKs are."""

    role = "user"


@pytest.mark.rule("mappings-only")
@pytest.mark.parametrize("edge", EDGES.values(), ids=NAMES)
def test_objects_of_sdks_are_refused_with_the_mend(edge: ModuleType) -> None:
    offer = edge.offer(LocalToolkit("none"), CallContext())
    with pytest.raises(TypeError, match=r"messages\[1\] is a Sent, not a mapping.*model_dump"):
        edge.repair_history([{"role": "user", "content": "hi"}, Sent()])
    for door in (offer.read, offer.assistant):
        with pytest.raises(TypeError, match="the reply is a Sent"):
            door(Sent())
    with pytest.raises(TypeError, match="the event is a Sent"):
        offer.assembler().feed(Sent())


ANY: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "text", "id", "role", "input", "image_url", "functionCall"]),
            inner | st.sampled_from(["text", "tool_use", "tool_result", "image_url", "thinking"]),
            max_size=3,
        )
    ),
    max_leaves=8,
)
FIELDS = st.sampled_from(
    ["role", "content", "parts", "type", "tool_calls", "tool_call_id", "call_id", "output", "name"]
)
WORDS = st.sampled_from(
    ["user", "assistant", "model", "system", "tool", "phase", "function_call", "reasoning"]
)


@pytest.mark.rule("history-odd-contents", "history-idempotent")
@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_no_message_however_odd_raises_or_is_changed_a_second_time(
    name: str, data: st.DataObject
) -> None:
    messages: Any = data.draw(
        st.lists(st.dictionaries(FIELDS, ANY | WORDS, max_size=5), max_size=4)
    )
    before = json.dumps(messages)
    once = EDGES[name].repair_history(messages)
    assert json.dumps(messages) == before
    again = EDGES[name].repair_history(once.messages)
    assert (again.messages, again.report.notes) == (once.messages, ())
    for there in NAMES:
        moved = EDGES[there].write_history(EDGES[name].read_history(messages))
        again = EDGES[there].repair_history(moved.messages)
        assert (again.messages, again.report.notes) == (moved.messages, ())
