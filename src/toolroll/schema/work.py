"""How much work a schema makes of an input, counted before it is begun.

Each branch of a union is tried. Where branches lead to the same definition again, the tries
multiply with every level, and a small schema with a small input can keep a checker busy for ever.
Counting looks at each pair of schema and place once, so it ends where the work itself would not.
"""

from collections import Counter

from toolroll.content import JsonObject, JsonValue
from toolroll.schema.error import SchemaTooLarge
from toolroll.schema.fault import Fault
from toolroll.schema.limit import DEFAULT_LIMITS, Limits
from toolroll.schema.pointer import escape_part
from toolroll.schema.refs import Resolver, Target, recursive_targets, reference_of
from toolroll.schema.walk import (
    MAP,
    ONE,
    SAME_PLACE,
    STORES,
    Place,
    as_list,
    as_mapping,
    children,
    is_schema,
    places,
)

_MULTIPLY = SAME_PLACE - {"then", "else"}
_OF_ITEMS = ("items", "additionalItems", "unevaluatedItems", "contains")
_OF_VALUES = ("additionalProperties", "unevaluatedProperties", "propertyNames")

TOO_DEEP = Fault(parts=(), keyword="", problem="must not be nested so deep")
"""What is said of an input that would be too much work."""


def multiplies(schema: JsonObject) -> bool:
    """Whether a schema has a union without a tag and a definition that leads back to itself.

    Example:
        >>> multiplies({"anyOf": [{"items": {"$ref": "#"}}, {"type": "null"}]})
        True
        >>> multiplies({"items": {"$ref": "#"}})
        False
    """
    unions = any("anyOf" in (place.mapping or {}) for place in places(schema))
    return unions and bool(recursive_targets(schema))


def unfolds_widely(schema: JsonObject, limits: Limits = DEFAULT_LIMITS) -> bool:
    """Whether references that lead in no circle let the work of the checker grow faster than the
    input: then it has to be counted. Of references in a circle the checker remembers its verdicts.

    Args:
        schema: the whole schema.
        limits: how many pairs one check may look at.

    Raises:
        SchemaTooLarge: it would be too much for any input.

    Example:
        >>> half = {"$defs": {"a": {"type": "string"}}, "anyOf": [{"$ref": "#/$defs/a"}] * 2}
        >>> unfolds_widely(half)
        False
        >>> unfolds_widely(half, Limits(checked=3))
        Traceback (most recent call last):
            ...
        toolroll.schema.error.SchemaTooLarge: schema too large at /: its references and unions lead
        to more than 3 places; describe less.
    """
    if not any(_MULTIPLY & set(place.mapping or ()) for place in places(schema, limits=limits)):
        return False
    work = _Work(schema, limits.checked, tagged=False)
    for place in places(schema, limits=limits):
        if work.start(place.schema, place.pointer, None) > limits.checked:
            raise SchemaTooLarge(
                f"schema too large at {place.pointer or '/'}: its references and unions lead to "
                f"more than {limits.checked} places; describe less.",
                pointer=place.pointer,
            )
    grows = _Growth(schema)
    if all(grows.at(place) <= 1 for place in places(schema, limits=limits)):
        return False  # no part of an input is looked at more often than what holds it
    return _Size(schema, limits).start() > limits.checked


def count_work(schema: JsonObject, value: JsonValue, most: int, *, tagged: bool = True) -> int:
    """How many times a schema is held against a part of a value when every branch is tried.

    Args:
        schema: the whole schema.
        value: the input, as plain JSON.
        most: counting ends there.
        tagged: of `oneOf` one branch alone is tried, as it is in a union of types with a tag.

    Returns:
        The number, at most `most + 1`.

    Example:
        >>> both = {"anyOf": [{"properties": {"x": {"$ref": "#"}}}] * 2}
        >>> count_work(both, {"x": {"x": {}}}, 100), count_work(both, {"x": {"x": {"x": {}}}}, 10)
        (27, 11)
    """
    return _Work(schema, most, tagged=tagged).start(schema, "", value)


class _Work:
    def __init__(self, schema: JsonObject, most: int, *, tagged: bool) -> None:
        self._resolver = Resolver(schema)
        self._most = most
        self._tagged = tagged
        self._known: dict[tuple[str, str], int] = {}

    def start(self, schema: JsonValue, where: str, value: JsonValue) -> int:
        """The count at one schema; too deep to count is too much."""
        try:
            return self._count(schema, where, value, "")
        except RecursionError:
            return self._most + 1

    def _count(self, schema: JsonValue, where: str, value: JsonValue, place: str) -> int:
        mapping = as_mapping(schema)
        if mapping is None:
            return 1 if isinstance(schema, bool) else 0
        key = (where, place)
        known = self._known.get(key)
        if known is not None:
            return known
        self._known[key] = 0  # references that run in a circle
        total = 1 + self._same_place(mapping, where, value, place)
        if isinstance(value, dict):
            total += self._properties(mapping, where, value, place)
        elif isinstance(value, list):
            total += self._items(mapping, where, value, place)
        found = self._known[key] = min(self._most + 1, total)
        return found

    def _same_place(self, schema: JsonObject, where: str, value: JsonValue, place: str) -> int:
        total = 0
        target = self._resolver.find(reference_of(schema))
        if target is not None:
            total += self._count(target.schema, target.pointer, value, place)
        for keyword in SAME_PLACE & schema.keys():
            parts = schema[keyword]
            below = f"{where}/{keyword}"
            if keyword in ONE:
                total += self._count(parts, below, value, place)
                continue
            named = as_mapping(parts) if keyword in MAP else None
            pairs = named.items() if named is not None else enumerate(as_list(parts) or ())
            counts = [
                self._count(part, f"{below}/{escape_part(str(name))}", value, place)
                for name, part in pairs
                if is_schema(part)
            ]
            one = keyword == "oneOf" and self._tagged
            total += max(counts, default=0) if one else sum(counts)
        return total

    def _properties(self, schema: JsonObject, where: str, value: JsonObject, place: str) -> int:
        named, total = as_mapping(schema.get("properties")) or {}, 0
        patterns = as_mapping(schema.get("patternProperties")) or {}
        for key, item in value.items():
            below = f"{place}/{escape_part(key)}"
            for pattern, part in patterns.items():
                at = f"{where}/patternProperties/{escape_part(pattern)}"
                total += self._count(part, at, item, below)
            if key in named:
                at = f"{where}/properties/{escape_part(key)}"
                total += self._count(named[key], at, item, below)
                continue
            for keyword in _OF_VALUES:
                if keyword in schema:
                    given = None if keyword == "propertyNames" else item
                    total += self._count(schema[keyword], f"{where}/{keyword}", given, below)
        return total

    def _items(self, schema: JsonObject, where: str, value: list[JsonValue], place: str) -> int:
        tuples = "prefixItems" if "prefixItems" in schema else "items"
        prefix, total = as_list(schema.get(tuples)) or [], 0
        for index, item in enumerate(value):
            below = f"{place}/{index}"
            if index < len(prefix):
                total += self._count(prefix[index], f"{where}/{tuples}/{index}", item, below)
            for keyword in _OF_ITEMS:
                part = schema.get(keyword)
                if is_schema(part) and (index >= len(prefix) or keyword == "contains"):
                    total += self._count(part, f"{where}/{keyword}", item, below)
        return total


class _Growth:
    """How many schemas are held against one part of a value for one held against the whole."""

    def __init__(self, root: JsonObject) -> None:
        self._resolver = Resolver(root)
        self._known: dict[str, Counter[str]] = {}

    def at(self, place: Place) -> int:
        found = self._below(place)
        named = max((n for key, n in found.items() if key.startswith("/")), default=0)
        return max(found["items"], found["values"] + named)

    def _below(self, place: Place) -> Counter[str]:
        """How often items, values of any name and values of each name (after `/`) are looked at."""
        known = self._known.get(place.pointer)
        if known is not None:
            return known
        self._known[place.pointer] = Counter()  # references that run in a circle
        found = Counter[str]()
        target = self._resolver.find(reference_of(place.schema))
        if target is not None:
            found += self._below(Place(target.schema, target.pointer))
        for child in children(place):
            if child.keyword in SAME_PLACE:
                found += self._below(child)
            elif child.mapping and child.keyword not in STORES:
                found[_seat(child)] += 1
        self._known[place.pointer] = found
        return found


def _seat(child: Place) -> str:
    if child.keyword == "properties":
        return f"/{child.name}"
    return "items" if child.keyword in ("prefixItems", *_OF_ITEMS) else "values"


class _Size:
    """How many subschemas there are with references in place, those in a circle aside."""

    def __init__(self, root: JsonObject, limits: Limits) -> None:
        self._root, self._most = root, limits.checked
        self._resolver = Resolver(root)
        self._known = dict.fromkeys(recursive_targets(root, limits=limits), 1)

    def start(self) -> int:
        try:
            return self._unfolded(self._root)
        except RecursionError:
            return self._most + 1

    def _of_target(self, target: Target) -> int:
        known = self._known.get(target.pointer)
        if known is None:
            known = self._known[target.pointer] = self._unfolded(target.schema)
        return known

    def _unfolded(self, schema: JsonValue) -> int:
        total = 0
        for place in places(schema, applied_only=True):
            target = self._resolver.find(reference_of(place.schema))
            total += 1 if target is None else 1 + self._of_target(target)
        return min(self._most + 1, total)
