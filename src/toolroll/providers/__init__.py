"""Edges to the wires of model APIs, as dicts and without any SDK.

Each provider is a module of this package (`openai_chat`, `openai_responses`, `anthropic`, `gemini`)
with `offer(kit, context, options)`, `repair_history(messages)` and `check(tools)`. A history moves
from one to another as `there.write_history(here.read_history(messages))`.

Every `offer` takes the toolkit, of which only what it lists for the context is offered; the
context, for whom; and `OfferOptions`: strictness, view and descriptions.
"""

from toolroll.providers import anthropic as anthropic
from toolroll.providers import gemini as gemini
from toolroll.providers import openai_chat as openai_chat
from toolroll.providers import openai_responses as openai_responses
from toolroll.providers.offering import Offer
from toolroll.providers.option import OfferOptions, Strict
from toolroll.providers.turn import History, Turn
from toolroll.providers.wire import Assembler, OfferedTool

__all__ = ["Assembler", "History", "Offer", "OfferOptions", "OfferedTool", "Strict", "Turn"]
