"""Quick making of the frozen records of a reading; see `toolroll.content.open_form`."""

from toolroll.content import JsonValue
from toolroll.content.open_form import open_form
from toolroll.outcome import Repair
from toolroll.repair.arguments import Arguments, ArgumentsStatus

_Arguments = open_form(Arguments)
_Repair = open_form(Repair)


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
    record = _Arguments()
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
    record = _Repair()
    record.kind = kind
    record.pointer = pointer
    record.at = at
    record.was = was
    record.__class__ = Repair
    return record
