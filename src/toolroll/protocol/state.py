"""Signed state: what a server hands to a client and gets back unchanged, or not at all.

A client may change, keep or swap what it carries. So the state is signed, bound to what it was made
for, and expires. It is not encrypted: put no secrets in.

Source: MCP 2026-07-28, basic/patterns/multi-round-trip, "Security Considerations"; RFC 2104.
"""

import base64
import binascii
import hashlib
import hmac
import json

from toolroll.content import JsonObject, JsonValue, canonical_json
from toolroll.protocol.field import as_object

LONGEST_STATE = 64 * 1024
"""Most characters of a state that is read."""


def seal_state(key: bytes, value: JsonValue, *, bound_to: JsonValue, expires: float) -> str:
    """Sign a value.

    Args:
        key: secret of the server, at least 32 random bytes, the same on every machine of it.
        value: what to keep.
        bound_to: what it is valid for: the caller, the method, the arguments.
        expires: seconds since the epoch.

    Example:
        >>> sealed = seal_state(b"k" * 32, [1], bound_to="ada", expires=100)
        >>> open_state(b"k" * 32, sealed, bound_to="ada", now=99)
        [1]
        >>> open_state(b"k" * 32, sealed, bound_to="bob", now=99) is None
        True
    """
    body: JsonObject = {"value": value, "bound": _digest(bound_to), "expires": expires}
    text = base64.urlsafe_b64encode(canonical_json(body).encode()).decode()
    return f"{text}.{_signature(key, text)}"


def open_state(key: bytes, state: str, *, bound_to: JsonValue, now: float) -> JsonValue:
    """The value of a state; None where it is forged, bound to something else or too old.

    Args:
        key: the one it was signed with.
        state: what came back.
        bound_to: what it must be valid for.
        now: seconds since the epoch.

    Example:
        >>> sealed = seal_state(b"k" * 32, {"round": 2}, bound_to="ada", expires=100)
        >>> open_state(b"k" * 32, sealed, bound_to="ada", now=99)
        {'round': 2}
        >>> open_state(b"k" * 32, sealed, bound_to="ada", now=101) is None
        True
    """
    text, _, signature = state.rpartition(".")
    if len(state) > LONGEST_STATE or not signature.isascii():
        return None
    if not hmac.compare_digest(signature, _signature(key, text)):
        return None
    try:
        said = as_object(json.loads(base64.urlsafe_b64decode(text.encode()))) or {}
    except (ValueError, binascii.Error):
        return None
    expires = said.get("expires")
    if not isinstance(expires, (int, float)) or expires < now:
        return None
    return said.get("value") if said.get("bound") == _digest(bound_to) else None


def _digest(value: JsonValue) -> str:
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def _signature(key: bytes, text: str) -> str:
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
