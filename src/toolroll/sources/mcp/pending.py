"""Those who wait for answers of a local server, and how their wait may end."""

from collections import deque

import anyio

from toolroll.protocol import ErrorResponse, MessageId, Notification, Request, Response
from toolroll.sources.mcp.session import Ask
from toolroll.sources.source import SourceError


class EndedError(Exception):
    """The server is gone.

    Args:
        why: for the host.
        sent: the whole request had been written before.
    """

    def __init__(self, why: str, *, sent: bool) -> None:
        super().__init__(why)
        self.sent = sent


class ElsewhereError(SourceError):
    """Another event loop is speaking with the server right now."""

    def __init__(self, source: str) -> None:
        words = "it is in use by another event loop at the same time"
        SourceError.__init__(self, source, "unavailable", words)


class Pending:
    """Somebody who waits for an answer.

    Args:
        ask: what was asked.
        id: of the request.
        end: how many bytes must have been written for the request to be out.
    """

    __slots__ = ("answer", "ask", "end", "id", "inbox", "size", "too_large", "wake")

    def __init__(self, ask: Ask, id: MessageId, end: int) -> None:
        self.ask, self.id, self.end = ask, id, end
        self.inbox: deque[Notification | Request] = deque()
        self.answer: Response | ErrorResponse | None = None
        self.too_large = False
        self.size = 0
        self.wake: anyio.Event | None = None

    @property
    def settled(self) -> bool:
        """There is something to take."""
        return self.answer is not None or self.too_large or bool(self.inbox)

    def call(self) -> None:
        """Wake the one who waits, if it sleeps."""
        if self.wake is not None:
            self.wake.set()
