"""The OpenAPI 3.0 words of Gemini's `parameters` and `responseSchema`.

For older endpoints, proxies and the Live API; `toolroll.dialects.gemini` says more. References
stand in place, null is `nullable`, fixed values are texts (and come back as what they were), a
value of any type is JSON as text (and comes back as its value).

Source: Gemini API reference, `Schema`; error texts "only allowed for STRING type", "cannot be
empty", "it must be the only field set", "missing field" (items), "property is not defined"
(required).
"""

import math
from collections.abc import Sequence

from toolroll.content import JsonObject, JsonValue, compact_json
from toolroll.dialects.conversion import adapt_to
from toolroll.dialects.draft import types_of
from toolroll.dialects.node import Dialect, Node
from toolroll.dialects.plan import Plan
from toolroll.dialects.record import Adapted, Use
from toolroll.dialects.rule import GEMINI_OPENAPI3, GEMINI_OPENAPI3_FORMATS
from toolroll.dialects.step import (
    hollow_union,
    inferred_type,
    known_required,
    named_in_branches,
    object_properties,
    one_of_as_any_of,
    overlapping_one_of,
    plain_root,
    plain_union,
    tuple_as_list,
)
from toolroll.schema.walk import as_list, as_mapping

ANY_VALUE = "Any JSON value, written as JSON text."
"""Describes a value of any type, which the dialect has no word for."""

EMPTY_TEXT = "(empty)"
"""Stands for "" among fixed values, which Gemini refuses there."""

_BY_TYPE = {
    "string": frozenset({"format", "maxLength", "minLength", "pattern"}),
    "integer": frozenset({"format", "maximum", "minimum"}),
    "number": frozenset({"format", "maximum", "minimum"}),
    "array": frozenset({"items", "maxItems", "minItems"}),
    "object": frozenset(
        {"maxProperties", "minProperties", "properties", "propertyOrdering", "required"}
    ),
}
"""Keywords that say something of one type only."""

_OF_SOME_TYPE = frozenset[str]().union(*_BY_TYPE.values())


def _open_object(node: Node) -> None:
    """Names that are not listed cannot be described; that there are none is no loss."""
    more = node.schema.get("additionalProperties")
    if more is False:
        del node.schema["additionalProperties"]


def _fixed_values(node: Node) -> None:
    """`const` and `enum` as texts; null as `nullable`."""
    schema = node.schema
    if "const" in schema:
        schema["enum"] = [schema.pop("const")]
    values = as_list(schema.get("enum"))
    if values is None:
        return
    if None in values:
        values = [value for value in values if value is not None]
        if values:
            schema["nullable"] = True
    if not values:
        del schema["enum"]
        schema["type"] = "null"
        return
    if len(values) == 2 and all(isinstance(value, bool) for value in values):
        del schema["enum"]
        schema["type"] = "boolean"
        return
    schema["enum"] = list(_texts(values, node.plan))
    for keyword in _OF_SOME_TYPE - {"pattern"}:
        schema.pop(keyword, None)  # the values fit them already
    schema.pop("pattern", None)
    schema["type"] = "string"


def _texts(values: Sequence[JsonValue], plan: Plan) -> dict[str, None]:
    """The values as texts, each once; the plan knows those that are other values."""
    taken = {value for value in values if isinstance(value, str) and value}
    texts: dict[str, None] = {}
    for value in values:
        if isinstance(value, str) and value:
            texts[value] = None
            continue
        text = EMPTY_TEXT if value == "" else compact_json(value)
        while text in taken:
            text = f"{text} ({type(value).__name__})"
        taken.add(text)
        texts[text] = None
        plan.values[text] = value
    return texts


def _bounds(node: Node) -> None:
    """Exclusive bounds as inclusive ones; exactly so for whole numbers."""
    _bound(node, "exclusiveMinimum", "minimum", 1)
    _bound(node, "exclusiveMaximum", "maximum", -1)


def _bound(node: Node, exclusive: str, inclusive: str, step: int) -> None:
    schema = node.schema
    limit = schema.pop(exclusive, None)
    if not isinstance(limit, (int, float)):
        return
    if set(types_of(schema)) - {"null"} == {"integer"}:
        near: int | float = math.floor(limit) + 1 if step > 0 else math.ceil(limit) - 1
    else:
        near = limit
        node.lose(exclusive, limit, "bound", f"it became {inclusive}: the limit itself is allowed")
    said = schema.get(inclusive)
    if isinstance(said, (int, float)):
        near = max(near, said) if step > 0 else min(near, said)
    schema[inclusive] = near


def _format(node: Node) -> None:
    said = node.schema.get("format")
    if said is None:
        return
    allowed = frozenset[str]().union(
        *(GEMINI_OPENAPI3_FORMATS.get(name, frozenset()) for name in types_of(node.schema))
    )
    if said not in allowed:
        node.drop("format", "bound", "the provider does not know this format")


def _null_branch(node: Node) -> None:
    """A branch that is null becomes `nullable`; one branch that is left takes the union's place."""
    schema = node.schema
    branches = as_list(schema.get("anyOf"))
    if branches is None:
        return
    if "enum" in schema:
        node.drop("anyOf", "shape", "it cannot be said beside fixed values")
        node.plan.branches.clear()
        return
    kept = [branch for branch in branches if not _is_null(branch)]
    if len(kept) < len(branches):
        schema["nullable"] = True
    if len(kept) > 1:
        schema["anyOf"] = kept
        return
    del schema["anyOf"]
    words = {key: schema[key] for key in ("title", "description") if key in schema}
    if not kept:
        del schema["nullable"]
    schema.update((as_mapping(kept[0]) or {}) if kept else {"type": "null"})
    schema.update(words)


def _is_null(schema: JsonValue) -> bool:
    mapping = as_mapping(schema) or {}
    return mapping.get("type") == "null"


def _one_type(node: Node) -> None:
    """One type in each schema: several become branches, null becomes `nullable`."""
    schema = node.schema
    types = types_of(schema)
    if "null" in types and len(types) > 1:
        schema["nullable"] = True
        types -= {"null"}
    if len(types) == 1:
        (schema["type"],) = types
    elif types and "anyOf" not in schema:
        del schema["type"]
        shared = {key: schema.pop(key) for key in _OF_SOME_TYPE & schema.keys()}
        schema["anyOf"] = [
            {"type": name, **{key: shared[key] for key in shared if key in _BY_TYPE.get(name, ())}}
            for name in _in_order(types)
        ]
    elif types:
        del schema["type"]  # the branches say theirs


def _in_order(types: frozenset[str]) -> list[str]:
    """`number` takes whole numbers too, so `integer` beside it says nothing."""
    order = ("string", "integer", "number", "boolean", "array", "object")
    return [
        name for name in order if name in types and not (name == "integer" and "number" in types)
    ]


def _items(node: Node) -> None:
    branches = as_list(node.schema.get("anyOf")) or []
    for schema in (node.schema, *(as_mapping(branch) or {} for branch in branches)):
        if schema.get("type") == "array" and "items" not in schema and isinstance(schema, dict):
            schema["items"] = _any_value()
            node.plan.items = node.plan.items or Plan(json_text=True)


def _any_value() -> dict[str, JsonValue]:
    return {"type": "string", "description": ANY_VALUE}


def _some_type(node: Node) -> None:
    """A value of any type is a text that holds JSON."""
    schema = node.schema
    if "type" in schema or "anyOf" in schema:
        return
    said = schema.get("description")
    schema["description"] = f"{said}\n{ANY_VALUE}" if isinstance(said, str) else ANY_VALUE
    schema["type"] = "string"
    node.plan.json_text = True


def _union_alone(node: Node) -> None:
    """Nothing stands beside a union: what does goes into its branches, and so do unions in it."""
    branches = as_list(node.schema.get("anyOf"))
    if branches is None:
        return
    beside = {key: value for key, value in node.schema.items() if key != "anyOf"}
    flat: list[JsonValue] = []
    for branch in branches:
        mapping = as_mapping(branch) or {}
        inner = as_list(mapping.get("anyOf"))
        held = [mapping] if inner is None else map(as_mapping, inner)
        flat.extend({**beside, **(each or {})} for each in held)
    if beside or len(flat) > len(branches):
        node.schema = {"anyOf": flat}


DIALECT = Dialect(
    name="gemini_openapi3",
    before=(
        plain_root,
        overlapping_one_of,
        plain_union,
        inferred_type,
        tuple_as_list,
        _open_object,
        named_in_branches,
    ),
    after=(
        _bounds,
        _format,
        _fixed_values,
        one_of_as_any_of,
        _null_branch,
        _one_type,
        _items,
        known_required,
        hollow_union,
        _some_type,
        _union_alone,
        object_properties,
    ),
    keeps=GEMINI_OPENAPI3,
    references="inline",
    merges=True,
    booleans=False,
)


def adapt(schema: JsonObject, use: Use = "tool", *, describe: bool = False) -> Adapted:
    """Adapt a schema for the OpenAPI fields of Gemini.

    What it takes and raises is said once for all dialects, in `toolroll.dialects`.

    Example:
        >>> adapted = adapt({"type": "object", "properties": {"size": {"enum": [1, 2]}}})
        >>> adapted.schema["properties"]["size"], adapted.restore({"size": "2"})
        ({'enum': ['1', '2'], 'type': 'string'}, {'size': 2})
    """
    return adapt_to(DIALECT, schema, use, describe=describe)
