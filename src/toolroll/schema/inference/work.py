"""How much work unions of types that hold themselves make of an input.

A union without a tag tries each of its branches. Where a branch holds the same union again, the
tries multiply with every level, and a small input can keep a checker busy for ever. So the work is
counted before it is begun. A union with a tag (`oneOf`) goes straight to its branch.
"""

from toolroll.content import JsonObject, JsonValue
from toolroll.schema.pointer import escape_part
from toolroll.schema.refs import Resolver, recursive_targets, reference_of
from toolroll.schema.walk import as_list, as_mapping, places


def multiplies(schema: JsonObject) -> bool:
    """Whether a schema has a union without a tag and a definition that leads back to itself.

    Example:
        >>> multiplies({"anyOf": [{"items": {"$ref": "#"}}, {"type": "null"}]})
        True
        >>> multiplies({"items": {"$ref": "#"}})
        False
    """
    unions = any("anyOf" in (place.mapping or {}) for place in places(schema))
    return unions and bool(recursive_targets(schema))


def count_work(schema: JsonObject, value: JsonValue, most: int) -> int:
    """How many times a schema is held against a part of a value when every branch is tried.

    Args:
        schema: the whole schema.
        value: the input, as plain JSON.
        most: counting ends there.

    Returns:
        The number, at most `most + 1`.

    Example:
        >>> both = {"anyOf": [{"properties": {"x": {"$ref": "#"}}}] * 2}
        >>> count_work(both, {"x": {"x": {}}}, 100), count_work(both, {"x": {"x": {"x": {}}}}, 10)
        (27, 11)
    """
    try:
        return _Counter(schema, most).count(schema, "", value, "")
    except RecursionError:
        return most + 1


class _Counter:
    def __init__(self, schema: JsonObject, most: int) -> None:
        self._resolver = Resolver(schema)
        self._most = most
        self._known: dict[tuple[str, str], int] = {}

    def count(self, schema: JsonValue, where: str, value: JsonValue, place: str) -> int:
        key = (where, place)
        known = self._known.get(key)
        if known is not None:
            return known
        self._known[key] = 0  # references that run in a circle
        found = self._known[key] = min(self._most + 1, 1 + self._below(schema, where, value, place))
        return found

    def _below(self, schema: JsonValue, where: str, value: JsonValue, place: str) -> int:
        mapping = as_mapping(schema)
        if mapping is None:
            return 0
        total = 0
        target = self._resolver.find(reference_of(mapping))
        if target is not None:
            total += self.count(target.schema, target.pointer, value, place)
        for keyword in ("allOf", "anyOf", "oneOf"):
            counts = [
                self.count(part, f"{where}/{keyword}/{index}", value, place)
                for index, part in enumerate(as_list(mapping.get(keyword)) or [])
            ]
            total += max(counts, default=0) if keyword == "oneOf" else sum(counts)
        if isinstance(value, dict):
            total += self._properties(mapping, where, value, place)
        elif isinstance(value, list):
            total += self._items(mapping, where, value, place)
        return total

    def _properties(self, schema: JsonObject, where: str, value: JsonObject, place: str) -> int:
        named, total = as_mapping(schema.get("properties")) or {}, 0
        for key, item in value.items():
            below = f"{place}/{escape_part(key)}"
            if key in named:
                total += self.count(
                    named[key], f"{where}/properties/{escape_part(key)}", item, below
                )
            elif "additionalProperties" in schema:
                others = schema["additionalProperties"]
                total += self.count(others, f"{where}/additionalProperties", item, below)
        return total

    def _items(self, schema: JsonObject, where: str, value: list[JsonValue], place: str) -> int:
        prefix, total = as_list(schema.get("prefixItems")) or [], 0
        for index, item in enumerate(value):
            below = f"{place}/{index}"
            if index < len(prefix):
                total += self.count(prefix[index], f"{where}/prefixItems/{index}", item, below)
            elif "items" in schema:
                total += self.count(schema["items"], f"{where}/items", item, below)
        return total
