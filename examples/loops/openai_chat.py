"""An agent's loop over OpenAI chat completions; `post` sends a request and gives the decoded
reply."""

from typing import Any

from toolroll import CallContext, Toolkit, call_all
from toolroll.providers import openai_chat


async def converse(
    post: Any, kit: Toolkit[None], messages: list[Any], turns: int = 20
) -> list[Any]:
    """Go on until the model calls nothing; the messages grow by what was said."""
    context: CallContext[None] = CallContext()
    offer = openai_chat.offer(kit, context)
    for _ in range(turns):
        reply = await post({"model": "gpt-5", "messages": messages, "tools": offer.tools})
        calls = offer.read(reply)
        messages.append(offer.assistant(reply))
        if not calls:
            break
        messages += offer.results(calls, await call_all(kit, calls, context))
    return messages
