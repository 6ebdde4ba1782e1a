"""What a client or a pool gives, in the words of the HTTP port: one answer, one kind of failure."""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass

from toolroll.ports.http import HttpAnswer, HttpBrokenError, HttpConnectError, HttpError
from toolroll.sources.compression import ACCEPTED, unpacked

CLIENT_MODULES = ("httpx", "httpx2", "httpcore", "httpcore2")
"""Packages whose errors are failures of an exchange."""

_NOT_SENT = frozenset(
    {
        "ConnectError",
        "ConnectTimeout",
        "InvalidURL",
        "PoolTimeout",
        "ProxyError",
        "UnsupportedProtocol",
    }
)
"""Those that come before the first byte of a request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Begun:
    """An exchange whose answer has begun.

    Args:
        status: of the answer.
        headers: of the answer, in order.
        raw: the body as it came.
        url: where it came from.
        packed: whether `raw` is still packed as its headers say.
        close: ends the exchange, whatever of the body was read.
    """

    status: int
    headers: Sequence[tuple[str, str]]
    raw: AsyncGenerator[bytes]
    url: str
    packed: bool
    close: Callable[[], Awaitable[None]]


class Exchange:
    """One exchange: the request is sent where the block begins, and its answer lives as long.

    The body is unpacked as it comes. Failures of a client become ours; a fault that is not about
    the exchange stays what it is. (A class and not a generator: every request pays for this.)

    Args:
        begin: sends the request and reads the head of its answer.

    Raises:
        HttpConnectError: nothing was sent.
        HttpBrokenError: something may have been sent.
    """

    __slots__ = ("_begin", "_bodies", "_close")

    def __init__(self, begin: Callable[[], Awaitable[Begun]]) -> None:
        self._begin = begin
        self._bodies: tuple[AsyncGenerator[bytes], ...] = ()
        self._close: Callable[[], Awaitable[None]] | None = None

    async def __aenter__(self) -> HttpAnswer:
        try:
            begun = await self._begin()
        except Exception as error:
            if (failure := _mapped(error, sent=False)) is None:
                raise
            raise failure from error
        self._close = begun.close
        headers = tuple((name.lower(), value) for name, value in begun.headers)
        mapped = _mapped_chunks(begun.raw)
        chunks, self._bodies = mapped, (mapped, begun.raw)
        encoding = [value for name, value in headers if name == "content-encoding"]
        if encoding and begun.packed:
            chunks = unpacked(mapped, ", ".join(encoding))
            self._bodies = (chunks, *self._bodies)
        return HttpAnswer(status=begun.status, headers=headers, chunks=chunks, url=begun.url)

    async def __aexit__(self, *_: object) -> None:
        try:
            for body in self._bodies:
                await body.aclose()
        finally:
            if self._close is not None:
                await self._close()


async def _mapped_chunks(raw: AsyncIterator[bytes]) -> AsyncGenerator[bytes]:
    try:
        async for chunk in raw:
            yield chunk
    except Exception as error:
        if (failure := _mapped(error, sent=True)) is None:
            raise
        raise failure from error


def _mapped(error: Exception, *, sent: bool) -> HttpError | None:
    said = f"{type(error).__name__}: {error}"
    names = {kind.__name__ for kind in type(error).__mro__ if module_of(kind) in CLIENT_MODULES}
    if names:
        return HttpBrokenError(said) if sent or not names & _NOT_SENT else HttpConnectError(said)
    return HttpBrokenError(said) if isinstance(error, OSError) else None


def module_of(kind: type) -> str:
    """The top package a class comes from."""
    return kind.__module__.partition(".")[0]


def with_defaults(
    headers: Sequence[tuple[str, str]], defaults: Sequence[tuple[str, str]] = ()
) -> list[tuple[str, str]]:
    """The headers of a request, the packings that are unpacked here, and what else is missing."""
    written = [pair for pair in headers if pair[0].lower() != "accept-encoding"]
    names = {name.lower() for name, _ in written}
    missing = (pair for pair in defaults if pair[0].lower() not in names)
    return [*written, ("Accept-Encoding", ACCEPTED), *missing]
