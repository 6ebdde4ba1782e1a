"""What a client or a pool gives, in the words of the HTTP port: one answer, one kind of failure."""

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Generator, Sequence
from contextlib import aclosing, asynccontextmanager, contextmanager

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


@contextmanager
def errors_mapped(*, sent: bool = False) -> Generator[None]:
    """Failures of a client as ours; a fault that is not about the exchange stays what it is.

    Args:
        sent: the request has gone out already.

    Raises:
        HttpConnectError: nothing was sent.
        HttpBrokenError: something may have been sent.
    """
    try:
        yield
    except Exception as error:
        if (mapped := _mapped(error, sent=sent)) is None:
            raise
        raise mapped from error


def _mapped(error: Exception, *, sent: bool) -> HttpError | None:
    said = f"{type(error).__name__}: {error}"
    names = {kind.__name__ for kind in type(error).__mro__ if module_of(kind) in CLIENT_MODULES}
    if names:
        return HttpBrokenError(said) if sent or not names & _NOT_SENT else HttpConnectError(said)
    return HttpBrokenError(said) if isinstance(error, OSError) else None


def module_of(kind: type) -> str:
    """The top package a class comes from."""
    return kind.__module__.partition(".")[0]


@asynccontextmanager
async def answer_of(
    status: int,
    headers: Sequence[tuple[str, str]],
    raw: AsyncGenerator[bytes],
    *,
    url: str,
    packed: bool,
    close: Callable[[], Awaitable[None]],
) -> AsyncGenerator[HttpAnswer]:
    """Hold an answer open; its body is unpacked as it comes.

    Args:
        status: of the answer.
        headers: of the answer, in order.
        raw: the body as it came; closed at the end of the block.
        url: where it came from.
        packed: whether `raw` is still packed as its headers say.
        close: ends the exchange, whatever of the body was read.
    """
    lowered = tuple((name.lower(), value) for name, value in headers)
    encodings = [value for name, value in lowered if packed and name == "content-encoding"]
    try:
        async with (
            aclosing(raw),
            aclosing(_mapped_chunks(raw)) as mapped,
            aclosing(unpacked(mapped, ", ".join(encodings))) as chunks,
        ):
            yield HttpAnswer(status=status, headers=lowered, chunks=chunks, url=url)
    finally:
        await close()


async def _mapped_chunks(raw: AsyncIterator[bytes]) -> AsyncGenerator[bytes]:
    with errors_mapped(sent=True):
        async for chunk in raw:
            yield chunk


def with_defaults(
    headers: Sequence[tuple[str, str]], defaults: Sequence[tuple[str, str]] = ()
) -> list[tuple[str, str]]:
    """The headers of a request, the packings that are unpacked here, and what else is missing."""
    written = [pair for pair in headers if pair[0].lower() != "accept-encoding"]
    names = {name.lower() for name, _ in written}
    missing = (pair for pair in defaults if pair[0].lower() not in names)
    return [*written, ("Accept-Encoding", ACCEPTED), *missing]
