"""Histories of anything a host may keep: what is written of them no provider refuses."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.providers.histories import user
from tests.providers.refusals import REFUSED
from tests.providers.test_history import EDGES, NAMES
from toolroll import CallContext, LocalToolkit, call_all, run_sync

SEEDS = range(250)
PICTURE = "data:image/png;base64,AAEC"
IDS = ("a", "b", "a", "", "call_1", "x" * 70, "toolu_!!", "  p ")
TOOLS = ("t", "u", "files.read", "", "9x", "n" * 80, "a b")
TEXTS = ("hi", "", "  ", "two\nlines")
TEXT_ARGUMENTS = ("{}", '{"q":1}', '{"q":', "", "null", "[1]", '{"a":1}{"b":2}', None, {"q": 2}, 5)
INPUTS = ({}, {"q": 1}, '{"q":1}', None, [1])
ODD = ({}, None, 5, "s", {"text": "bare"}, {"type": "input_text", "text": "z"})

Draw = random.Random
Make = Callable[[Draw], Any]


def some(draw: Draw, make: Make, most: int = 3) -> list[Any]:
    return [make(draw) for _ in range(draw.randint(1, most))]


def held(draw: Draw, make: Make) -> Any:
    return draw.choice([draw.choice(TEXTS), None, [], some(draw, make), some(draw, make), 7])


def chat_part(draw: Draw) -> Any:
    image = {"type": "image_url", "image_url": {"url": PICTURE}}
    sound = {"type": "input_audio", "input_audio": {"data": "AAEC", "format": "mp3"}}
    refused = {"type": "refusal", "refusal": "no"}
    return draw.choice([*ODD, image, sound, refused, {"type": "text", "text": draw.choice(TEXTS)}])


def chat_call(draw: Draw) -> Any:
    function = {"name": draw.choice(TOOLS), "arguments": draw.choice(TEXT_ARGUMENTS)}
    custom = {"name": draw.choice(TOOLS), "input": "ls"}
    known = {"id": draw.choice(IDS), "type": "function", "function": function}
    other = {"id": draw.choice(IDS), "type": "custom", "custom": custom}
    return draw.choice([known, known, other, {"function": {}}, {}])


def chat(draw: Draw) -> Any:
    said = {"role": "assistant", "content": held(draw, chat_part)}
    calling = {**said, "tool_calls": some(draw, chat_call)}
    older = {**said, "function_call": {"name": draw.choice(TOOLS), "arguments": "{}"}}
    result = {"role": "tool", "tool_call_id": draw.choice(IDS), "content": held(draw, chat_part)}
    named = {"role": "function", "name": draw.choice(TOOLS), "content": "r"}
    role = draw.choice(["user", "system", "ai", "phase", None])
    spoken = {"role": role, "content": held(draw, chat_part)}
    return draw.choice([said, calling, calling, older, result, result, named, spoken])


def item_part(draw: Draw) -> Any:
    image = {"type": "input_image", "image_url": PICTURE}
    refused = {"type": "refusal", "refusal": "no"}
    return draw.choice([*ODD, image, refused, {"type": "output_text", "text": "o"}])


def item(draw: Draw) -> Any:
    call_id, name = draw.choice(IDS), draw.choice(TOOLS)
    kind = draw.choice(["custom_tool_call", "shell_call", "computer_call", "apply_patch_call"])
    output = draw.choice([held(draw, item_part), {"a": 1}, "ok"])
    call = {"call_id": call_id, "name": name, "input": "ls", "action": {"x": 1}}
    function = {**call, "type": "function_call", "arguments": draw.choice(TEXT_ARGUMENTS)}
    told = {"type": "function_call_output", "call_id": call_id, "output": output}
    role = draw.choice(["user", "assistant", "system", "phase", None])
    return draw.choice(
        [
            function,
            function,
            told,
            told,
            {**call, "type": kind},
            {**told, "type": f"{kind}_output"},
            {"type": "reasoning", "id": "rs", "summary": []},
            {"type": draw.choice(["mcp_call", "mcp_approval_request", "mcp_approval_response"])},
            {"role": role, "content": held(draw, item_part)},
        ]
    )


def block(draw: Draw) -> Any:
    source = {"type": "base64", "media_type": "image/png", "data": "AAEC"}
    image = {"type": "image", "source": source}
    served = draw.choice(["s1", "s2"])
    text = {"type": "text", "text": draw.choice(TEXTS)}
    use = {"type": "tool_use", "id": draw.choice(IDS), "name": draw.choice(TOOLS)}
    content = draw.choice(["ok", "", None, [], [text, image], [*ODD], {"a": 1}, 5])
    told = {"type": "tool_result", "tool_use_id": draw.choice(IDS), "content": content}
    return draw.choice(
        [
            *ODD,
            text,
            image,
            {**use, "input": draw.choice(INPUTS)},
            {**use, "input": {}},
            told,
            {**told, "is_error": True},
            {"type": "thinking", "thinking": "h", "signature": draw.choice(["", "s"])},
            {"type": "server_tool_use", "id": served, "name": "w", "input": draw.choice(INPUTS)},
            {"type": "web_search_tool_result", "tool_use_id": served, "content": []},
        ]
    )


def anthropic(draw: Draw) -> Any:
    role = draw.choice(["user", "assistant", "assistant", "user", "system", "phase", None])
    return {"role": role, "content": held(draw, block)}


def part(draw: Draw) -> Any:
    own_id = draw.choice([{}, {}, {"id": draw.choice(IDS)}])
    call = {"name": draw.choice(TOOLS), "args": draw.choice(INPUTS), **own_id}
    response = draw.choice([{"output": "x"}, {"error": "e"}, None, "s", {}])
    told = {"name": draw.choice(TOOLS), "response": response, **own_id}
    return draw.choice(
        [
            *ODD[:4],
            {"text": draw.choice(TEXTS)},
            {"functionCall": call},
            {"functionCall": {"name": "t", "args": {}}, "thoughtSignature": "c2ln"},
            {"functionResponse": told},
            {"functionResponse": {"name": "t", "response": {"output": "x"}}},
            {"inlineData": {"mimeType": "image/png", "data": "AAEC"}},
            {"text": "h", "thought": True},
            {"text": "", "thoughtSignature": "c2ln"},
            {"functionCall": {}},
            {"type": "text", "text": "w"},
        ]
    )


def gemini(draw: Draw) -> Any:
    role = draw.choice(["user", "model", "model", "user", "function", "system", "assistant", None])
    return {"role": role, "parts": held(draw, part)}


MAKE: dict[str, Make] = {
    "openai_chat": chat,
    "openai_responses": item,
    "anthropic": anthropic,
    "gemini": gemini,
}


@pytest.mark.rule("history-never-refused", "history-idempotent")
@pytest.mark.parametrize("here", NAMES)
def test_nothing_a_provider_refuses_is_written_of_any_history(here: str) -> None:
    for seed in SEEDS:
        said = some(Draw(f"{here} {seed}"), MAKE[here], 7)
        before = json.dumps(said)
        for there in NAMES:
            written = EDGES[there].write_history(EDGES[here].read_history(said))
            assert list(REFUSED[there](written.messages)) == [], (said, written.messages)
            again = EDGES[there].repair_history(written.messages)
            assert (again.messages, again.report.notes) == (written.messages, ())
            if there == here and not written.report:
                assert written.messages == said
        assert json.dumps(said) == before


CALL = {"id": "a", "type": "", "function": {"name": "t", "arguments": "{}"}}
REPLIES: list[tuple[str, Any, int]] = [
    ("openai_chat", {"message": {"content": [], "tool_calls": [CALL]}}, 1),
    ("openai_chat", {"message": {"content": None, "tool_calls": [{"id": "a"}]}}, 1),
    ("openai_chat", {"message": {"content": [], "tool_calls": None}}, 0),
    ("gemini", {"candidates": [{"content": {"parts": [{"text": ""}]}}]}, 0),
    ("gemini", {"candidates": [{"content": {"parts": [{"text": ""}, {"functionCall": {}}]}}]}, 1),
    ("anthropic", {"content": [{"type": "text", "text": ""}]}, 0),
    ("openai_responses", {"output": [{"type": "message", "role": "assistant", "content": []}]}, 0),
]


@pytest.mark.rule("assistant-keeps", "history-never-refused")
@pytest.mark.parametrize(("name", "reply", "count"), REPLIES)
def test_nothing_a_provider_refuses_goes_back_of_a_reply(name: str, reply: Any, count: int) -> None:
    kit: LocalToolkit[None] = LocalToolkit("none")
    offer = EDGES[name].offer(kit, CallContext())
    calls = offer.read(reply)
    assert len(calls) == count
    outcomes = list(run_sync(call_all, kit, calls, CallContext()))
    said = offer.assistant(reply)
    asked = {"role": "user", "parts": [{"text": "go"}]} if name == "gemini" else user("go")
    written = [asked, *(said if isinstance(said, list) else [said])]
    assert list(REFUSED[name]([*written, *offer.results(calls, outcomes)])) == []
