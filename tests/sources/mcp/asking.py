"""What the tests of MCP sources do again and again."""

import dataclasses
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest

from toolroll.content import JsonObject, ToolResult
from toolroll.sources.mcp import McpOptions, McpSource, mcp_http
from toolroll.sources.source import SourceError, Timeouts
from toolroll.tools.context import CallContext
from toolroll.tools.definition import ToolDefinition
from toolroll.tools.hints import Hints

AMPLE = Timeouts(connect=60, idle=60, total=60)
"""Limits that a test which is well never meets."""
NOTHING: CallContext[Any] = CallContext()


_UNSAID = Hints()


def tool(
    name: str = "echo",
    *,
    schema: JsonObject | None = None,
    output: JsonObject | None = None,
    hints: Hints = _UNSAID,
) -> ToolDefinition:
    """A definition as a catalog might hold it."""
    return ToolDefinition(
        name=name,
        description="",
        input_schema=schema or {"type": "object", "properties": {}},
        output_schema=output,
        hints=hints,
    )


ECHO = tool()


def source(url: str, **given: Any) -> McpSource:
    """A source with ample limits."""
    given.setdefault("timeouts", AMPLE)
    return mcp_http("demo", url, **given).with_options(McpOptions(grace=60))


def hurry(client: McpSource, *, idle: float = 60, total: float = 60) -> None:
    """From now on a source has other limits: what came before had the time it needed."""
    limits = Timeouts(connect=60, idle=idle, total=total)
    client._settings = dataclasses.replace(client._settings, timeouts=limits)


async def call(
    source: McpSource,
    arguments: Mapping[str, Any] | None = None,
    *,
    tool: ToolDefinition = ECHO,
    context: CallContext[Any] = NOTHING,
) -> ToolResult:
    """Call one tool."""
    return await source.call(tool, arguments or {}, context)


async def failing(source: McpSource, **given: Any) -> SourceError:
    """Call one tool that must fail; how it failed."""
    with pytest.raises(SourceError) as caught:
        await call(source, **given)
    assert caught.value.source == source.name
    return caught.value


@asynccontextmanager
async def looking(at: Callable[[], object]) -> AsyncGenerator[set[object]]:
    """What another task sees meanwhile, each time it has a turn; equal sights count once."""
    seen: set[object] = set()

    async def look() -> None:
        while True:
            seen.add(at())
            await anyio.sleep(0)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(look)
        yield seen
        tasks.cancel_scope.cancel()
