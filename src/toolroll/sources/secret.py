"""What an answer may not say: the credentials it was asked with, and where the system lives."""

import base64
import binascii
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import cast
from urllib.parse import quote, quote_plus, unquote

from toolroll.content import JsonValue

HIDDEN = "[hidden]"
"""Stands where a credential stood."""

ADDRESS = "[address]"
"""Stands where an internal address stood."""

_HARMLESS = re.compile(
    r"accept(-.*)?|user-agent|content-type|connection|cache-control|pragma|prefer|origin|referer|"
    r"x-requested-with|traceparent|tracestate|(.*-)?version",
    re.IGNORECASE,
)
_CREDENTIAL = re.compile(
    r"auth|key|token|secret|cookie|passw|passphrase|credential|bearer|session|signature|jwt|"
    r"(?:^|[_.-])(?:pass|pwd|pat|pin|dsn)(?:[_.-]|$)",
    re.IGNORECASE,
)
_HEX = re.compile(r"%[0-9A-F]{2}")
_OF_A_USER = re.compile(r"://[^/?#\s@]*?:([^/?#\s@]+)@")
_DRAWN = re.compile(
    r"(?:(?=[A-Za-z]*[0-9])(?=[0-9a-z]*[A-Z])(?=[0-9A-Z]*[a-z])[A-Za-z0-9]{12,}|[0-9a-f]{24,})"
)
_SHORT, _LONG = 4, 12
"""Least characters of a value that is hidden: of a header named as a credential, and of others."""

_INTERNAL = re.compile(
    r"""
    \b(?:https?://)?
    (?:
        (?:10|127)(?:\.\d{1,3}){3}
      | (?:192\.168|169\.254)(?:\.\d{1,3}){2}
      | 172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}
      | localhost
      | (?:[A-Za-z0-9-]{1,63}\.){1,10}
        (?:internal|local|localdomain|lan|corp|intranet|intra|home|private|svc)
    )
    (?![A-Za-z0-9.-]*[A-Za-z0-9])
    (?::\d{1,5})?
    """,
    re.VERBOSE | re.IGNORECASE,
)


class Secrets:
    """Texts that are hidden wherever they stand, also percent-encoded or escaped (JSON, HTML).

    Args:
        values: the texts; the longest is looked for first.
        shown: what stands there instead.
        any_case: capitals and small letters are the same, as in the name of a host.

    Example:
        >>> Secrets(credentials([("Authorization", "Bearer abc123")])).mask("bad token abc123")
        'bad token [hidden]'
    """

    __slots__ = ("_any_case", "_in_json", "_pattern", "_shown")

    def __init__(
        self, values: Iterable[str], *, shown: str = HIDDEN, any_case: bool = False
    ) -> None:
        self._shown, self._any_case = shown, any_case
        forms = {form for value in values for form in _forms_of(value)}
        longest_first = sorted(forms, key=lambda form: (-len(form), form))
        in_json = (_in_json(form.lower() if any_case else form) for form in longest_first)
        self._in_json = tuple(dict.fromkeys(in_json))
        flags = re.IGNORECASE if any_case else re.NOFLAG
        self._pattern = (
            re.compile("|".join(map(re.escape, longest_first)), flags) if forms else None
        )

    def mask(self, text: str) -> str:
        """The text with every secret hidden."""
        return text if self._pattern is None else self._pattern.sub(self._shown, text)

    def mask_json(self, value: JsonValue, text: str) -> JsonValue:
        r"""A value with every secret hidden in its texts and keys.

        Args:
            value: a JSON value.
            text: the JSON it was read from: where it shows neither a secret nor an escape that
                could hide one, the value is not walked.
        """
        if self._pattern is None:
            return value
        # Looking for each is an order of magnitude faster than the pattern.
        looked_at = text.lower() if self._any_case else text
        is_shown = any(form in looked_at for form in self._in_json)
        return self.masked(value) if is_shown or "\\u" in text or "\\/" in text else value

    def masked(self, value: JsonValue) -> JsonValue:
        """A value with every secret hidden in its texts and keys, however it was read."""
        if self._pattern is None:
            return value
        if isinstance(value, str):
            return self.mask(value)
        if isinstance(value, Mapping):
            return {self.mask(key): self.masked(item) for key, item in value.items()}
        if isinstance(value, Sequence):
            return [self.masked(item) for item in value]
        return value


def _forms_of(value: str) -> set[str]:
    """A text as it may be written."""
    percent = {quote(value, safe=""), quote(value), quote_plus(value)}
    lower = {_HEX.sub(lambda found: found[0].lower(), form) for form in percent}
    return {value, _in_json(value), json.dumps(value)[1:-1], escape(value), *percent, *lower}


def _in_json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


def credentials(headers: Iterable[tuple[str, str]]) -> set[str]:
    """What may not be said of the headers a request went out with.

    A header named as a credential hides from 4 characters, any other from 12, harmless ones
    (`Accept`, `User-Agent`, API versions, ...) not at all. Of `Basic` credentials the decoded pair
    and its password are hidden too, of cookies each value.
    """
    found: set[str] = set()
    for name, value in headers:
        if _HARMLESS.fullmatch(name):
            continue
        least = _SHORT if _CREDENTIAL.search(name) else _LONG
        pieces = [value, *re.split(r"[\s;,]+", value)]
        pieces += [piece.partition("=")[2] for piece in pieces]
        scheme, _, packed = value.partition(" ")
        if scheme.lower() == "basic":
            pieces += _decoded(packed)
        words = {"bearer", "basic", "digest", "token", "apikey"}
        found |= {p for p in pieces if len(p) >= least and p.lower() not in words}
    return found


def is_credential_name(name: str) -> bool:
    """Whether a header, an option or a variable of this name holds a credential."""
    return _CREDENTIAL.search(name) is not None


def path_credentials(url: str) -> set[str]:
    """What of an address looks like a credential: pieces of its path that somebody drew by lot.

    Some systems give each user an address that is a key (`/bot123:AbC.../`, `/mcp/s/AbC.../mcp`).
    A piece counts where 12 characters in a row mix digits, capitals and small letters, or 24 are
    hexadecimal digits; names and UUIDs do not count, because answers speak of them.

    Example:
        >>> sorted(path_credentials("https://mcp.test/my-project-2026/s/Zjk0NTU1YjItNGY1/mcp"))
        ['Zjk0NTU1YjItNGY1']
    """
    path = url.partition("://")[2].partition("?")[0].partition("#")[0]
    pieces = {form for piece in path.split("/")[1:] for form in (piece, unquote(piece))}
    drawn = {piece: _DRAWN.findall(piece) for piece in pieces}
    return {text for piece, runs in drawn.items() if runs for text in (piece, *runs)}


def url_passwords(text: str) -> set[str]:
    """The passwords of addresses in a text, as in `postgresql://user:password@host/name`, and what
    they mean where they are percent-encoded.

    Example:
        >>> url_passwords("postgresql://app:s3cr3t@db.test/app")
        {'s3cr3t'}
    """
    written: list[str] = _OF_A_USER.findall(text)
    return {form for each in written for form in (each, unquote(each)) if len(form) >= _SHORT}


def _decoded(packed: str) -> list[str]:
    try:
        pair = base64.b64decode(packed, validate=True).decode()
    except (binascii.Error, ValueError):
        return []
    return [pair, pair.partition(":")[2]]


def client_credentials(client: object | None) -> set[str]:
    """What may not be said of a caller's client: its headers, parameters, cookies and passwords."""
    found = credentials(_pairs(getattr(client, "headers", None)))
    for name in ("params", "cookies"):
        found |= {value for _, value in _pairs(getattr(client, name, None)) if len(value) >= _SHORT}
    known: Mapping[str, object] = getattr(getattr(client, "auth", None), "__dict__", {})
    for value in known.values():
        text = value.decode("latin-1") if isinstance(value, bytes) else value
        if isinstance(text, str):
            found |= credentials([("Authorization", text)])
    return found


class KnownSecrets:
    """What no answer may say, kept until the headers of a request or of its client change.

    Args:
        client: the caller's, None for none.
        always: what is hidden besides.
    """

    __slots__ = ("_always", "_client", "_known")

    def __init__(self, client: object | None, always: Iterable[str] = ()) -> None:
        self._client, self._always = client, frozenset(always)
        self._known: tuple[object, Secrets] | None = None

    def of(self, own: tuple[tuple[str, str], ...]) -> Secrets:
        """The secrets of a request with these headers of the host."""
        state = (own, *_state(self._client))
        if self._known is None or self._known[0] != state:
            hidden = self._always | credentials(own) | client_credentials(self._client)
            self._known = state, Secrets(hidden)
        return self._known[1]


def _state(client: object | None) -> tuple[object, ...]:
    """All that the credentials of a client are made of, as it is now."""
    if client is None:
        return ()
    raw = getattr(getattr(client, "headers", None), "raw", None)
    headers = [*cast("list[object]", raw)] if isinstance(raw, list) else raw
    known: Mapping[str, object] = getattr(getattr(client, "auth", None), "__dict__", {})
    jar = getattr(getattr(client, "cookies", None), "jar", ())
    cookies = [(cookie.name, cookie.value) for cookie in jar]
    words = {name: said for name, said in known.items() if isinstance(said, (str, bytes))}
    return headers, str(getattr(client, "params", "")), cookies, words


def _pairs(mapping: object) -> list[tuple[str, str]]:
    items = getattr(mapping, "multi_items", getattr(mapping, "items", None))
    if not callable(items):
        return []
    pairs = list(cast("Iterable[tuple[object, object]]", items()))
    return [(str(name), str(value)) for name, value in pairs]


def own_address(host: str) -> Secrets:
    """The address that is asked, to be taken out of texts of any length.

    Args:
        host: host and port, "" for none. A bare name without a dot is a word like any other and is
            found only behind `http://`.

    Example:
        >>> own_address("10.0.0.7:8080").mask("no answer from http://10.0.0.7:8080/mcp")
        'no answer from [address]/mcp'
    """
    if not host:
        return Secrets(())
    name, _, port = host.rpartition(":")
    name = name if port.isdecimal() else host
    plain = {host} if name != host else set[str]()
    plain |= {name} if "." in name or ":" in name else set[str]()
    urls = {f"{scheme}://{each}" for scheme in ("http", "https") for each in (host, name)}
    return Secrets(plain | urls, shown=ADDRESS, any_case=True)


def without_addresses(text: str, host: str) -> str:
    """A text without the addresses of internal systems and of the one that was asked.

    Args:
        text: at most some thousand characters.
        host: host and port that were asked, e.g. `api.test:8443`; "" for none.

    Example:
        >>> without_addresses("no route to db-7.corp.internal:5432 from api.test", "api.test")
        'no route to [address] from [address]'
    """
    if host:
        name = host.rpartition(":")[0] or host
        own = re.compile(
            rf"(?<![\w-])(?:https?://)?{re.escape(name)}(?::\d{{1,5}})?(?![\w-]|\.\w)",
            re.IGNORECASE,
        )
        text = own.sub(ADDRESS, text)
    return _INTERNAL.sub(ADDRESS, text)
