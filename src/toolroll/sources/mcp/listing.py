"""A server's tools, page by page and item by item, cleaned of what nobody sees.

Source: MCP 2026-07-28, server/tools, "Listing Tools", and server/utilities/pagination.
"""

import dataclasses
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping

from anyio.lowlevel import checkpoint

from toolroll.content import JsonObject, JsonValue
from toolroll.outcome import Note, Report
from toolroll.protocol import (
    LONGEST_NAME,
    ToolReading,
    find_marks,
    next_cursor,
    read_tools,
    read_ttl,
)
from toolroll.schema.walk import Place, transform
from toolroll.sources.mcp.option import Settings
from toolroll.sources.source import Discovery, SourceError
from toolroll.text import Cleaned, clean_text, sanitize_line
from toolroll.tools.definition import ToolDefinition

_AT_A_TIME = 50
_MOST_NOTES, _LOGGED_NOTES = 1000, 50
_SAID = ("title", "description", "$comment")
_NO_PARAMS: JsonObject = {}


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class PageOfTools:
    """One page as it came, its size in bytes, and whether the server speaks the modern era."""

    result: JsonObject
    size: int
    modern: bool


class Lister:
    """Reads the whole list of a server.

    Args:
        settings: of the source.
        mirrors: marked arguments travel as headers, so a tool with a bad mark cannot be used.
        log: of the source.
    """

    def __init__(self, settings: Settings, *, mirrors: bool, log: logging.Logger) -> None:
        self._source, self._options = settings.name, settings.options
        self._mirrors, self._log = mirrors, log

    async def read(self, page: Callable[[JsonObject], Awaitable[PageOfTools]]) -> Discovery:
        """Every page, each once.

        A page that fails fails the listing: half a list never looks like a whole one. A cursor
        that was there before, and a list beyond the limits, end it with a note.

        Args:
            page: asks for one, given the params.
        """
        definitions: dict[str, ToolDefinition] = {}
        names: set[str] = set()  # of tools left out for a fault too
        notes: list[Note] = []
        ttl: float | None = None
        seen: set[str] = set()
        cursor: str | None = None
        size = 0
        for number in range(self._options.pages):
            got = await page(_NO_PARAMS if cursor is None else {"cursor": cursor})
            await self._take(got, definitions, names, notes)
            size += got.size
            life = read_ttl(got.result)
            life = 0.0 if life is None and got.modern else life
            ttl = life if ttl is None or life is None else min(ttl, life)
            cursor = next_cursor(got.result)
            if cursor is None or len(definitions) > self._options.tools:
                break
            if size > self._options.listing_bytes:
                notes.append(self._cut(f"more than {self._options.listing_bytes:,} bytes"))
                break
            if cursor in seen:
                notes.append(self._cut(f"page {number + 1} leads back to an earlier page"))
                break
            seen.add(cursor)
        else:
            notes.append(self._cut(f"more than {self._options.pages} pages"))
        kept = list(definitions.values())[: self._options.tools]
        if len(kept) < len(definitions):
            notes.append(self._cut(f"more than {self._options.tools} tools"))
        if len(notes) > _MOST_NOTES:
            rest = len(notes) - _MOST_NOTES
            notes = [*notes[:_MOST_NOTES], self._cut(f"{rest} more notes are left out")]
        for note in notes[:_LOGGED_NOTES]:
            self._log.warning("%s: %s (%s)", note.subject, note.reason, note.kind)
        return Discovery(definitions=tuple(kept), report=Report.of(notes), ttl=ttl)

    async def _take(
        self,
        got: PageOfTools,
        definitions: dict[str, ToolDefinition],
        names: set[str],
        notes: list[Note],
    ) -> None:
        """Read a page, some tools at a time: others run in between, and limits are held."""
        listed = got.result.get("tools")
        for start in range(0, len(listed) if isinstance(listed, list) else 1, _AT_A_TIME):
            some = listed[start : start + _AT_A_TIME] if isinstance(listed, list) else listed
            reading = read_tools(some, source=self._source, taken=names, first=start + 1)
            if isinstance(reading, str):
                raise SourceError(self._source, "invalid-response", f"tools/list: {reading}")
            names.update(definition.name for definition in reading.definitions)
            self._keep(reading, definitions, notes, modern=got.modern)
            if len(definitions) > self._options.tools:
                return
            await checkpoint()

    def _keep(
        self,
        reading: ToolReading,
        definitions: dict[str, ToolDefinition],
        notes: list[Note],
        *,
        modern: bool,
    ) -> None:
        notes.extend(reading.notes)
        for definition in reading.definitions:
            fault = self._fault(definition, modern=modern)
            if fault is not None:
                subject = sanitize_line(definition.name)[:LONGEST_NAME]
                notes.append(Note("skipped", subject, fault, self._source))
                continue
            cleaned, removed = clean_definition(definition)
            definitions[definition.name] = cleaned
            if removed:
                notes.append(Note("cleaned", definition.name, removed, self._source))

    def _fault(self, definition: ToolDefinition, *, modern: bool) -> str | None:
        if clean_text(definition.name).text != definition.name or not definition.name.isprintable():
            return "its name has characters that nobody sees"
        if not (self._mirrors and modern):
            return None
        reading = find_marks(definition.input_schema, number_marks=self._options.number_marks)
        return reading.faults[0] if reading.faults else None

    def _cut(self, reason: str) -> Note:
        return Note("cut", "tools/list", f"the list is cut: {reason}", self._source)


def clean_definition(definition: ToolDefinition) -> tuple[ToolDefinition, str]:
    r"""A definition without text that nobody sees, and what went, in words.

    Titles and descriptions are cleaned, in its schemas too. Names, enums, defaults and other data
    stay as they are: the server means them.

    Example:
        >>> tool = ToolDefinition(name="a", description="b\u200bc", input_schema={})
        >>> clean_definition(tool)[0].description, clean_definition(tool)[1]
        ('bc', 'removed 1 invisible')
    """
    schemas = (definition.input_schema, definition.output_schema or {})
    said = [definition.title or "", definition.description]
    for schema in schemas:
        said.extend(_texts(schema))
    if not any(clean_text(text).removed for text in said):
        return definition, ""
    return _cleaned(definition)


def _texts(value: JsonValue) -> Iterator[str]:
    """Every text under a key that may say something, wherever the key stands."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, Mapping):
            yield from (text for key in _SAID if isinstance(text := item.get(key), str))
            waiting.extend(each for each in item.values() if not isinstance(each, str))
        elif isinstance(item, (list, tuple)):
            waiting.extend(item)


def _cleaned(definition: ToolDefinition) -> tuple[ToolDefinition, str]:
    counts: dict[str, int] = {}

    def cleaned(text: str) -> str:
        result: Cleaned = clean_text(text)
        for kind, count in result.removed.items():
            counts[kind] = counts.get(kind, 0) + count
        return result.text

    def said(schema: dict[str, JsonValue], _: Place) -> JsonValue:
        for key in _SAID:
            if isinstance(text := schema.get(key), str):
                schema[key] = cleaned(text)
        return schema

    fresh = dataclasses.replace(
        definition,
        title=None if definition.title is None else cleaned(definition.title),
        description=cleaned(definition.description),
        input_schema=_as_schema(transform(definition.input_schema, said)),
        output_schema=None
        if definition.output_schema is None
        else _as_schema(transform(definition.output_schema, said)),
    )
    return fresh, Cleaned(text="", removed=counts).summary


def _as_schema(value: JsonValue) -> JsonObject:
    return value if isinstance(value, dict) else {}
