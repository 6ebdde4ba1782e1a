"""How each library is given a tool, called, and asked for its list.

Each is imported only where it is installed; see `bench.peers.child`. What they return has no types
here, so all of it is `Any`.
"""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from importlib import import_module
from typing import Any, cast

from bench.peers.subject import TEXT, functions, plain_function, typed_function

Call = Callable[[str], Awaitable[object]]
NAME = "find_items"


def _load(module: str, *names: str) -> Any:
    loaded = cast("Any", import_module(module))
    found = [getattr(loaded, name) for name in names]
    return found[0] if len(found) == 1 else found


async def fastmcp() -> AsyncIterator[tuple[str, Call]]:
    """FastMCP: the tool itself, and the server's door."""
    server = _load("fastmcp", "FastMCP")("bench")
    server.tool(typed_function())
    tool = await server.get_tool(NAME)
    yield "Tool.run", lambda text: tool.run(json.loads(text))
    yield "FastMCP.call_tool", lambda text: server.call_tool(NAME, json.loads(text))


async def pydantic_ai() -> AsyncIterator[tuple[str, Call]]:
    """Pydantic AI: the tool manager that its agent uses."""
    made = _pydantic_ai_toolset([typed_function()])
    manager = _load("pydantic_ai.tool_manager", "ToolManager")(made)
    part = _load("pydantic_ai.messages", "ToolCallPart")
    manager = await manager.for_run_step(_pydantic_ai_context())
    yield "ToolManager.handle_call", lambda text: manager.handle_call(part(NAME, text, "c1"))


async def langchain_core() -> AsyncIterator[tuple[str, Call]]:
    """LangChain: a tool with bare arguments, and with a call of a model."""
    tool = _load("langchain_core.tools", "tool")(typed_function())
    yield "tool.ainvoke(arguments)", lambda text: tool.ainvoke(json.loads(text))
    yield (
        "tool.ainvoke(tool_call)",
        lambda text: tool.ainvoke(
            {"type": "tool_call", "id": "c1", "name": NAME, "args": json.loads(text)}
        ),
    )


async def toolregistry() -> AsyncIterator[tuple[str, Call]]:
    """ToolRegistry: the tool, and the registry's door."""
    registry = _load("toolregistry", "ToolRegistry")()
    registry.register(plain_function())
    tool = registry.get_tool(NAME)
    yield "Tool.arun", lambda text: tool.arun(json.loads(text))
    yield "ToolRegistry.ainvoke", lambda text: registry.ainvoke(NAME, json.loads(text))


CALLS: dict[str, Callable[[], AsyncIterator[tuple[str, Call]]]] = {
    "fastmcp": fastmcp,
    "pydantic-ai-slim": pydantic_ai,
    "langchain-core": langchain_core,
    "toolregistry": toolregistry,
}
"""By the name of the distribution: ways to call its one tool with a text of arguments."""

Listing = Callable[[], Awaitable[list[object]]]


def fastmcp_listing(made: list[Callable[..., object]]) -> Listing:
    """Define tools in FastMCP."""
    server = _load("fastmcp", "FastMCP")("bench")
    for function in made:
        server.tool(function)

    async def listing() -> list[object]:
        tools = await server.list_tools()
        return [
            tool.to_mcp_tool().model_dump(mode="json", by_alias=True, exclude_none=True)
            for tool in tools
        ]

    return listing


def pydantic_ai_listing(made: list[Callable[..., object]]) -> Listing:
    """Define tools in Pydantic AI."""
    toolset = _pydantic_ai_toolset(made)

    async def listing() -> list[object]:
        tools = await toolset.get_tools(_pydantic_ai_context())
        return [
            {
                "name": tool.tool_def.name,
                "description": tool.tool_def.description,
                "inputSchema": tool.tool_def.parameters_json_schema,
            }
            for tool in tools.values()
        ]

    return listing


def langchain_core_listing(made: list[Callable[..., object]]) -> Listing:
    """Define tools in LangChain."""
    tool = _load("langchain_core.tools", "tool")
    convert = _load("langchain_core.utils.function_calling", "convert_to_openai_tool")
    tools = [tool(function) for function in made]

    async def listing() -> list[object]:
        return [convert(item) for item in tools]

    return listing


def toolregistry_listing(made: list[Callable[..., object]]) -> Listing:
    """Define tools in ToolRegistry."""
    registry = _load("toolregistry", "ToolRegistry")()
    for function in made:
        registry.register(function)

    async def listing() -> list[object]:
        return registry.get_schemas(api_format="openai-chat")

    return listing


LISTINGS: dict[str, Callable[[list[Callable[..., object]]], Listing]] = {
    "fastmcp": fastmcp_listing,
    "pydantic-ai-slim": pydantic_ai_listing,
    "langchain-core": langchain_core_listing,
    "toolregistry": toolregistry_listing,
}

IMPORTS = {
    "fastmcp": "from fastmcp import FastMCP",
    "pydantic-ai-slim": "from pydantic_ai.toolsets import FunctionToolset",
    "langchain-core": "from langchain_core.tools import tool",
    "toolregistry": "from toolregistry import ToolRegistry",
}
"""What a program that makes a tool imports."""


def functions_for(library: str, count: int) -> list[Callable[..., object]]:
    """Functions that the library can read."""
    return functions(count, typed=library != "toolregistry")


def _pydantic_ai_toolset(made: list[Any]) -> Any:
    return _load("pydantic_ai.toolsets", "FunctionToolset")(made)


def _pydantic_ai_context() -> Any:
    context, usage = _load("pydantic_ai", "RunContext", "RunUsage")
    model = _load("pydantic_ai.models.test", "TestModel")
    return context(deps=None, model=model(), usage=usage())


__all__ = ["CALLS", "IMPORTS", "LISTINGS", "TEXT", "functions_for"]
