"""The ASGI protocol as types, and reading a body within bounds.

Source: ASGI 3.0, "HTTP & WebSocket ASGI Message Format".
"""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, TypeAlias

from toolroll.hosts.mcp_server.http.head import TurnedAway
from toolroll.hosts.mcp_server.option import ServerLimits

# `Any` is ASGI's own: other frameworks type these messages so, and mappings are invariant.
Scope: TypeAlias = MutableMapping[str, Any]
AsgiMessage: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[AsgiMessage]]
Send: TypeAlias = Callable[[AsgiMessage], Awaitable[None]]


class Disconnected(Exception):  # nothing went wrong here
    """The client went before its request was whole."""


class _Read:
    """One body that is being read: whose it is, since when, and whether it took too long."""

    __slots__ = ("is_late", "since", "task")

    def __init__(self, task: "asyncio.Task[Any]", since: float) -> None:
        self.task, self.since, self.is_late = task, since, False


class BodyReader:
    """Reads the bodies of requests, with one timer for all of them.

    Args:
        limits: most bytes, most seconds.
    """

    __slots__ = ("_limits", "_reads", "_timer")

    def __init__(self, limits: ServerLimits) -> None:
        self._limits = limits
        self._reads: set[_Read] = set()
        self._timer: asyncio.TimerHandle | None = None

    async def read(self, receive: Receive, announced: str | None) -> bytes:
        """Read one body.

        Args:
            receive: of ASGI.
            announced: `Content-Length`, None where there is none.

        Raises:
            TurnedAway: it is too large or too slow.
            Disconnected: the client is gone.
        """
        if announced is not None and not _fits(announced, self._limits.message):
            raise _too_large(self._limits)
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        if task is None:
            raise RuntimeError("a body is read in a task")
        read = _Read(task, loop.time())
        self._reads.add(read)
        if self._timer is None:
            self._timer = loop.call_later(self._limits.body_seconds, self._end_late, loop)
        try:
            return await self._parts(receive)
        except asyncio.CancelledError:
            if not read.is_late or task.uncancel():
                raise
            reason = "The body did not arrive in time."
            raise TurnedAway(408, reason, (("connection", "close"),)) from None
        finally:
            self._reads.discard(read)

    async def _parts(self, receive: Receive) -> bytes:
        parts: list[bytes] = []
        size = 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise Disconnected
            part: bytes = message.get("body", b"")
            size += len(part)
            if size > self._limits.message:
                raise _too_large(self._limits)
            parts.append(part)
            if not message.get("more_body", False):
                return b"".join(parts)

    def _end_late(self, loop: asyncio.AbstractEventLoop) -> None:
        """Cancel what has been read for too long; look again when the next one may be late."""
        self._timer = None
        seconds, now = self._limits.body_seconds, loop.time()
        for read in self._reads:
            if now - read.since >= seconds and not read.is_late:
                read.is_late = True
                read.task.cancel()
        waiting = [read.since for read in self._reads if not read.is_late]
        if waiting:
            self._timer = loop.call_at(min(waiting) + seconds, self._end_late, loop)


def _fits(announced: str, limit: int) -> bool:
    digits = announced.isascii() and announced.isdigit() and len(announced) < 16
    return digits and int(announced) <= limit


def _too_large(limits: ServerLimits) -> TurnedAway:
    reason = f"A message has at most {limits.message} bytes."
    return TurnedAway(413, reason, (("connection", "close"),))
