"""What a call promises that is answered."""

import copy
import json
from collections.abc import Mapping
from typing import cast

import anyio

from toolroll.content import JsonObject, result_from_json, result_to_json
from toolroll.testing.judging import PromiseBroken
from toolroll.testing.source.check import SourceCheck
from toolroll.testing.source.desk import Desk
from toolroll.testing.source.trial import Trial
from toolroll.tools import ToolDefinition

TEXTS = (
    "plain",
    " padded ",
    "two\nlines",
    'quote " backslash \\ tab \t',
    "a/b?c=d&e=%2e%2e#f+g;h",
    "héllo, 世界, 👩‍👩‍👧",
    "=?base64?literal?=",
    "{{braces}} ${dollar} <tag>",
    "null",
    "x" * 5_000,
)
"""Texts that a careless way to the system changes."""


async def _echoes(trial: Trial) -> None:
    async with trial.desk() as desk:
        await desk.echoes("ping", "a call")


async def _arrives_exactly(trial: Trial) -> None:
    async with trial.desk() as desk:
        for text in TEXTS:
            await desk.echoes(text, "a call")


async def _result_is_data(trial: Trial) -> None:
    async with trial.desk() as desk:
        result = await desk.echo()
    try:
        raw = json.loads(json.dumps(result_to_json(result), allow_nan=False))
        again = result_from_json(cast("JsonObject", raw))
    except (TypeError, ValueError, KeyError) as error:
        raise PromiseBroken(f"a result cannot be written as JSON: {error}") from error
    if result_to_json(again) != result_to_json(result):
        raise PromiseBroken("a result is another one when it is read back from JSON")


async def _input_is_left_alone(trial: Trial) -> None:
    async with trial.desk() as desk:
        tools = desk.sitting.tools
        input = tools.echo_input("ping")
        before = copy.deepcopy(_plain(input))
        await desk.call(desk.definition(tools.echo), input)
        if _plain(input) != before:
            raise PromiseBroken(f"{before} was given and is {_plain(input)} after the call")


async def _stored_runs(trial: Trial) -> None:
    catalog = await trial.catalog()
    stored = json.dumps([definition.to_json() for definition in catalog.values()])
    definitions = [ToolDefinition.from_json(raw) for raw in json.loads(stored)]
    async with trial.sitting("working") as sitting, trial.over(sitting) as desk:
        desk.definitions.update({definition.name: definition for definition in definitions})
        await desk.answers("with a stored definition and no listing before, a call")


async def _at_once(trial: Trial) -> None:
    catalog = await trial.catalog()
    async with trial.sitting("working") as sitting, trial.over(sitting) as desk:
        desk.definitions.update(catalog)
        await _all_at_once(desk, "as the first use")
        await _all_at_once(desk, "again")


async def _all_at_once(desk: Desk, when: str) -> None:
    problems: list[str] = []

    async def one(number: int) -> None:
        try:
            await desk.echoes(f"call {number}", f"call {number}")
        except PromiseBroken as error:
            problems.append(str(error))

    async with anyio.create_task_group() as tasks:
        for number in range(desk.limits.calls):
            tasks.start_soon(one, number)
    if problems:
        raise PromiseBroken(
            f"{when}, {len(problems)} of {desk.limits.calls} went wrong: {problems[0]}"
        )


async def _works_after_failures(trial: Trial) -> None:
    async with trial.desk() as desk:
        tools = desk.sitting.tools
        await desk.attempt(desk.definition(tools.failing), tools.failing_input)
        await desk.answers("after a tool failed, the next call")
        await desk.attempt(UNKNOWN, {})
        await desk.answers("after an unknown tool was called, the next call")


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        pairs = cast("Mapping[str, object]", value)
        return {key: _plain(item) for key, item in pairs.items()}
    return value


UNKNOWN = ToolDefinition(
    name="no_such_tool_here",
    description="A tool that the system does not have.",
    input_schema={"type": "object"},
)
"""A definition from a stored catalog whose tool has gone."""

CHECKS = (
    SourceCheck(
        name="echo-answers", promise="A tool runs by the name it is listed under.", run=_echoes
    ),
    SourceCheck(
        name="text-arrives-exactly",
        promise="The system gets a text as it was given, and the caller gets its answer as it was.",
        run=_arrives_exactly,
    ),
    SourceCheck(
        name="result-is-data",
        promise="A result can be written as JSON and read back.",
        run=_result_is_data,
    ),
    SourceCheck(
        name="input-is-left-alone",
        promise="The caller's input is the same after a call.",
        run=_input_is_left_alone,
    ),
    SourceCheck(
        name="stored-definitions-run",
        promise="A definition read from a store can be called without a listing before.",
        run=_stored_runs,
    ),
    SourceCheck(
        name="calls-at-once-keep-apart",
        promise="Calls that run together each get their own answer.",
        run=_at_once,
    ),
    SourceCheck(
        name="works-after-failures",
        promise="A failed call spoils nothing for the next one.",
        run=_works_after_failures,
    ),
)
