"""Random JSON Schemas as tools have them, and random values that fit a schema."""

from collections.abc import Mapping, Sequence
from typing import cast

from hypothesis import strategies as st

from toolroll.content import JsonObject, JsonValue

NAMES = (
    "a",
    "b",
    "title",
    "pattern",
    "$ref",
    "type",
    "filter[id]",
    "$top",
    "x" * 70,
    "über",
    "items",
)
DEEPEST = 3


def _described(
    schemas: st.SearchStrategy[dict[str, JsonValue]],
) -> st.SearchStrategy[dict[str, JsonValue]]:
    return st.tuples(schemas, st.sampled_from([None, "Said."])).map(
        lambda pair: {**pair[0], "description": pair[1]} if pair[1] else pair[0]
    )


@st.composite
def numbers(draw: st.DrawFn) -> dict[str, JsonValue]:
    kind = draw(st.sampled_from(["integer", "number"]))
    bounds: dict[str, JsonValue] = draw(
        st.sampled_from(
            [
                {},
                {"minimum": 1},
                {"maximum": 9},
                {"minimum": 1, "exclusiveMinimum": True},
                {"exclusiveMaximum": 9},
                {"minimum": 0, "maximum": 9},
            ]
        )
    )
    return {"type": kind, **bounds}


@st.composite
def texts(draw: st.DrawFn) -> dict[str, JsonValue]:
    return {
        "type": "string",
        **draw(
            st.sampled_from(
                [{}, {"minLength": 1}, {"maxLength": 3}, {"format": "uri"}, {"default": "a"}]
            )
        ),
    }


def fixed() -> st.SearchStrategy[dict[str, JsonValue]]:
    return st.sampled_from(
        cast(
            "list[dict[str, JsonValue]]",
            [
                {"const": "on"},
                {"const": 3},
                {"const": None},
                {"enum": ["a", ""]},
                {"enum": [1, "1", True]},
                {"enum": [1, 2, None], "type": ["integer", "null"]},
                {"type": "boolean", "enum": [True]},
                {"type": "string", "enum": ["x", "y"]},
                {"enum": [{"a": 1}, [2]]},
            ],
        )
    )


def plain() -> st.SearchStrategy[dict[str, JsonValue]]:
    return _described(
        st.one_of(
            numbers(),
            texts(),
            fixed(),
            st.just(cast("dict[str, JsonValue]", {"type": "boolean"})),
            st.sampled_from(
                cast(
                    "list[dict[str, JsonValue]]",
                    [
                        {"type": ["string", "null"]},
                        {"type": ["integer", "string"], "minLength": 1},
                        {"type": ["array", "null"]},
                        {},
                        {"type": "null"},
                    ],
                )
            ),
        )
    )


@st.composite
def objects(draw: st.DrawFn, depth: int = 0) -> dict[str, JsonValue]:
    names = draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=4))
    properties: dict[str, JsonValue] = {name: draw(schemas(depth + 1)) for name in names}
    schema: dict[str, JsonValue] = {"type": "object", "properties": properties}
    required: list[JsonValue] = [name for name in names if draw(st.booleans())]
    if required:
        schema["required"] = required
    more = draw(st.sampled_from([None, False, False, True, "schema"]))
    if more == "schema":
        schema["additionalProperties"] = draw(schemas(depth + 1))
    elif more is not None:
        schema["additionalProperties"] = more
    return schema


@st.composite
def arrays(draw: st.DrawFn, depth: int = 0) -> dict[str, JsonValue]:
    kind = draw(st.sampled_from(["list", "bare", "tuple", "open tuple", "prefix"]))
    if kind == "bare":
        return {"type": "array"}
    if kind == "list":
        return {"type": "array", "items": draw(schemas(depth + 1)), **draw(_sizes())}
    members: list[JsonValue] = draw(st.lists(schemas(depth + 1), min_size=1, max_size=2))
    if kind == "prefix":
        return {"type": "array", "prefixItems": members, "items": False}
    closing: dict[str, JsonValue] = {"additionalItems": False} if kind == "tuple" else {}
    return {"type": "array", "items": members, **closing}


def _sizes() -> st.SearchStrategy[dict[str, JsonValue]]:
    return st.sampled_from(
        cast("list[dict[str, JsonValue]]", [{}, {"minItems": 1}, {"minItems": 2, "maxItems": 3}])
    )


@st.composite
def unions(draw: st.DrawFn, depth: int = 0) -> dict[str, JsonValue]:
    keyword = draw(st.sampled_from(["anyOf", "oneOf", "allOf"]))
    members: list[JsonValue] = draw(st.lists(schemas(depth + 1), min_size=1, max_size=3))
    if draw(st.booleans()) and keyword != "allOf":
        members.append({"type": "null"})
    return {keyword: members, **draw(st.sampled_from([{}, {"description": "One of them."}]))}


@st.composite
def schemas(draw: st.DrawFn, depth: int = 0) -> dict[str, JsonValue]:
    if depth >= DEEPEST:
        return draw(plain())
    kind = draw(st.sampled_from(["plain", "plain", "object", "array", "union", "reference"]))
    if kind == "object":
        return draw(objects(depth))
    if kind == "array":
        return draw(arrays(depth))
    if kind == "union":
        return draw(unions(depth))
    if kind == "reference":
        name = draw(st.sampled_from(["A", "B", "Tree"]))
        beside = draw(st.sampled_from([{}, {"description": "Led to."}]))
        return {"$ref": f"#/$defs/{name}", **beside}
    return draw(plain())


@st.composite
def tool_schemas(draw: st.DrawFn) -> dict[str, JsonValue]:
    root = draw(objects())
    if draw(st.integers(0, 4)) == 0:
        keyword = draw(st.sampled_from(["anyOf", "oneOf", "allOf"]))
        root = {**root, keyword: draw(st.lists(objects(1), min_size=1, max_size=2))}
    tree: JsonObject = {
        "type": "object",
        "properties": {
            "label": {"type": "string"},
            "kids": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
        },
    }
    definitions: JsonObject = {"A": draw(plain()), "B": draw(objects(DEEPEST - 1)), "Tree": tree}
    return {**root, "$defs": definitions}


@st.composite
def values(draw: st.DrawFn, schema: JsonValue, root: JsonObject, depth: int = 0) -> JsonValue:
    """A value a model would write to a schema: listed properties only, small numbers and texts."""
    if not isinstance(schema, Mapping):
        return draw(st.sampled_from([None, 1, "text", True]))
    node = cast("JsonObject", schema)
    if node.get("nullable") is True and draw(st.integers(0, 3)) == 0:
        return None
    for _ in range(10):
        reference = node.get("$ref")
        if not isinstance(reference, str):
            break
        stored = cast("JsonObject", root.get("$defs", {}))
        target = (
            root if reference == "#" else cast("JsonObject", stored[reference.rpartition("/")[2]])
        )
        node = {
            **target,
            **{key: value for key, value in node.items() if key not in ("$ref", "description")},
        }
    if "const" in node:
        return node["const"]
    if isinstance(allowed := node.get("enum"), Sequence):
        return draw(st.sampled_from(list(allowed)))
    for keyword in ("anyOf", "oneOf"):
        if isinstance(branches := node.get(keyword), Sequence):
            return draw(values(draw(st.sampled_from(list(branches))), root, depth + 1))
    kinds = node.get("type", ["string", "integer", "boolean"])
    kind = (
        kinds
        if isinstance(kinds, str)
        else draw(st.sampled_from([str(kind) for kind in cast("Sequence[str]", kinds)]))
    )
    return draw(_of_kind(kind, node, root, depth))


@st.composite
def _of_kind(
    draw: st.DrawFn, kind: str, node: JsonObject, root: JsonObject, depth: int
) -> JsonValue:
    if kind == "null":
        return None
    if kind == "boolean":
        return draw(st.booleans())
    if kind == "string":
        shortest, longest = (
            cast("int", node.get("minLength", 0)),
            cast("int", node.get("maxLength", 6)),
        )
        return draw(st.text(alphabet="ab1{", min_size=shortest, max_size=longest))
    if kind in ("integer", "number"):
        low, high = (
            node.get("minimum", node.get("exclusiveMinimum", 0)),
            node.get("maximum", node.get("exclusiveMaximum", 20)),
        )
        first = cast("int", low) + ("exclusiveMinimum" in node)
        last = cast("int", high) - ("exclusiveMaximum" in node)
        return draw(st.integers(first, last))
    if kind == "array":
        said = node.get("items", "prefixItems" not in node)
        older = isinstance(said, Sequence)  # what is not said of the rest counts as none
        prefix = cast("Sequence[JsonValue]", said if older else node.get("prefixItems", ()))
        rest = node.get("additionalItems", False) if older else said
        written = [draw(values(member, root, depth + 1)) for member in prefix]
        fewest, most = cast("int", node.get("minItems", 0)), cast("int", node.get("maxItems", 3))
        if rest is not False and depth < 6:
            count = draw(st.integers(max(0, fewest - len(prefix)), max(0, most - len(prefix))))
            written += [draw(values(rest, root, depth + 1)) for _ in range(count)]
        return written
    properties = cast("Mapping[str, JsonValue]", node.get("properties", {}))
    required = cast("Sequence[str]", node.get("required", ()))
    held: dict[str, JsonValue] = {}
    for name, below in properties.items():
        if name in required or (depth < 6 and draw(st.booleans())):
            held[name] = draw(values(below, root, depth + 1))
    more = node.get("additionalProperties")
    if isinstance(more, Mapping) and depth < 4 and draw(st.booleans()):
        held["free"] = draw(values(cast("JsonObject", more), root, depth + 1))
    return held
