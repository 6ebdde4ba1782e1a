"""Connections of our own: HTTP/1.1, kept for later requests, one pool for each event loop."""

import functools
import itertools
import ssl
from collections.abc import AsyncGenerator, Mapping
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

from anyio.lowlevel import RunVar

from toolroll._version import __version__
from toolroll.outcome import MissingExtra
from toolroll.ports.http import HttpConnectError, HttpRequest
from toolroll.sources.exchange import Begun, Exchange, with_defaults

if TYPE_CHECKING:
    import httpcore2

MAX_CONNECTIONS = 100
"""Connections at a time; one more request waits `connect_timeout` for its turn."""

MAX_IDLE_CONNECTIONS = 20
"""Connections that are kept for later requests."""

IDLE_SECONDS = 30.0
"""How long a connection is kept without a request."""

_DEFAULT_HEADERS = (("Accept", "*/*"), ("User-Agent", f"toolroll/{__version__}"))
_WITH_LENGTH = frozenset({"POST", "PUT", "PATCH"})

_numbers = itertools.count()


class PooledTransport:
    """An `HttpTransport` that opens its connections with the first request of an event loop.

    It keeps no cookies and takes no proxy or password from the environment; certificates are those
    of the system, or of `SSL_CERT_FILE` and `SSL_CERT_DIR`. Who needs more brings a client.

    Raises:
        MissingExtra: the extra `http` is not installed.
    """

    def __init__(self) -> None:
        if find_spec("httpcore2") is None:
            raise MissingExtra("http", "sending HTTP requests")
        # The name is unique because some versions of anyio tell variables apart by it.
        self._pool: RunVar[_Pool | None] = RunVar(f"toolroll-http-{next(_numbers)}", default=None)

    def send(self, request: HttpRequest, /) -> Exchange:
        """Send a request; its answer lives as long as the block."""
        return Exchange(functools.partial(self._begin, request))

    async def _begin(self, request: HttpRequest) -> Begun:
        pool = self._pool.get() or await self._open()
        response = await pool.send(request)
        return Begun(
            status=response.status,
            headers=[
                (name.decode("latin-1"), value.decode("latin-1"))
                for name, value in response.headers
            ],
            raw=cast("AsyncGenerator[bytes]", aiter(response.aiter_stream())),
            url=request.url,
            packed=True,
            close=response.aclose,
        )

    async def aclose(self) -> None:
        """Close the connections of the running event loop; a later request opens new ones."""
        pool = self._pool.get()
        if pool is not None:
            self._pool.set(None)
            await pool.aclose()

    async def _open(self) -> "_Pool":
        import httpcore2  # noqa: PLC0415 an extra, loaded with the first request

        pool = _Pool(httpcore2, _tls())
        self._pool.set(pool)
        await pool.watch()
        return pool


@functools.cache
def _tls() -> ssl.SSLContext:
    """The certificates, read once: reading them takes longer than a request."""
    import httpcore2  # noqa: PLC0415 as above

    return httpcore2.default_ssl_context()


class _Pool:
    """The connections of one event loop; they are closed with it, whoever forgot to."""

    def __init__(self, library: ModuleType, tls: ssl.SSLContext) -> None:
        self._library = library
        self._connections: httpcore2.AsyncConnectionPool = library.AsyncConnectionPool(
            ssl_context=tls,
            max_connections=MAX_CONNECTIONS,
            max_keepalive_connections=MAX_IDLE_CONNECTIONS,
            keepalive_expiry=IDLE_SECONDS,
        )
        self._guard = self._guarded()

    async def watch(self) -> None:
        # An event loop that ends closes the asynchronous generators that were begun in it.
        await anext(self._guard)

    async def send(self, request: HttpRequest) -> "httpcore2.Response":
        wait, silence = request.connect_timeout, request.timeout
        limits = {"connect": wait, "pool": wait, "read": silence, "write": silence}
        url, host = _parsed(request.url)
        headers = [("Host", host), *with_defaults(request.headers, _DEFAULT_HEADERS)]
        if request.content is not None or request.method in _WITH_LENGTH:
            headers.append(("Content-Length", str(len(request.content or b""))))
        made: httpcore2.Request = self._library.Request(
            request.method,
            self._library.URL(**url),
            headers=[(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers],
            content=request.content,
            extensions={"timeout": limits},
        )
        return await self._connections.handle_async_request(made)

    async def aclose(self) -> None:
        await self._guard.aclose()
        await self._connections.aclose()

    async def _guarded(self) -> AsyncGenerator[None]:
        try:
            yield
        finally:
            await self._connections.aclose()


def _parsed(url: str) -> tuple[Mapping[str, object], str]:
    """The parts of a URL and its `Host` header (RFC 9112, section 3.2).

    Raises:
        HttpConnectError: no URL of a web server.
    """
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").encode("idna")
        written = f"[{host.decode()}]" if b":" in host else host.decode()
        port, target = parts.port, parts.path or "/"
        target = f"{target}?{parts.query}" if parts.query else target
        pieces = {
            "scheme": parts.scheme,
            "host": host,
            "port": port,
            "target": target.encode("ascii"),
        }
    except ValueError as error:
        raise HttpConnectError(f"not a URL that can be asked: {url!r}") from error
    if not host:
        raise HttpConnectError(f"not a URL that can be asked: {url!r}")
    return pieces, written if port is None else f"{written}:{port}"
