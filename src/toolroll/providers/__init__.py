"""Edges to the wires of model APIs, as dicts and without any SDK."""

from toolroll.providers import openai_chat
from toolroll.providers.offering import Offer, OfferOptions, Strict
from toolroll.providers.wire import Assembler, OfferedTool

__all__ = ["Assembler", "Offer", "OfferOptions", "OfferedTool", "Strict", "openai_chat"]
