"""What each provider takes of names, ids, descriptions and numbers of tools.

Provider documentation and error texts as of 2026; the docs print this table.
"""

import re
from dataclasses import dataclass

from toolroll.repair import IdProvider


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderLimits:
    """Limits of one provider's wire.

    Args:
        provider: its name in reports, and the key of what it takes as a call's id.
        name: what a tool's name must match as a whole.
        name_length: most characters of a tool's name.
        tools: most tools of one request; None where no number is known.
        strict_tools: most tools with `strict` in one request; None where no number is known.
        strict_optionals: most optional properties over all strict tools; None where there is no
            such limit.
        strict_unions: most schemas with several types or `anyOf` over all strict tools; None where
            there is no such limit.
        source: where this is said.
    """

    provider: IdProvider
    name: re.Pattern[str]
    name_length: int
    tools: int | None = None
    strict_tools: int | None = None
    strict_optionals: int | None = None
    strict_unions: int | None = None
    source: str = ""


_WORD = re.compile(r"[A-Za-z0-9_-]+")

OPENAI_CHAT = ProviderLimits(
    provider="openai_chat",
    name=_WORD,
    name_length=64,
    tools=128,
    source="OpenAI API reference, chat completions: `tools`, `FunctionDefinition`; error texts "
    "'array_above_max_length' (tools), 'string_above_max_length' (tool_calls[].id)",
)

OPENAI_RESPONSES = ProviderLimits(
    provider="openai_responses",
    name=_WORD,
    name_length=64,
    tools=128,
    source="OpenAI API reference, responses: `tools`, `function_call.call_id`",
)

ANTHROPIC = ProviderLimits(
    provider="anthropic",
    name=_WORD,
    name_length=64,
    strict_tools=20,
    strict_optionals=24,
    strict_unions=16,
    source="Anthropic API reference, messages: `tools[].name`, `tool_use.id` "
    "(^[a-zA-Z0-9_-]+$); structured outputs, limits of strict tools; error text "
    "'too many parameters with union types'",
)

GEMINI = ProviderLimits(
    provider="gemini",
    name=re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]*"),
    name_length=64,
    tools=512,
    source="Gemini API reference, `FunctionDeclaration.name`; `Tool.functionDeclarations` "
    "(at most 512)",
)
