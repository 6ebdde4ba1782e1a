"""JSON as Python values: what an argument, a schema or a result may hold."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

JsonScalar: TypeAlias = str | int | float | bool | None
JsonValue: TypeAlias = JsonScalar | Sequence["JsonValue"] | Mapping[str, "JsonValue"]
"""Any JSON value. It is read as `list` and `dict`, and written from those and from tuples."""

JsonObject: TypeAlias = Mapping[str, JsonValue]
"""A JSON object."""


class _Empty(dict[str, JsonValue]):
    """An object that stays empty, so that records can share it as their default."""

    def __setitem__(self, key: str, value: JsonValue) -> None:
        raise TypeError("this object is shared and stays empty")

    def __hash__(self) -> int:  # type: ignore[override]
        return 0


EMPTY: JsonObject = _Empty()
"""The default of records that carry an object."""
