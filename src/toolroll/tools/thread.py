"""Sync handlers in worker threads: bounded, with the caller's context variables, abandoned late."""

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar, cast

import anyio.lowlevel
import anyio.to_thread

from toolroll.outcome import OutcomeError
from toolroll.tools.cancel import CancelSignal

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


def in_loop_soon() -> Callable[[Callable[[], object]], object]:
    """A way into the event loop that runs here, for functions that other threads want run in it."""
    loop: Any = anyio.lowlevel.current_token().native_token
    is_asyncio = hasattr(loop, "call_soon_threadsafe")
    return loop.call_soon_threadsafe if is_asyncio else loop.run_sync_soon


class Seat:
    """A place in the pool of threads, held from before a run's time begins. Made by `take_seat`.

    Args:
        limiter: of the event loop's pool.
    """

    __slots__ = ("_limiter", "_soon", "_taken")

    def __init__(self, limiter: anyio.CapacityLimiter) -> None:
        self._limiter = limiter
        self._soon = in_loop_soon()
        self._taken = False

    async def wait(self) -> None:
        """Wait for the place, first come, first served."""
        try:
            self._limiter.acquire_on_behalf_of_nowait(self)
        except anyio.WouldBlock:
            await self._limiter.acquire_on_behalf_of(self)
        self._taken = True

    def leave(self) -> None:
        """Give the place to the next one, unless it was given up before or a thread keeps it."""
        if self._taken:
            self._taken = False
            self._limiter.release_on_behalf_of(self)

    async def run(self, handler: Callable[..., T], *args: Any) -> T:
        """Run a sync handler in a worker thread.

        Context variables are those of the caller; what the handler sets stays its own. When the
        caller is cancelled the thread is left alone: it is counted, and keeps the place, until it
        returns.
        """
        state = _Run()

        def inside() -> tuple[T] | None:
            if not state.begins():
                return None
            _HERE.run = state
            try:
                return (handler(*args),)  # trio takes no bare coroutine from a thread
            except GeneratorExit as error:  # asyncio would take it for its own end
                raise RuntimeError("the handler raised GeneratorExit") from error
            finally:
                _HERE.run = None
                state.returned()

        try:
            returned = await anyio.to_thread.run_sync(
                inside, abandon_on_cancel=True, limiter=anyio.CapacityLimiter(1)
            )
        except BaseException:
            if state.left(self._give_back):
                self._taken = False
            raise
        return cast("tuple[T]", returned)[0]  # None only where nobody waits for it any more

    def _give_back(self) -> None:
        """Leave the place that a thread kept; called in that thread."""
        with suppress(RuntimeError):  # the event loop has ended, and its pool with it
            self._soon(lambda: self._limiter.release_on_behalf_of(self))


async def take_seat(seconds: float, signal: CancelSignal | None) -> Seat | None:
    """Wait for a place in the event loop's own bounded pool of threads.

    Threads left alone keep their places. Once there are as many of them as the pool has places,
    those of other event loops too, who comes is refused at once.

    Args:
        seconds: to wait at most.
        signal: the host's; ends the waiting.

    Returns:
        The place, to be left after the run; None where the signal came.

    Raises:
        OutcomeError: `overloaded`, because no place became free in time; `unavailable`, because too
            many handlers ignore their end.
    """
    limiter = anyio.to_thread.current_default_thread_limiter()
    seat = Seat(limiter)
    _refuse_if_too_many(limiter)
    with anyio.move_on_after(seconds) as waiting:
        leave = None if signal is None else signal.subscribe(waiting.cancel)
        try:
            await seat.wait()
        finally:
            if leave is not None:
                leave()
    if signal is not None and signal.cancelled:
        seat.leave()
        return None
    if waiting.cancelled_caught:
        seat.leave()
        raise OutcomeError(
            "unavailable",
            "overloaded",
            "The tool did not run: too many calls are waiting for a thread. Try again later.",
            detail=f"no thread of {limiter.total_tokens} was free for {seconds:g} seconds",
        )
    try:
        _refuse_if_too_many(limiter)
    except OutcomeError:
        seat.leave()
        raise
    return seat


def _refuse_if_too_many(limiter: anyio.CapacityLimiter) -> None:
    if abandoned_handlers() >= limiter.total_tokens:
        raise OutcomeError(
            "unavailable",
            "unavailable",
            "The tool did not run: too many earlier calls have not come to their end.",
            detail=f"{abandoned_handlers()} sync handlers go on although their calls have ended",
        )


class _Run:
    """Counts one abandoned run exactly as long as it goes on; one that never began is none."""

    __slots__ = ("_begun", "_done", "_give_back", "_lock", "is_left")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._begun = self._done = self.is_left = False
        self._give_back: Callable[[], None] | None = None

    def begins(self) -> bool:
        """Whether it may begin: its caller still waits."""
        with self._lock:
            self._begun = not self.is_left
            return self._begun

    def returned(self) -> None:
        with self._lock:
            self._done = True
        if self._give_back is not None:
            _ABANDONED.add(-1)
            self._give_back()

    def left(self, give_back: Callable[[], None]) -> bool:
        """Nobody waits for it any more; whether it goes on, to give its place back when it ends."""
        with self._lock:
            self.is_left = True
            if not self._begun or self._done:
                return False
            _ABANDONED.add(1)
            self._give_back = give_back
            return True
