"""A toolkit whose tools change while it serves."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager

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
        """Serve these tools from now on. Call it from the event loop's thread."""
        self._kit = kit
        self._news.tell()

    def snapshot(self, context: AnyContext, /) -> Snapshot:
        """The tools as they are now."""
        return snapshot_of(self._kit, context)

    @asynccontextmanager
    async def changes(self) -> AsyncGenerator[AsyncIterator[None]]:
        """Changes from now on: each step of the iterator is one or more swaps."""
        with self._news.feed() as feed:
            yield feed
