"""The shape of a JSON value, told fast: a walk over a schema asks at every step.

The same as in `toolroll.schema.walk`, with the plain `dict` and `list` of decoded JSON first; they
cost a fifth of an abstract class there.
"""

from collections.abc import Mapping
from typing import cast

from toolroll.content import JsonObject, JsonValue


def as_mapping(value: JsonValue) -> JsonObject | None:
    """The value as a JSON object, or None."""
    if type(value) is dict:
        return cast("JsonObject", value)
    if value is None or isinstance(value, (str, int, float, list, tuple)):
        return None
    return cast("JsonObject", value) if isinstance(value, Mapping) else None


def as_list(value: JsonValue) -> list[JsonValue] | None:
    """The value as a JSON array of its own, or None."""
    return list(cast("list[JsonValue]", value)) if isinstance(value, (list, tuple)) else None
