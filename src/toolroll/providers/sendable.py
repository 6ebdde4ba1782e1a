"""What goes out is text that can be sent: half a surrogate pair has no form in UTF-8.

A client fails on one of them with the whole request, and a history that holds one fails each time.
"""

import json
import re
from collections.abc import Sequence
from typing import TypeVar, cast

from toolroll.content import JsonObject, JsonValue
from toolroll.outcome import Note

_HALF = re.compile("[\ud800-\udfff]")
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

Value = TypeVar("Value")


def sendable(value: Value) -> Value:
    """The JSON value with a replacement character for each half of a pair; itself where none is.

    Example:
        >>> sendable({"text": "a" + chr(0xD83D)}) == {"text": "a" + chr(0xFFFD)}
        True
    """
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return cast("Value", _mended(cast("JsonValue", value)))
    except (TypeError, ValueError, RecursionError):
        return value  # not for us to say
    return value


def _mended(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return _HALF.sub(_REPLACEMENT, value)
    if isinstance(value, dict):
        return {_HALF.sub(_REPLACEMENT, key): _mended(item) for key, item in value.items()}
    return [_mended(item) for item in value] if isinstance(value, (list, tuple)) else value


def all_sendable(messages: Sequence[JsonObject], notes: list[Note]) -> list[JsonObject]:
    """The messages of a history as they can be sent; each that was changed is told."""
    sent: list[JsonObject] = []
    for place, message in enumerate(messages):
        mended = sendable(message)
        if mended is not message:
            reason = "half a surrogate pair became U+FFFD: it cannot be sent"
            notes.append(Note("repaired", f"messages[{place}]", reason))
        sent.append(mended)
    return sent
