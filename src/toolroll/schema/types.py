"""JSON Schema as data."""

from typing import TypeAlias

from toolroll.content import JsonObject, JsonValue

JsonSchema: TypeAlias = JsonObject
"""A JSON Schema whose root is an object. `True` and `False` stand only below the root."""

__all__ = ["JsonObject", "JsonSchema", "JsonValue"]
