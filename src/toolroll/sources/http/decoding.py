"""The bytes of an answer as text and as JSON."""

import json
import math
import re
from collections.abc import Iterable
from typing import NoReturn

from toolroll.content import JsonValue
from toolroll.text import join_surrogates

DEEPEST = 100
"""Most levels of an answer that is read as data; a deeper one is text."""

_CHARSET = re.compile(r"charset=\"?([\w.-]+)", re.IGNORECASE)
_CHARSETS = re.compile(
    r"us-ascii|ascii|iso-8859-\d{1,2}|latin-?1|windows-125\d|cp125\d|utf-?16([bl]e)?|"
    r"utf-?32([bl]e)?|shift_jis|euc-(jp|kr)|gbk|gb2312|gb18030|big5|koi8-[ru]"
)
"""The character sets that are read; any other counts as UTF-8."""

_ESCAPED = re.compile(r"\\(?:\\|(/)|u00([2-7][0-9a-fA-F]))")
_KEPT_ESCAPED = frozenset('"\\\x7f')


def is_binary(content: bytes) -> bool:
    """Whether a body of no known type is no text."""
    return b"\0" in content[:4096]


def decoded(content: bytes, content_type: str) -> str:
    """A body as text, by the character set its type names."""
    found = _CHARSET.search(content_type)
    charset = found[1].lower() if found else ""
    if _CHARSETS.fullmatch(charset):
        try:
            return content.decode(charset, "replace")
        except LookupError:
            pass
    return content.decode("utf-8-sig", "replace")


def json_of(text: str) -> tuple[bool, JsonValue]:
    """Whether a text is JSON that is not too deep, and its value."""
    try:
        value = _DECODER.decode(text)
    except (ValueError, RecursionError):
        return False, None
    if text.count("[") + text.count("{") > DEEPEST and _is_deep(value):
        return False, None
    return True, _whole(value) if "\\ud" in text or "\\uD" in text else value


def without_escapes(text: str) -> str:
    r"""A piece of JSON whose plain characters stand as they are, so that they can be looked for.

    Example:
        >>> without_escapes(r'"a\/b \u0041 \u0022"')
        '"a/b A \\u0022"'
    """
    return _ESCAPED.sub(_plain, text)


def _plain(found: re.Match[str]) -> str:
    if found[2] is None:
        return found[1] or found[0]
    character = chr(int(found[2], 16))
    return found[0] if character in _KEPT_ESCAPED else character


def _is_deep(value: JsonValue) -> bool:
    level: list[JsonValue] = [value]
    for _ in range(DEEPEST):
        level = [inner for item in level for inner in _inner(item)]
        if not level:
            return False
    return True


def _inner(value: JsonValue) -> Iterable[JsonValue]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


def _finite(number: str) -> float:
    value = float(number)
    if not math.isfinite(value):
        raise ValueError("a number too large")
    return value


def _whole(value: JsonValue) -> JsonValue:
    """A value without halves of surrogate pairs, which only an escape can bring."""
    if isinstance(value, str):
        return join_surrogates(value)
    if isinstance(value, dict):
        return {join_surrogates(key): _whole(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_whole(item) for item in value]
    return value


_DECODER = json.JSONDecoder(parse_constant=_refuse, parse_float=_finite)
