"""What of a schema a place of a request can hold; the rest is left out and told.

A model must not be offered what can never be sent.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias, cast

from toolroll.content import JsonObject, JsonValue
from toolroll.sources.openapi.document import Document, LeftOutError, as_list, as_object, as_text
from toolroll.sources.openapi.keyword import Budget
from toolroll.sources.openapi.kind import (
    Kind,
    is_null,
    kind_of,
    kind_of_type,
    object_schemas,
    told_kind,
)
from toolroll.sources.openapi.shape import Shape

_DEEPEST = 16
"""Levels of references, composition and properties that are looked through."""

_MOST_LOST = 100
"""Most properties of one schema that are told as lost: one part may stand in very many places."""

_TELLING = frozenset(
    {"allOf", "anyOf", "const", "enum", "items", "not", "oneOf", "properties", "type"}
)
"""Keywords that tell what kind of value a schema is about."""

_TYPES: Mapping[Kind, tuple[str, ...]] = {
    "scalar": ("string", "number", "boolean"),
    "array": ("array",),
    "object": ("object",),
}

Losses: TypeAlias = tuple[tuple[str, str], ...]
"""What went: the path of a property, "" for one kind of value, and why."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A schema of the document without what its place cannot hold.

    Args:
        schema: the same object where nothing had to go.
        lost: what had to.
    """

    schema: JsonValue
    lost: Losses = ()


def fit(document: Document, schema: JsonValue, shape: Shape) -> Fitted:
    """A schema without what a place cannot hold.

    Raises:
        LeftOutError: no value of it can be sent.
    """
    fitting = _Fitting(document)
    fitted = fitting.schema(schema, shape, frozenset(), "")
    is_object = bool(fitting.lost) and kind_of(document, fitted) == "object"
    if is_object and _names(document, schema) and not _names(document, fitted):
        path, reason = next(iter(fitting.lost))
        words = f"its property {path!r} {reason.removeprefix('it ')}"
        raise LeftOutError(shape.empty or words)
    return Fitted(fitted, tuple(fitting.lost))


def _names(document: Document, schema: JsonValue) -> bool:
    """Whether an object has a property to offer, by name or by any."""
    return any(
        one.get("properties") or as_object(one.get("additionalProperties"))
        for one in object_schemas(document, schema)
    )


_Lost: TypeAlias = dict[tuple[str, str], None]
_Known: TypeAlias = dict[tuple[int, Shape, frozenset[str]], tuple[JsonValue | LeftOutError, _Lost]]
"""What became of a part, and what it lost, by the path within it."""


class _Fitting:
    """One schema while it is fitted; each part once, whatever leads to it."""

    def __init__(self, document: Document) -> None:
        self.lost: _Lost = {}
        self._document = document
        self._known: _Known = {}
        self._depth = 0
        self._budget = Budget(document.limits.places)

    def schema(
        self, raw: JsonValue, shape: Shape | None, required: frozenset[str], at: str
    ) -> JsonValue:
        """A schema without what the shape refuses.

        Args:
            raw: of the document.
            shape: what its place holds; None for anything.
            required: properties that whatever holds this part demands.
            at: the path of the property it is, "" at the top.

        Raises:
            LeftOutError: nothing is left.
        """
        found = None if shape is None else self._document.peek(raw)
        if found is None or shape is None or self._depth >= _DEEPEST:
            return raw
        if found is raw and shape.refused and _TELLING.isdisjoint(found):
            left = [words for kind, words in _TYPES.items() if kind not in shape.refused]
            return {**found, "type": [word for words in left for word in words]}
        key = id(found), shape, required
        if key not in self._known:
            self._budget.spend()
            self._known[key] = found, {}  # what leads back to itself is not looked into again
            self._known[key] = self._looked_into(found, shape, required)
        known, lost = self._known[key]
        for path, reason in [*lost][: max(0, _MOST_LOST - len(self.lost))]:
            self.lost[".".join(filter(None, (at, path))), reason] = None
        if isinstance(known, LeftOutError):
            raise known
        return raw if known is found else self._beside(raw, known)

    def _looked_into(
        self, found: JsonObject, shape: Shape, required: frozenset[str]
    ) -> tuple[JsonValue | LeftOutError, _Lost]:
        outer, self.lost = self.lost, {}
        self._depth += 1
        try:
            return self._object(found, shape, required, ""), self.lost
        except LeftOutError as error:
            return error, self.lost
        finally:
            self._depth -= 1
            self.lost = outer

    def _beside(self, raw: JsonValue, known: JsonValue) -> JsonValue:
        """What a reference led to, with what stands beside the reference."""
        own = as_object(raw) or {}
        if "$ref" not in own or self._document.is_3_0:
            return known
        beside = {key: value for key, value in own.items() if key != "$ref"}
        return {**(as_object(known) or {}), **beside}

    def _object(
        self, found: JsonObject, shape: Shape, required: frozenset[str], at: str
    ) -> JsonValue:
        parts = object_schemas(self._document, found, ("allOf",))
        for one in parts:
            required |= {as_text(name) for name in as_list(one.get("required"))}
        changed = self._types(found, shape, required, at)
        for key in ("allOf", "anyOf", "oneOf"):
            if (branches := as_list(found.get(key))) and (
                new := self._branches(key, list(branches), shape, required, at)
            ):
                changed[key] = new
        return {**found, **changed} if changed else found

    def _types(
        self, found: JsonObject, shape: Shape, required: frozenset[str], at: str
    ) -> dict[str, JsonValue]:
        """What changes of the keywords of each kind of value."""
        said = found.get("type")
        types = [said] if isinstance(said, str) else [as_text(one) for one in as_list(said)]
        told = told_kind(found)
        kinds: list[Kind] = [kind_of_type(word) for word in types if word != "null"]
        kinds = list(dict.fromkeys(kinds)) or ([told] if told else [])
        changed: dict[str, JsonValue] = {}
        gone: dict[Kind, LeftOutError] = {}
        for kind in kinds:
            try:
                changed |= self._kind(kind, found, shape, required, at)
            except LeftOutError as error:
                gone[kind] = error
        if gone and len(gone) == len(kinds):
            raise next(iter(gone.values()))
        if gone:
            changed["type"] = [word for word in types if kind_of_type(word) not in gone]
            for error in gone.values():
                self.lost[at, f"one kind of its values {error.reason}"] = None
        return changed

    def _kind(
        self, kind: Kind, found: JsonObject, shape: Shape, required: frozenset[str], at: str
    ) -> dict[str, JsonValue]:
        """What changes of the keywords of one kind of value.

        Raises:
            LeftOutError: no value of this kind can be sent.
        """
        if kind in shape.refused:
            raise LeftOutError(shape.refused[kind])
        if kind == "array":
            return self._items(found, shape, at)
        return self._properties(found, shape, required, at) if kind == "object" else {}

    def _items(self, found: JsonObject, shape: Shape, at: str) -> dict[str, JsonValue]:
        items = found.get("items", True)
        new = self.schema(items, shape.items, frozenset(), at)
        return {} if new is items else {"items": new}

    def _properties(
        self, found: JsonObject, shape: Shape, required: frozenset[str], at: str
    ) -> dict[str, JsonValue]:
        if shape.property is None:
            return {}
        properties = dict(as_object(found.get("properties")) or {})
        changed = False
        for name, raw in list(properties.items()):
            if self._is_read_only(raw):
                continue
            path = f"{at}.{name}" if at else name
            try:
                new = self.schema(raw, shape.property(name, raw), frozenset(), path)
            except LeftOutError as error:
                if name in required:
                    if shape.lost:
                        raise
                    raise LeftOutError(f"its property {path!r} {error.reason}") from error
                del properties[name]
                self.lost[path, shape.lost or f"it {error.reason}"] = None
                changed = True
                continue
            if new is not raw:
                properties[name], changed = new, True
        written: dict[str, JsonValue] = {"properties": properties} if changed else {}
        return written | self._others(found, shape, at)

    def _others(self, found: JsonObject, shape: Shape, at: str) -> dict[str, JsonValue]:
        """What changes of the properties that have no name in the schema.

        Raises:
            LeftOutError: there are no others, and these cannot be written.
        """
        others = as_object(found.get("additionalProperties"))
        if others is None or shape.property is None:
            return {}
        try:
            new = self.schema(others, shape.property("", others), frozenset(), at)
        except LeftOutError as error:
            if not found.get("properties"):
                raise
            self.lost[at, f"what is under further names {error.reason}"] = None
            return {"additionalProperties": False}
        return {} if new is others else {"additionalProperties": new}

    def _branches(
        self, key: str, branches: list[JsonValue], shape: Shape, required: frozenset[str], at: str
    ) -> list[JsonValue]:
        """The branches that are left, [] where all stay as they are.

        Raises:
            LeftOutError: none is left, or one that must hold cannot.
        """
        kept: list[JsonValue] = []
        faults: list[LeftOutError] = []
        for branch in branches:
            try:
                kept.append(self.schema(branch, shape, required, at))
            except LeftOutError as error:
                if key == "allOf":
                    raise
                faults.append(error)
        if faults and all(map(is_null, kept)):
            raise faults[0]
        for fault in faults:
            self.lost[at, f"one kind of its values {fault.reason}"] = None
        same = all(one is other for one, other in zip(kept, branches, strict=False))
        return [] if same and not faults else kept

    def _is_read_only(self, raw: JsonValue) -> bool:
        own = as_object(raw) or {}
        found = cast("JsonObject", self._document.peek(own) or {})
        return own.get("readOnly") is True or found.get("readOnly") is True
