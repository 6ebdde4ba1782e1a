"""A server made with the official SDK, over HTTP and stdio: the other side for our client.

python official_server.py        # serves stdio
"""

from typing import Any

import anyio
from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.lowlevel.server import NotificationOptions
from mcp.server.stdio import stdio_server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged

EVENTS: list[str] = []
"""What happened to `slow`, for tests that share the process."""


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


TOOLS = [
    types.Tool(
        name="echo",
        description="Gives its text back.",
        input_schema=_object(text={"type": "string"}),
        annotations=types.ToolAnnotations(read_only_hint=True),
    ),
    types.Tool(name="failing", input_schema=_object()),
    types.Tool(name="change", input_schema=_object()),
    types.Tool(name="slow", input_schema=_object(seconds={"type": "number"})),
    types.Tool(name="progress", input_schema=_object(steps={"type": "integer"})),
    types.Tool(
        name="sum",
        input_schema=_object(a={"type": "integer"}, b={"type": "integer"}),
        output_schema=_object(sum={"type": "integer"}),
    ),
    types.Tool(name="blocks", input_schema=_object()),
    types.Tool(
        name="marked",
        input_schema=_object(region={"type": "string", "x-mcp-header": "Region"}),
    ),
    types.Tool(name="ask", input_schema=_object()),
]

FORM = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}


def _text(text: str) -> types.TextContent:
    return types.TextContent(type="text", text=text)


BUS = InMemorySubscriptionBus()


async def _list(context: Any, params: Any) -> types.ListToolsResult:
    cursor = params.cursor if params else None
    half = len(TOOLS) // 2
    if cursor is None:
        return types.ListToolsResult(tools=TOOLS[:half], next_cursor="rest", ttl_ms=5000)
    return types.ListToolsResult(tools=TOOLS[half:], ttl_ms=2000)


async def _call(context: Any, params: types.CallToolRequestParams) -> Any:
    given = params.arguments or {}
    match params.name:
        case "echo" | "marked":
            words = str(given.get("text") or given.get("region"))
            return types.CallToolResult(content=[_text(words)])
        case "change":
            await context.session.send_tool_list_changed()
            await BUS.publish(ToolsListChanged())
            return types.CallToolResult(content=[_text("told")])
        case "failing":
            return types.CallToolResult(content=[_text("no such account")], is_error=True)
        case "slow":
            EVENTS.append("begun")
            try:
                await anyio.sleep(given.get("seconds", 1))
            except BaseException:
                EVENTS.append("cancelled")
                raise
            EVENTS.append("finished")
            return types.CallToolResult(content=[_text("done")])
        case "progress":
            steps = given.get("steps", 3)
            for step in range(1, steps + 1):
                await context.session.report_progress(step, steps, f"step {step}")
            return types.CallToolResult(content=[_text("done")])
        case "sum":
            total = {"sum": given["a"] + given["b"]}
            return types.CallToolResult(
                content=[_text(f'{{"sum": {total["sum"]}}}')], structured_content=total
            )
        case "blocks":
            return types.CallToolResult(
                content=[
                    _text("a"),
                    types.ImageContent(type="image", data="AAEC", mime_type="image/png"),
                    types.AudioContent(type="audio", data="AAEC", mime_type="audio/wav"),
                    types.ResourceLink(type="resource_link", uri="note:1", name="one"),
                    types.EmbeddedResource(
                        type="resource",
                        resource=types.TextResourceContents(uri="note:1", text="x"),
                    ),
                ]
            )
        case "ask":
            responses = params.input_responses
            if not responses:
                request = types.ElicitRequest(
                    params=types.ElicitRequestFormParams(message="Who?", requested_schema=FORM)
                )
                return types.InputRequiredResult(input_requests={"q": request}, request_state="s1")
            return types.CallToolResult(content=[_text(f"{params.request_state} {responses}")])
        case _:
            raise ValueError(f"no tool {params.name}")


class _Telling(Server[Any]):
    """A server that tells legacy clients too that it tells of changes."""

    def create_initialization_options(self, *given: Any, **named: Any) -> Any:
        told = NotificationOptions(tools_changed=True)
        return super().create_initialization_options(
            *given, **{"notification_options": told, **named}
        )


def make_server() -> Server[Any]:
    """A fresh server."""
    return _Telling(
        "official",
        version="1.0",
        on_list_tools=_list,
        on_call_tool=_call,
        on_subscriptions_listen=ListenHandler(BUS),
    )


async def _serve_stdio() -> None:
    server = make_server()
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(_serve_stdio)
