"""From what a check did to a verdict."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from types import TracebackType
from typing import cast

import anyio

from toolroll.testing.exam import NotApplicable
from toolroll.testing.report import Status, Verdict

_MOST_WORDS = 500
ENDS = (KeyboardInterrupt, GeneratorExit)
"""What comes from outside and ends the exam; a source that calls `sys.exit` does not."""


class PromiseBroken(Exception):  # it says what it is
    """A check found the promise broken; the text says how."""


class Bound:
    """A step that may take so long; made by `within`."""

    def __init__(self, seconds: float, what: str) -> None:
        self._seconds, self._what = seconds, what
        self._scope = anyio.CancelScope()

    def __enter__(self) -> None:
        self._scope.deadline = anyio.current_time() + self._seconds
        self._scope.__enter__()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._scope.__exit__(kind, error, trace)
        if self._scope.cancelled_caught:
            raise PromiseBroken(f"{self._what} took more than {self._seconds:g} seconds")


def within(seconds: float, what: str) -> Bound:
    """Give a step so many seconds; `with` it.

    Raises:
        PromiseBroken: it took longer.
    """
    return Bound(seconds, what)


async def judged(
    name: str, promise: str, seconds: float, check: Callable[[], Awaitable[None]]
) -> Verdict:
    """Run one check to its verdict. Only the caller's own end and cancellation come out of it.

    Args:
        name, promise: of the check.
        seconds: it may take.
        check: what is run.
    """
    began = time.monotonic()
    status: Status = "passed"
    reason, cause = "", cast("BaseException | None", None)
    try:
        with within(seconds, "the whole check"):
            await check()
    except BaseException as error:  # a source may raise anything
        status, reason, cause = _judgement(error)
    seconds = time.monotonic() - began
    return Verdict(
        name=name, promise=promise, status=status, reason=reason, seconds=seconds, cause=cause
    )


def _judgement(error: BaseException) -> tuple[Status, str, BaseException]:
    leaves = list(leaves_of(error))
    for leaf in leaves:
        if isinstance(leaf, ENDS) or is_our_end(leaf):
            raise error
    for kind in (PromiseBroken, NotApplicable):
        for leaf in leaves:
            if isinstance(leaf, kind):
                status: Status = "failed" if kind is PromiseBroken else "not applicable"
                return status, str(leaf)[:_MOST_WORDS], leaf
    return "failed", described(leaves[0]), leaves[0]


def described(error: BaseException) -> str:
    """An error nobody expected, in words."""
    if is_cancellation(error):
        return "it was cancelled although nobody cancelled it"
    return f"it raised {type(error).__name__}: {error}"[:_MOST_WORDS]


def leaves_of(error: BaseException) -> Iterator[BaseException]:
    """An error, or the members of a group of errors, in order."""
    if isinstance(error, BaseExceptionGroup):
        for member in cast("BaseExceptionGroup[BaseException]", error).exceptions:
            yield from leaves_of(member)
    else:
        yield error


def is_cancellation(error: BaseException) -> bool:
    """Whether this is how the event loop ends a task."""
    return isinstance(error, anyio.get_cancelled_exc_class())


def is_our_end(error: BaseException) -> bool:
    """Whether this is a cancellation, and somebody did cancel this task."""
    if not is_cancellation(error):
        return False
    if anyio.current_effective_deadline() == float("-inf"):
        return True
    if asyncio._get_running_loop() is None:  # noqa: SLF001  # another library runs here
        return False
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
