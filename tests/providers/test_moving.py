"""Histories written for another provider: every pair, with images, errors and parallel calls."""

import json
from collections.abc import Iterator
from itertools import permutations
from types import ModuleType
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.providers import histories as h
from tests.providers.test_history import EDGES, NAMES, PIECES, repaired, unpaired
from toolroll import providers
from toolroll.content import JsonObject, JsonValue

SEEN, DRAWN, PDF = "AAEC", "Qk1Q", "UERG"
URL = "https://example.com/y.png"


def source(mime_type: str, data: str) -> JsonValue:
    return {"type": "base64", "media_type": mime_type, "data": data}


def inline(mime_type: str, data: str) -> JsonObject:
    return {"inlineData": {"mimeType": mime_type, "data": data}}


RICH: dict[str, list[JsonObject]] = {
    "openai_chat": [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "look"},
                {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{SEEN}"}},
                {"type": "image_url", "image_url": {"url": URL}},
                {
                    "type": "file",
                    "file": {
                        "filename": "a.pdf",
                        "file_data": f"data:application/pdf;base64,{PDF}",
                    },
                },
            ],
        },
        h.chat_assistant(h.chat_call("a", "t", '{"q": 1}'), h.chat_call("b", "u"), text="let me"),
        h.chat_result("a", "pic"),
        h.chat_result("b", "The tool reported a failure:\nboom"),
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "Media of the tool results above:"},
                {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{DRAWN}"}},
            ],
        },
        h.chat_assistant(text="done"),
    ],
    "openai_responses": [
        {
            "role": "user",
            "content": [
                {"type": "input_text", "text": "look"},
                {"type": "input_image", "image_url": f"data:image/png;base64,{SEEN}"},
                {"type": "input_image", "image_url": URL},
                {
                    "type": "input_file",
                    "filename": "a.pdf",
                    "file_data": f"data:application/pdf;base64,{PDF}",
                },
            ],
        },
        {"type": "reasoning", "id": "rs", "summary": []},
        {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": "let me", "annotations": []}],
        },
        h.item_call("a", "t", '{"q": 1}'),
        h.item_call("b", "u"),
        h.item_output(
            "a",
            [
                {"type": "input_text", "text": "pic"},
                {"type": "input_image", "image_url": f"data:image/png;base64,{DRAWN}"},
            ],
        ),
        h.item_output("b", "The tool reported a failure:\nboom"),
        {"role": "assistant", "content": "done"},
    ],
    "anthropic": [
        h.blocks(
            "user",
            {"type": "text", "text": "look"},
            {"type": "image", "source": source("image/png", SEEN)},
            {"type": "image", "source": {"type": "url", "url": URL}},
            {"type": "document", "title": "a.pdf", "source": source("application/pdf", PDF)},
        ),
        h.blocks(
            "assistant",
            {"type": "thinking", "thinking": "hm", "signature": "c2ln"},
            {"type": "text", "text": "let me"},
            h.tool_use("a", "t", {"q": 1}),
            h.tool_use("b", "u"),
        ),
        h.blocks(
            "user",
            h.tool_result(
                "a",
                [
                    {"type": "text", "text": "pic"},
                    {"type": "image", "source": source("image/png", DRAWN)},
                ],
            ),
            {**h.tool_result("b", "boom"), "is_error": True},
        ),
        {"role": "assistant", "content": "done"},
    ],
    "gemini": [
        h.contents(
            "user",
            {"text": "look"},
            inline("image/png", SEEN),
            {"fileData": {"mimeType": "image/png", "fileUri": URL}},
            inline("application/pdf", PDF),
        ),
        h.contents(
            "model",
            {"text": "hm", "thought": True},
            {"text": "let me"},
            h.g_call("t", args={"q": 1}),
            h.g_call("u"),
        ),
        h.contents(
            "user",
            h.g_result("t", output="pic"),
            {"functionResponse": {"name": "u", "response": {"error": "boom"}}},
            inline("image/png", DRAWN),
        ),
        h.contents("model", {"text": "done"}),
    ],
}

pairs = pytest.mark.parametrize(("here", "there"), list(permutations(NAMES, 2)))


def edge(name: str) -> ModuleType:
    return EDGES[name]


def moved(here: str, there: str, messages: list[JsonObject]) -> providers.History:
    before = json.dumps(messages)
    history = edge(there).write_history(edge(here).read_history(messages))
    assert json.dumps(messages) == before
    return cast("providers.History", history)


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """Every object at every depth."""
    if isinstance(value, dict):
        yield value
    for item in value.values() if isinstance(value, dict) else value:
        if isinstance(item, (dict, list)):
            yield from objects(item)


def calls_of(messages: Any) -> list[tuple[str, JsonValue]]:
    """Names and arguments of the calls, in the form of any provider."""
    found: list[tuple[str, JsonValue]] = []
    for each in objects(messages):
        if each.get("type") == "tool_use":
            found.append((each["name"], each["input"]))
        elif "functionCall" in each:
            found.append((each["functionCall"]["name"], each["functionCall"]["args"]))
        elif isinstance(each.get("arguments"), str):
            found.append((each["name"], json.loads(each["arguments"])))
    return found


def marks_of(messages: Any) -> int:
    """How many results are marked as errors."""
    return sum(
        each.get("is_error") is True
        or (isinstance(each.get("response"), dict) and "error" in each["response"])
        or str(each.get("output", each.get("content"))).startswith("The tool reported a failure:")
        for each in objects(messages)
    )


@pytest.mark.rule("history-moves")
@pairs
def test_a_history_moves_between_providers(here: str, there: str) -> None:
    made = moved(here, there, h.WHOLE[here])
    assert unpaired(there, made.messages) == []
    assert not repaired(there, made.messages).report
    text = json.dumps(made.messages)
    for said in ("two things", "done", "x"):
        assert said in text
    back = moved(there, here, made.messages)
    assert unpaired(here, back.messages) == []


@pytest.mark.rule("history-moves")
@pairs
def test_images_documents_errors_and_parallel_calls_move_along(here: str, there: str) -> None:
    made = moved(here, there, RICH[here])
    assert unpaired(there, made.messages) == []
    assert not repaired(there, made.messages).report
    assert calls_of(made.messages) == [("t", {"q": 1}), ("u", {})]
    assert marks_of(made.messages) == 1
    text = json.dumps(made.messages)
    for data in (SEEN, DRAWN, PDF):
        assert text.count(data) == 1
    for said in ("look", URL, "let me", "pic", "boom", "done"):
        assert said in text
    lost = [note.reason for note in made.report.of_kind("lost")]
    assert lost == (
        [f"[resource y.png: {URL}] is only named: gemini has no place for it"]
        if there == "gemini"
        else []
    )
    back = moved(there, here, made.messages)
    assert calls_of(back.messages) == calls_of(RICH[here])
    assert marks_of(back.messages) == 1
    for data in (SEEN, DRAWN, PDF):
        assert json.dumps(back.messages).count(data) == 1


@pytest.mark.rule("history-moves", "history-idempotent")
@pairs
@given(data=st.data())
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_a_broken_history_is_whole_where_it_is_moved(
    here: str, there: str, data: st.DataObject
) -> None:
    messages = data.draw(st.lists(st.sampled_from(PIECES[here]), max_size=8))
    made = moved(here, there, messages)
    assert unpaired(there, made.messages) == []
    again = repaired(there, made.messages)
    assert again.messages == made.messages
    assert not again.report


@pytest.mark.rule("history-whole-is-untouched")
@pytest.mark.parametrize("name", NAMES)
def test_a_rich_history_comes_back_equal_without_a_word(name: str) -> None:
    history = repaired(name, RICH[name])
    assert history.messages == RICH[name]
    assert not history.report


@pytest.mark.rule("history-moves")
@pytest.mark.parametrize("there", NAMES)
def test_a_lost_result_says_so_in_its_own_words_also_when_moved(there: str) -> None:
    here = "anthropic" if there != "anthropic" else "gemini"
    made = moved(here, there, RICH[here][:2])
    assert json.dumps(made.messages).count("The call was interrupted") == 2
    assert "reported a failure" not in json.dumps(made.messages)


@pytest.mark.rule("history-moves")
@pytest.mark.parametrize("name", ["openai_responses", "anthropic", "gemini"])
def test_what_the_system_says_beside_the_messages_moves_too(name: str) -> None:
    turns = edge(name).read_history(h.WHOLE[name], system="Be brief.")
    made = providers.openai_chat.write_history(turns)
    assert made.messages[0] == {"role": "system", "content": "Be brief."}


@pytest.mark.rule("history-moves")
@pytest.mark.parametrize("there", ["anthropic", "gemini"])
def test_the_model_speaks_for_itself_also_where_a_system_prompt_stands_before(there: str) -> None:
    said = [
        h.user("go"),
        h.blocks("assistant", h.tool_use("a")),
        h.blocks("user", h.tool_result("a")),
        h.blocks("assistant", {"type": "text", "text": "done"}),
    ]
    made = edge(there).write_history(edge("anthropic").read_history(said, system="Be brief."))
    model = "model" if there == "gemini" else "assistant"
    assert [message["role"] for message in made.messages] == ["user", model, "user", model]


@pytest.mark.rule("history-moves")
def test_a_refusal_moves_as_text_and_reasoning_is_left_out_with_a_word() -> None:
    said: JsonObject = {
        "role": "assistant",
        "content": None,
        "refusal": "I cannot.",
        "reasoning_content": "hm",
    }
    made = moved("openai_chat", "anthropic", [h.user("go"), said])
    assert made.messages[1]["content"] == [{"type": "text", "text": "I cannot."}]
    assert [note.kind for note in made.report.notes] == ["dropped"]


@pytest.mark.rule("history-moves")
@pytest.mark.parametrize("there", ["openai_responses", "anthropic"])
def test_media_without_a_place_is_named_and_told(there: str) -> None:
    sound: JsonObject = {"type": "input_audio", "input_audio": {"data": "V0FW", "format": "wav"}}
    made = moved("openai_chat", there, [{"role": "user", "content": [sound]}])
    assert "[audio audio/wav, 3 bytes]" in json.dumps(made.messages)
    assert [note.kind for note in made.report.notes] == ["lost"]


@pytest.mark.rule("history-moves")
def test_what_only_its_own_provider_understands_is_left_out_with_a_word() -> None:
    turns = providers.anthropic.read_history(h.WHOLE["anthropic"], system="Be brief.")
    moved = providers.openai_chat.write_history(turns)
    assert moved.messages[0] == {"role": "system", "content": "Be brief."}
    assert [note.reason for note in moved.report.notes] == [
        "thinking is left out: openai_chat has no place for it"
    ]
    back = providers.gemini.write_history(turns)
    assert back.system == "Be brief."
    calls = cast("list[Any]", back.messages[1]["parts"])
    assert [part.get("thoughtSignature") for part in calls] == [
        "skip_thought_signature_validator",
        None,
    ]
