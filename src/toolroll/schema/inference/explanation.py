"""Two reports of one input made one: what the types refuse, and what the schema says of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from toolroll.content import JsonObject, JsonValue
from toolroll.schema.fault import Fault, Parts, in_order, single, value_at
from toolroll.schema.plain import copied
from toolroll.schema.wording import (
    in_one_line,
    say_format,
    say_missing,
    say_name,
    say_unknown,
)

if TYPE_CHECKING:
    from toolroll.schema.inference.adaptation import TypedError

_FORMATS = (
    ("datetime", "date-time"),
    ("date", "date"),
    ("time_delta", "duration"),
    ("time", "time"),
    ("uuid", "uuid"),
    ("url", "uri"),
)
_LONGEST_MESSAGE = 500
_MOST_HELD_TOGETHER = 500
"""Errors of types held against each fault of the schema; beyond, the schema alone speaks."""
_OF_THE_KEY = "[key]"
"""Pydantic's last step to a fault of a key of a mapping itself."""
_MISSING = frozenset({"missing", "missing_argument", "missing_keyword_only_argument"})
_UNKNOWN = frozenset({"extra_forbidden", "unexpected_keyword_argument"})


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where an error stands in the input, the union it stands below, if any, and the key of the
    object there whose name it is about, if it is.
    """

    error: "TypedError"
    parts: Parts
    union: Parts | None
    name: str | None = None


def integral_floats(value: JsonValue, errors: Sequence["TypedError"]) -> JsonValue:
    """Write each integral number that was refused at an integer's place without its fraction.

    Returns:
        A copy with those changed, or the very same object where there is none.
    """
    places = [
        spot.parts
        for spot in [_spot(error, value) for error in errors]
        if spot.error.kind == "int_type" and _is_integral(value_at(value, spot.parts))
    ]
    if not places:
        return value
    fresh = copied(value)
    for parts in places:
        if not parts:
            return int(cast("float", fresh))
        holder = cast("dict[str | int, JsonValue]", value_at(fresh, parts[:-1]))
        holder[parts[-1]] = int(cast("float", holder[parts[-1]]))
    return fresh


def explain(
    value: JsonValue, errors: Sequence["TypedError"], faults: Iterable[Fault]
) -> list[Fault]:
    """The faults of an input that types refused.

    Args:
        value: the input.
        errors: what the types refused.
        faults: what the schema says of the same input.

    Returns:
        What the schema says where the types refused too, and the types' own words for the rest; in
        order of place, never empty.
    """
    if len(errors) > _MOST_HELD_TOGETHER and (found := single(in_order(faults, value))):
        return found
    spots = [_spot(error, value) for error in errors[:_MOST_HELD_TOGETHER]]
    agreed = [fault for fault in faults if any(_related(fault, spot) for spot in spots)]
    own = [_own(spot) for spot in spots if not any(_says(fault, spot) for fault in agreed)]
    found = single(in_order([*agreed, *own], value))
    return found or [Fault(parts=(), keyword="", problem="must be valid")]


def _spot(error: "TypedError", value: JsonValue) -> _Spot:
    parts: list[str | int] = []
    union: Parts | None = None
    steps = error.steps
    for index, step in enumerate(steps):
        last = index == len(steps) - 1
        if isinstance(value, Mapping) and step in value:
            value = cast("JsonObject", value)[cast("str", step)]
        elif isinstance(value, (list, tuple)) and isinstance(step, int) and step < len(value):
            value = cast("Sequence[JsonValue]", value)[step]
        elif last and error.kind in _MISSING:
            pass
        elif last and step == _OF_THE_KEY and parts:
            return _Spot(error, tuple(parts[:-1]), union, str(parts[-1]))
        else:
            union = tuple(parts) if union is None else union
            continue
        parts.append(step)
    if error.kind in _MISSING and parts and isinstance(parts[-1], int):
        parts.pop()  # an item that a tuple lacks: the fault is the list's
    return _Spot(error, tuple(parts), union)


def _related(fault: Fault, spot: _Spot) -> bool:
    """Whether the types refused something at, above or below a fault of the schema."""
    shorter = min(len(fault.parts), len(spot.parts))
    return fault.parts[:shorter] == spot.parts[:shorter]


def _says(fault: Fault, spot: _Spot) -> bool:
    """Whether a fault of the schema says what the types refused."""
    if spot.union is not None and fault.parts[: len(spot.union)] == spot.union:
        return True
    if spot.name is not None:
        told = fault.keyword == "propertyNames" and fault.parts == spot.parts
        return told and fault.problem.startswith(say_name(spot.name, ""))
    if spot.error.kind in _MISSING:
        return fault.parts == spot.parts or (
            fault.parts == spot.parts[:-1] and spot.parts[-1] in fault.missing
        )
    if spot.error.kind in _UNKNOWN:
        return fault.unknown == spot.parts[-1] and fault.parts == spot.parts[:-1]
    if fault.unknown is not None or (fault.missing and fault.parts != spot.parts):
        return False
    return fault.parts[: len(spot.parts)] == spot.parts


def _own(spot: _Spot) -> Fault:
    kind, parts = spot.error.kind, spot.parts
    if kind in ("bytes_invalid_encoding", "base64_decode"):
        return Fault(parts=parts, keyword="contentEncoding", problem="must be base64 text")
    if kind in _MISSING:
        name = str(parts[-1])
        return Fault(
            parts=parts[:-1], keyword="required", problem=say_missing([name]), missing=(name,)
        )
    if kind in _UNKNOWN:
        key = str(parts[-1])
        return Fault(
            parts=parts[:-1],
            keyword="additionalProperties",
            problem=say_unknown(key, [[]]),
            unknown=key,
        )
    keyword, problem = _words(spot.error)
    if spot.name is not None:
        keyword, problem = "propertyNames", say_name(spot.name, problem)
    return Fault(parts=parts, keyword=keyword, problem=problem)


def _words(error: "TypedError") -> tuple[str, str]:
    """The keyword and the problem of what only the types say."""
    kind = error.kind
    if kind.endswith(("_parsing", "_type", "_scheme", "_too_long")) or "_from_" in kind:
        for prefix, name in _FORMATS:
            if kind.startswith(prefix):
                return "format", say_format(name)
    own = kind in ("value_error", "assertion_error")
    message = " ".join(error.message.split())[:_LONGEST_MESSAGE]
    return "", in_one_line(message if own else must(message))


def must(message: str) -> str:
    """A sentence of pydantic in our words: `must ...`.

    Example:
        >>> must("Input should be a valid integer"), must("no notes on Sundays")
        ('must be a valid integer', 'no notes on Sundays')
    """
    for head in ("Input should ", "Value should ", "Data should "):
        if message.startswith(head):
            return f"must {message[len(head) :]}"
    return message[:1].lower() + message[1:] if message[1:2].islower() else message


def _is_integral(value: JsonValue) -> bool:
    return isinstance(value, float) and value.is_integer()
