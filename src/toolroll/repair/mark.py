"""An object in almost JSON, respelt mark by mark.

What JSON writes otherwise is written so, all else stays. Nothing here looks at what the text means,
but for the pointers of repairs.
"""

import re
from json.encoder import encode_basestring

from toolroll.repair.escape import ESCAPED_APOSTROPHE, unescape
from toolroll.repair.pattern import COMMENT, CONTROL
from toolroll.repair.place import pointer_behind
from toolroll.repair.tape import Noted

_MOST_POINTERS = 8
_SPACE = "[ \\t\\n\\r]*+"
_HEX = "[0-9a-fA-F]"
_INSIDE = '[^"\\\\\\x00-\\x1f]*+'
_FIRST = ",A-Za-z_$'\u201c/\\#\"0-9"  # how marks, words, numbers and strings begin
_REGULAR = "|".join(
    (
        f'"{_INSIDE}"[^{_FIRST}]*+',
        f",(?!{_SPACE}[}}\\]])[^{_FIRST}}}\\]]*+",
        f"[^{_FIRST}]++",
        "[0-9][-+.0-9eE]*+(?![\\w$])",
        f"(?:true|false|null)(?![\\w$+.-]|{_SPACE}:)",
        f'"{_INSIDE}(?>(?:\\\\["\\\\/bfnrtu]{_INSIDE})*)"',
    )
)
_COMMA, _KEY, _WORD, _SINGLE, _SMART, _COMMENT, _STRING = range(1, 8)
_ODD = "|".join(
    (
        "(,)",
        f"([A-Za-z_$][\\w$-]*+(?={_SPACE}:))",
        "((?ai:true|false|none|null)(?![\\w$+.-]))",
        f"'([^'\\\\\\x00-\\x1f]*+(?>(?:\\\\(?:[\"'\\\\/bfnrt]|u{_HEX}{{4}}|x{_HEX}{{2}})[^'\\\\\\x00-\\x1f]*+)*))'",
        "\u201c([^\u201d\\\\\\x00-\\x1f]*+)\u201d",
        f"({COMMENT.pattern})",
        f'"([^"\\\\]*+(?>(?:\\\\(?:["\'\\\\/bfnrt]|u{_HEX}{{4}})[^"\\\\]*+)*))"',
    )
)
_MARK = re.compile(f"(?>(?:{_REGULAR}){{0,500}})(?:{_ODD})?")
"""Some of strict JSON, and the mark behind it that is not, if it comes there."""

_OTHER_ESCAPES = ("\\'", "\\x", '\\"')  # those JSON does not know, and one with a quote
_COLON = re.compile(f"{_SPACE}:")
_CLOSING = {_SINGLE: "'", _SMART: "\u201d", _STRING: '"'}
_HABITS = {
    _COMMA: "trailing_comma",
    _KEY: "unquoted_key",
    _SINGLE: "single_quotes",
    _SMART: "smart_quotes",
    _COMMENT: "comment",
}
_VALUES = frozenset({_WORD, _SINGLE, _SMART, _STRING})
_LITERALS = {"true": "true", "false": "false", "null": "null", "none": "null"}


def respell(core: str, start: int, noted: list[Noted]) -> str | None:
    """Write an object as JSON does.

    Args:
        core: the text from its opening to its closing brace.
        start: the offset of it.
        noted: takes the repairs.

    Returns:
        The text; the strict parser says whether brackets, commas and colons are in order in it.
        None where a mark is not known.
    """
    pieces: list[str] = []
    told = {kind for _, kind, _, _ in noted}
    pointers = pos = last = 0
    for found in _MARK.finditer(core):
        kind = found.lastindex
        if kind is None:
            if found.end() == len(core):
                break
            if found[0]:
                continue
            return None
        mark = found[kind]
        at = found.start(kind) - (kind in _CLOSING)
        gap = core[pos:at]
        pieces.append(gap)
        pos = found.end()
        habit = _HABITS.get(kind)
        if habit is not None:
            if kind == _COMMA and not _ends_value(gap, last):
                return None
            if habit not in told:
                told.add(habit)
                noted.append((start + at, habit, "", ""))
            pieces.append(_respelt(kind, mark))
        else:
            pointers += 1
            is_key = kind == _STRING and _COLON.match(core, pos) is not None
            pointer = "" if is_key else pointer_behind("".join(pieces))
            if pointer is None or pointers > _MOST_POINTERS:
                return None
            if kind == _WORD:
                noted.append((start + at, "python_literal", pointer, mark))
                pieces.append(_LITERALS[mark.lower()])
            else:
                _note_string(mark, start + at + 1, pointer, noted)
                pieces.append(_quoted(mark, '"'))
        last = kind
    pieces.append(core[pos:])
    return "".join(pieces)


def _ends_value(gap: str, last: int) -> bool:
    """Whether a value stands before a comma: in the strict JSON before it, or as the last mark."""
    before = gap.rstrip(" \t\n\r")
    return before[-1] not in "{[,:" if before else last in _VALUES


def _respelt(kind: int, mark: str) -> str:
    if kind == _COMMA:
        return ""
    if kind == _COMMENT:
        return " "
    if "\\" in mark and any(escape in mark for escape in _OTHER_ESCAPES):
        return _quoted(mark, _CLOSING[kind])
    escaped = mark.replace('"', '\\"')
    return f'"{escaped}"'


def _quoted(inside: str, closing: str) -> str:
    return encode_basestring(unescape(inside, closing))


def _note_string(inside: str, at: int, pointer: str, noted: list[Noted]) -> None:
    control = CONTROL.search(inside)
    if control is not None:
        noted.append((at + control.start(), "control_character", pointer, ""))
    if "\\'" in inside:
        escape = ESCAPED_APOSTROPHE.match(inside)
        if escape is not None:
            noted.append((at + escape.end() - 2, "escape", pointer, ""))
