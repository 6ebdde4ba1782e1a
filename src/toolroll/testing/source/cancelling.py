"""What a call promises that its caller cancels."""

from toolroll.sources import SourceError
from toolroll.testing.census import take_census
from toolroll.testing.cutting import cut
from toolroll.testing.exam import NotApplicable
from toolroll.testing.judging import PromiseBroken
from toolroll.testing.source.check import SourceCheck
from toolroll.testing.source.closing import nothing_is_left
from toolroll.testing.source.desk import Desk
from toolroll.testing.source.running import CONTEXT
from toolroll.testing.source.trial import Trial


async def _stops(trial: Trial) -> None:
    async with trial.desk() as desk, desk.blocked() as running:
        running.cancel()
        await running.end("it was cancelled")
        if running.result is not None or running.error is not None:
            raise PromiseBroken(f"a call that was cancelled {running.words}")


async def _reaches_the_system(trial: Trial) -> None:
    async with trial.desk() as desk:
        if desk.sitting.running is None:
            raise NotApplicable("the exam cannot tell what the system works at (Sitting.running)")
        async with desk.blocked() as running:
            running.cancel()
            if not await desk.falls_idle():
                raise PromiseBroken(
                    f"{trial.limits.prompt:g} seconds after the call was cancelled the system "
                    "still works at it"
                )


async def _costs_no_other(trial: Trial) -> None:
    async with trial.desk() as desk:
        async with desk.blocked() as other, desk.blocked() as running:
            running.cancel()
            await running.end("it was cancelled")
            await desk.answers("after another call was cancelled, a call")
            if not other.is_running:
                raise PromiseBroken(f"after one call was cancelled, a running one {other.words}")
        await desk.answers("after two calls were cancelled, a call")


async def _anywhere(trial: Trial) -> None:
    async with trial.desk() as desk:
        await _cut_everywhere(desk, answers_between=False)
        await desk.answers("after calls were cancelled wherever they wait, a call")
        await _cut_everywhere(desk, answers_between=True)
        used = take_census()
        await desk.close()
        await nothing_is_left(desk, used)


async def _cut_everywhere(desk: Desk, *, answers_between: bool) -> None:
    """Cancel a call at the first place where it waits, then at the second, and so on."""
    tools = desk.sitting.tools
    definition, input = desk.definition(tools.echo), tools.echo_input("ping")

    async def call() -> None:
        await desk.source.call(definition, input, CONTEXT)

    async def once(at: int) -> bool:
        with desk.bounded(f"a call that was cancelled at its wait no. {at}"):
            try:
                return await cut(call, at)
            except SourceError:
                return True

    for at in range(1, desk.limits.cancels + 1):
        if not await once(at):
            return
        if answers_between:
            await desk.answers(f"after a call was cancelled at its wait no. {at}, the next")


CHECKS = (
    SourceCheck(
        name="cancelled-call-stops",
        promise="A call that its caller cancels ends at once, as a cancellation and nothing else.",
        run=_stops,
    ),
    SourceCheck(
        name="cancellation-reaches-the-system",
        promise="The system learns that a call was cancelled and stops working at it.",
        run=_reaches_the_system,
    ),
    SourceCheck(
        name="cancelled-call-costs-no-other",
        promise="Other calls, running and later, do not notice that one was cancelled.",
        run=_costs_no_other,
    ),
    SourceCheck(
        name="cancelled-anywhere",
        promise="A call may be cancelled wherever it waits: the source works on, and leaves "
        "nothing when it is closed.",
        run=_anywhere,
    ),
)
