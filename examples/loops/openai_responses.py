"""An agent's loop over OpenAI responses; `post` sends a request and gives the decoded reply."""

from typing import Any

from toolroll import CallContext, Toolkit, call_all
from toolroll.providers import openai_responses


async def converse(post: Any, kit: Toolkit[None], items: list[Any], turns: int = 20) -> list[Any]:
    """Go on until the model calls nothing; the items grow by what was said."""
    context: CallContext[None] = CallContext()
    offer = openai_responses.offer(kit, context)
    for _ in range(turns):
        reply = await post({"model": "gpt-5", "input": items, "tools": offer.tools, "store": False})
        calls = offer.read(reply)
        items += offer.assistant(reply)
        if not calls:
            break
        items += offer.results(calls, await call_all(kit, calls, context))
    return items
