"""What a source promises when connections break, systems end, and answers are slow or huge."""

import anyio

from toolroll.content import result_to_json
from toolroll.sources import SourceError
from toolroll.testing.exam import NotApplicable
from toolroll.testing.judging import PromiseBroken
from toolroll.testing.source.check import SourceCheck
from toolroll.testing.source.trial import Trial
from toolroll.testing.source.words import strings_of

_GIVEN_UP = ("timed-out", "idle-timed-out", "unavailable")
_MARGIN = 1_000
"""Characters that a notice of what was cut may have."""


async def _drop_costs_one(trial: Trial) -> None:
    async with trial.desk() as desk:
        if (drop := desk.sitting.drop) is None:
            raise NotApplicable("the exam cannot break a connection (Sitting.drop)")
        async with desk.blocked() as running:
            with desk.bounded("breaking the connection"):
                await drop()
            await running.failure("its connection broke")
        await desk.answers("after a connection broke, the next call")


async def _idle_drop(trial: Trial) -> None:
    async with trial.desk() as desk:
        if (drop := desk.sitting.drop) is None:
            raise NotApplicable("the exam cannot break a connection (Sitting.drop)")
        await desk.answers("a call")
        with desk.bounded("breaking the connection"):
            await drop()
        await anyio.sleep(trial.limits.settle)  # it takes a moment to arrive
        await desk.answers("after an idle connection broke, a call")


async def _may_have_run(trial: Trial) -> None:
    async with trial.desk() as desk:
        if (drop := desk.sitting.drop or desk.sitting.kill) is None:
            raise NotApplicable("the exam can neither break a connection nor end the system")
        async with desk.blocked() as running:
            with desk.bounded("breaking the connection"):
                await drop()
            await running.end("its answer was lost")
    error = running.error
    if isinstance(error, SourceError) and (not error.may_have_run or error.retryable):
        raise PromiseBroken(
            f"the answer of a running call was lost; told is {error.reason!r}, may have run: "
            f"{error.may_have_run}, worth another try: {error.retryable}"
        )


async def _crash_ends_calls(trial: Trial) -> None:
    async with trial.desk() as desk:
        if (kill := desk.sitting.kill) is None:
            raise NotApplicable("the exam cannot end the system (Sitting.kill)")
        async with desk.blocked() as running:
            with desk.bounded("ending the system"):
                await kill()
            await running.failure("the system ended")


async def _works_when_back(trial: Trial) -> None:
    async with trial.desk() as desk:
        sitting = desk.sitting
        if sitting.kill is None or sitting.revive is None:
            raise NotApplicable("the exam cannot end the system and bring it back")
        await desk.answers("a call")
        with desk.bounded("ending the system"):
            await sitting.kill()
        tools = sitting.tools
        await desk.attempt(desk.definition(tools.echo), tools.echo_input("ping"))
        with desk.bounded("bringing the system back"):
            await sitting.revive()
        await desk.answers("after the system came back, a call")


async def _silence(trial: Trial) -> None:
    async with trial.desk("slow") as desk:
        patience = desk.sitting.patience
        if patience is None:
            raise NotApplicable("the exam does not say when the source gives up (Sitting.patience)")
        error = await desk.failure(seconds=patience + trial.limits.prompt)
    if error.reason not in _GIVEN_UP:
        raise PromiseBroken(f"the reason is {error.reason!r} ({error}), none of {_GIVEN_UP}")


async def _huge(trial: Trial) -> None:
    async with trial.desk("huge") as desk:
        limit = desk.sitting.limit
        try:
            result = await desk.echo()
        except SourceError as error:
            if error.reason != "result-too-large":
                raise PromiseBroken(
                    f"the reason is {error.reason!r} ({error}), not 'result-too-large'"
                ) from error
            return
    size = len(str(result_to_json(result)))
    if size > limit + _MARGIN or result.is_error:
        least = max(map(len, strings_of(result)), default=0)
        raise PromiseBroken(f"{size:,} characters came back, a text of {least:,}; {limit:,} may")


CHECKS = (
    SourceCheck(
        name="drop-costs-one-call",
        promise="A connection that breaks ends its call as an error; the next call works.",
        run=_drop_costs_one,
    ),
    SourceCheck(
        name="idle-drop-costs-nothing",
        promise="A connection that breaks while nothing runs costs no call.",
        run=_idle_drop,
    ),
    SourceCheck(
        name="lost-answer-may-have-run",
        promise="A call whose answer was lost is told as one that may have run and is not to be "
        "tried again as it is.",
        run=_may_have_run,
    ),
    SourceCheck(
        name="crash-ends-running-calls",
        promise="When the system ends, running calls end at once as errors.",
        run=_crash_ends_calls,
    ),
    SourceCheck(
        name="works-when-the-system-is-back",
        promise="When a system that ended is back, the source works without being opened again.",
        run=_works_when_back,
    ),
    SourceCheck(
        name="silence-is-given-up",
        promise="A call that is not answered ends by the source's own limit, as an error.",
        run=_silence,
    ),
    SourceCheck(
        name="huge-answer-is-bounded",
        promise="An answer beyond the limit fails as 'result-too-large', or is cut.",
        run=_huge,
    ),
)
