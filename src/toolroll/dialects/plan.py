"""The way back: what has to be undone in arguments that were written to an adapted schema."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from toolroll.content import JsonObject, JsonValue
from toolroll.dialects.draft import type_of_value, types_of
from toolroll.dialects.record import Restore
from toolroll.schema.walk import as_list, as_mapping

_MOST_LEVELS = 8
"""Most unions in unions that are looked into."""

_MOST_HOPS = 64
"""Most plans that may apply to one value in turn; a chain of references that is longer runs in a
circle."""


@dataclass(slots=True)
class Plan:
    """What has to be undone where one subschema applies. Empty fields: nothing of that kind.

    Args:
        names: name on the wire -> the property's own name.
        nulls: names on the wire whose null means that the property was left out.
        properties: name on the wire -> plan of its value.
        items: plan of array items after `prefix`.
        prefix: plans of the first array items.
        others: schema on the wire and plan, for values of properties that are not listed.
        branches: schema on the wire and plan; the first whose schema fits is used.
        also: plans that apply to the same value as well.
        values: text on the wire -> the value it stands for.
        json_text: a text is JSON and stands for its value.
        reference: name of the definition whose plan applies, "" for the root.
    """

    names: dict[str, str] = field(default_factory=dict[str, str])
    nulls: set[str] = field(default_factory=set[str])
    properties: "dict[str, Plan]" = field(default_factory=lambda: cast("dict[str, Plan]", {}))
    items: "Plan | None" = None
    prefix: "list[Plan | None]" = field(default_factory=lambda: cast("list[Plan | None]", []))
    others: "list[tuple[JsonValue, Plan]]" = field(
        default_factory=lambda: cast("list[tuple[JsonValue, Plan]]", [])
    )
    branches: "list[tuple[JsonValue, Plan | None]]" = field(
        default_factory=lambda: cast("list[tuple[JsonValue, Plan | None]]", [])
    )
    also: "list[Plan]" = field(default_factory=lambda: cast("list[Plan]", []))
    values: dict[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    json_text: bool = False
    reference: str | None = None

    @property
    def empty(self) -> bool:
        """There is nothing to undo."""
        return not (
            self.names
            or self.nulls
            or self.properties
            or self.items
            or self.others
            or self.also
            or self.values
            or self.json_text
            or self.reference is not None
            or any(self.prefix)
            or any(plan for _, plan in self.branches)
        )


def untouched(arguments: JsonValue) -> JsonValue:
    """The way back where there is nothing to undo."""
    return arguments


def restorer(plan: Plan | None, definitions: Mapping[str, Plan], schema: JsonObject) -> Restore:
    """A function that undoes a plan.

    Args:
        plan: of the root; None where there is nothing to undo.
        definitions: plan of each definition by its name, and of the root under "".
        schema: the adapted schema, for references in branches.
    """
    if plan is None:
        return untouched
    if not any(_acts(each) for each in (plan, *definitions.values())):
        return untouched
    return _Restoring(plan, definitions, schema)


def _acts(plan: Plan) -> bool:
    """Something other than a reference stands somewhere in the plan."""
    below = [
        *plan.properties.values(),
        *plan.prefix,
        plan.items,
        *plan.also,
        *(each for _, each in plan.others),
        *(each for _, each in plan.branches),
    ]
    if plan.names or plan.nulls or plan.values or plan.json_text:
        return True
    return any(_acts(each) for each in below if each is not None)


@dataclass(frozen=True, slots=True)
class _Restoring:
    plan: Plan
    definitions: Mapping[str, Plan]
    schema: JsonObject

    def __call__(self, arguments: JsonValue) -> JsonValue:
        try:
            return self._undo(arguments, self.plan, 0)
        except RecursionError:  # deeper than any tool reads; the tool's check refuses it
            return arguments

    def _undo(self, value: JsonValue, plan: Plan | None, hops: int) -> JsonValue:
        if plan is None or hops > _MOST_HOPS:
            return value
        if plan.reference is not None:
            value = self._undo(value, self.definitions.get(plan.reference), hops + 1)
        for other in plan.also:
            value = self._undo(value, other, hops + 1)
        if plan.branches:
            value = self._undo(value, self._branch(value, plan), hops + 1)
        if isinstance(value, str):
            return _undo_text(value, plan)
        mapping = as_mapping(value)
        if mapping is not None:
            return self._undo_object(mapping, plan)
        items = as_list(value)
        if items is None or not (plan.items or plan.prefix):
            return value
        return [
            self._undo(item, plan.prefix[index] if index < len(plan.prefix) else plan.items, 0)
            for index, item in enumerate(items)
        ]

    def _undo_object(self, value: JsonObject, plan: Plan) -> JsonObject:
        if not (plan.names or plan.nulls or plan.properties or plan.others):
            return value
        restored: dict[str, JsonValue] = {}
        for name, held in value.items():
            if held is None and name in plan.nulls:
                continue
            below = plan.properties.get(name)
            if below is None and plan.others and name not in plan.names:
                below = next(
                    (each for schema, each in plan.others if self._fits(held, schema)), None
                )
            restored[plan.names.get(name, name)] = self._undo(held, below, 0)
        return restored

    def _branch(self, value: JsonValue, plan: Plan) -> Plan | None:
        """The plan of the branch the value was written to: of those that fit, the one that lists
        most of its properties.
        """
        best, most = None, -1
        for schema, each in plan.branches:
            if self._fits(value, schema):
                listed = self._listed(value, schema)
                if listed > most:
                    best, most = each, listed
        return best

    def _listed(self, value: JsonValue, schema: JsonValue, level: int = 0) -> int:
        """How many of the value's properties the schema lists."""
        node, held = self._led(schema), as_mapping(value)
        if node is None or held is None or level > _MOST_LEVELS:
            return 0
        own = as_mapping(node.get("properties")) or {}
        inner = [*(as_list(node.get("anyOf")) or ()), *(as_list(node.get("oneOf")) or ())]
        below = [self._listed(value, each, level + 1) for each in inner if self._fits(value, each)]
        return max((sum(name in own for name in held), *below))

    def _fits(self, value: JsonValue, schema: JsonValue, level: int = 0) -> bool:
        """The value looks as if it were written to this schema; looks one level into the value."""
        node = self._led(schema)
        if node is None or level > _MOST_LEVELS:
            return schema is not False
        if not _fits_itself(value, node):
            return False
        for keyword in ("anyOf", "oneOf"):
            branches = as_list(node.get(keyword))
            if branches and not any(self._fits(value, each, level + 1) for each in branches):
                return False
        held = as_mapping(value)
        properties = as_mapping(node.get("properties"))
        if held is None or properties is None:
            return True
        for name, item in held.items():
            below = self._led(properties.get(name, True))
            if below is not None and not _fits_itself(item, below):
                return False
        return True

    def _led(self, schema: JsonValue) -> JsonObject | None:
        node = as_mapping(schema)
        for _ in range(_MOST_HOPS):
            reference = node.get("$ref") if node is not None else None
            if not isinstance(reference, str):
                return node
            found = as_mapping(self.schema.get("$defs"))
            node = as_mapping((found or {}).get(reference.removeprefix("#/$defs/")))
        return node


def _fits_itself(value: JsonValue, node: JsonObject) -> bool:
    if value is None and node.get("nullable") is True:
        return True
    types, own = types_of(node), type_of_value(value)
    if types and own not in types and not (own == "integer" and "number" in types):
        return False
    if "const" in node and not _same(node["const"], value):
        return False
    allowed = as_list(node.get("enum"))
    if allowed is not None and not any(_same(each, value) for each in allowed):
        return False
    held = as_mapping(value)
    if held is None:
        return True
    if any(name not in held for name in as_list(node.get("required")) or ()):
        return False
    listed = as_mapping(node.get("properties"))
    if listed is None:
        return True
    closed = node.get("additionalProperties") is False
    return not closed or all(name in listed for name in held)


def _same(left: JsonValue, right: JsonValue) -> bool:
    return left == right and isinstance(left, bool) == isinstance(right, bool)


def _undo_text(value: str, plan: Plan) -> JsonValue:
    if value in plan.values:
        return plan.values[value]
    if not plan.json_text:
        return value
    try:
        return cast("JsonValue", json.loads(value))
    except (ValueError, RecursionError):
        return value
