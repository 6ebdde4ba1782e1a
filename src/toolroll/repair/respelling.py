"""An object in almost JSON, put right as a text for the strict parser.

A text is respelt mark by mark: what JSON writes otherwise is written so, all else stays. The parser
then says whether brackets, commas and colons are in order. Nothing here looks at what the text
means, but for the pointers of repairs.
"""

import re
from json.encoder import encode_basestring

from toolroll.content import JsonValue
from toolroll.repair.escape import ESCAPED_APOSTROPHE, unescape
from toolroll.repair.pattern import CONTROL
from toolroll.repair.shape import has_all_members
from toolroll.repair.strict import LAST_COMMA, NO_COMMA, NO_KEY, parse_strict
from toolroll.repair.tape import Noted
from toolroll.repair.value import step_to

_MOST_PATCHES = 3
_MOST_POINTERS = 8
_OTHER_QUOTES = re.compile(
    '["\\\\\u201c/#]'
)  # beside these a single quote may be a part of something

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
_COMMENT_TEXT = "/\\*[^*]*+\\*++(?>(?:[^/*][^*]*+\\*++)*)/|(?://|\\#)[^\\n]*+\\n"
_COMMA, _KEY, _WORD, _SINGLE, _SMART, _COMMENT, _STRING = range(1, 8)
_ODD = "|".join(
    (
        "(,)",
        f"([A-Za-z_$][\\w$-]*+(?={_SPACE}:))",
        "((?ai:true|false|none|null)(?![\\w$+.-]))",
        f"'([^'\\\\\\x00-\\x1f]*+(?>(?:\\\\(?:[\"'\\\\/bfnrt]|u{_HEX}{{4}}|x{_HEX}{{2}})[^'\\\\\\x00-\\x1f]*+)*))'",
        "\u201c([^\u201d\\\\\\x00-\\x1f]*+)\u201d",
        f"({_COMMENT_TEXT})",
        f'"([^"\\\\]*+(?>(?:\\\\(?:["\'\\\\/bfnrt]|u{_HEX}{{4}})[^"\\\\]*+)*))"',
    )
)
_MARK = re.compile(f"(?>(?:{_REGULAR}){{0,500}})(?:{_ODD})?")
"""Some of strict JSON, and the mark behind it that is not, if it comes there."""

_COMMENTED = re.compile(_COMMENT_TEXT)
_BARE_KEY = re.compile(f"([A-Za-z_$][\\w$-]*+)(?={_SPACE}:)")
_SMART_PAIR = re.compile('\u201c[^\u201c\u201d"]*+\u201d')
_NO_STRINGS = re.compile("['\\\\/#]")
_OTHER_ESCAPES = ("\\'", "\\x", '\\"')  # those JSON does not know, and one with a quote
_OUTSIDE_STRINGS = (LAST_COMMA, NO_KEY, "expected ")  # what the strict parser says of marks there
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


def read_respelt(core: str, start: int, hint: str, noted: list[Noted]) -> JsonValue:
    """Read an object that is not strict JSON.

    Args:
        core: the text from its opening to its closing brace.
        start: the offset of it.
        hint: what the strict parser says of it.
        noted: takes the repairs.

    Returns:
        The object; None where that is not certain.
    """
    value: JsonValue = None
    if "'" in core and _OTHER_QUOTES.search(core) is None:
        # All quotes are single ones, so each of them begins or ends a string.
        noted.append((start + core.index("'"), "single_quotes", "", ""))
        core = core.replace("'", '"')
        value, hint = _parse(core)
    for _ in range(_MOST_PATCHES):
        if value is not None:
            return value
        patched = _patch(core, start, hint, noted)
        if patched is None:
            break
        core = patched
        value, hint = _parse(core)
    if value is not None:
        return value
    if hint.startswith(NO_COMMA):
        return None  # something stands where nothing can, however it is spelt
    if hint.startswith(NO_KEY):
        value = _with_quoted_keys(core, start, noted)
        if value is not None:
            return value
    strict = _respell(core, start, noted)
    return None if strict is None else _parse(strict)[0]


def _parse(strict: str) -> tuple[JsonValue, str]:
    """The value, or None and what the strict parser says; None too where a key stands twice."""
    try:
        value = parse_strict(strict, allow_inf_nan=False, cache_strings="keys")
    except (ValueError, TypeError) as fault:
        return None, fault.args[0]
    return (value if has_all_members(value, strict) else None), ""


def _with_quoted_keys(core: str, start: int, noted: list[Noted]) -> JsonValue:
    """Read an object with bare keys or typographic quotes; None where more than that is odd."""
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
    value = _parse(strict)[0]
    if value is not None:
        noted.append((at, "unquoted_key", "", ""))
    return value


def _with_straight_quotes(core: str, outside: str, start: int, noted: list[Noted]) -> JsonValue:
    """Read an object whose typographic quotes all stand in pairs outside its other strings."""
    pairs = len(_SMART_PAIR.findall(outside))
    if core.count("\u201c") != pairs or core.count("\u201d") != pairs:
        return None
    value = _parse(core.replace("\u201c", '"').replace("\u201d", '"'))[0]
    if value is not None:
        noted.append((start + core.index("\u201c"), "smart_quotes", "", ""))
    return value


def _patch(core: str, start: int, hint: str, noted: list[Noted]) -> str | None:
    """Put right what the strict parser names, without a change of length."""
    if " column " not in hint or not hint.startswith(_OUTSIDE_STRINGS):
        return None
    said, _, column = hint.rpartition(" ")
    at = int(column) - 1
    if not said.endswith(" line 1 column") or not core.isascii():
        at = _place(core, int(said.split(" ")[-2]), at)
    mark = core[at : at + 1]
    if hint.startswith(LAST_COMMA):
        at = core.rindex(",", 0, at)
        _note_once("trailing_comma", start + at, noted)
        return f"{core[:at]} {core[at + 1 :]}"
    if hint.startswith(NO_COMMA):
        if mark != '"' or not _lacks_comma(core, at) or any("single" in one[1] for one in noted):
            return None
        _note_once("missing_comma", start + at, noted)
        return f"{core[: at - 1]},{core[at:]}"
    comment = _COMMENTED.match(core, at) if mark and mark in "/#" else None
    if comment is None:
        return None
    _note_once("comment", start + at, noted)
    return core[:at] + " " * (comment.end() - at) + core[comment.end() :]


def _note_once(kind: str, at: int, noted: list[Noted]) -> None:
    if not noted or all(one[1] != kind for one in noted):
        noted.append((at, kind, "", ""))


def _lacks_comma(core: str, at: int) -> bool:
    """Whether a comma is missing before a quote, and did not slip into the string before."""
    before = core[:at].rstrip(" \t\n\r")
    if len(before) == at:
        return False
    return before[-1] != '"' or ("\\" not in before[-8:] and before[:-1].rstrip()[-1:] != ",")


def _place(core: str, line: int, column: int) -> int:
    """The offset that the strict parser means: it counts bytes in a line."""
    at = 0
    for _ in range(line - 1):
        at = core.index("\n", at) + 1
    return at + len(core[at : at + column].encode()[:column].decode(errors="ignore"))


def _respell(core: str, start: int, noted: list[Noted]) -> str | None:
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
            pointer = "" if is_key else _pointer(pieces)
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


def _pointer(pieces: list[str]) -> str | None:
    """The pointer of the value that comes behind these pieces; None where none can."""
    try:
        value = parse_strict(
            "".join([*pieces, "null"]), allow_inf_nan=False, allow_partial="trailing-strings"
        )
    except (ValueError, TypeError):
        return None
    pointer = ""
    while value:
        if isinstance(value, dict):
            key = next(reversed(value))
            value = value[key]
        elif isinstance(value, list):
            key = len(value) - 1
            value = value[-1]
        else:
            break
        pointer += step_to(key)
    return pointer
