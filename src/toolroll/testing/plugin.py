"""The pytest plugin: one test for each promise.

It comes with Toolroll by itself. Its fixtures are

- `source_check`: `await source_check(exam)` checks one promise of a source; a test that asks for it
  runs once for each promise, under the promise's name.
- `toolkit_check`: `await toolkit_check(kit, exam)` does so for a toolkit.
- `exam_limits`: the limits of both; define your own to change them.

A promise that does not apply is skipped with its reason, a broken one fails with the reason alone.
Tests are async; any plugin that runs those will do (anyio's, pytest-asyncio, pytest-trio).
"""

import traceback
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

if TYPE_CHECKING:
    from toolroll.testing import (
        ExamLimits,
        SourceExam,
        ToolkitExam,
        Verdict,
    )
    from toolroll.toolkit import Toolkit

SourceTest: TypeAlias = "Callable[[SourceExam], Awaitable[None]]"
"""Checks one promise of a source."""

ToolkitTest: TypeAlias = "Callable[..., Awaitable[None]]"
"""Checks one promise of a toolkit: takes the toolkit and, optionally, its exam."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each promise."""
    # Toolroll is imported by those who use it here, not by every run of pytest.
    if "source_check" in metafunc.fixturenames:
        from toolroll.testing import source_checks  # noqa: PLC0415

        _parametrize(metafunc, "source_check", source_checks())
    if "toolkit_check" in metafunc.fixturenames:
        from toolroll.testing import toolkit_checks  # noqa: PLC0415

        _parametrize(metafunc, "toolkit_check", toolkit_checks())


def _parametrize(metafunc: pytest.Metafunc, name: str, checks: tuple[Any, ...]) -> None:
    metafunc.parametrize(name, checks, ids=[check.name for check in checks], indirect=True)


@pytest.fixture
def exam_limits() -> "ExamLimits":
    """How long exams wait and how much they do."""
    from toolroll.testing import ExamLimits  # noqa: PLC0415

    return ExamLimits()


@pytest.fixture
def source_check(request: pytest.FixtureRequest, exam_limits: "ExamLimits") -> SourceTest:
    """Checks one promise of a source."""

    async def check(exam: "SourceExam") -> None:
        _settle(await request.param.judge(exam, exam_limits))

    return check


@pytest.fixture
def toolkit_check(request: pytest.FixtureRequest, exam_limits: "ExamLimits") -> ToolkitTest:
    """Checks one promise of a toolkit."""

    async def check(kit: "Toolkit[Any]", exam: "ToolkitExam | None" = None) -> None:
        _settle(await request.param.judge(kit, exam, exam_limits))

    return check


def _settle(verdict: "Verdict") -> None:
    if verdict.status == "not applicable":
        pytest.skip(verdict.reason)
    if verdict.status == "failed":
        pytest.fail(f"{verdict.promise}\n{verdict.reason}{_trace(verdict.cause)}", pytrace=False)


def _trace(cause: BaseException | None) -> str:
    """Where the source raised; "" where a check found the fault by itself."""
    from toolroll.testing.judging import PromiseBroken  # noqa: PLC0415

    raised = cause.__cause__ if isinstance(cause, PromiseBroken) else cause
    return "" if raised is None else "\n\n" + "".join(traceback.format_exception(raised))
