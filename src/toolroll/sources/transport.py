"""Where HTTP requests leave: a caller's client, a test double, or connections of our own.

What all of them have in common: no redirect is followed, no status raises, bodies are unpacked in
bounded pieces, and a failure says whether anything may have been sent.
"""

from collections.abc import AsyncGenerator, Mapping, Sequence
from functools import partial
from typing import Protocol, cast
from urllib.parse import unquote_plus

from toolroll.outcome import ConfigError
from toolroll.ports.http import HttpConnectError, HttpRequest, HttpTransport
from toolroll.sources.exchange import (
    CLIENT_MODULES,
    Begun,
    Exchange,
    module_of,
    with_defaults,
)
from toolroll.sources.pool import PooledTransport

_USUAL = frozenset({("accept", "*/*"), ("connection", "keep-alive")})


def transport_of(client: object | None = None) -> HttpTransport:
    """Make a transport of what a caller gave.

    Args:
        client: an `httpx2.AsyncClient` or `httpx.AsyncClient`, whose headers, authentication,
            proxies and limits then count; an object with the methods of `HttpTransport`; or None
            for connections of our own (`toolroll.sources.pool`).

    Returns:
        A transport. `aclose` closes our own connections of the running event loop; a later request
        opens new ones. A caller's client stays open.

    Raises:
        MissingExtra: None was given and the extra `http` is not installed.
        ConfigError: the object is none of these, e.g. a client without `async`.

    Example:
        >>> transport = transport_of()
        >>> transport_of(transport) is transport
        True
    """
    if client is None:
        return PooledTransport()
    kind = _client_kind(client)
    if kind == "AsyncClient":
        return _ClientTransport(cast("_Client", client))
    if kind is None and _callable(client, "send") and _callable(client, "aclose"):
        return cast("HttpTransport", client)
    raise ConfigError(
        f"client: {type(client).__name__} cannot send requests here; "
        "give an httpx2.AsyncClient, an httpx.AsyncClient or an object with send() and aclose()."
    )


def own_headers(client: object | None) -> frozenset[str]:
    """Names (lower case) of the headers that a caller put into their client.

    What the library itself puts into every client is not among them.
    """
    if client is None or _client_kind(client) != "AsyncClient":
        return frozenset()
    headers = cast("_Client", client).headers.multi_items()
    own = {name.lower() for name, value in headers if not _is_usual(name.lower(), value)}
    return frozenset(own)


def _is_usual(name: str, value: str) -> bool:
    """Whether httpx or httpx2 put a header there by itself."""
    if name == "user-agent":
        return value.startswith("python-httpx")
    return name == "accept-encoding" or (name, value) in _USUAL


def _client_kind(client: object) -> str | None:
    for kind in type(client).__mro__:
        if module_of(kind) in CLIENT_MODULES and kind.__name__.endswith("Client"):
            return kind.__name__
    return None


def _callable(client: object, name: str) -> bool:
    return callable(getattr(client, name, None))


class _Headers(Protocol):
    def multi_items(self) -> list[tuple[str, str]]: ...


class _Response(Protocol):
    """What the answers of httpx and httpx2 share."""

    status_code: int
    is_stream_consumed: bool

    @property
    def headers(self) -> _Headers: ...
    def aiter_raw(self) -> AsyncGenerator[bytes]: ...
    def aiter_bytes(self) -> AsyncGenerator[bytes]: ...
    async def aclose(self) -> None: ...


class _Url(Protocol):
    def __init__(self, url: str) -> None: ...


class _Request(Protocol):
    url: _Url


class _Client(Protocol):
    """What the clients of httpx and httpx2 share."""

    @property
    def headers(self) -> _Headers: ...
    @property
    def params(self) -> Mapping[str, str]: ...
    @property
    def is_closed(self) -> bool: ...
    def build_request(
        self,
        method: str,
        url: str,
        *,
        headers: Sequence[tuple[str, str]],
        content: bytes | None,
        timeout: tuple[float | None, float | None, float | None, float | None],
    ) -> _Request: ...
    async def send(
        self, request: _Request, *, stream: bool, follow_redirects: bool
    ) -> _Response: ...


def _with_own(url: str, own: Mapping[str, str]) -> str:
    """A URL with a client's own parameters, which win over those of the same name."""
    base, _, query = url.partition("?")
    kept = [
        piece
        for piece in query.split("&")
        if piece and unquote_plus(piece.partition("=")[0]) not in own
    ]
    return f"{base}?{'&'.join([*kept, str(own)])}"


class _ClientTransport:
    """Sends through a caller's client, which adds its own headers, cookies and authentication."""

    def __init__(self, client: _Client) -> None:
        self._client = client

    def send(self, request: HttpRequest, /) -> Exchange:
        """Send a request; its answer lives as long as the block."""
        return Exchange(partial(self._begin, request))

    async def _begin(self, request: HttpRequest) -> Begun:
        if self._client.is_closed:
            raise HttpConnectError("the client that was given is closed")
        wait, silence = request.connect_timeout, request.timeout
        made = self._client.build_request(
            request.method,
            request.url,
            headers=with_defaults(request.headers),
            content=request.content,
            timeout=(wait, silence, silence, wait),  # connect, read, write, pool
        )
        if self._client.params:
            # The client puts its own parameters in the place of all others; both are meant.
            made.url = type(made.url)(_with_own(request.url, self._client.params))
        response = await self._client.send(made, stream=True, follow_redirects=False)
        there = response.is_stream_consumed  # a body made in this process, and unpacked already
        return Begun(
            status=response.status_code,
            headers=response.headers.multi_items(),
            raw=response.aiter_bytes() if there else response.aiter_raw(),
            url=request.url,
            packed=not there,
            close=response.aclose,
        )

    async def aclose(self) -> None:
        """The client is the caller's."""
