"""What each dialect says and does not say: keywords, formats, names. The docs print these tables.

Where it is said is written beside each table. APIs change: a table says what was seen in 2026.
"""

import re

ANNOTATIONS = frozenset({"title", "description"})

BOUNDS = frozenset(
    {
        "exclusiveMaximum",
        "exclusiveMinimum",
        "format",
        "maxContains",
        "maxItems",
        "maxLength",
        "maxProperties",
        "maximum",
        "minContains",
        "minItems",
        "minLength",
        "minProperties",
        "minimum",
        "multipleOf",
        "pattern",
        "uniqueItems",
    }
)
"""Keywords that limit a value; what is lost of them is said in a description when asked."""

SHAPES = frozenset(
    {
        "additionalProperties",
        "allOf",
        "anyOf",
        "const",
        "contains",
        "dependencies",
        "dependentRequired",
        "dependentSchemas",
        "else",
        "enum",
        "if",
        "items",
        "not",
        "oneOf",
        "patternProperties",
        "prefixItems",
        "properties",
        "propertyNames",
        "required",
        "then",
        "type",
        "unevaluatedItems",
        "unevaluatedProperties",
    }
)
"""Keywords with force that are no bounds. Whatever is in neither set is a note."""

_STRUCTURE = frozenset(
    {
        "$defs",
        "$ref",
        "additionalProperties",
        "anyOf",
        "const",
        "enum",
        "items",
        "properties",
        "required",
        "type",
    }
)

OPENAI_STRICT = (
    _STRUCTURE
    | ANNOTATIONS
    | frozenset(
        {
            "exclusiveMaximum",
            "exclusiveMinimum",
            "format",
            "maxItems",
            "maximum",
            "minItems",
            "minimum",
            "multipleOf",
            "oneOf",
            "pattern",
            "prefixItems",
        }
    )
)
"""What stays for OpenAI's strict mode (`oneOf` and `prefixItems` until they are respelled).

Source: OpenAI, guide to structured outputs, "Supported schemas".
"""

OPENAI_STRICT_FORMATS = frozenset(
    {
        "date",
        "date-time",
        "duration",
        "email",
        "hostname",
        "ipv4",
        "ipv6",
        "time",
        "uuid",
    }
)
"""Source: OpenAI, guide to structured outputs, "Supported properties" of strings."""

OPENAI_STRICT_DEPTH = 10
OPENAI_STRICT_PROPERTIES = 5_000
OPENAI_STRICT_ENUM_VALUES = 1_000
OPENAI_STRICT_NAME_CHARACTERS = 120_000
OPENAI_STRICT_MANY_VALUES = 250
OPENAI_STRICT_MANY_CHARACTERS = 15_000
"""Source: OpenAI, guide to structured outputs, "Supported schemas", limits."""

ANTHROPIC_STRICT = (
    _STRUCTURE | ANNOTATIONS | frozenset({"default", "format", "minItems", "oneOf", "prefixItems"})
)
"""What stays for strict tools at Anthropic.

Source: Anthropic, structured outputs, "JSON Schema limitations"; Python SDK 2.14.0, schema
transform.
"""

ANTHROPIC_STRICT_FORMATS = OPENAI_STRICT_FORMATS | {"uri"}
"""Source: as above."""

ANTHROPIC_KEY = re.compile(r"[A-Za-z0-9_.-]{1,64}")
"""Source: Anthropic, error text "Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'"."""

GEMINI_OPENAPI3 = frozenset(
    {
        "anyOf",
        "const",
        "description",
        "enum",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "format",
        "items",
        "maxItems",
        "maxLength",
        "maxProperties",
        "maximum",
        "minItems",
        "minLength",
        "minProperties",
        "minimum",
        "nullable",
        "oneOf",
        "pattern",
        "prefixItems",
        "properties",
        "propertyOrdering",
        "required",
        "title",
        "type",
    }
)
"""Fields of Gemini's `Schema`, and what is respelled in its words before it is sent.

Source: Gemini API reference, `Schema`.
"""

GEMINI_OPENAPI3_FORMATS = {
    "integer": frozenset({"int32", "int64"}),
    "number": frozenset({"float", "double"}),
    "string": frozenset({"date-time", "enum"}),
}
"""Source: Gemini API reference, `Schema.format`."""
