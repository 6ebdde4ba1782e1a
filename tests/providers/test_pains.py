"""The reported cases that concern providers and dialects, as they stand in the shared table."""

import json
import re
from pathlib import Path
from typing import Any, cast

import jsonschema_rs
import pytest

from tests.providers import histories as h
from tests.providers.fake_kit import FakeKit, listed
from toolroll import CallContext, dialects
from toolroll.content import content_from_json
from toolroll.dialects import openai_strict
from toolroll.providers import openai_chat
from toolroll.providers.block import text_of
from toolroll.schema import slim

TABLE = Path(__file__).parent.parent / "data/pains/cases.jsonl"
OPS = (
    "view",
    "view_each",
    "is_strictable_many",
    "repair_history",
    "normalize_history_ids",
    "assemble_calls",
    "adapter_result",
)
CASES = [
    case
    for line in TABLE.read_text().splitlines()
    if (case := json.loads(line))["input"]["op"] in OPS
]
DIALECTS = {
    "gemini": dialects.gemini,
    "gemini-openapi3": dialects.gemini_openapi3,
    "anthropic": dialects.anthropic,
    "openai": dialects.openai,
    "openai-strict": dialects.openai_strict,
}


def cases(*ops: str) -> Any:
    mine = [case for case in CASES if case["input"]["op"] in ops]
    assert mine
    return pytest.mark.parametrize("case", mine, ids=lambda case: case["id"])


@pytest.mark.rule("provider-pains")
@cases("view")
def test_a_view_shows_what_the_report_wants(case: dict[str, Any]) -> None:
    given, wanted = case["input"], case["expected"]
    if given["view"] == "slim":
        pytest.skip("the slim view has its own tests")
    made = DIALECTS[given["view"]].adapt(given["schema"])
    assert made.schema == wanted["schema"]
    if "then_restore" in given:
        assert made.restore(given["then_restore"]) == wanted["restored"]
    for kind, values in wanted.get("validate_full", {}).items():
        check = jsonschema_rs.Draft202012Validator(given["schema"])
        assert [check.is_valid(value) for value in values] == [kind == "accepts"] * len(values)


@pytest.mark.rule("provider-pains")
@cases("view_each")
def test_every_view_keeps_what_the_report_wants(case: dict[str, Any]) -> None:
    given, wanted = case["input"], case["expected"]
    for view in given["views"]:
        shown = cast(
            "Any",
            slim(given["schema"])
            if view == "slim"
            else DIALECTS[view].adapt(given["schema"]).schema,
        )
        assert list(shown["properties"]) == wanted["properties_in_every_view"], view
        assert list(shown["required"]) == wanted["required_in_every_view"], view


@pytest.mark.rule("provider-pains")
@cases("is_strictable_many")
def test_only_schemas_strict_mode_takes_are_strict(case: dict[str, Any]) -> None:
    assert [openai_strict.is_strict(schema) for schema in case["input"]["schemas"]] == case[
        "expected"
    ]["values"]


def as_chat(messages: list[dict[str, Any]]) -> list[Any]:
    chat: list[Any] = []
    for message in messages:
        if message["role"] == "tool":
            chat.append(h.chat_result(message["id"], message["content"]))
        elif message.get("calls"):
            chat.append(
                h.chat_assistant(
                    *(
                        h.chat_call(call["id"], call["name"], json.dumps(call["arguments"]))
                        for call in message["calls"]
                    )
                )
            )
        else:
            chat.append(message)
    return chat


@pytest.mark.rule("provider-pains")
@cases("repair_history")
def test_a_history_is_put_in_order_as_the_report_wants(case: dict[str, Any]) -> None:
    wanted = case["expected"]
    made = cast(
        "list[Any]", openai_chat.repair_history(as_chat(case["input"]["messages"])).messages
    )
    if "messages" in wanted:
        assert made == as_chat(wanted["messages"])
        return
    results = {
        message["tool_call_id"]: message["content"] for message in made if message["role"] == "tool"
    }
    assert list(results) == wanted["result_ids"]
    assert [call_id for call_id, content in results.items() if "interrupted" in content] == wanted[
        "errors"
    ]
    assert {key: results[key] for key in wanted["content_of"]} == wanted["content_of"]


@pytest.mark.rule("provider-pains")
@cases("normalize_history_ids")
def test_ids_of_a_history_fit_and_stay_in_pairs(case: dict[str, Any]) -> None:
    given, wanted = case["input"], case["expected"]
    if given["provider"] == "mistral":
        made = cast(
            "list[Any]",
            openai_chat.repair_history(as_chat(given["messages"]), ids="mistral").messages,
        )
        fitted = [call["id"] for call in made[0]["tool_calls"]]
        assert [message["tool_call_id"] for message in made[1:]] == fitted
        assert (
            openai_chat.repair_history(as_chat(given["messages"]), ids="mistral").messages == made
        )
        assert len(set(fitted)) == wanted["distinct"]
        assert all(re.match(wanted["ids_match"], each) for each in fitted)
        return
    made = cast("list[Any]", openai_chat.repair_history(as_chat(given["messages"])).messages)
    calls = [call["id"] for call in made[0]["tool_calls"]]
    assert calls[0] == wanted["first_id"]
    assert max(map(len, calls)) <= wanted["max_length"]
    assert [(message["tool_call_id"], message["content"]) for message in made[1:]] == list(
        zip(calls, "12", strict=True)
    )


@pytest.mark.rule("provider-pains")
@cases("assemble_calls")
def test_fragments_are_put_together_as_the_report_wants(case: dict[str, Any]) -> None:
    offer = openai_chat.offer(FakeKit((listed("add", {}), listed("sub", {}))), CallContext())
    assembler = offer.assembler()
    for delta in case["input"]["deltas"]:
        function = {key: delta[key] for key in ("name", "arguments") if key in delta}
        head = {key: delta[key] for key in ("index", "id") if key in delta}
        assembler.feed({"choices": [{"delta": {"tool_calls": [{**head, "function": function}]}}]})
    calls = [
        {"id": call.id, "name": call.name, "arguments": call.arguments.value}
        for call in offer.read(assembler.reply())
    ]
    assert calls == case["expected"]["calls"]


@pytest.mark.rule("provider-pains")
@cases("adapter_result")
def test_media_without_a_place_becomes_a_line(case: dict[str, Any]) -> None:
    text = text_of([content_from_json(block) for block in case["input"]["content"]])
    assert all(word in text for word in case["expected"]["text_has"])
    assert case["expected"]["text_must_not_contain"] not in text
