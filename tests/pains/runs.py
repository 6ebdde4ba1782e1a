"""Handlers as they run: threads, context variables."""

import threading
from contextvars import ContextVar
from typing import Any

from tests.pains.case import Case
from tests.pains.making import NOBODY, told
from toolroll import Behavior, CallContext, LocalToolkit, ToolCall, call_all, tool

REQUEST: ContextVar[str] = ContextVar("REQUEST", default="nobody's")


async def tools_run(case: Case) -> None:
    """What a handler sees of its caller, however it is run."""
    if "variants" in case.given:
        await _context(case)
        return
    assert case.given["tools"] == ["sync, thread=False: return thread id"]
    assert case.wanted["thread"] == "the loop's"

    @tool(effect="read", behavior=Behavior(blocking=False))
    def where() -> int:
        """Say in which thread it runs."""
        return threading.get_ident()

    outcome = await LocalToolkit("pains", where).call(ToolCall.of("where"), NOBODY)
    assert told(outcome) == str(threading.get_ident())


async def _context(case: Case) -> None:
    seen: list[str] = []

    def look() -> None:
        seen.append(REQUEST.get())
        REQUEST.set("the tool's own")

    @tool(effect="read", behavior=Behavior(concurrency_safe=True))
    def sync() -> None:
        """Look, in a worker thread."""
        look()

    @tool(effect="read", behavior=Behavior(timeout=30))
    def timed(context: CallContext[Any]) -> None:
        """Look, within limits of its own."""
        look()

    @tool(effect="read")
    async def quick() -> None:
        """Look, in the loop."""
        look()

    kit = LocalToolkit("pains", sync, timed, quick)
    ways = {
        "one sync tool": ["sync"],
        "two sync tools at once": ["sync", "sync"],
        "one sync tool with a timeout": ["timed"],
        "one async tool": ["quick"],
    }
    token = REQUEST.set(case.given["contextvar"])
    try:
        for variant in case.given["variants"]:
            names = ways[variant]
            outcomes = await call_all(kit, [ToolCall.of(name) for name in names], NOBODY)
            assert all(outcome.ok for outcome in outcomes)
            assert seen == [case.wanted["each_sees"]] * len(names), variant
            assert REQUEST.get() == case.wanted["caller_value_after"], variant
            seen.clear()
    finally:
        REQUEST.reset(token)
