"""What a source promises as a toolkit, alone and assembled."""

from functools import partial
from typing import cast

from toolroll.assembly import Policy, Rule, assemble
from toolroll.content import JsonObject
from toolroll.outcome import DefinitionError, InvalidInput
from toolroll.sources import as_toolkit
from toolroll.testing.exam import SystemState
from toolroll.testing.judging import PromiseBroken, described
from toolroll.testing.source.answering import UNKNOWN
from toolroll.testing.source.check import SourceCheck
from toolroll.testing.source.desk import Desk
from toolroll.testing.source.failing import STATES
from toolroll.testing.source.trial import Trial
from toolroll.testing.source.words import shown
from toolroll.tools import ToolCall, model_name


async def _never_raises(trial: Trial) -> None:
    for state in STATES:
        await trial.ask_in(state, partial(_outcomes, state))


async def _outcomes(state: SystemState, desk: Desk) -> None:
    tools = desk.sitting.tools
    kit = as_toolkit(desk.source, [*desk.definitions.values(), UNKNOWN])
    calls: dict[str, JsonObject] = {tools.failing: tools.failing_input, UNKNOWN.name: {}}
    if state != "working":
        calls[tools.echo] = tools.echo_input("ping")
    for name, input in calls.items():
        outcome = await desk.outcome(kit, ToolCall.of(name, input))
        what = f"{state}: a call of {name!r} through a toolkit"
        if isinstance(outcome, BaseException):
            raise PromiseBroken(f"{what}: {described(outcome)}") from outcome
        if outcome.ok:
            raise PromiseBroken(f"{what} is told as one that went well")


async def _refuses(trial: Trial) -> None:
    async with trial.desk() as desk:
        tools = desk.sitting.tools
        wrong = tools.echo_input(cast("str", {"not": "a text"}))
        kit = as_toolkit(desk.source, [desk.definition(tools.echo)])
        outcome = await desk.outcome(kit, ToolCall.of(tools.echo, wrong))
        if not isinstance(outcome, InvalidInput):
            raise PromiseBroken(f"{wrong} was given for a text; it came to {shown(outcome)}")


async def _assembles(trial: Trial) -> None:
    async with trial.desk() as desk:
        definitions = [*desk.definitions.values()]
        try:
            kit = assemble([(desk.source, definitions)], Policy([Rule("allow")]))
        except DefinitionError as error:
            raise PromiseBroken(f"it cannot be assembled: {error}") from error
        tools = desk.sitting.tools
        name = model_name(desk.source.name, tools.echo)
        outcome = await desk.outcome(kit, ToolCall.of(name, tools.echo_input("ping")))
        if isinstance(outcome, BaseException) or not outcome.ok:
            raise PromiseBroken(f"{name!r} came to {shown(outcome)}")


CHECKS = (
    SourceCheck(
        name="toolkit-never-raises",
        promise="Through a toolkit every failure is an outcome.",
        run=_never_raises,
    ),
    SourceCheck(
        name="toolkit-refuses-wrong-input",
        promise="Through a toolkit an input that the listed schema does not allow is refused.",
        run=_refuses,
    ),
    SourceCheck(
        name="assembles",
        promise="The source can be assembled, and its tools run by their model names.",
        run=_assembles,
    ),
)
