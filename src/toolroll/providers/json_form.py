"""Reading JSON of another side without trusting its shape: what does not fit reads as absent."""

from collections.abc import Mapping
from typing import cast

from toolroll.content import JsonObject, JsonValue

_NOTHING: JsonObject = {}


def text_at(holder: JsonObject, key: str) -> str:
    """The text at a key, "" where there is none."""
    value = holder.get(key)
    return value if isinstance(value, str) else ""


def object_at(holder: JsonObject, key: str) -> JsonObject:
    """The object at a key, an empty one where there is none."""
    return as_object(holder.get(key))


def list_at(holder: JsonObject, key: str) -> list[JsonValue]:
    """The array at a key, an empty one where there is none."""
    return as_list(holder.get(key))


def objects_at(holder: JsonObject, key: str) -> list[JsonObject]:
    """The objects of the array at a key; an item that is none reads as an empty one."""
    return [as_object(item) for item in list_at(holder, key)]


def as_object(value: JsonValue) -> JsonObject:
    """The value where it is an object, else an empty one."""
    return cast("JsonObject", value) if isinstance(value, Mapping) else _NOTHING


def as_list(value: JsonValue) -> list[JsonValue]:
    """The value where it is an array, else an empty one."""
    return list(cast("list[JsonValue]", value)) if isinstance(value, (list, tuple)) else []


def whole_at(holder: JsonObject, key: str) -> int | None:
    """The whole number at a key, None where there is none."""
    value = holder.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
