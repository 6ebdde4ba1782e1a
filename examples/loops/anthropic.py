"""An agent's loop over Anthropic's messages.

`post` sends a request and gives what comes back: the events of a streamed reply, or the one reply.
"""

from typing import Any

from toolroll import CallContext, Toolkit, call_all
from toolroll.providers import anthropic


async def converse(
    post: Any, kit: Toolkit[None], context: CallContext[None], messages: list[Any]
) -> None:
    """Go on until the model calls nothing, or a terminal tool; the messages grow."""
    offer = anthropic.offer(kit, context)
    for _ in range(20):
        assembler = offer.assembler()
        request = {"model": "claude-sonnet-5", "max_tokens": 4_000, "messages": messages}
        async for event in post({**request, "tools": offer.tools}):
            assembler.feed(event)
        reply = assembler.reply()
        calls = offer.read(reply)
        messages.append(offer.assistant(reply))
        outcomes = await call_all(kit, calls, context)
        messages += offer.results(calls, outcomes)
        if not calls or offer.terminal(calls, outcomes):
            break
