"""Messages as text: JSON in UTF-8, as the standard has it and within bounds.

Source: RFC 8259; MCP 2026-07-28, basic/transports.
"""

import codecs
import json
import math
import re
from collections.abc import Mapping
from typing import NoReturn, cast

from toolroll.content import JsonObject, JsonValue
from toolroll.protocol.code import INVALID_REQUEST, PARSE_ERROR
from toolroll.protocol.message import Malformed, Message, read_message
from toolroll.text import join_surrogates

DEEPEST = 200
"""Most levels of arrays and objects of a message."""

_FAR = re.compile(r"[eE]\+?\d{3}|\d{300}")
_STRING = re.compile(r'"(?>(?:[^"\\]+|\\.)*)(?:"|\\?\Z)', re.DOTALL)
"""A string, also one that the text ends in: where each quote may begin one that has no end, looking
for them takes time with the square of the length."""

_NO_BRACKET = re.compile(r"[^\[\]{}]+")


def encode_message(message: JsonObject | list[JsonObject]) -> bytes:
    """A message as UTF-8 on one line, without the newline.

    Half surrogate pairs, which UTF-8 cannot carry, leave as escapes.

    Raises:
        TypeError, ValueError: the message is no JSON.

    Example:
        >>> encode_message({"a": "é"}).decode()
        '{"a":"é"}'
    """
    try:
        return _dump(message, ascii_only=False).encode()
    except UnicodeEncodeError:
        return _dump(message, ascii_only=True).encode()


def parse_messages(text: bytes | str) -> list[Message]:
    """Read the body of a request, a line of stdio or the data of an event.

    A JSON array is a batch; its members are read one by one. Whether a batch is allowed is for
    the caller to say (`features_of(version).batches`); `is_batch` tells one from a message.

    Example:
        >>> parse_messages('{"jsonrpc":"2.0","id":1,"method":"ping"}')
        [Request(id=1, method='ping', params={})]
        >>> parse_messages("{")[0].code
        -32700
    """
    parsed = parse_json(text)
    if isinstance(parsed, Malformed):
        return [parsed]
    if isinstance(parsed, list):
        if not parsed:
            return [Malformed(code=INVALID_REQUEST, reason="the batch is empty")]
        return [read_message(member) for member in parsed]
    return [read_message(parsed)]


def is_batch(text: bytes | str) -> bool:
    """Whether a text is a JSON array, going by its first character.

    Example:
        >>> is_batch(b' [{"jsonrpc":"2.0"}]'), is_batch("{}")
        (True, False)
    """
    if isinstance(text, bytes):
        return text.removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"[")
    return text.removeprefix("\ufeff").lstrip().startswith("[")


def parse_json(text: bytes | str) -> JsonValue | Malformed:
    """Read JSON as the standard has it, so that all that was read can be written again.

    UTF-8 with or without a byte order mark; no NaN, no Infinity, no number beyond the range of a
    double, at most `DEEPEST` levels. Half surrogate pairs become U+FFFD.

    Example:
        >>> parse_json('{"a": 1}'), parse_json("[NaN]").reason
        ({'a': 1}, 'NaN is not JSON')
    """
    try:
        if isinstance(text, bytes):
            text = text.decode()
        text = text.removeprefix("\ufeff")
        _check_depth(text)
        float_of = _finite if _FAR.search(text) else None
        value: JsonValue = json.loads(text, parse_constant=_no_number, parse_float=float_of)
        return _without_halves(value) if "\\ud" in text or "\\uD" in text else value
    except ValueError as error:
        return Malformed(code=PARSE_ERROR, reason=str(error))


def _dump(message: object, *, ascii_only: bool) -> str:
    return json.dumps(
        message,
        ensure_ascii=ascii_only,
        separators=(",", ":"),
        allow_nan=False,
        default=_as_dict,
    )


def _as_dict(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(cast("JsonObject", value))
    raise TypeError(f"{type(value).__name__} is not JSON")


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def _finite(word: str) -> float:
    value = float(word)
    if math.isinf(value):
        raise ValueError("a number is beyond the range of a double")
    return value


def _check_depth(text: str) -> None:
    if text.count("[") + text.count("{") <= DEEPEST:
        return
    depth = 0
    for bracket in _NO_BRACKET.sub("", _STRING.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        if depth > DEEPEST:
            raise ValueError(f"nested more than {DEEPEST} levels deep")


def _without_halves(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return join_surrogates(value)
    if isinstance(value, list):
        return [_without_halves(item) for item in value]
    if isinstance(value, dict):
        return {join_surrogates(key): _without_halves(item) for key, item in value.items()}
    return value
