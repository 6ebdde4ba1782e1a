"""What is said of each fault: one table for every checker.

A sentence says what must be, never a library, a link or an internal name. Types are named as JSON
names them; `null` is left out where something else is allowed too, since a model that sent the
wrong thing has no use for it.

Source of the wording: the tool definition contract, "validateInput and its exact lines".
"""

import json
from collections.abc import Iterable, Mapping
from typing import cast

from toolroll.content import JsonObject, JsonValue, compact_json

BOUNDS = {
    "maxItems": "must not have more than {} items",
    "maxLength": "must not have more than {} characters",
    "maxProperties": "must not have more than {} properties",
    "minItems": "must not have fewer than {} items",
    "minLength": "must not have fewer than {} characters",
    "minProperties": "must not have fewer than {} properties",
    "maximum": "must be <= {}",
    "minimum": "must be >= {}",
    "exclusiveMaximum": "must be < {}",
    "exclusiveMinimum": "must be > {}",
    "multipleOf": "must be multiple of {}",
}
"""What is said of each keyword that holds a number."""

_PLAIN = {
    "additionalItems": "must not have additional items",
    "anyOf": "must match a schema in anyOf",
    "const": "must be equal to constant",
    "contains": "must contain a valid item",
    "false": "must not be present",
    "not": "must not be valid",
    "oneOf": "must match exactly one schema in oneOf",
    "unevaluatedItems": "must not have unevaluated items",
    "uniqueItems": "must not have duplicate items",
}

_MOST_CHOICES = 50
_LONGEST_CHOICE = 200


def say_bound(keyword: str, limit: JsonValue) -> str:
    """Say that a bound does not hold.

    Example:
        >>> say_bound("minItems", 1)
        'must not have fewer than 1 items'
    """
    return BOUNDS[keyword].format(_number(limit))


def say_plain(keyword: str) -> str:
    """Say a fault that needs no detail.

    Example:
        >>> say_plain("uniqueItems")
        'must not have duplicate items'
    """
    return _PLAIN.get(keyword, "must be valid")


def say_types(types: Iterable[str]) -> str:
    """Say which JSON types are wanted.

    Example:
        >>> say_types(["string", "null"]), say_types(["string", "integer"])
        ('must be string', 'must be either string or integer')
    """
    wanted = list(dict.fromkeys(types))
    named = [name for name in wanted if name != "null"] or wanted
    return f"must be {named[0]}" if len(named) == 1 else f"must be either {' or '.join(named)}"


def say_choices(choices: Iterable[JsonValue]) -> str:
    """Say which values are allowed; texts as they are, all else as JSON.

    Example:
        >>> say_choices(["plain", "loud"]), say_choices([1, None])
        ('must be one of plain, loud', 'must be one of 1, null')
    """
    named = list(dict.fromkeys(_choice(value) for value in choices))
    shown = ", ".join(named[:_MOST_CHOICES])
    rest = len(named) - _MOST_CHOICES
    return f"must be one of {shown}, and {rest} more" if rest > 0 else f"must be one of {shown}"


def say_missing(names: Iterable[str]) -> str:
    """Say which properties are missing.

    Example:
        >>> say_missing(["word", "mode"])
        'must have required properties word, mode'
    """
    return f"must have required properties {', '.join(map(in_one_line, names))}"


def say_pattern(pattern: str) -> str:
    """Say that a text does not match.

    Example:
        >>> say_pattern("^[a-z]+$")
        'must match pattern "^[a-z]+$"'
    """
    return f'must match pattern "{in_one_line(pattern)}"'


def say_format(name: str) -> str:
    """Say that a text has not the form wanted.

    Example:
        >>> say_format("date")
        'must match format "date"'
    """
    return f'must match format "{in_one_line(name)}"'


def say_unknown(key: str, takes: Iterable[Iterable[str]]) -> str:
    """Say that a key is unknown, and what is taken instead.

    Args:
        key: the key; written as a JSON string, so that a line break in it cannot break the line.
        takes: the names that each possible object takes; several where a union is meant.

    Example:
        >>> say_unknown("z", [["x", "y"]])
        'unknown property "z"; takes x, y'
        >>> say_unknown("z", [["a", "b"], ["c"], ["c"]])
        'unknown property "z"; takes {a, b} or {c}'
        >>> say_unknown("a\\nb", [[]])
        'unknown property "a\\\\nb"; takes no properties'
    """
    lists = list(dict.fromkeys(tuple(map(in_one_line, names)) for names in takes))
    head = f'unknown property "{in_one_line(compact_json(key)[1:-1])}"; takes'
    if len(lists) > 1:
        return f"{head} {' or '.join('{' + ', '.join(names) + '}' for names in lists)}"
    names = lists[0] if lists else ()
    return f"{head} {', '.join(names)}" if names else f"{head} no properties"


def keys_taken(schema: Mapping[str, JsonValue]) -> list[str]:
    """The keys an object schema takes by itself, as `say_unknown` lists them.

    Example:
        >>> keys_taken({"properties": {"a": {}}, "patternProperties": {"^x": {}}})
        ['a', 'keys matching "^x"']
    """
    named, patterns = schema.get("properties"), schema.get("patternProperties")
    taken = list(cast("JsonObject", named)) if isinstance(named, Mapping) else []
    if isinstance(patterns, Mapping):
        taken += [f'keys matching "{pattern}"' for pattern in cast("JsonObject", patterns)]
    return taken


def say_name(key: str, problem: str) -> str:
    """Say what is wrong with the name of a property.

    Example:
        >>> say_name("z", "must be one of a, b")
        'property name "z" must be one of a, b'
    """
    return f'property name "{in_one_line(compact_json(key)[1:-1])}" {problem}'


def in_one_line(text: str) -> str:
    """A text that cannot break the line it stands in: what is not printable is escaped as in JSON.

    Example:
        >>> in_one_line("a b"), in_one_line("a\\tb")
        ('a b', 'a\\\\tb')
    """
    return text if text.isprintable() else json.dumps(text)[1:-1]


def _number(value: JsonValue) -> str:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e16:
        return str(int(value))
    return str(value)


def _choice(value: JsonValue) -> str:
    text = in_one_line(value) if isinstance(value, str) else compact_json(value)
    return text if len(text) <= _LONGEST_CHOICE else f"{text[:_LONGEST_CHOICE]}…"
