"""Sync handlers in worker threads: bounded, with the caller's context variables, abandoned late."""

import threading
from collections.abc import Callable
from typing import Any, TypeVar, cast

import anyio.to_thread

from toolroll.outcome import OutcomeError

T = TypeVar("T")


class _Count:
    """How many abandoned handlers still run in this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running = 0

    def add(self, change: int) -> None:
        with self._lock:
            self._running += change

    def value(self) -> int:
        with self._lock:
            return self._running


class HandlerAbandoned(BaseException):
    """Ends a sync handler whose call has ended; no `except Exception` stops it."""


class _Here(threading.local):
    """The run that this thread serves."""

    run: "_Run | None" = None


_ABANDONED = _Count()
_HERE = _Here()


def abandoned_handlers() -> int:
    """How many sync handlers go on although their call has ended.

    A thread cannot be ended from outside. A handler that ignores its end keeps its thread until it
    returns; this number is for a host's health page.

    Example:
        >>> abandoned_handlers()
        0
    """
    return _ABANDONED.value()


def in_worker_thread() -> bool:
    """Whether this code runs in a sync handler's worker thread."""
    return _HERE.run is not None


def raise_if_abandoned() -> None:
    """End the sync handler that this thread runs, if its call has ended.

    Raises:
        HandlerAbandoned: the call was cancelled or timed out.
    """
    if _HERE.run is not None and _HERE.run.is_left:
        raise HandlerAbandoned


async def run_in_thread(handler: Callable[..., T], *args: Any) -> T:
    """Run a sync handler in a worker thread of the event loop's own bounded pool.

    Context variables are those of the caller; what the handler sets stays its own. When the caller
    is cancelled the thread is left alone and counted until it returns. Threads left alone stand
    outside the pool on asyncio, so once there are as many of them as the pool has places, no
    handler is begun until some return.

    Raises:
        OutcomeError: `unavailable`, because too many handlers ignore their end.
    """
    if abandoned_handlers() >= anyio.to_thread.current_default_thread_limiter().total_tokens:
        raise OutcomeError(
            "unavailable",
            "unavailable",
            "The tool did not run: too many earlier calls have not come to their end.",
            detail=f"{abandoned_handlers()} sync handlers go on although their calls have ended",
        )
    state = _Run()

    def inside() -> tuple[T] | None:
        if not state.begins():
            return None
        _HERE.run = state
        try:
            return (handler(*args),)  # trio takes no bare coroutine from a thread
        finally:
            _HERE.run = None
            state.returned()

    try:
        returned = await anyio.to_thread.run_sync(inside, abandon_on_cancel=True)
    except BaseException:
        state.left()
        raise
    return cast("tuple[T]", returned)[0]  # None only where nobody waits for it any more


class _Run:
    """Counts one abandoned run exactly as long as it goes on; one that never began is none."""

    __slots__ = ("_begun", "_done", "_lock", "is_left")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._begun = self._done = self.is_left = False

    def begins(self) -> bool:
        """Whether it may begin: its caller still waits."""
        with self._lock:
            self._begun = not self.is_left
            return self._begun

    def returned(self) -> None:
        with self._lock:
            self._done = True
            if self.is_left:
                _ABANDONED.add(-1)

    def left(self) -> None:
        with self._lock:
            self.is_left = True
            if self._begun and not self._done:
                _ABANDONED.add(1)
