"""Where in a JSON Schema subschemas stand.

A key is a keyword only where a schema stands. Below `properties`, `$defs` and their like it is a
name, and inside `const`, `enum`, `default` and `examples` it is data: a property called `title`,
`pattern` or `$ref` is never taken for a keyword here.

Source: JSON Schema 2020-12 core §10, §11, validation §9, and the same sections of earlier drafts.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from toolroll.content import JsonObject, JsonValue
from toolroll.schema.error import SchemaTooLarge
from toolroll.schema.limit import DEFAULT_LIMITS, Limits
from toolroll.schema.pointer import escape_part

ONE = frozenset(
    {
        "additionalItems",
        "additionalProperties",
        "contains",
        "contentSchema",
        "else",
        "if",
        "items",
        "not",
        "propertyNames",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
    }
)
"""Keywords whose value is one schema. `items` may be a list of them in drafts 4 to 7."""

LIST = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
"""Keywords whose value is a list of schemas."""

MAP = frozenset(
    {"$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"}
)
"""Keywords whose value maps names to schemas. `dependencies` may hold lists of names as well."""

STORES = frozenset({"$defs", "definitions"})
"""Keywords that only store schemas: what stands there applies where a reference leads to it."""

SAME_PLACE = frozenset(
    {"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependencies", "dependentSchemas"}
)
"""Keywords whose subschemas apply to the same value as the schema that holds them."""


@dataclass(frozen=True, slots=True)
class Place:
    """A subschema and where it stands.

    Args:
        schema: the subschema: a mapping, or `True` or `False`.
        pointer: JSON pointer from the root schema; "" is the root.
        keyword: the keyword of the parent that holds it; "" for the root.
        name: the name or index below that keyword; None where the keyword holds just one.
        depth: levels below the root.
        path: where the values it applies to stand in an input: property names, `*` for items and
            names that are not fixed. Unions and conditions have the path of what holds them.
    """

    schema: JsonValue
    pointer: str = ""
    keyword: str = ""
    name: str | None = None
    depth: int = 0
    path: str = ""

    @property
    def mapping(self) -> JsonObject | None:
        """The subschema where it is a mapping, None where it is `True` or `False`."""
        return as_mapping(self.schema)


def as_mapping(value: JsonValue) -> JsonObject | None:
    """The value as a JSON object, or None.

    A walk asks at every step, and an abstract class costs five times as much as a plain one.
    """
    if type(value) is dict:
        return cast("JsonObject", value)
    if value is None or isinstance(value, (str, int, float, list, tuple)):
        return None
    return cast("JsonObject", value) if isinstance(value, Mapping) else None


def as_list(value: JsonValue) -> list[JsonValue] | None:
    """The value as a JSON array of its own, or None."""
    return list(cast("list[JsonValue]", value)) if isinstance(value, (list, tuple)) else None


def is_schema(value: JsonValue) -> bool:
    """A mapping, `True` or `False`."""
    return isinstance(value, (bool, Mapping))


def children(place: Place) -> Iterator[Place]:
    """The subschemas that stand directly in a schema, in the order they are written.

    Example:
        >>> schema = {"properties": {"$ref": {"type": "string"}}, "default": {"items": {}}}
        >>> [(child.pointer, child.path) for child in children(Place(schema))]
        [('/properties/$ref', '/$ref')]
    """
    schema = place.mapping
    if schema is None:
        return
    for keyword, value in schema.items():
        if keyword in ONE and is_schema(value):
            yield _child(place, keyword, None, value)
        elif keyword in MAP and isinstance(value, Mapping):
            for name, item in cast("JsonObject", value).items():
                if is_schema(item):
                    yield _child(place, keyword, name, item)
        elif (keyword in LIST or keyword == "items") and isinstance(value, (list, tuple)):
            for index, item in enumerate(cast("list[JsonValue]", value)):
                if is_schema(item):
                    yield _child(place, keyword, str(index), item)


def places(
    schema: JsonValue,
    *,
    applied_only: bool = False,
    start: str = "",
    limits: Limits = DEFAULT_LIMITS,
) -> Iterator[Place]:
    """Every subschema at every depth, the root first, each before what it holds.

    Args:
        schema: the root.
        applied_only: leave out `$defs` and `definitions`.
        start: pointer of `schema` itself, put before every pointer.
        limits: `schema_depth` and `schema_places` bound the walk.

    Raises:
        SchemaTooLarge: the schema is deeper or larger than the limits (one that holds itself is).

    Example:
        >>> [place.pointer for place in places({"anyOf": [{"items": {}}, True]})]
        ['', '/anyOf/0', '/anyOf/0/items', '/anyOf/1']
    """
    stack = [Place(schema, start)]
    seen = 0
    while stack:
        place = stack.pop()
        seen += 1
        _keep_within(place, seen, limits)
        yield place
        below = [
            child for child in children(place) if not (applied_only and child.keyword in STORES)
        ]
        stack.extend(reversed(below))


def transform(
    schema: JsonValue,
    change: Callable[[dict[str, JsonValue], Place], JsonValue],
    *,
    limits: Limits = DEFAULT_LIMITS,
) -> JsonValue:
    """Copy a schema and change every subschema on the way, innermost first.

    Args:
        schema: the root; never changed itself.
        change: gets a fresh dict whose subschemas are changed already, and the place it came from
            (`place.schema` is the original); answers what shall stand there. Not called for `True`
            and `False`.
        limits: as in `places`.

    Raises:
        SchemaTooLarge: as in `places`.

    Example:
        >>> def untitled(schema, place):
        ...     return {key: value for key, value in schema.items() if key != "title"}
        >>> transform({"title": "x", "properties": {"title": {"title": "y"}}}, untitled)
        {'properties': {'title': {}}}
    """
    count = 0

    def copy(place: Place) -> JsonValue:
        nonlocal count
        count += 1
        _keep_within(place, count, limits)
        source = place.mapping
        if source is None:
            return place.schema
        fresh = dict(source)
        for child in children(place):
            changed = copy(child)
            if child.name is None:
                fresh[child.keyword] = changed
                continue
            if fresh[child.keyword] is source[child.keyword]:
                fresh[child.keyword] = _loose(source[child.keyword])
            held = fresh[child.keyword]
            if isinstance(held, list):
                held[int(child.name)] = changed
            else:
                cast("dict[str, JsonValue]", held)[child.name] = changed
        return change(fresh, place)

    return copy(Place(schema))


def _loose(value: JsonValue) -> JsonValue:
    mapping = as_mapping(value)
    return dict(mapping) if mapping is not None else as_list(value)


def _keep_within(place: Place, count: int, limits: Limits) -> None:
    if place.depth > limits.schema_depth:
        raise SchemaTooLarge(
            f"schema too large: more than {limits.schema_depth} levels deep; make it flatter.",
            pointer=place.pointer,
        )
    if count > limits.schema_places:
        raise SchemaTooLarge(
            f"schema too large: more than {limits.schema_places} subschemas; describe less.",
            pointer=place.pointer,
        )


def _child(parent: Place, keyword: str, name: str | None, schema: JsonValue) -> Place:
    pointer = f"{parent.pointer}/{keyword}"
    if name is not None:
        pointer = f"{pointer}/{escape_part(name)}"
    if keyword in SAME_PLACE:
        path = parent.path
    elif keyword == "properties":
        path = f"{parent.path}/{escape_part(name or '')}"
    elif keyword in STORES:
        path = ""
    else:
        path = f"{parent.path}/*"
    return Place(schema, pointer, keyword, name, parent.depth + 1, path)


def data_keyword(parts: Sequence[str | int]) -> str | None:
    """The keyword of data that a path into a schema leads into; None where a schema stands.

    Example:
        >>> data_keyword(("properties", "default", "default")), data_keyword(("properties", "a"))
        ('default', None)
    """
    steps = iter(parts)
    for keyword in steps:
        if keyword in MAP or keyword in LIST:
            next(steps, None)  # a name or an index
        elif keyword not in ONE and not isinstance(keyword, int):  # `items` may be a list
            return keyword
    return None
