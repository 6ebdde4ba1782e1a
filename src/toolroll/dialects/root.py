"""A root that is one plain object, for providers that take no union there."""

from collections.abc import Callable, Sequence

from toolroll.content import JsonObject, JsonValue
from toolroll.dialects.conjunction import WORDS, conjoin, distinct, unite
from toolroll.dialects.draft import modern, types_of
from toolroll.schema.walk import as_list, as_mapping

Resolve = Callable[[JsonObject], JsonObject]
"""A schema whose own reference is put in place."""

Lose = Callable[[str, JsonValue, str], None]
"""Keyword, value, reason."""

_MOST_LEVELS = 16
_ONE_OBJECT = (
    "the provider takes one object at the root; which of the branches holds is checked at the call"
)
_NOT_MERGED = "it cannot be said in one object together with the rest"


def flattened(
    root: JsonObject, resolve: Resolve, lose: Lose, level: int = 0
) -> dict[str, JsonValue]:
    """One object for a root with `allOf`, `anyOf` or `oneOf`.

    `allOf`: everything, and everything required. `anyOf`, `oneOf`: the properties of all branches;
    required is what every branch requires, and what the root requires by itself.

    Example:
        >>> branches = [{"required": ["a"]}, {"required": ["b"]}]
        >>> said = {"type": "object", "properties": {"a": {}, "b": {}}, "anyOf": branches}
        >>> flattened(said, lambda schema: schema, lambda *_: None)
        {'type': 'object', 'properties': {'a': {}, 'b': {}}}
    """
    flat = modern(resolve(root), lose)
    if level > _MOST_LEVELS:
        for keyword in ("allOf", "anyOf", "oneOf"):
            if keyword in flat:
                lose(keyword, flat.pop(keyword), "it is nested too deeply")
        return flat
    whole: list[JsonObject] = [
        flattened(member, resolve, lose, level + 1)
        for member in map(as_mapping, as_list(flat.pop("allOf", None)) or ())
        if member is not None
    ]
    for keyword in ("anyOf", "oneOf"):
        branches = as_list(flat.pop(keyword, None))
        objects = _objects(branches or (), resolve, lose, level)
        if objects:
            whole.append(_merged(objects))
        several = len(objects if keyword == "anyOf" else branches or ()) > 1
        if branches is not None and (several or not objects):
            lose(keyword, branches, _ONE_OBJECT)
    for part in whole:
        flat = conjoin(flat, part, lambda keyword, value: lose(keyword, value, _NOT_MERGED))
    if "required" in flat and not flat["required"]:
        del flat["required"]
    return flat


def _objects(
    branches: Sequence[JsonValue], resolve: Resolve, lose: Lose, level: int
) -> list[JsonObject]:
    """The branches an object can fit."""
    objects: list[JsonValue] = []
    for branch in branches:
        mapping: JsonObject | None = {} if branch is True else as_mapping(branch)
        if mapping is None:
            continue
        flat = flattened(mapping, resolve, lose, level + 1)
        types = types_of(flat)
        if not types or "object" in types:
            objects.append(flat)
    return [each for each in map(as_mapping, distinct(objects)) if each is not None]


def _merged(objects: Sequence[JsonObject]) -> dict[str, JsonValue]:
    if len(objects) == 1:
        return {key: value for key, value in objects[0].items() if key not in WORDS}
    merged: dict[str, JsonValue] = {"type": "object"}
    schemas: dict[str, list[JsonValue]] = {}
    patterns: dict[str, list[JsonValue]] = {}
    for each in objects:
        for name, schema in (as_mapping(each.get("properties")) or {}).items():
            schemas.setdefault(name, []).append(schema)
        for pattern, schema in (as_mapping(each.get("patternProperties")) or {}).items():
            patterns.setdefault(pattern, []).append(schema)
    if schemas:
        merged["properties"] = {name: unite(each) for name, each in schemas.items()}
    if patterns:
        merged["patternProperties"] = {name: unite(each) for name, each in patterns.items()}
    first, *rest = ((as_list(each.get("required")) or []) for each in objects)
    required = [name for name in first if all(name in names for names in rest)]
    if required:
        merged["required"] = required
    closings = [each.get("additionalProperties", True) for each in objects]
    if all(closing == closings[0] for closing in closings) and closings[0] is not True:
        merged["additionalProperties"] = closings[0]
    return merged
