"""The fixture of the official conformance suite, made of Toolroll's tools: run it with a port.

    python tests/hosts/mcp_server/conformance_server.py 8765
    conformance server --url http://127.0.0.1:8765/mcp --requirements 2026-07-28

It has the tools that a server of tools alone can have. Prompts, resources, completion, sampling and
roots are not there.
"""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

if __name__ == "__main__":  # run as a script, from anywhere
    sys.path.insert(0, str(Path(__file__).parents[3]))

import anyio

from toolroll.content import (
    Audio,
    EmbeddedResource,
    Image,
    JsonObject,
    Text,
    ToolResult,
    compact_json,
)
from toolroll.hosts.mcp_server import McpApp, ServerOptions, mcp_app, serve_http
from toolroll.toolkit.live import LiveToolkit
from toolroll.toolkit.local import LocalToolkit
from toolroll.tools.context import CallContext, Question
from toolroll.tools.define import define_tool, tool
from toolroll.tools.definition import ToolDefinition
from toolroll.tools.hints import Hints

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA="
RESOURCE = EmbeddedResource(
    "test://embedded-resource",
    text="This is an embedded resource content.",
    mime_type="text/plain",
)
Context = CallContext[object]


def form(required: tuple[str, ...] = (), **fields: JsonObject) -> JsonObject:
    """A form of these fields."""
    return {"type": "object", "properties": fields, "required": list(required)}


@tool(effect="read")
async def test_simple_text() -> str:
    """Answer with a text."""
    return "This is a simple text response for testing."


@tool(effect="read")
async def test_image_content() -> ToolResult:
    """Answer with a picture."""
    return ToolResult(content=(Image(PIXEL, "image/png"),))


@tool(effect="read")
async def test_audio_content() -> ToolResult:
    """Answer with a sound."""
    return ToolResult(content=(Audio(SILENCE, "audio/wav"),))


@tool(effect="read")
async def test_embedded_resource() -> ToolResult:
    """Answer with a resource."""
    return ToolResult(content=(RESOURCE,))


@tool(effect="read")
async def test_multiple_content_types() -> ToolResult:
    """Answer with several kinds of block."""
    mixed = EmbeddedResource(
        "test://mixed-content-resource",
        text='{"test":"data","value":123}',
        mime_type="application/json",
    )
    blocks = (Text("Multiple content types test:"), Image(PIXEL, "image/png"), mixed)
    return ToolResult(content=blocks)


@tool(effect="read")
async def test_error_handling() -> ToolResult:
    """Report a failure."""
    blocks = (Text("This tool intentionally returns an error for testing"),)
    return ToolResult(content=blocks, is_error=True)


@tool(effect="read")
async def test_tool_with_progress(context: Context) -> str:
    """Report progress three times."""
    for step in (0, 50, 100):
        context.progress(f"Completed step {step} of 100", step, 100)
        await anyio.sleep(0.02)
    return "progress done"


@tool(effect="read")
async def test_tool_with_logging() -> str:
    """Stand where a server that logs to its client would log."""
    return "nothing logged"


@tool(effect="read")
async def test_logging_tool() -> str:
    """Log nothing, whatever level the client asks for."""
    return "nothing logged"


@tool(effect="read")
async def test_missing_capability() -> str:
    """Need a client that samples; see `required_capabilities` below."""
    return "not reached"


async def replied(context: Context, question: Question) -> str:
    """Ask, and say what came back."""
    reply = await context.ask(question)
    return f"action={reply.action}, content={compact_json(reply.content or {})}"


@tool(effect="read")
async def test_streaming_elicitation(context: Context) -> str:
    """Ask a question."""
    return await replied(context, Question("Sure?", form(ok={"type": "boolean"})))


@tool(effect="read")
async def test_elicitation(context: Context, message: str) -> str:
    """Ask what the caller says."""
    username = {"type": "string", "description": "User's response"}
    email = {"type": "string", "description": "User's email address"}
    question = Question(message, form(("username", "email"), username=username, email=email))
    return f"User response: {await replied(context, question)}"


@tool(effect="read")
async def test_elicitation_sep1034_defaults(context: Context) -> str:
    """Ask with a default for every kind of field."""
    fields = form(
        name={"type": "string", "default": "John Doe"},
        age={"type": "integer", "default": 30},
        score={"type": "number", "default": 95.5},
        status={"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        verified={"type": "boolean", "default": True},
    )
    return f"Elicitation completed: {await replied(context, Question('Please check.', fields))}"


@tool(effect="read")
async def test_elicitation_sep1330_enums(context: Context) -> str:
    """Ask with every kind of choice."""
    options: list[str] = ["option1", "option2", "option3"]
    titled: list[JsonObject] = [{"const": f"value{n}", "title": f"Option {n}"} for n in range(1, 4)]
    fields = form(
        untitledSingle={"type": "string", "enum": options},
        titledSingle={"type": "string", "oneOf": titled},
        legacyEnum={
            "type": "string",
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"],
        },
        untitledMulti={"type": "array", "items": {"type": "string", "enum": options}},
        titledMulti={"type": "array", "items": {"anyOf": titled}},
    )
    return f"Elicitation completed: {await replied(context, Question('Please choose.', fields))}"


@tool(effect="read")
async def test_input_required_result_elicitation(context: Context) -> str:
    """Ask for a name."""
    fields = form(("name",), name={"type": "string"})
    reply = await context.ask(Question("What is your name?", fields, key="user_name"))
    return f"Hello, {(reply.content or {}).get('name', 'nobody')}!"


@tool(effect="read")
async def test_input_required_result_request_state(context: Context) -> str:
    """Ask once, with a state."""
    await context.ask(Question("Go on?", form(("ok",), ok={"type": "boolean"})))
    return "state-ok"


@tool(effect="read")
async def test_input_required_result_tampered_state(context: Context) -> str:
    """Ask once, with a state that nobody can change."""
    await context.ask(Question("Go on?", form(("ok",), ok={"type": "boolean"})))
    return "state-ok"


@tool(effect="read")
async def test_input_required_result_multi_round(context: Context) -> str:
    """Ask twice, one after the other."""
    name = form(("name",), name={"type": "string"})
    color = form(("color",), color={"type": "string"})
    await context.ask(Question("Step 1: What is your name?", name, key="step1"))
    await context.ask(Question("Step 2: What is your favorite color?", color, key="step2"))
    return "both known"


def definition(name: str, description: str, schema: JsonObject) -> ToolDefinition:
    """A tool of a plain schema."""
    hints = Hints.of_effect("read")
    return ToolDefinition(name=name, description=description, input_schema=schema, hints=hints)


WIDE_SCHEMA: JsonObject = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
            "additionalProperties": False,
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}
MARKED_SCHEMA: JsonObject = {
    "type": "object",
    "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
    "required": ["region"],
    "additionalProperties": False,
}


def make_kit() -> tuple[LiveToolkit[None], Callable[[], None]]:
    """The tools, and a function that changes the list."""
    marked = definition("test_header_tool", "Take a header.", MARKED_SCHEMA)
    wide = definition("json_schema_2020_12_tool", "Take a wide schema.", WIDE_SCHEMA)
    count = 0

    @tool(effect="write")
    async def test_trigger_tool_change() -> str:
        """Change the list of tools."""
        swap()
        return "changed"

    fixed = (
        test_simple_text,
        test_image_content,
        test_audio_content,
        test_embedded_resource,
        test_multiple_content_types,
        test_error_handling,
        test_tool_with_progress,
        test_tool_with_logging,
        test_logging_tool,
        test_missing_capability,
        test_streaming_elicitation,
        test_elicitation,
        test_elicitation_sep1034_defaults,
        test_elicitation_sep1330_enums,
        test_input_required_result_elicitation,
        test_input_required_result_request_state,
        test_input_required_result_tampered_state,
        test_input_required_result_multi_round,
        test_trigger_tool_change,
        define_tool(marked, lambda input: str(input["region"])),
        define_tool(wide, lambda input: compact_json(input)),
    )
    live: LiveToolkit[None] = LiveToolkit(LocalToolkit("conformance", *fixed))

    def swap() -> None:
        nonlocal count
        count += 1
        extra = define_tool(replace(wide, name=f"extra_{count}"), lambda input: compact_json(input))
        live.swap(LocalToolkit("conformance", *fixed, extra))

    return live, swap


def make_app() -> McpApp[None]:
    """The application, with everything on that a client may ask for."""
    live, _ = make_kit()
    options = ServerOptions(
        changes=live.changes,
        sessions="signed",
        required_capabilities={"test_missing_capability": {"sampling": {}}},
        instructions="Tools for the conformance suite.",
    )
    return mcp_app(live, name="toolroll-conformance", version="1.0.0", options=options)


async def main(port: int) -> None:
    """Serve on the loopback."""
    await serve_http(make_app(), port=port)


if __name__ == "__main__":
    anyio.run(main, int(sys.argv[1]))
