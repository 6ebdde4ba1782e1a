"""References inside a schema: resolved where they are local, never fetched.

`#`, `#/pointer`, `#anchor` and the same with the root's own `$id` in front are local. Everything
else is foreign and stays unresolved. Resources embedded with an `$id` of their own are left to the
checker.

Source: JSON Schema 2020-12 core §8.2, RFC 6901 §6.
"""

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from toolroll.content import JsonObject, JsonValue
from toolroll.schema.limit import DEFAULT_LIMITS, Limits
from toolroll.schema.pointer import parts_of
from toolroll.schema.walk import Place, as_list, as_mapping, is_schema, places

_REFERENCES = ("$ref", "$dynamicRef")


@dataclass(frozen=True, slots=True)
class Target:
    """Where a reference leads: the subschema and its pointer from the root."""

    schema: JsonValue
    pointer: str


def reference_of(schema: JsonValue) -> str | None:
    """The text of a schema's `$ref` (or `$dynamicRef`), None where it has none.

    Example:
        >>> reference_of({"$ref": "#/$defs/A"})
        '#/$defs/A'
    """
    mapping = as_mapping(schema)
    if mapping is None:
        return None
    for keyword in _REFERENCES:
        reference = mapping.get(keyword)
        if isinstance(reference, str):
            return reference
    return None


class Resolver:
    """Looks local references of one root schema up, each once.

    Example:
        >>> Resolver({"$defs": {"A": {"$anchor": "a"}}}).find("#a")
        Target(schema={'$anchor': 'a'}, pointer='/$defs/A')
    """

    def __init__(self, root: JsonObject, limits: Limits = DEFAULT_LIMITS) -> None:
        self._root = root
        self._limits = limits
        self._known: dict[str, Target | None] = {}
        self._anchors: dict[str, Target] | None = None

    def find(self, reference: str | None) -> Target | None:
        """The target, or None where the reference is foreign or leads to nothing."""
        if reference is None:
            return None
        if reference not in self._known:
            self._known[reference] = self._look_up(reference)
        return self._known[reference]

    def at(self, pointer: str) -> Target | None:
        """The subschema at a pointer, or None where none stands there."""
        return _at(self._root, pointer)

    def _look_up(self, reference: str) -> Target | None:
        base, _, fragment = reference.partition("#")
        if base and base != _own_id(self._root):
            return None
        fragment = unquote(fragment)
        if not fragment:
            return Target(self._root, "")
        if fragment.startswith("/"):
            return _at(self._root, fragment)
        if self._anchors is None:
            self._anchors = {
                name: Target(place.schema, place.pointer)
                for place in reversed(list(places(self._root, limits=self._limits)))
                for name in _anchors_of(place)
            }
        return self._anchors.get(fragment)


def resolve(root: JsonObject, reference: str) -> Target | None:
    """Look one local reference up.

    Args:
        root: the whole schema.
        reference: the text of a `$ref`.

    Returns:
        The target, or None where the reference is foreign or leads to nothing.

    Example:
        >>> resolve({"$defs": {"a/b": {"type": "string"}}}, "#/$defs/a~1b")
        Target(schema={'type': 'string'}, pointer='/$defs/a~1b')
    """
    return Resolver(root).find(reference)


def broken_references(
    root: JsonObject, *, limits: Limits = DEFAULT_LIMITS
) -> list[tuple[str, str]]:
    """Every reference that leads nowhere in this schema: (pointer of its place, its text).

    Example:
        >>> broken_references({"items": {"$ref": "#/$defs/A"}})
        [('/items', '#/$defs/A')]
    """
    resolver = Resolver(root, limits)
    return [
        (place.pointer, reference)
        for place in places(root, limits=limits)
        if (reference := reference_of(place.schema)) is not None
        and resolver.find(reference) is None
    ]


def recursive_targets(root: JsonObject, *, limits: Limits = DEFAULT_LIMITS) -> frozenset[str]:
    """Pointers of the targets that lead back to themselves.

    Using one definition twice is no recursion.

    Example:
        >>> schema = {"$defs": {"A": {"items": {"$ref": "#/$defs/A"}}, "B": {"$ref": "#/$defs/A"}}}
        >>> sorted(recursive_targets(schema))
        ['/$defs/A']
    """
    edges = _edges(root, limits)
    return _on_a_circle({holder: set(targets) for holder, targets in edges.items()})


def reach(root: JsonObject, *, limits: Limits = DEFAULT_LIMITS) -> int:
    """How many levels lie below the root when references are followed, each circle once.

    Example:
        >>> reach({"$defs": {"A": {"items": {"items": {}}}}, "items": {"$ref": "#/$defs/A"}})
        2
    """
    edges = _edges(root, limits)
    known: dict[str, int] = {}
    work = [("", False)]
    while work:
        holder, done = work.pop()
        targets = edges.get(holder, {})
        if done:
            levels = [depth + 1 + max(known[target], 0) for target, depth in targets.items()]
            known[holder] = max(levels, default=0)
        elif holder not in known:
            known[holder] = -1  # on the way: a circle adds nothing
            work.append((holder, True))
            work += [(target, False) for target in targets if target not in known]
    return known[""]


def _edges(root: JsonObject, limits: Limits) -> dict[str, dict[str, int]]:
    """For the root and each target: where it leads, and how deep in it the reference lies."""
    resolver = Resolver(root, limits)
    standing: dict[str, int] = {}
    found: list[tuple[str, str]] = []
    for place in places(root, limits=limits):
        standing[place.pointer] = place.depth
        target = resolver.find(reference_of(place.schema))
        if target is not None:
            found.append((place.pointer, target.pointer))
    edges: dict[str, dict[str, int]] = {"": {}, **{target: {} for _, target in found}}
    for pointer, target in found:
        for holder in _holders(pointer, standing):
            if holder in edges:
                depth = standing[pointer] - standing[holder]
                edges[holder][target] = max(depth, edges[holder].get(target, 0))
    return edges


def _own_id(root: JsonObject) -> str | None:
    own = root.get("$id", root.get("id"))
    return own.partition("#")[0] or None if isinstance(own, str) else None


def _anchors_of(place: Place) -> Iterator[str]:
    mapping = place.mapping or {}
    for keyword in ("$anchor", "$dynamicAnchor"):
        if isinstance(name := mapping.get(keyword), str):
            yield name
    for keyword in ("$id", "id"):
        if isinstance(name := mapping.get(keyword), str) and name.startswith("#"):
            yield name[1:]


def _at(root: JsonObject, pointer: str) -> Target | None:
    found: JsonValue = root
    for part in parts_of(pointer):
        if isinstance(found, Mapping):
            if part not in found:
                return None
            found = found[part]
            continue
        items = as_list(found)
        if (
            items is None
            or not (part.isascii() and part.isdecimal())
            or int(part[:9]) >= len(items)
        ):
            return None
        found = items[int(part)]
    return Target(found, pointer) if is_schema(found) else None


def _holders(pointer: str, standing: Container[str]) -> Iterator[str]:
    """The schemas a place lies in, inside out, up to the definition or root that holds it."""
    while True:
        if pointer in standing:
            yield pointer
        elif pointer.endswith(("/$defs", "/definitions")):
            return
        if not pointer:
            return
        pointer = pointer.rpartition("/")[0]


def _on_a_circle(edges: Mapping[str, set[str]]) -> frozenset[str]:
    """Nodes that reach themselves, by Tarjan's strongly connected components."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    path: list[str] = []
    on_path: set[str] = set()
    circles: set[str] = set()
    for start in edges:
        if start in order:
            continue
        work = [(start, iter(edges[start]))]
        order[start] = low[start] = len(order)
        path.append(start)
        on_path.add(start)
        while work:
            node, rest = work[-1]
            for after in rest:
                if after not in order:
                    order[after] = low[after] = len(order)
                    path.append(after)
                    on_path.add(after)
                    work.append((after, iter(edges[after])))
                    break
                if after in on_path:
                    low[node] = min(low[node], order[after])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == order[node]:
                    component = path[path.index(node) :]
                    del path[-len(component) :]
                    on_path.difference_update(component)
                    if len(component) > 1 or node in edges[node]:
                        circles.update(component)
    return frozenset(circles)
