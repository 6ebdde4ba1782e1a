"""JSON Schema as OpenAI takes it for tools that are not strict.

The root is one object with `properties` and without unions; arrays say what their items are.
Everything else goes as it is.

Source: OpenAI error texts "schema must have type 'object' and not have
'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level" and "array schema missing items".
"""

from toolroll.content import JsonObject
from toolroll.dialects.conversion import adapt_to
from toolroll.dialects.node import Dialect
from toolroll.dialects.record import Adapted, Use
from toolroll.dialects.step import array_items, object_properties, plain_root

DIALECT = Dialect(
    name="openai", before=(plain_root,), after=(array_items, object_properties), booleans=False
)


def adapt(schema: JsonObject, use: Use = "tool", *, describe: bool = False) -> Adapted:
    """Adapt a schema for OpenAI and the servers that speak its wire.

    What it takes and raises is said once for all dialects, in `toolroll.dialects`.

    Example:
        >>> adapt({"type": "object", "properties": {"tags": {"type": "array"}}}).schema
        {'type': 'object', 'properties': {'tags': {'type': 'array', 'items': {}}}}
    """
    return adapt_to(DIALECT, schema, use, describe=describe)
