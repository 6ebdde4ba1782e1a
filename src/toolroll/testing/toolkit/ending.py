"""What a toolkit promises of calls that somebody ends."""

from dataclasses import replace

import anyio

from toolroll.outcome import Aborted, Outcome, TimedOut
from toolroll.testing.judging import PromiseBroken, is_our_end, within
from toolroll.testing.toolkit.check import ToolkitCheck
from toolroll.testing.toolkit.exam import ToolkitTrial
from toolroll.tools import CancelSignal, ToolCall

_SOON = 0.1


async def _passes_through(trial: ToolkitTrial) -> None:
    if (came_to := await _cancelled(trial, trial.blocking())) is not None:
        raise PromiseBroken(f"a call whose caller was cancelled came to {came_to!r}")


async def _finishes(trial: ToolkitTrial) -> None:
    journal, call = trial.journal(), trial.blocking()
    before = len(journal.records)
    await _cancelled(trial, call)
    events = [record.event for record in journal.records[before:]]
    if events.count("begun") != 1 or events.count("finished") != 1:
        raise PromiseBroken(f"a call whose caller was cancelled was recorded as: {events}")


async def _cancelled(trial: ToolkitTrial, call: ToolCall) -> Outcome | BaseException | None:
    """Make a call and cancel its caller: what it came to all the same, or None."""
    came_to: list[Outcome | BaseException] = []
    scope, ended = anyio.CancelScope(), anyio.Event()

    async def run() -> None:
        try:
            with scope:
                came_to.append(await trial.kit.call(call, trial.exam.context))
        except BaseException as error:
            if is_our_end(error):
                raise
            came_to.append(error)
        finally:
            ended.set()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(run)
        await trial.settle()
        if ended.is_set():
            raise PromiseBroken(f"a call that is never answered came to {came_to[0]!r}")
        scope.cancel()
        with within(trial.limits.prompt, "after its caller was cancelled, the end of a call"):
            await ended.wait()
    return came_to[0] if came_to else None


async def _aborts(trial: ToolkitTrial) -> None:
    call, signal = trial.blocking(), CancelSignal()
    context = replace(trial.exam.context, cancel=signal)
    outcomes: list[Outcome] = []

    async def run() -> None:
        outcomes.append(await trial.call(call, context))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(run)
        await trial.settle()
        signal.cancel("the exam says so")
    if not isinstance(outcomes[0], Aborted):
        raise PromiseBroken(f"after the cancel signal the call came to {outcomes[0].to_json()}")


async def _times_out(trial: ToolkitTrial) -> None:
    call = trial.blocking()
    context = replace(trial.exam.context, deadline=anyio.current_time() + _SOON)
    outcome = await trial.call(call, context)
    if not isinstance(outcome, TimedOut):
        raise PromiseBroken(f"after its deadline the call came to {outcome.to_json()}")


CHECKS = (
    ToolkitCheck(
        name="cancellation-passes-through",
        promise="A call whose caller is cancelled ends at once, and as nothing else.",
        run=_passes_through,
    ),
    ToolkitCheck(
        name="cancelled-run-is-finished",
        promise="The journal has the finish of a run whose caller was cancelled.",
        run=_finishes,
    ),
    ToolkitCheck(
        name="signal-aborts",
        promise="The host's cancel signal ends a call as 'aborted'.",
        run=_aborts,
    ),
    ToolkitCheck(
        name="deadline-ends-a-call",
        promise="The deadline of the context ends a call as timed out.",
        run=_times_out,
    ),
)
