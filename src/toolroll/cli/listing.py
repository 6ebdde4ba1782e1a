"""`toolroll list`."""

from toolroll.cli import exit_code
from toolroll.cli.console import clean, console, print_json, print_report, say, table
from toolroll.cli.target import Target
from toolroll.content import JsonValue, compact_json
from toolroll.outcome import note_to_json
from toolroll.toolkit import ListedTool, Listing
from toolroll.tools.context import CallContext

_EFFECT_STYLES = {"read": "green", "write": "yellow", "destructive": "red"}
_DECISION_STYLES = {"allow": "green", "approve": "yellow"}


async def list_tools(target: Target, *, as_json: bool) -> int:
    """Print the tools as a table, or as JSON with what was left out."""
    async with target.open() as gateway:
        listing = gateway.kit.listing(CallContext())
        report = gateway.report + listing.report
    if as_json:
        tools: list[JsonValue] = [_as_json(tool) for tool in listing.tools]
        print_json({"tools": tools, "notes": [note_to_json(note) for note in report.notes]})
        return exit_code.OK
    rows = table("tool", "source", "effect", "decision", "bytes", "description")
    for tool in listing.tools:
        effect = tool.definition.hints.effect or "unknown"
        rows.add_row(
            clean(tool.name),
            clean(tool.source),
            f"[{_EFFECT_STYLES.get(effect, 'dim')}]{effect}[/]",
            f"[{_DECISION_STYLES[tool.decision]}]{tool.decision}[/]",
            f"{size_of(tool):,}",
            clean(first_sentence(tool.definition.description)),
        )
    if listing.tools:
        console().print(rows)
    total = sum(map(size_of, listing.tools))
    say(f"{len(listing.tools)} tools, {total:,} bytes")
    print_report(report)
    return exit_code.OK


def find_listed(listing: Listing, name: str) -> ListedTool | None:
    """The tool of this name; else the only one whose name in its own source this is."""
    if (listed := listing.find(name)) is not None:
        return listed
    there = [tool for tool in listing.tools if tool.origin == name]
    return there[0] if len(there) == 1 else None


def size_of(tool: ListedTool) -> int:
    """Bytes of what a model is shown of a tool: name, description and schema."""
    definition = tool.definition
    shown: JsonValue = {
        "name": definition.name,
        "description": definition.description,
        "input_schema": definition.input_schema,
    }
    return len(compact_json(shown).encode())


def first_sentence(description: str) -> str:
    """The first line of a description, cut to fit a table."""
    line = description.strip().partition("\n")[0]
    return line if len(line) <= 100 else f"{line[:99]}…"


def _as_json(tool: ListedTool) -> JsonValue:
    return {
        "name": tool.name,
        "source": tool.source,
        "origin": tool.origin,
        "effect": tool.definition.hints.effect,
        "decision": tool.decision,
        "bytes": size_of(tool),
        "definition": tool.definition.to_json(),
    }
