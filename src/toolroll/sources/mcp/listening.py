"""A wait for changes of a server's tools, in whatever way the server tells of them.

Source: MCP 2026-07-28, basic/patterns/subscriptions; MCP 2025-11-25, server/tools, "List Changed
Notification", and basic/transports, "Listening for Messages from the Server".
"""

import math
from collections.abc import Callable

from toolroll.protocol import (
    ACKNOWLEDGED,
    LISTEN,
    MessageId,
    Notification,
    subscription_of,
    wants_tools,
    write_listen_params,
)
from toolroll.sources.mcp.session import Ask, Asker
from toolroll.sources.mcp.watch import Watch
from toolroll.tools.context import CallContext


class NotToldError(Exception):
    """The server does not tell of changes of its tools."""


class Listening(Ask):
    """The question that is answered as long as somebody listens.

    Args:
        context: of the listener.
        watch: its limits; `quiet` takes the place of the idle one when the server listens.
        source: whose it is.
        quiet: most seconds of silence of an open stream.
        settled: called when there is nothing to wait for before changes are told of.
        told: called when changes are told of from now on.
    """

    __slots__ = ("_settled", "_told", "quiet")

    def __init__(
        self,
        context: CallContext[object],
        watch: Watch,
        source: Asker,
        *,
        quiet: float,
        settled: Callable[[], None],
        told: Callable[[], None],
    ) -> None:
        Ask.__init__(self, LISTEN, write_listen_params(), context, watch, source)
        self._settled, self._told, self.quiet = settled, told, quiet

    def asked(self, *, for_ever: bool = False) -> None:
        """A server that does not say when it listens has been asked to.

        Args:
            for_ever: no silence is too long.
        """
        self.watch.allow_silence(math.inf if for_ever else self.quiet)
        self._settled()

    def opened(self) -> None:
        """What changes from now on is told."""
        self.watch.allow_silence(self.quiet)
        self._told()

    def hear(self, message: Notification, id: MessageId) -> None:
        """Take a notification; those of other subscriptions are passed over.

        Raises:
            NotToldError: the server agreed to less than was asked for.
        """
        tag = subscription_of(message.params)
        if tag is not None and str(tag) != str(id):
            return
        if message.method != ACKNOWLEDGED:
            Ask.hear(self, message, id)
        elif wants_tools(message.params):
            self.opened()
        else:
            raise NotToldError
