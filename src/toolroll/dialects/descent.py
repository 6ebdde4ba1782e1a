"""From a node to the subschemas it holds, by position."""

from collections.abc import Callable

from toolroll.content import JsonValue
from toolroll.dialects.node import Node
from toolroll.dialects.rule import BOUNDS, SHAPES
from toolroll.schema.walk import as_list, as_mapping

_NO_WORD = "the provider's dialect has no such keyword"
_SAME_VALUE = frozenset({"then", "else"})
_ALONE = frozenset(
    {
        "not",
        "if",
        "contains",
        "contentSchema",
        "propertyNames",
        "unevaluatedProperties",
        "unevaluatedItems",
    }
)


def keep_only(node: Node, keeps: frozenset[str]) -> None:
    """Take away what the dialect has no word for; words without force go as notes."""
    for keyword in [keyword for keyword in node.schema if keyword not in keeps]:
        if keyword == "$defs":
            del node.schema[keyword]  # what is needed of it stands in place
            continue
        kind = "bound" if keyword in BOUNDS else "shape" if keyword in SHAPES else "note"
        node.drop(keyword, kind, _NO_WORD)


def go_below(node: Node) -> None:
    """Adapt every subschema of a node, and put what has to be undone into its plan."""
    for keyword in list(node.schema):
        go = _WAYS.get(keyword)
        if go is not None:
            go(node, keyword, node.schema[keyword])


def _properties(node: Node, keyword: str, value: JsonValue) -> None:
    work, plan = node.work, node.plan
    converted: dict[str, JsonValue] = {}
    for name, schema in (as_mapping(value) or {}).items():
        wire = work.key(name)
        converted[wire], below = work.convert(schema, (*node.trail, keyword, name))
        if below is not None:
            plan.properties[wire] = below
        if wire != name:
            plan.names[wire] = name
    node.schema[keyword] = converted


def _required(node: Node, keyword: str, value: JsonValue) -> None:
    work = node.work
    if work.dialect.key is not None:
        names = as_list(value) or []
        node.schema[keyword] = [work.key(name) for name in names if isinstance(name, str)]


def _dependent(node: Node, keyword: str, value: JsonValue) -> None:
    work = node.work
    if work.dialect.key is not None:
        node.schema[keyword] = {
            work.key(name): [
                work.key(each) for each in as_list(names) or () if isinstance(each, str)
            ]
            for name, names in (as_mapping(value) or {}).items()
        }


def _schemas_by_name(node: Node, keyword: str, value: JsonValue) -> None:
    """`patternProperties`, `dependentSchemas`, `dependencies`."""
    work = node.work
    converted: dict[str, JsonValue] = {}
    for name, schema in (as_mapping(value) or {}).items():
        if keyword == "dependencies" and isinstance(schema, (list, tuple)):
            converted[work.key(name)] = [
                work.key(each) for each in as_list(schema) or () if isinstance(each, str)
            ]
            continue
        below = (*node.trail, keyword, name)
        wire = name if keyword == "patternProperties" else work.key(name)
        converted[wire], plan = work.convert(schema, below)
        if plan is not None and keyword == "patternProperties":
            node.plan.others.append((converted[wire], plan))
        elif plan is not None:
            node.plan.also.append(plan)
    node.schema[keyword] = converted


def _additional(node: Node, keyword: str, value: JsonValue) -> None:
    if as_mapping(value) is None:
        return
    converted, plan = node.work.convert(value, (*node.trail, keyword))
    node.schema[keyword] = converted
    if plan is not None:
        node.plan.others.append((converted, plan))


def _items(node: Node, keyword: str, value: JsonValue) -> None:
    if as_mapping(value) is None and node.work.dialect.booleans:
        return
    node.schema[keyword], node.plan.items = node.work.convert(value, (*node.trail, keyword))


def _prefix(node: Node, keyword: str, value: JsonValue) -> None:
    converted: list[JsonValue] = []
    for index, schema in enumerate(as_list(value) or ()):
        member, plan = node.work.convert(schema, (*node.trail, keyword, str(index)))
        converted.append(member)
        node.plan.prefix.append(plan)
    node.schema[keyword] = converted


def _branches(node: Node, keyword: str, value: JsonValue) -> None:
    converted: list[JsonValue] = []
    for index, schema in enumerate(as_list(value) or ()):
        member, plan = node.work.convert(schema, (*node.trail, keyword, str(index)))
        converted.append(member)
        if keyword == "allOf":
            if plan is not None:
                node.plan.also.append(plan)
        else:
            node.plan.branches.append((member, plan))
    node.schema[keyword] = converted


def _one(node: Node, keyword: str, value: JsonValue) -> None:
    converted, plan = node.work.convert(value, (*node.trail, keyword))
    node.schema[keyword] = converted
    if plan is not None and keyword in _SAME_VALUE:
        node.plan.also.append(plan)


def _definitions(node: Node, keyword: str, value: JsonValue) -> None:
    if node.trail or keyword != "$defs" or node.work.dialect.references == "inline":
        del node.schema[keyword]  # whatever is needed of it stands under the root's `$defs`
        return
    converted: dict[str, JsonValue] = {}
    for name, schema in (as_mapping(value) or {}).items():
        converted[name], plan = node.work.convert(schema, (keyword, name))
        if plan is not None:
            node.work.plans[name] = plan
    node.schema[keyword] = converted


_WAYS: dict[str, Callable[[Node, str, JsonValue], None]] = {
    "properties": _properties,
    "required": _required,
    "dependentRequired": _dependent,
    "patternProperties": _schemas_by_name,
    "dependentSchemas": _schemas_by_name,
    "dependencies": _schemas_by_name,
    "additionalProperties": _additional,
    "items": _items,
    "prefixItems": _prefix,
    "anyOf": _branches,
    "oneOf": _branches,
    "allOf": _branches,
    "$defs": _definitions,
    "definitions": _definitions,
    **dict.fromkeys(_ALONE | _SAME_VALUE, _one),
}
