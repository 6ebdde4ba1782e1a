"""A toolkit whose tools change while it serves."""

from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

from toolroll.outcome import DefinitionError
from toolroll.toolkit.derived import snapshot_of
from toolroll.toolkit.news import News
from toolroll.toolkit.protocol import App_contra, Toolkit
from toolroll.toolkit.snapshot import Snapshot, SnapshotToolkit
from toolroll.tools.gate import AnyContext


class LiveToolkit(SnapshotToolkit[App_contra]):
    """Holds a toolkit that can be swapped for another at any time.

    A call ends on the tools it began on; a listing is never a mixture. Who wants to know of changes
    opens `changes()`.

    Args:
        kit: the toolkit to begin with.

    Example:
        >>> from toolroll import LiveToolkit, LocalToolkit
        >>> live = LiveToolkit(LocalToolkit("empty"))
        >>> live.swap(LocalToolkit("other"))
    """

    __slots__ = ("_kit", "_news")

    def __init__(self, kit: Toolkit[App_contra]) -> None:
        self._kit = kit
        self._news = News()

    def swap(self, kit: Toolkit[App_contra]) -> None:
        """Serve these tools from now on. Call it from the event loop's thread.

        Raises:
            DefinitionError: they are this toolkit's own, or made of it.
        """
        if any(one is self for one in _all_inner(kit)):
            raise DefinitionError(
                "a live toolkit cannot serve itself or what is made of it; swap in a toolkit of "
                "its own, and wrap the live one outside."
            )
        self._kit = kit
        self._news.tell()

    @property
    def inner(self) -> tuple[Toolkit[App_contra], ...]:
        """The toolkit that it serves now."""
        return (self._kit,)

    def snapshot(self, context: AnyContext, /) -> Snapshot:
        """The tools as they are now."""
        return snapshot_of(self._kit, context)

    @asynccontextmanager
    async def changes(self) -> AsyncGenerator[AsyncIterator[None]]:
        """Changes from now on: each step of the iterator is one or more swaps."""
        with self._news.feed() as feed:
            yield feed


def _all_inner(kit: Toolkit[Any]) -> Iterator[Toolkit[Any]]:
    """A toolkit and all it is made of; each once, for many may be made of one."""
    seen: set[int] = set()
    waiting = [kit]
    while waiting:
        one = waiting.pop()
        if id(one) not in seen:
            seen.add(id(one))
            yield one
            if isinstance(one, SnapshotToolkit):
                waiting += one.inner
