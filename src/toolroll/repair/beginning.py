"""A text that is strict JSON up to where it is cut, read at once.

Which containers are open and what stands at the very end is seen in the text without its strings:
there, brackets, colons and commas are nothing else. With that a whole text is made of it, which the
strict parser reads or refuses, and what was put in is taken out again. The result is what the
reader gives step by step.
"""

import re
from typing import TypeAlias

from toolroll.content import JsonValue
from toolroll.outcome import Repair
from toolroll.repair.arguments import Arguments
from toolroll.repair.record import make_arguments, make_repair
from toolroll.repair.rule import DEFAULT_RULES, ReadingRules, may_be_beyond
from toolroll.repair.scalar import could_become_scalar, is_literal
from toolroll.repair.shape import count_members
from toolroll.repair.strict import parse_strict
from toolroll.repair.value import step_to

_SPACE = " \t\n\r"
_BEFORE_WORD = (":", ",", "[", *_SPACE)
_LONGEST_ESCAPE = 12  # a surrogate pair
_CUT_ESCAPE = re.compile(r"(\\u[dD][89abAB])|\\(?:u[0-9a-fA-F]{0,3})?\Z")
_BRACKET = re.compile(r"[][{}]")
_CLOSED = {"{": "closed_object", "[": "closed_array"}
_CLOSER = {"{": "}", "[": "]"}

_End: TypeAlias = tuple[str, int, str]
"""What becomes of the last token ("" for nothing), its place, what makes a whole text of it."""

_WHOLE: _End = ("", 0, "")


class _Unclear(Exception):
    """The reader has to look itself."""


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
    if outside.rfind("{") == 0 and "[" not in outside and "}" not in outside:
        opened = ["{"]  # as in most texts
    else:
        opened = _still_open(outside)
        if not opened:
            return None
    try:
        return _read(text, parts, opened, outside.count(":"))
    except (ValueError, TypeError, LookupError, _Unclear):
        return None


def _still_open(outside: str) -> list[str]:
    opened: list[str] = _BRACKET.findall(outside)
    if "}" not in outside and "]" not in outside:
        return opened
    brackets, opened = opened, []
    for bracket in brackets:
        if bracket in "{[":
            opened.append(bracket)
        elif opened:
            opened.pop()
    return opened


def _read(text: str, parts: list[str], opened: list[str], colons: int) -> Arguments:
    end = len(text)
    kind, at, suffix = _end(parts, end, opened[-1])
    certain = text[:at] if kind == "dropped_value" else text
    if len(opened) == 1:
        closers = _CLOSER[opened[0]]
    else:
        closers = "".join([_CLOSER[opening] for opening in reversed(opened)])
    whole = f"{certain}{suffix}{closers}"
    value = last = parse_strict(whole, allow_inf_nan=False, cache_strings="keys")
    pointer = ""
    partial: list[str] = []
    for _ in opened[1:]:
        place, last = _last_of(last)
        pointer += step_to(place)
        partial.append(pointer)
    repairs: list[Repair] = []
    if suffix:
        if kind == "closed_string":
            place, _ = _last_of(last)
        elif isinstance(last, dict):
            place, _ = last.popitem()
        elif isinstance(last, list):
            last.pop()
            place = len(last)
        else:
            raise _Unclear
        if kind == "dropped_key":
            repairs.append(make_repair(at, kind, "", ""))
        elif kind:
            pointer += step_to(place)
            partial.append(pointer)
            repairs.append(make_repair(at, kind, pointer, ""))
            colons -= kind == "dropped_value" and isinstance(last, dict)
    flat = isinstance(value, dict) and len(value) == colons
    if not flat and count_members(value) != colons:
        raise _Unclear  # a key stands twice
    while opened:
        repairs.append(make_repair(end, _CLOSED[opened.pop()], "", ""))
    return make_arguments(value, "truncated", tuple(partial), tuple(repairs))


def _last_of(container: JsonValue) -> tuple[str | int, JsonValue]:
    """The place and the value of what came last in a container."""
    if isinstance(container, dict) and container:
        key = next(reversed(container))
        return key, container[key]
    if isinstance(container, list) and container:
        return len(container) - 1, container[-1]
    raise _Unclear


def _end(parts: list[str], end: int, container: str) -> _End:
    """What stands at the end of the text, inside the innermost open container."""
    if not len(parts) % 2:  # an open string
        mark = parts[-2].rstrip(_SPACE)[-1:]
        if mark == "{" or (mark == "," and container == "{"):
            return "dropped_key", end - len(parts[-1]) - 1, '":null'
        return "closed_string" if parts[-1] else "dropped_value", end, '"'
    tail = parts[-1].rstrip(_SPACE)
    if not tail:
        mark = parts[-3].rstrip(_SPACE)[-1:]
        if mark == "{" or (mark == "," and container == "{"):
            return "dropped_key", end - len(parts[-1]) - len(parts[-2]) - 2, ":null"
        return _WHOLE
    if tail[-1] == ":":
        return "dropped_value", end, "null"
    if tail[-1] == ",":
        return "", 0, '"":null' if container == "{" else "null"
    if tail[-1] in "{[}]" or len(tail) < len(parts[-1]):
        return _WHOLE
    word = tail[1 + max(map(tail.rfind, _BEFORE_WORD)) :]
    if is_literal(word):
        return _WHOLE
    if not could_become_scalar(word):
        raise _Unclear
    return "dropped_value", end - len(word), "null"
