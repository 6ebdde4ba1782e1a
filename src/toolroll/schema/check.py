"""Checks of JSON values against JSON Schemas, by jsonschema-rs.

Drafts 2020-12 (the default), 2019-09, 7, 6 and 4 by `$schema`; another one is refused. Nothing is
fetched: a reference that is not answered by the schema itself is an error when the check is made.
Patterns run in an engine of linear time, which takes no look-around and no back-references.
`format` is not asserted unless asked for.

Source: JSON Schema 2020-12 core and validation, and the earlier drafts named.
"""

import re
import weakref
from collections.abc import Mapping
from typing import TYPE_CHECKING, TypedDict, cast
from urllib.parse import quote

from toolroll.content import JsonObject, JsonValue, compact_json
from toolroll.outcome import Issue
from toolroll.schema.error import SchemaError, SchemaTooLarge
from toolroll.schema.explainer import Explainer
from toolroll.schema.fault import Fault, in_order, single, to_issues
from toolroll.schema.limit import DEFAULT_LIMITS, Limits
from toolroll.schema.plain import is_plain, plain_copy
from toolroll.schema.pointer import pointer_of
from toolroll.schema.refs import Resolver, reach, reference_of
from toolroll.schema.walk import Place, places, transform
from toolroll.schema.work import TOO_DEEP, count_work, unfolds_widely

if TYPE_CHECKING:
    import jsonschema_rs

DIALECTS: dict[str, str] = {
    "https://json-schema.org/draft/2020-12/schema": "Draft202012Validator",
    "https://json-schema.org/draft/2019-09/schema": "Draft201909Validator",
    "http://json-schema.org/draft-07/schema": "Draft7Validator",
    "http://json-schema.org/draft-06/schema": "Draft6Validator",
    "http://json-schema.org/draft-04/schema": "Draft4Validator",
}
"""The dialects that are read, by `$schema` without a trailing `#`."""

_WHOLE = "urn:toolroll:whole"
_IN_FRAGMENTS = "/~!$&'()*+,;=:@?-._"

_LONE_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_URI = re.compile(r"(?:[A-Za-z0-9/~!$&'()*+,;=:@?._#\-]|%[0-9A-Fa-f]{2})*")

DEFAULT_DIALECT = "https://json-schema.org/draft/2020-12/schema"


class Check:
    """A schema made ready to check values. Made by `compile_check`; safe to share between threads.

    Example:
        >>> check = compile_check({"type": "integer", "maximum": 3})
        >>> check(2), [issue.problem for issue in check(5)]
        ([], ['must be <= 3'])
    """

    __slots__ = (
        "__weakref__",
        "_assertions",
        "_counts",
        "_explainer",
        "_formats",
        "_validator",
        "limits",
        "messages",
        "schema",
    )

    def __init__(
        self,
        validator: "jsonschema_rs.Validator",
        schema: JsonValue,
        *,
        formats: bool,
        limits: Limits,
        messages: Mapping[str, str],
        counts: bool,
    ) -> None:
        self._validator = validator
        self._counts = counts
        self._formats = formats
        self._explainer: Explainer | None = None
        self._assertions: dict[str, jsonschema_rs.Validator] = {}
        self.schema = schema
        self.limits = limits
        self.messages = messages

    def __call__(self, value: JsonValue) -> list[Issue]:
        """Every fault of a value, in order of place; no fault, no issue."""
        if self.accepts(value):
            return []
        return list(to_issues(self.faults(value), self.limits.issues))

    def accepts(self, value: JsonValue) -> bool:
        """Whether the value holds; True only for plain JSON (`dict`, `list`, finite numbers)."""
        if not is_plain(value, self.limits.value_depth):
            return False
        return not (self._counts and self._is_too_much(value)) and self._validator.is_valid(value)

    def faults(self, value: JsonValue) -> list[Fault]:
        """Every fault of a value, in order of place."""
        plain = value
        if not is_plain(value, self.limits.value_depth):
            plain, faults = plain_copy(value, self.limits.value_depth)
            if faults:
                return single(in_order(faults, value))
        if self._counts and self._is_too_much(plain):
            return [TOO_DEEP]
        if self._validator.is_valid(plain):
            return []
        if self._explainer is None:
            self._explainer = Explainer(
                self.schema, _draft_of(self.schema), self._asserts, self.messages
            )
        found = self._explainer.explain(plain, self.limits.explained)
        return single(in_order(found, value)) or [_NO_WORDS]

    def _is_too_much(self, value: JsonValue) -> bool:
        most = self.limits.checked
        return count_work(cast("JsonObject", self.schema), value, most, tagged=False) > most

    def _asserts(self, assertions: JsonObject, value: JsonValue, key: str) -> bool:
        known = self._assertions.get(key)
        if known is None:
            if len(self._assertions) >= _MOST_ASSERTIONS:
                self._assertions.clear()
            schema = {"$schema": dialect_of(self.schema), **assertions}
            known = _validator(schema, self.limits, formats=self._formats)
            self._assertions[key] = known
        return known.is_valid(value)


_NO_WORDS = Fault(parts=(), keyword="", problem="must be valid")
_MOST_ASSERTIONS = 1_000


def compile_check(
    schema: JsonValue,
    *,
    formats: bool = False,
    messages: Mapping[str, str] | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Check:
    """Make a schema ready to check values.

    Equal schemas share one check for as long as one is in use.

    Args:
        schema: a JSON Schema: a mapping, or `True` or `False`. It is copied, so later changes of
            it have no effect.
        formats: assert `format` too.
        messages: what to say of a fault instead, by pointer of the schema of the place that is at
            fault (or missing), e.g. `{"/properties/text": "note_write needs text"}`.
        limits: how large schema and values may be.

    Returns:
        A function from a value to its issues.

    Raises:
        SchemaError: the schema is no valid schema of its dialect, its dialect is not read, a
            reference leads nowhere or outside, or a pattern is none that runs in linear time.
        SchemaTooLarge: it is larger than the limits.

    Example:
        >>> check = compile_check({"type": "object", "required": ["a"]})
        >>> [(issue.pointer, issue.missing) for issue in check({})]
        [('', ('a',))]
    """
    plain, faults = plain_copy(schema, limits.schema_depth * 2 + 16)
    if faults:
        pointer = pointer_of(faults[0].parts)
        raise SchemaError(f"schema at {pointer or '/'}: {faults[0].problem}.", pointer=pointer)
    if not isinstance(plain, (dict, bool)):
        raise SchemaError(f"a schema must be an object, got {compact_json(plain)[:80]}.")
    return check_of_plain(plain, formats=formats, messages=messages, limits=limits)


def check_of_plain(
    schema: "dict[str, JsonValue] | bool",
    *,
    formats: bool = False,
    messages: Mapping[str, str] | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Check:
    """As `compile_check`, for a schema that is plain JSON and that nobody changes later.

    Raises:
        SchemaError, SchemaTooLarge: as `compile_check`.
    """
    text = compact_json(schema)
    key = (text, formats, limits, f"{messages}" if messages else "")
    known = _CHECKS.get(key)
    if known is None:
        usable, counts = schema, False
        if not _is_small(text, limits):
            usable, counts = _prepared(schema, limits)
        validator = _validator(usable, limits, formats=formats)
        known = Check(
            validator,
            schema,
            formats=formats,
            limits=limits,
            messages=messages or {},
            counts=counts,
        )
        _CHECKS[key] = known
    return known


_CHECKS: "weakref.WeakValueDictionary[tuple[str, bool, Limits, str], Check]" = (
    weakref.WeakValueDictionary()
)


def has_references(text: str) -> bool:
    """Whether the text of a schema may hold a reference; a name or a value may look like one.

    Example:
        >>> has_references('{"$ref":"#"}'), has_references('{"type":"string"}')
        (True, False)
    """
    return '"$ref":' in text or '"$dynamicRef":' in text


def _is_small(text: str, limits: Limits) -> bool:
    """Whether a schema without references has too few brackets to be beyond any limit."""
    most = min(limits.schema_depth, limits.schema_places)
    many = text.count("{") + text.count("[") + text.count("true") + text.count("false")
    return many < most and not has_references(text)


def _draft_of(schema: JsonValue) -> int:
    """The draft of a schema as a number: 4, 6, 7, 2019, 2020."""
    name = DIALECTS.get(dialect_of(schema), DIALECTS[DEFAULT_DIALECT])
    return int(name.removeprefix("Draft").removesuffix("Validator")[:4])


def dialect_of(schema: JsonValue) -> str:
    """The dialect a schema names, without a trailing `#`; 2020-12 where it names none.

    Example:
        >>> dialect_of({"$schema": "http://json-schema.org/draft-07/schema#"})
        'http://json-schema.org/draft-07/schema'
    """
    named = schema.get("$schema") if isinstance(schema, Mapping) else None
    return named.removesuffix("#") if isinstance(named, str) else DEFAULT_DIALECT


def compile_part(schema: JsonObject, pointer: str, *, limits: Limits = DEFAULT_LIMITS) -> Check:
    """Make one subschema ready to check values; its references still lead into the whole.

    Raises:
        SchemaError: as `compile_check`.

    Example:
        >>> schema = {"$defs": {"n": {"minimum": 1}}, "items": {"$ref": "#/$defs/n"}}
        >>> compile_part(schema, "/items").accepts(3), compile_part(schema, "/items").accepts(0)
        (True, False)
    """
    dialect = dialect_of(schema)
    id_word = "id" if dialect.endswith("draft-04/schema") else "$id"
    store = "$defs" if "/draft/20" in dialect else "definitions"
    own = schema.get(id_word)
    base = own.partition("#")[0] if isinstance(own, str) and own.partition("#")[0] else _WHOLE
    whole: JsonObject = {key: value for key, value in schema.items() if key != "$schema"}
    return compile_check(
        {
            "$schema": dialect,
            "$ref": f"{base}#{quote(pointer, safe=_IN_FRAGMENTS)}",
            store: {"whole": {**whole, id_word: base}},
        },
        limits=limits,
    )


def _prepared(
    schema: "dict[str, JsonValue] | bool", limits: Limits
) -> "tuple[dict[str, JsonValue] | bool, bool]":
    """The schema with references such as `#/$defs/Page<Note>` written as URIs, and whether the work
    of a check has to be counted.

    Raises:
        SchemaTooLarge: it is beyond the limits, with its references followed.
    """
    references = [
        reference
        for place in places(schema, limits=limits)
        if (reference := reference_of(place.schema)) is not None
    ]
    if not references:
        return schema, False
    whole = cast("JsonObject", schema)
    if reach(whole, limits=limits) > limits.schema_depth:
        raise SchemaTooLarge(
            f"schema too large: more than {limits.schema_depth} levels deep with its references "
            "followed; make it flatter."
        )
    counts = unfolds_widely(whole, limits)
    if all(map(_URI.fullmatch, references)):
        return schema, counts
    return cast("dict[str, JsonValue]", transform(schema, _with_uri, limits=limits)), counts


def _with_uri(schema: dict[str, JsonValue], _: Place) -> JsonValue:
    for keyword in ("$ref", "$dynamicRef"):
        reference = schema.get(keyword)
        if isinstance(reference, str):
            whole = _LONE_PERCENT.sub("%25", reference)
            schema[keyword] = quote(whole, safe=f"#%{_IN_FRAGMENTS}")
    return schema


def _validator(
    schema: "dict[str, JsonValue] | bool", limits: Limits, *, formats: bool
) -> "jsonschema_rs.Validator":
    import jsonschema_rs  # noqa: PLC0415 - 17 ms that a program without checks does not pay

    dialect = dialect_of(schema)
    name = DIALECTS.get(dialect) or DIALECTS.get(dialect.replace("https:", "http:", 1))
    if name is None:
        raise SchemaError(
            f"schema dialect {dialect!r} is not read here; write one of {', '.join(DIALECTS)}.",
            pointer="/$schema",
        )
    make = cast("type[jsonschema_rs.Validator]", getattr(jsonschema_rs, name))
    try:
        return make(schema, **_options(limits, formats=formats))
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError) as error:
        raise _refusal(error, schema) from error


class _Options(TypedDict):
    validate_formats: bool
    offline: bool
    pattern_options: "jsonschema_rs.RegexOptions"


def _options(limits: Limits, *, formats: bool) -> _Options:
    import jsonschema_rs  # noqa: PLC0415

    size = limits.pattern_bytes
    return {
        "validate_formats": formats,
        "offline": True,
        "pattern_options": jsonschema_rs.RegexOptions(size_limit=size, dfa_size_limit=size),
    }


def _refusal(error: Exception, schema: "dict[str, JsonValue] | bool") -> SchemaError:
    import jsonschema_rs  # noqa: PLC0415

    if not isinstance(error, jsonschema_rs.ValidationError):
        return _unanswered(schema) or SchemaError(f"schema cannot be used: {error}.")
    pointer = pointer_of(error.instance_path)
    if (
        isinstance(error.kind, jsonschema_rs.ValidationErrorKind.Format)
        and error.kind.format == "regex"
    ):
        return SchemaError(
            f"schema at {pointer}: {error.instance!r} is no regular expression that runs in linear "
            "time; write it without look-around, back-references and huge repetition.",
            pointer=pointer,
        )
    if not pointer and (unanswered := _unanswered(schema)) is not None:
        return unanswered
    message = error.message.splitlines()[0]
    return SchemaError(f"schema at {pointer or '/'}: {message}.", pointer=pointer)


def _unanswered(schema: "dict[str, JsonValue] | bool") -> SchemaError | None:
    """Which reference leads nowhere, or outside: the first one that the schema does not answer."""
    resolver = Resolver(cast("JsonObject", schema))
    for place in places(schema):
        reference = reference_of(place.schema)
        if reference is not None and resolver.find(reference) is None:
            return SchemaError(
                f"schema at {place.pointer or '/'}: {reference!r} is not in this schema, and "
                "nothing is fetched; put what it means under '$defs' and refer to that.",
                pointer=place.pointer,
            )
    return None
