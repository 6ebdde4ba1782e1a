"""What a call promises that fails, in each state of the system."""

from toolroll.sources import SourceError
from toolroll.testing.exam import NotApplicable, SystemState
from toolroll.testing.judging import PromiseBroken
from toolroll.testing.source.answering import UNKNOWN
from toolroll.testing.source.check import SourceCheck
from toolroll.testing.source.desk import Desk
from toolroll.testing.source.trial import Trial
from toolroll.testing.source.words import shown, strings_of

STATES: tuple[SystemState, ...] = ("working", "unauthorized", "unavailable", "unreachable")
"""The states that every system can be in."""

_REPORTED = ("call-failed", "tool-error")


async def _is_reported(trial: Trial) -> None:
    async with trial.desk() as desk:
        failed = await desk.failing()
    if isinstance(failed, SourceError):
        if failed.reason not in _REPORTED:
            raise PromiseBroken(f"the tool said that it failed; the reason is {failed.reason!r}")
        if failed.retryable:
            raise PromiseBroken("the tool said that it failed; that is told as worth another try")


async def _tells_why(trial: Trial) -> None:
    async with trial.desk() as desk:
        words = desk.sitting.tools.failing_says
        if not words:
            raise NotApplicable("the exam names no words of the failing tool")
        failed = await desk.failing()
    said = [failed.message] if isinstance(failed, SourceError) else strings_of(failed)
    if not any(words in text for text in said):
        raise PromiseBroken(f"the tool said {words!r}; the model reads {shown(said)}")


async def _unknown_tool(trial: Trial) -> None:
    async with trial.desk() as desk:
        await desk.trouble(UNKNOWN, {})


async def _name_the_source(trial: Trial) -> None:
    seen = 0
    for state in STATES:
        for error, name in await trial.ask_in(state, _errors) or []:
            seen += 1
            if error.source != name:
                raise PromiseBroken(f"{state}: the error names {error.source!r}, not {name!r}")
    if not seen:
        raise NotApplicable("no failure was an error of the source")


async def _errors(desk: Desk) -> list[tuple[SourceError, str]]:
    """The errors of the source in this state, each with the source's name."""
    tools = desk.sitting.tools
    tried = [
        await desk.attempt(UNKNOWN, {}),
        await desk.attempt(desk.definition(tools.failing), tools.failing_input),
    ]
    return [(each, desk.source.name) for each in tried if isinstance(each, SourceError)]


async def _calls_in(trial: Trial, state: SystemState) -> SourceError:
    failed: list[SourceError] = []
    async with trial.desk(state) as desk:
        failed.append(await desk.failure())
    return failed[0]


async def _lists_in(trial: Trial, state: SystemState) -> SourceError:
    async with trial.desk(state) as desk:
        error = await desk.listing_failure()
    if error is None:
        raise NotApplicable("discover() does not ask the system")
    return error


def _is_refused(error: SourceError) -> None:
    if error.reason != "authentication":
        raise PromiseBroken(f"the reason is {error.reason!r} ({error}), not 'authentication'")
    if error.retryable:
        raise PromiseBroken("refused credentials are told as worth another try")


def _is_away(error: SourceError) -> None:
    if error.reason != "unavailable":
        raise PromiseBroken(f"the reason is {error.reason!r} ({error}), not 'unavailable'")
    if not error.retryable:
        raise PromiseBroken("a system that is away is told as not worth another try")
    if error.may_have_run:
        raise PromiseBroken("nothing reached a tool, yet the call is told as one that may have run")


async def _unauthorized(trial: Trial) -> None:
    _is_refused(await _calls_in(trial, "unauthorized"))


async def _unauthorized_listing(trial: Trial) -> None:
    _is_refused(await _lists_in(trial, "unauthorized"))


async def _unavailable(trial: Trial) -> None:
    _is_away(await _calls_in(trial, "unavailable"))


async def _unavailable_listing(trial: Trial) -> None:
    _is_away(await _lists_in(trial, "unavailable"))


async def _unreachable(trial: Trial) -> None:
    _is_away(await _calls_in(trial, "unreachable"))


async def _unreachable_listing(trial: Trial) -> None:
    _is_away(await _lists_in(trial, "unreachable"))


CHECKS = (
    SourceCheck(
        name="failing-is-reported",
        promise="A tool that says it failed is a failed result or the reason 'call-failed', and is "
        "not worth another try.",
        run=_is_reported,
    ),
    SourceCheck(
        name="failing-tells-why",
        promise="A model reads what a failing tool says of its failure.",
        run=_tells_why,
    ),
    SourceCheck(
        name="unknown-tool-is-an-error",
        promise="Calling a tool that the system does not have fails as an error of the source, or "
        "as the failure that the system reports.",
        run=_unknown_tool,
    ),
    SourceCheck(
        name="failures-name-the-source",
        promise="Every error says which source it comes from.",
        run=_name_the_source,
    ),
    SourceCheck(
        name="unauthorized-call",
        promise="A call with refused credentials fails with the reason 'authentication' and is not "
        "worth another try.",
        run=_unauthorized,
    ),
    SourceCheck(
        name="unauthorized-listing",
        promise="A listing with refused credentials fails in the same way.",
        run=_unauthorized_listing,
    ),
    SourceCheck(
        name="unavailable-call",
        promise="A call of a system that is down fails with the reason 'unavailable', did not run, "
        "and may be tried again.",
        run=_unavailable,
    ),
    SourceCheck(
        name="unavailable-listing",
        promise="A listing of a system that is down fails in the same way.",
        run=_unavailable_listing,
    ),
    SourceCheck(
        name="unreachable-call",
        promise="A call of a system that is not there fails with the reason 'unavailable', did not "
        "run, and may be tried again.",
        run=_unreachable,
    ),
    SourceCheck(
        name="unreachable-listing",
        promise="A listing of a system that is not there fails in the same way.",
        run=_unreachable_listing,
    ),
)
