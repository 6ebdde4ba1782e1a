"""MCP servers with the three tools of an exam: ours and one made with the official SDK."""

from typing import Any

import anyio
from mcp import types
from mcp.server.lowlevel import Server

from tests.testing.stage import CURRENT, SAID
from toolroll.content import Text, ToolResult
from toolroll.hosts.mcp_server import ServerOptions, mcp_app
from toolroll.toolkit import LocalToolkit
from toolroll.tools import tool


async def work() -> None:
    """Work without end, until it is cancelled."""
    situation = CURRENT.get()
    situation.running += 1
    try:
        await anyio.sleep_forever()
    finally:
        situation.running -= 1


@tool(effect="write")
async def echo(text: str) -> str:
    """Say it again."""
    if CURRENT.get().state == "slow":
        await anyio.sleep_forever()
    return text


@tool(effect="write")
async def failing() -> ToolResult:
    """Fail."""
    return ToolResult((Text(CURRENT.get().report(SAID)),), is_error=True)


@tool(effect="write")
async def blocking() -> str:
    """Never answer."""
    await work()
    return ""


KIT = LocalToolkit("exam", echo, failing, blocking)


def ours() -> Any:
    """Our own server."""
    options = ServerOptions(sessions="signed", path=None)
    return mcp_app(KIT, name="exam", version="1", options=options)


def official() -> Any:
    """A server of the official SDK, over streamable HTTP."""
    return official_server().streamable_http_app(host="127.0.0.1")


def official_server() -> Server[Any]:
    """A server of the official SDK."""
    return Server("exam", version="1", on_list_tools=_list, on_call_tool=_call)


def _schema(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": [*properties]}


async def _list(context: Any, params: Any) -> types.ListToolsResult:
    return types.ListToolsResult(
        tools=[
            types.Tool(name="echo", input_schema=_schema(text={"type": "string"})),
            types.Tool(name="failing", input_schema=_schema()),
            types.Tool(name="blocking", input_schema=_schema()),
        ]
    )


async def _call(context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
    given = params.arguments or {}
    match params.name:
        case "echo":
            if CURRENT.get().state == "slow":
                await anyio.sleep_forever()
            return _result(given["text"])
        case "failing":
            return _result(CURRENT.get().report(SAID), is_error=True)
        case "blocking":
            await work()
            return _result("")
        case _:
            raise ValueError(CURRENT.get().words(f"no tool {params.name}"))


def _result(words: str, *, is_error: bool = False) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=words)], is_error=is_error
    )
