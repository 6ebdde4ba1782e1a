"""Which arguments of a tool travel as headers, by what is known of its schema now."""

from typing import TypeVar

from toolroll.content import JsonObject
from toolroll.protocol import Mark, find_marks
from toolroll.tools.definition import ToolDefinition

Kept = TypeVar("Kept")

_KEPT = 10_000


class MarkBook:
    """The marks of a source's tools.

    They are read from the definition of a call, so a stored catalog needs no second listing. Where
    the server said that they are out of date, a newer schema stands in for that one.

    Args:
        number_marks: take marks on numbers too.
    """

    __slots__ = ("_newer", "_number_marks", "_read")

    def __init__(self, *, number_marks: bool) -> None:
        self._number_marks = number_marks
        self._read: dict[str, tuple[JsonObject, tuple[Mark, ...]]] = {}
        self._newer: dict[str, tuple[JsonObject, JsonObject]] = {}

    def of(self, definition: ToolDefinition) -> tuple[Mark, ...]:
        """The marks that count for a call with this definition."""
        schema = definition.input_schema
        newer = self._newer.get(definition.name)
        if newer is not None and newer[0] == schema:
            schema = newer[1]
        known = self._read.get(definition.name)
        if known is not None and known[0] is schema:
            return known[1]
        marks = find_marks(schema, number_marks=self._number_marks).marks
        _put(self._read, definition.name, (schema, marks))
        return marks

    def renew(self, definition: ToolDefinition, newer: ToolDefinition) -> None:
        """From now on the newer schema counts in place of the definition's."""
        _put(self._newer, definition.name, (definition.input_schema, newer.input_schema))


def _put(kept: dict[str, Kept], name: str, value: Kept) -> None:
    if name not in kept and len(kept) >= _KEPT:
        kept.pop(next(iter(kept)))
    kept[name] = value
