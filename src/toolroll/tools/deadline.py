"""Limits of one run: total time, silence, and the host's cancel signal.

On asyncio a cancel scope costs more than everything else a call does, so the runs of one event
loop share one timer there; elsewhere each run has a cancel scope. Both end a run by cancelling it
again and again until it is gone.
"""

import asyncio
import math
import threading
from collections.abc import Awaitable, Callable
from typing import Literal, TypeAlias, TypeVar

import anyio

from toolroll.tools.cancel import CancelSignal

T = TypeVar("T")
Ended: TypeAlias = Literal["total", "idle", "aborted"]

_AGAIN = 0.1
"""Seconds between two cancellations of a run that goes on."""


class RunEnded(Exception):
    """The run was ended: by its total limit, its idle limit, or the cancel signal."""

    def __init__(self, why: Ended) -> None:
        super().__init__(why)
        self.why: Ended = why


class Limits:
    """The limits of one run. `touch` tells that it is alive.

    Args:
        total: seconds from now, None for no limit.
        idle: seconds without a `touch`, None for no limit.
        deadline: an absolute end on the event loop's clock, None for none.
        signal: the host's cancel signal.
    """

    __slots__ = ("_deadline", "_idle", "_run", "_signal", "_total")

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
            self._run.idle_end = self._run.now() + self._idle
            self._run.moved()

    async def run(self, work: Callable[[], Awaitable[T]]) -> T:
        """Run `work` within the limits.

        Raises:
            RunEnded: a limit was met or the signal came.
        """
        if (
            self._total is None
            and self._idle is None
            and self._deadline is None
            and self._signal is None
        ):
            return await work()
        loop = asyncio._get_running_loop()  # noqa: SLF001  # None under trio; the public form raises
        run = _ScopeRun() if loop is None else _LoopRun(loop)
        self._run = run
        now = run.now()
        if self._total is not None:
            run.end = now + self._total
        if self._deadline is not None and self._deadline < run.end:
            run.end = self._deadline
        if self._idle is not None:
            run.idle_end = now + self._idle
        leave = self._signal.subscribe(run.abort) if self._signal is not None else None
        try:
            return await run.drive(work)
        finally:
            if leave is not None:
                leave()


class _ScopeRun:
    """One run with a cancel scope of its own."""

    __slots__ = ("end", "idle_end", "scope", "why")

    def __init__(self) -> None:
        self.end, self.idle_end = math.inf, math.inf
        self.scope = anyio.CancelScope()
        self.why: Ended | None = None

    def now(self) -> float:
        return anyio.current_time()

    def moved(self) -> None:
        self.scope.deadline = min(self.end, self.idle_end)

    def abort(self) -> None:
        self.why = "aborted"
        self.scope.cancel()

    async def drive(self, work: Callable[[], Awaitable[T]]) -> T:
        self.moved()
        with self.scope:
            return await work()
        raise RunEnded(self.why or ("total" if self.end <= self.idle_end else "idle"))


class _LoopRun:
    """One run under the shared timer of its event loop."""

    __slots__ = (
        "before",
        "cancels",
        "end",
        "idle_end",
        "loop",
        "next_cancel",
        "task",
        "timer",
        "why",
    )

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.timer = _timer(loop)
        self.before = 0
        self.end, self.idle_end = math.inf, math.inf
        self.why: Ended | None = None
        self.cancels = 0
        self.next_cancel = 0.0
        self.task: asyncio.Task[object] | None = None

    def now(self) -> float:
        return self.loop.time()

    def moved(self) -> None:
        """Nothing to do: the timer reads `idle_end` when it fires, and only later ends move."""

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
            self.timer.watch(self)

    def due(self, now: float) -> float:
        """End the run if its time is up; returns when to look again."""
        if self.why is None:
            if now < self.end and now < self.idle_end:
                return min(self.end, self.idle_end)
            self.why = "total" if self.end <= self.idle_end else "idle"
        if now >= self.next_cancel and self.task is not None:
            self.cancels += 1
            self.next_cancel = now + _AGAIN
            self.task.cancel()
        return self.next_cancel

    async def drive(self, work: Callable[[], Awaitable[T]]) -> T:
        task = asyncio.current_task()
        assert task is not None  # noqa: S101  # an awaited coroutine runs in a task
        self.task, self.before = task, task.cancelling()
        self.timer.watch(self)
        try:
            value = await work()
        except asyncio.CancelledError:
            self._leave(task)
            if task.cancelling() > self.before:
                raise  # the caller's own cancellation goes through
            # Nobody cancelled the caller: it was us, or the work itself gave up.
            raise RunEnded(self.why or "aborted") from None
        except Exception:
            self._leave(task)
            if self.cancels:
                raise RunEnded(self.why or "aborted") from None
            raise
        except BaseException:
            self._leave(task)
            raise
        self._leave(task)
        if self.cancels:
            raise RunEnded(self.why or "aborted")
        return value

    def _leave(self, task: "asyncio.Task[object]") -> None:
        self.timer.runs.pop(self, None)
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

    def watch(self, run: _LoopRun) -> None:
        self.runs[run] = None
        when = run.next_cancel or min(run.end, run.idle_end)
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


_OF_THE_THREAD = threading.local()
"""The timer of the loop that runs in this thread; one loop runs in a thread at a time."""


def _timer(loop: asyncio.AbstractEventLoop) -> _Timer:
    kept: tuple[asyncio.AbstractEventLoop, _Timer] | None = getattr(_OF_THE_THREAD, "kept", None)
    if kept is None or kept[0] is not loop:
        kept = _OF_THE_THREAD.kept = (loop, _Timer(loop))
    return kept[1]
