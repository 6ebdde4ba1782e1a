"""What the strict parser names, put right where it stands: a comma, a comment, a Python word."""

import re

from toolroll.repair.pattern import COMMENT
from toolroll.repair.place import offset_of, pointer_behind
from toolroll.repair.strict import LAST_COMMA, NO_COMMA, NO_KEY, NO_VALUE
from toolroll.repair.tape import Noted

_OUTSIDE_STRINGS = (LAST_COMMA, NO_KEY, "expected ")  # what the strict parser says of marks there
_WORD = re.compile("(?ai:true|false|none|null)(?![\\w$+.-])")
_JSON_WORDS = {"true": "true", "false": "false", "null": "null", "none": "null"}


def patch(core: str, start: int, hint: str, noted: list[Noted]) -> str | None:
    """Put right the one mark that the strict parser names, without a change of length.

    Args:
        core: the text from its opening to its closing brace.
        start: the offset of it.
        hint: what the strict parser says of it.
        noted: takes the repair.

    Returns:
        The text with that mark put right; None where the parser names something else.
    """
    if " column " not in hint or not hint.startswith(_OUTSIDE_STRINGS):
        return None
    said, _, column = hint.rpartition(" ")
    at = int(column) - 1
    if not said.endswith(" line 1 column") or not core.isascii():
        at = offset_of(core, int(said.split(" ")[-2]), at)
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
    if hint.startswith(NO_VALUE) and mark.isalpha():
        return _with_json_word(core, at, start, noted)
    comment = COMMENT.match(core, at) if mark and mark in "/#" else None
    if comment is None:
        return None
    _note_once("comment", start + at, noted)
    return core[:at] + " " * (comment.end() - at) + core[comment.end() :]


def _with_json_word(core: str, at: int, start: int, noted: list[Noted]) -> str | None:
    found = _WORD.match(core, at)
    pointer = None if found is None else pointer_behind(core[:at])
    if found is None or pointer is None:
        return None
    noted.append((start + at, "python_literal", pointer, found[0]))
    return f"{core[:at]}{_JSON_WORDS[found[0].lower()]}{core[found.end() :]}"


def _note_once(kind: str, at: int, noted: list[Noted]) -> None:
    if not noted or all(one[1] != kind for one in noted):
        noted.append((at, kind, "", ""))


def _lacks_comma(core: str, at: int) -> bool:
    """Whether a comma is missing before a quote, and did not slip into the string before."""
    before = core[:at].rstrip(" \t\n\r")
    if len(before) == at:
        return False
    return before[-1] != '"' or ("\\" not in before[-8:] and before[:-1].rstrip()[-1:] != ",")
