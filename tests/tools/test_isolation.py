"""An async handler sees its caller's context variables, and what it sets stays its own."""

import asyncio
from contextvars import ContextVar
from typing import Any

import anyio
import pytest

from toolroll import Behavior, CallContext, LocalToolkit, TimedOut, ToolCall, tool
from toolroll.tools.isolation import in_own_context

USER: ContextVar[str] = ContextVar("USER", default="nobody")


@tool(effect="read")
async def change() -> str:
    """Set the variable, wait, and say what was there and what is there now."""
    before = USER.get()
    USER.set("the tool's")
    await anyio.sleep(0)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(anyio.sleep, 0)
    return f"{before}, then {USER.get()}"


@tool(effect="read", behavior=Behavior(timeout=0.01))
async def late() -> None:
    """Set the variable and stay too long."""
    USER.set("the tool's")
    await anyio.sleep(30)


@tool(effect="read")
async def fail(context: CallContext[Any]) -> None:
    """Set the variable and fail."""
    USER.set("the tool's")
    await anyio.sleep(0)
    raise ValueError


@tool(effect="read", behavior=Behavior(blocking=False))
def quick() -> str:
    """Set the variable, in the loop."""
    before = USER.get()
    USER.set("the tool's")
    return before


KIT = LocalToolkit("isolated", change, late, fail, quick)


@pytest.mark.anyio
@pytest.mark.rule("run-own-context")
async def test_what_an_async_handler_sets_stays_its_own() -> None:
    USER.set("the caller's")
    for name, kind in (("change", "ok"), ("late", "timeout"), ("fail", "failed"), ("quick", "ok")):
        outcome = await KIT.call(ToolCall.of(name), CallContext())
        assert outcome.kind == kind
        assert USER.get() == "the caller's", name
    said = (await KIT.call(ToolCall.of("change"), CallContext())).unwrap().text
    assert said == "the caller's, then the tool's"
    assert (await KIT.call(ToolCall.of("quick"), CallContext())).unwrap().text == "the caller's"


@pytest.mark.anyio
@pytest.mark.rule("run-own-context")
async def test_cancelling_reaches_the_handler_and_its_cleaning_up_runs_in_its_context() -> None:
    seen: list[str] = []

    @tool(effect="read", behavior=Behavior(timeout=0.01))
    async def tidy() -> None:
        """Wait, and tidy up in peace."""
        USER.set("the tool's")
        try:
            await anyio.sleep(30)
        finally:
            with anyio.CancelScope(shield=True):
                await anyio.sleep(0)
            seen.append(USER.get())

    outcome = await LocalToolkit("tidy", tidy).call(ToolCall.of("tidy"), CallContext())
    assert isinstance(outcome, TimedOut)
    assert seen == ["the tool's"]


@pytest.mark.rule("run-own-context")
def test_closing_what_waits_closes_the_work() -> None:
    closed: list[str] = []

    async def work() -> None:
        USER.set("the work's")
        try:
            await asyncio.Event().wait()
        finally:
            closed.append(USER.get())

    async def outer() -> None:
        await in_own_context(work())

    async def main() -> None:
        waiting = outer()
        waiting.send(None)
        waiting.close()
        assert USER.get() == "nobody"

    asyncio.run(main())
    assert closed == ["the work's"]
