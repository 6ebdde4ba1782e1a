"""The exam of a source: a good one passes, and each fault breaks the promise of its name alone."""

import pytest

from tests.testing.faulty import SilentSource, exam_of
from toolroll.testing import ExamLimits, check_source, source_checks

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("virtual_time")]

NAMES = [check.name for check in source_checks()]
QUICK = ExamLimits(step=2, prompt=0.3, check=10, calls=10)


@pytest.mark.rule("exam-good-source-passes")
async def test_a_source_that_keeps_every_promise_passes() -> None:
    report = await check_source(exam_of())
    assert report.ok, str(report)
    assert [verdict.name for verdict in report.passed] == NAMES


@pytest.mark.rule("exam-good-source-passes")
async def test_a_source_that_tells_of_no_changes_is_not_asked_for_them() -> None:
    report = await check_source(exam_of(kind=SilentSource))
    assert report.ok, str(report)
    unasked = [verdict.name for verdict in report.not_applicable]
    assert unasked == ["changes-are-told", "closing-ends-listening"]


@pytest.mark.rule("exam-fault-is-named")
@pytest.mark.parametrize("fault", NAMES)
async def test_a_fault_breaks_the_promise_of_its_name_and_no_other(fault: str) -> None:
    report = await check_source(exam_of(fault), limits=QUICK)
    assert [verdict.name for verdict in report.failed] == [fault], str(report)
    assert report.failed[0].reason
    assert report.not_applicable == ()
