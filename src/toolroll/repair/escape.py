r"""Escapes inside strings: reading them, and healing `\uXXXX` that were escaped twice."""

import re

from toolroll.repair.strict import parse_string

_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
ESCAPED_APOSTROPHE = re.compile(r"(?>(?:[^\\]|\\[^'])*)\\'", re.DOTALL)
r"""Text up to an escaped apostrophe, which JSON does not know."""

_SHORT = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_TWICE = re.compile(r"\\u([0-9a-fA-F]{4})")
_TWICE_BEGUN = re.compile(
    r"(?>(?:\\u[dD][89abAB][0-9a-fA-F]{2})?)(?>(?:\\(?>(?:u[0-9a-fA-F]{0,3}+)?))?)\Z"
)
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")


def unescape(raw: str, closing: str) -> str:
    r"""Read the inside of a string whose escapes are known to be whole.

    Halves of a surrogate pair that stand side by side are joined; a lone one stays.

    Example:
        >>> unescape(r"caf\u00e9\n", '"')
        'café\n'
    """
    if "\\" not in raw:
        return raw
    if closing == '"' and "\\'" not in raw:
        return parse_string(f'"{raw}"')[0]
    return _join(_ESCAPE.sub(_unit, raw))


def heal(text: str, *, cut: bool = False) -> str:
    r"""Read each literal `\uXXXX` that is left in a text as that character.

    Args:
        text: a string value, already unescaped.
        cut: the text may go on: what could be the beginning of an escape is held back.

    Example:
        >>> heal(r"aten\u00e7\u00e3o")
        'atenção'
    """
    if cut:
        text = text[: _begun(text)]
    if "\\u" not in text:
        return text
    return _join(_TWICE.sub(lambda found: chr(int(found[1], 16)), text))


def _begun(text: str) -> int:
    """Where the escape begins that may go on behind the end of this text."""
    start = max(len(text) - 11, 0)
    found = _TWICE_BEGUN.search(text, start)
    return found.start() if found else len(text)


def _unit(found: re.Match[str]) -> str:
    code = found[1] or found[2]
    return chr(int(code, 16)) if code else _SHORT.get(found[3], found[3])


def _join(text: str) -> str:
    return _PAIR.sub(lambda found: _character(found[0]), text)


def _character(pair: str) -> str:
    return chr(0x10000 + ((ord(pair[0]) - 0xD800) << 10) + (ord(pair[1]) - 0xDC00))
