"""The rules that look at one place of a schema and what stands beside it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from toolroll.content import JsonObject, JsonValue, compact_json
from toolroll.schema.check import compile_check
from toolroll.schema.contradiction import contradictions, number_of
from toolroll.schema.error import SchemaError
from toolroll.schema.finding import Finding, error, warning
from toolroll.schema.pointer import pointer_of
from toolroll.schema.refs import Resolver, reference_of
from toolroll.schema.walk import SAME_PLACE, STORES, Place, as_list, as_mapping

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
    mend = 'write "additionalProperties": false, or open the tool: behavior=Behavior(open=True)'
    yield error("open-object", place.pointer, fault, mend)


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
        if keyword not in schema:
            continue
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
    required = as_list(schema.get("required"))
    if not required or not _names_all(place, schema):
        return
    named = as_mapping(schema.get("properties")) or {}
    patterns = as_mapping(schema.get("patternProperties")) or {}
    for name in required:
        if isinstance(name, str) and name not in named and not _fits_one(name, patterns):
            yield error(
                "unknown-required",
                place.pointer,
                f"{name!r} is required but no property, so no input can fit",
                "add the property, or take the name out of 'required'",
            )


def _names_all(place: Place, schema: JsonObject) -> bool:
    """Whether an object takes what it names and nothing else, or names nothing at all by itself."""
    if "additionalProperties" in schema or "unevaluatedProperties" in schema:
        return schema.get("additionalProperties") is False
    bare = not schema.keys() & (SAME_PLACE | {"properties", "patternProperties", "$ref"})
    return bare and schema.get("type") == "object" and place.keyword not in (SAME_PLACE | STORES)


def _fits_one(name: str, patterns: JsonObject) -> bool:
    """Whether a pattern takes a name; one that cannot be run is told by another rule."""
    try:
        return any(compile_check({"pattern": pattern}).accepts(name) for pattern in patterns)
    except SchemaError:
        return True


def _unsatisfiable(place: Place, schema: JsonObject, scope: Scope) -> Iterator[Finding]:
    for fault in contradictions(schema, scope.resolver):
        yield error("unsatisfiable", place.pointer, fault, "change either")


def _optional_min_length(place: Place, schema: JsonObject, scope: Scope) -> Iterator[Finding]:
    required = as_list(schema.get("required")) or []
    for name, item in (as_mapping(schema.get("properties")) or {}).items():
        mapping = _led(item, scope.resolver)
        if mapping is None or name in required or not number_of(mapping.get("minLength")):
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


ERROR_RULES: tuple[Callable[[Place, JsonObject, Scope], Iterator[Finding]], ...] = (
    _open_object,
    _literal_union,
    _unknown_required,
    _unsatisfiable,
)
PLACE_RULES = (*ERROR_RULES, _optional_min_length, _no_description)
