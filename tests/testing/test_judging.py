"""Whatever a source or its exam does, a promise comes to a verdict, in time."""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest

from tests.testing.faulty import REASONS, GoodSource, System, exam_of
from toolroll.content import ToolResult
from toolroll.outcome import ConfigError
from toolroll.sources import SourceError
from toolroll.testing import (
    ExamFailed,
    ExamLimits,
    ExamReport,
    NotApplicable,
    Sitting,
    SystemState,
    Verdict,
    check_source,
    source_checks,
)
from toolroll.testing.cutting import cut
from toolroll.testing.judging import PromiseBroken, judged

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("virtual_time")]

QUICK = ExamLimits(step=0.3, prompt=0.3, check=2, settle=0.05, calls=3, cancels=5)


def some(*names: str) -> Any:
    return [check for check in source_checks() if check.name in names]


def exam(
    make: Callable[[System], Any] = GoodSource,
    *,
    before: Callable[[SystemState], Awaitable[None]] | None = None,
    after: Callable[[], Awaitable[None]] | None = None,
) -> Any:
    @asynccontextmanager
    async def an_exam(state: SystemState, /) -> AsyncGenerator[Sitting]:
        if before is not None:
            await before(state)
        try:
            yield Sitting(source=make(System(state)))
        finally:
            if after is not None:
                await after()

    return an_exam


async def only(report: Awaitable[ExamReport]) -> Verdict:
    (verdict,) = (await report).verdicts
    return verdict


def calling(run: Callable[[], Awaitable[ToolResult]]) -> Callable[[System], GoodSource]:
    class Source(GoodSource):
        async def call(self, *_: object) -> ToolResult:
            return await run()

    return Source


@pytest.mark.rule("exam-everything-is-bounded")
async def test_a_source_that_hangs_breaks_a_promise_in_time() -> None:
    async def hang() -> ToolResult:
        await anyio.sleep_forever()
        return ToolResult()

    verdict = await only(
        check_source(exam(calling(hang)), checks=some("echo-answers"), limits=QUICK)
    )
    assert verdict.status == "failed"
    assert verdict.reason == "a call: a call of 'echo' took more than 0.3 seconds"


@pytest.mark.rule("exam-everything-is-bounded")
@pytest.mark.parametrize("hanging", ["__aenter__", "aclose", "discover"])
async def test_opening_listing_and_closing_are_bounded_too(hanging: str) -> None:
    async def hang(self: object, *_: object) -> Any:
        await anyio.sleep_forever()

    source = type("Source", (GoodSource,), {hanging: hang})
    checks = some("echo-answers", "closing-leaves-nothing")
    report = await check_source(exam(source), checks=checks, limits=QUICK)
    assert report.failed
    for verdict in report.failed:
        assert "took more than 0.3 seconds" in verdict.reason


@pytest.mark.rule("exam-everything-is-bounded")
@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_system_that_hangs_breaks_a_promise_in_time(when: str) -> None:
    async def hang(*_: object) -> None:
        await anyio.sleep_forever()

    given: Any = {when: hang}
    verdict = await only(check_source(exam(**given), checks=some("echo-answers"), limits=QUICK))
    assert verdict.status == "failed"
    assert verdict.reason.endswith("the system, working, took more than 0.3 seconds")


@pytest.mark.rule("exam-goes-on")
async def test_an_exam_that_fails_fails_its_promise_and_the_next_is_tried() -> None:
    async def fail(state: SystemState) -> None:
        if state == "unavailable":
            raise LookupError("no such container")

    checks = some("unavailable-call", "unreachable-call")
    report = await check_source(exam(before=fail), checks=checks, limits=QUICK)
    assert [verdict.status for verdict in report.verdicts] == ["failed", "passed"]
    assert report.failed[0].reason == "it raised LookupError: no such container"
    assert isinstance(report.failed[0].cause, LookupError)


@pytest.mark.rule("exam-goes-on")
async def test_a_system_that_cannot_be_cleared_up_fails_the_promise() -> None:
    async def fail() -> None:
        raise OSError("still running")

    verdict = await only(check_source(exam(after=fail), checks=some("echo-answers"), limits=QUICK))
    assert (verdict.status, verdict.reason) == ("failed", "it raised OSError: still running")


@pytest.mark.rule("exam-not-applicable-says-why")
async def test_a_state_that_a_system_does_not_know_is_not_applicable() -> None:
    async def declines(state: SystemState) -> None:
        if state != "working":
            raise NotApplicable(f"never {state}")

    report = await check_source(exam(before=declines), limits=QUICK)
    assert report.failed == (), str(report)
    reasons = {verdict.name: verdict.reason for verdict in report.not_applicable}
    assert reasons["unauthorized-call"] == "never unauthorized"
    assert reasons["huge-answer-is-bounded"] == "never huge"
    assert "Sitting.drop" in reasons["drop-costs-one-call"]
    assert reasons["no-secret-reaches-a-model"] == "the exam plants no secret"
    assert reasons["failing-tells-why"] == "the exam names no words of the failing tool"
    assert "toolkit-never-raises" not in reasons


@pytest.mark.rule("exam-open-may-ask")
async def test_a_source_that_asks_its_system_when_it_is_opened_fails_as_well_there() -> None:
    class Eager(GoodSource):
        async def __aenter__(self) -> Any:
            if self.system.state in REASONS:
                raise SourceError(self.name, REASONS[self.system.state])
            return self

    names = ("unauthorized-call", "unauthorized-listing", "unavailable-call", "unreachable-call")
    report = await check_source(exam(Eager), checks=some(*names), limits=QUICK)
    assert len(report.passed) == 4, str(report)


@pytest.mark.rule("exam-good-source-passes")
async def test_a_source_may_have_nothing_to_open() -> None:
    class Plain:
        name = "plain"

        def __init__(self, system: System) -> None:
            self.inner = GoodSource(system)
            self.inner.name = self.name
            self.discover, self.call = self.inner.discover, self.inner.call
            self.aclose = self.inner.aclose

    report = await check_source(exam(Plain), limits=QUICK)
    assert report.failed == (), str(report)


@pytest.mark.rule("exam-goes-on")
@pytest.mark.parametrize("event_loop_name", ["asyncio"])
async def test_a_cancellation_that_nobody_asked_for_is_a_fault() -> None:
    async def leak() -> ToolResult:
        raise asyncio.CancelledError

    report = await check_source(
        exam(calling(leak)), checks=some("echo-answers", "cancelled-call-stops"), limits=QUICK
    )
    for verdict in report.verdicts:
        assert verdict.status == "failed"
        assert "cancelled although nobody cancelled it" in verdict.reason


@pytest.mark.rule("exam-ends-with-its-caller")
async def test_the_callers_cancellation_ends_the_exam_and_clears_up() -> None:
    cleared: list[str] = []

    async def hang() -> ToolResult:
        await anyio.sleep_forever()
        return ToolResult()

    async def clear() -> None:
        cleared.append("system")

    with anyio.move_on_after(0.1) as scope:
        await check_source(exam(calling(hang), after=clear), checks=some("echo-answers"))
    assert scope.cancelled_caught
    assert cleared == ["system"]


@pytest.mark.rule("exam-ends-with-its-caller")
async def test_an_interrupt_passes_through() -> None:
    async def check() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await judged("a", "A.", 1, check)


@pytest.mark.rule("exam-goes-on")
async def test_a_source_that_ends_the_program_ends_its_promise() -> None:
    async def exits() -> ToolResult:
        raise SystemExit(3)

    verdict = await only(
        check_source(exam(calling(exits)), checks=some("echo-answers"), limits=QUICK)
    )
    assert (verdict.status, verdict.reason) == ("failed", "it raised SystemExit: 3")


@pytest.mark.rule("exam-goes-on")
async def test_of_several_errors_the_broken_promise_is_told() -> None:
    async def check() -> None:
        raise ExceptionGroup("", [OSError("x"), ExceptionGroup("", [PromiseBroken("it hangs")])])

    verdict = await judged("a", "A.", 1, check)
    assert (verdict.status, verdict.reason) == ("failed", "it hangs")


@pytest.mark.rule("exam-everything-is-bounded")
@pytest.mark.parametrize(
    "wrong", [{"step": 0}, {"prompt": -1}, {"check": float("inf")}, {"calls": 0}]
)
async def test_a_limit_that_bounds_nothing_is_refused(wrong: Any) -> None:
    with pytest.raises(ConfigError, match=next(iter(wrong))):
        ExamLimits(**wrong)


@pytest.mark.rule("exam-report-is-data")
async def test_a_report_is_printed_raised_and_written() -> None:
    report = await check_source(exam_of("name-fits"), checks=source_checks()[:2], limits=QUICK)
    with pytest.raises(ExamFailed) as raised:
        report.raise_if_failed()
    assert raised.value.report is report
    assert isinstance(raised.value, AssertionError)
    text = str(raised.value)
    assert "failed         name-fits" in text
    assert "'Not A Name' is no source name" in text
    assert text.endswith("demo_exam: 1 passed, 1 failed, 0 not applicable")
    assert report.find("listing-is-data") is report.verdicts[1]
    assert report.find("else") is None
    raw = json.loads(json.dumps(report.to_json()))
    assert [each["status"] for each in raw["verdicts"]] == ["failed", "passed"]
    good = await check_source(exam_of(), checks=source_checks()[:1], subject="demo")
    good.raise_if_failed()
    assert good.subject == "demo"


@pytest.mark.rule("exam-cuts-everywhere")
async def test_a_call_is_cut_at_exactly_the_wait_that_was_named() -> None:
    for at in range(1, 5):
        passed: list[int] = []

        async def waits(passed: list[int] = passed) -> None:
            for number in range(3):
                await anyio.lowlevel.checkpoint()
                passed.append(number)

        assert await cut(waits, at) is (at <= 3)
        assert passed == list(range(min(at, 4) - 1))


@pytest.mark.rule("exam-cuts-everywhere")
async def test_what_a_call_raises_or_does_when_it_is_cut_comes_out() -> None:
    async def fails() -> None:
        await anyio.lowlevel.checkpoint()
        raise LookupError

    with pytest.raises(LookupError):
        await cut(fails, 5)

    async def turns() -> None:
        try:
            await anyio.lowlevel.checkpoint()
        except anyio.get_cancelled_exc_class():
            raise SourceError("demo", "source-error") from None

    with pytest.raises(SourceError):
        await cut(turns, 1)
