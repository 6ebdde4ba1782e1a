"""JSON Schema as each provider takes it, and the way back.

Every dialect is a module of this package with `adapt(schema, use="tool", *, describe=False) ->
Adapted`: `openai`, `openai_strict`, `anthropic`, `anthropic_strict`, `gemini` and
`gemini_openapi3`.
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
