"""Cutting values that are too long or too large to the bounds of their schema.

Lengths are counted in code points, as JSON Schema counts them. Only bounds are mended: a wrong
type, a missing property or a value below `minLength` is left to the check.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, inf, nextafter
from sys import float_info
from typing import cast

from toolroll.content import JsonObject, JsonValue
from toolroll.outcome import Repair
from toolroll.schema.limit import DEFAULT_LIMITS
from toolroll.schema.pointer import escape_part
from toolroll.schema.refs import Resolver, reference_of
from toolroll.schema.walk import as_list, as_mapping

_CUT = "…"


@dataclass(frozen=True, slots=True)
class Clamped:
    """A value within its bounds.

    Args:
        value: the value; the very same object where nothing was cut.
        clamped: JSON pointers of what was cut, in order of place.

    Example:
        >>> Clamped("ab…", ("/title",)).repairs[0].kind
        'clamp'
    """

    value: JsonValue
    clamped: tuple[str, ...] = ()

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """The same as the repairs of an outcome."""
        return tuple(Repair("clamp", pointer) for pointer in self.clamped)


def clamp(value: JsonValue, schema: JsonValue) -> Clamped:
    """Cut a value to the bounds of its schema instead of refusing it.

    | value | rule |
    | --- | --- |
    | text longer than `maxLength` | cut, the last character is `…` |
    | number | to `minimum`, `maximum` and their exclusive forms |
    | list | each item, then the list to `maxItems` |
    | object | each property the schema names; others stay |
    | union | through every branch in order, so the narrowest bound counts |

    Args:
        value: never changed itself.
        schema: a JSON Schema; local references and `allOf` are followed.

    Example:
        >>> clamp("abcdefghij", {"maxLength": 5})
        Clamped(value='abcd…', clamped=('',))
        >>> clamp({"n": 99, "x": "y"}, {"properties": {"n": {"type": "integer", "maximum": 10}}})
        Clamped(value={'n': 10, 'x': 'y'}, clamped=('/n',))
    """
    root = as_mapping(schema)
    if root is None:
        return Clamped(value)
    clamper = _Clamper(root)
    done = clamper.clamp(value, root, "", 0)
    return Clamped(done, tuple(dict.fromkeys(clamper.found)))


class _Clamper:
    def __init__(self, root: JsonObject) -> None:
        self._resolver = Resolver(root)
        self._done: set[tuple[int, str]] = set()
        self.found: list[str] = []

    def clamp(self, value: JsonValue, schema: JsonValue, pointer: str, depth: int) -> JsonValue:
        mapping = as_mapping(schema)
        if mapping is None or depth > DEFAULT_LIMITS.schema_depth:
            return value
        if (id(mapping), pointer) in self._done:
            return value  # several references to one schema cut no more than one does
        self._done.add((id(mapping), pointer))
        for branch in self._branches(mapping):
            value = self.clamp(value, branch, pointer, depth + 1)
        if "anyOf" in mapping or "oneOf" in mapping:
            return value
        return self._by_type(value, mapping, pointer, depth)

    def _branches(self, schema: JsonObject) -> list[JsonValue]:
        target = self._resolver.find(reference_of(schema))
        referred = [target.schema] if target is not None else []
        union = as_list(schema.get("anyOf")) or as_list(schema.get("oneOf")) or []
        return [*referred, *(as_list(schema.get("allOf")) or []), *union]

    def _by_type(self, value: JsonValue, schema: JsonObject, pointer: str, depth: int) -> JsonValue:
        if not _applies(value, schema):
            return value
        if isinstance(value, str):
            return self._noted(value, _cut(value, schema), pointer)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return self._noted(value, _within(value, schema), pointer)
        if isinstance(value, (list, tuple)):
            return self._list(cast("Sequence[JsonValue]", value), schema, pointer, depth)
        if isinstance(value, Mapping):
            return self._object(cast("JsonObject", value), schema, pointer, depth)
        return value

    def _list(
        self, value: Sequence[JsonValue], schema: JsonObject, pointer: str, depth: int
    ) -> JsonValue:
        prefix = as_list(schema.get("prefixItems")) or as_list(schema.get("items")) or []
        rest = schema.get("items") if isinstance(schema.get("items"), Mapping) else None
        most = _count(schema.get("maxItems"))
        kept = value if most is None else value[:most]
        if len(kept) < len(value):
            self.found.append(pointer)
        items = [
            self.clamp(
                item,
                prefix[index] if index < len(prefix) else rest,
                f"{pointer}/{index}",
                depth + 1,
            )
            for index, item in enumerate(kept)
        ]
        if len(kept) < len(value):
            return items
        return (
            items if any(new is not old for new, old in zip(items, value, strict=True)) else value
        )

    def _object(self, value: JsonObject, schema: JsonObject, pointer: str, depth: int) -> JsonValue:
        named = as_mapping(schema.get("properties")) or {}
        changed: dict[str, JsonValue] | None = None
        for name, item in value.items():
            if name not in named:
                continue
            done = self.clamp(item, named[name], f"{pointer}/{escape_part(name)}", depth + 1)
            if done is not item:
                changed = dict(value) if changed is None else changed
                changed[name] = done
        return value if changed is None else changed

    def _noted(self, old: JsonValue, new: JsonValue, pointer: str) -> JsonValue:
        if new is not old and new != old:
            self.found.append(pointer)
            return new
        return old


_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "number": (int, float),
    "integer": (int, float),
    "array": (list, tuple),
    "object": (Mapping,),
}


def _applies(value: JsonValue, schema: JsonObject) -> bool:
    kind = schema.get("type")
    kinds = [kind] if isinstance(kind, str) else as_list(kind)
    return kinds is None or any(
        isinstance(name, str) and isinstance(value, _TYPES.get(name, ())) for name in kinds
    )


def _cut(text: str, schema: JsonObject) -> str:
    most = _count(schema.get("maxLength"))
    if most is None or most < 1 or len(text) <= most:
        return text
    return text[: most - 1] + _CUT


def _within(number: float, schema: JsonObject) -> float:
    whole = schema.get("type") == "integer"
    high, low = _number(schema.get("maximum")), _number(schema.get("minimum"))
    below, above = schema.get("exclusiveMaximum"), schema.get("exclusiveMinimum")
    if below is True:  # draft 4 spells the bound and its being exclusive apart
        high, below = None, high
    if above is True:
        low, above = None, low
    if high is not None:
        number = min(number, floor(high) if whole else high)
    if (bound := _number(below)) is not None and number >= bound:
        number = _step(bound, -1, whole=whole or isinstance(number, int))
    if low is not None:
        number = max(number, ceil(low) if whole else low)
    if (bound := _number(above)) is not None and number <= bound:
        number = _step(bound, 1, whole=whole or isinstance(number, int))
    return number


def _step(bound: float, way: int, *, whole: bool) -> float:
    """The number next to an exclusive bound on the side that holds."""
    if whole:
        return ceil(bound) - 1 if way < 0 else floor(bound) + 1
    return nextafter(bound, way * inf)


def _number(value: JsonValue) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return value if -float_info.max <= value <= float_info.max else None


def _count(value: JsonValue) -> int | None:
    number = _number(value)
    return int(number) if number is not None and number >= 0 else None
