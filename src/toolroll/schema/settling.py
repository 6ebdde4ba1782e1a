"""What a schema says of an input beyond right and wrong: defaults, blanks, `5.0` for `5`.

A plan is made once for a schema and holds only the places where there is something to do. Where a
union leaves open which branch is meant, nothing is done below it.
"""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from toolroll.content import JsonObject, JsonValue
from toolroll.outcome import Repair
from toolroll.schema.limit import DEFAULT_LIMITS, Limits
from toolroll.schema.plain import copied
from toolroll.schema.pointer import escape_part
from toolroll.schema.refs import Resolver, reference_of
from toolroll.schema.walk import as_list, as_mapping

_SETTLED = frozenset({str, int, bool, type(None)})
_Repairs: TypeAlias = list[Repair]


@dataclass(slots=True, eq=False)
class Plan:
    """What to do with the values of one place and below it.

    Args:
        integer: an integral number is written without a fraction.
        blank: a blank text counts as absent.
        default: one-element tuple of the value that stands in where there is none.
        properties: plans by name.
        prefix: plans of the first items.
        items: plan of the other items.
        others: plan of properties that are not named.
        useful: there is something to do here or below.
    """

    integer: bool = False
    blank: bool = False
    default: tuple[JsonValue, ...] = ()
    properties: dict[str, "Plan"] = field(default_factory=dict[str, "Plan"])
    prefix: list["Plan"] = field(default_factory=list["Plan"])
    items: "Plan | None" = None
    others: "Plan | None" = None
    useful: bool = False


def plan_for(
    schema: JsonObject,
    *,
    defaults: bool,
    integers: bool = True,
    blanks: Collection[str] = (),
    limits: Limits = DEFAULT_LIMITS,
) -> Plan | None:
    """Make the plan of a schema; None where there is nothing to do at all.

    Args:
        schema: the root, as plain JSON.
        defaults: fill `default` in where a property is absent.
        integers: write integral numbers at integer places without a fraction.
        blanks: pointers of the schemas at whose places a blank text counts as absent.
        limits: bound the schemas looked at.
    """
    planner = _Planner(
        schema, limits, defaults=defaults, integers=integers, blanks=frozenset(blanks)
    )
    plan = planner.plan()
    return plan if plan.useful else None


def settle(plan: Plan, value: JsonValue) -> tuple[JsonValue, tuple[Repair, ...]]:
    """Do what a plan says; the value itself is never changed.

    Returns:
        The value (the same object where nothing had to be done), and the blanks that were dropped.

    Example:
        >>> plan = plan_for({"properties": {"n": {"type": "integer", "default": 3}}}, defaults=True)
        >>> settle(plan, {}), settle(plan, {"n": 5.0})
        (({'n': 3}, ()), ({'n': 5}, ()))
    """
    if value.__class__ is not dict:
        return value, ()
    repairs: _Repairs = []
    settled = _settle_object(plan, cast("dict[str, JsonValue]", value), "", repairs)
    return settled, tuple(repairs)


def _settle(plan: Plan, value: JsonValue, pointer: str, repairs: _Repairs) -> JsonValue:
    kind = value.__class__
    if kind is float:
        number = cast("float", value)
        return int(number) if plan.integer and number.is_integer() else value
    if kind is dict:
        return _settle_object(plan, cast("dict[str, JsonValue]", value), pointer, repairs)
    if kind is list and (plan.items is not None or plan.prefix):
        return _settle_list(plan, cast("list[JsonValue]", value), pointer, repairs)
    return value


def _settle_object(
    plan: Plan, value: dict[str, JsonValue], pointer: str, repairs: _Repairs
) -> JsonValue:
    changed: dict[str, JsonValue] | None = None
    for name, below in plan.properties.items():
        if name not in value:
            if below.default:
                changed = dict(value) if changed is None else changed
                changed[name] = copied(below.default[0])
            continue
        item = value[name]
        if below.blank and item.__class__ is str and not cast("str", item).strip():
            changed = dict(value) if changed is None else changed
            del changed[name]
            if below.default:
                changed[name] = copied(below.default[0])
            repairs.append(Repair("drop_blank", f"{pointer}/{escape_part(name)}"))
            continue
        if item.__class__ in _SETTLED:
            continue
        settled = _settle(below, item, f"{pointer}/{escape_part(name)}", repairs)
        if settled is not item:
            changed = dict(value) if changed is None else changed
            changed[name] = settled
    if plan.others is not None:
        for name, item in value.items():
            if name in plan.properties:
                continue
            settled = _settle(plan.others, item, f"{pointer}/{escape_part(name)}", repairs)
            if settled is not item:
                changed = dict(value) if changed is None else changed
                changed[name] = settled
    return value if changed is None else changed


def _settle_list(plan: Plan, value: list[JsonValue], pointer: str, repairs: _Repairs) -> JsonValue:
    changed: list[JsonValue] | None = None
    for index, item in enumerate(value):
        below = plan.prefix[index] if index < len(plan.prefix) else plan.items
        if below is None:
            break
        settled = _settle(below, item, f"{pointer}/{index}", repairs)
        if settled is not item:
            changed = list(value) if changed is None else changed
            changed[index] = settled
    return value if changed is None else changed


class _Planner:
    def __init__(
        self,
        root: JsonObject,
        limits: Limits,
        *,
        defaults: bool,
        integers: bool,
        blanks: frozenset[str],
    ) -> None:
        self._root = root
        self._defaults = defaults
        self._integers = integers
        self._blanks = blanks
        self._resolver = Resolver(root, limits)
        self._plans: dict[str, Plan] = {}
        self._left = limits.schema_places

    def plan(self) -> Plan:
        plan = self._at(self._root, "")
        self._spread()
        return plan

    def _at(self, schema: JsonValue, pointer: str) -> Plan:
        known = self._plans.get(pointer)
        if known is None:
            known = self._plans[pointer] = Plan()
            self._left -= 1
            mapping = as_mapping(schema)
            if mapping is not None and self._left > 0:
                self._read(known, mapping, pointer, {pointer})
        return known

    def _read(self, plan: Plan, schema: JsonObject, pointer: str, seen: set[str]) -> None:
        """Add what one schema says: its keywords, its reference, `allOf`, its only branch."""
        if self._integers and _is_integer(schema):
            plan.integer = True
        if pointer in self._blanks:
            plan.blank = True
        if self._defaults and "default" in schema and not plan.default:
            plan.default = (schema["default"],)
        self._read_below(plan, schema, pointer)
        for item, where in self._beside(schema, pointer):
            if where not in seen:
                seen.add(where)
                self._read(plan, item, where, seen)

    def _read_below(self, plan: Plan, schema: JsonObject, pointer: str) -> None:
        for name, item in (as_mapping(schema.get("properties")) or {}).items():
            plan.properties.setdefault(
                name, self._at(item, f"{pointer}/properties/{escape_part(name)}")
            )
        others = as_mapping(schema.get("additionalProperties"))
        if others is not None and "patternProperties" not in schema and plan.others is None:
            plan.others = self._at(others, f"{pointer}/additionalProperties")
        for index, item in enumerate(
            as_list(schema.get("prefixItems")) or as_list(schema.get("items")) or []
        ):
            keyword = "prefixItems" if "prefixItems" in schema else "items"
            if index >= len(plan.prefix):
                plan.prefix.append(self._at(item, f"{pointer}/{keyword}/{index}"))
        items = as_mapping(schema.get("items"))
        if items is not None and plan.items is None:
            plan.items = self._at(items, f"{pointer}/items")

    def _beside(self, schema: JsonObject, pointer: str) -> list[tuple[JsonObject, str]]:
        found: list[tuple[JsonValue, str]] = []
        target = self._resolver.find(reference_of(schema))
        if target is not None:
            found.append((target.schema, target.pointer))
        for index, item in enumerate(as_list(schema.get("allOf")) or []):
            found.append((item, f"{pointer}/allOf/{index}"))
        for keyword in ("anyOf", "oneOf"):
            branches = [
                (item, f"{pointer}/{keyword}/{index}")
                for index, item in enumerate(as_list(schema.get(keyword)) or [])
                if not _is_null(item)
            ]
            found += branches if len(branches) == 1 else []
        return [
            (mapping, where) for item, where in found if (mapping := as_mapping(item)) is not None
        ]

    def _spread(self) -> None:
        """Mark the plans with something to do and all above them, and cut the others off."""
        above: dict[int, list[Plan]] = {}
        for plan in self._plans.values():
            for below in _below(plan):
                above.setdefault(id(below), []).append(plan)
        work = [plan for plan in self._plans.values() if plan.integer or plan.blank or plan.default]
        while work:
            plan = work.pop()
            if not plan.useful:
                plan.useful = True
                work += above.get(id(plan), [])
        for plan in self._plans.values():
            plan.properties = {
                name: below for name, below in plan.properties.items() if below.useful
            }
            if plan.items is not None and not plan.items.useful:
                plan.items = None
            if plan.others is not None and not plan.others.useful:
                plan.others = None


def _below(plan: Plan) -> list[Plan]:
    others = [item for item in (plan.items, plan.others) if item is not None]
    return [*plan.properties.values(), *plan.prefix, *others]


def _is_integer(schema: JsonObject) -> bool:
    kind = schema.get("type")
    if kind is None and ("enum" in schema or "const" in schema):
        constants = as_list(schema.get("enum")) or [schema.get("const")]
        kinds = set(map(type, constants))
        return int in kinds and float not in kinds
    return kind == "integer" or (
        isinstance(kind, (list, tuple)) and set(cast("list[str]", kind)) == {"integer", "null"}
    )


def _is_null(schema: JsonValue) -> bool:
    mapping = as_mapping(schema)
    return mapping is not None and (mapping.get("type") == "null" or mapping.get("enum") == [None])
