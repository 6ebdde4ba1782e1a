"""A structured answer that is no object, where a provider takes only objects."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from toolroll.content import JsonObject, JsonValue
from toolroll.dialects.record import Restore

FIELD = "value"
"""The property that holds it."""


def wrapped_in_object(schema: JsonObject, *, closed: bool = True) -> dict[str, JsonValue]:
    """An object with the schema as its one property, closed where the provider has a word for it.

    Example:
        >>> wrapped_in_object({"type": "array"})["properties"]
        {'value': {'type': 'array'}}
    """
    inner = {key: value for key, value in schema.items() if key != "$defs"}
    outer: dict[str, JsonValue] = {
        "type": "object",
        "properties": {FIELD: inner},
        "required": [FIELD],
    }
    if closed:
        outer["additionalProperties"] = False
    return {**outer, "$defs": schema["$defs"]} if "$defs" in schema else outer


def unwrapping(restore: Restore) -> Restore:
    """The way back that takes the value out first."""
    return _Unwrapping(restore)


@dataclass(frozen=True, slots=True)
class _Unwrapping:
    restore: Restore

    def __call__(self, answer: JsonValue) -> JsonValue:
        if isinstance(answer, Mapping):
            held = cast("JsonObject", answer)
            if list(held) == [FIELD]:
                return self.restore(held[FIELD])
        return self.restore(answer)
