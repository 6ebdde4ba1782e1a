"""An agent's loop over OpenAI responses.

`post` sends a request and gives what comes back: the events of a streamed reply, or the one reply.
"""

from typing import Any

from toolroll import CallContext, Toolkit, call_all
from toolroll.providers import openai_responses


async def converse(
    post: Any, kit: Toolkit[None], context: CallContext[None], items: list[Any]
) -> None:
    """Go on until the model calls nothing, or a terminal tool; the items grow."""
    offer = openai_responses.offer(kit, context)
    for _ in range(20):
        assembler = offer.assembler()
        request = {"model": "gpt-5", "input": items, "tools": offer.tools, "store": False}
        async for event in post({**request, "include": ["reasoning.encrypted_content"]}):
            assembler.feed(event)
        reply = assembler.reply()
        calls = offer.read(reply)
        items += offer.assistant(reply)
        outcomes = await call_all(kit, calls, context)
        items += offer.results(calls, outcomes)
        if not calls or offer.terminal(calls, outcomes):
            break
