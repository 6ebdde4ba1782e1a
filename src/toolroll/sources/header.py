"""The headers a host adds to the requests of a source: fixed ones, or asked for with each call."""

import inspect
import itertools
import re
from collections.abc import Awaitable, Mapping
from typing import Protocol, TypeAlias, cast

import anyio
from anyio.lowlevel import RunVar

from toolroll.outcome import ConfigError
from toolroll.tools.context import CallContext

TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
"""A header name (RFC 9110, section 5.6.2)."""

_OF_THE_CONNECTION = frozenset({"connection", "content-length", "host", "transfer-encoding"})
_numbers = itertools.count()
_UNFIT = re.compile(r"[^\t\x20-\x7e\x80-\xff]")


class HeaderMaker(Protocol):
    """Makes the headers of one request: a fresh token, a user's own key.

    It is asked for each request, with the call's context, and once more with `refresh=True` when
    the other side did not accept what it made (status 401). What it makes is sent and never
    stored, logged or shown.
    """

    def __call__(
        self, context: CallContext[object], /, *, refresh: bool
    ) -> Mapping[str, str] | Awaitable[Mapping[str, str]]:
        """The headers of one request of this call."""
        ...


Headers: TypeAlias = Mapping[str, str] | HeaderMaker
"""Fixed headers, or a function that makes them."""


class HostHeaders:
    """The headers of one source, checked before they are sent.

    Args:
        headers: fixed ones, a function that makes them, or None.

    Raises:
        ConfigError: a name or a value that cannot be sent; the value is not repeated.
    """

    __slots__ = ("_fixed", "_locks", "_make")

    def __init__(self, headers: Headers | None = None) -> None:
        self._make: HeaderMaker | None = None
        self._fixed: tuple[tuple[str, str], ...] = ()
        self._locks: RunVar[anyio.Lock] = RunVar(f"toolroll-headers-{next(_numbers)}")
        if headers is None or isinstance(headers, Mapping):
            self._fixed = checked_headers(headers or {})
        else:
            self._make = headers

    async def current(self, context: CallContext[object]) -> tuple[tuple[str, str], ...]:
        """The headers for one request of this call."""
        return self._fixed if self._make is None else await self._ask(context, refresh=False)

    async def renewed(
        self, context: CallContext[object], refused: tuple[tuple[str, str], ...]
    ) -> tuple[tuple[str, str], ...] | None:
        """Other headers in place of refused ones, or None where there are none.

        Calls that were refused together share one renewal: only the first asks with
        `refresh=True`, the others find what it brought.
        """
        if self._make is None:
            return None
        async with self._lock():
            made = await self._ask(context, refresh=False)
            if made == refused:
                made = await self._ask(context, refresh=True)
        return None if made == refused else made

    def _lock(self) -> anyio.Lock:
        lock = self._locks.get(None) or anyio.Lock()
        self._locks.set(lock)
        return lock

    async def _ask(
        self, context: CallContext[object], *, refresh: bool
    ) -> tuple[tuple[str, str], ...]:
        made = cast("HeaderMaker", self._make)(context, refresh=refresh)
        return checked_headers(await made if inspect.isawaitable(made) else made)


def checked_headers(headers: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The headers as pairs, in order.

    Raises:
        ConfigError: a name that is no token or belongs to the connection, a value with a line
            break, a control character or one above U+00FF.

    Source: RFC 9110, section 5.5.
    """
    for name, value in headers.items():
        if not TOKEN.fullmatch(name):
            raise ConfigError(f"headers: {name!r} is no header name; use letters, digits and '-'.")
        if name.lower() in _OF_THE_CONNECTION:
            raise ConfigError(f"headers: {name!r} belongs to the connection; leave it out.")
        if _UNFIT.search(value):
            raise ConfigError(f"headers: the value of {name!r} has characters no header can hold.")
    return tuple((name, value.strip(" \t")) for name, value in headers.items())
