"""An async context manager that is entered and left in a task of its own, each within a bound."""

from contextlib import AbstractAsyncContextManager
from typing import Generic, TypeVar

import anyio
from anyio.abc import TaskStatus

from toolroll.testing.judging import PromiseBroken

T = TypeVar("T")


class Kept(Generic[T]):
    """Holds something open while others use it.

    A source may keep a task group open from its opening to its closing, and so may an exam: both
    happen in one task, and no cancel scope of ours lies in between.

    Args:
        manager: what is held.
        what: it is, in words, e.g. `the source`.
        seconds: for entering, and again for leaving.
    """

    def __init__(self, manager: AbstractAsyncContextManager[T], what: str, seconds: float) -> None:
        self._manager, self._what, self._seconds = manager, what, seconds
        self._leave, self._left = anyio.Event(), anyio.Event()
        self._error: BaseException | None = None

    async def run(self, *, task_status: TaskStatus[T]) -> None:
        """Enter, hold until `leave`, and leave; what goes wrong then is raised by `leave`."""
        entered = False
        doing = "opening"
        with anyio.CancelScope(shield=True, deadline=self._end()) as scope:
            try:
                async with self._manager as value:
                    scope.deadline, entered = float("inf"), True
                    task_status.started(value)
                    await self._leave.wait()
                    scope.deadline, doing = self._end(), "closing"
            except Exception as error:
                if not entered:
                    raise
                self._error = error
            finally:
                self._left.set()
        if scope.cancelled_caught:
            late = PromiseBroken(f"{doing} {self._what} took more than {self._seconds:g} seconds")
            if not entered:
                raise late
            self._error = late

    async def leave(self) -> None:
        """Leave, and wait until that is done.

        Raises:
            Exception: what leaving raised.
        """
        self._leave.set()
        with anyio.CancelScope(shield=True):  # `run` has the bound
            await self._left.wait()
        if self._error is not None:
            raise self._error

    def _end(self) -> float:
        return anyio.current_time() + self._seconds
