"""OpenAI chat completions, and the many servers that speak its wire.

offer = openai_chat.offer(kit, context)
reply = post({"model": ..., "messages": messages, "tools": offer.tools})
calls = offer.read(reply)
messages.append(offer.assistant(reply))
messages += offer.results(calls, await call_all(kit, calls, context))
"""

from toolroll.content import JsonValue
from toolroll.dialects import openai, openai_strict
from toolroll.providers.making import App, Dialects, make_offer
from toolroll.providers.offering import Offer
from toolroll.providers.openai_chat.checking import check
from toolroll.providers.openai_chat.history import read_history, repair_history, write_history
from toolroll.providers.openai_chat.stream import ChatAssembler
from toolroll.providers.openai_chat.wire import ChatWire
from toolroll.providers.option import DEFAULT_OPTIONS, OfferOptions
from toolroll.toolkit.protocol import Toolkit
from toolroll.tools.context import CallContext

__all__ = ["ChatAssembler", "check", "offer", "read_history", "repair_history", "write_history"]

_DIALECTS = Dialects(plain=openai.adapt, strict=openai_strict.adapt)


def offer(
    kit: Toolkit[App], context: CallContext[App], options: OfferOptions = DEFAULT_OPTIONS
) -> Offer[dict[str, JsonValue]]:
    """Offer the tools of a toolkit to a chat completions endpoint.

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
        >>> made = offer(LocalToolkit("notes", note_count), CallContext())
        >>> made.tools[0]["function"]["name"]
        'note_count'
    """
    return make_offer(kit, context, ChatWire(), _DIALECTS, options)
