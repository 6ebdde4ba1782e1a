"""Event loops that are put together in other ways than one loop in one thread."""

import asyncio
from typing import Any

import anyio
import pytest
import trio

from toolroll import Behavior, CallContext, LocalToolkit, Outcome, ToolCall, tool
from toolroll.tools import CancelSignal


@tool(effect="read", behavior=Behavior(timeout=0.05))
async def endless() -> None:
    """Wait for ever."""
    await anyio.sleep_forever()


@tool(effect="read", behavior=Behavior(timeout=5, idle_timeout=0.05))
async def silent() -> None:
    """Say nothing."""
    await anyio.sleep_forever()


@tool(effect="read")
async def patient() -> None:
    """Wait for the signal."""
    await anyio.sleep_forever()


@tool(effect="read")
async def quick() -> str:
    """Wait a little."""
    await anyio.lowlevel.checkpoint()
    return "done"


@tool(effect="read")
def threaded() -> str:
    """Run in a thread."""
    return "done"


KIT: LocalToolkit[Any] = LocalToolkit("kit", endless, silent, patient, quick, threaded)


async def all_kinds() -> list[str]:
    signal = CancelSignal()
    outcomes: list[Outcome] = [
        await KIT.call(ToolCall.of(name), CallContext())
        for name in ("quick", "threaded", "endless", "silent")
    ]
    async with anyio.create_task_group() as tasks:

        async def stopped() -> None:
            outcomes.append(await KIT.call(ToolCall.of("patient"), CallContext(cancel=signal)))

        tasks.start_soon(stopped)
        await anyio.wait_all_tasks_blocked()
        signal.cancel()
    return [outcome.kind for outcome in outcomes]


@pytest.mark.rule("run-guest")
def test_trio_as_a_guest_of_asyncio_runs_times_out_and_stops() -> None:
    async def host() -> list[str]:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Any] = loop.create_future()
        trio.lowlevel.start_guest_run(
            all_kinds,
            run_sync_soon_threadsafe=loop.call_soon_threadsafe,
            done_callback=done.set_result,
        )
        return (await done).unwrap()

    assert asyncio.run(host()) == ["ok", "ok", "timeout", "timeout", "aborted"]
