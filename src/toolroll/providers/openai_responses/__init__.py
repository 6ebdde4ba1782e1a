"""OpenAI responses.

offer = openai_responses.offer(kit, context)
reply = post({"model": ..., "input": items, "tools": offer.tools})
calls = offer.read(reply)
items += offer.assistant(reply)
items += offer.results(calls, await call_all(kit, calls, context))
"""

from toolroll.content import JsonValue
from toolroll.dialects import openai, openai_strict
from toolroll.providers.making import App, Dialects, make_offer
from toolroll.providers.offering import Offer
from toolroll.providers.openai_responses.checking import check
from toolroll.providers.openai_responses.history import read_history, repair_history, write_history
from toolroll.providers.openai_responses.stream import ResponsesAssembler
from toolroll.providers.openai_responses.wire import ResponsesWire
from toolroll.providers.option import DEFAULT_OPTIONS, OfferOptions
from toolroll.toolkit.protocol import Toolkit
from toolroll.tools.context import CallContext

__all__ = [
    "ResponsesAssembler",
    "check",
    "offer",
    "read_history",
    "repair_history",
    "write_history",
]

_DIALECTS = Dialects(plain=openai.adapt, strict=openai_strict.adapt)


def offer(
    kit: Toolkit[App], context: CallContext[App], options: OfferOptions = DEFAULT_OPTIONS
) -> Offer[list[dict[str, JsonValue]]]:
    """Offer the tools of a toolkit to OpenAI's responses endpoint.

    Args:
        kit, context, options: see `toolroll.providers`.

    Returns:
        An offer whose `assistant(reply)` is a list of items.

    Example:
        >>> from toolroll import CallContext, LocalToolkit, tool
        >>> @tool(effect="read")
        ... def note_count() -> int:
        ...     '''Say how many notes there are.'''
        ...     return 2
        >>> offer(LocalToolkit("notes", note_count), CallContext()).tools[0]["name"]
        'note_count'
    """
    return make_offer(kit, context, ResponsesWire(), _DIALECTS, options)
