"""A local MCP server with the three tools of an exam, made with our server or the official SDK.

python stdio_program.py ENGINE LOG
"""

import os
import sys
from functools import partial
from pathlib import Path
from typing import Any

import anyio

ENGINE, LOG = sys.argv[1:3]


def keep(line: str) -> None:
    with Path(LOG).open("a") as file:
        file.write(line + "\n")


async def block() -> None:
    keep("+")
    try:
        await anyio.sleep_forever()
    finally:
        keep("-")


async def serve_ours() -> None:
    from toolroll.content import Text, ToolResult
    from toolroll.hosts.mcp_server import serve_stdio
    from toolroll.toolkit import LocalToolkit
    from toolroll.tools import tool

    @tool(effect="write")
    async def echo(text: str) -> str:
        """Say it again."""
        return text

    @tool(effect="write")
    async def failing() -> ToolResult:
        """Fail."""
        return ToolResult((Text("no such account"),), is_error=True)

    @tool(effect="write")
    async def blocking() -> str:
        """Never answer."""
        await block()
        return ""

    kit = LocalToolkit("exam", echo, failing, blocking)
    await serve_stdio(kit, name="exam", version="1")


async def serve_official() -> None:
    from mcp import types
    from mcp.server.lowlevel import Server
    from mcp.server.stdio import stdio_server

    def schema(**properties: Any) -> dict[str, Any]:
        return {"type": "object", "properties": properties, "required": [*properties]}

    async def list_tools(context: Any, params: Any) -> types.ListToolsResult:
        tools = [
            types.Tool(name="echo", input_schema=schema(text={"type": "string"})),
            types.Tool(name="failing", input_schema=schema()),
            types.Tool(name="blocking", input_schema=schema()),
        ]
        return types.ListToolsResult(tools=tools)

    async def call_tool(context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        words = {"echo": (params.arguments or {}).get("text"), "failing": "no such account"}
        if params.name == "blocking":
            await block()
        if params.name not in words:
            raise ValueError(f"no tool {params.name}")
        content = [types.TextContent(type="text", text=words[params.name])]
        return types.CallToolResult(content=content, is_error=params.name == "failing")

    server: Server[Any] = Server("exam", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


keep(f"begun {os.getpid()}")
anyio.run(partial({"ours": serve_ours, "official": serve_official}[ENGINE]))
