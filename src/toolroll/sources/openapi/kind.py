"""What kind of value a schema of a document describes, as far as a request needs to know."""

from collections.abc import Collection
from typing import Literal, TypeAlias

from toolroll.content import JsonObject, JsonValue
from toolroll.sources.openapi.document import Document, as_list, as_object, as_text

Kind: TypeAlias = Literal["array", "object", "scalar", "any"]

_DEEPEST = 8
"""Levels of references and composition that are looked through."""


_TELLING: dict[str, Kind] = {"properties": "object", "items": "array", "enum": "scalar"}


def kind_of(document: Document, schema: JsonValue) -> Kind:
    """Whether a schema's values are lists, objects, single values, or any of these."""
    return _kind(document, schema, set(), 0)


def _kind(document: Document, schema: JsonValue, seen: set[int], depth: int) -> Kind:
    found = document.peek(schema)
    if found is None or depth > _DEEPEST or id(found) in seen:
        return "any"
    seen.add(id(found))
    types = [found["type"]] if isinstance(found.get("type"), str) else as_list(found.get("type"))
    kinds = set[Kind]()
    kinds.update(kind_of_type(as_text(word)) for word in types if word != "null")
    if kinds:
        return kinds.pop() if len(kinds) == 1 else "any"
    if (told := told_kind(found)) is not None:
        return told
    for one in (*as_list(found.get("anyOf")), *as_list(found.get("oneOf"))):
        if not is_null(one):
            kinds.add(_kind(document, one, seen, depth + 1))
    for one in as_list(found.get("allOf")):
        kind = _kind(document, one, seen, depth + 1)
        if kind != "any":  # the other parts tell
            kinds.add(kind)
    return kinds.pop() if len(kinds) == 1 else "any"


def told_kind(schema: JsonObject) -> Kind | None:
    """The kind of value that the keywords of a schema without a type are about."""
    return next((kind for key, kind in _TELLING.items() if schema.get(key)), None)


def kind_of_type(word: str) -> Kind:
    """The kind of a type of JSON Schema."""
    kinds: dict[str, Kind] = {"array": "array", "object": "object"}
    return kinds.get(word, "scalar")


def is_null(schema: JsonValue) -> bool:
    """Whether a schema is that of null alone."""
    return (as_object(schema) or {}).get("type") == "null"


def settled(document: Document, schema: JsonValue) -> JsonObject | None:
    """What a schema is about: references, a union with null, and a lone part looked through."""
    found = document.peek(schema)
    for _ in range(_DEEPEST):
        if found is None or "type" in found or "properties" in found:
            return found
        parts: list[JsonValue] = []
        for key in ("allOf", "anyOf", "oneOf"):
            parts += [one for one in as_list(found.get(key)) if not is_null(one)]
        if len(parts) != 1:
            return found
        found = document.peek(parts[0])
    return found


def item_of(document: Document, schema: JsonValue) -> JsonValue:
    """The schema of a list's items; True where it has none."""
    return (settled(document, schema) or {}).get("items", True)


def object_schemas(
    document: Document, schema: JsonValue, keys: Collection[str] = ("allOf", "anyOf", "oneOf")
) -> list[JsonObject]:
    """A schema and all it is composed of in one place, references followed, each once.

    Args:
        document: where references lead.
        schema: the schema.
        keys: the keywords of composition that are followed.
    """
    found: dict[int, JsonObject] = {}
    level = [schema]
    for _ in range(_DEEPEST):
        inner: list[JsonValue] = []
        for one in level:
            resolved = document.peek(one)
            if resolved is None or id(resolved) in found:
                continue
            found[id(resolved)] = resolved
            for key in keys:
                inner.extend(as_list(resolved.get(key)))
        level = inner
    return list(found.values())
