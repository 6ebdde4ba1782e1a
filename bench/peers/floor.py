"""What nobody can do without, measured beside every library in its own process."""

import json
import time
from collections.abc import Awaitable, Callable
from typing import Any, cast

from bench.peers.subject import TEXT, plain_function, typed_function

Call = Callable[[str], Awaitable[object]]

BARE = "json.loads + await"
FLOOR = "pydantic-core validate_json + await"


def floors() -> dict[str, Call]:
    """The bare call, and where pydantic is installed the checked one."""
    function = plain_function()

    async def bare(text: str) -> object:
        return await function(**json.loads(text))

    found: dict[str, Call] = {BARE: bare}
    try:
        from pydantic import TypeAdapter
    except ImportError:
        return found
    adapter: TypeAdapter[Any] = TypeAdapter(cast("Any", typed_function()))
    validate = adapter.validator.validate_json

    async def checked(text: str) -> object:
        return await validate(text)

    return {**found, FLOOR: checked}


async def microseconds(call: Call, calls: int) -> float:
    """Time of one call, over so many."""
    begun = time.perf_counter()
    for _ in range(calls):
        await call(TEXT)
    return (time.perf_counter() - begun) / calls * 1e6
