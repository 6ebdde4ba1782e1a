"""One promise of a toolkit, and how it is checked."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from toolroll.testing.exam import ExamLimits
from toolroll.testing.judging import judged
from toolroll.testing.report import Verdict
from toolroll.testing.toolkit.exam import ToolkitExam, ToolkitTrial
from toolroll.toolkit import Toolkit


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolkitCheck:
    """One promise that every toolkit keeps.

    Args:
        name: kebab-case; what a report and a test are called.
        promise: what is promised, in a sentence.
        run: checks it.

    Example:
        >>> import anyio
        >>> from toolroll import LocalToolkit
        >>> from toolroll.testing import toolkit_checks
        >>> check = next(check for check in toolkit_checks() if check.name == "listing-repeats")
        >>> anyio.run(check.judge, LocalToolkit("notes")).status
        'passed'
    """

    name: str
    promise: str
    run: Callable[[ToolkitTrial], Awaitable[None]] = field(repr=False)

    async def judge(
        self, kit: Toolkit[Any], exam: ToolkitExam | None = None, limits: ExamLimits | None = None
    ) -> Verdict:
        """Check it.

        Args:
            kit: what is examined.
            exam: what is tried on it.
            limits: of the exam.
        """
        limits = limits or ExamLimits()
        trial = ToolkitTrial(kit, exam or ToolkitExam(), limits)

        async def check() -> None:
            await self.run(trial)

        return await judged(self.name, self.promise, limits.check, check)
