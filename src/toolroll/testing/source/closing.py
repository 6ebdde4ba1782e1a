"""What a source promises about its life: opening, use from any task, closing."""

from collections.abc import Awaitable, Callable

import anyio
from anyio.lowlevel import checkpoint

from toolroll.sources import SourceError
from toolroll.testing.census import Census, left_over, take_census
from toolroll.testing.judging import PromiseBroken, described, is_our_end, within
from toolroll.testing.source.answering import UNKNOWN
from toolroll.testing.source.check import SourceCheck
from toolroll.testing.source.desk import Desk, Opened
from toolroll.testing.source.running import CONTEXT
from toolroll.testing.source.trial import Trial

_WAITS = (0, 1, 2, 3, 5, 8, 13, 21, 34)
"""How many steps of the event loop a first call gets before its source is closed."""


async def _any_task(trial: Trial) -> None:
    seconds = trial.limits.step
    catalog = await trial.catalog()
    async with trial.sitting("working") as sitting:
        source, tools = sitting.source, sitting.tools
        definition = catalog[tools.echo]

        async def call() -> None:
            await source.call(definition, tools.echo_input("ping"), CONTEXT)

        async def discover() -> None:
            await source.discover(CONTEXT)

        await _in_a_task(Opened(source).__aenter__, "opening in a first task", seconds)
        await _in_a_task(discover, "discover() in a second task", seconds)
        await _in_a_task(call, "a call in a third task", seconds)
        await _in_a_task(source.aclose, "closing in a fourth task", seconds)


async def _in_a_task(function: Callable[[], Awaitable[object]], what: str, seconds: float) -> None:
    """Run something in a task of its own that ends with it."""
    problems: list[str] = []

    async def run() -> None:
        try:
            with within(seconds, what):
                await function()
        except PromiseBroken as error:
            problems.append(str(error))
        except BaseException as error:
            if is_our_end(error):
                raise
            problems.append(f"{what}: {described(error)}")

    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(run)
    except Exception as error:  # a task that leaves a scope open is ended by the event loop
        problems.append(f"{what}: {described(error)}")
    if problems:
        raise PromiseBroken(problems[0])


async def _ends_calls(trial: Trial) -> None:
    async with trial.desk() as desk, desk.blocked() as running:
        await desk.close()
        await running.end("the source was closed")
        if not isinstance(running.error, SourceError):
            raise PromiseBroken(f"after closing the running call {running.words}")


async def _ends_the_beginning(trial: Trial) -> None:
    catalog = await trial.catalog()
    for waits in _WAITS:
        async with trial.sitting("working") as sitting, trial.over(sitting) as desk:
            desk.definitions.update(catalog)
            async with desk.begun() as running:
                for _ in range(waits):
                    await checkpoint()
                used = take_census()
                await desk.close()
                await running.end(f"the source was closed {waits} steps into its first call")
                if not isinstance(running.error, SourceError):
                    raise PromiseBroken(
                        f"closed {waits} steps into it, a first call {running.words}"
                    )
            await nothing_is_left(desk, used)


async def _leaves_nothing(trial: Trial) -> None:
    async with trial.desk() as desk:
        await desk.answers("a call")
        await desk.attempt(UNKNOWN, {})
        used = take_census()
        await desk.close()
        await nothing_is_left(desk, used)


async def _leaves_nothing_amid(trial: Trial) -> None:
    async with trial.desk() as desk:
        await desk.answers("a call")
        async with desk.blocked():
            used = take_census()
            await desk.close()
        await nothing_is_left(desk, used)


async def nothing_is_left(desk: Desk, used: Census) -> None:
    """Wait until all is gone that came with the source.

    Raises:
        PromiseBroken: something stays.
    """
    if left := await left_over(desk.before, used, within=desk.limits.prompt):
        raise PromiseBroken(f"after closing there is still: {'; '.join(left)}")


async def _twice(trial: Trial) -> None:
    async with trial.desk() as desk:
        await desk.answers("a call")
        desk.opened.closings = 2
        await desk.close()


async def _unused(trial: Trial) -> None:
    async with trial.sitting("working") as sitting:
        with within(trial.limits.step, "closing a source that was never used"):
            try:
                await sitting.source.aclose()
            except Exception as error:
                raise PromiseBroken(f"closing an unused source: {described(error)}") from error


async def _closed_is_not_stuck(trial: Trial) -> None:
    async with trial.desk() as desk:
        await desk.answers("a call")
        await desk.close()
        tools = desk.sitting.tools
        with within(trial.limits.prompt, "a call after closing"):
            tried = await desk.attempt(desk.definition(tools.echo), tools.echo_input("ping"))
        await desk.clear_up()
        if isinstance(tried, Exception) and not isinstance(tried, SourceError):
            raise PromiseBroken(f"a call after closing: {described(tried)}")


CHECKS = (
    SourceCheck(
        name="any-task",
        promise="A source is opened in one task, asked in others, and closed in yet another.",
        run=_any_task,
    ),
    SourceCheck(
        name="closing-ends-running-calls",
        promise="Closing ends running calls at once, as errors of the source.",
        run=_ends_calls,
    ),
    SourceCheck(
        name="closing-ends-a-beginning",
        promise="So it does wherever a first call is on its way, and leaves nothing.",
        run=_ends_the_beginning,
    ),
    SourceCheck(
        name="closing-leaves-nothing",
        promise="After closing there is no thread, task, process, socket or pipe of the source.",
        run=_leaves_nothing,
    ),
    SourceCheck(
        name="closing-amid-calls-leaves-nothing",
        promise="Nor is there one when it was closed in the middle of a call.",
        run=_leaves_nothing_amid,
    ),
    SourceCheck(name="closing-twice", promise="Closing again does nothing.", run=_twice),
    SourceCheck(
        name="closing-unused", promise="A source that was never used can be closed.", run=_unused
    ),
    SourceCheck(
        name="closed-is-not-stuck",
        promise="After closing, a call answers or fails as an error of the source, at once.",
        run=_closed_is_not_stuck,
    ),
)
