"""Older and careless ways of writing a schema, put into the words of JSON Schema 2020-12.

Nothing a draft 4 to 7 schema means is lost here. What no draft allows, and what makes a provider
refuse the whole request (`properties: null`, an unknown `type`, `required: true`), goes with a
line.

Source: JSON Schema draft 4 validation §5, draft 7 validation §6, 2020-12 core §10 and appendix of
changes.
"""

from collections.abc import Callable, Collection

from toolroll.content import JsonObject, JsonValue
from toolroll.dialects.form import FORMS, TYPES
from toolroll.schema.walk import as_list, as_mapping

Lose = Callable[[str, JsonValue, str], None]
"""Keyword, what it said, why it went."""

_DATA = frozenset({"const", "default", "enum", "example", "examples"})
_ANCHORS = frozenset({"$anchor", "$dynamicAnchor"})
"""Where references may lead; all of them are put into one form before."""

_RESPELLED = frozenset(
    {
        "additionalItems",
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
    respelled = False
    for keyword, value in schema.items():
        if (value is None and keyword not in _DATA) or keyword in _ANCHORS:
            continue
        form = FORMS.get(keyword)
        if form is not None and not form[0](value):
            lose(keyword, value, form[1])
            continue
        fresh[keyword] = value
        respelled = respelled or keyword in _RESPELLED
    if respelled:
        _bounds(fresh)
        _tuple(fresh)
        if "required" in fresh:
            _required(fresh, lose)
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
    rest = fresh.pop("additionalItems", None)  # says nothing but beside a tuple
    members = as_list(fresh.get("items"))
    if members is None:
        return
    del fresh["items"]
    if members:
        fresh["prefixItems"] = members
    if rest is not None:
        fresh["items"] = rest


def _required(fresh: dict[str, JsonValue], lose: Lose) -> None:
    said = as_list(fresh["required"])
    if said is None:
        lose("required", fresh.pop("required"), "it must be a list of names")
        return
    names = list(dict.fromkeys(name for name in said if isinstance(name, str)))
    if len(names) < len(said):
        if not all(isinstance(name, str) for name in said):
            lose("required", said, "a name must be a text")
        fresh["required"] = names


def _type(fresh: dict[str, JsonValue], lose: Lose) -> None:
    """A type that is none, alone or among others, leaves the value of any type."""
    said = fresh["type"]
    if isinstance(said, str) and said in TYPES:
        return
    names = as_list(said) or [said]
    if not all(isinstance(name, str) and name in TYPES for name in names):
        lose("type", fresh.pop("type"), "JSON Schema has no such type")
    elif len(set(map(str, names))) < len(names):
        fresh["type"] = list(dict.fromkeys(map(str, names)))


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


def is_of_type(value: JsonValue, types: Collection[str]) -> bool:
    """The value is of one of the types.

    Example:
        >>> is_of_type(1, {"number"}), is_of_type(1.5, {"integer"}), is_of_type("1", {"integer"})
        (True, False, False)
    """
    own = type_of_value(value)
    return own in types or (own == "integer" and "number" in types)


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
