"""Bounds, types and values that contradict each other, so that no value fits."""

from collections.abc import Callable, Iterator, Mapping
from math import ceil, floor

from toolroll.content import JsonObject, JsonValue, compact_json
from toolroll.schema.refs import Resolver, reference_of
from toolroll.schema.walk import as_list, as_mapping

_PAIRS = (
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
    ("minContains", "maxContains"),
)
_OF_NUMBERS = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"})
_SPEAKING = frozenset(
    {
        *(keyword for pair in _PAIRS for keyword in pair),
        *("exclusiveMinimum", "exclusiveMaximum", "const", "enum", "allOf", "$ref", "$dynamicRef"),
    }
)
"""What beside one type can contradict anything."""

_KINDS: dict[str, Callable[[JsonValue], bool]] = {
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "number": lambda value: number_of(value) is not None,
    "integer": lambda value: (number := number_of(value)) is not None and number == int(number),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, Mapping),
}


def contradictions(schema: JsonObject, resolver: Resolver) -> list[str]:
    """What no value can meet at one place: of the schema itself, and together with its `allOf` and
    what it refers to, unless one of those is at fault by itself.

    Example:
        >>> contradictions({"minimum": 3, "allOf": [{"maximum": 2}]}, Resolver({}))
        ['minimum 3 is above maximum 2']
    """
    if isinstance(schema.get("type"), str) and _SPEAKING.isdisjoint(schema):
        return []
    own, *others = _together(schema, resolver, set())
    if found := list(_within([own])):
        return found
    if not others or any(any(_within([other])) for other in others):
        return []
    return list(dict.fromkeys(_within([own, *others])))


def number_of(value: JsonValue) -> float | None:
    """The value as a number, None where it is none."""
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _together(schema: JsonObject, resolver: Resolver, seen: set[int]) -> list[JsonObject]:
    """A schema and those that hold at the same place in any case."""
    if id(schema) in seen:
        return []
    seen.add(id(schema))
    found = [schema]
    target = resolver.find(reference_of(schema))
    parts = [*(as_list(schema.get("allOf")) or []), *([] if target is None else [target.schema])]
    for part in parts:
        mapping = as_mapping(part)
        if mapping is not None:
            found += _together(mapping, resolver, seen)
    return found


def _within(schemas: list[JsonObject]) -> Iterator[str]:
    yield from _types(schemas)
    yield from _values(schemas)
    present = set[str]().union(*schemas)
    for low, high in _PAIRS:
        if low not in present or high not in present:
            continue
        least, most = _most(schemas, low), _least(schemas, high)
        if least is not None and most is not None and least > most:
            yield f"{low} {least} is above {high} {most}"
    if not _OF_NUMBERS.isdisjoint(present):
        yield from _numbers(schemas)
    for schema in schemas:
        yield from _counts(schema)


def _types(schemas: list[JsonObject]) -> Iterator[str]:
    left: set[str] | None = None
    for schema in schemas:
        kinds = _kinds(schema)
        if kinds is None:
            continue
        wide = kinds | {"integer"} if "number" in kinds else kinds
        left = wide if left is None else left & wide
    if left is not None and not left:
        yield "no type is left that all parts take"


def _values(schemas: list[JsonObject]) -> Iterator[str]:
    for schema in schemas:
        kinds = _kinds(schema)
        choices = [schema["const"]] if "const" in schema else as_list(schema.get("enum"))
        if choices is None:
            continue
        if not choices:
            yield "there is no value to choose"
        elif kinds is not None and not any(
            _KINDS[kind](value) for kind in kinds if kind in _KINDS for value in choices
        ):
            yield f"none of its values is of type {compact_json(schema['type'])}"


def _numbers(schemas: list[JsonObject]) -> Iterator[str]:
    above, below = _most(schemas, "exclusiveMinimum"), _least(schemas, "exclusiveMaximum")
    least, most = _most(schemas, "minimum"), _least(schemas, "maximum")
    for low, high in ((above, below), (above, most), (least, below)):
        if low is not None and high is not None and low >= high:
            yield f"no number lies between {low} and {high}"
            return
    if not any(_kinds(schema) == {"integer"} for schema in schemas):
        return
    lows = [ceil(least)] if least is not None else []
    lows += [floor(above) + 1] if above is not None else []
    highs = [floor(most)] if most is not None else []
    highs += [ceil(below) - 1] if below is not None else []
    if lows and highs and max(lows) > min(highs) and (least is None or least <= (most or least)):
        yield f"no whole number is at least {max(lows)} and at most {min(highs)}"


def _counts(schema: JsonObject) -> Iterator[str]:
    least = number_of(schema.get("minProperties"))
    named = as_mapping(schema.get("properties"))
    closed = schema.get("additionalProperties") is False and not schema.get("patternProperties")
    if closed and least is not None and least > len(named or {}):
        yield f"minProperties {least} is above the {len(named or {})} properties there are"
    least = number_of(schema.get("minItems"))
    prefix = as_list(schema.get("prefixItems"))
    end = "items" if prefix is not None else "additionalItems"
    items = as_list(schema.get("items")) if prefix is None else prefix
    if items is not None and schema.get(end) is False and least is not None and least > len(items):
        yield f"minItems {least} is above the {len(items)} items there are"


def _kinds(schema: JsonObject) -> set[str] | None:
    kinds = schema.get("type")
    names = [kinds] if isinstance(kinds, str) else as_list(kinds)
    return None if names is None else {name for name in names if isinstance(name, str)}


def _most(schemas: list[JsonObject], keyword: str) -> float | None:
    return max(_numbers_at(schemas, keyword), default=None)


def _least(schemas: list[JsonObject], keyword: str) -> float | None:
    return min(_numbers_at(schemas, keyword), default=None)


def _numbers_at(schemas: list[JsonObject], keyword: str) -> list[float]:
    numbers = [number_of(schema.get(keyword)) for schema in schemas]
    return [number for number in numbers if number is not None]
