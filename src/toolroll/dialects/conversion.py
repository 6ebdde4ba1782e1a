"""The walk that puts a schema into a dialect, and writes down the way back and what was lost.

A dialect is data: steps over one node, keywords that stay or go, and how references are treated.
The walk
goes by position: a property called `title`, `pattern` or `$ref` is a name, never a keyword.
"""

from collections.abc import Mapping
from typing import cast

from toolroll.content import JsonObject, JsonValue
from toolroll.dialects.conjunction import conjoin
from toolroll.dialects.descent import go_below, keep_only
from toolroll.dialects.draft import modern, types_of
from toolroll.dialects.key import fitting_key, property_names
from toolroll.dialects.node import Dialect, Node, Trail
from toolroll.dialects.phrase import phrase_of
from toolroll.dialects.plan import Plan, restorer, untouched
from toolroll.dialects.record import Adapted, Loss, Use
from toolroll.dialects.reference import circles, name_of, prepare, pruned
from toolroll.dialects.response import unwrapping, wrapped_in_object
from toolroll.dialects.root import flattened
from toolroll.dialects.unfolding import unfold
from toolroll.schema.error import SchemaTooLarge
from toolroll.schema.limit import DEFAULT_LIMITS
from toolroll.schema.pointer import pointer_of
from toolroll.schema.walk import as_list, as_mapping

_MOST_HOPS = 64
_NEVER: JsonObject = {"not": {}}
_ANYTHING: JsonObject = {}
_IDENTITY = ("$schema", "$id")
"""Say what the root is called and written in; no provider asks, and some refuse."""


def adapt_to(dialect: Dialect, schema: JsonObject, use: Use, *, describe: bool = False) -> Adapted:
    """Adapt one schema.

    Raises:
        SchemaTooLarge: it is deeper or larger than `toolroll.schema`'s limits.
    """
    return Conversion(dialect, use, describe=describe).adapted(schema)


class Conversion:
    """One schema on its way into one dialect."""

    def __init__(self, dialect: Dialect, use: Use, *, describe: bool) -> None:
        self.dialect = dialect
        self.use: Use = use
        self.describe = describe
        self.losses: dict[tuple[str, str], Loss] = {}
        self.obstacles: list[Loss] = []
        self.root: JsonObject = {}
        self.recursive: frozenset[str] = frozenset()
        self.origins: Mapping[str, str] = {}
        self.renamed: dict[str, str] = {}
        self.plans: dict[str, Plan] = {}
        self.inside: list[str] = []
        self._definitions: Mapping[str, JsonValue] = {}
        self._cut: frozenset[tuple[str, str]] = frozenset()
        self._count = self._depth = 0

    def adapted(self, given: JsonObject) -> Adapted:
        """The schema in the dialect."""
        prepared = prepare(given)
        self.root, self.recursive = prepared.root, prepared.recursive
        self.origins = prepared.origins
        self.losses.update({(loss.pointer, loss.keyword): loss for loss in prepared.losses})
        self._definitions = as_mapping(self.root.get("$defs")) or {}
        if self.dialect.references == "acyclic" and self.recursive:
            self._cut = circles(self.root, self._definitions)
        rooted, wrapped = self._rooted()
        converted, plan = self.convert(rooted, (), root=not wrapped)
        schema = dict(cast("JsonObject", converted))
        if wrapped:
            kept = self.dialect.keeps
            schema = wrapped_in_object(schema, closed=not kept or "additionalProperties" in kept)
        schema = dict(pruned(schema))
        if plan is not None:
            self.plans[""] = plan
        restore = restorer(plan, self.plans, schema) if plan is not None else untouched
        return Adapted(
            schema=schema,
            restore=unwrapping(restore) if wrapped else restore,
            losses=tuple(self.losses.values()),
            strict=self.dialect.strict and not self.obstacles,
            obstacles=tuple(self.obstacles),
            renamed=self.renamed,
        )

    def resolved(self, schema: JsonObject, /) -> JsonObject:
        """A schema whose own reference is put in place; what stands beside it holds too."""
        for _ in range(_MOST_HOPS):
            reference = schema.get("$ref")
            if not isinstance(reference, str):
                return schema
            beside = {key: value for key, value in schema.items() if key != "$ref"}
            schema = conjoin(beside, self.definition(name_of(reference)), self._unsaid)
        return {key: value for key, value in schema.items() if key != "$ref"}

    def convert(
        self, schema: JsonValue, trail: Trail, /, *, root: bool = False
    ) -> tuple[JsonValue, Plan | None]:
        """One subschema in the dialect, and the way back where there is something to undo."""
        self._count += 1
        most, deepest = DEFAULT_LIMITS.schema_places, DEFAULT_LIMITS.schema_depth
        if self._count > most or self._depth > deepest:
            raise SchemaTooLarge(
                f"schema too large for {self.dialect.name}: more than {most} subschemas or "
                f"{deepest} levels; describe less.",
                pointer=pointer_of(trail),
            )
        given = as_mapping(schema)
        node = Node({}, trail, Plan(), self, root, [])
        if given is None:
            if not isinstance(schema, bool):
                node.lose_shape("", schema, "it is no schema")
            elif self.dialect.booleans:
                return schema, None
            given = _NEVER if schema is False else _ANYTHING
        node.schema = modern(given, node.lose_shape)
        self._depth += 1
        entered = unfold(node)
        for step in self.dialect.before:
            step(node)
        if self.dialect.keeps is not None:
            keep_only(node, self.dialect.keeps)
        go_below(node)
        for step in self.dialect.after:
            step(node)
        if entered:
            del self.inside[-entered:]
        self._depth -= 1
        if self.describe and node.lost and (phrase := phrase_of(node.lost)):
            said = node.schema.get("description")
            node.schema["description"] = f"{said}\n{phrase}" if isinstance(said, str) else phrase
        return node.schema, None if node.plan.empty else node.plan

    def key(self, name: str, /) -> str:
        """The name of a property on the wire."""
        pattern = self.dialect.key
        if pattern is None or pattern.fullmatch(name):
            return name
        for wire, own in self.renamed.items():
            if own == name:
                return wire
        taken = property_names(self.root) | set(self.renamed)
        wire = fitting_key(name, taken)
        self.renamed[wire] = name
        return wire

    def _rooted(self) -> tuple[JsonObject, bool]:
        """The root as the dialect wants it, and whether it has to be wrapped into an object."""
        schema = _without(self.resolved(self.root), *_IDENTITY)
        top = Node({}, (), Plan(), self, True, [])
        types = types_of(schema)
        is_object = not types or "object" in types
        if self.use == "response" and (not is_object or _is_choice(schema)):
            return schema, self.dialect.one_object
        if not is_object:
            top.lose_shape("type", schema.get("type"), "a tool takes one object: no call fits it")
        if self.dialect.one_object:
            schema = _without(flattened(schema, self.resolved, top.lose_shape), *_IDENTITY)
        if self.use == "response" and not self.dialect.one_object:
            return schema, False
        return {"type": "object", **_without(schema, "type")}, False

    def definition(self, name: str, /) -> JsonObject:
        """A definition by its name; the root for ""."""
        return (as_mapping(self._definitions.get(name)) or {}) if name else self.root

    def pointer(self, trail: Trail, /) -> str:
        """Where that stands in the schema that was given."""
        if len(trail) > 1 and trail[0] == "$defs" and trail[1] in self.origins:
            return self.origins[trail[1]] + pointer_of(trail[2:])
        return pointer_of(trail)

    def cuts(self, trail: Trail, name: str, /) -> bool:
        """A reference that stands there and leads to this definition closes a circle."""
        holder = trail[1] if len(trail) > 1 and trail[0] == "$defs" else ""
        return (holder, name) in self._cut or name in self.inside

    def _unsaid(self, keyword: str, value: JsonValue) -> None:
        loss = Loss("", keyword, value, "shape", "it cannot be said together with the rest")
        self.losses.setdefault(("", keyword), loss)


def _is_choice(schema: JsonObject) -> bool:
    """The whole answer is one of several: said below the root, nothing of that is lost."""
    several = any(len(as_list(schema.get(word)) or ()) > 1 for word in ("anyOf", "oneOf"))
    return several and not schema.get("properties")


def _without(schema: JsonObject, *keywords: str) -> JsonObject:
    return {key: value for key, value in schema.items() if key not in keywords}
