"""Texts that are whole and damaged in a common way, read at once.

Most damage is one of a few habits: a fence or a sentence around the object, a comma or a bracket
too many, the syntax of another language. Here the text is put right as a text and left to the
strict parser, which then says whether that was all of it. The result is what the reader gives step
by step; where that is not certain, there is none, and the reader looks itself.
"""

import re
from typing import cast

from toolroll.content import JsonValue
from toolroll.repair.arguments import Arguments
from toolroll.repair.conclusion import conclude_one, conclude_roots
from toolroll.repair.found import Found
from toolroll.repair.pattern import BLANK
from toolroll.repair.respelling import read_respelt
from toolroll.repair.rule import DEFAULT_RULES, ReadingRules, may_be_beyond
from toolroll.repair.shape import has_all_members, may_end_later
from toolroll.repair.strict import BEHIND, parse_at, parse_strict
from toolroll.repair.tape import Noted

_LONGEST_AROUND = 90
_MARKS = ("{", "}", "")
_TEXT = "[^\"'`{}\\[\\]\u201c\u201d]*+"
_PROSE = f"{_TEXT}(?>(?:(?<=\\w)'(?=\\w){_TEXT})*)"
_BEFORE = re.compile(
    f"(\ufeff?)[ \\t\\n\\r]*+((?>(?:[A-Za-z<]{_PROSE})?))(?>(```[ \\t]*+[\\w+-]*+[ \\t\\n\\r]*+)?)"
)
"""What may stand before the object: a byte order mark, prose or tags, an opening fence."""

_AFTER = re.compile(f"[ \\t\\n\\r]*+(?>([A-Za-z<.;)!\\x00]{_PROSE}|```[ \\t\\n\\r]*+)?)")
"""What may stand behind it: prose or tags, or a closing fence."""


def read_habit(text: str, rules: ReadingRules, hint: str) -> list[Arguments] | None:
    """Read a text that is damaged in a common way.

    Args:
        text: the text.
        rules: the limits.
        hint: how the strict parser says what is wrong with it.

    Returns:
        What was read; None where the reader has to look itself.
    """
    start = 0 if text[:1] == "{" else text.find("{")
    stop = len(text) if text[-1:] == "}" else text.rfind("}") + 1
    if start < 0 or stop <= start:
        return None
    if (len(text) > rules.depth or rules is not DEFAULT_RULES) and may_be_beyond(text, rules):
        return None
    noted: list[Noted] = []
    if start and not _note_before(text[:start], noted):
        return None
    if stop < len(text) and not _note_after(text[stop:], stop, noted):
        return None
    core = text
    if start or stop < len(text):
        core = text[start:stop]
        try:
            value = parse_strict(core, allow_inf_nan=False)
        except ValueError as fault:
            hint = fault.args[0]
        except TypeError:
            return None
        else:
            return [conclude_one(value, noted)] if has_all_members(value, core) else None
    if hint.startswith(BEHIND):
        return _read_several(text, start, stop, noted, rules)
    respelt = read_respelt(core, start, hint, noted)
    return None if respelt is None else [conclude_one(respelt, noted)]


def _note_before(before: str, noted: list[Noted]) -> bool:
    """Note what stands before the object; False where the reader has to look."""
    found = _BEFORE.fullmatch(before) if len(before) <= _LONGEST_AROUND else None
    if found is None:
        return False
    mark, prose, fence = found.groups()
    if mark:
        noted.append((0, "odd_space", "", ""))
    if prose:
        noted.append((found.start(2), "text_before", "", ""))
    if fence:
        noted.append((found.start(3), "code_fence", "", ""))
    return True


def _note_after(after: str, at: int, noted: list[Noted]) -> bool:
    """Note what stands behind it; False where the reader has to look."""
    found = _AFTER.fullmatch(after) if len(after) <= _LONGEST_AROUND else None
    if found is None:
        return False
    if found[1] is None:
        return True
    if found[1][0] != "`":
        noted.append((at + found.start(1), "text_after", "", ""))
    elif all(kind != "code_fence" for _, kind, _, _ in noted):
        noted.append((at + found.start(1), "code_fence", "", ""))
    return True


def _read_several(
    text: str, start: int, stop: int, noted: list[Noted], rules: ReadingRules
) -> list[Arguments] | None:
    """Read objects that stand side by side, and what closes nothing behind them."""
    found = Found()
    pos, before = start, ""
    value: JsonValue = None
    while pos < stop and text[pos] == "{":
        same = bool(before) and text.startswith(before, pos)
        end = pos + len(before)
        if not same:
            try:
                value, end = parse_at(text, pos)
            except (ValueError, RecursionError):
                return None
        piece = text[pos:end]
        if found.count == rules.objects or not (same or has_all_members(value, piece)):
            return None
        told = found.take(value, pos, same=same)
        if told is not None:
            noted.append((told[1], told[0], "", ""))
        before, pos = piece, _past_space(text, end)
    if pos < stop and (may_end_later(value) or ":" in text[:start] or "=" in text[:start]):
        return None
    while pos < stop and text[pos] == "}":
        noted.append((pos, "extra_closer", "", ""))
        pos = _past_space(text, pos + 1)
    if pos < stop or len(noted) > rules.repairs:
        return None
    if len(found.roots) == 1:
        return [conclude_one(found.roots[0][0], noted)]
    return conclude_roots(found.roots or [({}, start, False)], noted)


def _past_space(text: str, pos: int) -> int:
    if text[pos : pos + 1] in _MARKS:
        return pos
    return cast("re.Match[str]", BLANK.match(text, pos)).end()
