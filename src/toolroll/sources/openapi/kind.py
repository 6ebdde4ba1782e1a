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
    kinds.update(_of_type(as_text(word)) for word in types if word != "null")
    if kinds:
        return kinds.pop() if len(kinds) == 1 else "any"
    for key, kind in _TELLING.items():
        if found.get(key):
            return kind
    for one in (*as_list(found.get("anyOf")), *as_list(found.get("oneOf"))):
        if not _is_null(one):
            kinds.add(_kind(document, one, seen, depth + 1))
    for one in as_list(found.get("allOf")):
        kind = _kind(document, one, seen, depth + 1)
        if kind != "any":  # the other parts tell
            kinds.add(kind)
    return kinds.pop() if len(kinds) == 1 else "any"


def _of_type(word: str) -> Kind:
    kinds: dict[str, Kind] = {"array": "array", "object": "object"}
    return kinds.get(word, "scalar")


def _is_null(schema: JsonValue) -> bool:
    return (as_object(schema) or {}).get("type") == "null"


def item_of(document: Document, schema: JsonValue) -> JsonValue:
    """The schema of a list's items; True where it has none."""
    return (document.peek(schema) or {}).get("items", True)


def required_kinds(document: Document, schema: JsonValue) -> set[Kind]:
    """The kinds of the properties that an object must have."""
    found = document.peek(schema) or {}
    properties = as_object(found.get("properties")) or {}
    names = [as_text(name) for name in as_list(found.get("required"))]
    return {kind_of(document, properties[name]) for name in names if name in properties}


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
