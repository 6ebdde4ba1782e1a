"""A schema that a tool refers to once, put where the reference stands.

Under `$defs` it would cost its name twice and a model a look elsewhere. What is referred to more
often, or contains itself, stays there.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from toolroll.content import JsonObject, JsonValue
from toolroll.schema.walk import LIST, MAP, ONE, Place, children

_PREFIX = "#/$defs/"
_BESIDE = frozenset({"$ref", "default", "deprecated", "description"})
"""What may stand beside a reference: it says something of the place and demands nothing."""

_FRAME = len('{"$ref":"#/$defs/"}"":,')


@dataclass(slots=True, kw_only=True)
class Definition:
    """A schema under `$defs`.

    Args:
        schema: its references are `#/$defs/...`.
        references: how often it refers to which others.
        height: its levels.
    """

    schema: JsonValue
    references: Mapping[str, int] = field(default_factory=Counter[str])
    height: int = 0

    @staticmethod
    def of(schema: JsonValue) -> "Definition":
        """A schema with what is to be known of it.

        Example:
            >>> Definition.of({"items": {"$ref": "#/$defs/A"}})
            Definition(schema={'items': {'$ref': '#/$defs/A'}}, references={'A': 1}, height=1)
        """
        references: Counter[str] = Counter()
        height, level = -1, [schema]
        while level:
            height += 1
            for one in level:
                if (name := reference_name(one)) is not None:
                    references[name] += 1
            level = [inner.schema for one in level for inner in children(Place(one))]
        return Definition(schema=schema, references=dict(references), height=height)


class Placing:
    """Puts the schemas of one tool's `$defs` in place.

    Args:
        definitions: every schema the tool reaches, by name.
        once: names of those that are referred to once.
        depth: most levels of what comes of it.
    """

    def __init__(
        self, definitions: Mapping[str, Definition], once: frozenset[str], depth: int
    ) -> None:
        self.visited = 0
        """Subschemas that were looked at."""
        self.saved = 0
        """Characters that are no longer needed."""
        self._definitions = definitions
        self._once = once
        self._depth = depth
        self._stays: set[str] = set()

    def place(self, root: Definition) -> JsonObject:
        """The root with what is left under its `$defs`."""
        written = cast("JsonObject", self._of(root))
        left: dict[str, JsonValue] = {}
        while waiting := self._stays - left.keys():
            left |= {name: self._of(self._definitions[name]) for name in waiting}
        return {**written, "$defs": dict(sorted(left.items()))} if left else written

    def _of(self, definition: Definition, depth: int = 0) -> JsonValue:
        self._stays |= definition.references.keys() - self._once
        if self._once.isdisjoint(definition.references):
            return definition.schema
        return self._schema(definition.schema, depth)

    def _schema(self, schema: JsonValue, depth: int) -> JsonValue:
        self.visited += 1
        if not isinstance(schema, Mapping):
            return schema
        own = cast("JsonObject", schema)
        name = reference_name(own)
        if name is not None and name in self._once:
            return self._referred(own, name, depth)
        changed: dict[str, JsonValue] = {}
        for key, value in own.items():
            new = self._below(key, value, depth + 1)
            if new is not value:
                changed[key] = new
        return {**own, **changed} if changed else own

    def _below(self, key: str, value: JsonValue, depth: int) -> JsonValue:
        """What a keyword holds; the same object where nothing of it changes."""
        if key in ONE:
            return self._schema(value, depth)
        if key in MAP and isinstance(value, Mapping):
            named = cast("JsonObject", value)
            new = {name: self._schema(item, depth) for name, item in named.items()}
            return new if any(new[name] is not item for name, item in named.items()) else value
        if key in LIST and isinstance(value, list):
            items = [self._schema(item, depth) for item in value]
            same = all(one is other for one, other in zip(items, value, strict=True))
            return value if same else items
        return value

    def _referred(self, own: JsonObject, name: str, depth: int) -> JsonValue:
        """What a reference leads to, in its place; the reference where it has to stay."""
        definition = self._definitions[name]
        target = definition.schema
        beside = own.keys() - {"$ref"}
        fits = depth + definition.height <= self._depth and own.keys() <= _BESIDE
        if isinstance(target, Mapping):
            fits = fits and beside.isdisjoint(target)
        if not fits or (beside and not isinstance(target, Mapping)):
            self._stays.add(name)
            return own
        self.saved += 2 * len(name) + _FRAME
        placed = self._of(definition, depth)
        if not beside:
            return placed
        return {**cast("JsonObject", placed), **{key: own[key] for key in own if key in beside}}


def reference_name(schema: JsonValue) -> str | None:
    """The name under `$defs` that a schema refers to, None for none."""
    reference = cast("JsonObject", schema).get("$ref") if isinstance(schema, Mapping) else None
    if isinstance(reference, str) and reference.startswith(_PREFIX):
        return reference[len(_PREFIX) :]
    return None
