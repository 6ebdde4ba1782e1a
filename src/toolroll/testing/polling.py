"""Waiting for what nobody tells: a thread that ends, a system that falls idle."""

from collections.abc import Callable

import anyio

_EVERY = 0.005


async def until(condition: Callable[[], bool], seconds: float) -> bool:
    """Wait until something holds, at most so many seconds; whether it holds."""
    with anyio.move_on_after(seconds):
        while not condition():  # noqa: ASYNC110  # there is no event for it
            await anyio.sleep(_EVERY)
        return True
    return condition()
