"""What an exam found: a verdict for each promise."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from toolroll.content import JsonValue
from toolroll.outcome import ToolrollError

Status: TypeAlias = Literal["passed", "failed", "not applicable"]
"""What became of a promise."""


class ExamFailed(ToolrollError, AssertionError):  # it says what it is
    """At least one promise is broken; `report` has them all.

    Example:
        >>> broken = Verdict(
        ...     name="listing-repeats",
        ...     promise="Listings repeat.",
        ...     status="failed",
        ...     reason="it differed",
        ... )
        >>> try:
        ...     ExamReport(subject="loans", verdicts=(broken,)).raise_if_failed()
        ... except ExamFailed as failed:
        ...     print(failed.report.failed[0].reason)
        it differed
    """

    def __init__(self, report: "ExamReport") -> None:
        super().__init__(str(report))
        self.report = report


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What became of one promise.

    Args:
        name: of the promise.
        promise: its sentence.
        status: whether it was kept.
        reason: why it was not, or why it does not apply; "" where it was kept.
        seconds: that it took.
        cause: what was raised, for a debugger.

    Example:
        >>> kept = Verdict(name="listing-repeats", promise="Listings repeat.", status="passed")
        >>> kept.to_json()["status"], str(kept)
        ('passed', 'passed         listing-repeats')
    """

    name: str
    promise: str
    status: Status
    reason: str = ""
    seconds: float = 0.0
    cause: BaseException | None = field(default=None, compare=False, repr=False)

    def __str__(self) -> str:
        """One line for a kept promise, else three."""
        lines = [f"{self.status:<14} {self.name}"]
        if self.status == "failed":
            lines.append(f"               {self.promise}")
        if self.reason:
            lines.append(f"               {self.reason}")
        return "\n".join(lines)

    def to_json(self) -> dict[str, JsonValue]:
        """The verdict as JSON; the cause is left out."""
        return {
            "name": self.name,
            "promise": self.promise,
            "status": self.status,
            "reason": self.reason,
            "seconds": self.seconds,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ExamReport:
    """What became of every promise; `print(report)` shows all.

    Args:
        subject: what was examined.
        verdicts: one for each promise, in order.

    Example:
        >>> kept = Verdict(name="listing-repeats", promise="Listings repeat.", status="passed")
        >>> report = ExamReport(subject="loans", verdicts=(kept,))
        >>> report.ok
        True
        >>> print(report)
        passed         listing-repeats
        loans: 1 passed, 0 failed, 0 not applicable
    """

    subject: str
    verdicts: tuple[Verdict, ...]

    @property
    def ok(self) -> bool:
        """No promise is broken."""
        return not self.failed

    @property
    def passed(self) -> tuple[Verdict, ...]:
        """The promises that were kept."""
        return self._of("passed")

    @property
    def failed(self) -> tuple[Verdict, ...]:
        """The promises that were broken."""
        return self._of("failed")

    @property
    def not_applicable(self) -> tuple[Verdict, ...]:
        """The promises that could not be tried, each with its reason."""
        return self._of("not applicable")

    def find(self, name: str) -> Verdict | None:
        """The verdict on the promise of this name, if it was tried."""
        return next((verdict for verdict in self.verdicts if verdict.name == name), None)

    def raise_if_failed(self) -> None:
        """Do nothing if every promise was kept or does not apply.

        Raises:
            ExamFailed: its text is the whole report.
        """
        if not self.ok:
            raise ExamFailed(self)

    def to_json(self) -> dict[str, JsonValue]:
        """The report as JSON."""
        return {
            "subject": self.subject,
            "ok": self.ok,
            "verdicts": [verdict.to_json() for verdict in self.verdicts],
        }

    def __str__(self) -> str:
        """Every verdict, then the count."""
        count = ", ".join(
            f"{len(verdicts)} {status}"
            for status, verdicts in (
                ("passed", self.passed),
                ("failed", self.failed),
                ("not applicable", self.not_applicable),
            )
        )
        return "\n".join([*map(str, self.verdicts), f"{self.subject}: {count}"])

    def _of(self, status: Status) -> tuple[Verdict, ...]:
        return tuple(verdict for verdict in self.verdicts if verdict.status == status)
