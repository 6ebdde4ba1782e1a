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
from toolroll.repair.strict import BEHIND, NOT_PARSED, parse_at, parse_strict
from toolroll.repair.tape import Noted

_LONGEST_AROUND = 90
_MARKS = ("{", "}", "")
_TEXT = "[^\"'`{}\\[\\]\u201c\u201d]*+"
_PROSE = f"{_TEXT}(?>(?:(?<=\\w)'(?=\\w){_TEXT})*)"
_BEFORE = re.compile(
    "(\ufeff?)[ \\t\\n\\r]*+"
    f"((?>(?:[A-Za-z<]{_PROSE})?))(?>(```[ \\t]*+[\\w+-]*+[ \\t\\n\\r]*+)?)(?={{)"
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
    if (len(text) > rules.depth or rules is not DEFAULT_RULES) and may_be_beyond(text, rules):
        return None
    noted: list[Noted] = []
    if text[:1] == "{" and text[-1:] == "}":
        if hint.startswith(BEHIND):
            return _read_several(text, 0, len(text), noted, rules)
        value = read_respelt(text, 0, hint, noted)
        return None if value is None else [conclude_one(value, noted)]
    stop = text.rfind("}") + 1
    start = _note_around(text, stop, noted)
    if start < 0:
        return None
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
    value = read_respelt(core, start, hint, noted)
    return None if value is None else [conclude_one(value, noted)]


def _note_around(text: str, stop: int, noted: list[Noted]) -> int:
    """Note what stands around the object; where it begins, below 0 where the reader has to look."""
    before = _BEFORE.match(text, 0, _LONGEST_AROUND + 1)
    after = _AFTER.fullmatch(text, stop) if len(text) - stop <= _LONGEST_AROUND else None
    if before is None or after is None:
        return -1
    mark, prose, fence = before.groups()
    if mark:
        noted.append((0, "odd_space", "", ""))
    if prose:
        noted.append((before.start(2), "text_before", "", ""))
    if fence:
        noted.append((before.start(3), "code_fence", "", ""))
    behind = after[1]
    if behind is not None:
        if behind[0] != "`":
            noted.append((after.start(1), "text_after", "", ""))
        elif not fence:
            noted.append((after.start(1), "code_fence", "", ""))
    return before.end()


def _read_several(
    text: str, start: int, stop: int, noted: list[Noted], rules: ReadingRules
) -> list[Arguments] | None:
    """Read objects that stand side by side, and what closes nothing behind them."""
    found = Found()
    value: JsonValue = {}
    pos, before = start, "{}"
    while pos < stop and text[pos] == "{":
        same = text.startswith(before, pos)
        if not same:
            try:
                value, end = parse_at(text, pos)
            except NOT_PARSED:
                return None
            before = text[pos:end]
            if not has_all_members(value, before):
                return None
        if found.count == rules.objects:
            return None
        told = found.take(value, pos, same=same)
        if told is not None:
            noted.append((told[1], told[0], "", ""))
        pos = _past_space(text, pos + len(before))
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
