"""What a model wrote: texts read, calls split and put together, cut ones not run."""

import json
from collections.abc import Mapping
from typing import Any

from tests.pains.case import REPAIRS, Case
from tests.pains.making import (
    EMPTY,
    NOBODY,
    NotingSource,
    check_failure,
    definition,
    noting_kit,
)
from toolroll import ToolCall
from toolroll.providers import openai_chat
from toolroll.repair import Arguments, read_arguments
from toolroll.sources import as_toolkit


def parse_args(case: Case) -> None:
    """Argument text -> object, with a report."""
    read = read_arguments(case.given["raw"])
    assert any(_is_read_so(read, way) for way in case.ways()), read
    if "must_not" in case.wanted:
        _check_guessed_nothing(read, case)


def _is_read_so(read: Arguments, way: Mapping[str, Any]) -> bool:
    if "outcome" in way:  # the case would rather have an error; ours is told by the status
        return read.status == way["code"].removesuffix("-arguments")
    if json.dumps(read.value) != json.dumps(way["value"]):
        return False
    if "repairs" in way:
        kinds = dict.fromkeys(REPAIRS.get(repair.kind, repair.kind) for repair in read.repairs)
        if list(kinds) != way["repairs"]:
            return False
    if "report" in way:
        return (read.status, list(read.partial)) == (way["report"], way["partial"])
    return read.complete


def _check_guessed_nothing(read: Arguments, case: Case) -> None:
    """The worst reading of a stray quote: fields swallowed, or a text cut short."""
    assert case.wanted["must_not"] in (
        "a value whose 'sum' contains the text 'day'",
        "a shorter 't'",
    )
    value: Any = read.value
    assert "day" not in value.get("sum", "")
    assert len(value.get("t", case.given["raw"])) >= len('he said "hi", then left')


async def invoke_raw(case: Case) -> None:
    """Read, check, run; the model may have met its limit."""
    got: list[Any] = []
    name, kit, ran = noting_kit(case.given["tool"]["parameters"], "local", got)
    call = ToolCall.of_text("c1", name, case.given["raw"], case.given["finish_reason"])
    outcome = await kit.call(call, NOBODY)
    check_failure(outcome, case.wanted)
    assert bool(ran) is case.wanted["ran"]


def split_calls(case: Case) -> None:
    """One glued call of a reply -> several."""
    glued = case.given["call"]
    assert case.wanted.get("ids", "distinct, first is c1, same every time") == (
        "distinct, first is c1, same every time"
    )
    function = {"name": glued["name"], "arguments": glued["arguments"]}
    message = {"tool_calls": [{"id": glued["id"], "type": "function", "function": function}]}
    offer = openai_chat.offer(_kit_of(glued["name"]), NOBODY)
    calls = offer.read({"choices": [{"message": message, "finish_reason": "tool_calls"}]})
    read = [{"name": call.name, "arguments": call.arguments.value} for call in calls]
    assert read == case.wanted["calls"]
    ids = [call.id for call in calls]
    assert ids[0] == glued["id"]
    assert len(set(ids)) == len(ids)
    assert ids == [call.id for call in offer.read({"message": message})]


def assemble_calls(case: Case) -> None:
    """Fragments of a stream -> calls."""
    names = [delta["name"] for delta in case.given["deltas"] if "name" in delta]
    offer = openai_chat.offer(_kit_of(*names), NOBODY)
    assembler = offer.assembler()
    for delta in case.given["deltas"]:
        function = {key: delta[key] for key in ("name", "arguments") if key in delta}
        head = {key: delta[key] for key in ("index", "id") if key in delta}
        assembler.feed({"choices": [{"delta": {"tool_calls": [{**head, "function": function}]}}]})
    calls = offer.read(assembler.reply())
    assert case.wanted["calls"] == [
        {"id": call.id, "name": call.name, "arguments": call.arguments.value} for call in calls
    ]


def _kit_of(*names: str) -> Any:
    source = NotingSource("pains", [definition(name, EMPTY) for name in names])
    return as_toolkit(source, source.definitions)
