"""One promise of a source, and how it is checked."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from toolroll.testing.exam import ExamLimits, SourceExam
from toolroll.testing.judging import judged
from toolroll.testing.report import Verdict
from toolroll.testing.source.trial import Trial


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceCheck:
    """One promise that every source keeps.

    Args:
        name: kebab-case; what a report and a test are called.
        promise: what is promised, in a sentence.
        run: checks it.

    Example:
        >>> from toolroll.testing import source_checks
        >>> check = source_checks()[0]
        >>> print(f"{check.name}: {check.promise}")
        name-fits: The source's name can stand in a model name: lower case, at most 32 characters.
    """

    name: str
    promise: str
    run: Callable[[Trial], Awaitable[None]] = field(repr=False)

    async def judge(self, exam: SourceExam, limits: ExamLimits | None = None) -> Verdict:
        """Check it.

        Args:
            exam: gives the source and its systems.
            limits: of the exam.
        """
        limits = limits or ExamLimits()

        async def check() -> None:
            await self.run(Trial(exam, limits))

        return await judged(self.name, self.promise, limits.check, check)
