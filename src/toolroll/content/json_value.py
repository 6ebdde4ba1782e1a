"""JSON as Python values: what an argument, a schema or a result may hold."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

JsonScalar: TypeAlias = str | int | float | bool | None
JsonValue: TypeAlias = JsonScalar | Sequence["JsonValue"] | Mapping[str, "JsonValue"]
"""Any JSON value. Arrays are read as `list`, objects as `dict`; tuples and mappings are written too."""

JsonObject: TypeAlias = Mapping[str, JsonValue]
"""A JSON object."""
