"""What a toolkit promises of calls that are refused and calls that are answered."""

import json
from collections import Counter
from typing import cast

import anyio

from toolroll.content import JsonObject
from toolroll.outcome import (
    InvalidInput,
    Outcome,
    Refused,
    ToolrollError,
    outcome_from_json,
)
from toolroll.testing.exam import NotApplicable
from toolroll.testing.judging import PromiseBroken
from toolroll.testing.toolkit.check import ToolkitCheck
from toolroll.testing.toolkit.exam import ToolkitTrial
from toolroll.tools import ToolCall

_UNKNOWN = "zz_no_such_tool_zz"
_UNREADABLE = {
    "cut off": '{"text": "and then',
    "no JSON": "please call it",
    "a list": '["one", "two"]',
    "a number": "17",
}
"""Arguments that no tool runs with, whatever its schema is."""


async def _unknown(trial: ToolkitTrial) -> None:
    outcome = await trial.call(ToolCall.of(_UNKNOWN, {}, id="unknown"))
    names = list(dict.fromkeys(tool.name for tool in trial.listing().tools))
    _is_unknown(outcome, _UNKNOWN)
    rows = [line.split("\t") for line in cast("Refused", outcome).lines]
    listed = [row[1:] for row in rows if row[0] == "tools"]
    told = listed[0] if len(listed) == 1 else []
    more = [row[1:] for row in rows if row[0] == "more"]
    rest = [[str(len(names) - len(told))]] if len(names) > len(told) else []
    if names and (not told or told != names[: len(told)] or more != rest):
        raise PromiseBroken(f"the refusal lists {listed} and {more} more, the toolkit {names}")


async def _blocked(trial: ToolkitTrial) -> None:
    if not trial.exam.blocked:
        raise NotApplicable("the exam names no blocked tool")
    shown = {tool.name for tool in trial.listing().tools}
    for name in trial.exam.blocked:
        if name in shown:
            raise PromiseBroken(f"{name!r} is listed")
        outcome = await trial.call(ToolCall.of(name, {}, id="blocked"))
        _is_unknown(outcome, name)
        lines = cast("Refused", outcome).lines
        if any(name in line.split("\t") for line in lines):
            raise PromiseBroken(f"the refusal of {name!r} lists it")
        other = await trial.call(ToolCall.of(_UNKNOWN, {}, id="unknown"))
        if lines != cast("Refused", other).lines:
            raise PromiseBroken(f"the refusal of {name!r} is not that of a name that is not there")


def _is_unknown(outcome: Outcome, name: str) -> None:
    if not isinstance(outcome, Refused) or outcome.code != "unknown-tool":
        raise PromiseBroken(f"a call of {name!r} came to {outcome.to_json()}")


async def _unreadable(trial: ToolkitTrial) -> None:
    journal = trial.exam.journal
    before = 0 if journal is None else len(journal.records)
    tools = [tool for tool in trial.listing().tools if not tool.behavior.accepts_partial]
    if not tools:
        raise NotApplicable("no tool is listed that needs whole arguments")
    for tool in tools:
        for what, text in _UNREADABLE.items():
            outcome = await trial.call(ToolCall.of_text("unreadable", tool.name, text))
            if not isinstance(outcome, InvalidInput):
                raise PromiseBroken(
                    f"{tool.name!r} was called with {what}; that came to {outcome.to_json()}"
                )
    records = () if journal is None else journal.records[before:]
    begun = [record for record in records if record.event == "begun"]
    if begun:
        raise PromiseBroken(f"{begun[0].tool!r} was run")


async def _answers(trial: ToolkitTrial) -> None:
    for call in trial.samples():
        outcome = await trial.call(call)
        if not outcome.ok:
            raise PromiseBroken(f"the sample of {call.name!r} came to {outcome.to_json()}")


async def _keeps_ids(trial: ToolkitTrial) -> None:
    sample = trial.samples()[0]
    problems: list[str] = []

    async def one(number: int) -> None:
        call = ToolCall.of(sample.name, sample.arguments.value, id=f"at-once-{number}")
        try:
            outcome = await trial.call(call)
        except PromiseBroken as error:
            problems.append(str(error))
            return
        if outcome.call_id != call.id:
            problems.append(f"the call {call.id!r} got the outcome of {outcome.call_id!r}")

    async with anyio.create_task_group() as tasks:
        for number in range(trial.limits.calls):
            tasks.start_soon(one, number)
    if problems:
        raise PromiseBroken(f"{len(problems)} of {trial.limits.calls} went wrong; {problems[0]}")


async def _round_trip(trial: ToolkitTrial) -> None:
    calls = [ToolCall.of(_UNKNOWN, {}, id="unknown")]
    listed = trial.listing().tools[:1]
    calls += [ToolCall.of_text("unreadable", tool.name, "please call it") for tool in listed]
    calls += trial.samples() if trial.exam.samples else []
    for call in calls:
        outcome = await trial.call(call)
        try:
            raw = json.loads(json.dumps(outcome.to_json(), allow_nan=False))
            again = outcome_from_json(cast("JsonObject", raw))
        except (TypeError, ValueError, ToolrollError) as error:
            raise PromiseBroken(f"the outcome of {call.name!r} is no JSON: {error}") from error
        if again != outcome:
            raise PromiseBroken(f"the outcome of {call.name!r} is another one when read back")


async def _records(trial: ToolkitTrial) -> None:
    journal, calls = trial.journal(), trial.samples()
    before = len(journal.records)
    for call in calls:
        await trial.call(call)
    records = journal.records[before:]
    for call in calls:
        own = [record for record in records if call.id in (record.call_id, record.parent)]
        runs = Counter(record.call_id for record in own if record.event == "begun")
        ends = Counter(record.call_id for record in own if record.event == "finished")
        if not runs or runs != ends or set(runs.values()) != {1}:
            told = ", ".join(record.event for record in own) or "nothing"
            raise PromiseBroken(f"one run of {call.name!r} was recorded as: {told}")


CHECKS = (
    ToolkitCheck(
        name="unknown-tool-is-refused",
        promise="A name that is not there is refused as 'unknown-tool', and the refusal lists the "
        "tools that are.",
        run=_unknown,
    ),
    ToolkitCheck(
        name="blocked-is-invisible",
        promise="A blocked tool is not listed, and calling it looks like calling a name that is "
        "not there.",
        run=_blocked,
    ),
    ToolkitCheck(
        name="unreadable-never-runs",
        promise="Arguments that are cut off, no JSON or no object are refused, and nothing runs.",
        run=_unreadable,
    ),
    ToolkitCheck(name="samples-answer", promise="Every sample comes to an answer.", run=_answers),
    ToolkitCheck(
        name="calls-at-once-keep-apart",
        promise="Calls that run together each get the outcome of their own id.",
        run=_keeps_ids,
    ),
    ToolkitCheck(
        name="outcome-is-data",
        promise="Every outcome can be written as JSON and is the same when read back.",
        run=_round_trip,
    ),
    ToolkitCheck(
        name="one-begin-one-finish",
        promise="The journal has exactly one begin and one finish for each run.",
        run=_records,
    ),
)
