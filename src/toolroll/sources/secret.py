"""What an answer may not say: the credentials it was asked with."""

import base64
import binascii
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import cast
from urllib.parse import unquote

from toolroll.content import JsonValue
from toolroll.sources.spelling import in_json, plainly, spellings, without

HIDDEN = "[hidden]"
"""Stands where a credential stood."""

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
_OF_A_USER = re.compile(r"://[^/?#\s@]*?:([^/?#\s@]+)@")
_DRAWN = re.compile(
    r"(?:(?=[A-Za-z]*[0-9])(?=[0-9a-z]*[A-Z])(?=[0-9A-Z]*[a-z])[A-Za-z0-9]{12,}|[0-9a-f]{24,})"
)
_KEPT = 64
_SHORT, _LONG = 4, 12
"""Least characters of a value that is hidden: of a header named as a credential, and of others."""


class Secrets:
    """Texts that are hidden wherever they stand, however they are spelled (`spellings`, `plainly`).

    Args:
        values: the texts; the longest is looked for first.
        shown: what stands there instead.
        any_case: capitals and small letters are the same, as in the name of a host.

    Example:
        >>> Secrets(credentials([("Authorization", "Bearer abc123")])).mask("bad token abc123")
        'bad token [hidden]'
    """

    __slots__ = ("_any_case", "_forms", "_in_json", "_looked_for", "_pattern", "_shown")

    def __init__(
        self, values: Iterable[str], *, shown: str = HIDDEN, any_case: bool = False
    ) -> None:
        self._shown, self._any_case = shown, any_case
        values = longest_first(map(self._cased, values))
        self._forms = longest_first(form for value in values for form in spellings(value))
        self._looked_for = _least(map(self._cased, self._forms))
        self._in_json = _least(map(in_json, self._looked_for))
        self._pattern: re.Pattern[str] | None = None

    def mask(self, text: str) -> str:
        """The text with every secret hidden."""
        if not self._forms:
            return text
        # Looking for each is an order of magnitude faster than the pattern.
        if self._stands(self._looked_for, text):
            text = self._found().sub(self._shown, text)
        if (plain := plainly(text)) != text and self._stands(self._looked_for, plain):
            text = without(text, self._found(), self._shown)
        return text

    def _found(self) -> re.Pattern[str]:
        """Finds each; made when the first is to be hidden, which is seldom."""
        if self._pattern is None:
            flags = re.IGNORECASE if self._any_case else re.NOFLAG
            self._pattern = re.compile("|".join(map(re.escape, self._forms)), flags)
        return self._pattern

    def mask_json(self, value: JsonValue, text: str) -> JsonValue:
        r"""A value with every secret hidden in its texts and keys.

        Args:
            value: a JSON value.
            text: the JSON it was read from: where it shows neither a secret nor an escape that
                could hide one, the value is not walked.
        """
        if not self._forms:
            return value
        if (
            "\\u" in text
            or "\\/" in text
            or self._stands(self._in_json, text)
            or ((plain := plainly(text)) != text and self._stands(self._looked_for, plain))
        ):
            return self.masked(value)
        return value

    def _stands(self, forms: Iterable[str], text: str) -> bool:
        text = self._cased(text)
        return any(form in text for form in forms)

    def _cased(self, text: str) -> str:
        return text.lower() if self._any_case else text

    def masked(self, value: JsonValue) -> JsonValue:
        """A value with every secret hidden in its texts and keys, however it was read."""
        if not self._forms:
            return value
        if isinstance(value, str):
            return self.mask(value)
        if isinstance(value, Mapping):
            return {self.mask(key): self.masked(item) for key, item in value.items()}
        if isinstance(value, Sequence):
            return [self.masked(item) for item in value]
        return value


def longest_first(texts: Iterable[str]) -> tuple[str, ...]:
    """Each text once; those of one length in order."""
    return tuple(sorted({text for text in texts if text}, key=lambda text: (-len(text), text)))


def _least(texts: Iterable[str]) -> tuple[str, ...]:
    """Those that hold no other: where none of these stands, none at all does."""
    kept: list[str] = []
    for text in reversed(longest_first(texts)):
        if not any(shorter in text for shorter in kept):
            kept.append(text)
    return tuple(kept)


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

    __slots__ = ("_always", "_client", "_known", "_state")

    def __init__(self, client: object | None, always: Iterable[str] = ()) -> None:
        self._client, self._always = client, frozenset(always)
        self._state: tuple[object, ...] | None = None
        self._known: dict[tuple[tuple[str, str], ...], Secrets] = {}

    def of(self, own: tuple[tuple[str, str], ...]) -> Secrets:
        """The secrets of a request with these headers of the host."""
        state = _state(self._client)
        if self._state != state:
            self._state, self._known = state, {}
        known = self._known.get(own)
        if known is None:
            hidden = self._always | credentials(own) | client_credentials(self._client)
            if len(self._known) >= _KEPT:
                self._known.pop(next(iter(self._known)), None)
            known = self._known[own] = Secrets(hidden)
        return known


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
