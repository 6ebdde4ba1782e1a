"""The ASGI protocol as types, and reading a body within bounds.

Source: ASGI 3.0, "HTTP & WebSocket ASGI Message Format".
"""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, TypeAlias

import anyio

from toolroll.hosts.mcp_server.http.head import TurnedAway
from toolroll.hosts.mcp_server.option import ServerLimits

# `Any` is ASGI's own: other frameworks type these messages so, and mappings are invariant.
Scope: TypeAlias = MutableMapping[str, Any]
AsgiMessage: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[AsgiMessage]]
Send: TypeAlias = Callable[[AsgiMessage], Awaitable[None]]


class Disconnected(Exception):  # noqa: N818  # nothing went wrong here
    """The client went before its request was whole."""


async def read_body(receive: Receive, announced: str | None, limits: ServerLimits) -> bytes:
    """Read the body of a request.

    Args:
        receive: of ASGI.
        announced: `Content-Length`, None where there is none.
        limits: most bytes, most seconds.

    Raises:
        TurnedAway: it is too large or too slow.
        Disconnected: the client is gone.
    """
    if announced is not None and not _fits(announced, limits.message):
        raise _too_large(limits)
    parts: list[bytes] = []
    size = 0
    with anyio.move_on_after(limits.body_seconds):
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise Disconnected
            part: bytes = message.get("body", b"")
            size += len(part)
            if size > limits.message:
                raise _too_large(limits)
            parts.append(part)
            if not message.get("more_body", False):
                return b"".join(parts)
    raise TurnedAway(408, "The body did not arrive in time.", (("connection", "close"),))


def _fits(announced: str, limit: int) -> bool:
    return (
        announced.isascii()
        and announced.isdigit()
        and len(announced) < 16
        and int(announced) <= limit
    )


def _too_large(limits: ServerLimits) -> TurnedAway:
    reason = f"A message has at most {limits.message} bytes."
    return TurnedAway(413, reason, (("connection", "close"),))
