"""JSON Schema as Gemini takes it in `parametersJsonSchema` and `responseJsonSchema`.

The schema goes out as it is written, with four repairs at every depth: `required` names listed
properties only; `exclusiveMinimum: true` of draft 4 becomes a number; a tuple under `items` becomes
`prefixItems`; a reference that closes a circle becomes `{}`. Beside a reference only a description
and a default stay, so one with other neighbours gives way to what it leads to. The root says that
it is an object.

Source: the tool kernel's contract, "Provider schema repair"; Gemini API reference,
`parametersJsonSchema`.
"""

from toolroll.content import JsonObject
from toolroll.dialects.conversion import adapt_to
from toolroll.dialects.node import Dialect
from toolroll.dialects.record import Adapted, Use
from toolroll.dialects.step import hollow_union, known_required, named_in_branches

DIALECT = Dialect(
    name="gemini",
    before=(named_in_branches,),
    after=(known_required, hollow_union),
    references="acyclic",
    one_object=False,
)


def adapt(schema: JsonObject, use: Use = "tool", *, describe: bool = False) -> Adapted:
    """Adapt a schema for Gemini's JSON Schema fields.

    What it takes and raises is said once for all dialects, in `toolroll.dialects`.

    Example:
        >>> adapt({"type": "object", "properties": {"a": {}}, "required": ["a", "b"]}).schema
        {'type': 'object', 'properties': {'a': {}}, 'required': ['a']}
    """
    return adapt_to(DIALECT, schema, use, describe=describe)
