"""Anthropic's messages.

offer = anthropic.offer(kit, context)
reply = post({"model": ..., "messages": messages, "tools": offer.tools})
calls = offer.read(reply)
messages.append(offer.assistant(reply))
messages += offer.results(calls, await call_all(kit, calls, context))
"""

from toolroll.content import JsonValue
from toolroll.dialects import anthropic, anthropic_strict
from toolroll.providers.anthropic.checking import check
from toolroll.providers.anthropic.history import read_history, repair_history, write_history
from toolroll.providers.anthropic.stream import AnthropicAssembler
from toolroll.providers.anthropic.wire import AnthropicWire
from toolroll.providers.making import App, Dialects, make_offer
from toolroll.providers.offering import Offer
from toolroll.providers.option import DEFAULT_OPTIONS, OfferOptions
from toolroll.toolkit.protocol import Toolkit
from toolroll.tools.context import CallContext

__all__ = [
    "AnthropicAssembler",
    "check",
    "offer",
    "read_history",
    "repair_history",
    "write_history",
]

# All strict tools of a request are compiled into one grammar, and beyond a size that is not told
# the
# whole request is refused ("The compiled grammar is too large"): so only when told to.
_DIALECTS = Dialects(plain=anthropic.adapt, strict=anthropic_strict.adapt, auto=False)


def offer(
    kit: Toolkit[App], context: CallContext[App], options: OfferOptions = DEFAULT_OPTIONS
) -> Offer[dict[str, JsonValue]]:
    """Offer the tools of a toolkit to Anthropic's messages endpoint.

    Args:
        kit, context, options: see `toolroll.providers`.

    Returns:
        An offer whose `assistant(reply)` is one message.

    Example:
        >>> from toolroll import CallContext, LocalToolkit, tool
        >>> @tool(effect="read")
        ... def note_count() -> int:
        ...     '''Say how many notes there are.'''
        ...     return 2
        >>> offer(LocalToolkit("notes", note_count), CallContext()).tools[0]["name"]
        'note_count'
    """
    return make_offer(kit, context, AnthropicWire(), _DIALECTS, options)
