"""Steps over one node that several dialects share."""

from collections.abc import Mapping

from toolroll.content import JsonObject, JsonValue
from toolroll.dialects.conjunction import distinct
from toolroll.dialects.draft import is_of_type, type_of_value, types_of
from toolroll.dialects.node import Node
from toolroll.dialects.root import flattened
from toolroll.schema.walk import as_list, as_mapping

_OPEN = "it takes names that are not listed"


def array_items(node: Node) -> None:
    """An array says what its items are, if only that they may be anything."""
    if "items" not in node.schema and "array" in types_of(node.schema):
        node.schema["items"] = {}


def plain_root(node: Node) -> None:
    """No `enum`, `const` or `not` at the root."""
    if node.root:
        for keyword in ("enum", "const", "not"):
            node.drop(keyword, "shape", "the provider takes it below the root only")


def object_properties(node: Node) -> None:
    """The root lists its properties, if only none."""
    if node.root and node.work.use == "tool":
        node.schema.setdefault("properties", {})


def named_in_branches(node: Node) -> None:
    """A branch that requires a property of the schema that holds it lists that property too."""
    listed = as_mapping(node.schema.get("properties"))
    if not listed:
        return
    for keyword in ("anyOf", "oneOf", "allOf"):
        branches = as_list(node.schema.get(keyword))
        if branches is not None:
            node.schema[keyword] = [_listing(branch, listed) for branch in branches]
    for keyword in ("if", "then", "else", "not"):
        if keyword in node.schema:
            node.schema[keyword] = _listing(node.schema[keyword], listed)


def _listing(branch: JsonValue, listed: JsonObject) -> JsonValue:
    mapping = as_mapping(branch)
    named = as_list(mapping.get("required")) if mapping is not None else None
    if mapping is None or not named:
        return branch
    own = as_mapping(mapping.get("properties")) or {}
    added: dict[str, JsonValue] = {
        name: {} for name in named if isinstance(name, str) and name in listed and name not in own
    }
    return {**mapping, "properties": {**own, **added}} if added else branch


def plain_union(node: Node) -> None:
    """A union beside properties becomes part of the one object; a union beside a type leaves the
    type to its branches.
    """
    schema = node.schema
    words = [keyword for keyword in ("anyOf", "oneOf") if keyword in schema]
    if not words:
        return
    if "properties" in schema:
        node.schema = flattened(schema, node.work.resolved, node.lose_shape)
        return
    said = schema.get("type")
    if said is None or len(words) > 1:
        return
    keyword = words[0]
    branches = [_with_type(branch, said, node) for branch in as_list(schema[keyword]) or ()]
    if None in branches:
        node.drop("type", "shape", "it cannot be said beside a union")
    else:
        del schema["type"]
        schema[keyword] = branches


def _with_type(branch: JsonValue, said: JsonValue, node: Node) -> JsonValue:
    """The branch with the type that stands beside the union; None where the two do not agree."""
    mapping = as_mapping(branch)
    if mapping is None:
        return None
    whole = node.work.resolved(mapping)
    own = _types(whole)
    if not own and not whole.keys() & {"anyOf", "oneOf", "allOf"}:
        return {"type": said, **mapping} if "$ref" not in mapping else None
    return mapping if own and own <= _types({"type": said}) else None


def known_required(node: Node) -> None:
    """`required` names listed properties only; it goes where none is left."""
    named = as_list(node.schema.get("required"))
    if named is None:
        return
    listed = as_mapping(node.schema.get("properties")) or {}
    known = [name for name in named if name in listed]
    if len(known) < len(named):
        lost: list[JsonValue] = [name for name in named if name not in listed]
        node.lose("required", lost, "shape", "no property of that name is listed beside it")
    if known:
        node.schema["required"] = known
    else:
        del node.schema["required"]


def hollow_union(node: Node) -> None:
    """A union of which a branch says nothing any more says nothing."""
    for keyword in ("anyOf", "oneOf"):
        branches = as_list(node.schema.get(keyword))
        if branches and all(branch == {} for branch in branches):
            node.drop(keyword, "shape", "nothing is left of its branches")


def overlapping_one_of(node: Node) -> None:
    """That no two branches of a `oneOf` may hold is lost where two could."""
    branches = as_list(node.schema.get("oneOf"))
    if branches is None:
        return
    whole: list[JsonValue] = [
        branch if mapping is None else node.work.resolved(mapping)
        for branch, mapping in ((branch, as_mapping(branch)) for branch in branches)
    ]
    if not disjoint(whole):
        node.lose("oneOf", branches, "shape", "it became anyOf: two of them may hold now")


def one_of_as_any_of(node: Node) -> None:
    """`oneOf` as `anyOf`."""
    if "oneOf" not in node.schema:
        return
    if "anyOf" in node.schema:
        node.drop("oneOf", "shape", "it cannot be said beside anyOf")
    else:
        node.schema["anyOf"] = node.schema.pop("oneOf")


def disjoint(branches: list[JsonValue]) -> bool:
    """No value fits two branches: by their types, or by a property with other fixed values in
    each.
    """
    nodes = [as_mapping(branch) for branch in branches]
    known = [node for node in nodes if node is not None]
    if len(known) < len(nodes):
        return False
    types = [_types(node) for node in known]
    if all(types) and not _overlap(types):
        return True
    shared = set(as_mapping(known[0].get("properties")) or ())
    for node in known[1:]:
        shared &= set(as_mapping(node.get("properties")) or ())
    return any(_tells_apart(name, known) for name in shared)


def _tells_apart(name: str, nodes: list[JsonObject]) -> bool:
    fixed: list[set[str]] = []
    for node in nodes:
        schema = as_mapping((as_mapping(node.get("properties")) or {})[name])
        if schema is None or name not in (as_list(node.get("required")) or ()):
            return False
        values = [schema["const"]] if "const" in schema else as_list(schema.get("enum"))
        if values is None:
            return False
        fixed.append({repr(value) for value in values})
    return not _overlap(fixed)


def _types(node: JsonObject) -> set[str]:
    types = set(types_of(node))
    if not types and "const" in node:
        types = {type_of_value(node["const"])}
    if not types:
        types = {type_of_value(value) for value in as_list(node.get("enum")) or ()}
    if types and node.get("nullable") is True:
        types.add("null")
    return types | {"integer"} if "number" in types else types


def _overlap(sets: list[set[str]]) -> bool:
    return sum(len(each) for each in sets) > len(set[str]().union(*sets))


def inferred_type(node: Node) -> None:
    """A schema that is plainly of one type says so."""
    schema = node.schema
    if "type" in schema or "$ref" in schema or "anyOf" in schema or "oneOf" in schema:
        return
    if schema.keys() & {"properties", "additionalProperties", "required"}:
        schema["type"] = "object"
    elif "items" in schema or "prefixItems" in schema:
        schema["type"] = "array"
    elif "const" in schema:
        schema["type"] = type_of_value(schema["const"])
    elif (values := as_list(schema.get("enum"))) is not None:
        types = sorted({type_of_value(value) for value in values})
        schema["type"] = types[0] if len(types) == 1 else types
    elif schema.keys() & _OF_STRINGS:
        schema["type"] = "string"
    elif schema.keys() & _OF_NUMBERS:
        schema["type"] = "number"


def fitting_values(node: Node) -> None:
    """Fixed values are of the type that stands beside them; others could never be sent."""
    schema = node.schema
    types = types_of(schema)
    key = "enum" if "enum" in schema else "const"
    if not types or key not in schema:
        return
    values = as_list(schema["enum"]) if key == "enum" else [schema["const"]]
    fitting = [value for value in values or () if is_of_type(value, types)]
    if not fitting:
        node.block(key, "none of its values is of its type")
    elif key == "enum":
        schema["enum"] = fitting


_OF_STRINGS = frozenset({"minLength", "maxLength", "pattern", "format"})
_OF_NUMBERS = frozenset(
    {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
)


def tuple_as_list(node: Node) -> None:
    """A tuple as a list: each item one of the kinds, as many as there are places; the order is
    lost.

    A rest that is not described counts as none, like properties that are not listed.
    """
    members = as_list(node.schema.get("prefixItems"))
    if members is None:
        return
    rest = node.schema.get("items", False)
    kinds = [*members, rest] if isinstance(rest, Mapping) else members
    kinds = distinct(kinds)
    if len(kinds) > 1:
        node.lose("prefixItems", members, "shape", "the order of the items cannot be said")
    del node.schema["prefixItems"]
    node.schema["items"] = kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    if rest is False:
        said = node.schema.get("maxItems", len(members))
        node.schema["maxItems"] = min(said, len(members)) if isinstance(said, int) else len(members)


def allows_null(schema: JsonValue, node: Node, hops: int = 0) -> bool:
    """A null fits the schema."""
    mapping = as_mapping(schema)
    if mapping is None or hops > 32:
        return schema is not False
    if "$ref" in mapping:
        mapping = node.work.resolved(mapping)
    types = types_of(mapping)
    if types and "null" not in types:
        return False
    if "const" in mapping and mapping["const"] is not None:
        return False
    values = as_list(mapping.get("enum"))
    if values is not None and None not in values:
        return False
    for keyword in ("anyOf", "oneOf"):
        branches = as_list(mapping.get(keyword))
        if branches is not None and not any(allows_null(each, node, hops + 1) for each in branches):
            return False
    members = as_list(mapping.get("allOf")) or ()
    return all(allows_null(each, node, hops + 1) for each in members)


def closed(node: Node) -> None:
    """Objects take listed properties only. One that is open on purpose cannot be said strictly."""
    schema = node.schema
    if "object" not in types_of(schema):
        for keyword in ("required", "properties", "additionalProperties"):
            schema.pop(keyword, None)  # they say nothing of other values
        return
    more = schema.get("additionalProperties")
    patterns = schema.get("patternProperties")
    if more not in (None, False) or patterns:
        node.block("patternProperties" if patterns else "additionalProperties", _OPEN)
    elif "properties" not in schema and more is None and not node.root:
        node.block("type", "it takes any properties")
    schema["additionalProperties"] = False
    listed = as_mapping(schema.setdefault("properties", {})) or {}
    named = as_list(schema.get("required")) or []
    ghosts: list[JsonValue] = [name for name in named if name not in listed]
    if ghosts:
        node.block("required", "it names properties that are not listed")
        schema["required"] = [name for name in named if name in listed]


def typed(node: Node) -> None:
    """Every schema says its type, or is a union or a reference; arrays say what they hold."""
    schema = node.schema
    if not schema.keys() & {"type", "$ref", "anyOf", "oneOf", "enum", "const"}:
        node.block("type", "it takes values of any type")
    if "array" in types_of(schema) and "items" not in schema:
        node.block("items", "its items may be of any type")


def formats(allowed: frozenset[str], node: Node) -> None:
    """Only formats the provider knows."""
    said = node.schema.get("format")
    if said is not None and said not in allowed:
        node.drop("format", "bound", "the provider does not know this format")
