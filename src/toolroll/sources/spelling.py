"""How a text may be spelled where a system repeats it: in Base64, percent-encoded, escaped."""

import base64
import html
import json
import re
from collections.abc import Iterable, Sequence
from urllib.parse import quote, quote_plus

_SHORTEST = 8
"""Least characters of a text, and of its Base64, that is looked for in other alphabets and cases:
a shorter one may be there by chance."""

_HEX = re.compile(r"%[0-9A-F]{2}")
_ESCAPE = re.compile(
    r"""%([0-7][0-9a-fA-F])|\\\\{0,15}u00([0-7][0-9a-fA-F])|&\#[xX]0*([0-7]?[0-9a-fA-F]);
      | &\#0*(\d{1,2}|1[01]\d|12[0-7]);|\\\\{0,15}([/"'])|&(quot|amp|lt|gt|apos);""",
    re.VERBOSE,
)
_TELLING = {
    "%": re.compile(
        r"%(?:25)*(?:3[0-9]|[46][1-9a-fA-F]|[57][0-9aA]|5[cC]u00|26(?:%23|\#))"
        r"|%(?:25)+[2-7][0-9a-fA-F]"
    ),
    "\\": re.compile(r"""\\(?:\\{0,15}u00[2-7]|\\{1,15}[/"'])"""),
    "&": re.compile(
        r"&(?:amp;)*#(?:0*(?:4[89]|[5-9]\d|1[01]\d|12[0-2])|[xX]0*[3-7][0-9a-fA-F]);"
        r"|&(?:amp;)+(?:#|quot;|lt;|gt;|apos;)"
    ),
}
"""An escape of a letter or digit, or one within another: what nobody needs to write; by the
character it begins with. With other escapes `spellings` knows a text as a whole.
"""

_NAMED = {"quot": '"', "amp": "&", "lt": "<", "gt": ">", "apos": "'"}
_LEVELS = 3
"""How often an escape is looked for in what an escape stood for."""


def spellings(value: str) -> set[str]:
    r"""A text as it may stand whole: escaped as JSON or HTML, percent-encoded, in Base64 or
    hexadecimal digits, in capitals or small letters.

    Of Base64, which depends on what stands before and after, the digits that are the text's own.

    Example:
        >>> sorted(spellings("a/b"))
        ['a%2Fb', 'a%2fb', 'a/b', 'a\\/b']
    """
    percent = {quote(value, safe=""), quote(value), quote_plus(value)}
    lower = {_HEX.sub(lambda found: found[0].lower(), form) for form in percent}
    written = {in_json(value), json.dumps(value)[1:-1]}
    php = {form.replace("/", "\\/") for form in written}
    found = {value, html.escape(value), *written, *php, *percent, *lower}
    if len(value) >= _SHORTEST:
        digits = value.encode("utf-8", "surrogatepass").hex()
        found |= {value.upper(), value.lower(), digits, digits.upper()}
    return found | {form for form in _base64(value) if len(form) >= _SHORTEST}


def _base64(value: str) -> Iterable[str]:
    content = value.encode("utf-8", "surrogatepass")
    for before in range(3):
        packed = base64.b64encode(b"\0" * before + content).decode()
        own = packed[-(-8 * before // 6) : 8 * (before + len(content)) // 6]
        yield from (own, own.replace("+", "-").replace("/", "_"))


def in_json(text: str) -> str:
    """A text as it stands in JSON that is not limited to ASCII."""
    return json.dumps(text, ensure_ascii=False)[1:-1]


def plainly(text: str) -> str:
    r"""A text with the escapes of ASCII characters read, those within escapes too; as it is where
    no letter or digit is escaped.

    Example:
        >>> plainly("%74ok&#101;n\\u002d1")
        'token-1'
    """
    if not any(mark in text and escape.search(text) for mark, escape in _TELLING.items()):
        return text
    for _ in range(_LEVELS):
        text = _ESCAPE.sub(_read, text)
    return text


def without(text: str, hidden: re.Pattern[str], shown: str) -> str:
    r"""A text without what is hidden where `plainly` reads it, whatever is around left as it is.

    Example:
        >>> without("%74oken%2D1 &amp; more", re.compile("token-1"), "[hidden]")
        '[hidden] &amp; more'
    """
    plain, places = text, range(len(text) + 1)
    for _ in range(_LEVELS):
        plain, places = _read_all(plain, places)
    pieces: list[str] = []
    end = 0
    for found in hidden.finditer(plain):
        pieces += [text[end : places[found.start()]], shown]
        end = places[found.end()]
    return "".join([*pieces, text[end:]])


def _read_all(text: str, places: Sequence[int]) -> tuple[str, Sequence[int]]:
    """A text with its escapes read, and the place from which each character came."""
    pieces: list[str] = []
    left: list[int] = []
    end = 0
    for found in _ESCAPE.finditer(text):
        pieces += [text[end : found.start()], _read(found)]
        left += places[end : found.start() + 1]
        end = found.end()
    return "".join([*pieces, text[end:]]), [*left, *places[end:]]


def _read(found: re.Match[str]) -> str:
    percent, unicode, hexadecimal, decimal, slashed, name = found.groups()
    if decimal is not None:
        return chr(int(decimal))
    if digits := percent or unicode or hexadecimal:
        return chr(int(digits, 16))
    return slashed or _NAMED[name]
