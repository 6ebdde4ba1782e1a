"""Schemas that contain themselves without a step into a value, and how they are opened.

Such a circle (`A` is all of `B`, `B` is all of `A`) says nothing a check could settle; following it
never ends. Documents draw it by accident where a base lists its kinds (`oneOf`) and each kind is
all of the base (`allOf`).
"""

from collections.abc import Iterator, Mapping
from typing import Protocol, cast

from toolroll.content import JsonObject, JsonValue
from toolroll.sources.openapi.inline import reference_name

_LISTS = ("allOf", "anyOf", "oneOf")
_SINGLE = ("not", "if", "then", "else")
_COMPOSED = frozenset({*_LISTS, *_SINGLE, "$ref", "dependentSchemas"})


class Named(Protocol):
    """A schema under a name; what it refers to stands under names too."""

    name: str
    schema: JsonValue


def open_circles(named: Mapping[str, Named]) -> set[str]:
    """Take the references that close a circle out of these schemas, in place.

    A branch of `allOf` that leads back is replaced by the keywords of its target, without what the
    target is composed of; any other reference that still leads back allows everything.

    Returns:
        The names of the schemas that were changed.
    """
    opened: set[str] = set()
    for keep_keywords in (True, False):
        for circle in list(_circles(named)):
            for name in circle:
                before = named[name].schema
                named[name].schema = _opened(before, circle, named if keep_keywords else None)
                if named[name].schema != before:
                    opened.add(name)
    return opened


def _opened(
    schema: JsonValue, circle: frozenset[str], named: Mapping[str, Named] | None
) -> JsonValue:
    """A schema whose references into the circle are opened: those of `allOf` first."""
    if not isinstance(schema, Mapping):
        return schema
    written = dict(cast("JsonObject", schema))
    if named is None and reference_name(written) in circle:
        del written["$ref"]
    for key in _LISTS:
        if key not in written:
            continue
        branches = cast("list[JsonValue]", written[key])
        if named is not None and key == "allOf":
            branches = [_keywords(branch, circle, named) for branch in branches]
        written[key] = [_opened(branch, circle, named) for branch in branches]
    for key in _SINGLE:
        if key in written:
            written[key] = _opened(written[key], circle, named)
    if "dependentSchemas" in written:
        inner = cast("JsonObject", written["dependentSchemas"])
        written["dependentSchemas"] = {
            name: _opened(item, circle, named) for name, item in inner.items()
        }
    return written


def _keywords(branch: JsonValue, circle: frozenset[str], named: Mapping[str, Named]) -> JsonValue:
    if (name := reference_name(branch)) is None or name not in circle:
        return branch
    target = named[name].schema
    if not isinstance(target, Mapping):
        return target
    return {key: item for key, item in cast("JsonObject", target).items() if key not in _COMPOSED}


def _same_place(schema: JsonValue) -> Iterator[str]:
    """The names a schema refers to without a step into a value."""
    waiting: list[JsonValue] = [schema]
    while waiting:
        current = waiting.pop()
        if not isinstance(current, Mapping):
            continue
        if (name := reference_name(current)) is not None:
            yield name
        for key in _COMPOSED & current.keys():
            inner = current[key]
            if isinstance(inner, list):
                waiting.extend(inner)
            elif key == "dependentSchemas" and isinstance(inner, Mapping):
                waiting.extend(cast("JsonObject", inner).values())
            else:
                waiting.append(inner)


def _circles(named: Mapping[str, Named]) -> Iterator[frozenset[str]]:
    """The strongly connected parts that hold a circle (Tarjan's way, without recursion)."""
    edges = {
        name: [target for target in _same_place(item.schema) if target in named]
        for name, item in named.items()
    }
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    path: list[str] = []
    on_path: set[str] = set()
    for start, first in edges.items():
        if start in order:
            continue
        steps = [(start, iter(first))]
        order[start] = low[start] = len(order)
        path.append(start)
        on_path.add(start)
        while steps:
            name, targets = steps[-1]
            if (target := next(targets, None)) is not None:
                if target not in order:
                    order[target] = low[target] = len(order)
                    path.append(target)
                    on_path.add(target)
                    steps.append((target, iter(edges[target])))
                elif target in on_path:
                    low[name] = min(low[name], order[target])
                continue
            steps.pop()
            if steps:
                above = steps[-1][0]
                low[above] = min(low[above], low[name])
            if low[name] == order[name]:
                at = path.index(name)
                part = frozenset(path[at:])
                del path[at:]
                on_path -= part
                if len(part) > 1 or name in edges[name]:
                    yield part
