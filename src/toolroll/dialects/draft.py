"""Older and careless ways of writing a schema, put into the words of JSON Schema 2020-12.

Nothing a draft 4 to 7 schema means is lost here. What no draft allows, and what makes a provider
refuse the whole request (`properties: null`, an unknown `type`, `required: true`), goes with a
line.

Source: JSON Schema draft 4 validation §5, draft 7 validation §6, 2020-12 core §10 and appendix of
changes.
"""

from collections.abc import Callable, Mapping
from typing import cast

from toolroll.content import JsonObject, JsonValue
from toolroll.dialects.shape import as_list, as_mapping

Lose = Callable[[str, JsonValue, str], None]
"""Keyword, what it said, why it went."""

TYPES = frozenset({"string", "number", "integer", "boolean", "object", "array", "null"})

_DATA = frozenset({"const", "default", "enum", "example", "examples"})
_MAPPINGS = ("properties", "patternProperties", "$defs", "definitions")
_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
_WATCHED = frozenset(
    {
        *_MAPPINGS,
        *_LISTS,
        "enum",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "items",
        "required",
        "type",
    }
)


def modern(schema: JsonObject, lose: Lose) -> dict[str, JsonValue]:
    """Copy one schema (not what it holds) in the words of 2020-12.

    Example:
        >>> modern({"type": "integer", "minimum": 3, "exclusiveMinimum": True}, print)
        {'type': 'integer', 'exclusiveMinimum': 3}
        >>> modern({"items": [{"type": "string"}], "additionalItems": False}, print)
        {'prefixItems': [{'type': 'string'}], 'items': False}
    """
    fresh: dict[str, JsonValue] = {}
    watched = False
    for keyword, value in schema.items():
        if value is None and keyword not in _DATA:
            continue
        fresh[keyword] = value
        watched = watched or keyword in _WATCHED
    if watched:
        _bounds(fresh)
        _tuple(fresh)
        _shapes(fresh, lose)
        if "type" in fresh:
            _type(fresh, lose)
    return fresh


def _bounds(fresh: dict[str, JsonValue]) -> None:
    """Draft 4: `exclusiveMinimum: true` beside `minimum: n`."""
    for exclusive, inclusive in (
        ("exclusiveMinimum", "minimum"),
        ("exclusiveMaximum", "maximum"),
    ):
        said = fresh.get(exclusive)
        if not isinstance(said, bool):
            continue
        del fresh[exclusive]
        if said and inclusive in fresh:
            fresh[exclusive] = fresh.pop(inclusive)


def _tuple(fresh: dict[str, JsonValue]) -> None:
    """Drafts 4 to 7: a list of schemas under `items`, the rest under `additionalItems`."""
    members = as_list(fresh.get("items"))
    if members is None:
        return
    del fresh["items"]
    rest = fresh.pop("additionalItems", None)
    if members:
        fresh["prefixItems"] = members
    if rest is not None:
        fresh["items"] = rest


def _shapes(fresh: dict[str, JsonValue], lose: Lose) -> None:
    for keyword in _MAPPINGS:
        if keyword in fresh and not isinstance(fresh[keyword], Mapping):
            lose(keyword, fresh.pop(keyword), "it must be an object of schemas")
    for keyword in _LISTS:
        if keyword in fresh and not as_list(fresh[keyword]):
            lose(keyword, fresh.pop(keyword), "it must be a list of schemas that is not empty")
    if "enum" in fresh and not as_list(fresh["enum"]):
        lose("enum", fresh.pop("enum"), "it must be a list of values that is not empty")
    if "required" in fresh:
        named = as_list(fresh["required"])
        if named is None:
            lose("required", fresh.pop("required"), "it must be a list of names")
        elif not all(isinstance(name, str) for name in named):
            lose("required", named, "a name must be a text")
            fresh["required"] = [name for name in named if isinstance(name, str)]


def _type(fresh: dict[str, JsonValue], lose: Lose) -> None:
    said = fresh["type"]
    if isinstance(said, str) and said in TYPES:
        return
    names = as_list(said)
    if names is None:
        names = [said]
    known = [name for name in names if isinstance(name, str) and name in TYPES]
    if len(known) == len(names) and known:
        return
    lose("type", said, "JSON Schema has no such type")
    if known:
        fresh["type"] = cast("JsonValue", known if len(known) > 1 else known[0])
    else:
        del fresh["type"]


def types_of(schema: JsonObject) -> frozenset[str]:
    """The types a schema names; none where it names none.

    Example:
        >>> sorted(types_of({"type": ["string", "null"]}))
        ['null', 'string']
    """
    said = schema.get("type")
    if isinstance(said, str):
        return frozenset((said,))
    return frozenset(name for name in as_list(said) or () if isinstance(name, str))


def type_of_value(value: JsonValue) -> str:
    """The JSON Schema type of a value; a whole number is an `integer`.

    Example:
        >>> [type_of_value(value) for value in (True, 1, 1.5, "a", None, [], {})]
        ['boolean', 'integer', 'number', 'string', 'null', 'array', 'object']
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float):
        return "integer" if value.is_integer() else "number"
    if isinstance(value, str):
        return "string"
    return "object" if as_mapping(value) is not None else "array"
