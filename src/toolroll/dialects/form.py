"""What the value of each keyword must look like. One that does not costs the whole request at
providers that check schemas against the standard, so it goes.

Source: JSON Schema 2020-12, meta-schemas of core, applicator, validation and meta-data.
"""

import math
from collections.abc import Callable, Mapping

from toolroll.content import JsonValue
from toolroll.schema.walk import as_list, as_mapping

TYPES = frozenset({"string", "number", "integer", "boolean", "object", "array", "null"})


def is_number(value: JsonValue) -> bool:
    """A finite number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return isinstance(value, int) or math.isfinite(value)


def is_count(value: JsonValue) -> bool:
    """A whole number of at least 0."""
    return (
        is_number(value) and isinstance(value, (int, float)) and value >= 0 and value == int(value)
    )


def _is_positive(value: JsonValue) -> bool:
    return is_number(value) and isinstance(value, (int, float)) and value > 0


def _is_bound(value: JsonValue) -> bool:
    return isinstance(value, bool) or is_number(value)  # true and false in draft 4


def _is_text(value: JsonValue) -> bool:
    return isinstance(value, str)


def _is_flag(value: JsonValue) -> bool:
    return isinstance(value, bool)


def _is_schema(value: JsonValue) -> bool:
    return isinstance(value, bool) or as_mapping(value) is not None


def _is_schema_or_list(value: JsonValue) -> bool:
    return _is_schema(value) or isinstance(value, (list, tuple))


def _is_filled(value: JsonValue) -> bool:
    return bool(as_list(value))


def _is_object(value: JsonValue) -> bool:
    return isinstance(value, Mapping)


def _is_list(value: JsonValue) -> bool:
    return isinstance(value, (list, tuple))


def _is_names_by_name(value: JsonValue) -> bool:
    mapping = as_mapping(value)
    return mapping is not None and all(
        isinstance(names, (list, tuple)) and all(isinstance(name, str) for name in names)
        for names in mapping.values()
    )


Form = tuple[Callable[[JsonValue], bool], str]
"""Whether a value has the form, and what is said where it has not."""

_COUNTS = """
    minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains
"""
_TEXTS = """
    $anchor $comment $dynamicAnchor $dynamicRef $id $ref $schema contentEncoding contentMediaType
    description format pattern title
"""
_SCHEMAS = """
    additionalItems additionalProperties contains contentSchema else if not propertyNames then
    unevaluatedItems unevaluatedProperties
"""
_BY_NAME = "$defs definitions dependencies dependentSchemas patternProperties properties"

_ROWS: tuple[tuple[str, Callable[[JsonValue], bool], str], ...] = (
    (_COUNTS, is_count, "it must be a whole number of at least 0"),
    ("minimum maximum", is_number, "it must be a number"),
    ("exclusiveMinimum exclusiveMaximum", _is_bound, "it must be a number"),
    ("multipleOf", _is_positive, "it must be a number above 0"),
    (_TEXTS, _is_text, "it must be a text"),
    ("uniqueItems deprecated readOnly writeOnly", _is_flag, "it must be true or false"),
    (_SCHEMAS, _is_schema, "it must be a schema"),
    ("items", _is_schema_or_list, "it must be a schema"),
    (_BY_NAME, _is_object, "it must be an object of schemas"),
    ("dependentRequired", _is_names_by_name, "it must be an object of lists of names"),
    ("allOf anyOf oneOf prefixItems", _is_filled, "it must be a list of schemas, not empty"),
    ("enum", _is_filled, "it must be a list of values, not empty"),
    ("examples", _is_list, "it must be a list of values"),
)

FORMS: dict[str, Form] = {
    keyword: (has_form, reason)
    for keywords, has_form, reason in _ROWS
    for keyword in keywords.split()
}
"""Every keyword whose value has a form."""
