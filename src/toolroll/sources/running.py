"""The calls of a source that are under way, so that closing it ends them."""

from collections.abc import Callable

import anyio


class RunningCalls:
    """Knows what runs, and ends it.

    Connections that are closed under a call end it where it waits for them; a call that is about
    to open one does not notice. So a source that closes ends its calls first.
    """

    __slots__ = ("_ends", "_waiting")

    def __init__(self) -> None:
        self._ends: dict[object, Callable[[], None]] = {}
        self._waiting: set[anyio.Event] = set()

    def one(self, end: Callable[[], None]) -> "RunningCall":
        """One call, as long as the block.

        Args:
            end: ends it; may be called more than once.
        """
        return RunningCall(self, end)

    def begin(self, call: object, end: Callable[[], None]) -> None:
        """A call is under way."""
        self._ends[call] = end

    def over(self, call: object) -> None:
        """It has ended."""
        del self._ends[call]
        if not self._ends:
            for idle in self._waiting:
                idle.set()

    async def end(self, seconds: float) -> None:
        """End every call, and wait for all to have ended, at most so many seconds."""
        if not self._ends:
            return
        for end in [*self._ends.values()]:
            end()
        idle = anyio.Event()
        self._waiting.add(idle)
        try:
            with anyio.move_on_after(seconds, shield=True):
                await idle.wait()
        finally:
            self._waiting.discard(idle)


class RunningCall:
    """One call that is under way while the block runs; made by `RunningCalls.one`."""

    __slots__ = ("_calls", "_end")

    def __init__(self, calls: RunningCalls, end: Callable[[], None]) -> None:
        self._calls = calls
        self._end = end

    def __enter__(self) -> None:
        self._calls.begin(self, self._end)

    def __exit__(self, *_: object) -> None:
        self._calls.over(self)
