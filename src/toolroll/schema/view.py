"""A schema as a model sees it in a list of tools: short, or word for word.

The short view keeps `type`, `description`, `enum`, `required`, `items` and `properties` at every
depth, and nothing else. Bounds still hold: a call is always checked against the full schema, and a
model learns them from a refusal instead of from every list.

Source: the tool definition contract, "Schemas".
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Literal, TypeAlias, cast

from toolroll.content import JsonObject, JsonValue, compact_json
from toolroll.schema.error import SchemaError, SchemaTooLarge
from toolroll.schema.limit import DEFAULT_LIMITS, Limits
from toolroll.schema.pointer import escape_part
from toolroll.schema.refs import Resolver, reference_of
from toolroll.schema.walk import as_list, as_mapping

Unions: TypeAlias = Literal["first", "all"]
"""`first`: a union is shown as its first branch. `all`: as `anyOf` of its branches."""

_CACHED_VIEWS = 4096
_LONGEST_CACHED = 16_384
_TOO_DEEP = "schema too large for a short view: nested too deep."


def verbatim(schema: JsonObject) -> JsonObject:
    """The schema itself, word for word.

    Example:
        >>> verbatim({"type": "object", "minProperties": 1})
        {'type': 'object', 'minProperties': 1}
    """
    return schema


def slim(
    schema: JsonObject, unions: Unions = "first", *, limits: Limits = DEFAULT_LIMITS
) -> JsonObject:
    """The short view of a schema.

    | schema | view |
    | --- | --- |
    | object | its properties; `required` without those that have a default |
    | record (no named properties) | an object without properties |
    | `const`, `enum` | type and `enum` |
    | union | its first branch, null aside; all of them with `unions="all"` |
    | reference | what it leads to; at a recursion its type alone |

    Args:
        schema: any JSON Schema with an object root; never changed.
        unions: show the first branch of a union, or all.
        limits: how large the schema may be with its references put in place.

    Returns:
        The view. Equal schemas give the same object: treat it as read-only.

    Raises:
        SchemaError: a place has no single type (anything goes, or an enum of mixed types), so it
            could only be shown as what it is not; `pointer` says where.
        SchemaTooLarge: the schema is larger than the limits.

    Example:
        >>> slim({"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}})
        {'type': 'object', 'properties': {'n': {'type': 'integer'}}}
    """
    try:
        text = compact_json(schema)
    except (TypeError, ValueError) as error:
        raise SchemaError(
            f"a schema must be plain JSON ({error}); write it as JSON, and what leads back to "
            "itself as a $ref."
        ) from error
    except RecursionError:
        raise SchemaTooLarge(_TOO_DEEP) from None
    make = _slim_text if len(text) <= _LONGEST_CACHED else _slim_text.__wrapped__
    try:
        return make(text, unions, limits)
    except RecursionError:
        raise SchemaTooLarge(_TOO_DEEP) from None


def object_schema(raw: JsonValue) -> JsonObject:
    """The input schema of a tool from elsewhere, in whatever form it says 'no parameters'.

    `None`, `{}`, an object without `properties` and `"properties": null` all mean the same. `type`
    is added where it is missing, but never beside a union or a reference.

    Raises:
        SchemaError: it is no schema at all, or describes something else than an object.

    Example:
        >>> object_schema(None), object_schema({"type": "object", "properties": None})
        ({'type': 'object', 'properties': {}}, {'type': 'object', 'properties': {}})
    """
    if raw is None:
        return {"type": "object", "properties": {}}
    given = as_mapping(raw)
    if given is None:
        raise SchemaError(f"an input schema must be an object, got {compact_json(raw)[:80]}.")
    schema = dict(given)
    composed = any(key in schema for key in ("$ref", "anyOf", "oneOf", "allOf"))
    kind = schema.get("type")
    if kind is None and not composed:
        schema = {"type": "object", **{key: item for key, item in schema.items() if key != "type"}}
    elif kind is not None and kind != "object" and "object" not in (as_list(kind) or []):
        named = compact_json(kind)
        raise SchemaError(f"an input schema must be an object schema, got type {named}.")
    if schema.get("properties") is None and not composed:
        schema["properties"] = {}
    return schema


@lru_cache(maxsize=_CACHED_VIEWS)
def _slim_text(text: str, unions: Unions, limits: Limits) -> JsonObject:
    root = cast("JsonObject", json.loads(text))
    return _Slimmer(root, unions, limits).view(root, "", ("",))


class _Slimmer:
    def __init__(self, root: JsonObject, unions: Unions, limits: Limits) -> None:
        self._resolver = Resolver(root, limits)
        self._unions = unions
        self._limits = limits
        self._count = 0

    def view(self, schema: JsonValue, pointer: str, stack: tuple[str, ...]) -> dict[str, JsonValue]:
        """The view of one schema; `stack` holds the references that led to it."""
        if pointer.count("/") > self._limits.schema_depth * 2:
            raise self._too_large(pointer)
        mapping = as_mapping(schema)
        if mapping is None:
            raise _no_type(pointer)
        parts, led = self._parts(mapping, set(stack))
        if parts is None:
            return _described({"type": self._type_alone(mapping, pointer)}, mapping)
        return self._described_view(_joined(parts), pointer, (*stack, *led))

    def _parts(
        self, schema: JsonValue, stack: set[str]
    ) -> tuple[list[JsonValue] | None, tuple[str, ...]]:
        """A schema, all that holds beside it by reference and `allOf`, and the references followed.

        The first is None where a reference leads back to where it came from.
        """
        self._count += 1
        if self._count > self._limits.schema_places:
            raise self._too_large("")
        parts: list[JsonValue] = [schema]
        led: list[str] = []
        mapping = as_mapping(schema)
        target = self._resolver.find(reference_of(schema))
        beside = as_list(mapping.get("allOf")) if mapping is not None else None
        for item in [*([target.schema] if target is not None else []), *(beside or [])]:
            below = stack
            if target is not None and item is target.schema:
                if target.pointer in stack:
                    return None, ()
                led.append(target.pointer)
                below = stack | {target.pointer}
            more, further = self._parts(item, below)
            if more is None:
                return None, ()
            parts += more
            led += further
        return parts, tuple(led)

    def _too_large(self, pointer: str) -> SchemaTooLarge:
        return SchemaTooLarge(
            f"schema too large for a short view: more than {self._limits.schema_places} places or "
            f"{self._limits.schema_depth} levels with its references in place.",
            pointer=pointer,
        )

    def _type_alone(self, schema: JsonValue, pointer: str) -> str:
        """The type of what stands at a recursion."""
        parts, _ = self._parts(schema, set())
        if parts is None:
            raise _no_type(pointer)  # references in a circle, with nothing between them
        return _kind(_joined(parts), pointer)

    def _described_view(
        self, schema: JsonObject, pointer: str, stack: tuple[str, ...]
    ) -> dict[str, JsonValue]:
        for keyword in ("anyOf", "oneOf"):
            branches = [item for item in as_list(schema.get(keyword)) or [] if not _is_null(item)]
            if branches and "properties" not in schema:
                return _described(self._union(schema, keyword, branches, pointer, stack), schema)
        choices = _choices_of(schema)
        if choices is not None and not _composed(choices, schema):
            return _described(_enum(choices, schema, pointer), schema)
        kind = _kind(schema, pointer)
        view: dict[str, JsonValue] = {"type": kind}
        if kind == "object":
            view |= self._object(schema, pointer, stack)
        elif kind == "array":
            view |= self._array(schema, pointer, stack)
        return _described(view, schema)

    def _union(
        self,
        schema: JsonObject,
        keyword: str,
        branches: list[JsonValue],
        pointer: str,
        stack: tuple[str, ...],
    ) -> dict[str, JsonValue]:
        choices = _choices_of_all(branches)
        if choices is not None:
            return _enum(choices, schema, pointer)
        shown = branches if self._unions == "all" else branches[:1]
        views = [
            self.view(_beside(branch, schema), f"{pointer}/{keyword}/{index}", stack)
            for index, branch in enumerate(shown)
        ]
        distinct = [view for index, view in enumerate(views) if view not in views[:index]]
        if len(distinct) == 1:
            return distinct[0]
        choices = _choices_of_all(distinct)  # some branches show what they are in short only
        return {"anyOf": distinct} if choices is None else _enum(choices, schema, pointer)

    def _object(
        self, schema: JsonObject, pointer: str, stack: tuple[str, ...]
    ) -> dict[str, JsonValue]:
        named = as_mapping(schema.get("properties"))
        if not named:
            return {}
        views: dict[str, JsonValue] = {
            name: self.view(item, f"{pointer}/properties/{escape_part(name)}", stack)
            for name, item in named.items()
        }
        required: list[JsonValue] = [
            name
            for name in as_list(schema.get("required")) or []
            if isinstance(name, str) and name in named and not self._has_default(named[name])
        ]
        return {"properties": views, "required": required} if required else {"properties": views}

    def _array(
        self, schema: JsonObject, pointer: str, stack: tuple[str, ...]
    ) -> dict[str, JsonValue]:
        items = schema.get("items")
        prefix = as_list(schema.get("prefixItems")) or as_list(items)
        if prefix:
            views = [
                self.view(item, f"{pointer}/prefixItems/{index}", stack)
                for index, item in enumerate(prefix)
            ]
            return {"items": views[0]} if all(view == views[0] for view in views) else {}
        if items is None or items is False:
            return {}
        return {"items": self.view(items, f"{pointer}/items", stack)}

    def _has_default(self, schema: JsonValue) -> bool:
        parts, _ = self._parts(schema, set())
        return "default" in _joined(parts if parts is not None else [schema])


def _beside(branch: JsonValue, schema: JsonObject) -> JsonValue:
    """A branch with the type and the items that its union states for all of them."""
    mapping = as_mapping(branch)
    if mapping is None or "$ref" in mapping:
        return branch
    said = {key: schema[key] for key in ("type", "items") if key in schema and not mapping.get(key)}
    return {**said, **{key: item for key, item in mapping.items() if key not in said}}


def _joined(parts: Iterable[JsonValue]) -> JsonObject:
    """Schemas that all hold, as one: first word wins, properties and required names add up."""
    joined: dict[str, JsonValue] = {}
    for part in parts:
        for key, value in (as_mapping(part) or {}).items():
            if key in ("$ref", "$dynamicRef", "allOf"):
                continue
            known, both = as_mapping(joined.get(key)), as_mapping(value)
            names, more = as_list(joined.get(key)), as_list(value)
            if key == "properties" and known is not None and both is not None:
                joined[key] = {**both, **known}
            elif key == "required" and names is not None and more is not None:
                joined[key] = [*names, *(name for name in more if name not in names)]
            else:
                joined.setdefault(key, value)
    return joined


def _described(view: dict[str, JsonValue], schema: JsonObject) -> dict[str, JsonValue]:
    words = schema.get("description")
    return {**view, "description": words} if isinstance(words, str) and words else view


def _kind(schema: JsonObject, pointer: str) -> str:
    kind = schema.get("type")
    names = [kind] if isinstance(kind, str) else as_list(kind) or []
    names = [name for name in names if name != "null"]
    if names and names[0] in _TYPES:
        return cast("str", names[0])
    if "properties" in schema:
        return "object"
    if "items" in schema or "prefixItems" in schema:
        return "array"
    raise _no_type(pointer)


_TYPES = frozenset({"string", "number", "integer", "boolean", "array", "object"})


def _choices_of(schema: JsonObject) -> list[JsonValue] | None:
    if "const" in schema:
        return [schema["const"]]
    return as_list(schema.get("enum"))


def _choices_of_all(branches: Sequence[JsonValue]) -> list[JsonValue] | None:
    """The values of a union of literals, which is an enum by another name."""
    found: list[JsonValue] = []
    for branch in branches:
        mapping = as_mapping(branch)
        choices = _choices_of(mapping) if mapping is not None else None
        if choices is None:
            return None
        found += [value for value in choices if not _among(value, found)]
    kinds = {_type_of(value) for value in found}
    return found if len(kinds) == 1 or kinds == {"integer", "number"} else None


def _composed(choices: Sequence[JsonValue], schema: JsonObject) -> bool:
    """Whether all values are lists, or all objects, as the schema says: its type tells enough."""
    kinds = {_type_of(value) for value in choices if value is not None}
    return kinds <= {"object", "array"} and list(kinds) == [schema.get("type")]


def _enum(choices: list[JsonValue], schema: JsonObject, pointer: str) -> dict[str, JsonValue]:
    values = [value for value in choices if value is not None]
    kinds = {_type_of(value) for value in values}
    if kinds == {"integer", "number"}:
        kinds = {"number"}
    if len(kinds) != 1 or not kinds <= {"string", "integer", "number", "boolean"}:
        raise SchemaError(
            f"schema at {pointer or '/'}: its values are of no single type; "
            "give values of one type, or fields of their own.",
            pointer=pointer,
        )
    (kind,) = kinds
    wide = schema.get("type") == "number" and kind == "integer"
    return {"type": "number" if wide else kind, "enum": values}


def _type_of(value: JsonValue) -> str:
    if isinstance(value, bool):
        return "boolean"
    if value is None:
        return "null"
    for kind, name in ((str, "string"), (int, "integer"), (float, "number"), (Mapping, "object")):
        if isinstance(value, kind):
            return name
    return "array"


def _among(value: JsonValue, values: list[JsonValue]) -> bool:
    return any(
        other == value and isinstance(other, bool) == isinstance(value, bool) for other in values
    )


def _is_null(schema: JsonValue) -> bool:
    mapping = as_mapping(schema)
    if mapping is None:
        return False
    return mapping.get("type") == "null" or _choices_of(mapping) == [None]


def _no_type(pointer: str) -> SchemaError:
    return SchemaError(
        f"schema at {pointer or '/'} has no single type, so a short view cannot show it; "
        "say its type.",
        pointer=pointer,
    )
