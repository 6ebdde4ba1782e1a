"""The exam of a source: every promise, one after the other."""

from collections.abc import Sequence

from toolroll.testing.exam import ExamLimits, SourceExam
from toolroll.testing.report import ExamReport
from toolroll.testing.source.check import SourceCheck
from toolroll.testing.source.table import CHECKS


def source_checks() -> tuple[SourceCheck, ...]:
    """Every promise of a source, in the order they are tried.

    Example:
        >>> [check.name for check in source_checks()][:2]
        ['name-fits', 'listing-is-data']
        >>> print(source_checks()[0].promise)
        The source's name can stand in a model name: lower case, at most 32 characters.
    """
    return CHECKS


async def check_source(
    exam: SourceExam,
    *,
    checks: Sequence[SourceCheck] = CHECKS,
    limits: ExamLimits | None = None,
    subject: str = "",
) -> ExamReport:
    """Try every promise on a source, on asyncio or trio.

    Nothing the source does ends the exam; only the caller's own cancellation does. A source that
    swallows every cancellation cannot be stopped from inside: give the process a limit too.

    Args:
        exam: gives the source and its systems.
        checks: the promises to try.
        limits: how long is waited, and how much is done.
        subject: what is examined, for the report; "" takes the name of the exam.

    Returns:
        A verdict for each promise; `print` it, or call `raise_if_failed`.

    Example:
        >>> from contextlib import asynccontextmanager
        >>> import anyio
        >>> from toolroll.sources.http import http_source
        >>> from toolroll.testing import Sitting
        >>> @asynccontextmanager
        ... async def loans_exam(state, /):
        ...     yield Sitting(source=http_source("loans", f"https://{state}.example", []))
        >>> checks = [check for check in source_checks() if check.name == "name-fits"]
        >>> print(anyio.run(lambda: check_source(loans_exam, checks=checks)))
        passed         name-fits
        loans_exam: 1 passed, 0 failed, 0 not applicable
    """
    verdicts = [await check.judge(exam, limits) for check in checks]
    name = subject or str(getattr(exam, "__name__", type(exam).__name__))
    return ExamReport(subject=name, verdicts=tuple(verdicts))
