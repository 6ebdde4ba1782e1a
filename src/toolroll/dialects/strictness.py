"""What the strict dialects share: the way to fall back, and sizes."""

from dataclasses import replace

from toolroll.content import JsonObject, JsonValue
from toolroll.dialects.draft import types_of
from toolroll.dialects.node import Node
from toolroll.dialects.record import Adapted, Loss
from toolroll.dialects.step import allows_null
from toolroll.schema.walk import Place, as_list, as_mapping, places


def fallen_back(strict: Adapted, plain: Adapted) -> Adapted:
    """The plain schema, with the reasons why it is not the strict one."""
    return replace(plain, strict=False, obstacles=strict.obstacles)


def all_required(node: Node) -> None:
    """Every listed property is required; what was optional takes null, and the null is undone."""
    listed = as_mapping(node.schema.get("properties"))
    if listed is None:
        return
    named = set(as_list(node.schema.get("required")) or ())
    filled: dict[str, JsonValue] = {}
    for name, schema in listed.items():
        if name in named or allows_null(schema, node):
            filled[name] = schema
        else:
            filled[name] = nullable(schema)
            node.plan.nulls.add(name)
    node.schema["properties"] = filled
    node.schema["required"] = list(filled)


def nullable(schema: JsonValue) -> JsonValue:
    """The schema, or null.

    Example:
        >>> nullable({"type": "string", "enum": ["a"]})
        {'type': ['string', 'null'], 'enum': ['a', None]}
    """
    mapping = as_mapping(schema)
    if mapping is None:
        return schema
    fresh = dict(mapping)
    if "anyOf" in fresh:
        fresh["anyOf"] = [*(as_list(fresh["anyOf"]) or ()), {"type": "null"}]
        return fresh
    if "$ref" in fresh:
        return {"anyOf": [fresh, {"type": "null"}]}
    if "const" in fresh:
        fresh["enum"] = [fresh.pop("const")]
    if "enum" in fresh:
        fresh["enum"] = [*(as_list(fresh["enum"]) or ()), None]
    if "type" in fresh:
        said = fresh["type"]
        types = [said] if isinstance(said, str) else as_list(said) or []
        fresh["type"] = types if "null" in types else [*types, "null"]
    return fresh


def too_large(
    schema: JsonObject,
    *,
    depth: int,
    properties: int,
    enum_values: int,
    characters: int,
    one_enum: tuple[int, int],
) -> list[Loss]:
    """Why a schema is too large to be held strictly; empty where it is not.

    Args:
        schema: as it would be sent.
        depth, properties, enum_values, characters: most of all places together.
        one_enum: with more texts than this in one place, most characters of them.
    """
    most = _at_most(schema)
    fewest, longest = min(properties, enum_values), min(characters, one_enum[1])
    if most[0] <= depth and most[1] <= fewest and most[2] <= longest:
        return []
    found_properties = found_values = found_characters = 0
    deepest = widest = 0
    for place in places(schema):
        node = place.mapping or {}
        listed = as_mapping(node.get("properties")) or {}
        values = as_list(node.get("enum")) or []
        texts = [name for name in (*listed, *values) if isinstance(name, str)]
        if isinstance(node.get("const"), str):
            texts.append(str(node["const"]))
        if len(values) > one_enum[0]:
            widest = max(widest, sum(len(each) for each in values if isinstance(each, str)))
        found_properties += len(listed)
        found_values += len(values)
        found_characters += sum(map(len, texts))
        deepest = max(deepest, _level(place))
    measured = (
        ("levels", deepest, depth),
        ("properties", found_properties, properties),
        ("enum values", found_values, enum_values),
        ("characters in names and fixed values", found_characters, characters),
        ("characters in one long enum", widest, one_enum[1]),
    )
    return [
        Loss("", what, count, "shape", f"{count} are more than the {limit} of strict mode")
        for what, count, limit in measured
        if count > limit
    ]


def _at_most(schema: JsonValue) -> tuple[int, int, int]:
    """Bounds that are found fast: levels, names and items, characters of all texts."""
    deepest = names = characters = 0
    stack: list[tuple[JsonValue, int]] = [(schema, 1)]
    while stack:
        node, level = stack.pop()
        if isinstance(node, str):
            characters += len(node)
            continue
        mapping = as_mapping(node)
        if mapping is not None:
            names += len(mapping)
            characters += sum(map(len, mapping))
            stack.extend((value, level + 1) for value in mapping.values())
        elif isinstance(node, (list, tuple)):
            names += len(node)
            stack.extend((value, level) for value in node)
        deepest = max(deepest, level // 2)
    return deepest, names, characters


def _level(place: Place) -> int:
    """Levels of objects and arrays above the values of a place."""
    return place.path.count("/") + ("object" in types_of(place.mapping or {}))
