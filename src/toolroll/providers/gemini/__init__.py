"""Gemini's generateContent.

offer = gemini.offer(kit, context)
reply = post({"contents": contents, "tools": offer.tools})
calls = offer.read(reply)
contents.append(offer.assistant(reply))
contents += offer.results(calls, await call_all(kit, calls, context))
"""

from toolroll.content import JsonValue
from toolroll.dialects import gemini, gemini_openapi3
from toolroll.providers.gemini.checking import check
from toolroll.providers.gemini.history import read_history, repair_history, write_history
from toolroll.providers.gemini.stream import GeminiAssembler
from toolroll.providers.gemini.wire import GeminiWire
from toolroll.providers.making import App, Dialects, make_offer
from toolroll.providers.offering import Offer
from toolroll.providers.option import DEFAULT_OPTIONS, OfferOptions
from toolroll.toolkit.protocol import Toolkit
from toolroll.tools.context import CallContext

__all__ = ["GeminiAssembler", "check", "offer", "read_history", "repair_history", "write_history"]

_JSON_SCHEMA = Dialects(plain=gemini.adapt)
_OPENAPI3 = Dialects(plain=gemini_openapi3.adapt)


def offer(
    kit: Toolkit[App],
    context: CallContext[App],
    options: OfferOptions = DEFAULT_OPTIONS,
    *,
    openapi3: bool = False,
) -> Offer[dict[str, JsonValue]]:
    """Offer the tools of a toolkit to Gemini.

    Args:
        kit, context, options: see `toolroll.providers`. Gemini has no strict tools.
        openapi3: schemas go into `parameters`, in the words of OpenAPI 3.0, for endpoints that do
            not know `parametersJsonSchema`.

    Returns:
        An offer whose `assistant(reply)` is one content.

    Example:
        >>> from toolroll import CallContext, LocalToolkit, tool
        >>> @tool(effect="read")
        ... def note_count() -> int:
        ...     '''Say how many notes there are.'''
        ...     return 2
        >>> made = offer(LocalToolkit("notes", note_count), CallContext())
        >>> made.tools[0]["functionDeclarations"][0]["name"]
        'note_count'
    """
    dialects = _OPENAPI3 if openapi3 else _JSON_SCHEMA
    return make_offer(kit, context, GeminiWire(openapi3=openapi3), dialects, options)
