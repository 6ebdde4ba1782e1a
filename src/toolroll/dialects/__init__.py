"""JSON Schema as each provider takes it, and the way back.

Every dialect is a module of this package with `adapt(schema, use="tool", *, describe=False) ->
Adapted`: `openai`, `openai_strict`, `anthropic`, `anthropic_strict`, `gemini` and
`gemini_openapi3`. All of them take and raise the same:

* `schema`: JSON Schema of any draft from 4 on; it is not changed.
* `use`: `tool`, or `response` for a structured answer. An answer that is no object is wrapped into
  one, but for `gemini`, which takes answers of any type.
* `describe`: say lost bounds in the descriptions.
* `SchemaTooLarge` is raised where the schema is deeper or larger than `toolroll.schema`'s limits;
  for `gemini_openapi3` also where its references are, once they stand in place.
"""

from toolroll.dialects import anthropic as anthropic
from toolroll.dialects import anthropic_strict as anthropic_strict
from toolroll.dialects import gemini as gemini
from toolroll.dialects import gemini_openapi3 as gemini_openapi3
from toolroll.dialects import openai as openai
from toolroll.dialects import openai_strict as openai_strict
from toolroll.dialects.fault import Fault, Mode, faults
from toolroll.dialects.record import Adapted, Loss, LossKind, Restore, Use

__all__ = ["Adapted", "Fault", "Loss", "LossKind", "Mode", "Restore", "Use", "faults"]
