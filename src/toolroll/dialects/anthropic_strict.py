"""JSON Schema as Anthropic holds it strictly.

Objects are closed, optional properties may stay optional, bounds go (into the description when
asked). A schema that would forbid an input the tool takes, or that leads back to itself, is not
made strict: the plain one comes back with `strict=False` and the obstacles.

Source: Anthropic, structured outputs, "JSON Schema limitations"; Python SDK 2.14.0, schema
transform.
"""

from functools import partial

from toolroll.content import JsonObject
from toolroll.dialects import anthropic
from toolroll.dialects.conversion import adapt_to
from toolroll.dialects.node import Dialect, Node
from toolroll.dialects.record import Adapted, Use
from toolroll.dialects.rule import ANTHROPIC_KEY, ANTHROPIC_STRICT, ANTHROPIC_STRICT_FORMATS
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
from toolroll.dialects.strictness import fallen_back
from toolroll.schema.walk import as_list


def _finite(node: Node) -> None:
    """Nothing leads back to itself."""
    if node.root and node.work.recursive:
        node.block("$ref", "it leads back to itself")


def _few_items(node: Node) -> None:
    """`minItems` is 0 or 1."""
    if node.schema.get("minItems") not in (None, 0, 1):
        node.drop("minItems", "bound", "only 0 and 1 are supported")


def _plain_enum(node: Node) -> None:
    """Fixed values are texts, numbers, booleans and null."""
    values = as_list(node.schema.get("enum")) or [node.schema.get("const")]
    if any(isinstance(value, (dict, list, tuple)) for value in values):
        node.drop("enum", "shape", "values of an enum are no objects and arrays")
        node.drop("const", "shape", "a fixed value is no object or array")


DIALECT = Dialect(
    name="anthropic_strict",
    before=(
        plain_root,
        _finite,
        overlapping_one_of,
        plain_union,
        inferred_type,
        fitting_values,
        tuple_as_list,
        closed,
        typed,
        _few_items,
        _plain_enum,
        partial(formats, ANTHROPIC_STRICT_FORMATS),
    ),
    after=(one_of_as_any_of,),
    keeps=ANTHROPIC_STRICT,
    references="bare",
    merges=True,
    key=ANTHROPIC_KEY,
    booleans=False,
    strict=True,
)


def adapt(schema: JsonObject, use: Use = "tool", *, describe: bool = False) -> Adapted:
    """Adapt a schema for Anthropic's strict tools, or for plain ones where strict cannot say it.

    What it takes and raises is said once for all dialects, in `toolroll.dialects`.

    Example:
        >>> said = {"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}}
        >>> adapted = adapt(said, describe=True)
        >>> adapted.strict, adapted.schema["properties"]["n"]
        (True, {'type': 'integer', 'description': 'Must be: at least 1.'})
    """
    adapted = adapt_to(DIALECT, schema, use, describe=describe)
    if adapted.strict:
        return adapted
    return fallen_back(adapted, anthropic.adapt(schema, use, describe=describe))
