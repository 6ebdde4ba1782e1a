"""The faults in the parts of a value: properties, their names, items."""

from collections.abc import Iterator, Sequence

from toolroll.content import JsonObject, JsonValue
from toolroll.schema.evaluation import EvaluatingVisit
from toolroll.schema.fault import Fault
from toolroll.schema.pointer import pointer_of
from toolroll.schema.spot import Spot, fault_at
from toolroll.schema.walk import as_list, as_mapping
from toolroll.schema.wording import keys_taken, say_missing, say_name, say_plain, say_unknown


class PartVisit(EvaluatingVisit):
    """Adds the keywords that look into objects and arrays."""

    def parts(self, schema: JsonObject, spot: Spot) -> Iterator[Fault]:
        """The faults by what a schema says of properties and items."""
        if isinstance(spot.value, dict):
            yield from self._object(schema, spot.value, spot)
        elif isinstance(spot.value, list):
            yield from self._list(schema, spot.value, spot)

    # properties

    def _object(
        self, schema: JsonObject, value: dict[str, JsonValue], spot: Spot
    ) -> Iterator[Fault]:
        if "required" in schema:
            yield from self._missing(schema["required"], value, spot)
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
                    yield from self.faults(wanted, spot.at(pointer_of((keyword, name))))
        for key, where, below in self.named(schema, value):
            declared = where.startswith("/properties/")
            child = spot.below(key, value[key], where, declared=declared)
            yield from self.faults(below, child)
        if "propertyNames" in schema:
            yield from self._names(schema["propertyNames"], value, spot)
        yield from self._others(schema, value, spot)

    def _missing(self, wanted: JsonValue, value: JsonObject, spot: Spot) -> Iterator[Fault]:
        listed = as_list(wanted) or []
        missing = [name for name in listed if isinstance(name, str) and name not in value]
        told: list[str] = []
        for name in missing:
            words = self.viewed.messages.get(spot.where + pointer_of(("properties", name)))
            if words is None:
                told.append(name)
                continue
            at_name = spot._replace(parts=(*spot.parts, name))
            yield fault_at(at_name, "required", words, missing=(name,))
        if told:
            yield fault_at(spot, "required", say_missing(told), missing=tuple(told))

    def _others(
        self, schema: JsonObject, value: dict[str, JsonValue], spot: Spot
    ) -> Iterator[Fault]:
        for keyword in ("additionalProperties", "unevaluatedProperties"):
            if keyword not in schema:
                continue
            if keyword == "additionalProperties":
                known = {key for key, _, _ in self.named(schema, value)}
            else:
                known = self.evaluated_keys(schema, spot, beside_itself=True)
            others = [key for key in value if key not in known]
            if not others:
                continue
            if schema[keyword] is not False:
                for key in others:
                    child = spot.below(key, value[key], f"/{keyword}")
                    yield from self.faults(schema[keyword], child)
                continue
            deep = keyword == "unevaluatedProperties"
            names = self._taken(schema, set()) if deep else keys_taken(schema)
            takes = (tuple(dict.fromkeys(names)),)
            for key in others:
                problem = say_unknown(key, takes)
                yield fault_at(spot, keyword, problem, unknown=key, takes=takes)

    def _names(self, schema: JsonValue, value: dict[str, JsonValue], spot: Spot) -> Iterator[Fault]:
        for key in value:
            at_name = Spot(f"{spot.where}/propertyNames", key, (*spot.parts, "\0name", key))
            for fault in self.faults(schema, at_name)[:1]:
                yield fault_at(spot, "propertyNames", say_name(key, fault.problem))

    def _taken(self, schema: JsonObject, seen: set[int]) -> Iterator[str]:
        """The keys that a schema names anywhere it applies to the same value."""
        if id(schema) in seen:
            return
        seen.add(id(schema))
        yield from keys_taken(schema)
        beside = [target for target, _ in self.targets(schema)]
        for keyword in ("allOf", "anyOf", "oneOf"):
            beside += as_list(schema.get(keyword)) or []
        beside += [schema[keyword] for keyword in ("if", "then", "else") if keyword in schema]
        beside += (as_mapping(schema.get("dependentSchemas")) or {}).values()
        for item in beside:
            mapping = as_mapping(item)
            if mapping is not None:
                yield from self._taken(mapping, seen)

    # items

    def _list(self, schema: JsonObject, value: list[JsonValue], spot: Spot) -> Iterator[Fault]:
        for index, where, below in self.placed(schema, value):
            yield from self.faults(below, spot.below(index, value[index], where))
        if "contains" in schema:
            yield from self._contains(schema, value, spot)
        if "unevaluatedItems" in schema:
            known = self.evaluated_items(schema, spot, beside_itself=True)
            for index in range(len(value)):
                if index in known:
                    continue
                if schema["unevaluatedItems"] is False:
                    yield fault_at(spot, "unevaluatedItems", say_plain("unevaluatedItems"))
                    break  # it is of the whole list
                child = spot.below(index, value[index], "/unevaluatedItems")
                yield from self.faults(schema["unevaluatedItems"], child)

    def _contains(
        self, schema: JsonObject, value: Sequence[JsonValue], spot: Spot
    ) -> Iterator[Fault]:
        count = len(self.matches(schema, value, spot))
        least, most = schema.get("minContains", 1), schema.get("maxContains")
        if isinstance(least, (int, float)) and count < least:
            problem = f"must contain at least {least} valid items"
            yield fault_at(spot, "contains", problem)
        if isinstance(most, (int, float)) and count > most:
            yield fault_at(spot, "maxContains", f"must contain at most {most} valid items")
