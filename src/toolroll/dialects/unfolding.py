"""References and `allOf` of one node, as the dialect treats them, before the walk goes below it."""

from toolroll.content import JsonObject, JsonValue
from toolroll.dialects.conjunction import WORDS, conjoin
from toolroll.dialects.draft import modern
from toolroll.dialects.node import Node
from toolroll.dialects.reference import name_of
from toolroll.schema.walk import as_list, as_mapping

_MOST_HOPS = 64
_ENDLESS = "it leads back to itself; the provider does not follow that"
_BESIDE = "nothing may stand beside a reference that leads back to itself"
_ALLOWED_BESIDE = frozenset({"description", "default"})


def unfold(node: Node) -> int:
    """Put in place what the dialect does not take as a reference or an `allOf`.

    Returns:
        How many definitions were entered; the caller leaves them after the walk below.
    """
    if "$ref" not in node.schema and "allOf" not in node.schema:
        return 0
    dialect = node.work.dialect
    entered = 0
    for _ in range(_MOST_HOPS):
        if dialect.merges and "allOf" in node.schema:
            entered += _merge(node)
        reference = node.schema.get("$ref")
        if not isinstance(reference, str):
            break
        name = name_of(reference)
        if dialect.references == "keep":
            node.plan.reference = name
            break
        if not _follows(node, name):
            break
        entered += _put_in_place(node, name)
    return entered


def _follows(node: Node, name: str) -> bool:
    """Whether the target is to stand in the place of the reference; else the node is finished
    here.
    """
    work = node.work
    beside = {key: value for key, value in node.schema.items() if key != "$ref"}
    force = {key for key in beside if key not in WORDS}
    if work.dialect.references == "inline":
        if name in work.inside:
            node.schema = beside
            node.lose("$ref", f"#/$defs/{name}", "shape", _ENDLESS)
            return False
        return True
    if work.dialect.references == "acyclic":
        if work.cuts(node.trail, name):
            node.schema = {}
            node.lose("$ref", f"#/$defs/{name}" if name else "#", "shape", _ENDLESS)
            return False
        if force and name not in work.inside:
            return True
        for key in set(beside) - _ALLOWED_BESIDE:
            del node.schema[key]
        node.plan.reference = name
        return False
    if force and name not in work.recursive and name not in work.inside:
        return True
    for key in sorted(force):
        node.drop(key, "shape", _BESIDE)
    words = {key: value for key, value in beside.items() if key in WORDS}
    node.plan.reference = name
    if words:
        alone: JsonObject = {"$ref": node.schema["$ref"]}
        node.schema = {"anyOf": [alone], **words}
    return False


def _put_in_place(node: Node, name: str) -> int:
    beside = {key: value for key, value in node.schema.items() if key != "$ref"}
    target = modern(node.work.definition(name), node.lose_shape)
    if not name:
        target = {key: value for key, value in target.items() if key not in ("$defs", "$schema")}
    node.schema = conjoin(beside, target, _NotSaid(node))
    node.work.inside.append(name)
    node.trail = ("$defs", name) if name else ()
    return 1


def _merge(node: Node) -> int:
    """`allOf` put into the node that holds it."""
    work = node.work
    entered = 0
    merged = {key: value for key, value in node.schema.items() if key != "allOf"}
    members = as_list(node.schema["allOf"]) or []
    alone = len(members) == 1 and all(key in WORDS for key in merged)
    for member in members:
        mapping = as_mapping(member)
        if mapping is None:
            continue
        own = modern(mapping, node.lose_shape)
        reference = own.get("$ref")
        if isinstance(reference, str) and not alone:
            name = name_of(reference)
            if name in work.inside:
                node.lose("allOf", member, "shape", _ENDLESS)
                continue
            beside = {key: value for key, value in own.items() if key != "$ref"}
            own = conjoin(beside, work.resolved({"$ref": reference}), _NotSaid(node))
            work.inside.append(name)
            entered += 1
        merged = conjoin(merged, own, _NotSaid(node))
    node.schema = merged
    return entered


class _NotSaid:
    """Writes down a keyword that cannot be merged."""

    __slots__ = ("_node",)

    def __init__(self, node: Node) -> None:
        self._node = node

    def __call__(self, keyword: str, value: JsonValue) -> None:
        self._node.lose(keyword, value, "shape", "it cannot be said together with the rest")
