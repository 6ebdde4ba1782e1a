"""Tools of a list: written for each version, read item by item."""

import pytest

from toolroll.protocol import LEGACY, read_tool, read_tools, write_tool
from toolroll.tools.definition import ToolDefinition
from toolroll.tools.hints import Hints

OBJECT = {"type": "object", "properties": {"a": {"type": "string", "x-vendor": 1}}}
FULL = ToolDefinition(
    name="note_read",
    description="Reads a note.",
    title="Read a note",
    input_schema=OBJECT,
    output_schema={"type": "array", "items": {"type": "string"}},
    hints=Hints.of_effect("read"),
    meta={"vendor/key": 1},
    snippet="reads",
    extra={"icons": [{"src": "data:,"}]},
)


@pytest.mark.rule("mcp-wire-tool-entry")
def test_a_tool_is_listed_whole_in_the_modern_era() -> None:
    assert write_tool(FULL) == {
        "name": "note_read",
        "title": "Read a note",
        "description": "Reads a note.",
        "inputSchema": OBJECT,
        "outputSchema": {"type": "array", "items": {"type": "string"}},
        "annotations": {
            "title": "Read a note",
            "readOnlyHint": True,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": False,
        },
        "_meta": {"vendor/key": 1},
        "icons": [{"src": "data:,"}],
    }


@pytest.mark.rule("mcp-wire-tool-entry")
def test_what_a_version_cannot_say_is_left_out() -> None:
    keys = {version: set(write_tool(FULL, version=version)) for version in LEGACY}
    plain = {"name", "description", "inputSchema"}
    assert keys["2024-11-05"] == plain
    assert keys["2025-03-26"] == plain | {"annotations"}
    assert keys["2025-06-18"] == plain | {"annotations", "title", "_meta"}
    assert keys["2025-11-25"] == plain | {"annotations", "title", "_meta", "icons"}


@pytest.mark.rule("mcp-wire-tool-round-trip")
def test_a_tool_that_is_written_and_read_is_the_same() -> None:
    read = read_tool(write_tool(FULL))
    assert isinstance(read, ToolDefinition)
    assert read.to_json() == {
        key: value for key, value in FULL.to_json().items() if key != "snippet"
    }


@pytest.mark.rule("mcp-wire-tools-item-by-item")
@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (7, "it is no object"),
        ({"inputSchema": OBJECT}, "its name is no text"),
        ({"name": 7, "inputSchema": OBJECT}, "its name is no text"),
        ({"name": "x" * 257}, "its name is longer than 256 characters"),
        ({"name": "x", "inputSchema": []}, "its input schema is no object"),
        ({"name": "x", "inputSchema": {"type": "string"}}, "'type' is 'string'"),
        ({"name": "x", "inputSchema": {"properties": []}}, "its 'properties' are no object"),
        (
            {"name": "x", "inputSchema": {"properties": {"a": {"$ref": "#/$defs/Nope"}}}},
            "'#/$defs/Nope' at /properties/a",
        ),
        (
            {"name": "x", "inputSchema": {"$ref": "https://evil.example/schema.json"}},
            "nothing is fetched",
        ),
        ({"name": "ok", "inputSchema": OBJECT}, "duplicate"),
    ],
)
def test_one_bad_entry_costs_that_entry(entry: object, reason: str) -> None:
    good = {"name": "ok", "inputSchema": OBJECT}
    reading = read_tools([good, entry, {**good, "name": "last"}], source="demo")
    assert not isinstance(reading, str)
    assert [tool.name for tool in reading.definitions] == ["ok", "last"]
    [note] = reading.notes
    assert (note.kind, note.source) == ("skipped", "demo")
    assert reason in note.reason


@pytest.mark.rule("mcp-wire-tools-item-by-item")
def test_a_schema_that_is_too_deep_costs_its_tool() -> None:
    schema: dict[str, object] = {}
    for _ in range(500):
        schema = {"items": schema}
    reading = read_tools(
        [{"name": "deep", "inputSchema": {"properties": {"a": schema}}}, {"name": "b"}]
    )
    assert not isinstance(reading, str)
    assert [tool.name for tool in reading.definitions] == ["b"]
    assert "too large" in reading.notes[0].reason


@pytest.mark.rule("mcp-wire-tools-item-by-item")
def test_a_note_shows_a_hostile_name_as_one_line() -> None:
    reading = read_tools([{"name": "a\nb\x1b[31m" + "c" * 5000, "inputSchema": 7}])
    assert not isinstance(reading, str)
    assert reading.notes[0].subject.startswith("a b")
    assert len(reading.notes[0].subject) <= 200


def test_tools_that_are_no_list_are_said_to_be_none() -> None:
    assert read_tools({"a": 1}) == "'tools' is no list"


@pytest.mark.rule("mcp-wire-no-parameters")
@pytest.mark.parametrize(
    ("schema", "mended"),
    [
        (None, "is missing"),
        ({}, "says no type"),
        ({"properties": {}}, "says no type"),
        ({"type": ["object", "null"], "properties": {}}, "['object', 'null']"),
        ({"type": "object"}, None),
        ({"type": "object", "properties": None}, None),
    ],
)
def test_a_root_that_allows_an_object_is_one_and_a_mend_is_told(
    schema: object, mended: str | None
) -> None:
    reading = read_tools([{"name": "now", "inputSchema": schema}], source="demo")
    assert not isinstance(reading, str)
    [read] = reading.definitions
    assert read.input_schema == {"type": "object", "properties": {}}
    assert [(note.kind, note.subject) for note in reading.notes] == (
        [("repaired", "now")] if mended else []
    )
    assert all(mended in note.reason for note in reading.notes if mended)


@pytest.mark.rule("mcp-wire-output-schema-lost")
def test_an_output_schema_that_leads_outside_is_dropped_and_the_tool_stays() -> None:
    reading = read_tools(
        [{"name": "a", "inputSchema": OBJECT, "outputSchema": {"$ref": "http://127.0.0.1/x"}}]
    )
    assert not isinstance(reading, str)
    assert reading.definitions[0].output_schema is None
    assert reading.notes[0].kind == "lost"


@pytest.mark.rule("mcp-wire-tools-item-by-item")
def test_hints_of_a_wrong_type_are_not_said_and_the_title_of_annotations_counts() -> None:
    annotations = {"readOnlyHint": "yes", "destructiveHint": None, "title": "A"}
    reading = read_tools([{"name": "a", "inputSchema": OBJECT, "annotations": annotations}])
    assert not isinstance(reading, str)
    [read] = reading.definitions
    assert (read.hints.read_only, read.title) == (None, "A")
    assert [(note.kind, note.reason) for note in reading.notes] == [
        ("lost", "hints that are neither true nor false: readOnlyHint")
    ]
