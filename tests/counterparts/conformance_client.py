"""Our client for the official conformance suite.

    conformance client --command "python tests/counterparts/conformance_client.py" \\
        --requirements 2026-07-28

The suite gives the address as the last argument, the scenario and what it needs in the environment.
Credentials come from a host's HTTP client, so the `auth/*` scenarios are not ours.
"""

import json
import os
import sys
from typing import Any

import anyio

from toolroll.content import JsonObject
from toolroll.sources.mcp import McpOptions, mcp_http
from toolroll.sources.source import SourceError, Timeouts
from toolroll.tools.context import CallContext, Question, Reply
from toolroll.tools.definition import ToolDefinition

IDLE = "CONFORMANCE_IDLE"
"""Names the variable with the seconds of silence after which a call is given up; 60 without it."""

SAMPLES: dict[str, Any] = {
    "string": "text",
    "integer": 1,
    "number": 1.5,
    "boolean": True,
    "array": [],
}


async def agree(question: Question) -> Reply:
    """Fill a form with its defaults, else with samples."""
    fields: JsonObject = question.schema.get("properties") or {}  # type: ignore[assignment]
    filled = {name: _sample(field) for name, field in fields.items()}
    return Reply("accept", filled)


def _sample(field: Any) -> Any:
    if "default" in field:
        return field["default"]
    return field["enum"][0] if field.get("enum") else SAMPLES.get(field.get("type"), "text")


def _calls(tools: tuple[ToolDefinition, ...]) -> list[tuple[ToolDefinition, dict[str, Any]]]:
    """What to call: what the suite says, else every tool with samples."""
    context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")
    named = {tool.name: tool for tool in tools}
    told = context.get("toolCalls")
    if told is not None:
        return [
            (named[each["name"]], each.get("arguments", {}))
            for each in told
            if each["name"] in named
        ]
    if "json_schema_echo" in named:
        # What a client knows of a schema must be all of it: one tool's schema goes to the other.
        whole = named["json_schema_2020_12_tool"].input_schema
        return [(named["json_schema_echo"], {"schema": whole})]
    return [(tool, _arguments(tool.input_schema)) for tool in tools]


def _arguments(schema: Any) -> dict[str, Any]:
    properties = schema.get("properties", {})
    if "a" in properties and "b" in properties:
        return {"a": 5, "b": 3}
    return {name: _sample(properties.get(name, {})) for name in schema.get("required", [])}


async def main(url: str) -> None:
    options = McpOptions(questions=True)
    limits = Timeouts(connect=60, idle=float(os.environ.get(IDLE) or 60), total=60)
    made = mcp_http("conformance", url, timeouts=limits)
    async with made.with_options(options) as source:
        discovery = await source.discover()
        for note in discovery.report.notes:
            print(note)
        for tool, arguments in _calls(discovery.definitions):
            try:
                print(tool.name, await source.call(tool, arguments, CallContext(on_ask=agree)))
            except SourceError as error:
                print(tool.name, error)


if __name__ == "__main__":
    anyio.run(main, sys.argv[-1])
