"""A source through all that can happen to it: shared, cut short, its server killed, closed elsewhere.

What is left alive after a test is looked after in `conftest.py`.
"""

import json
import os
import signal
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any

import anyio
import pytest

from tests.sources.mcp.asking import call, failing, source
from tests.sources.mcp.local_server import BOTH, alive, gone
from tests.sources.mcp.scripted import (
    Call,
    Reply,
    Script,
    legacy,
    listening,
    modern,
    result,
    serving,
    text,
)
from toolroll.sources.mcp import McpOptions, McpSource
from toolroll.sources.source import SourceError
from toolroll.testing.cutting import cut
from toolroll.testing.polling import until

pytestmark = pytest.mark.anyio

SOON = McpOptions(grace=0.3, probe=60, relisten=0.01)

Restart = Callable[[], Awaitable[None]]


def _echo(call: Call) -> Reply:
    return result(call, text(call.params["arguments"]["text"]))


@asynccontextmanager
async def _over_http(script: Script) -> AsyncGenerator[tuple[McpSource, Restart]]:
    script.on("tools/call", _echo)
    address = listening()  # stays with us from one server to the next
    servers: list[Any] = [serving(script, address.dup())]
    servers[0].__enter__()

    def restart() -> None:
        servers.pop().__exit__(None, None, None)
        servers.append(serving(script, address.dup()))
        servers[0].__enter__()

    try:
        yield source(script.url).with_options(SOON), partial(anyio.to_thread.run_sync, restart)
    finally:
        await anyio.to_thread.run_sync(servers.pop().__exit__, None, None, None)
        address.close()


@asynccontextmanager
async def _local(made: McpSource, pids: Any) -> AsyncGenerator[tuple[McpSource, Restart]]:
    async def restart() -> None:
        os.kill(pids()[-1], signal.SIGKILL)

    yield made, restart


@pytest.fixture(params=["http, modern", "http, legacy", "stdio, modern", "stdio, legacy"])
def subject(request: pytest.FixtureRequest, local: Any, pids: Any) -> Any:
    """A source, and what kills its server and starts it again."""
    way, era = request.param.split(", ")
    if way == "http":
        return _over_http(modern() if era == "modern" else legacy())
    return _local(local(f"is {era}", options=SOON), pids)


@pytest.mark.rule("mcp-client-lifecycle")
async def test_a_source_is_shared_cut_short_killed_and_closed_elsewhere(subject: Any) -> None:
    answers: list[str] = []
    cut_off: list[int] = []

    async with subject as (client, restart):

        async def ask(number: int) -> None:
            answers.append((await call(client, {"text": str(number)})).text)

        async def cut_at(number: int) -> None:
            """Cancelled where it waits for the n-th time; others wait for the same beginning."""
            if await cut(lambda: call(client, {"text": "cut"}), number):
                cut_off.append(number)

        for _ in range(2):  # with its first server and with its second
            async with anyio.create_task_group() as opener:
                opener.start_soon(client.__aenter__)
            async with anyio.create_task_group() as callers:
                for number in range(50):
                    callers.start_soon(ask, number)
                    callers.start_soon(cut_at, number + 1)
            assert sorted(answers, key=int) == [str(number) for number in range(50)]
            answers.clear()
            for number in range(1, 50):
                await cut_at(number)
            await restart()
            with anyio.fail_after(60):
                while "7" not in answers:
                    with suppress(SourceError):  # one call may find out that the server is gone
                        await ask(7)
            answers.clear()
            async with anyio.create_task_group() as closer:
                closer.start_soon(client.aclose)
                closer.start_soon(client.aclose)
        # Each place where a call waits was one to cut it at, and there are fewer than were tried.
        assert {1, 2} <= set(cut_off) < set(range(50))
        assert "closed" in (await failing(client)).description


@pytest.mark.rule("mcp-client-stdio-dead")
@BOTH
async def test_a_local_server_that_is_killed_in_the_middle_of_calls_fails_them_at_once(
    local: Any, pids: Any, seen: Any
) -> None:
    failures: list[SourceError] = []
    async with local("leaves a child", options=SOON) as client:
        await client.discover()
        server, child = pids()
        asked = len(seen())

        async def one() -> None:
            failures.append(await failing(client, arguments={"hang": True}))

        async with anyio.create_task_group() as tasks:
            for _ in range(20):
                tasks.start_soon(one)
            assert await until(lambda: len(seen()) == asked + 20, 60)
            os.kill(server, signal.SIGKILL)
        assert {failure.reason for failure in failures} == {"outcome-unknown"}
        assert all("exit code -9" in failure.description for failure in failures)
        assert (await call(client)).text == "ok"
        assert len(pids()) == 4
        assert gone([server, child])
        assert all(map(alive, pids()[2:]))


@pytest.mark.rule("mcp-client-stdio-together", "mcp-client-one-session")
async def test_a_thousand_calls_at_once_are_answered_each_by_its_own(subject: Any) -> None:
    answers: dict[int, str] = {}
    async with subject as (client, _):

        async def one(number: int) -> None:
            answers[number] = (await call(client, {"text": json.dumps(number)})).text

        async with client, anyio.create_task_group() as tasks:
            for number in range(1000):
                tasks.start_soon(one, number)
    assert answers == {number: str(number) for number in range(1000)}
