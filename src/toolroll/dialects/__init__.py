"""JSON Schema as each provider takes it, and the way back.

Every dialect is a module with `adapt(schema, use="tool", *, describe=False) -> Adapted`.
"""

from toolroll.dialects import (
    anthropic,
    anthropic_strict,
    gemini,
    gemini_openapi3,
    openai,
    openai_strict,
)
from toolroll.dialects.record import Adapted, Loss, LossKind, Restore, Use

__all__ = [
    "Adapted",
    "Loss",
    "LossKind",
    "Restore",
    "Use",
    "anthropic",
    "anthropic_strict",
    "gemini",
    "gemini_openapi3",
    "openai",
    "openai_strict",
]
