"""Repair by schema: what is put right where a check failed and exactly one reading is possible.

| kind | where |
| --- | --- |
| `drop_null` | a null at a property that the schema names and that takes no null: 'left out' |
| `parse_text` | text where none is allowed: JSON, a canonical number, `true` or `false` |
| `rename_key` | an unknown key that equals one unsent property but for case and separators |

A null in a list or an open record stays, a text where text is allowed stays, and a key that fits
two properties stays: a guess is never better than an error.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isfinite
from typing import cast

from toolroll.content import JsonValue
from toolroll.outcome import Repair
from toolroll.schema.bound import Clamped
from toolroll.schema.fault import Fault, Parts, order_of, value_at
from toolroll.schema.plain import fresh
from toolroll.schema.pointer import escape_part, parts_of, pointer_of

_ROUNDS = 8
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,39})")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,39})(?:\.[0-9]{1,40})?(?:[eE][+-]?[0-9]{1,3})?")
_SEPARATORS = re.compile(r"[\s_.\-]+")


def mend(
    value: JsonValue,
    faults: Sequence[Fault],
    check: Callable[[JsonValue], Sequence[Fault]],
    cut: Callable[[JsonValue], Clamped] | None = None,
) -> tuple[JsonValue, list[Fault], list[Repair]]:
    """Put right what has one reading, and check again, until nothing is left to do.

    Args:
        value: the input, as plain JSON; never changed itself.
        faults: what the check said of it.
        check: checks a changed input.
        cut: cuts a changed input to its bounds, for a tool that asks for it.

    Returns:
        The input after all repairs, the faults left, and the repairs in order of place.
    """
    original, repairs = value, list[Repair]()
    left = list(faults)
    for _ in range(_ROUNDS):
        value, done = _round(value, left)
        if not done:
            break
        repairs += done
        if cut is not None:
            clamped = cut(value)
            value = clamped.value
            repairs += clamped.repairs
        left = list(check(value))
        if not left:
            break
    if len(repairs) > 1:
        places = _Places(original, {repair.pointer: repair.was for repair in repairs if repair.was})
        repairs.sort(key=lambda repair: places.of(repair.pointer))
    return value, left, repairs


def fold_key(key: str) -> str:
    """A key without case and separators: what `rename_key` compares.

    Example:
        >>> fold_key("Page-Size"), fold_key("page_size")
        ('pagesize', 'pagesize')
    """
    return _SEPARATORS.sub("", key).casefold()


def parse_text(text: str, types: Iterable[str]) -> JsonValue:
    """Read a text as one of the wanted types, `string` not among them; None where it is none.

    A text in which a key stands twice has more than one reading, so it is none.

    Example:
        >>> parse_text("7", ["integer"]), parse_text("[1]", ["array"])
        (7, [1])
        >>> parse_text("1.5", ["integer"]), parse_text("a,b", ["array"])
        (None, None)
    """
    wanted = set(types)
    if "boolean" in wanted and text.lower() in ("true", "false"):
        return text.lower() == "true"
    if wanted & {"integer", "number"} and _INTEGER.fullmatch(text):
        return int(text)
    if "number" in wanted and _NUMBER.fullmatch(text):
        number = float(text)
        return number if isfinite(number) else None
    if not wanted & {"array", "object"} or text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        read = json.loads(text, parse_constant=_refuse, object_pairs_hook=_object)
    except (ValueError, RecursionError):
        return None
    kind = "object" if isinstance(read, dict) else "array"
    return cast("JsonValue", read) if kind in wanted else None


_MOST_RENAMED = 256
"""Unknown keys of one input beyond which none is taken for another's spelling: each is held against
all keys beside it."""


def _round(value: JsonValue, faults: Sequence[Fault]) -> tuple[JsonValue, list[Repair]]:
    mended = fresh(value)
    repairs: list[Repair] = []
    touched: set[Parts] = set()
    renames = sum(fault.unknown is not None for fault in faults) <= _MOST_RENAMED
    for fault in faults:
        repair: Repair | None
        if fault.unknown is not None:
            repair = _renamed(mended, fault) if renames else None
        elif fault.parts in touched:
            continue
        else:
            mended, repair = _replaced(mended, fault)
        if repair is not None:
            touched.add(fault.parts)
            repairs.append(repair)
    return mended, repairs


def _replaced(value: JsonValue, fault: Fault) -> tuple[JsonValue, Repair | None]:
    held = value_at(value, fault.parts)
    pointer = pointer_of(fault.parts)
    holder = value_at(value, fault.parts[:-1])
    if held is None and fault.declared and isinstance(holder, dict) and fault.parts[-1] in holder:
        del holder[fault.parts[-1]]
        return value, Repair("drop_null", pointer)
    if not isinstance(held, str):
        return value, None
    read = _read_for(held, fault)
    if read is None:
        return value, None
    if not fault.parts:
        return read, Repair("parse_text", pointer)
    cast("dict[str | int, JsonValue]", holder)[fault.parts[-1]] = read
    return value, Repair("parse_text", pointer)


def _read_for(text: str, fault: Fault) -> JsonValue:
    if fault.keyword == "type":
        return None if "string" in fault.types else parse_text(text, fault.types)
    if fault.choices and not any(isinstance(choice, str) for choice in fault.choices):
        read = parse_text(text, ("boolean", "number"))
        same = [
            choice
            for choice in fault.choices
            if choice == read and isinstance(choice, bool) == isinstance(read, bool)
        ]
        return same[0] if len(same) == 1 else None
    return None


def _renamed(value: JsonValue, fault: Fault) -> Repair | None:
    key, holder = cast("str", fault.unknown), value_at(value, fault.parts)
    if not isinstance(holder, dict) or key not in holder:
        return None
    folded = fold_key(key)
    fits = {name for names in fault.takes for name in names if fold_key(name) == folded}
    if len(fits) != 1 or any(other != key and fold_key(other) == folded for other in holder):
        return None
    (name,) = fits
    items = [(name if old == key else old, item) for old, item in holder.items()]
    holder.clear()
    holder.update(items)
    return Repair("rename_key", pointer_of((*fault.parts, name)), was=key)


class _Places:
    """Where things stood in an input as it came.

    Args:
        value: the input.
        before: the old keys of places whose keys were renamed, by pointer.
    """

    def __init__(self, value: JsonValue, before: Mapping[str, str]) -> None:
        self._value = value
        self._before = before
        self._orders: dict[int, dict[str, int]] = {}

    def of(self, pointer: str) -> tuple[int, ...]:
        """What to sort a place by."""
        value = self._value
        steps: list[int] = []
        place = ""
        for now in parts_of(pointer):
            place = f"{place}/{escape_part(now)}"
            part = self._before.get(place, now)
            if isinstance(value, dict):
                order = order_of(value, self._orders)
                steps.append(order.get(part, len(order)))
                value = value.get(part)
            elif isinstance(value, list):
                steps.append(int(part))
                value = value[int(part)] if int(part) < len(value) else None
            else:
                steps.append(0)
        return tuple(steps)


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def _object(members: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    found = dict(members)
    if len(found) < len(members):
        raise ValueError("a key stands twice: which one is meant?")
    return found
