"""Word of changes, for all who want to hear of them."""

from collections.abc import AsyncIterator, Generator
from contextlib import contextmanager

import anyio


class NewsFeed(AsyncIterator[None]):
    """What one listener hears: each step is one change or more. Made by `News.feed`."""

    __slots__ = ("_error", "_event", "_over", "_told")

    def __init__(self) -> None:
        self._event = anyio.Event()
        self._told = self._over = False
        self._error: Exception | None = None

    def tell(self) -> None:
        """There was a change."""
        self._told = True
        self._event.set()

    def end(self, error: Exception | None = None) -> None:
        """There will be no further one.

        Args:
            error: raised to the listener once it has heard of what was told before.
        """
        self._over, self._error = True, self._error or error
        self._event.set()

    def check(self) -> None:
        """Raise the error that ended it, if one did."""
        if self._error is not None:
            raise self._error

    async def __anext__(self) -> None:
        """Wait for a change. A wait that is cancelled may be taken up again."""
        while not self._told:
            self.check()
            if self._over:
                raise StopAsyncIteration
            self._event = anyio.Event()
            await self._event.wait()
        self._told = False


class News:
    """Tells its listeners of changes, all of one event loop.

    Example:
        >>> news = News()
        >>> news.tell(), news.count
        (None, 1)
    """

    __slots__ = ("_feeds", "count")

    def __init__(self) -> None:
        self._feeds: set[NewsFeed] = set()
        self.count = 0

    def tell(self) -> None:
        """There was a change. Call it from the event loop's thread."""
        self.count += 1
        for feed in self._feeds:
            feed.tell()

    @contextmanager
    def feed(self) -> Generator[NewsFeed]:
        """Changes from now on, as long as the block."""
        feed = NewsFeed()
        self._feeds.add(feed)
        try:
            yield feed
        finally:
            self._feeds.discard(feed)
            feed.end()
