"""Requests to one address: with the host's headers, within its origin, the same way each time."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import parse_qsl, urljoin, urlsplit

from toolroll.outcome import ConfigError
from toolroll.ports.http import HttpAnswer, HttpRequest, HttpTransport
from toolroll.sources.header import Headers, HostHeaders
from toolroll.sources.mcp.session import Ask
from toolroll.sources.origin import PORTS, same_origin, split_url
from toolroll.sources.secret import (
    KnownSecrets,
    Secrets,
    credentials,
    path_credentials,
)
from toolroll.sources.source import SourceError

_RENEWABLE = 401
_KEEPS_METHOD = frozenset({307, 308})


@dataclass(frozen=True, slots=True)
class Opened:
    """An answer that is being read, and the credentials it was asked with."""

    answer: HttpAnswer
    secrets: Secrets


class Courier:
    """Sends requests to one server.

    Args:
        source: the source's name.
        url: the address that everything goes to.
        transport: what sends.
        client: what the caller gave to send with, for the credentials it holds.
        headers: the host's.
        redirects: how many redirects one request follows.

    Raises:
        ConfigError: the address is no http or https address, or holds credentials.
    """

    def __init__(
        self,
        source: str,
        url: str,
        transport: HttpTransport,
        client: object | None,
        headers: Headers | None,
        redirects: int,
    ) -> None:
        self.url, self.host = url, _checked_host(url)
        self.source = self._source = source
        self._transport, self._redirects = transport, redirects
        self._headers = HostHeaders(headers)
        self.personal = callable(headers)
        pairs = [("Authorization", value) for _, value in parse_qsl(urlsplit(url).query)]
        self._secrets = KnownSecrets(client, credentials(pairs) | path_credentials(url))

    @asynccontextmanager
    async def open(
        self,
        method: str,
        headers: tuple[tuple[str, str], ...],
        content: bytes | None,
        ask: Ask,
        *,
        url: str | None = None,
    ) -> AsyncGenerator[Opened]:
        """Send a request; its answer is read inside the block.

        A refused credential is renewed once, where the host can make another. A redirect is
        followed only within the origin and only where it keeps method and body.

        Args:
            method: upper case.
            headers: of the protocol; the host's come first.
            content: the body, None for none.
            ask: the question it belongs to.
            url: another address of the same origin.

        Raises:
            SourceError: a redirect that is not followed, or headers that could not be made.
            HttpConnectError, HttpBrokenError: as `HttpTransport`.
        """
        target = url or self.url
        own = await self._own_headers(ask)
        renewed, redirects = False, 0
        while True:
            request = HttpRequest(
                method=method,
                url=target,
                headers=(*own, *headers),
                content=content,
                timeout=None,  # the watch of the question bounds each wait
                connect_timeout=max(0.001, ask.watch.connect_left),
            )
            async with self._transport.send(request) as answer:
                if answer.status == _RENEWABLE and not renewed:
                    renewed = True
                    other = await self._renewed(ask, own)
                    if other is not None:
                        own = other
                        continue
                if answer.status in _KEEPS_METHOD:
                    redirects += 1
                    target = self._redirect(target, answer, redirects)
                    continue
                secrets = self._secrets.of(own)
                ask.secrets, ask.host = secrets, self.host
                yield Opened(answer, secrets)
                return

    async def aclose(self) -> None:
        """Close connections of our own."""
        await self._transport.aclose()

    def same_origin(self, url: str) -> str:
        """An address that a server named, made absolute.

        Raises:
            SourceError: it lies in another origin.
        """
        try:
            target = urljoin(self.url, url)
            if same_origin(target, self.url):
                return target
        except ValueError:
            pass  # no address at all
        words = "the server named an address in another origin"
        raise SourceError(self._source, "invalid-response", words)

    def _redirect(self, target: str, answer: HttpAnswer, count: int) -> str:
        place = answer.header("location")
        if place is None or count > self._redirects:
            words = "a redirect without an address" if place is None else "too many redirects"
            raise SourceError(self._source, "invalid-response", words, may_have_run=False)
        try:
            return self.same_origin(urljoin(target, place))
        except (SourceError, ValueError) as error:
            raise SourceError(
                self._source,
                "invalid-response",
                "a redirect to another origin is not followed",
                may_have_run=False,
            ) from error

    async def _own_headers(self, ask: Ask) -> tuple[tuple[str, str], ...]:
        try:
            return await self._headers.current(ask.context)
        except SourceError:
            raise
        except Exception as error:
            raise self._unmade(error) from error

    async def _renewed(
        self, ask: Ask, refused: tuple[tuple[str, str], ...]
    ) -> tuple[tuple[str, str], ...] | None:
        try:
            return await self._headers.renewed(ask.context, refused)
        except SourceError:
            raise
        except Exception as error:
            raise self._unmade(error) from error

    def _unmade(self, error: Exception) -> SourceError:
        words = f"the host's headers could not be made: {type(error).__name__}"
        return SourceError(self._source, "source-error", words, may_have_run=False)


def _checked_host(url: str) -> str:
    parts = split_url(url)
    if parts is None:
        raise ConfigError("url: an MCP server's address cannot be read as one.")
    if parts.scheme not in PORTS or not parts.hostname:
        raise ConfigError(
            "url: an MCP server's address begins with http:// or https:// and a host."
        )
    if "@" in parts.netloc:
        raise ConfigError("url: credentials do not belong into an address; give them in headers.")
    return parts.netloc
