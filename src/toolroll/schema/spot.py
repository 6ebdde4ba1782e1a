"""A value and where the schema it is held against stands."""

from typing import NamedTuple

from toolroll.content import JsonValue
from toolroll.content.open_form import open_form
from toolroll.schema.fault import Fault, Parts

_Fault = open_form(Fault)


class Spot(NamedTuple):
    """A value and where the schema it is held against stands; one is made for each place looked at.

    Args:
        where: pointer of the schema.
        value: the value.
        parts: its path in the input.
        declared: it is a property that its object's schema names.

    Example:
        >>> root = Spot("", {"a": 1}, ())
        >>> root.at("/allOf/0").below("a", 1, "/properties/a", declared=True)
        Spot(where='/allOf/0/properties/a', value=1, parts=('a',), declared=True)
    """

    where: str
    value: JsonValue
    parts: Parts
    declared: bool = False

    def at(self, step: str) -> "Spot":
        """A schema further in, for the same value."""
        return Spot(self.where + step, self.value, self.parts, self.declared)

    def below(
        self, key: str | int, value: JsonValue, step: str, *, declared: bool = False
    ) -> "Spot":
        """A schema further in, for a property or an item of the value."""
        return Spot(self.where + step, value, (*self.parts, key), declared)


def fault_at(
    spot: Spot,
    keyword: str,
    problem: str,
    *,
    types: tuple[str, ...] = (),
    choices: tuple[JsonValue, ...] = (),
    missing: tuple[str, ...] = (),
    unknown: str | None = None,
    takes: tuple[tuple[str, ...], ...] = (),
) -> Fault:
    """Make the record of a fault of the value at a spot, quickly; the rest is as in `Fault`.

    Example:
        >>> fault_at(Spot("", 1, ()), "not", "no") == Fault(parts=(), keyword="not", problem="no")
        True
    """
    record = _Fault()
    record.parts = spot.parts
    record.keyword = keyword
    record.problem = problem
    record.where = spot.where
    record.declared = spot.declared
    record.types = types
    record.choices = choices
    record.missing = missing
    record.unknown = unknown
    record.takes = takes
    record.__class__ = Fault
    return record
