"""Against a server made with the official SDK, over HTTP and stdio, in both eras."""

import socket
import sys
import threading
from collections.abc import Generator
from pathlib import Path
from typing import Any

import anyio
import pytest
import uvicorn

from tests.sources.mcp import official_server
from tests.sources.mcp.asking import AMPLE, call, failing
from tests.sources.mcp.test_mcp_change import over, step
from toolroll.content import Audio, EmbeddedResource, Image, ResourceLink, Text
from toolroll.sources.mcp import McpOptions, McpSource, mcp_http, mcp_stdio
from toolroll.testing.polling import until
from toolroll.tools.context import CallContext, Progress, Question
from toolroll.tools.context import Reply as Answer
from toolroll.tools.definition import ToolDefinition

pytestmark = [pytest.mark.anyio, pytest.mark.rule("mcp-client-real-servers")]

SCRIPT = Path(official_server.__file__)


@pytest.fixture(scope="module", autouse=True)
def address() -> Generator[str]:
    """The official server over HTTP; both eras on one address."""
    listener = socket.create_server(("127.0.0.1", 0))
    application = official_server.make_server().streamable_http_app(host="127.0.0.1")
    server = uvicorn.Server(uvicorn.Config(application, log_level="critical", ws="none"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        thread.join(0.01)
    yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
    server.should_exit = True
    thread.join(60)
    listener.close()


@pytest.fixture(params=["http", "stdio"])
def way(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=["modern", "legacy"])
def era(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture
def client(way: str, era: Any, request: pytest.FixtureRequest) -> McpSource:
    if way == "http":
        made = mcp_http("official", request.getfixturevalue("address"), timeouts=AMPLE)
    else:
        made = mcp_stdio("official", [sys.executable, str(SCRIPT)], timeouts=AMPLE)
    # The era is found out where it is modern and asked for where it is not: the server has both.
    return made.with_options(McpOptions(era="auto" if era == "modern" else "legacy", probe=60))


async def _says_ada(question: Question) -> Answer:
    return Answer("accept", {"name": "Ada"})


async def test_every_tool_of_the_official_server_works(client: McpSource, era: str) -> None:
    heard: list[Progress] = []
    async with client:
        discovery = await client.discover()
        assert [each.name for each in discovery.definitions] == [
            each.name for each in official_server.TOOLS
        ]
        assert discovery.report.notes == ()
        assert discovery.ttl == (2.0 if era == "modern" else None)
        tools = {each.name: each for each in discovery.definitions}
        assert tools["echo"].hints.read_only

        async def run(
            name: str, arguments: dict[str, Any], context: CallContext[Any] = CallContext()
        ) -> Any:
            return await call(client, arguments, tool=tools[name], context=context)

        assert (await run("echo", {"text": "hélló"})).text == "hélló"
        failed = await run("failing", {})
        assert (failed.is_error, failed.text) == (True, "no such account")
        total = await run("sum", {"a": 1, "b": 2})
        assert (total.data, total.content) == ({"sum": 3}, ())
        assert [type(block) for block in (await run("blocks", {})).content] == [
            Text,
            Image,
            Audio,
            ResourceLink,
            EmbeddedResource,
        ]
        assert (await run("marked", {"region": "eu ü"})).text == "eu ü"
        await run("progress", {"steps": 3}, CallContext(on_progress=heard.append))
        assert heard == [Progress(f"step {step}", step, 3) for step in (1, 2, 3)]
        if era == "modern":
            asked = await run("ask", {}, CallContext(on_ask=_says_ada))
            assert asked.text.startswith("s1 ")
            assert "Ada" in asked.text
        assert client.server is not None
        assert client.server.info.name == "official"

        nope = ToolDefinition(name="nope", description="", input_schema={"type": "object"})
        assert (await failing(client, tool=nope)).reason == "source-error"

        answers: list[str] = []

        async def one(number: int) -> None:
            answers.append((await run("echo", {"text": str(number)})).text)

        async with anyio.create_task_group() as tasks:
            for number in range(20):
                tasks.start_soon(one, number)
        assert sorted(answers, key=int) == [str(number) for number in range(20)]


async def test_a_call_that_is_given_up_is_cancelled_there(address: str, era: Any) -> None:
    official_server.EVENTS.clear()
    client = mcp_http("official", address, timeouts=AMPLE)
    slow = ToolDefinition(name="slow", description="", input_schema={"type": "object"})
    async with client.with_options(McpOptions(era=era)) as client:
        await client.discover()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(lambda: call(client, {"seconds": 3600}, tool=slow))
            assert await until(lambda: "begun" in official_server.EVENTS, 60)
            tasks.cancel_scope.cancel()
        assert await until(lambda: "cancelled" in official_server.EVENTS, 60)
    assert "finished" not in official_server.EVENTS


@pytest.mark.rule("mcp-client-changes")
async def test_the_official_server_tells_of_changes(client: McpSource, era: str) -> None:
    change = ToolDefinition(name="change", description="", input_schema={"type": "object"})
    async with client:
        async with client.changes() as changes:
            for _ in range(3):
                assert (await call(client, {}, tool=change)).text == "told"
                await step(changes)
        assert len((await client.discover()).definitions) == len(official_server.TOOLS)
        async with client.changes() as changes, anyio.create_task_group() as tasks:
            tasks.start_soon(client.aclose)
            await over(changes)


async def test_one_source_serves_two_loops_in_threads_one_after_the_other(address: str) -> None:
    client = mcp_http("official", address, timeouts=AMPLE)
    echo = ToolDefinition(name="echo", description="", input_schema={"type": "object"})
    words: list[str] = []

    def run(backend: str) -> None:
        async def once() -> None:
            words.append((await call(client, {"text": backend}, tool=echo)).text)

        anyio.run(once, backend=backend)

    for backend in ("asyncio", "trio", "asyncio"):
        await anyio.to_thread.run_sync(run, backend)
    assert words == ["asyncio", "trio", "asyncio"]
    await client.aclose()
