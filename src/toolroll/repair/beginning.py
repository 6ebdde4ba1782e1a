"""A text that is strict JSON up to where it is cut, read at once.

Which containers are open is seen in the text without its strings, where brackets are nothing else,
and what stands at the very end from its last quote on. With that a whole text is made of it, which
the strict parser reads or refuses, and what was put in is taken out again. The result is what the
reader gives step by step.
"""

import re
from string import ascii_letters, digits
from typing import TypeAlias, cast

from toolroll.outcome import Repair
from toolroll.repair.arguments import Arguments
from toolroll.repair.record import make_arguments, make_repair
from toolroll.repair.rule import DEFAULT_RULES, ReadingRules, may_be_beyond
from toolroll.repair.scalar import could_become_scalar, is_literal
from toolroll.repair.shape import count_members
from toolroll.repair.strict import parse_strict
from toolroll.repair.value import Array, Object, step_to

_SPACE = " \t\n\r"
_IN_WORDS = f"{ascii_letters}{digits}+-._"
_LONGEST_ESCAPE = 12  # a surrogate pair
_CUT_ESCAPE = re.compile(r"(\\u[dD][89abAB])|\\(?:u[0-9a-fA-F]{0,3})?\Z")
_BRACKET = re.compile(r"[][{}]")
_CLOSER = {"{": "}", "[": "]"}
_CLOSED = {"}": "closed_object", "]": "closed_array"}

_End: TypeAlias = tuple[str, int, str]
"""What becomes of the last token ("" for nothing), its place, what makes a whole text of it."""

_WHOLE: _End = ("", 0, "")


def read_beginning(text: str, rules: ReadingRules) -> Arguments | None:
    """Read a text that may be the beginning of strict JSON.

    Returns:
        What is certain; None where it is no such beginning, or the reader has to look itself: no
        container is open, a key stands twice, an escape may be cut.
    """
    if (len(text) > rules.depth or rules is not DEFAULT_RULES) and may_be_beyond(text, rules):
        return None
    bare = text
    if "\\" in text:
        bare = text.replace("\\\\", "..").replace('\\"', "..")
        if "\\" in bare[-_LONGEST_ESCAPE:]:
            cut = _CUT_ESCAPE.search(bare, max(len(text) - _LONGEST_ESCAPE, 0))
            if cut is not None:
                if cut.lastindex or bare.count('"') % 2 == 0:
                    return None  # half a character may be missing; or it stands in no string
                text, bare = text[: cut.start()], bare[: cut.start()]
    parts = bare.split('"')
    outside = "".join(parts[::2])
    closers = _closers(outside)
    end = _end(parts, len(text), closers) if closers else None
    return None if end is None else _read(text, outside.count(":"), closers, end)


def _closers(outside: str) -> str:
    """What closes the containers that are open at the end of a text without strings."""
    if "[" not in outside and "}" not in outside and outside.rfind("{") == 0:
        return "}"  # as in most texts
    closers = ""
    for bracket in _BRACKET.findall(outside):
        closers = _CLOSER[bracket] + closers if bracket in _CLOSER else closers[1:]
    return closers


def _end(parts: list[str], end: int, closers: str) -> _End | None:
    """What stands at the end of the text, inside the innermost open container."""
    behind = parts[-1]
    if not len(parts) % 2:  # an open string
        mark = parts[-2].rstrip(_SPACE)[-1:]
        if mark == "{" or (mark == "," and closers[0] == "}"):
            return "dropped_key", end - len(behind) - 1, '":null'
        return "closed_string" if behind else "dropped_value", end, '"'
    tail = behind.rstrip(_SPACE)
    if not tail:
        mark = parts[-3].rstrip(_SPACE)[-1:]
        if mark == "{" or (mark == "," and closers[0] == "}"):
            return "dropped_key", end - len(behind) - len(parts[-2]) - 2, ":null"
        return _WHOLE
    mark = tail[-1]
    if mark == ":":
        return "dropped_value", end, "null"
    if mark == ",":
        return "", 0, '"":null' if closers[0] == "}" else "null"
    if mark in "{[}]" or len(tail) < len(behind):
        return _WHOLE
    word = tail[len(tail.rstrip(_IN_WORDS)) :]
    if is_literal(word):
        return _WHOLE
    return ("dropped_value", end - len(word), "null") if could_become_scalar(word) else None


def _read(text: str, colons: int, closers: str, end: _End) -> Arguments | None:
    """Read what a text is the beginning of, but for what stands at its end."""
    kind, at, suffix = end
    certain = text[:at] if kind == "dropped_value" else text
    try:
        value = cast(
            "Object | Array",
            parse_strict(f"{certain}{suffix}{closers}", allow_inf_nan=False, cache_strings="keys"),
        )
    except (ValueError, TypeError):
        return None
    if len(value) != (colons := colons + (":" in suffix)) and count_members(value) != colons:
        return None  # a key stands twice
    pointer = ""
    partial: tuple[str, ...] = ()
    last = value
    for _ in closers[1:]:
        place = _last_place(last)
        last = cast("Object | Array", last[place] if isinstance(last, dict) else last[-1])
        pointer += step_to(place)
        partial += (pointer,)
    repairs: tuple[Repair, ...] = ()
    if suffix:
        place = _last_place(last) if kind == "closed_string" else _drop_last(last)
        if kind == "dropped_key":
            repairs = (make_repair(at, kind, "", ""),)
        elif kind:
            pointer += step_to(place)
            partial += (pointer,)
            repairs = (make_repair(at, kind, pointer, ""),)
    for closer in closers:
        repairs += (make_repair(len(text), _CLOSED[closer], "", ""),)
    return make_arguments(value, "truncated", partial, repairs)


def _last_place(container: Object | Array) -> str | int:
    """Where the last value of a container stands that is not empty."""
    return next(reversed(container)) if isinstance(container, dict) else len(container) - 1


def _drop_last(container: Object | Array) -> str | int:
    """Take out what came last in a container, and tell its place."""
    if isinstance(container, dict):
        return container.popitem()[0]
    container.pop()
    return len(container)
