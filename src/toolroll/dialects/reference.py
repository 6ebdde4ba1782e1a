"""References, put into one form before a dialect is applied: every one leads to `#/$defs/NAME` or
`#`.

Source: JSON Schema 2020-12 core §8.2; draft 7 core §8.3 (`definitions`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast

from toolroll.content import JsonObject, JsonValue
from toolroll.dialects.record import Loss
from toolroll.schema.limit import DEFAULT_LIMITS
from toolroll.schema.pointer import escape_part, parts_of
from toolroll.schema.refs import Resolver, recursive_targets, reference_of
from toolroll.schema.walk import Place, as_mapping, places, transform

DEFS = "#/$defs/"
_SCALARS = frozenset({str, int, float, bool, type(None)})
_STORES = ("$defs", "definitions")
_BROKEN = "it leads to nothing in this schema, and nothing is fetched"


@dataclass(frozen=True, slots=True)
class Prepared:
    """A schema whose references have one form.

    Args:
        root: the schema; a copy where anything had to change.
        recursive: names of the definitions that lead back to themselves, and "" where the root
            does.
        losses: references that lead nowhere.
        origins: name of a definition -> pointer of where it stood.
    """

    root: JsonObject
    recursive: frozenset[str] = frozenset()
    losses: tuple[Loss, ...] = ()
    origins: Mapping[str, str] = field(default_factory=dict[str, str])


def prepare(root: JsonObject) -> Prepared:
    """Put all references into one form. A schema without any is answered as it is.

    Raises:
        SchemaTooLarge: the schema is deeper or larger than `toolroll.schema`'s limits.

    Example:
        >>> said = {"properties": {"a": {"type": "null"}, "b": {"$ref": "#/properties/a"}}}
        >>> prepare(said).root["properties"]["b"], prepare(said).root["$defs"]
        ({'$ref': '#/$defs/a'}, {'a': {'type': 'null'}})
    """
    if not has_references(root):
        return Prepared({key: value for key, value in root.items() if key not in _STORES})
    resolver = Resolver(root, DEFAULT_LIMITS)
    names = _Names(root)
    losses: list[Loss] = []

    def rewritten(fresh: dict[str, JsonValue], place: Place) -> JsonValue:
        reference = reference_of(place.schema)
        if reference is None:
            return fresh
        fresh = {key: value for key, value in fresh.items() if key not in ("$ref", "$dynamicRef")}
        target = resolver.find(reference)
        if target is None:
            losses.append(Loss(place.pointer, "$ref", reference, "shape", _BROKEN))
            return fresh
        return {"$ref": names.reference_to(target.pointer), **fresh}

    copy = dict(cast("JsonObject", transform(root, rewritten)))
    stored: dict[str, JsonValue] = {}
    for store in _STORES:
        for name, schema in (as_mapping(copy.pop(store, None)) or {}).items():
            stored[names.stored(store, name)] = schema
    for pointer, name in names.hoisted():
        found = resolver.find("#" + pointer)
        if found is not None:
            stored[name] = transform(found.schema, rewritten)
    whole = pruned({**copy, "$defs": stored})
    circles = recursive_targets(whole)
    return Prepared(
        whole,
        frozenset(parts_of(pointer)[-1] if pointer else "" for pointer in circles),
        tuple(losses),
        names.origins,
    )


def has_references(root: JsonObject) -> bool:
    """The word `$ref` stands somewhere, be it as a name; bounded, also for a schema that holds
    itself.
    """
    stack: list[JsonValue] = [root]
    seen = 0
    while stack:
        node = stack.pop()
        seen += 1
        if seen > 20 * DEFAULT_LIMITS.schema_places:
            return True  # too large; the walk that follows says so
        mapping = as_mapping(node)
        if mapping is not None:
            if "$ref" in mapping or "$dynamicRef" in mapping:
                return True
            stack.extend(value for value in mapping.values() if type(value) not in _SCALARS)
        elif isinstance(node, (list, tuple)):
            stack.extend(cast("list[JsonValue]", node))
    return False


def name_of(reference: str) -> str:
    """The definition a prepared reference leads to; "" for the root.

    Example:
        >>> name_of("#/$defs/a~1b"), name_of("#")
        ('a/b', '')
    """
    return parts_of(reference[1:])[-1] if reference != "#" else ""


def reachable(root: JsonValue, stored: Mapping[str, JsonValue]) -> set[str]:
    """Names of the definitions that are reached from a schema, directly or through others."""
    reached: set[str] = set()
    stack: list[JsonValue] = [root]
    while stack:
        for place in places(stack.pop(), applied_only=True):
            reference = reference_of(place.schema)
            name = name_of(reference) if reference is not None else ""
            if name and name not in reached:
                reached.add(name)
                stack.append(stored.get(name, True))
    return reached


def pruned(root: JsonObject) -> JsonObject:
    """The schema without definitions that nothing leads to."""
    stored = as_mapping(root.get("$defs"))
    if stored is None:
        return root
    rest = {key: value for key, value in root.items() if key != "$defs"}
    reached = reachable(rest, stored)
    kept = {name: schema for name, schema in stored.items() if name in reached}
    return {**rest, "$defs": kept} if kept else rest


def circles(root: JsonObject, stored: Mapping[str, JsonValue]) -> frozenset[tuple[str, str]]:
    """References that close a circle, as (definition that holds it, definition it leads to); the
    root is "". Without them every walk along references ends.
    """
    rest = {key: value for key, value in root.items() if key != "$defs"}
    leads = {name: _leads(schema) for name, schema in ({"": rest} | dict(stored)).items()}
    closing: set[tuple[str, str]] = set()
    done: set[str] = set()
    path: list[str] = []
    for start, targets in leads.items():
        work: list[tuple[str, Iterator[str]]] = []
        if start not in done:
            path.append(start)
            work.append((start, iter(targets)))
        while work:
            holder, rest_of = work[-1]
            target = next(rest_of, None)
            if target is None:
                work.pop()
                done.add(path.pop())
            elif target in path:
                closing.add((holder, target))
            elif target not in done:
                path.append(target)
                work.append((target, iter(leads.get(target, ()))))
    return frozenset(closing)


def _leads(schema: JsonValue) -> list[str]:
    found = (reference_of(place.schema) for place in places(schema, applied_only=True))
    return list(dict.fromkeys(name_of(reference) for reference in found if reference is not None))


class _Names:
    """What each target is called under `$defs`."""

    def __init__(self, root: JsonObject) -> None:
        self._taken = set(as_mapping(root.get("$defs")) or ())
        self._by_pointer = {f"/$defs/{escape_part(name)}": name for name in self._taken}
        self._hoisted: dict[str, str] = {}
        for name in as_mapping(root.get("definitions")) or ():
            self._by_pointer[f"/definitions/{escape_part(name)}"] = self._fresh(name)

    @property
    def origins(self) -> dict[str, str]:
        """Name -> where it stood."""
        return {name: pointer for pointer, name in self._by_pointer.items()}

    def stored(self, store: str, name: str) -> str:
        """The new name of a definition."""
        return self._by_pointer[f"/{store}/{escape_part(name)}"]

    def reference_to(self, pointer: str) -> str:
        """The reference that leads to what stands at a pointer."""
        if not pointer:
            return "#"
        if pointer not in self._by_pointer:
            name = self._fresh(parts_of(pointer)[-1])
            self._by_pointer[pointer] = self._hoisted[pointer] = name
        return DEFS + escape_part(self._by_pointer[pointer])

    def hoisted(self) -> Iterator[tuple[str, str]]:
        """Targets that stood elsewhere, with their new names; more may come while they are read."""
        done = 0
        while done < len(self._hoisted):
            pointer = list(self._hoisted)[done]
            yield pointer, self._hoisted[pointer]
            done += 1

    def _fresh(self, wanted: str) -> str:
        name, number = wanted or "value", 1
        while name in self._taken:
            number += 1
            name = f"{wanted}_{number}"
        self._taken.add(name)
        return name
