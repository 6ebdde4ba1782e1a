"""`toolroll search`."""

from typing import TYPE_CHECKING

from toolroll.cli import exit_code
from toolroll.cli.console import clean, console, print_json, say, table
from toolroll.cli.listing import first_sentence
from toolroll.cli.target import Target
from toolroll.presentation.index import SearchIndex
from toolroll.tools.context import CallContext

if TYPE_CHECKING:
    from toolroll.content import JsonValue


async def find_tools(target: Target, query: str, *, limit: int, as_json: bool) -> int:
    """Print the tools that fit the words best."""
    async with target.open() as gateway:
        listing = gateway.workspace.kit.listing(CallContext())
    found = SearchIndex(listing.tools).search(query, limit)
    if as_json:
        tools: list[JsonValue] = [tool.definition.to_json() for tool in found.tools]
        print_json({"tools": tools, "matched": found.matched, "available": found.available})
        return exit_code.OK
    rows = table("tool", "source", "description")
    for tool in found.tools:
        rows.add_row(
            clean(tool.name), clean(tool.source), clean(first_sentence(tool.definition.description))
        )
    if found.tools:
        console().print(rows)
    say(f"{found.matched} of {found.available} tools match")
    return exit_code.OK
