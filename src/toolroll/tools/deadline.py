"""Limits of one run: total time, silence, and the host's cancel signal.

On asyncio a cancel scope costs more than everything else a call does, so the runs of one event
loop share one timer there; elsewhere each run has a cancel scope. Both end a run by cancelling it
again and again until it is gone. A run has its caller's context variables, and its own changes.
"""

import asyncio
import math
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextvars import copy_context
from types import coroutine
from typing import Any, Literal, TypeAlias, TypeVar, cast

import anyio

from toolroll.tools.cancel import CancelSignal
from toolroll.tools.isolation import going_on, in_own_context, raised_itself

T = TypeVar("T")
Ended: TypeAlias = Literal["total", "deadline", "idle", "aborted"]

_AGAIN = 0.1
"""Seconds between two cancellations of a run that goes on."""

# None where no asyncio loop runs in this thread; the public form raises, which costs more.
_running_loop = asyncio._get_running_loop  # noqa: SLF001


class RunEnded(Exception):
    """The run was ended: by its total limit, the deadline, its idle limit, or the signal."""

    def __init__(self, why: Ended) -> None:
        super().__init__(why)
        self.why: Ended = why


class Limits:
    """The limits of one run. `touch` tells that it is alive.

    Args:
        total: seconds from the start of the run, None for no limit.
        idle: seconds without a `touch`, None for no limit.
        deadline: an absolute end on the event loop's clock, None for none.
        signal: the host's cancel signal.
    """

    def __init__(
        self,
        total: float | None,
        idle: float | None,
        deadline: float | None,
        signal: CancelSignal | None,
    ) -> None:
        self._total, self._idle, self._deadline, self._signal = total, idle, deadline, signal
        self._run: _LoopRun | _ScopeRun | None = None

    def touch(self) -> None:
        """The run showed a sign of life."""
        if self._run is not None and self._idle is not None:
            self._run.alive(self._idle)

    async def run(self, work: Awaitable[T]) -> T:
        """Run `work` within the limits.

        Raises:
            RunEnded: a limit was met or the signal came.
        """
        loop = _running_loop()
        run = _ScopeRun() if loop is None or _current_task(loop) is None else _LoopRun(loop)
        self._run = run
        now = run.now()
        if self._total is not None:
            run.end = now + self._total
        if self._deadline is not None and self._deadline < run.end:
            run.end, run.at_end = self._deadline, "deadline"
        if self._idle is not None:
            run.idle_end = now + self._idle
        if self._signal is None:
            return await run.drive(in_own_context(work))
        leave = self._signal.subscribe(run.abort)
        try:
            return await run.drive(in_own_context(work))
        finally:
            leave()


@coroutine
def run_within(
    work: Coroutine[object, object, T], seconds: float | None, started: float
) -> Generator[Any, Any, T]:
    """Run `work` for at most so many seconds; what most calls need, with nothing else around it.

    On asyncio a run is looked after from its first wait on: before it nothing else runs, and most
    runs are over by then.

    Args:
        work: a coroutine.
        seconds: None for no limit.
        started: when the run began, by `time.perf_counter()`.

    Raises:
        RunEnded: the time was up, or the work gave up by itself.
    """
    end = math.inf if seconds is None else seconds
    loop = _running_loop()
    task = None if loop is None else _current_task(loop)
    if loop is None or task is None:
        scoped = _ScopeRun()
        scoped.end = scoped.now() + end
        return (yield from scoped.drive(in_own_context(work)).__await__())
    before = _cancelled_before(task)
    run = copy_context().run
    try:
        waits = run(work.send, None)
    except StopIteration as done:
        return cast("T", done.value)
    except GeneratorExit as error:
        raise raised_itself(error) from error
    except asyncio.CancelledError:
        if task.cancelling() > before:
            raise  # the caller's own cancellation goes through
        raise RunEnded("aborted") from None
    watched = _LoopRun(loop)
    watched.end = watched.now() + end - (time.perf_counter() - started)
    rest = going_on(work, run, waits)
    return (yield from watched.drive(rest, before).__await__())


_current_task = cast(
    "Callable[[asyncio.AbstractEventLoop], asyncio.Task[object] | None]", asyncio.current_task
)
"""None where trio is a guest of asyncio's loop: its tasks run in callbacks of the loop."""


def _cancelled_before(task: "asyncio.Task[object]") -> int:
    """How often a task was cancelled and has heard of it; what it will hear of comes later."""
    return task.cancelling() - bool(getattr(task, "_must_cancel", False))


class _ScopeRun:
    """One run with a cancel scope of its own."""

    end = idle_end = math.inf
    at_end: Ended = "total"
    why: Ended | None = None

    def __init__(self) -> None:
        self.scope = anyio.CancelScope()

    def now(self) -> float:
        return anyio.current_time()

    def alive(self, idle: float) -> None:
        self.idle_end = self.now() + idle
        self.scope.deadline = min(self.end, self.idle_end)

    def abort(self) -> None:
        self.why = "aborted"
        self.scope.cancel()

    async def drive(self, work: Awaitable[T]) -> T:
        self.scope.deadline = min(self.end, self.idle_end)
        with self.scope:
            try:
                value = await work
            except Exception:
                if self.scope.cancel_called:
                    raise self._ended() from None
                raise
            if not self.scope.cancel_called:
                return value
        raise self._ended()

    def _ended(self) -> RunEnded:
        return RunEnded(self.why or (self.at_end if self.end <= self.idle_end else "idle"))


class _LoopRun:
    """One run under the shared timer of its event loop."""

    end = idle_end = math.inf
    at_end: Ended = "total"
    why: Ended | None = None
    task: "asyncio.Task[object] | None" = None
    cancels = 0
    next_cancel = 0.0

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop

    def now(self) -> float:
        return self.loop.time()

    def alive(self, idle: float) -> None:
        # The timer reads the ends when it fires, and this one only moves away.
        self.idle_end = self.loop.time() + idle

    def abort(self) -> None:
        if self.why is None:
            self.why = "aborted"
            # Not at once: the signal may come from inside the run itself, and a cancellation that
            # is requested of a running task would hit whatever it awaits after the run.
            self.loop.call_soon(self._cancel)

    def _cancel(self) -> None:
        if self.task is not None:
            self.cancels += 1
            self.next_cancel = self.loop.time() + _AGAIN
            self.task.cancel()
            _timer(self.loop).watch(self, self.next_cancel)

    def due(self, now: float) -> float:
        """End the run if its time is up; returns when to look again."""
        if self.why is None:
            if now < self.end and now < self.idle_end:
                return min(self.end, self.idle_end)
            self.why = self.at_end if self.end <= self.idle_end else "idle"
        if now >= self.next_cancel and self.task is not None:
            self.cancels += 1
            self.next_cancel = now + _AGAIN
            self.task.cancel()
        return self.next_cancel

    async def drive(self, work: Awaitable[T], before: int | None = None) -> T:
        """Await `work`; `before` is how often its task was cancelled before it began."""
        self.task = task = cast("asyncio.Task[object]", _current_task(self.loop))
        before = _cancelled_before(task) if before is None else before
        timer = _timer(self.loop)
        timer.watch(self, min(self.end, self.idle_end))
        try:
            value = await work
        except asyncio.CancelledError:
            self._leave(timer, task)
            if task.cancelling() > before:
                raise  # the caller's own cancellation goes through
            # Nobody cancelled the caller: it was us, or the work itself gave up.
            raise RunEnded(self.why or "aborted") from None
        except Exception:
            self._leave(timer, task)
            if self.cancels:
                raise RunEnded(self.why or "aborted") from None
            raise
        except BaseException:
            self._leave(timer, task)
            raise
        self._leave(timer, task)
        if self.cancels:
            raise RunEnded(self.why or "aborted")
        return value

    def _leave(self, timer: "_Timer", task: "asyncio.Task[object]") -> None:
        timer.runs.pop(self, None)
        self.task = None
        for _ in range(self.cancels):
            task.uncancel()


class _Timer:
    """The one timer of an event loop: looks at the runs when the next of them may be due."""

    __slots__ = ("_at", "_handle", "_loop", "runs")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.runs: dict[_LoopRun, None] = {}
        self._at = math.inf
        self._handle: asyncio.TimerHandle | None = None

    def watch(self, run: _LoopRun, when: float) -> None:
        self.runs[run] = None
        if when < self._at:
            self._set(when)

    def _set(self, when: float) -> None:
        if self._handle is not None:
            self._handle.cancel()
        self._at = when
        self._handle = self._loop.call_at(when, self._fire) if when < math.inf else None

    def _fire(self) -> None:
        self._handle, self._at = None, math.inf
        now = self._loop.time()
        when = math.inf
        for run in list(self.runs):
            when = min(when, run.due(now))
        self._set(when)


class _OfTheThread(threading.local):
    """The timer of the loop that runs in this thread; one loop runs in a thread at a time."""

    loop: asyncio.AbstractEventLoop | None = None
    timer: _Timer | None = None


_KEPT = _OfTheThread()


def _timer(loop: asyncio.AbstractEventLoop) -> _Timer:
    timer = _KEPT.timer
    if timer is None or _KEPT.loop is not loop:
        timer = _KEPT.timer = _Timer(loop)
        _KEPT.loop = loop
    return timer
