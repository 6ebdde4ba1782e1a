"""Secrets taken out of what is stored or logged.

This is a second line: what must not be kept should not be given. It knows addresses with
credentials, the usual names of secret fields, and the usual shapes of tokens.
"""

import re
from collections.abc import Mapping
from typing import cast

from toolroll.content import JsonObject, JsonValue

REDACTED = "[redacted]"
_DEEPEST = 64

_ADDRESS = re.compile(r"\b([A-Za-z][A-Za-z0-9+.-]{0,30}://)([^\s\"'<>]*)")
_PAIR = re.compile(
    r"(?i)\b([A-Za-z0-9_.-]{0,40}(?:password|passwd|passphrase|secret|api[_-]?key|access[_-]?key"
    r"|private[_-]?key|credentials?|token|authorization|cookie)[\"']?\s{0,4}[:=]\s{0,4}[\"']?)"
    r"((?:(?:Bearer|Basic|Digest)\s+)?[^\s\"',;&]+)"
)
_SCHEME = re.compile(r"(?i)\b(bearer|basic)(\s{1,4})[A-Za-z0-9._~+/=-]{8,}")
_SHAPE = re.compile(
    r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"  # JSON Web Token
    r"|\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}"
    r"|\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_[A-Za-z0-9_]{20,}|\bglpat-[A-Za-z0-9_-]{16,}"
    r"|\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bA[KS]IA[A-Z0-9]{16}\b|\bAIza[A-Za-z0-9_-]{30,}"
)
_SECRET_KEY = re.compile(
    r"(?:password|passwd|pwd|passphrase|secret|secretkey|apikey|accesskey|privatekey"
    r"|credentials?|token|authorization|cookie|sessionid)$"
)
_NOT_A_LETTER = re.compile(r"[^a-z]")


def redact_text(text: str) -> str:
    """A text without credentials: of addresses only scheme, host and path are kept.

    Example:
        >>> redact_text('Post "https://ana:pw@mcp.example.com/x?key=t1#f": refused, token=abc')
        'Post "https://mcp.example.com/x?[redacted]": refused, token=[redacted]'
    """
    text = _ADDRESS.sub(_without_credentials, text)
    text = _PAIR.sub(rf"\1{REDACTED}", text)
    text = _SCHEME.sub(rf"\1\2{REDACTED}", text)
    return _SHAPE.sub(REDACTED, text)


def _without_credentials(match: re.Match[str]) -> str:
    scheme, rest = match.groups()
    cut = min((at for at in map(rest.find, "?#") if at >= 0), default=len(rest))
    place, hidden = rest[:cut], rest[cut:]
    authority, slash, path = place.partition("/")
    host = authority.rpartition("@")[2]
    if not hidden:
        return f"{scheme}{host}{slash}{path}"
    end = hidden.rstrip(".,;:!)]}")
    return f"{scheme}{host}{slash}{path}?{REDACTED}{hidden[len(end) :]}"


def redact_input(value: JsonObject) -> dict[str, JsonValue]:
    """An input without secrets: values of fields named like one, and credentials in texts.

    Example:
        >>> redact_input({"town": "Pune", "auth": {"apiKey": "k1"}})
        {'town': 'Pune', 'auth': {'apiKey': '[redacted]'}}
    """
    return cast("dict[str, JsonValue]", _redact(value, 0))


def _redact(value: JsonValue, depth: int) -> JsonValue:
    if isinstance(value, str):
        return redact_text(value)
    if isinstance(value, Mapping):
        if depth >= _DEEPEST:
            return "[too deep]"
        return {
            key: REDACTED if _is_secret(key) and held is not None else _redact(held, depth + 1)
            for key, held in value.items()
        }
    if isinstance(value, (list, tuple)):
        return "[too deep]" if depth >= _DEEPEST else [_redact(one, depth + 1) for one in value]
    return value


def _is_secret(key: str) -> bool:
    return _SECRET_KEY.search(_NOT_A_LETTER.sub("", key.casefold())) is not None
