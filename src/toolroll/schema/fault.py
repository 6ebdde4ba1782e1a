"""One fault of an input with all that mending and wording need, and its order among others."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, cast

from toolroll.content import JsonObject, JsonValue
from toolroll.outcome import Issue
from toolroll.schema.pointer import pointer_of
from toolroll.schema.wording import say_choices, say_types, say_unknown

Parts: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What is wrong at one place of an input.

    Args:
        parts: path of the place: keys and indices.
        keyword: the keyword that failed.
        problem: the fault in words.
        where: pointer of the schema that holds the keyword.
        declared: the place is a property that its object's schema names.
        types: JSON types that are wanted, where the fault is a wrong type.
        choices: values that are wanted, where the fault is a wrong value.
        missing: names that are absent.
        unknown: the key that is not taken.
        takes: keys that are taken instead; several lists where a union is meant.
    """

    parts: Parts
    keyword: str
    problem: str
    where: str = ""
    declared: bool = False
    types: tuple[str, ...] = ()
    choices: tuple[JsonValue, ...] = ()
    missing: tuple[str, ...] = ()
    unknown: str | None = None
    takes: tuple[tuple[str, ...], ...] = ()

    def to_issue(self) -> Issue:
        """The fault as others see it."""
        return Issue(pointer_of(self.parts), self.problem, self.missing, self.keyword)


_RANKS = {
    "additionalProperties": 0,
    "unevaluatedProperties": 0,
    "required": 1,
    "type": 2,
    "enum": 3,
    "const": 4,
}


def in_order(faults: Iterable[Fault], value: JsonValue) -> list[Fault]:
    """Sort faults: unknown keys of the root, then by place as the input is written.

    At one place unknown keys come first (as written), then what is missing, then the type, then the
    rest by keyword. The order does not depend on the checker that found them.
    """
    found = list(faults)
    if len(found) < 2:
        return found
    orders: dict[int, dict[str, int]] = {}
    return sorted(
        found, key=lambda fault: (_place(fault, value, orders), _rank(fault, value, orders))
    )


def single(faults: Sequence[Fault]) -> list[Fault]:
    """Keep one fault of each that reads the same at the same place; which values are wanted says
    more than which type.
    """
    if len(faults) < 2:
        return list(faults)
    told = {fault.parts for fault in faults if fault.choices}
    kept: dict[tuple[Parts, str], Fault] = {}
    for fault in faults:
        if fault.keyword != "type" or fault.parts not in told:
            kept.setdefault((fault.parts, fault.problem), fault)
    return list(kept.values())


def to_issues(faults: Sequence[Fault], most: int) -> tuple[Issue, ...]:
    """Faults as others see them; what is beyond the limit is counted in a last one."""
    issues = tuple(fault.to_issue() for fault in faults[:most])
    rest = len(faults) - most
    return (*issues, Issue("", f"and {rest} more faults")) if rest > 0 else issues


def value_at(value: JsonValue, parts: Sequence[str | int]) -> JsonValue:
    """The value at a path; None where there is none."""
    for part in parts:
        if value.__class__ is dict or isinstance(value, Mapping):
            value = cast("JsonObject", value).get(cast("str", part))
        elif isinstance(value, (list, tuple)) and isinstance(part, int) and part < len(value):
            value = cast("Sequence[JsonValue]", value)[part]
        else:
            return None
    return value


def faults_of_union(parts: Parts, branches: Sequence[Sequence[Fault]], whole: Fault) -> list[Fault]:
    """What to say where no branch of a union holds: the faults of the branch that was meant.

    Args:
        parts: the place of the union.
        branches: the faults of each branch.
        whole: the fault "no branch holds", said where nothing better is known.
    """
    live = [branch for branch in branches if not any(_wrong_type(fault, parts) for fault in branch)]
    if not live:
        types = [
            name
            for branch in branches
            for fault in branch
            if _wrong_type(fault, parts)
            for name in fault.types
        ]
        return (
            [
                replace(
                    whole,
                    keyword="type",
                    problem=say_types(types),
                    types=tuple(dict.fromkeys(types)),
                )
            ]
            if types
            else [whole]
        )
    at_stake = _common_choice(live, parts) if len(live) > 1 else None
    if at_stake is not None:
        return [at_stake]
    meant = min(live, key=lambda branch: _distance(branch, parts))
    takes = tuple(
        dict.fromkeys(
            keys
            for branch in live
            for fault in branch
            for keys in fault.takes
            if fault.parts == parts
        )
    )
    known = [fault for fault in meant if not _of_another_branch(fault, parts, live)]
    chosen = known or list(meant) or [whole]
    return [_with_takes(fault, takes) if fault.parts == parts else fault for fault in chosen]


def _wrong_type(fault: Fault, parts: Parts) -> bool:
    return fault.parts == parts and fault.keyword == "type"


def _common_choice(branches: Sequence[Sequence[Fault]], parts: Parts) -> Fault | None:
    """One fault for a value (or a tag one level down) that every branch wants to be another."""
    for candidate in branches[0]:
        if not candidate.choices or len(candidate.parts) > len(parts) + 1:
            continue
        same = [
            next(
                (fault for fault in branch if fault.choices and fault.parts == candidate.parts),
                None,
            )
            for branch in branches
        ]
        if all(same):
            choices = tuple(choice for fault in same if fault for choice in fault.choices)
            return replace(candidate, keyword="enum", problem=say_choices(choices), choices=choices)
    return None


def _distance(branch: Sequence[Fault], parts: Parts) -> tuple[int, int, int, int]:
    tags = sum(1 for fault in branch if fault.choices and len(fault.parts) == len(parts) + 1)
    unknown = sum(1 for fault in branch if fault.unknown is not None)
    missing = sum(len(fault.missing) for fault in branch)
    return tags, unknown, missing, len(branch)


def _of_another_branch(fault: Fault, parts: Parts, live: Sequence[Sequence[Fault]]) -> bool:
    if fault.unknown is None or fault.parts != parts:
        return False
    refusing = [
        branch
        for branch in live
        if any(other.parts == parts and other.unknown == fault.unknown for other in branch)
    ]
    return len(refusing) < len(live)


def _with_takes(fault: Fault, takes: tuple[tuple[str, ...], ...]) -> Fault:
    if fault.unknown is None or len(takes) < 2:
        return fault
    return replace(fault, takes=takes, problem=say_unknown(fault.unknown, takes))


def _place(
    fault: Fault, value: JsonValue, orders: dict[int, dict[str, int]]
) -> tuple[tuple[int, ...], ...]:
    if not fault.parts and fault.unknown is not None:
        return ()
    steps: list[tuple[int, ...]] = [(0,)]
    for part in fault.parts:
        if isinstance(value, Mapping):
            mapping = cast("JsonObject", value)
            steps.append((order_of(mapping, orders).get(cast("str", part), len(mapping)),))
            value = mapping.get(cast("str", part))
        else:
            steps.append((int(part) if isinstance(part, int) else 0,))
            value = value_at(value, (part,))
    return tuple(steps)


def _rank(
    fault: Fault, value: JsonValue, orders: dict[int, dict[str, int]]
) -> tuple[int, int, str]:
    written = 0
    if fault.unknown is not None:
        holder = value_at(value, fault.parts)
        if isinstance(holder, Mapping):
            written = order_of(cast("JsonObject", holder), orders).get(fault.unknown, 0)
    return _RANKS.get(fault.keyword, 9), written, fault.keyword


def order_of(mapping: JsonObject, orders: dict[int, dict[str, int]]) -> dict[str, int]:
    """The place of each key of an object; `orders` keeps those of objects asked for before."""
    known = orders.get(id(mapping))
    if known is None:
        known = orders[id(mapping)] = {key: index for index, key in enumerate(mapping)}
    return known
