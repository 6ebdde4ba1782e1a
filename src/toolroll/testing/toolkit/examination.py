"""The exam of a toolkit: every promise, one after the other."""

from collections.abc import Sequence
from typing import Any

from toolroll.testing.exam import ExamLimits
from toolroll.testing.report import ExamReport
from toolroll.testing.toolkit import calling, ending, listing
from toolroll.testing.toolkit.check import ToolkitCheck
from toolroll.testing.toolkit.exam import ToolkitExam
from toolroll.toolkit import Toolkit

CHECKS: tuple[ToolkitCheck, ...] = (*listing.CHECKS, *calling.CHECKS, *ending.CHECKS)


def toolkit_checks() -> tuple[ToolkitCheck, ...]:
    """Every promise of a toolkit, in the order they are tried.

    Example:
        >>> [check.name for check in toolkit_checks()][:2]
        ['listing-repeats', 'listing-names-differ']
    """
    return CHECKS


async def check_toolkit(
    kit: Toolkit[Any],
    exam: ToolkitExam | None = None,
    *,
    checks: Sequence[ToolkitCheck] = CHECKS,
    limits: ExamLimits | None = None,
    subject: str = "",
) -> ExamReport:
    """Try every promise on a toolkit, on asyncio or trio.

    Only samples run a tool; all other calls are refused before.

    Args:
        kit: what is examined.
        exam: what is tried on it.
        checks: the promises to try.
        limits: how long is waited, and how much is done.
        subject: what is examined, for the report; "" takes the toolkit's name or class.

    Returns:
        A verdict for each promise; `print` it, or call `raise_if_failed`.

    Example:
        >>> import asyncio
        >>> from toolroll.toolkit import LocalToolkit
        >>> from toolroll.tools import tool
        >>> @tool(effect="read")
        ... async def note_count() -> int:
        ...     "Say how many notes there are."
        ...     return 2
        >>> exam = ToolkitExam(samples={"note_count": {}})
        >>> report = asyncio.run(check_toolkit(LocalToolkit("notes", note_count), exam))
        >>> report.ok, len(report.passed)
        (True, 8)
    """
    verdicts = [await check.judge(kit, exam, limits) for check in checks]
    name = subject or str(getattr(kit, "name", type(kit).__name__))
    return ExamReport(subject=name, verdicts=tuple(verdicts))
