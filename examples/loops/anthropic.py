"""An agent's loop over Anthropic's messages; `post` sends a request and gives the decoded reply."""

from typing import Any

from toolroll import CallContext, Toolkit, call_all
from toolroll.providers import anthropic


async def converse(
    post: Any, kit: Toolkit[None], messages: list[Any], turns: int = 20
) -> list[Any]:
    """Go on until the model calls nothing; the messages grow by what was said."""
    context: CallContext[None] = CallContext()
    offer = anthropic.offer(kit, context)
    for _ in range(turns):
        request = {"model": "claude-sonnet-5", "max_tokens": 4_000, "messages": messages}
        reply = await post({**request, "tools": offer.tools})
        calls = offer.read(reply)
        messages.append(offer.assistant(reply))
        if not calls:
            break
        messages += offer.results(calls, await call_all(kit, calls, context))
    return messages
