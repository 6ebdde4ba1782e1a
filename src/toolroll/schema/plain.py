"""Values that are JSON and nothing else."""

from collections.abc import Mapping
from math import isfinite
from typing import Any, TypeVar, cast

from toolroll.content import JsonObject, JsonValue
from toolroll.schema.fault import Fault, Parts

T = TypeVar("T")

_ALWAYS_PLAIN = frozenset({int, bool, type(None)})
_HOLDERS = frozenset({dict, list})
_TOO_DEEP = "must not be nested more than {} levels deep"
_NO_JSON = "must be a JSON value"
_NO_NUMBER = "must be a finite number"
_NO_KEY = "must have texts as keys"
_NO_TEXT_KEY = "must have keys that can be encoded (one holds half of a surrogate pair)"
_NO_TEXT = "must be text that can be encoded (it holds half of a surrogate pair)"


def is_plain(value: object, depth: int) -> bool:
    """Whether a value is made of `dict`, `list`, `str`, `bool`, `int`, finite `float` and None.

    Args:
        value: anything.
        depth: levels it may be nested.

    Example:
        >>> is_plain({"a": [1, None]}, 9), is_plain({"a": {1}}, 9), is_plain([float("nan")], 9)
        (True, False, False)
    """
    anything: Any = value  # not cast(): this runs for every call
    kind = anything.__class__
    if kind is str:
        return anything.isascii() or _can_be_encoded(anything)
    if kind is dict:
        for key in anything:
            if key.__class__ is not str or not (key.isascii() or _can_be_encoded(key)):
                return False
        items = anything.values()
    elif kind is list:
        items = anything
    else:
        return kind in _ALWAYS_PLAIN or (kind is float and isfinite(anything))
    if depth <= 0:
        return False
    for item in items:
        kind = item.__class__
        if kind is str:
            if not (item.isascii() or _can_be_encoded(item)):
                return False
        elif kind not in _ALWAYS_PLAIN and not is_plain(item, depth - 1):
            return False
    return True


def fresh(value: T) -> T:
    """A copy of plain JSON, made quickly: what one side does to its own is not seen by the other.

    Example:
        >>> state = {"notes": ["bread"]}
        >>> shown = fresh(state)
        >>> state["notes"].append("tea")
        >>> shown
        {'notes': ['bread']}
    """
    copy: Any = value
    if copy.__class__ is dict:
        copy = copy.copy()
        for key, item in copy.items():
            if item.__class__ in _HOLDERS:
                copy[key] = fresh(item)
    elif copy.__class__ is list:
        copy = [fresh(item) if item.__class__ in _HOLDERS else item for item in copy]
    return copy


def copied(value: JsonValue) -> JsonValue:
    """A copy that shares no dict and no list with the original; tuples and other mappings become
    lists and dicts.

    Example:
        >>> first = [1, {"a": []}]
        >>> copied(first) == first, copied(first)[1] is first[1]
        (True, False)
    """
    if isinstance(value, Mapping):
        return {key: copied(item) for key, item in cast("JsonObject", value).items()}
    if isinstance(value, (list, tuple)):
        return [copied(item) for item in cast("list[JsonValue]", value)]
    return value


def _can_be_encoded(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair: no JSON text can hold it
        return False
    return True


def plain_copy(value: object, depth: int) -> tuple[JsonValue, list[Fault]]:
    """Copy a value as plain JSON: mappings as `dict`, tuples as `list`, subclasses as their base.

    Returns:
        The copy, and a fault for each place that cannot be JSON (there the copy holds None).

    Example:
        >>> plain_copy({"a": (1, 2)}, 9)
        ({'a': [1, 2]}, [])
        >>> [fault.problem for fault in plain_copy({"a": {1}}, 9)[1]]
        ['must be a JSON value']
    """
    faults: list[Fault] = []
    return _copy(value, depth, (), faults), faults


def _copy(value: object, depth: int, parts: Parts, faults: list[Fault]) -> JsonValue:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        text = str(value)
        return text if _can_be_encoded(text) else _refuse(_NO_TEXT, parts, faults)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if isfinite(value) else _refuse(_NO_NUMBER, parts, faults)
    if not isinstance(value, (Mapping, list, tuple)):
        return _refuse(_NO_JSON, parts, faults)
    if depth <= 0:
        return _refuse(_TOO_DEEP.format(len(parts)), parts, faults)
    if isinstance(value, Mapping):
        copied: dict[str, JsonValue] = {}
        for key, item in cast("Mapping[object, object]", value).items():
            if not isinstance(key, str):
                _refuse(_NO_KEY, parts, faults)
                continue
            if not _can_be_encoded(key):
                _refuse(_NO_TEXT_KEY, parts, faults)
                continue
            copied[str(key)] = _copy(item, depth - 1, (*parts, key), faults)
        return copied
    items = cast("list[object]", value)
    return [_copy(item, depth - 1, (*parts, index), faults) for index, item in enumerate(items)]


def _refuse(problem: str, parts: Parts, faults: list[Fault]) -> None:
    faults.append(Fault(parts=parts, keyword="", problem=problem))
