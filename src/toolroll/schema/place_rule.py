"""The rules that look at one place of a schema and what stands beside it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from toolroll.content import JsonObject, JsonValue, compact_json
from toolroll.schema.finding import Finding, error, warning
from toolroll.schema.pointer import pointer_of
from toolroll.schema.refs import Resolver, reference_of
from toolroll.schema.walk import Place, as_list, as_mapping

_PARTIAL = frozenset({"not", "if", "then", "else", "dependentSchemas", "dependencies", "contains"})
"""Keywords whose schemas only ask or add, and describe no whole object."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What rules may look at beside the place itself: references, and the places above."""

    resolver: Resolver
    seen: dict[str, Place] = field(default_factory=dict[str, Place])

    def holder(self, place: Place) -> Place:
        """The schema that holds a place."""
        steps = 1 if place.name is None else 2
        return self.seen[place.pointer.rsplit("/", steps)[0]]


def _open_object(place: Place, schema: JsonObject, scope: Scope) -> Iterator[Finding]:
    if not schema.get("properties") or not _is_object(schema) or _is_partial(place, scope):
        return
    if schema.get("additionalProperties") is False or schema.get("unevaluatedProperties") is False:
        return
    fault = "object with named properties takes any other key too; a misspelt one would pass unseen"
    yield error("open-object", place.pointer, fault, 'write "additionalProperties": false')


def _is_object(schema: JsonObject) -> bool:
    kind = schema.get("type", "object")
    return kind == "object" or "object" in (as_list(kind) or [])


def _is_partial(place: Place, scope: Scope) -> bool:
    """Whether a schema only adds to another one, so that it cannot be closed by itself."""
    while place.keyword in _PARTIAL or place.keyword == "allOf":
        holder = scope.holder(place)
        closed = (holder.mapping or {}).get("unevaluatedProperties") is False
        if place.keyword in _PARTIAL or closed:
            return True
        place = holder
    return False


def _literal_union(place: Place, schema: JsonObject, _: Scope) -> Iterator[Finding]:
    for keyword in ("anyOf", "oneOf"):
        branches = [as_mapping(item) for item in as_list(schema.get(keyword)) or []]
        if len(branches) > 1 and all(item is not None and "const" in item for item in branches):
            values = compact_json([item["const"] for item in branches if item is not None])
            yield error(
                "literal-union",
                place.pointer,
                "union of literals is long, and its refusal names only one of them",
                f'write "enum": {values[:200]}',
            )


def _unknown_required(place: Place, schema: JsonObject, _: Scope) -> Iterator[Finding]:
    named, required = as_mapping(schema.get("properties")), as_list(schema.get("required"))
    if named is None or required is None or schema.get("additionalProperties") is not False:
        return
    if as_mapping(schema.get("patternProperties")):
        return
    for name in required:
        if isinstance(name, str) and name not in named:
            yield error(
                "unknown-required",
                place.pointer,
                f"{name!r} is required but no property, so no input can fit",
                "add the property, or take the name out of 'required'",
            )


_PAIRS = (
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
    ("minContains", "maxContains"),
)
_KINDS: dict[str, Callable[[JsonValue], bool]] = {
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "integer": lambda value: (
        isinstance(value, (int, float)) and not isinstance(value, bool) and value == int(value)
    ),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, Mapping),
}


def _unsatisfiable(place: Place, schema: JsonObject, _: Scope) -> Iterator[Finding]:
    for low, high in _PAIRS:
        least, most = _number(schema.get(low)), _number(schema.get(high))
        if least is not None and most is not None and least > most:
            yield error(
                "unsatisfiable",
                place.pointer,
                f"{low} {least} is above {high} {most}",
                "change either",
            )
    above, below = _number(schema.get("exclusiveMinimum")), _number(schema.get("exclusiveMaximum"))
    least, most = _number(schema.get("minimum")), _number(schema.get("maximum"))
    for low, high in ((above, below), (above, most), (least, below)):
        if low is not None and high is not None and low >= high:
            yield error(
                "unsatisfiable",
                place.pointer,
                f"no number lies between {low} and {high}",
                "change either",
            )
    kinds = schema.get("type")
    names = [kinds] if isinstance(kinds, str) else as_list(kinds)
    choices = [schema["const"]] if "const" in schema else as_list(schema.get("enum"))
    if choices is None or names is None:
        return
    if not any(
        _KINDS[name](value)
        for name in names
        if isinstance(name, str) and name in _KINDS
        for value in choices
    ):
        yield error(
            "unsatisfiable",
            place.pointer,
            f"none of its values is of type {compact_json(kinds)}",
            "change either",
        )


def _number(value: JsonValue) -> float | None:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _optional_min_length(place: Place, schema: JsonObject, scope: Scope) -> Iterator[Finding]:
    required = as_list(schema.get("required")) or []
    for name, item in (as_mapping(schema.get("properties")) or {}).items():
        mapping = _led(item, scope.resolver)
        if mapping is None or name in required or not _number(mapping.get("minLength")):
            continue
        yield warning(
            "optional-min-length",
            f"{place.pointer}{pointer_of(('properties', name))}",
            f"optional text {name!r} may not be empty, but some hosts fill every field in",
            "drop minLength and treat a blank text as absent",
        )


def _no_description(place: Place, schema: JsonObject, scope: Scope) -> Iterator[Finding]:
    if place.keyword in _PARTIAL:
        return
    for name, item in (as_mapping(schema.get("properties")) or {}).items():
        own, led = as_mapping(item), _led(item, scope.resolver)
        if (
            own is None
            or led is None
            or own.get("description")
            or led.get("description")
            or "const" in led
        ):
            continue
        yield warning(
            "no-description",
            f"{place.pointer}{pointer_of(('properties', name))}",
            f"property {name!r} has no description",
            "say what to put there",
        )


def _led(schema: JsonValue, resolver: Resolver) -> JsonObject | None:
    target = resolver.find(reference_of(schema))
    return as_mapping(target.schema if target is not None else schema)


PLACE_RULES: tuple[Callable[[Place, JsonObject, Scope], Iterator[Finding]], ...] = (
    _open_object,
    _literal_union,
    _unknown_required,
    _unsatisfiable,
    _optional_min_length,
    _no_description,
)
