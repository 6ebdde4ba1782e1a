"""One look at one value: what was found at each pair of schema and place, each looked at once."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from toolroll.content import JsonObject, JsonValue
from toolroll.schema.assertion import ASSERTIONS, Asserts, unmet
from toolroll.schema.fault import Fault, Parts, single
from toolroll.schema.refs import Resolver
from toolroll.schema.spot import Spot, fault_at
from toolroll.schema.walk import as_mapping
from toolroll.schema.wording import say_plain

_LAST_LONELY = 7
"""Up to this draft a reference stands alone: what stands beside it is not looked at."""

_SINCE = {
    "propertyNames": 6,
    "contains": 6,
    "const": 6,
    "if": 7,
    "contentEncoding": 7,
    "contentMediaType": 7,
    "dependentRequired": 2019,
    "dependentSchemas": 2019,
    "unevaluatedItems": 2019,
    "unevaluatedProperties": 2019,
    "minContains": 2019,
    "maxContains": 2019,
    "prefixItems": 2020,
}
"""The draft that brought a keyword; earlier ones do not know it."""

LATEST = max(_SINCE.values())
"""The latest draft."""

_OF_LEAVES = frozenset({*ASSERTIONS, "title", "description", "default", "examples"})
"""What applies no other schema."""

_REFERENCES = frozenset({"$ref", "$dynamicRef", "$recursiveRef"})
_BRANCHES = frozenset({"allOf", "anyOf", "oneOf", "not", "if"})
_EMPTY = frozenset({"minLength", "minItems", "minProperties"})


@dataclass(slots=True, eq=False)
class Sight:
    """What a look at one schema needs, made once for each schema.

    Args:
        schema: the keywords that its draft knows; None where it is no object.
        asserted: those of them that look at the value itself.
        lonely: it is a reference beside which nothing counts.
        refers: it refers to another schema.
        branches: it applies schemas of its own to the same value.
        leaf: it applies no other schema.
    """

    schema: JsonObject | None
    asserted: JsonObject
    lonely: bool = False
    refers: bool = False
    branches: bool = False
    leaf: bool = False


def sight_of(schema: JsonValue, draft: int) -> Sight:
    """Look at a schema by the rules of a draft: 4, 6, 7, 2019 or 2020."""
    mapping = as_mapping(schema)
    if mapping is None:
        return Sight(None, {})
    if draft <= _LAST_LONELY and "$ref" in mapping:
        return Sight(mapping, {}, lonely=True)
    if draft < LATEST:
        mapping = {key: item for key, item in mapping.items() if _SINCE.get(key, 0) <= draft}
    asserted = {keyword: mapping[keyword] for keyword in ASSERTIONS if keyword in mapping}
    return Sight(
        mapping,
        asserted,
        refers=not _REFERENCES.isdisjoint(mapping),
        branches=not _BRANCHES.isdisjoint(mapping),
        leaf=_OF_LEAVES.issuperset(mapping),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewed:
    """A schema whose refusals are explained, and what is known of it from look to look.

    Args:
        draft: 4, 6, 7, 2019 or 2020.
        asserts: asks jsonschema-rs.
        messages: own words for faults, by pointer of the schema of the place.
        resolver: answers its references.
        sights: of its subschemas, by pointer.
    """

    draft: int
    asserts: Asserts
    messages: Mapping[str, str]
    resolver: Resolver
    sights: dict[str, Sight]


class Visit(ABC):
    """Finds the faults at a pair of schema and place; what other schemas say is a subclass's part.

    Args:
        viewed: the schema.
        most: pairs looked at; `is_cut` says whether there were more.
    """

    def __init__(self, viewed: Viewed, most: int) -> None:
        self.viewed = viewed
        self.is_cut = False
        self._left = most
        self._known: dict[tuple[str, Parts], tuple[Fault, ...]] = {}

    def faults(self, schema: JsonValue, spot: Spot) -> tuple[Fault, ...]:
        """The faults of a value by one schema and all it applies; none means that it fits."""
        key = (spot.where, spot.parts)
        known = self._known.get(key)
        if known is not None:
            return known
        self._known[key] = ()  # references that run in a circle find nothing new here
        if self._left <= 0:
            self.is_cut = True
            return ()
        self._left -= 1
        found = self._look(schema, spot)
        if found:
            self._known[key] = tuple(single(found))
        return self._known[key]

    def fits(self, schema: JsonValue, spot: Spot) -> bool:
        """Whether a value has no fault."""
        return not self.faults(schema, spot)

    @abstractmethod
    def parts(self, schema: JsonObject, spot: Spot) -> Iterator[Fault]:
        """The faults by what a schema says of properties and items."""

    @abstractmethod
    def branches(self, schema: JsonObject, spot: Spot) -> Iterator[Fault]:
        """The faults by the schemas that a schema applies to the same value."""

    def _look(self, schema: JsonValue, spot: Spot) -> list[Fault]:
        sights = self.viewed.sights
        sight = sights.get(spot.where)
        if sight is None:
            sight = sights[spot.where] = sight_of(schema, self.viewed.draft)
        if sight.schema is None:
            return [fault_at(spot, "false", say_plain("false"))] if schema is False else []
        if sight.lonely:
            return list(self._referred(sight.schema, spot))
        found = list(self._referred(sight.schema, spot)) if sight.refers else []
        if sight.asserted:
            found += map(self._in_own_words, unmet(sight.asserted, spot, self.viewed.asserts))
        if not sight.leaf:
            found += self.parts(sight.schema, spot)
        if sight.branches:
            found += self.branches(sight.schema, spot)
        return found

    def _in_own_words(self, fault: Fault) -> Fault:
        words = self.viewed.messages.get(fault.where) if fault.keyword in _EMPTY else None
        return fault if words is None else replace(fault, problem=words)

    def _referred(self, schema: JsonObject, spot: Spot) -> Iterator[Fault]:
        for target, pointer in self.targets(schema):
            yield from self.faults(target, spot._replace(where=pointer))

    def targets(self, schema: JsonObject) -> Iterator[tuple[JsonValue, str]]:
        """The schemas that a schema refers to, with their pointers."""
        for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
            reference = schema.get(keyword)
            target = self.viewed.resolver.find(reference) if isinstance(reference, str) else None
            if target is not None:
                yield target.schema, target.pointer
