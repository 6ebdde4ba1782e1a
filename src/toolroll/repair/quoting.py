"""An object whose keys or quotes are not those of JSON: all of them put right at once.

Each way fits one habit alone. Where a text has more than that, the strict parser refuses what comes
of it.
"""

import re

from toolroll.content import JsonValue
from toolroll.repair.certain import parse_certain
from toolroll.repair.tape import Noted

_BARE_KEY = re.compile("(?<![\\w$-])([A-Za-z_$][\\w$-]*+)(?=[ \\t\\n\\r]*+:)")
_SMART_PAIR = re.compile('\u201c[^\u201c\u201d"]*+\u201d')
_STRING = re.compile(
    "('[^'\\\\]*+(?>(?:\\\\.[^'\\\\]*+)*)'?|\"[^\"\\\\]*+(?>(?:\\\\.[^\"\\\\]*+)*)\"?)"
)
"""A string, or what an open one would hold: so no quote is looked at twice."""

_NO_STRINGS = re.compile("['\\\\/#]")
_ODD_OUTSIDE = re.compile("[\"'\\\\\u201c/#]")


def with_double_quotes(core: str) -> str | None:
    r"""Write the strings of an object that has some in single quotes as JSON does.

    Args:
        core: the text from its opening to its closing brace.

    Returns:
        The text; None where it is not certain which quotes begin and end strings.

    Example:
        >>> with_double_quotes('{\'a\': "b"}')
        '{"a": "b"}'
    """
    parts = _STRING.split(core)
    if _ODD_OUTSIDE.search("".join(parts[::2])) is not None:
        return None
    for at in range(1, len(parts), 2):
        part = parts[at]
        if part[-1] != part[0]:
            return None  # it is open
        if part[0] == "'":
            if "\\'" in part or '\\"' in part:
                return None
            inside = part[1:-1].replace('"', '\\"')
            parts[at] = f'"{inside}"'
    return "".join(parts)


def read_odd_keys(core: str, start: int, noted: list[Noted]) -> JsonValue:
    """Read an object with bare keys or typographic quotes; None where more than that is odd.

    Args:
        core: the text from its opening to its closing brace.
        start: the offset of it.
        noted: takes the repair.
    """
    if "\x00" in core or "\x01" in core or "\x02" in core:
        return None  # they stand in for escapes and quotes
    bare = core
    if "\\" in core:
        bare = core.replace("\\\\", "\x00\x00").replace('\\"', "\x01\x01")
    parts = bare.split('"')
    outside = '"'.join(parts[::2])  # a quote for each string
    if len(parts) % 2 == 0 or _NO_STRINGS.search(outside) is not None:
        return None
    if "\u201c" in outside:
        return _with_straight_quotes(core, outside, start, noted)
    pieces = _BARE_KEY.split(outside)
    at = len(pieces[0])
    outside = "\x02".join(pieces)
    strings = outside.count('"', 0, at)
    at += start + sum(map(len, parts[1 : 2 * strings : 2])) + strings
    parts[::2] = outside.split('"')
    strict = '"'.join(parts).replace("\x02", '"')
    if bare is not core:
        strict = strict.replace("\x00\x00", "\\\\").replace("\x01\x01", '\\"')
    value = parse_certain(strict)[0]
    if value is not None:
        noted.append((at, "unquoted_key", "", ""))
    return value


def _with_straight_quotes(core: str, outside: str, start: int, noted: list[Noted]) -> JsonValue:
    """Read an object whose typographic quotes all stand in pairs outside its other strings."""
    pairs = len(_SMART_PAIR.findall(outside))
    if core.count("\u201c") != pairs or core.count("\u201d") != pairs:
        return None
    value = parse_certain(core.replace("\u201c", '"').replace("\u201d", '"'))[0]
    if value is not None:
        noted.append((start + core.index("\u201c"), "smart_quotes", "", ""))
    return value
