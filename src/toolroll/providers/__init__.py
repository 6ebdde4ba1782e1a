"""Edges to the wires of model APIs, as dicts and without any SDK.

Each provider is a module with `offer(kit, context)`, `repair_history(messages)` and `check(tools)`.
A history moves from one to another as `there.write_history(here.read_history(messages))`.
"""

from toolroll.providers import anthropic, gemini, openai_chat, openai_responses
from toolroll.providers.offering import Offer, OfferOptions, Strict
from toolroll.providers.turn import History, Turn
from toolroll.providers.wire import Assembler, OfferedTool

__all__ = [
    "Assembler",
    "History",
    "Offer",
    "OfferOptions",
    "OfferedTool",
    "Strict",
    "Turn",
    "anthropic",
    "gemini",
    "openai_chat",
    "openai_responses",
]
