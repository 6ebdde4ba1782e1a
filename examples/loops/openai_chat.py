"""An agent's loop over OpenAI chat completions.

`post` sends a request and gives what comes back: the events of a streamed reply, or the one reply.
"""

from typing import Any

from toolroll import CallContext, Toolkit, call_all
from toolroll.providers import openai_chat


async def converse(
    post: Any, kit: Toolkit[None], context: CallContext[None], messages: list[Any]
) -> None:
    """Go on until the model calls nothing, or a terminal tool; the messages grow."""
    offer = openai_chat.offer(kit, context)
    for _ in range(20):
        assembler = offer.assembler()
        request = {"model": "gpt-5", "messages": messages, "tools": offer.tools}
        async for event in post(request):
            assembler.feed(event)
        reply = assembler.reply()
        calls = offer.read(reply)
        messages.append(offer.assistant(reply))
        outcomes = await call_all(kit, calls, context)
        messages += offer.results(calls, outcomes)
        if not calls or offer.terminal(calls, outcomes):
            break
