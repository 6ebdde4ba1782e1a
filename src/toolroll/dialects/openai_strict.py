"""JSON Schema as OpenAI holds it strictly.

Objects are closed and every property is required: an optional one takes null, and the way back
takes the null away. A schema that would forbid an input the tool takes is not made strict: the
plain one comes back with `strict=False` and the obstacles.

Source: OpenAI, guide to structured outputs, "Supported schemas".
"""

from dataclasses import replace
from functools import partial

from toolroll.content import JsonObject
from toolroll.dialects import openai
from toolroll.dialects.conversion import adapt_to
from toolroll.dialects.node import Dialect
from toolroll.dialects.record import Adapted, Use
from toolroll.dialects.reference import has_references
from toolroll.dialects.rule import (
    OPENAI_STRICT,
    OPENAI_STRICT_DEPTH,
    OPENAI_STRICT_ENUM_VALUES,
    OPENAI_STRICT_FORMATS,
    OPENAI_STRICT_MANY_CHARACTERS,
    OPENAI_STRICT_MANY_VALUES,
    OPENAI_STRICT_NAME_CHARACTERS,
    OPENAI_STRICT_PROPERTIES,
)
from toolroll.dialects.step import (
    closed,
    fitting_values,
    formats,
    inferred_type,
    one_of_as_any_of,
    overlapping_one_of,
    plain_root,
    plain_union,
    tuple_as_list,
    typed,
)
from toolroll.dialects.strictness import all_required, fallen_back, too_large

DIALECT = Dialect(
    name="openai_strict",
    before=(
        plain_root,
        overlapping_one_of,
        plain_union,
        inferred_type,
        fitting_values,
        tuple_as_list,
        closed,
        typed,
        partial(formats, OPENAI_STRICT_FORMATS),
    ),
    after=(one_of_as_any_of, all_required),
    keeps=OPENAI_STRICT,
    references="bare",
    merges=True,
    booleans=False,
    strict=True,
)


def adapt(schema: JsonObject, use: Use = "tool", *, describe: bool = False) -> Adapted:
    """Adapt a schema for OpenAI's strict mode, or for its plain one where strict cannot say it.

    What it takes and raises is said once for all dialects, in `toolroll.dialects`.

    Example:
        >>> adapted = adapt({"type": "object", "properties": {"n": {"type": "integer"}}})
        >>> adapted.strict, adapted.schema["required"], adapted.restore({"n": None})
        (True, ['n'], {})
        >>> adapt({"type": "object", "additionalProperties": {"type": "string"}}).strict
        False
    """
    adapted = adapt_to(DIALECT, schema, use, describe=describe)
    if adapted.strict:
        large = too_large(
            adapted.schema,
            depth=OPENAI_STRICT_DEPTH,
            properties=OPENAI_STRICT_PROPERTIES,
            enum_values=OPENAI_STRICT_ENUM_VALUES,
            characters=OPENAI_STRICT_NAME_CHARACTERS,
            one_enum=(OPENAI_STRICT_MANY_VALUES, OPENAI_STRICT_MANY_CHARACTERS),
        )
        if not large:
            return adapted
        adapted = replace(adapted, obstacles=tuple(large))
    return fallen_back(adapted, openai.adapt(schema, use, describe=describe))


def is_strict(schema: JsonObject) -> bool:
    """Strict mode takes the schema as it stands: closed objects, everything required, no
    references.

    Example:
        >>> is_strict({"type": "object", "additionalProperties": False})
        True
        >>> is_strict({"type": "object", "properties": {"a": {"type": "string"}}})
        False
    """
    if has_references(schema) or schema.get("type") != "object":
        return False
    adapted = adapt_to(DIALECT, schema, "tool")
    empty: JsonObject = {"properties": {}, "required": []}
    return adapted.strict and adapted.schema == {**empty, **schema}
