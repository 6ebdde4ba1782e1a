"""Schemas of a document as JSON Schema 2020-12, each converted once and shared by all tools.

Source: OpenAPI 3.0 and 3.1, "Schema Object"; JSON Schema 2020-12 core §10, validation §6.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from toolroll.content import JsonObject, JsonValue, compact_json
from toolroll.schema.walk import LIST, ONE
from toolroll.sources.openapi.circle import open_circles
from toolroll.sources.openapi.document import Document, LeftOutError, as_list, as_object
from toolroll.sources.openapi.inline import Definition, Placing
from toolroll.sources.openapi.keyword import (
    Budget,
    or_null,
    plain_keyword,
    with_modern_bounds,
)
from toolroll.sources.openapi.kind import object_schemas
from toolroll.sources.openapi.naming import Names, definition_name
from toolroll.sources.openapi.wording import Wording

Direction: TypeAlias = Literal["input", "output"]

_MAP = frozenset({"dependentSchemas", "patternProperties", "properties"})
_SUBSCHEMAS = (ONE - {"additionalItems", "contentSchema"}) | LIST | _MAP
_BESIDE_A_REFERENCE = ("description", "nullable", "x-nullable")
_NOT_IN_OUTPUT = frozenset({"default", "deprecated", "description", "format", "pattern"})
"""What an output schema can do without: it is there to be read, not to be filled in."""

_MOST_VISITED = 1_000_000
"""Subschemas that are looked at to put them in place; after it references stay. It bounds the time
that a document of many large tools can cost."""

_NOT_SCHEMAS = frozenset(
    {
        "callbacks",
        "examples",
        "headers",
        "links",
        "parameters",
        "pathItems",
        "requestBodies",
        "responses",
        "securitySchemes",
    }
)


@dataclass(slots=True)
class Shared:
    """One schema that tools refer to, under a name of its own.

    Args:
        name: its name under `$defs`.
        schema: converted; its references are `#/$defs/...`.
        references: of the document, in it.
        definition: the schema with what is known of it, when it is converted.
        size: its characters as JSON.
        fault: why it cannot be used, "" where it can.
    """

    name: str
    schema: JsonValue = True
    references: frozenset[str] = frozenset()
    definition: Definition | None = None
    size: int = 4
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Converted:
    """A schema as it stands in one place, and the references of the document in it."""

    schema: JsonValue
    references: frozenset[str]


class Schemas:
    """The schemas of one document in one direction.

    Args:
        document: where references lead.
        direction: `input` leaves read-only properties out, `output` write-only ones and whatever
            only helps to fill a schema in.
        wording: reads the descriptions.
    """

    def __init__(self, document: Document, direction: Direction, wording: Wording) -> None:
        self._document = document
        self.text = wording.text
        self._hidden = "readOnly" if direction == "input" else "writeOnly"
        self._left_out = _NOT_IN_OUTPUT if direction == "output" else frozenset[str]()
        self._shared: dict[str, Shared] = {}
        self._hidden_in: dict[int, tuple[JsonObject, frozenset[str]]] = {}  # by id, kept alive
        self._names = Names()
        self._to_visit = _MOST_VISITED
        self.opened: set[str] = set()
        """Names of schemas that contained themselves in one place, which no value can settle."""

    def convert(self, raw: JsonValue) -> Converted:
        """A schema as it stands in one place; what it refers to is converted too.

        Raises:
            LeftOutError: it is no schema.
        """
        found: set[str] = set()
        schema = self._schema(raw, self._spot(found))
        self._convert_shared(found)
        return Converted(schema, frozenset(found))

    def complete(
        self, schema: JsonObject, references: Iterable[str], most: int
    ) -> tuple[JsonObject, int]:
        """A schema with the `$defs` it reaches and no others, and its characters as JSON.

        What is referred to once stands where the reference stood.

        Raises:
            LeftOutError: a reference is to no schema of this document, or there are more than
                `most` characters.
        """
        found: dict[str, Shared] = {}
        waiting, size = sorted(references), len(compact_json(schema))
        while waiting and size <= most:
            reference = waiting.pop()
            if reference in found:
                continue
            shared = found[reference] = self._shared[reference]
            if shared.fault:
                raise LeftOutError(shared.fault)
            size += shared.size + len(shared.name) + 4
            waiting.extend(shared.references)
        if size > most:
            raise LeftOutError(f"its schema is larger than {most:,} characters")
        if not found:
            return schema, size
        return self._placed(schema, list(found.values()), size)

    def _placed(
        self, schema: JsonObject, shared: list[Shared], size: int
    ) -> tuple[JsonObject, int]:
        definitions = {one.name: one.definition for one in shared if one.definition is not None}
        root = Definition.of(schema)
        counts = Counter(root.references)
        for one in definitions.values():
            counts.update(one.references)
        may = self._to_visit > 0
        once = frozenset(name for name, count in counts.items() if count == 1 and may)
        placing = Placing(definitions, once, self._document.limits.depth)
        placed = placing.place(root)
        self._to_visit -= placing.visited
        return placed, size - placing.saved

    def _spot(self, found: set[str], base: str = "") -> "_Spot":
        return _Spot(found, Budget(self._document.limits.places), base=base)

    def _refer(self, reference: str, base: str) -> str:
        """The reference, looked up from the schema `base` where the document itself has it not."""
        if base and reference.startswith(("#/$defs/", "#/definitions/")):
            try:
                self._document.find(reference)
            except LeftOutError:
                reference = base + reference[1:]
        if reference not in self._shared:
            name = definition_name(reference, self._names)
            self._shared[reference] = Shared(name)
        return reference

    def _convert_shared(self, references: Iterable[str]) -> None:
        waiting, fresh = list(references), dict[str, Shared]()
        while waiting:
            reference = waiting.pop()
            shared = self._shared[reference]
            if shared.definition is not None or shared.name in fresh:
                continue
            found: set[str] = set()
            try:
                target = self._target(reference)
                shared.schema = self._schema(target, self._spot(found, base=reference))
            except LeftOutError as error:
                shared.fault = error.reason
            shared.references = frozenset(found)
            fresh[shared.name] = shared
            waiting.extend(found)
        self.opened |= open_circles(fresh)
        for shared in fresh.values():
            shared.size = len(compact_json(shared.schema))
            shared.definition = Definition.of(shared.schema)

    def _target(self, reference: str) -> JsonValue:
        parts = reference.split("/")
        is_other = parts[1:2] == ["components"] and not _NOT_SCHEMAS.isdisjoint(parts[2:3])
        if is_other and "schema" not in parts:
            raise LeftOutError(f"the reference {reference[:200]!r} is not to a schema")
        return self._document.find(reference)

    def _schema(self, raw: JsonValue, spot: "_Spot") -> JsonValue:
        if isinstance(raw, bool):
            return raw
        schema = as_object(raw)
        if schema is None:
            raise LeftOutError("a schema is neither an object nor a boolean")
        if spot.depth >= self._document.limits.depth:
            return True
        spot.budget.spend()
        spot = spot.hiding(self._hidden_names(schema))
        written = self._write_reference(schema, spot)
        if written and self._document.is_3_0:  # what stands beside it counts for nothing there
            schema = {key: schema[key] for key in _BESIDE_A_REFERENCE if key in schema}
        for key, value in with_modern_bounds(schema).items():
            if key in _SUBSCHEMAS:
                self._write_subschemas(key, value, spot, written)
            elif key not in self._left_out:
                self._write_plain(key, value, spot, written)
        is_nullable = schema.get("nullable") is True or schema.get("x-nullable") is True
        return or_null(written) if is_nullable else written

    def _write_reference(self, schema: JsonObject, spot: "_Spot") -> dict[str, JsonValue]:
        reference = schema.get("$ref")
        if not isinstance(reference, str):
            return {}
        found = self._refer(reference, spot.base)
        spot.found.add(found)
        return {"$ref": f"#/$defs/{self._shared[found].name}"}

    def _write_plain(
        self, key: str, value: JsonValue, spot: "_Spot", written: dict[str, JsonValue]
    ) -> None:
        if key == "required":
            names = [name for name in as_list(value) if isinstance(name, str)]
            kept: JsonValue = [name for name in dict.fromkeys(names) if name not in spot.hidden]
            known = bool(kept)
        elif key == "description":
            kept = self.text(value)
            known = bool(kept)
        else:
            known, kept = plain_keyword(key, value, spot.budget)
        if known:
            written[key] = kept

    def _write_subschemas(
        self, key: str, value: JsonValue, spot: "_Spot", written: dict[str, JsonValue]
    ) -> None:
        deeper = spot.deeper(same_object=key == "allOf")
        if key in LIST or (key == "items" and isinstance(value, list | tuple)):
            if branches := [self._schema(item, deeper) for item in as_list(value)]:
                written["prefixItems" if key == "items" else key] = branches
        elif key in _MAP:
            hidden = spot.hidden if key == "properties" else frozenset[str]()
            written[key] = {
                str(name): self._schema(item, deeper)
                for name, item in (as_object(value) or {}).items()
                if name not in hidden
            }
        else:
            written[key] = self._schema(value, deeper)

    def _hidden_names(self, schema: JsonObject) -> frozenset[str]:
        """Properties of one object that this direction does not have, also those of `allOf`."""
        if "allOf" not in schema and "properties" not in schema:
            return frozenset()
        known = self._hidden_in.get(id(schema))
        if known is None:
            names: set[str] = set()
            for one in object_schemas(self._document, schema, ("allOf",)):
                properties = as_object(one.get("properties")) or {}
                names |= {name for name, item in properties.items() if self._is_hidden(item)}
            known = self._hidden_in[id(schema)] = (schema, frozenset(names))
        return known[1]

    def _is_hidden(self, raw: JsonValue) -> bool:
        own = as_object(raw)
        if own is None:
            return False
        target = self._document.peek(own) if "$ref" in own else None
        return own.get(self._hidden) is True or (target or {}).get(self._hidden) is True


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where a schema stands while it is converted."""

    found: set[str]
    budget: Budget
    depth: int = 0
    base: str = ""
    hidden: frozenset[str] = frozenset()

    def deeper(self, *, same_object: bool = False) -> "_Spot":
        hidden = self.hidden if same_object else frozenset[str]()
        return _Spot(self.found, self.budget, self.depth + 1, self.base, hidden)

    def hiding(self, names: frozenset[str]) -> "_Spot":
        if names <= self.hidden:
            return self
        return _Spot(self.found, self.budget, self.depth, self.base, self.hidden | names)
