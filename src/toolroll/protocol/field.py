"""Fields of a message that others wrote: the value where it is what it should be, else nothing."""

from collections.abc import Mapping
from typing import cast

from toolroll.content import JsonObject, JsonValue

_NOTHING: JsonObject = {}


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


def token_of(value: JsonValue) -> str | int | None:
    """A text or an integer (an id, a progress token), or None.

    Example:
        >>> token_of(3), token_of(True), token_of(1.0)
        (3, None, None)
    """
    return value if isinstance(value, (str, int)) and not isinstance(value, bool) else None
