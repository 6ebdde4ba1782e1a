"""An agent's loop over Gemini.

`post` sends a request and gives what comes back: the events of a streamed reply, or the one reply.
"""

from typing import Any

from toolroll import CallContext, Toolkit, call_all
from toolroll.providers import gemini


async def converse(
    post: Any, kit: Toolkit[None], context: CallContext[None], contents: list[Any]
) -> None:
    """Go on until the model calls nothing, or a terminal tool; the contents grow."""
    offer = gemini.offer(kit, context)
    for _ in range(20):
        assembler = offer.assembler()
        async for event in post({"contents": contents, "tools": offer.tools}):
            assembler.feed(event)
        reply = assembler.reply()
        calls = offer.read(reply)
        contents.append(offer.assistant(reply))
        outcomes = await call_all(kit, calls, context)
        contents += offer.results(calls, outcomes)
        if not calls or offer.terminal(calls, outcomes):
            break
