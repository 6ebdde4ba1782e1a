"""Fields of a message that others wrote: the value where it is what it should be, else nothing."""

from collections.abc import Mapping
from types import NoneType
from typing import cast

from toolroll.content import JsonObject, JsonValue

_NOTHING: JsonObject = {}
_SCALARS = (str, int, float, bool, NoneType)


def text_of(raw: JsonObject, key: str) -> str | None:
    """A text, or None.

    Example:
        >>> text_of({"a": "x", "b": 1}, "a"), text_of({"a": "x", "b": 1}, "b")
        ('x', None)
    """
    value = raw.get(key)
    return value if isinstance(value, str) else None


def as_object(value: JsonValue) -> JsonObject | None:
    """The value where it is an object, or None."""
    return cast("JsonObject", value) if isinstance(value, Mapping) else None


def object_of(raw: JsonObject, key: str) -> JsonObject:
    """An object; an empty one where there is none.

    Example:
        >>> object_of({"a": {"x": 1}}, "a"), object_of({}, "a")
        ({'x': 1}, {})
    """
    found = as_object(raw.get(key))
    return _NOTHING if found is None else found


def list_of(value: JsonValue) -> list[JsonValue]:
    """The items of a list; none where it is no list."""
    return value if isinstance(value, list) else []


def is_plain(
    value: JsonValue, words: frozenset[str], *, most: int = 2000, deepest: int = 60
) -> bool:
    """Whether a value is small, flat and holds none of these keys at any depth.

    A quick look that spares most schemas a walk by position.

    Example:
        >>> is_plain({"a": [{"b": 1}]}, frozenset({"$ref"}))
        True
        >>> is_plain({"a": [{"$ref": 1}]}, frozenset({"$ref"}))
        False
    """
    waiting: list[tuple[JsonValue, int]] = [(value, 0)]
    count = 0
    while waiting:
        item, depth = waiting.pop()
        count += 1
        if count > most or depth > deepest:
            return False
        if isinstance(item, dict):
            if not words.isdisjoint(item):
                return False
            inner = item.values()
        elif isinstance(item, list):
            inner = item
        else:
            return False  # another mapping or sequence: the long way knows it
        waiting.extend((each, depth + 1) for each in inner if not isinstance(each, _SCALARS))
    return True


def token_of(value: JsonValue) -> str | int | None:
    """A text or an integer (an id, a progress token), or None.

    Example:
        >>> token_of(3), token_of(True), token_of(1.0)
        (3, None, None)
    """
    return value if isinstance(value, (str, int)) and not isinstance(value, bool) else None
