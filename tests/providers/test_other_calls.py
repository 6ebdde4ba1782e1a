"""Calls that are no function's: custom, shell, patch and computer calls, tools of the provider."""

import json
from typing import Any

import pytest

from tests.providers import histories as h
from tests.providers.test_broken_history import repaired
from toolroll.content import JsonObject, JsonValue
from toolroll.providers import anthropic, gemini, openai_chat, openai_responses

GO = h.user("go")
THOUGHT: JsonObject = {"type": "reasoning", "id": "rs", "summary": []}
PICTURE: JsonObject = {
    "type": "computer_screenshot",
    "image_url": "data:image/png;base64,AAEC",
}
OUTPUTS: dict[str, JsonObject] = {
    "custom_tool_call": {"output": "files"},
    "shell_call": {"output": [{"stdout": "a", "stderr": "", "outcome": {"type": "timeout"}}]},
    "local_shell_call": {"output": "files"},
    "apply_patch_call": {"status": "completed", "output": "done"},
    "computer_call": {"output": PICTURE},
}
MADE: dict[str, JsonObject] = {
    "custom_tool_call": {"name": "sh", "input": "ls"},
    "shell_call": {"action": {"commands": ["ls"]}, "status": "completed"},
    "local_shell_call": {"action": {"type": "exec", "command": ["ls"]}, "status": "completed"},
    "apply_patch_call": {"operation": {"type": "delete_file", "path": "a"}},
    "computer_call": {"action": {"type": "screenshot"}, "pending_safety_checks": []},
}
kinds_of_calls = pytest.mark.parametrize("kind", MADE)


def made(kind: str, call_id: str = "c") -> JsonObject:
    return {"type": kind, "id": f"i_{call_id}", "call_id": call_id, **MADE[kind]}


def answered(kind: str, call_id: str = "c") -> JsonObject:
    return {"type": f"{kind}_output", "call_id": call_id, **OUTPUTS[kind]}


@pytest.mark.rule("history-other-pairs", "history-whole-is-untouched")
@kinds_of_calls
def test_a_whole_history_of_other_calls_comes_back_equal_in_any_order(kind: str) -> None:
    calls = [THOUGHT, made(kind), h.item_call("f")]
    for outputs in ([answered(kind), h.item_output("f")], [h.item_output("f"), answered(kind)]):
        said = [GO, *calls, *outputs, h.user("and?")]
        assert repaired(openai_responses, *said) == (said, [])


@pytest.mark.rule("history-other-pairs")
@kinds_of_calls
def test_a_lost_output_is_said_in_the_form_of_its_call(kind: str) -> None:
    items, kinds = repaired(openai_responses, GO, THOUGHT, made(kind), h.user("and?"))
    if kind == "computer_call":
        assert (items, kinds) == ([GO, h.user("and?")], ["dropped"])
        return
    assert items[:3] == [GO, THOUGHT, made(kind)]
    output = items[3]
    assert (output["type"], output["call_id"]) == (f"{kind}_output", "c")
    assert "interrupted" in json.dumps(output)
    assert kinds == ["added"]


@pytest.mark.rule("history-other-pairs")
@kinds_of_calls
def test_an_output_of_another_kind_without_its_call_goes(kind: str) -> None:
    assert repaired(openai_responses, GO, answered(kind)) == ([GO], ["dropped"])
    early, kinds = repaired(openai_responses, GO, answered(kind), made(kind), h.user("and?"))
    assert (early, kinds) == ([GO, made(kind), answered(kind), h.user("and?")], ["moved"])


@pytest.mark.rule("history-other-pairs")
def test_an_output_has_the_kind_of_its_call_and_parts_the_api_takes() -> None:
    said: JsonValue = [{"type": "text", "text": "files"}]
    items, _ = repaired(openai_responses, GO, made("custom_tool_call"), h.item_output("c", said))
    assert items[2] == {"type": "custom_tool_call_output", "call_id": "c", "output": "files"}
    items, kinds = repaired(openai_responses, GO, h.item_call("a"), h.item_output("a", said))
    assert items[2]["output"] == [{"type": "input_text", "text": "files"}]
    assert kinds == ["repaired"]


@pytest.mark.rule("history-other-pairs")
def test_an_output_whose_call_is_kept_by_the_provider_stays() -> None:
    kept: JsonObject = {"type": "item_reference", "id": "fc_1"}
    said = [GO, kept, h.item_output("a")]
    assert repaired(openai_responses, *said) == (said, [])


@pytest.mark.rule("history-other-pairs")
@pytest.mark.parametrize(
    "kind", ["mcp_approval_request", "mcp_list_tools", "mcp_call", "compaction"]
)
def test_reasoning_before_any_item_of_the_model_stays(kind: str) -> None:
    said: list[JsonObject] = [GO, THOUGHT, {"type": kind, "id": "i"}, h.user("and?")]
    assert repaired(openai_responses, *said) == (said, [])


@pytest.mark.rule("history-moves", "history-other-pairs")
@kinds_of_calls
def test_other_calls_move_as_calls_with_their_results(kind: str) -> None:
    turns = openai_responses.read_history([GO, made(kind), answered(kind)])
    moved: Any = anthropic.write_history(turns)
    use, result = moved.messages[1]["content"][0], moved.messages[2]["content"][0]
    given = MADE[kind].get("action") or MADE[kind].get("operation") or {"input": "ls"}
    assert (use["type"], use["input"], result["tool_use_id"]) == ("tool_use", given, use["id"])
    assert (result["content"][0]["type"] == "image") == (kind == "computer_call")
    for edge in (openai_chat, gemini):
        there = edge.write_history(turns)
        assert not edge.repair_history(there.messages).report


USE: JsonObject = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
FOUND: JsonObject = {"type": "web_search_tool_result", "tool_use_id": "s", "content": []}
SO: JsonObject = {"type": "text", "text": "so"}


@pytest.mark.rule("history-served-tools")
@pytest.mark.parametrize(
    "said",
    [
        [h.blocks("assistant", USE, FOUND, SO)],
        [h.blocks("assistant", USE), h.blocks("assistant", FOUND, SO)],
        [h.blocks("assistant", SO, USE)],
        [h.blocks("assistant", USE, h.tool_use("t")), h.blocks("user", h.tool_result("t"))],
        [
            h.blocks("assistant", USE, h.tool_use("t")),
            h.blocks("user", h.tool_result("t")),
            h.blocks("assistant", FOUND),
            h.user("and?"),
        ],
    ],
    ids=["pair", "after a pause", "paused", "waits for a call", "went on after a call"],
)
def test_a_use_with_its_result_or_one_the_model_goes_on_with_stays(said: list[JsonObject]) -> None:
    assert repaired(anthropic, GO, *said) == ([GO, *said], [])


@pytest.mark.rule("history-served-tools")
def test_half_of_a_pair_of_the_provider_goes() -> None:
    end = h.user("and?")
    alone = h.blocks("assistant", SO)
    for half in (USE, FOUND, {**USE, "input": '{"query": "x'}):
        messages, kinds = repaired(anthropic, GO, h.blocks("assistant", SO, half), end)
        assert (messages, kinds) == ([GO, alone, end], ["dropped"])
    messages, kinds = repaired(anthropic, GO, h.blocks("assistant", USE, FOUND, FOUND, SO))
    assert (messages, kinds) == ([GO, h.blocks("assistant", USE, FOUND, SO)], ["dropped"])
