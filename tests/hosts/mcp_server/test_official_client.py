"""The official client speaks to our server, over stdio and HTTP, in both eras."""

import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import mcp
import pytest
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.types import ElicitResult

from tests.hosts.mcp_server import conformance_server
from tests.hosts.mcp_server.kits import TableKit, echo, needs_approval
from toolroll.hosts.mcp_server import McpApp, ServerOptions, mcp_app

pytestmark = pytest.mark.anyio

STDIO = str(Path(__file__).with_name("conformance_stdio.py"))
MODES = pytest.mark.parametrize("mode", ["auto", "legacy", "2026-07-28"])
DOORS = pytest.mark.parametrize("door", ["stdio", "http"])


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def reply(context: Any, params: Any) -> ElicitResult:
    """Fill in every form."""
    fields = params.requested_schema["properties"]
    content: dict[str, Any] = {
        name: True if field["type"] == "boolean" else f"my {name}" for name, field in fields.items()
    }
    return ElicitResult(action="accept", content=content)


@asynccontextmanager
async def connected(door: str, mode: str, app: McpApp[Any] | None = None) -> AsyncGenerator[Any]:
    if door == "stdio":
        target: Any = StdioServerParameters(command=sys.executable, args=[STDIO])
    else:
        app = app or conformance_server.make_app()
        http = httpx2.AsyncClient(transport=httpx2.ASGITransport(app))
        target = streamable_http_client("http://127.0.0.1/mcp", http_client=http)
    async with mcp.Client(target, mode=mode, elicitation_callback=reply) as client:
        yield client


@MODES
@DOORS
@pytest.mark.rule("mcp-server-official-client")
async def test_it_lists_and_calls(door: str, mode: str) -> None:
    async with connected(door, mode) as client:
        modern = mode != "legacy"
        assert client.protocol_version == ("2026-07-28" if modern else "2025-11-25")
        tools = (await client.list_tools()).tools
        assert tools[0].name == "test_simple_text"
        assert tools[0].annotations.read_only_hint is True
        result = await client.call_tool("test_simple_text", {})
        assert result.content[0].text == "This is a simple text response for testing."
        mixed = await client.call_tool("test_multiple_content_types", {})
        assert [block.type for block in mixed.content] == ["text", "image", "resource"]
        failed = await client.call_tool("test_error_handling", {})
        assert failed.is_error
        wrong = await client.call_tool("test_elicitation", {"mesage": "x"})
        assert wrong.is_error
        assert 'unknown property "mesage"' in wrong.content[0].text
        with pytest.raises(mcp.MCPError, match="Unknown tool"):
            await client.call_tool("nope", {})


@MODES
@DOORS
@pytest.mark.rule("mcp-server-official-client", "mcp-server-progress")
async def test_it_hears_progress(door: str, mode: str) -> None:
    steps: list[float] = []

    async def heard(progress: float, total: float | None, message: str | None) -> None:
        steps.append(progress)

    async with connected(door, mode) as client:
        await client.call_tool("test_tool_with_progress", {}, progress_callback=heard)
    assert steps == [0, 50, 100]


@MODES
@DOORS
@pytest.mark.rule("mcp-server-official-client", "mcp-server-rounds")
async def test_it_answers_questions(door: str, mode: str) -> None:
    if (door, mode) == ("http", "legacy"):
        pytest.skip("an in-process transport sends a stream only when it is whole")
    async with connected(door, mode) as client:
        result = await client.call_tool("test_input_required_result_elicitation", {})
        assert result.content[0].text == "Hello, my name!"
        result = await client.call_tool("test_input_required_result_multi_round", {})
        assert result.content[0].text == "both known"


@pytest.mark.rule("mcp-server-official-client", "mcp-server-approval")
async def test_it_approves() -> None:
    app = mcp_app(TableKit({"purge": needs_approval(echo)}), name="demo", version="1")
    async with connected("http", "auto", app) as client:
        result = await client.call_tool("purge", {"text": "gone"})
        assert result.content[0].text == "gone"


@pytest.mark.rule("mcp-server-official-client")
async def test_it_mirrors_marked_arguments() -> None:
    async with connected("http", "auto") as client:
        await client.list_tools()
        result = await client.call_tool("test_header_tool", {"region": "Übersee"})
        assert result.content[0].text == "Übersee"


@MODES
@DOORS
@pytest.mark.rule("mcp-server-official-client", "mcp-server-same-ids")
async def test_many_of_its_calls_run_at_once(door: str, mode: str) -> None:
    async with connected(door, mode) as client:
        done: list[str] = []

        async def one() -> None:
            result = await client.call_tool("test_simple_text", {})
            done.append(result.content[0].text)

        async with anyio.create_task_group() as tasks:
            for _ in range(32):
                tasks.start_soon(one)
        assert len(done) == 32


@pytest.mark.rule("mcp-server-official-client", "mcp-server-cancel")
async def test_its_cancelled_call_cancels_the_handler() -> None:
    began, cancelled = anyio.Event(), anyio.Event()

    async def forever(made: Any, context: Any) -> Any:
        began.set()
        try:
            await anyio.sleep_forever()
        finally:
            cancelled.set()

    app = mcp_app(TableKit({"forever": forever}), name="demo", version="1", options=ServerOptions())
    async with connected("http", "auto", app) as client:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(client.call_tool, "forever", {})
            await began.wait()
            tasks.cancel_scope.cancel()
        await cancelled.wait()
