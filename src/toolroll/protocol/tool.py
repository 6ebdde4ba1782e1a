"""Tools in the form of `tools/list`, written for a version and read item by item.

Source: MCP 2026-07-28, server/tools, "Tool".
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from toolroll.content import JsonObject, JsonValue
from toolroll.outcome import Note
from toolroll.protocol.field import as_object, is_plain, list_of, text_of
from toolroll.protocol.version import MODERN, features_of
from toolroll.schema.error import SchemaTooLarge
from toolroll.schema.refs import broken_references
from toolroll.text import sanitize_line
from toolroll.tools.definition import ToolDefinition

LONGEST_NAME = 256
"""Most characters of a tool's name; the standard advises 128."""

_REFERENCES = frozenset({"$ref", "$dynamicRef"})
_NO_PARAMETERS: JsonObject = {"type": "object", "properties": {}}


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolReading:
    """The tools of a list that can be used, and a note for each that cannot or was mended."""

    definitions: tuple[ToolDefinition, ...]
    notes: tuple[Note, ...]


def write_tool(definition: ToolDefinition, *, version: str = MODERN) -> dict[str, JsonValue]:
    """One entry of `tools/list`.

    The title stands twice, because some clients read only the one among the annotations. What a
    version cannot say is left out: titles, output schemas and `_meta` before 2025-06-18, an output
    schema that is no object before 2026-07-28.

    Example:
        >>> from toolroll.tools.hints import Hints
        >>> tool = ToolDefinition(name="now", description="Tells the time.", title="Now",
        ...     input_schema={"type": "object"}, hints=Hints(read_only=True))
        >>> write_tool(tool)["annotations"]
        {'title': 'Now', 'readOnlyHint': True}
    """
    features = features_of(version)
    written: dict[str, JsonValue] = {
        "name": definition.name,
        "description": definition.description,
        "inputSchema": definition.input_schema,
    }
    annotations = definition.hints.to_json()
    if definition.title:
        annotations = {"title": definition.title, **annotations}
    if features.titles:
        if definition.title:
            written["title"] = definition.title
        output = definition.output_schema
        if output is not None and (features.any_data or output.get("type") == "object"):
            written["outputSchema"] = output
        if definition.meta:
            written["_meta"] = dict(definition.meta)
    if features.annotations and annotations:
        written["annotations"] = annotations
    if features.icons and isinstance(icons := definition.extra.get("icons"), list):
        written["icons"] = icons
    return written


def read_tool(raw: JsonValue) -> ToolDefinition | str:
    """Read one entry of `tools/list`; a text says why it cannot be used.

    Example:
        >>> read_tool({"name": "now", "inputSchema": {"type": "object"}}).name
        'now'
        >>> read_tool({"name": "now", "inputSchema": {"type": "string"}})
        "its input schema is no object: 'type' is 'string'"
    """
    entry = as_object(raw)
    if entry is None:
        return "it is no object"
    name = text_of(entry, "name")
    if not name:
        return "its name is no text"
    if len(name) > LONGEST_NAME:
        return f"its name is longer than {LONGEST_NAME} characters"
    schema = _object_schema(entry.get("inputSchema"))
    if isinstance(schema, str):
        return schema
    fault = _fault_of(schema, "input")
    if fault is not None:
        return fault
    return ToolDefinition.from_json({**_without_ours(entry), "inputSchema": schema})


def read_tools(
    items: JsonValue, *, source: str = "", taken: Iterable[str] = ()
) -> ToolReading | str:
    """Read the `tools` of a result item by item; a text where it is no list at all.

    Args:
        items: the list.
        source: the source's name, for the notes.
        taken: names of earlier pages; a second tool of one name is left out.

    Example:
        >>> reading = read_tools([{"name": "a"}, {"name": 7}, {"name": "a"}])
        >>> [tool.name for tool in reading.definitions], [note.reason for note in reading.notes]
        (['a'], ['its name is no text', 'duplicate: its name is taken by an earlier tool'])
    """
    if not isinstance(items, list):
        return "'tools' is no list"
    definitions: dict[str, ToolDefinition] = {}
    names = set(taken)
    notes: list[Note] = []
    for index, raw in enumerate(items):
        read = read_tool(raw)
        subject = _subject(raw, index)
        if isinstance(read, str):
            notes.append(Note("skipped", subject, read, source))
        elif read.name in names:
            reason = "duplicate: its name is taken by an earlier tool"
            notes.append(Note("skipped", subject, reason, source))
        else:
            names.add(read.name)
            read, mended = _sound_output(read)
            definitions[read.name] = read
            notes.extend(Note("lost", subject, reason, source) for reason in mended)
    return ToolReading(definitions=tuple(definitions.values()), notes=tuple(notes))


def _object_schema(schema: JsonValue) -> JsonObject | str:
    """The input schema with an object root. A tool without parameters may say so in many ways;
    what describes no object at all is a fault.
    """
    if schema is None:
        return _NO_PARAMETERS
    given = as_object(schema)
    if given is None:
        return "its input schema is no object"
    kind = given.get("type")
    if kind is not None and kind != "object" and not _takes_object(kind):
        return f"its input schema is no object: 'type' is {sanitize_line(kind)!r}"
    if kind != "object":
        given = {**given, "type": "object"}
    properties = given.get("properties")
    if properties is None:
        return {**given, "properties": {}}
    return given if isinstance(properties, Mapping) else "its 'properties' are no object"


def _takes_object(kind: JsonValue) -> bool:
    return "object" in list_of(kind)


def _fault_of(schema: JsonObject, which: str) -> str | None:
    if is_plain(schema, _REFERENCES):
        return None
    try:
        broken = broken_references(schema)
    except SchemaTooLarge as error:
        return f"its {which} {error}"
    if not broken:
        return None
    pointer, reference = broken[0]
    return (
        f"its {which} schema refers to {sanitize_line(reference)[:200]!r} at {pointer or '/'},"
        " which is not in it; nothing is fetched"
    )


def _sound_output(definition: ToolDefinition) -> tuple[ToolDefinition, tuple[str, ...]]:
    """The definition without an output schema that cannot be used: its results are not checked."""
    output = definition.output_schema
    fault = None if output is None else _fault_of(output, "output")
    if fault is None:
        return definition, ()
    return replace(definition, output_schema=None), (f"{fault}; results are not checked",)


def _without_ours(entry: JsonObject) -> dict[str, JsonValue]:
    """The entry without fields of our stored form, which mean nothing on this wire."""
    ours = {"format", "snippet", "guidelines", "examples", "tags"}
    return {key: value for key, value in entry.items() if key not in ours}


def _subject(raw: JsonValue, index: int) -> str:
    name = text_of(as_object(raw) or {}, "name")
    return sanitize_line(name)[:200] if name else f"tool {index + 1}"
