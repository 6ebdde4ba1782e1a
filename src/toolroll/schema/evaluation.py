"""Which parts of a value a schema looks at: by name, by place, and through the schemas it applies.

Source: JSON Schema 2020-12 core §10, §11; drafts 2019-09, 7, 6 and 4 where they differ.
"""

from collections.abc import Iterator, Sequence

from toolroll.content import JsonObject, JsonValue
from toolroll.schema.pointer import escape_part, pointer_of
from toolroll.schema.spot import Spot
from toolroll.schema.visit import LATEST, Visit
from toolroll.schema.walk import as_list, as_mapping


class EvaluatingVisit(Visit):
    """Adds what `unevaluatedProperties` and `unevaluatedItems` have to know."""

    def named(self, schema: JsonObject, value: JsonObject) -> Iterator[tuple[str, str, JsonValue]]:
        """Keys of a value that the schema names or matches: key, where below the schema, schema."""
        properties = as_mapping(schema.get("properties")) or {}
        for key in value:
            if key in properties:
                yield key, f"/properties/{escape_part(key)}", properties[key]
        for pattern, below in (as_mapping(schema.get("patternProperties")) or {}).items():
            for key in value:
                if self.viewed.asserts({"pattern": pattern}, key, f"key {pattern}"):
                    yield key, f"/patternProperties/{escape_part(pattern)}", below

    def placed(
        self, schema: JsonObject, value: Sequence[JsonValue]
    ) -> Iterator[tuple[int, str, JsonValue]]:
        """Items that a schema places: index, where below the schema, schema."""
        keyword, rest = "prefixItems", "items"
        prefix = as_list(schema.get("prefixItems"))
        if prefix is None and isinstance(schema.get("items"), list):
            keyword, rest = "items", "additionalItems"
            prefix = as_list(schema["items"])
        prefix = prefix or []
        for index in range(len(value)):
            if index < len(prefix):
                yield index, f"/{keyword}/{index}", prefix[index]
            elif rest in schema:
                yield index, f"/{rest}", schema[rest]

    def matches(self, schema: JsonObject, value: Sequence[JsonValue], spot: Spot) -> list[int]:
        """The items that fit `contains`."""
        return [
            index
            for index, item in enumerate(value)
            if self.fits(schema["contains"], spot.below(index, item, "/contains"))
        ]

    # what other keywords have looked at already

    def evaluated_keys(
        self, schema: JsonValue, spot: Spot, *, beside_itself: bool = False
    ) -> set[str]:
        """Keys that a schema, or one it applies, looks at; `beside_itself`: by other keywords."""
        mapping, value = as_mapping(schema), as_mapping(spot.value)
        if mapping is None or value is None:
            return set()
        if "additionalProperties" in mapping or (
            "unevaluatedProperties" in mapping and not beside_itself
        ):
            return set(value)
        known = {key for key, _, _ in self.named(mapping, value)}
        for below, at_below in self._applied(mapping, spot):
            known |= self.evaluated_keys(below, at_below)
        return known

    def evaluated_items(
        self, schema: JsonValue, spot: Spot, *, beside_itself: bool = False
    ) -> set[int]:
        """As `evaluated_keys`, for items."""
        mapping, value = as_mapping(schema), as_list(spot.value)
        if mapping is None or value is None:
            return set()
        if "unevaluatedItems" in mapping and not beside_itself:
            return set(range(len(value)))
        known = {index for index, _, _ in self.placed(mapping, value)}
        if "contains" in mapping and self.viewed.draft >= LATEST:
            known.update(self.matches(mapping, value, spot))
        for below, at_below in self._applied(mapping, spot):
            known |= self.evaluated_items(below, at_below)
        return known

    def _applied(self, schema: JsonObject, spot: Spot) -> Iterator[tuple[JsonValue, Spot]]:
        """The schemas in place of this one that the value fits."""
        found = [(target, spot._replace(where=where)) for target, where in self.targets(schema)]
        for keyword in ("allOf", "anyOf", "oneOf"):
            branches = as_list(schema.get(keyword)) or []
            found += [(part, spot.at(f"/{keyword}/{index}")) for index, part in enumerate(branches)]
        for name, part in (as_mapping(schema.get("dependentSchemas")) or {}).items():
            if isinstance(spot.value, dict) and name in spot.value:
                found.append((part, spot.at(pointer_of(("dependentSchemas", name)))))
        if "if" in schema:
            holds = self.fits(schema["if"], spot.at("/if"))
            found += [(schema["if"], spot.at("/if"))] if holds else []
            branch = "then" if holds else "else"
            found.append((schema.get(branch, True), spot.at(f"/{branch}")))
        for below, at_below in found:
            if self.fits(below, at_below):
                yield below, at_below
