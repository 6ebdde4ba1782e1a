"""JSON Schema as Anthropic takes it for tools that are not strict.

The root is one object without unions, names of properties are of 64 plain characters, and older
drafts are put into the words of 2020-12. Everything else goes as it is.

Source: Anthropic error texts "input_schema does not support oneOf, allOf, or anyOf at the top
level", "Property keys should match pattern" and "must match JSON Schema draft 2020-12".
"""

from toolroll.content import JsonObject
from toolroll.dialects.conversion import adapt_to
from toolroll.dialects.node import Dialect
from toolroll.dialects.record import Adapted, Use
from toolroll.dialects.rule import ANTHROPIC_KEY

DIALECT = Dialect(name="anthropic", key=ANTHROPIC_KEY)


def adapt(schema: JsonObject, use: Use = "tool", *, describe: bool = False) -> Adapted:
    """Adapt a schema for Anthropic.

    What it takes and raises is said once for all dialects, in `toolroll.dialects`.

    Example:
        >>> adapt({"anyOf": [{"properties": {"mode": {}}}, {"properties": {"wait": {}}}]}).schema
        {'type': 'object', 'properties': {'mode': {}, 'wait': {}}}
        >>> adapt({"properties": {"filter[id]": {}}}).restore({"filter_id": "a"})
        {'filter[id]': 'a'}
    """
    return adapt_to(DIALECT, schema, use, describe=describe)
