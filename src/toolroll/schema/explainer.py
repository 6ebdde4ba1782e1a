"""Why a value does not fit a schema: every fault, in time that grows with schema and value only.

The verdict is jsonschema-rs's alone (`Check.accepts`). What it reports of a refusal grows without
bound where unions recur, so the faults are looked for here: keywords that apply other schemas are
followed one by one, each pair of schema and place once; assertions are asked of jsonschema-rs.

Source: JSON Schema 2020-12 core §10, §11; drafts 2019-09, 7, 6 and 4 where they differ.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from toolroll.content import JsonObject, JsonValue
from toolroll.schema.assertion import ASSERTIONS, Asserts, unmet
from toolroll.schema.fault import Fault, Parts, faults_of_union, single
from toolroll.schema.pointer import pointer_of
from toolroll.schema.refs import Resolver
from toolroll.schema.walk import as_list, as_mapping
from toolroll.schema.wording import keys_taken, say_missing, say_name, say_plain, say_unknown

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

_OF_LEAVES = frozenset({*ASSERTIONS, "title", "description", "default", "examples"})
"""What applies no other schema."""

_EMPTY = frozenset({"minLength", "minItems", "minProperties"})


@dataclass(frozen=True, slots=True)
class Spot:
    """A value and where the schema it is held against stands.

    Args:
        where: pointer of the schema.
        value: the value.
        parts: its path in the input.
        declared: it is a property that its object's schema names.
    """

    where: str
    value: JsonValue
    parts: Parts
    declared: bool = False

    def at(self, *steps: str | int) -> "Spot":
        """A schema further in, for the same value."""
        return replace(self, where=self.where + pointer_of(steps))

    def below(
        self, key: str | int, value: JsonValue, *steps: str | int, declared: bool = False
    ) -> "Spot":
        """A schema further in, for a property or an item of the value."""
        return Spot(self.where + pointer_of(steps), value, (*self.parts, key), declared)


class Explainer:
    """Explains the refusals of one schema.

    Args:
        schema: the whole schema, as plain JSON.
        draft: 4, 6, 7, 2019 or 2020.
        asserts: asks jsonschema-rs.
        messages: own words for faults, by pointer of the schema of the place.
    """

    def __init__(
        self, schema: JsonValue, draft: int, asserts: Asserts, messages: Mapping[str, str]
    ) -> None:
        self.schema = schema
        self.draft = draft
        self.asserts = asserts
        self.messages = messages
        self.resolver = Resolver(as_mapping(schema) or {})

    def explain(self, value: JsonValue, most: int) -> list[Fault]:
        """Every fault of a value that was refused; empty where none can be named.

        Args:
            value: the value, as plain JSON.
            most: pairs of schema and place looked at; faults beyond are not found, and where no
                other is, that is said.
        """
        visit = _Visit(self, most)
        try:
            found = list(visit.faults(self.schema, Spot("", value, ())))
            return found or ([_too_much(most)] if visit.is_cut else [])
        except RecursionError:
            return []  # schema and value go deeper together than Python does


def _too_much(most: int) -> Fault:
    problem = (
        f"is too large to be explained whole: the first {most} places looked at "
        "(Limits.explained) hold no fault; send less at once"
    )
    return Fault(parts=(), keyword="", problem=problem)


class _Visit:
    """One look at one value: what was found at each pair of schema and place."""

    def __init__(self, explainer: Explainer, most: int) -> None:
        self._draft = explainer.draft
        self._asserts = explainer.asserts
        self._messages = explainer.messages
        self._resolver = explainer.resolver
        self._left = most
        self.is_cut = False
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
        found = self._known[key] = tuple(single(list(self._look(schema, spot))))
        return found

    def _fits(self, schema: JsonValue, spot: Spot) -> bool:
        return not self.faults(schema, spot)

    def _look(self, schema: JsonValue, spot: Spot) -> Iterator[Fault]:
        mapping = as_mapping(schema)
        if mapping is None:
            if schema is False:
                yield self._fault(spot, "false", say_plain("false"))
            return
        if self._draft <= _LAST_LONELY and "$ref" in mapping:
            yield from self._referred(mapping, spot)
            return
        mapping = self._current(mapping)
        is_leaf = _OF_LEAVES.issuperset(mapping)  # most places are: nothing else to look at
        if not is_leaf:
            yield from self._referred(mapping, spot)
        for fault in unmet(
            mapping, spot.value, spot.parts, spot.where, self._asserts, declared=spot.declared
        ):
            yield self._in_own_words(fault)
        if is_leaf:
            return
        if isinstance(spot.value, dict):
            yield from self._object(mapping, spot.value, spot)
        elif isinstance(spot.value, list):
            yield from self._list(mapping, spot.value, spot)
        yield from self._in_place(mapping, spot)

    def _current(self, schema: JsonObject) -> JsonObject:
        """A schema without the keywords that its draft does not know."""
        if self._draft >= max(_SINCE.values()):
            return schema
        return {key: item for key, item in schema.items() if _SINCE.get(key, 0) <= self._draft}

    def _fault(self, spot: Spot, keyword: str, problem: str) -> Fault:
        return Fault(
            parts=spot.parts,
            keyword=keyword,
            problem=problem,
            where=spot.where,
            declared=spot.declared,
        )

    def _in_own_words(self, fault: Fault) -> Fault:
        words = self._messages.get(fault.where) if fault.keyword in _EMPTY else None
        return fault if words is None else replace(fault, problem=words)

    def _referred(self, schema: JsonObject, spot: Spot) -> Iterator[Fault]:
        for target, pointer in self._targets(schema):
            yield from self.faults(target, replace(spot, where=pointer))

    def _targets(self, schema: JsonObject) -> Iterator[tuple[JsonValue, str]]:
        for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
            reference = schema.get(keyword)
            target = self._resolver.find(reference) if isinstance(reference, str) else None
            if target is not None:
                yield target.schema, target.pointer

    # applied to the same value

    def _in_place(self, schema: JsonObject, spot: Spot) -> Iterator[Fault]:
        for index, part in enumerate(as_list(schema.get("allOf")) or []):
            yield from self.faults(part, spot.at("allOf", index))
        yield from self._union(schema, "anyOf", spot)
        yield from self._union(schema, "oneOf", spot)
        if "not" in schema and self._fits(schema["not"], spot.at("not")):
            yield self._fault(spot, "not", say_plain("not"))
        if "if" in schema:
            branch = "then" if self._fits(schema["if"], spot.at("if")) else "else"
            yield from self.faults(schema.get(branch, True), spot.at(branch))

    def _union(self, schema: JsonObject, keyword: str, spot: Spot) -> Iterator[Fault]:
        branches = as_list(schema.get(keyword))
        if branches is None:
            return
        found = [self.faults(part, spot.at(keyword, i)) for i, part in enumerate(branches)]
        fitting = sum(1 for faults in found if not faults)
        if not fitting:
            whole = self._fault(spot, keyword, say_plain(keyword))
            yield from faults_of_union(spot.parts, found, whole)
        elif fitting > 1 and keyword == "oneOf":
            yield self._fault(spot, keyword, say_plain(keyword))

    # applied to properties

    def _object(
        self, schema: JsonObject, value: dict[str, JsonValue], spot: Spot
    ) -> Iterator[Fault]:
        yield from self._missing(schema.get("required"), value, spot)
        for name, wanted in (as_mapping(schema.get("dependentRequired")) or {}).items():
            if name in value:
                yield from self._missing(wanted, value, spot)
        for keyword in ("dependentSchemas", "dependencies"):
            for name, wanted in (as_mapping(schema.get(keyword)) or {}).items():
                if name not in value:
                    continue
                if isinstance(wanted, list):
                    yield from self._missing(wanted, value, spot)
                else:
                    yield from self.faults(wanted, spot.at(keyword, name))
        for key, where, below in self._named(schema, value):
            declared = where[0] == "properties"
            child = spot.below(key, value[key], *where, declared=declared)
            yield from self.faults(below, child)
        if "propertyNames" in schema:
            yield from self._names(schema["propertyNames"], value, spot)
        yield from self._others(schema, value, spot)

    def _missing(self, wanted: JsonValue, value: JsonObject, spot: Spot) -> Iterator[Fault]:
        listed = as_list(wanted) or []
        missing = [name for name in listed if isinstance(name, str) and name not in value]
        told: list[str] = []
        for name in missing:
            words = self._messages.get(spot.where + pointer_of(("properties", name)))
            if words is None:
                told.append(name)
                continue
            at_name = replace(spot, parts=(*spot.parts, name))
            yield replace(self._fault(at_name, "required", words), missing=(name,))
        if told:
            fault = self._fault(spot, "required", say_missing(told))
            yield replace(fault, missing=tuple(told))

    def _named(
        self, schema: JsonObject, value: JsonObject
    ) -> Iterator[tuple[str, tuple[str, str], JsonValue]]:
        """Keys of a value that the schema names or matches: key, where below the schema, schema."""
        named = as_mapping(schema.get("properties")) or {}
        for key in value:
            if key in named:
                yield key, ("properties", key), named[key]
        for pattern, below in (as_mapping(schema.get("patternProperties")) or {}).items():
            for key in value:
                if self._asserts({"pattern": pattern}, key, f"key {pattern}"):
                    yield key, ("patternProperties", pattern), below

    def _others(
        self, schema: JsonObject, value: dict[str, JsonValue], spot: Spot
    ) -> Iterator[Fault]:
        for keyword in ("additionalProperties", "unevaluatedProperties"):
            if keyword not in schema:
                continue
            if keyword == "additionalProperties":
                known = {key for key, _, _ in self._named(schema, value)}
            else:
                known = self._evaluated_keys(schema, spot, beside_itself=True)
            others = [key for key in value if key not in known]
            if schema[keyword] is not False:
                for key in others:
                    yield from self.faults(schema[keyword], spot.below(key, value[key], keyword))
                continue
            deep = keyword == "unevaluatedProperties"
            names = self._taken(schema, set()) if deep else keys_taken(schema)
            takes = (tuple(dict.fromkeys(names)),)
            for key in others:
                fault = self._fault(spot, keyword, say_unknown(key, takes))
                yield replace(fault, unknown=key, takes=takes)

    def _names(self, schema: JsonValue, value: dict[str, JsonValue], spot: Spot) -> Iterator[Fault]:
        for key in value:
            at_name = Spot(f"{spot.where}/propertyNames", key, (*spot.parts, "\0name", key))
            for fault in self.faults(schema, at_name)[:1]:
                yield self._fault(spot, "propertyNames", say_name(key, fault.problem))

    def _taken(self, schema: JsonObject, seen: set[int]) -> Iterator[str]:
        """The keys that a schema names anywhere it applies to the same value."""
        if id(schema) in seen:
            return
        seen.add(id(schema))
        yield from keys_taken(schema)
        beside = [target for target, _ in self._targets(schema)]
        for keyword in ("allOf", "anyOf", "oneOf"):
            beside += as_list(schema.get(keyword)) or []
        beside += [schema[keyword] for keyword in ("if", "then", "else") if keyword in schema]
        beside += (as_mapping(schema.get("dependentSchemas")) or {}).values()
        for item in beside:
            mapping = as_mapping(item)
            if mapping is not None:
                yield from self._taken(mapping, seen)

    # applied to items

    def _list(self, schema: JsonObject, value: list[JsonValue], spot: Spot) -> Iterator[Fault]:
        for index, where, below in self._placed(schema, value):
            yield from self.faults(below, spot.below(index, value[index], *where))
        if "contains" in schema:
            yield from self._contains(schema, value, spot)
        if "unevaluatedItems" in schema:
            known = self._evaluated_items(schema, spot, beside_itself=True)
            for index in range(len(value)):
                if index in known:
                    continue
                child = spot.below(index, value[index], "unevaluatedItems")
                if schema["unevaluatedItems"] is False:
                    yield self._fault(spot, "unevaluatedItems", say_plain("unevaluatedItems"))
                else:
                    yield from self.faults(schema["unevaluatedItems"], child)

    def _placed(
        self, schema: JsonObject, value: Sequence[JsonValue]
    ) -> Iterator[tuple[int, tuple[str | int, ...], JsonValue]]:
        """Items that a schema places: index, where below the schema, schema."""
        keyword, rest = "prefixItems", "items"
        prefix = as_list(schema.get("prefixItems"))
        if prefix is None and isinstance(schema.get("items"), list):
            keyword, rest = "items", "additionalItems"
            prefix = as_list(schema["items"])
        prefix = prefix or []
        for index in range(len(value)):
            if index < len(prefix):
                yield index, (keyword, index), prefix[index]
            elif rest in schema:
                yield index, (rest,), schema[rest]

    def _matches(self, schema: JsonObject, value: Sequence[JsonValue], spot: Spot) -> list[int]:
        return [
            index
            for index, item in enumerate(value)
            if self._fits(schema["contains"], spot.below(index, item, "contains"))
        ]

    def _contains(
        self, schema: JsonObject, value: Sequence[JsonValue], spot: Spot
    ) -> Iterator[Fault]:
        count = len(self._matches(schema, value, spot))
        least, most = schema.get("minContains", 1), schema.get("maxContains")
        if isinstance(least, (int, float)) and count < least:
            problem = f"must contain at least {least} valid items"
            yield self._fault(spot, "contains", problem)
        if isinstance(most, (int, float)) and count > most:
            yield self._fault(spot, "maxContains", f"must contain at most {most} valid items")

    # what other keywords have looked at already

    def _evaluated_keys(
        self, schema: JsonValue, spot: Spot, *, beside_itself: bool = False
    ) -> set[str]:
        mapping, value = as_mapping(schema), as_mapping(spot.value)
        if mapping is None or value is None:
            return set()
        if "additionalProperties" in mapping or (
            "unevaluatedProperties" in mapping and not beside_itself
        ):
            return set(value)
        known = {key for key, _, _ in self._named(mapping, value)}
        for below, at_below in self._applied(mapping, spot):
            known |= self._evaluated_keys(below, at_below)
        return known

    def _evaluated_items(
        self, schema: JsonValue, spot: Spot, *, beside_itself: bool = False
    ) -> set[int]:
        mapping, value = as_mapping(schema), as_list(spot.value)
        if mapping is None or value is None:
            return set()
        if "unevaluatedItems" in mapping and not beside_itself:
            return set(range(len(value)))
        known = {index for index, _, _ in self._placed(mapping, value)}
        if "contains" in mapping and self._draft >= max(_SINCE.values()):
            known.update(self._matches(mapping, value, spot))
        for below, at_below in self._applied(mapping, spot):
            known |= self._evaluated_items(below, at_below)
        return known

    def _applied(self, schema: JsonObject, spot: Spot) -> Iterator[tuple[JsonValue, Spot]]:
        """The schemas in place of this one that the value fits."""
        found = [(target, replace(spot, where=where)) for target, where in self._targets(schema)]
        for keyword in ("allOf", "anyOf", "oneOf"):
            branches = as_list(schema.get(keyword)) or []
            found += [(part, spot.at(keyword, index)) for index, part in enumerate(branches)]
        for name, part in (as_mapping(schema.get("dependentSchemas")) or {}).items():
            if isinstance(spot.value, dict) and name in spot.value:
                found.append((part, spot.at("dependentSchemas", name)))
        if "if" in schema:
            holds = self._fits(schema["if"], spot.at("if"))
            found += [(schema["if"], spot.at("if"))] if holds else []
            branch = "then" if holds else "else"
            found.append((schema.get(branch, True), spot.at(branch)))
        for below, at_below in found:
            if self._fits(below, at_below):
                yield below, at_below
