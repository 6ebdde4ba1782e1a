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

    Example:
        >>> request = HttpRequest(method="GET", url="https://notes.example/notes", timeout=10.0)
        >>> request.content is None
        True
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

    Example:
        >>> async def body():
        ...     yield b"bread"
        >>> text = (("content-type", "text/plain"),)
        >>> answer = HttpAnswer(status=200, headers=text, chunks=body())
        >>> answer.header("content-type")
        'text/plain'
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

    Example:
        >>> from contextlib import asynccontextmanager
        >>> from toolroll import CallContext, ToolDefinition, run_sync
        >>> from toolroll.sources.http import Operation, RequestTemplate, http_source
        >>> class Canned:
        ...     @asynccontextmanager
        ...     async def send(self, request, /):
        ...         async def body():
        ...             yield b'["bread"]'
        ...         json = (("content-type", "application/json"),)
        ...         yield HttpAnswer(status=200, headers=json, chunks=body(), url=request.url)
        ...     async def aclose(self):
        ...         pass
        >>> note_list = ToolDefinition(
        ...     name="note_list", description="Lists notes.", input_schema={"type": "object"}
        ... )
        >>> operation = Operation(definition=note_list, request=RequestTemplate.of("GET", "/notes"))
        >>> source = http_source("notes", "https://notes.example", [operation], client=Canned())
        >>> run_sync(source.call, note_list, {}, CallContext()).data
        ['bread']
    """

    def send(self, request: HttpRequest, /) -> AbstractAsyncContextManager[HttpAnswer]:
        """Send; the body is read inside the `async with` block, which ends the exchange."""
        ...

    async def aclose(self) -> None:
        """Close what the transport itself opened; a caller's client stays open."""
        ...


class HttpError(Exception):
    """An exchange that failed below HTTP.

    Example:
        >>> issubclass(HttpConnectError, HttpError), issubclass(HttpBrokenError, HttpError)
        (True, True)
    """


class HttpConnectError(HttpError):
    """No connection: nothing was sent.

    Example:
        >>> try:
        ...     raise HttpConnectError("connection refused")
        ... except HttpError as error:
        ...     print(error)
        connection refused
    """


class HttpBrokenError(HttpError):
    """The connection broke or was silent: the request may have arrived.

    Example:
        >>> try:
        ...     raise HttpBrokenError("the connection was reset")
        ... except HttpError as error:
        ...     print(error)
        the connection was reset
    """
