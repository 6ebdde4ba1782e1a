"""`toolroll show`."""

from collections.abc import Callable, Mapping
from typing import cast

from toolroll.cli import exit_code
from toolroll.cli.console import clean, console, error_console, print_json, table
from toolroll.cli.listing import find_listed, size_of
from toolroll.cli.target import Target
from toolroll.content import JsonObject, JsonValue
from toolroll.dialects import (
    anthropic,
    anthropic_strict,
    gemini,
    gemini_openapi3,
    openai,
    openai_strict,
)
from toolroll.schema import slim
from toolroll.text import sanitize_text
from toolroll.toolkit import ListedTool
from toolroll.toolkit.lookup import unknown_tool
from toolroll.tools.call import ToolCall
from toolroll.tools.context import CallContext

_DIALECTS: dict[str, Callable[[JsonObject], JsonObject]] = {
    "verbatim": lambda schema: schema,
    "slim": slim,
    "openai": lambda schema: openai.adapt(schema).schema,
    "openai-strict": lambda schema: openai_strict.adapt(schema).schema,
    "anthropic": lambda schema: anthropic.adapt(schema).schema,
    "anthropic-strict": lambda schema: anthropic_strict.adapt(schema).schema,
    "gemini": lambda schema: gemini.adapt(schema).schema,
    "gemini-openapi3": lambda schema: gemini_openapi3.adapt(schema).schema,
}
VIEWS = tuple(_DIALECTS)


async def show_tool(target: Target, name: str, *, view: str, as_json: bool) -> int:
    """Print one tool."""
    async with target.open() as gateway:
        listing = gateway.workspace.kit.listing(CallContext())
    tool = find_listed(listing, name)
    if tool is None:
        refused = unknown_tool(ToolCall.of(name), [listed.name for listed in listing.tools])
        for line in refused.lines_for_model():
            error_console().print(clean(line), style="red")
        return exit_code.REFUSED
    schema = _DIALECTS[view](tool.definition.input_schema)
    if as_json:
        shown: dict[str, JsonValue] = {**tool.definition.to_json(), "inputSchema": schema}
        print_json({"definition": shown, "decision": tool.decision, "source": tool.source})
        return exit_code.OK
    _print(tool, schema)
    return exit_code.OK


def _print(tool: ListedTool, schema: JsonObject) -> None:
    definition = tool.definition
    out = console()
    out.print(f"[bold]{clean(tool.name)}[/]  [dim]{clean(definition.title or '')}[/]".rstrip())
    out.print(
        f"[dim]source[/] {clean(tool.source)}/{clean(tool.origin)}  "
        f"[dim]effect[/] {definition.hints.effect or 'unknown'}  [dim]decision[/] {tool.decision}  "
        f"[dim]bytes[/] {size_of(tool):,}  [dim]fingerprint[/] {definition.fingerprint[:14]}"
    )
    if definition.description:
        out.print()
        out.print(sanitize_text(definition.description), markup=False)
    rows = table("parameter", "type", "required", "description")
    properties = schema.get("properties")
    shown: JsonObject = properties if isinstance(properties, Mapping) else {}
    required = cast("list[str]", schema.get("required") or [])
    for name, inner in shown.items():
        part: JsonObject = inner if isinstance(inner, Mapping) else {}
        rows.add_row(
            clean(name),
            clean(_type_of(part)),
            "yes" if name in required else "",
            clean(str(part.get("description") or "")),
        )
    if rows.row_count:
        out.print()
        out.print(rows)
    out.print()
    print_json(schema)


def _type_of(schema: JsonObject) -> str:
    if "enum" in schema:
        return " | ".join(str(value) for value in cast("list[JsonValue]", schema["enum"]))
    kind = schema.get("type")
    if isinstance(kind, list | tuple):
        return " | ".join(str(one) for one in cast("list[JsonValue]", kind))
    for word in ("anyOf", "oneOf"):
        if isinstance(branches := schema.get(word), list):
            return " | ".join(
                _type_of(cast("JsonObject", branch))
                for branch in branches
                if isinstance(branch, Mapping)
            )
    return str(kind or schema.get("$ref") or "any")
