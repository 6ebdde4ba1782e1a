"""Listens to a server as long as somebody wants to know of changes, again and again."""

import dataclasses
import math
import random

import anyio

from toolroll.sources.mcp.listening import Listening, NotToldError
from toolroll.sources.mcp.option import Settings
from toolroll.sources.mcp.session import Asker
from toolroll.sources.mcp.watch import Watch
from toolroll.sources.mcp.wire import Wire
from toolroll.sources.running import RunningCalls
from toolroll.sources.source import SourceError
from toolroll.toolkit.news import NewsFeed
from toolroll.tools.context import CallContext

LONGEST_PAUSE = 60.0
"""Most seconds before a stream that ended is opened again."""

_FINAL = frozenset({"authentication", "unsupported"})
"""Failures that waiting does not mend."""


class Listener:
    """Listens for one who wants to know.

    What could not be heard while no stream was open counts as a change.

    Args:
        wire: to the server.
        settings: of the source.
        asker: the source.
        context: of the one who wants to know.
        feed: hears of changes; ended with the failure that ends the listening.
    """

    def __init__(
        self,
        wire: Wire,
        settings: Settings,
        asker: Asker,
        context: CallContext[object],
        feed: NewsFeed,
    ) -> None:
        self._wire, self._settings, self._asker = wire, settings, asker
        self._context, self._feed = context, feed
        self._was_open = False
        self.settled = anyio.Event()
        """The server tells of changes now, or it is known why it does not."""

    async def run(self, running: RunningCalls) -> None:
        """Listen until the source is closed, or there is nothing to hear."""
        error: SourceError | None = None
        try:
            with anyio.CancelScope() as scope, running.one(scope.cancel):
                error = await self._listen()
        finally:
            self._feed.end(error)
            self.settled.set()

    async def _listen(self) -> SourceError | None:
        first = pause = self._settings.options.relisten
        while True:
            began = anyio.current_time()
            try:
                await self._once()
            except NotToldError:
                return None
            except SourceError as error:
                if not self.settled.is_set() or error.reason in _FINAL:
                    return error
                self._asker.log.info("changes are not heard of: %s", error.description)
            lived = anyio.current_time() - began
            pause = first if lived > pause else min(2 * pause, LONGEST_PAUSE)
            await anyio.sleep(pause * random.uniform(0.5, 1.0))  # noqa: S311 (no secret)

    async def _once(self) -> None:
        limits = dataclasses.replace(self._settings.timeouts, total=math.inf)
        watch = Watch(self._settings.name, limits, None, repeatable=True, harmless=True)
        listening = Listening(
            self._context,
            watch,
            self._asker,
            quiet=self._settings.options.quiet,
            settled=self.settled.set,
            told=self._told,
        )
        with watch.scope:
            await self._wire.listen(listening)
            return
        raise watch.failure()

    def _told(self) -> None:
        if self._was_open:
            self._asker.news.tell()
        self._was_open = True
        self.settled.set()
