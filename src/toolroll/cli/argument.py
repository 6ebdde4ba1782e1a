"""From the words of a command line to the arguments of a tool."""

import json
from collections.abc import Mapping, Sequence
from typing import cast

import click

from toolroll.content import JsonObject, JsonValue

_LONGEST_WORD = 80


def read_words(words: Sequence[str], schema: JsonObject) -> dict[str, JsonValue]:
    """Read `key=value` words by the types of a tool's schema.

    `key=value` gives what the schema wants: a text as it stands, a number or boolean if the value
    spells one, JSON for objects and lists. A list also grows by repeating its key. `key:=JSON`
    gives any JSON. What does not fit is left to the tool's own check.

    Raises:
        click.UsageError: a word without `=`, or JSON that is none.
    """
    properties = schema.get("properties")
    types: JsonObject = properties if isinstance(properties, Mapping) else {}
    read: dict[str, JsonValue] = {}
    for word in words:
        key, mark, value = word.partition("=")
        if not mark or not key:
            raise click.UsageError(f"{short(word)!r} is no argument; write key=value or key:=JSON.")
        if key.endswith(":"):
            read[key[:-1]] = _json(value, word)
        elif "array" in (kinds := _kinds(types.get(key))) and not value.lstrip().startswith("["):
            items = read.setdefault(key, [])
            cast("list[JsonValue]", items).append(_item(value, types.get(key)))
        else:
            read[key] = _value(value, kinds, word)
    return read


def read_json(text: str) -> JsonValue:
    """Read the arguments as one JSON text.

    Raises:
        click.UsageError: it is no JSON.
    """
    return _json(text, "--json")


def _item(value: str, schema: JsonValue) -> JsonValue:
    items = schema.get("items") if isinstance(schema, Mapping) else None
    return _value(value, _kinds(cast("JsonValue", items)), value)


def _value(value: str, kinds: frozenset[str], word: str) -> JsonValue:
    if not kinds or "string" in kinds:
        return value
    if "boolean" in kinds and value in ("true", "false"):
        return value == "true"
    if "null" in kinds and value == "null":
        return None
    if kinds & {"integer", "number"}:
        try:
            number: JsonValue = json.loads(value)
        except ValueError:
            return value
        return number if isinstance(number, int | float) else value
    if kinds & {"object", "array"}:
        return _json(value, word)
    return value


def _kinds(schema: JsonValue) -> frozenset[str]:
    """The JSON types a property takes, as far as it says so on its own level; empty for any."""
    if not isinstance(schema, Mapping):
        return frozenset()
    said = schema.get("type")
    if isinstance(said, str):
        return frozenset({said})
    if isinstance(said, list | tuple):
        return frozenset(str(kind) for kind in cast("Sequence[JsonValue]", said))
    branches = schema.get("anyOf") or schema.get("oneOf")
    if isinstance(branches, list | tuple):
        found = [_kinds(branch) for branch in cast("Sequence[JsonValue]", branches)]
        return frozenset[str]().union(*found) if all(found) else frozenset()
    return frozenset()


def _json(text: str, word: str) -> JsonValue:
    try:
        return cast("JsonValue", json.loads(text))
    except RecursionError:
        raise click.UsageError(f"{short(word)}: is nested too deep.") from None
    except ValueError as error:
        raise click.UsageError(f"{short(word)}: must be JSON: {error}") from None


def short(word: str) -> str:
    """A word for a message: cut where it is long."""
    return word if len(word) <= _LONGEST_WORD else f"{word[: _LONGEST_WORD - 1]}…"
