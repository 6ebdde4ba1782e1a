"""The tools of a toolkit as `tools/list` has them, and what a call needs to know of one.

Source: MCP 2026-07-28, server/tools, "Listing Tools" and "Tool"; the tool definition contract,
"MCP adapter".
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from toolroll.content import JsonObject, JsonValue
from toolroll.hosts.mcp_server.rejection import bad_params
from toolroll.protocol import Mark, cut_page, features_of, find_marks, write_tool
from toolroll.toolkit.protocol import Listing
from toolroll.tools.definition import ToolDefinition

_FRESH_SECONDS = 1.0
_MOST_FACTS = 20_000


@dataclass(frozen=True, slots=True)
class ToolPage:
    """One page of `tools/list`: the tools as they are sent, and the cursor of the next page."""

    tools: Sequence[JsonObject]
    cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolFacts:
    """What a call needs to know of its tool.

    Args:
        definition: None for a tool that is not listed.
        marks: arguments that travel as headers too; none where a mark is at fault, because then
            clients leave the tool out and nobody sends headers for it.
    """

    definition: ToolDefinition | None = None
    marks: tuple[Mark, ...] = ()


_NO_FACTS = ToolFacts()


class ToolPages:
    """Writes listings, and keeps what it wrote while the definitions stay the same."""

    __slots__ = ("_facts", "_written")

    def __init__(self) -> None:
        self._written: dict[str, tuple[tuple[ToolDefinition, ...], list[JsonObject]]] = {}
        self._facts: dict[str, tuple[float, ToolFacts]] = {}

    def page(self, listing: Listing, cursor: JsonValue, *, size: int, version: str) -> ToolPage:
        """The page a cursor stands for, in the order of the listing.

        Raises:
            Rejection: the cursor is none of ours, or of a list that has changed since.
        """
        definitions = tuple(tool.definition for tool in listing.tools)
        kept = self._written.get(version)
        if kept is None or not _same(kept[0], definitions):
            kept = (definitions, [_written(each, version) for each in definitions])
            self._written[version] = kept
        page = cut_page(kept[1], cursor, size=size, revision=listing.revision)
        if page is None:
            raise bad_params("the cursor is unknown or of a list that has changed; list again")
        return ToolPage(page.items, page.cursor)

    def facts_of(self, name: str, listing: Callable[[], Listing]) -> "ToolFacts":
        """What a call needs to know of a tool; nothing of a name that is not listed.

        A large toolkit takes a while to list, so what was found is believed for a second.

        Args:
            name: the tool.
            listing: lists the tools of this caller.
        """
        now = time.monotonic()
        kept = self._facts.get(name)
        if kept is not None and now - kept[0] < _FRESH_SECONDS:
            return kept[1]
        tool = listing().find(name)
        if tool is None:
            return _NO_FACTS
        if kept is not None and kept[1].definition is tool.definition:
            facts = kept[1]
        else:
            facts = _facts_of(tool.definition)
        if len(self._facts) >= _MOST_FACTS:  # names of a live toolkit may come and go for ever
            self._facts.clear()
        self._facts[name] = (now, facts)
        return facts


def _written(definition: ToolDefinition, version: str) -> JsonObject:
    """One tool as it is sent; its schema says that it is an object, which clients insist on."""
    written = write_tool(definition, version=version)
    schema = definition.input_schema
    return (
        written
        if schema.get("type") == "object"
        else {**written, "inputSchema": {**schema, "type": "object"}}
    )


def _facts_of(definition: ToolDefinition) -> ToolFacts:
    reading = find_marks(definition.input_schema)
    return ToolFacts(definition=definition, marks=() if reading.faults else reading.marks)


def shows_output(schema: JsonObject | None, version: str) -> bool:
    """Whether a client of this version is told of an output schema, and gets data that fits it.

    Versions before 2026-07-28 know objects only.
    """
    features = features_of(version)
    if schema is None or not features.titles:
        return False
    return features.any_data or schema.get("type") == "object"


def lacking(required: JsonObject, capabilities: JsonObject) -> JsonObject:
    """The part of what a tool needs that a client does not say it has.

    Example:
        >>> lacking({"elicitation": {"form": {}}}, {"elicitation": {}, "sampling": {}})
        {'elicitation': {'form': {}}}
    """
    return {
        name: wanted for name, wanted in required.items() if not _has(capabilities, name, wanted)
    }


def _has(capabilities: JsonObject, name: str, wanted: JsonValue) -> bool:
    had = capabilities.get(name)
    if not isinstance(had, Mapping):
        return False
    return not isinstance(wanted, Mapping) or all(key in had for key in wanted)


def _same(before: Sequence[ToolDefinition], now: Sequence[ToolDefinition]) -> bool:
    return len(before) == len(now) and all(map(_is, before, now))


def _is(one: object, other: object) -> bool:
    return one is other
