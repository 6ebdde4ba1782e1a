"""How HTTP requests leave: one method, so that any client or test double serves."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpRequest:
    """One request.

    Args:
        method: upper case.
        url: absolute.
        headers: in order; names are matched without case.
        content: the body, None for none.
        timeout: seconds without a byte in either direction before the transport gives up.
        connect_timeout: seconds to get a connection.
    """

    method: str
    url: str
    headers: tuple[tuple[str, str], ...] = ()
    content: bytes | None = None
    timeout: float | None = 60.0
    connect_timeout: float | None = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpAnswer:
    """The head of an answer and its body as it comes.

    Args:
        status: e.g. 200.
        headers: in order, names in lower case.
        chunks: the body, decoded from its content encoding.
        url: where it came from.
    """

    status: int
    headers: tuple[tuple[str, str], ...]
    chunks: AsyncIterator[bytes]
    url: str = ""

    def header(self, name: str) -> str | None:
        """The first header of this name (lower case), or None."""
        return next((value for key, value in self.headers if key == name), None)


class HttpTransport(Protocol):
    """Sends requests. It never follows a redirect and never raises for a status.

    Raises:
        HttpConnectError: nothing was sent.
        HttpBrokenError: something may have been sent.
    """

    def send(self, request: HttpRequest, /) -> AbstractAsyncContextManager[HttpAnswer]:
        """Send; the body is read inside the `async with` block, which ends the exchange."""
        ...

    async def aclose(self) -> None:
        """Close what the transport itself opened; a caller's client stays open."""
        ...


class HttpError(Exception):
    """An exchange that failed below HTTP."""


class HttpConnectError(HttpError):
    """No connection: nothing was sent."""


class HttpBrokenError(HttpError):
    """The connection broke or was silent: the request may have arrived."""
