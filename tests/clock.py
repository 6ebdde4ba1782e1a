"""A clock that moves only when a test says so: what depends on time then depends on nothing else."""

import asyncio
import selectors
from typing import Any

from trio.testing import MockClock


class Clock:
    """The time of one event loop. It stands still, however long the machine takes.

    Args:
        backend: the event loop's name.
    """

    def __init__(self, backend: str) -> None:
        self._trio = MockClock() if backend == "trio" else None
        self._now = 0.0
        self._jumps = False
        self.backend: tuple[str, dict[str, Any]] = (
            backend,
            {"loop_factory": self._loop} if self._trio is None else {"clock": self._trio},
        )

    def now(self) -> float:
        """The time."""
        return self._now if self._trio is None else self._trio.current_time()

    def jump(self, seconds: float) -> None:
        """Let so much time pass at once."""
        self._now += seconds
        if self._trio is not None:
            self._trio.jump(seconds)

    def jump_when_idle(self) -> None:
        """From now on jump to the next end of a wait whenever every task waits.

        Not where threads or processes work: nobody waits for them then.
        """
        self._jumps = True
        if self._trio is not None:
            self._trio.autojump_threshold = 0

    def _loop(self) -> asyncio.AbstractEventLoop:
        return _Loop(self)

    def pass_idle(self, seconds: float | None) -> float | None:
        """Every task waits, one of them for so long: seconds of the real clock to wait instead."""
        if not seconds or seconds <= 0:
            return seconds
        return 0 if self._jumps else None


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        super().__init__(_Selector(clock))

    def time(self) -> float:
        return self._clock.now()


class _Selector(selectors.DefaultSelector):
    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        really = self._clock.pass_idle(timeout)
        events = super().select(really)
        if timeout and really == 0 and not events:
            self._clock.jump(timeout)
        return events
