"""A source that closes ends the calls that run, wherever they wait."""

import threading
from typing import Any

import anyio
import pytest

from tests.sources.mcp.scripted import Call, Reply, modern, serving
from toolroll.ports import HttpAnswer, HttpRequest
from toolroll.sources import SourceError
from toolroll.sources.http import Operation, RequestTemplate, http_source
from toolroll.sources.mcp import mcp_http
from toolroll.sources.running import RunningCalls
from toolroll.tools import CallContext, ToolDefinition

pytestmark = [pytest.mark.anyio, pytest.mark.rule("closing-ends-calls-first")]

READ = ToolDefinition(name="read", description="", input_schema={"type": "object"})
OPERATION = Operation(definition=READ, request=RequestTemplate.of("POST", "/read"))


async def test_every_call_is_ended_and_waited_for() -> None:
    calls, ended = RunningCalls(), list[int]()
    await calls.end(1)  # nothing runs

    async def run(number: int) -> None:
        scope = anyio.CancelScope()
        with scope, calls.one(scope.cancel):
            await anyio.sleep_forever()
        ended.append(number)

    async with anyio.create_task_group() as tasks:
        for number in range(3):
            tasks.start_soon(run, number)
        await anyio.wait_all_tasks_blocked()
        await calls.end(60)
        await anyio.wait_all_tasks_blocked()
        assert sorted(ended) == [0, 1, 2]


@pytest.mark.usefixtures("virtual_time")
async def test_who_ends_at_the_same_time_waits_no_longer() -> None:
    calls = RunningCalls()

    async def run() -> None:
        scope = anyio.CancelScope()
        with scope, calls.one(scope.cancel):
            await anyio.sleep_forever()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(run)
        await anyio.wait_all_tasks_blocked()
        begun = anyio.current_time()
        async with anyio.create_task_group() as ends:
            for _ in range(3):
                ends.start_soon(calls.end, 10)
        assert anyio.current_time() - begun < 10


async def test_a_call_that_does_not_end_is_waited_for_no_longer_than_was_said() -> None:
    calls, release = RunningCalls(), anyio.Event()

    async def run() -> None:
        with calls.one(lambda: None):
            await release.wait()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(run)
        await anyio.wait_all_tasks_blocked()
        with anyio.fail_after(60):
            await calls.end(0.05)
        release.set()


class Waiting:
    """A transport on which nothing comes; a call waits where no connection could be closed."""

    def __init__(self) -> None:
        self.closing = anyio.Event()

    def send(self, request: HttpRequest, /) -> Any:
        return self

    async def __aenter__(self) -> HttpAnswer:
        await anyio.sleep_forever()
        raise AssertionError

    async def __aexit__(self, *_: object) -> None: ...

    async def aclose(self) -> None: ...


async def reason_of(source: Any, reasons: list[str]) -> None:
    try:
        await source.call(READ, {}, CallContext())
    except SourceError as error:
        reasons.append(f"{error.reason} {error.may_have_run} {error.retryable}")


async def test_a_call_over_http_that_was_closed_may_have_run() -> None:
    source, reasons = (
        http_source("demo", "http://demo.test", [OPERATION], client=Waiting()),
        list[str](),
    )
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(reason_of, source, reasons)
        await anyio.wait_all_tasks_blocked()
        await source.aclose()
    assert reasons == ["outcome-unknown True False"]


async def test_what_was_not_sent_to_an_mcp_server_did_not_run_when_it_is_closed() -> None:
    source, reasons = mcp_http("demo", "http://demo.test/mcp", client=Waiting()), list[str]()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(reason_of, source, reasons)
        await anyio.wait_all_tasks_blocked()
        await source.aclose()
    assert reasons == ["unavailable False False"]


async def test_what_was_sent_to_an_mcp_server_may_have_run_when_it_is_closed() -> None:
    arrived = anyio.Event()
    token = anyio.lowlevel.current_token()

    def answer(call: Call) -> Reply:
        anyio.from_thread.run_sync(arrived.set, token=token)
        return Reply(body=iter(lambda: (gone.wait(60), b" ")[1], b""), kind="application/json")

    gone = threading.Event()
    with serving(
        modern({"name": "read", "inputSchema": {"type": "object"}}).on("tools/call", answer)
    ) as script:
        source, reasons = mcp_http("demo", script.url), list[str]()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(reason_of, source, reasons)
            await arrived.wait()
            await source.aclose()
            gone.set()
    assert reasons == ["outcome-unknown True False"]
