"""An agent's loop over Gemini; `post` sends a request and gives the decoded reply."""

from typing import Any

from toolroll import CallContext, Toolkit, call_all
from toolroll.providers import gemini


async def converse(
    post: Any, kit: Toolkit[None], contents: list[Any], turns: int = 20
) -> list[Any]:
    """Go on until the model calls nothing; the contents grow by what was said."""
    context: CallContext[None] = CallContext()
    offer = gemini.offer(kit, context)
    for _ in range(turns):
        reply = await post({"contents": contents, "tools": offer.tools})
        calls = offer.read(reply)
        contents.append(offer.assistant(reply))
        if not calls:
            break
        contents += offer.results(calls, await call_all(kit, calls, context))
    return contents
