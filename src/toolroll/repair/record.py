"""Quick making of the frozen records of a reading.

The constructor of a frozen record sets each field by a call; for `Arguments` that takes longer than
parsing a small object. The classes here have the same fields in the same places and are not frozen:
an instance becomes the record when its fields are set. A test compares the results.
"""

from typing import Any

from toolroll.content import JsonValue
from toolroll.outcome import Repair
from toolroll.repair.arguments import Arguments, ArgumentsStatus


class _Arguments:
    __slots__ = ("dropped", "partial", "problem", "repairs", "status", "value")


class _Repair:
    __slots__ = ("at", "kind", "pointer", "was")


def make_arguments(
    value: JsonValue,
    status: ArgumentsStatus = "complete",
    partial: tuple[str, ...] = (),
    repairs: tuple[Repair, ...] = (),
) -> Arguments:
    """Make the record of a reading that dropped nothing and has no problem.

    Example:
        >>> make_arguments({"a": 1}) == Arguments(value={"a": 1})
        True
    """
    record: Any = _Arguments()
    record.value = value
    record.status = status
    record.partial = partial
    record.repairs = repairs
    record.dropped = ()
    record.problem = ""
    record.__class__ = Arguments
    return record


def make_repair(at: int, kind: str, pointer: str, was: str) -> Repair:
    """Make the record of one repair.

    Example:
        >>> make_repair(3, "comment", "", "") == Repair("comment", at=3)
        True
    """
    record: Any = _Repair()
    record.kind = kind
    record.pointer = pointer
    record.at = at
    record.was = was
    record.__class__ = Repair
    return record
