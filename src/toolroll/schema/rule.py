"""What is wrong with a schema before it is ever called: the rules of definition time.

| rule | severity | fault |
| --- | --- | --- |
| `not-a-schema` | error | a class, a function, a model of pydantic 1, ... stands for a schema |
| `root-not-object` | error | the root is no object |
| `invalid-schema` | error | no schema of its dialect, a broken or foreign reference, a bad pattern |
| `too-large` | error | beyond the limits |
| `open-object` | error | an object names properties and takes others too |
| `literal-union` | error | a union whose branches are all constants |
| `unknown-required` | error | `required` names what `properties` does not |
| `unsatisfiable` | error | bounds or an enum that no value can meet |
| `bad-default` | error | a default that its own schema refuses |
| `undescribable` | warning | no single type: a short view cannot show it |
| `optional-min-length` | warning | an optional text that may not be empty |
| `no-description` | warning | a property that says nothing of itself |

For a schema from elsewhere, `open-object`, `literal-union`, `optional-min-length` and `no-description` are
not looked for, and only `not-a-schema` and `root-not-object` are errors.

Source: the tool definition contract, "The two schema rules", "Optional text that may come empty".
"""

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, cast

from toolroll.content import JsonObject, JsonValue, compact_json
from toolroll.schema.check import compile_check, compile_part
from toolroll.schema.error import SchemaError, SchemaTooLarge
from toolroll.schema.limit import DEFAULT_LIMITS, Limits
from toolroll.schema.plain import plain_copy
from toolroll.schema.pointer import pointer_of
from toolroll.schema.refs import Resolver, reference_of
from toolroll.schema.view import slim
from toolroll.schema.walk import Place, as_list, as_mapping, places


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing wrong with a schema.

    Args:
        severity: `error`: the schema cannot be used. `warning`: it can, but a model is served badly.
        rule: the rule that was broken.
        pointer: JSON pointer into the schema; "" is the root.
        fault: what is wrong, without the place.
        mend: what to do.
    """

    severity: Literal["error", "warning"]
    rule: str
    pointer: str
    fault: str
    mend: str

    def __str__(self) -> str:
        return f"at {self.pointer or '/'}: {self.fault}; {self.mend}."

    def to_error(self, tool: str = "") -> SchemaError:
        """The finding as the exception of an authored tool."""
        head = f"{tool}: schema" if tool else "schema"
        return SchemaError(f"{head} {self}", tool=tool, pointer=self.pointer)


def lint(
    schema: object,
    *,
    authored: bool = True,
    allow_open: bool = False,
    limits: Limits = DEFAULT_LIMITS,
) -> list[Finding]:
    """Look a schema through, at every depth.

    Args:
        schema: what was given as an input schema; anything.
        authored: whether it was written for this program; one from elsewhere is judged mildly.
        allow_open: objects may take keys they do not name.
        limits: how large it may be.

    Returns:
        The findings, errors first, then in order of place. No finding, no fault.

    Example:
        >>> [str(finding) for finding in lint({"type": "object", "properties": {"a": {"type": "string"}}})]
        ... # doctest: +NORMALIZE_WHITESPACE
        ['at /: object with named properties takes any other key too, so a misspelt one would pass unnoticed;
          write "additionalProperties": false.',
         "at /properties/a: property 'a' has no description; say what to put there."]
    """
    stranger = _stranger(schema)
    if stranger is not None:
        return [stranger]
    plain, unsound = plain_copy(schema, limits.schema_depth * 2 + 16)
    if unsound:
        pointer = pointer_of(unsound[0].parts)
        return [_error("not-a-schema", pointer, unsound[0].problem, "write plain JSON")]
    root = cast("JsonObject", plain)
    try:
        found = list(_findings(root, limits))
    except SchemaTooLarge as error:
        found = [_error("too-large", error.pointer, str(error).rstrip("."), "describe less")]
    found = [item for item in found if not (allow_open and item.rule == "open-object")]
    if not authored:
        found = [_milder(item) for item in found if item.rule not in _AUTHORS_ONLY]
    return sorted(found, key=lambda item: item.severity)


_AUTHORS_ONLY = frozenset({"open-object", "literal-union", "optional-min-length", "no-description"})
_ALWAYS_ERRORS = frozenset({"not-a-schema", "root-not-object"})
_PARTIAL = frozenset({"not", "if", "then", "else", "dependentSchemas", "dependencies", "contains"})


def _milder(finding: Finding) -> Finding:
    return finding if finding.rule in _ALWAYS_ERRORS else replace(finding, severity="warning")


def _error(rule: str, pointer: str, fault: str, mend: str) -> Finding:
    return Finding(severity="error", rule=rule, pointer=pointer, fault=fault, mend=mend)


def _warning(rule: str, pointer: str, fault: str, mend: str) -> Finding:
    return Finding(severity="warning", rule=rule, pointer=pointer, fault=fault, mend=mend)


def _stranger(schema: object) -> Finding | None:
    """What to say of something that is no mapping: what came, from where, and what to give instead."""
    if isinstance(schema, Mapping):
        return None
    kind = schema if isinstance(schema, type) else type(schema)
    origin = f"{kind.__module__}.{kind.__qualname__}"
    mend = "give a JSON Schema (a mapping)"
    if isinstance(schema, type):
        ancestors = [f"{base.__module__}.{base.__qualname__}" for base in schema.__mro__]
        if any(
            name in ("pydantic.v1.main.BaseModel", "pydantic.main.BaseModel") for name in ancestors
        ):
            old = not hasattr(schema, "model_json_schema")
            which = "model of pydantic 1" if old else "pydantic model"
            mend = (
                "make it a model of pydantic 2, or give its .schema()"
                if old
                else "give it as takes="
            )
            return _error("not-a-schema", "", f"got the {which} {origin} as a schema", mend)
        return _error(
            "not-a-schema",
            "",
            f"got the class {origin} as a schema",
            f"{mend}, or the class as takes=",
        )
    if callable(schema):
        name = f"{getattr(schema, '__module__', '?')}.{getattr(schema, '__qualname__', type(schema).__qualname__)}"
        return _error(
            "not-a-schema",
            "",
            f"got the function {name} as a schema",
            f"{mend}; a function that makes one has to be called",
        )
    return _error(
        "not-a-schema",
        "",
        f"got {inspect.cleandoc(repr(schema))[:60]} ({origin}) as a schema",
        mend,
    )


def _findings(root: JsonObject, limits: Limits) -> Iterator[Finding]:
    for _ in places(root, limits=limits):
        pass
    yield from _root(root)
    invalid = _invalid(root, limits)
    if invalid is not None:
        yield invalid
    scope = _Scope(Resolver(root, limits))
    for place in places(root, limits=limits):
        scope.seen[place.pointer] = place
        mapping = place.mapping
        if mapping is None:
            continue
        for rule in _RULES:
            yield from rule(place, mapping, scope)
        if invalid is None and "default" in mapping:
            yield from _bad_default(root, place, mapping["default"], limits)
    if invalid is None:
        yield from _undescribable(root, limits)


@dataclass(frozen=True, slots=True)
class _Scope:
    """What rules may look at beside the place itself: references, and the places above."""

    resolver: Resolver
    seen: dict[str, Place] = field(default_factory=dict[str, Place])

    def holder(self, place: Place) -> Place:
        """The schema that holds a place."""
        steps = 1 if place.name is None else 2
        return self.seen[place.pointer.rsplit("/", steps)[0]]


def _invalid(root: JsonObject, limits: Limits) -> Finding | None:
    try:
        compile_check(root, limits=limits)
    except SchemaError as error:
        fault = str(error).removeprefix("schema ").removeprefix(f"at {error.pointer or '/'}: ")
        return _error("invalid-schema", error.pointer, fault.rstrip("."), "correct it")
    return None


def _bad_default(
    root: JsonObject, place: Place, default: JsonValue, limits: Limits
) -> Iterator[Finding]:
    if compile_part(root, place.pointer, limits=limits).accepts(default):
        return
    shown = compact_json(default)[:60]
    yield _error(
        "bad-default",
        place.pointer,
        f"the default {shown} does not fit its own schema",
        "change either",
    )


def _root(root: JsonObject) -> Iterator[Finding]:
    kind = root.get("type")
    if kind == "object":
        return
    got = "no type" if kind is None else compact_json(kind)
    yield _error(
        "root-not-object",
        "",
        f"the input must be an object schema, got {got}",
        'write "type": "object"',
    )


def _undescribable(root: JsonObject, limits: Limits) -> Iterator[Finding]:
    if root.get("type") != "object":
        return
    try:
        slim(root, "all", limits=limits)
    except SchemaError as error:
        yield _warning(
            "undescribable",
            error.pointer,
            "has no single type, so a short view cannot show it",
            "give it one type, or list this tool word for word",
        )


def _open_object(place: Place, schema: JsonObject, scope: "_Scope") -> Iterator[Finding]:
    if not schema.get("properties") or not _is_object(schema) or _is_partial(place, scope):
        return
    if schema.get("additionalProperties") is False or schema.get("unevaluatedProperties") is False:
        return
    yield _error(
        "open-object",
        place.pointer,
        "object with named properties takes any other key too, so a misspelt one would pass unnoticed",
        'write "additionalProperties": false',
    )


def _is_object(schema: JsonObject) -> bool:
    kind = schema.get("type", "object")
    return kind == "object" or "object" in (as_list(kind) or [])


def _is_partial(place: Place, scope: "_Scope") -> bool:
    """Whether a schema only adds to another one, so that it cannot be closed by itself."""
    while place.keyword in _PARTIAL or place.keyword == "allOf":
        holder = scope.holder(place)
        if (
            place.keyword in _PARTIAL
            or (holder.mapping or {}).get("unevaluatedProperties") is False
        ):
            return True
        place = holder
    return False


def _literal_union(place: Place, schema: JsonObject, _: "_Scope") -> Iterator[Finding]:
    for keyword in ("anyOf", "oneOf"):
        branches = [as_mapping(item) for item in as_list(schema.get(keyword)) or []]
        if len(branches) > 1 and all(item is not None and "const" in item for item in branches):
            values = compact_json([item["const"] for item in branches if item is not None])
            yield _error(
                "literal-union",
                place.pointer,
                "union of literals is long, and its refusal names only one of them",
                f'write "enum": {values[:200]}',
            )


def _unknown_required(place: Place, schema: JsonObject, _: "_Scope") -> Iterator[Finding]:
    named, required = as_mapping(schema.get("properties")), as_list(schema.get("required"))
    if named is None or required is None or schema.get("additionalProperties") is not False:
        return
    if as_mapping(schema.get("patternProperties")):
        return
    for name in required:
        if isinstance(name, str) and name not in named:
            yield _error(
                "unknown-required",
                place.pointer,
                f"{name!r} is required but no property, so no input can fit",
                "add the property, or take the name out of 'required'",
            )


_PAIRS = (
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
    ("minContains", "maxContains"),
)
_KINDS: dict[str, Callable[[JsonValue], bool]] = {
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "integer": lambda value: (
        isinstance(value, (int, float)) and not isinstance(value, bool) and value == int(value)
    ),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, Mapping),
}


def _unsatisfiable(place: Place, schema: JsonObject, _: "_Scope") -> Iterator[Finding]:
    for low, high in _PAIRS:
        least, most = _number(schema.get(low)), _number(schema.get(high))
        if least is not None and most is not None and least > most:
            yield _error(
                "unsatisfiable",
                place.pointer,
                f"{low} {least} is above {high} {most}",
                "change either",
            )
    above, below = _number(schema.get("exclusiveMinimum")), _number(schema.get("exclusiveMaximum"))
    least, most = _number(schema.get("minimum")), _number(schema.get("maximum"))
    for low, high in ((above, below), (above, most), (least, below)):
        if low is not None and high is not None and low >= high:
            yield _error(
                "unsatisfiable",
                place.pointer,
                f"no number lies between {low} and {high}",
                "change either",
            )
    kinds = schema.get("type")
    names = [kinds] if isinstance(kinds, str) else as_list(kinds)
    choices = [schema["const"]] if "const" in schema else as_list(schema.get("enum"))
    if choices is None or names is None:
        return
    if not any(
        _KINDS[name](value)
        for name in names
        if isinstance(name, str) and name in _KINDS
        for value in choices
    ):
        yield _error(
            "unsatisfiable",
            place.pointer,
            f"none of its values is of type {compact_json(kinds)}",
            "change either",
        )


def _number(value: JsonValue) -> float | None:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _optional_min_length(place: Place, schema: JsonObject, scope: "_Scope") -> Iterator[Finding]:
    required = as_list(schema.get("required")) or []
    for name, item in (as_mapping(schema.get("properties")) or {}).items():
        mapping = _led(item, scope.resolver)
        if mapping is None or name in required or not _number(mapping.get("minLength")):
            continue
        yield _warning(
            "optional-min-length",
            f"{place.pointer}{pointer_of(('properties', name))}",
            f"optional text {name!r} may not be empty, but some hosts fill every field in with an empty text",
            "drop minLength and treat a blank text as absent",
        )


def _no_description(place: Place, schema: JsonObject, scope: "_Scope") -> Iterator[Finding]:
    if place.keyword in _PARTIAL:
        return
    for name, item in (as_mapping(schema.get("properties")) or {}).items():
        own, led = as_mapping(item), _led(item, scope.resolver)
        if (
            own is None
            or led is None
            or own.get("description")
            or led.get("description")
            or "const" in led
        ):
            continue
        yield _warning(
            "no-description",
            f"{place.pointer}{pointer_of(('properties', name))}",
            f"property {name!r} has no description",
            "say what to put there",
        )


def _led(schema: JsonValue, resolver: Resolver) -> JsonObject | None:
    target = resolver.find(reference_of(schema))
    return as_mapping(target.schema if target is not None else schema)


_RULES: tuple[Callable[[Place, JsonObject, _Scope], Iterator[Finding]], ...] = (
    _open_object,
    _literal_union,
    _unknown_required,
    _unsatisfiable,
    _optional_min_length,
    _no_description,
)
