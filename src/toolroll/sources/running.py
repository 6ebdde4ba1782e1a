"""The calls of a source that are under way, so that closing it ends them."""

from collections.abc import Callable, Generator
from contextlib import contextmanager

import anyio


class RunningCalls:
    """Knows what runs, and ends it.

    Connections that are closed under a call end it where it waits for them; a call that is about
    to open one does not notice. So a source that closes ends its calls first.
    """

    __slots__ = ("_ends", "_idle")

    def __init__(self) -> None:
        self._ends: dict[object, Callable[[], None]] = {}
        self._idle: anyio.Event | None = None

    @contextmanager
    def one(self, end: Callable[[], None]) -> Generator[None]:
        """One call, as long as the block.

        Args:
            end: ends it; may be called more than once.
        """
        key = object()
        self._ends[key] = end
        try:
            yield
        finally:
            del self._ends[key]
            if not self._ends and self._idle is not None:
                self._idle.set()

    async def end(self, seconds: float) -> None:
        """End every call, and wait for all to have ended, at most so many seconds."""
        if not self._ends:
            return
        for end in [*self._ends.values()]:
            end()
        idle = self._idle = anyio.Event()
        with anyio.move_on_after(seconds, shield=True):
            await idle.wait()
