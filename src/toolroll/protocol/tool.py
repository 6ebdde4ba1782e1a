"""Tools in the form of `tools/list`, written for a version and read item by item.

Source: MCP 2026-07-28, server/tools, "Tool".
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from toolroll.content import JsonObject, JsonValue
from toolroll.outcome import Note
from toolroll.protocol.field import as_object, is_plain, list_of, text_of
from toolroll.protocol.version import MODERN, features_of
from toolroll.schema.error import SchemaTooLarge
from toolroll.schema.refs import broken_references
from toolroll.text import sanitize_line
from toolroll.tools.definition import ToolDefinition
from toolroll.tools.hints import WIRE_HINTS

LONGEST_NAME = 256
"""Most characters of a tool's name; the standard advises 128."""

_REFERENCES = frozenset({"$ref", "$dynamicRef"})
_NO_PARAMETERS: JsonObject = {"type": "object", "properties": {}}


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolReading:
    """The tools of a list that can be used, and a note for each that cannot or was mended.

    Args:
        definitions: in the server's order.
        notes: one for each entry that was left out or mended, with the reason.

    Example:
        >>> reading = read_tools([{"name": "now", "inputSchema": {"type": "object"}}, {"name": 7}])
        >>> [tool.name for tool in reading.definitions], len(reading.notes)
        (['now'], 1)
    """

    definitions: tuple[ToolDefinition, ...]
    notes: tuple[Note, ...]


def write_tool(definition: ToolDefinition, *, version: str = MODERN) -> dict[str, JsonValue]:
    """One entry of `tools/list`.

    The title stands twice, because some clients read only the one among the annotations. What a
    version cannot say is left out: titles, output schemas and `_meta` before 2025-06-18, an output
    schema that is no object before 2026-07-28.

    Args:
        definition: the tool.
        version: of the protocol that the client speaks.

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
    read = _read(raw)
    return read if isinstance(read, str) else read[0]


def _read(raw: JsonValue) -> tuple[ToolDefinition, str] | str:
    """The tool, and how its input schema had to be mended ("" where it had not)."""
    entry = as_object(raw)
    if entry is None:
        return "it is no object"
    name = text_of(entry, "name")
    if not name:
        return "its name is no text"
    if len(name) > LONGEST_NAME:
        return f"its name is longer than {LONGEST_NAME} characters"
    mended = _object_schema(entry.get("inputSchema"))
    if isinstance(mended, str):
        return mended
    schema, mend = mended
    fault = _fault_of(schema, "input")
    if fault is not None:
        return fault
    return ToolDefinition.from_json({**_without_ours(entry), "inputSchema": schema}), mend


def read_tools(
    items: JsonValue, *, source: str = "", taken: Collection[str] = (), first: int = 1
) -> ToolReading | str:
    """Read the `tools` of a result item by item; a text where it is no list at all.

    Args:
        items: the list.
        source: the source's name, for the notes.
        taken: names of earlier pages; a second tool of one name is left out.
        first: number of the first item, for notes on what has no name.

    Example:
        >>> reading = read_tools([{"name": "a", "inputSchema": {"type": "object"}}, {"name": 7}])
        >>> [tool.name for tool in reading.definitions], [note.reason for note in reading.notes]
        (['a'], ['its name is no text'])
    """
    if not isinstance(items, list):
        return "'tools' is no list"
    definitions: dict[str, ToolDefinition] = {}
    notes: list[Note] = []
    for number, raw in enumerate(items, first):
        read = _read(raw)
        subject = _subject(raw, number)
        if isinstance(read, str):
            notes.append(Note("skipped", subject, read, source))
            continue
        definition, mend = read
        if definition.name in taken or definition.name in definitions:
            reason = "duplicate: its name is taken by an earlier tool"
            notes.append(Note("skipped", subject, reason, source))
            continue
        definition, lost = _sound_output(definition)
        definitions[definition.name] = definition
        if mend:
            notes.append(Note("repaired", subject, mend, source))
        lost = (*lost, *_lost_hints(raw))
        notes.extend(Note("lost", subject, reason, source) for reason in lost)
    return ToolReading(definitions=tuple(definitions.values()), notes=tuple(notes))


def _object_schema(schema: JsonValue) -> tuple[JsonObject, str] | str:
    """The input schema with an object root, and what it said before if that was something else.

    Arguments are always an object, so a root that allows one among others, or says nothing, loses
    nothing when it says so. What describes no object at all is a fault.
    """
    if schema is None:
        return _NO_PARAMETERS, "its input schema is missing; any object is taken"
    given = as_object(schema)
    if given is None:
        return "its input schema is no object"
    kind, properties = given.get("type"), given.get("properties")
    if kind is not None and kind != "object" and not _takes_object(kind):
        return f"its input schema is no object: 'type' is {sanitize_line(kind)[:200]!r}"
    if properties is not None and not isinstance(properties, Mapping):
        return "its 'properties' are no object"
    mend = ""
    if kind is None:
        mend = "its input schema says no type; it is read as an object"
    elif kind != "object":
        mend = f"its input schema is of type {sanitize_line(kind)[:200]}; it is read as an object"
    if kind != "object":
        given = {**given, "type": "object"}
    return ({**given, "properties": {}} if properties is None else given), mend


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


def _lost_hints(raw: JsonValue) -> tuple[str, ...]:
    """Hints that are neither true nor false: they count as not said."""
    hints = as_object((as_object(raw) or {}).get("annotations")) or {}
    named = [name for name in WIRE_HINTS if not isinstance(hints.get(name), bool | None)]
    return (f"hints that are neither true nor false: {', '.join(named)}",) if named else ()


def _without_ours(entry: JsonObject) -> dict[str, JsonValue]:
    """The entry without fields of our stored form, which mean nothing on this wire."""
    ours = {"format", "snippet", "guidelines", "examples", "tags"}
    return {key: value for key, value in entry.items() if key not in ours}


def _subject(raw: JsonValue, number: int) -> str:
    name = text_of(as_object(raw) or {}, "name")
    return sanitize_line(name)[:200] if name else f"tool {number}"
