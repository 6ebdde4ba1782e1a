"""What jsonschema-rs reports, read as faults.

Imported at the first fault only, like jsonschema-rs itself.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from jsonschema_rs import ValidationError, ValidationErrorKind

from toolroll.content import JsonObject, JsonValue, compact_json
from toolroll.schema.fault import Fault, Parts, faults_of_union, value_at
from toolroll.schema.pointer import pointer_of
from toolroll.schema.refs import Resolver, reference_of
from toolroll.schema.walk import as_list, as_mapping
from toolroll.schema.wording import (
    keys_taken,
    say_bound,
    say_choices,
    say_format,
    say_missing,
    say_pattern,
    say_plain,
    say_types,
    say_unknown,
)

_BOUNDS = {
    ValidationErrorKind.MaxItems: "maxItems",
    ValidationErrorKind.MaxLength: "maxLength",
    ValidationErrorKind.MaxProperties: "maxProperties",
    ValidationErrorKind.MinItems: "minItems",
    ValidationErrorKind.MinLength: "minLength",
    ValidationErrorKind.MinProperties: "minProperties",
    ValidationErrorKind.Maximum: "maximum",
    ValidationErrorKind.Minimum: "minimum",
    ValidationErrorKind.ExclusiveMaximum: "exclusiveMaximum",
    ValidationErrorKind.ExclusiveMinimum: "exclusiveMinimum",
}
_EMPTY = frozenset({"minLength", "minItems", "minProperties"})
_SAME_PLACE = frozenset({"$ref", "$dynamicRef", "if", "then", "else", "not"})
_LISTED = frozenset({"allOf", "anyOf", "oneOf"})
_NAMED = frozenset({"dependentSchemas", "dependencies"})


def read_faults(
    errors: Iterable[ValidationError],
    value: JsonValue,
    schema: JsonValue,
    messages: Mapping[str, str],
) -> list[Fault]:
    """Read the errors of one value as faults, in the order they come.

    Args:
        errors: what `iter_errors` gave for the value.
        value: the value.
        schema: the schema, as it was compiled.
        messages: own words for faults, by pointer of the schema of the place (see `compile_check`).
    """
    return _Reader(schema, messages, value).read(errors)


class _Reader:
    def __init__(self, schema: JsonValue, messages: Mapping[str, str], value: JsonValue) -> None:
        root = as_mapping(schema)
        self._root: JsonObject = root if root is not None else {}
        self._resolver = Resolver(self._root)
        self._messages = messages
        self._value = value

    def read(self, errors: Iterable[ValidationError]) -> list[Fault]:
        """All faults; the names an object lacks stand in one fault."""
        faults: list[Fault] = []
        lacking: dict[tuple[Parts, str], int] = {}
        for error in errors:
            for fault in self._faults(error):
                slot = lacking.get((fault.parts, fault.where)) if fault.missing else None
                if slot is not None:
                    missing = (*faults[slot].missing, *fault.missing)
                    faults[slot] = replace(
                        faults[slot], missing=missing, problem=say_missing(missing)
                    )
                    continue
                if fault.missing:
                    lacking[fault.parts, fault.where] = len(faults)
                faults.append(fault)
        return faults

    def _faults(self, error: ValidationError) -> list[Fault]:
        spot = _Spot.of(error)
        match error.kind:
            case (
                ValidationErrorKind.AnyOf(context=context)
                | ValidationErrorKind.OneOfNotValid(context=context)
            ):
                branches = [self.read(branch) for branch in context]
                return faults_of_union(spot.parts, branches, spot.fault(say_plain(spot.keyword)))
            case (
                ValidationErrorKind.AdditionalProperties(unexpected=keys)
                | ValidationErrorKind.UnevaluatedProperties(unexpected=keys)
            ):
                return self._unknown(spot, keys)
            case ValidationErrorKind.Required(property=name):
                return [self._own_words(self._missing(spot, name))]
            case ValidationErrorKind.FalseSchema() if spot.where.endswith("/additionalProperties"):
                return self._nothing_taken(spot)
            case ValidationErrorKind.Type(types=types):
                wanted = tuple(self._types(spot, types))
                return [replace(spot.fault(say_types(wanted)), types=wanted)]
            case ValidationErrorKind.Contains():
                return [spot.fault(self._contains(spot))]
            case _:
                return [self._own_words(_simple(spot, error))]

    def _types(self, spot: "_Spot", types: Sequence[str]) -> Sequence[str]:
        """The wanted types in the order the schema writes them."""
        found = self._resolver.at(spot.where)
        written = as_mapping(found.schema) if found is not None else None
        listed = as_list(written.get("type")) if written is not None else None
        return types if listed is None else [name for name in listed if isinstance(name, str)]

    def _contains(self, spot: "_Spot") -> str:
        found = self._resolver.at(spot.where)
        schema = as_mapping(found.schema) if found is not None else None
        most, least = (schema or {}).get("maxContains"), (schema or {}).get("minContains", 1)
        if spot.keyword == "maxContains":
            return f"must contain at most {most} valid items"
        return f"must contain at least {least} valid items"

    def _unknown(self, spot: "_Spot", keys: Sequence[str]) -> list[Fault]:
        deep = spot.keyword == "unevaluatedProperties"
        takes = (tuple(self._taken(spot.where, deep=deep)),)
        return [
            replace(spot.fault(say_unknown(key, takes)), unknown=key, takes=takes) for key in keys
        ]

    def _nothing_taken(self, spot: "_Spot") -> list[Fault]:
        """`additionalProperties: false` alone is reported as a false schema, once for the whole object."""
        whole = as_mapping(value_at(self._value, spot.parts))
        holder = spot.where.rpartition("/")[0]
        is_name = holder.endswith("/properties") and spot.parts[-1:] == ("additionalProperties",)
        if whole is None or is_name:
            return [spot.fault(say_plain("false"))]
        return self._unknown(
            replace(spot, keyword="additionalProperties", where=holder), list(whole)
        )

    def _taken(self, where: str, *, deep: bool) -> list[str]:
        found = self._resolver.at(where)
        schema = as_mapping(found.schema) if found is not None else None
        if schema is None:
            return []
        if not deep:
            return keys_taken(schema)
        return list(dict.fromkeys(self._taken_deep(schema, set())))

    def _taken_deep(self, schema: JsonObject, seen: set[int]) -> Iterable[str]:
        if id(schema) in seen:
            return
        seen.add(id(schema))
        yield from keys_taken(schema)
        target = self._resolver.find(reference_of(schema))
        beside: list[JsonValue] = [target.schema] if target is not None else []
        for keyword in ("allOf", "anyOf", "oneOf"):
            beside += as_list(schema.get(keyword)) or []
        beside += [schema[keyword] for keyword in ("if", "then", "else") if keyword in schema]
        for item in beside:
            mapping = as_mapping(item)
            if mapping is not None:
                yield from self._taken_deep(mapping, seen)

    def _missing(self, spot: "_Spot", name: str) -> Fault:
        return replace(spot.fault(say_missing([name])), keyword="required", missing=(name,))

    def _own_words(self, fault: Fault) -> Fault:
        if not self._messages:
            return fault
        if not fault.missing:
            words = self._messages.get(fault.where) if fault.keyword in _EMPTY else None
            return fault if words is None else replace(fault, problem=words)
        (name,) = fault.missing
        words = self._messages.get(f"{fault.where}{pointer_of(('properties', name))}")
        return fault if words is None else replace(fault, parts=(*fault.parts, name), problem=words)


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where an error stands, in the value and in the schema."""

    parts: Parts
    keyword: str
    where: str
    declared: bool

    @staticmethod
    def of(error: ValidationError) -> "_Spot":
        path = error.schema_path
        false = isinstance(error.kind, ValidationErrorKind.FalseSchema)
        keyword = "false" if false else str(path[-1])
        where = pointer_of(path if false else path[:-1])
        parts = tuple(error.instance_path)
        steps = error.evaluation_path if false else error.evaluation_path[:-1]
        return _Spot(parts, keyword, where, _is_declared(steps, parts))

    def fault(self, problem: str) -> Fault:
        return Fault(
            parts=self.parts,
            keyword=self.keyword,
            problem=problem,
            where=self.where,
            declared=self.declared,
        )


def _is_declared(steps: Sequence[str | int], parts: Parts) -> bool:
    """Whether the schema at the end of an evaluation path stands under its property's own name."""
    end = len(steps)
    while end:
        if (
            end > 1
            and steps[end - 2] == "properties"
            and bool(parts)
            and steps[end - 1] == parts[-1]
        ):
            return True
        if steps[end - 1] in _SAME_PLACE:
            end -= 1
        elif end > 1 and (steps[end - 2] in _LISTED or steps[end - 2] in _NAMED):
            end -= 2
        else:
            return False
    return False


def _simple(spot: _Spot, error: ValidationError) -> Fault:
    kind = error.kind
    bound = _BOUNDS.get(type(kind))
    if bound is not None:
        return replace(
            spot.fault(say_bound(bound, cast("int", getattr(kind, "limit", 0)))), keyword=bound
        )
    match kind:
        case ValidationErrorKind.Type(types=types):
            return replace(spot.fault(say_types(types)), types=tuple(types))
        case ValidationErrorKind.Enum(options=options):
            choices = tuple(cast("list[JsonValue]", options))
            return replace(spot.fault(say_choices(choices)), choices=choices)
        case ValidationErrorKind.Constant(expected_value=value):
            choices = (cast("JsonValue", value),)
            return replace(spot.fault(say_choices(choices)), choices=choices)
        case ValidationErrorKind.MultipleOf(multiple_of=step):
            return spot.fault(say_bound("multipleOf", cast("float", step)))
        case ValidationErrorKind.Pattern(pattern=pattern):
            return spot.fault(say_pattern(pattern))
        case ValidationErrorKind.Format(format=name):
            return spot.fault(say_format(name))
        case ValidationErrorKind.PropertyNames(error=inner):
            fault = _simple(_Spot.of(inner), inner)
            problem = (
                f"property name {compact_json(cast('JsonValue', inner.instance))} {fault.problem}"
            )
            return replace(spot.fault(problem), keyword="propertyNames")
        case _:
            return spot.fault(say_plain(spot.keyword))
