"""Listings and results: read item by item, page by page, cleaned and bounded."""

import json
import logging
from types import MappingProxyType
from typing import Any

import pytest

from tests.sources.mcp.asking import call, failing, source, tool
from tests.sources.mcp.scripted import TOOL, Call, Reply, legacy, modern, result, serving, text
from toolroll.content import Audio, EmbeddedResource, Image, Other, ResourceLink, Text
from toolroll.outcome import Answer, ConfigError, Failed
from toolroll.sources.adoption import as_toolkit
from toolroll.sources.mcp import McpOptions
from toolroll.sources.mcp.answer import MISMATCH
from toolroll.sources.source import Discovery, SourceError
from toolroll.tools.call import ToolCall
from toolroll.tools.context import CallContext

pytestmark = pytest.mark.anyio

EMPTY = {"type": "object", "properties": {}}


async def _listed(
    *pages: dict[str, Any], make: Any = modern, options: McpOptions = McpOptions()
) -> Discovery:
    """What a source makes of pages that are served one after the other."""
    waiting = list(pages)
    with serving(make()) as script:
        script.on(
            "tools/list",
            lambda call: result(call, waiting.pop(0) if len(waiting) > 1 else waiting[0]),
        )
        async with source(script.url).with_options(options) as client:
            return await client.discover()


def _names(discovery: Discovery) -> list[str]:
    return [definition.name for definition in discovery.definitions]


@pytest.mark.rule("mcp-client-pages")
async def test_every_page_is_read_and_an_empty_cursor_is_the_end() -> None:
    asked: list[Any] = []

    def page(call: Call) -> Reply:
        asked.append(call.params.get("cursor"))
        if len(asked) == 1:
            return result(call, {"tools": [{"name": "a"}], "nextCursor": "p2"})
        return result(call, {"tools": [{"name": "b"}], "nextCursor": ""})

    with serving(modern().on("tools/list", page)) as script:
        async with source(script.url) as client:
            assert _names(await client.discover()) == ["a", "b"]
    assert asked == [None, "p2"]


@pytest.mark.rule("mcp-client-pages")
async def test_a_cursor_that_does_not_move_ends_the_list_with_a_note() -> None:
    with serving(modern()) as script:
        script.on("tools/list", lambda call: result(call, {"tools": [TOOL], "nextCursor": "z"}))
        async with source(script.url) as client:
            discovery = await client.discover()
    assert _names(discovery) == ["echo"]
    assert len(script.of("tools/list")) == 2
    assert [note.kind for note in discovery.report.notes] == ["skipped", "cut"]


@pytest.mark.rule("mcp-client-pages")
async def test_a_page_that_fails_fails_the_listing() -> None:
    with serving(modern()) as script:
        first = {"tools": [{"name": "a"}], "nextCursor": "p2"}
        script.on("tools/list", lambda call: result(call, first), lambda call: Reply(status=503))
        async with source(script.url) as client:
            with pytest.raises(SourceError) as caught:
                await client.discover()
    assert (caught.value.reason, caught.value.retryable) == ("unavailable", True)


@pytest.mark.rule("mcp-client-pages")
async def test_pages_and_tools_are_bounded() -> None:
    count = iter(range(10_000))

    def page(call: Call) -> Reply:
        number = next(count)
        return result(call, {"tools": [{"name": f"t{number}"}], "nextCursor": f"c{number}"})

    with serving(modern().on("tools/list", page)) as script:
        async with source(script.url).with_options(McpOptions(pages=5)) as client:
            discovery = await client.discover()
            assert len(discovery.definitions) == 5
            assert "more than 5 pages" in discovery.report.notes[-1].reason
        async with source(script.url).with_options(McpOptions(tools=3)) as client:
            discovery = await client.discover()
            assert len(discovery.definitions) == 3
            assert "more than 3 tools" in discovery.report.notes[-1].reason


@pytest.mark.rule("mcp-client-pages")
@pytest.mark.parametrize(
    "page", [{}, {"tools": None}, {"tools": {}}, {"tools": [], "resultType": "weird"}]
)
async def test_what_is_no_list_is_an_invalid_response(page: dict[str, Any]) -> None:
    with pytest.raises(SourceError) as caught:
        await _listed(page)
    assert caught.value.reason == "invalid-response"


@pytest.mark.rule("mcp-client-bad-tools")
async def test_one_bad_tool_costs_that_tool(caplog: pytest.LogCaptureFixture) -> None:
    tools = [
        {"name": "bad", "inputSchema": {"type": "string"}},
        {"name": "good", "inputSchema": EMPTY, "annotations": {"readOnlyHint": "yes"}, "x-more": 1},
        {"inputSchema": EMPTY},
        {"name": 7, "inputSchema": EMPTY},
        {"name": "null", "inputSchema": None},
        {"name": "untyped", "inputSchema": {"properties": {}}},
        {"name": "optional", "inputSchema": {"type": ["object", "null"]}},
        {
            "name": "lost",
            "inputSchema": {"type": "object", "properties": {"a": {"$ref": "#/$defs/Nope"}}},
        },
        {"name": "good", "inputSchema": EMPTY},
        {"name": "none"},
    ]
    discovery = await _listed({"tools": tools})
    assert _names(discovery) == ["good", "null", "untyped", "optional", "none"]
    reasons = {note.subject: note.reason for note in discovery.report.of_kind("skipped")}
    assert set(reasons) == {"bad", "tool 3", "tool 4", "lost", "good"}
    mended = [note.subject for note in discovery.report.of_kind("repaired")]
    assert mended == ["null", "untyped", "optional", "none"]
    [hint] = discovery.report.of_kind("lost")
    assert (hint.subject, "readOnlyHint" in hint.reason) == ("good", True)
    assert "#/$defs/Nope" in reasons["lost"]
    assert "duplicate" in reasons["good"]
    assert {note.source for note in discovery.report.notes} == {"demo"}
    assert "lost" in caplog.text
    assert discovery.definitions[0].hints.read_only is None
    assert discovery.definitions[0].extra == {"x-more": 1}


@pytest.mark.rule("mcp-client-bad-tools")
@pytest.mark.parametrize("between", [0, 200])
async def test_a_second_tool_of_a_name_is_left_out_wherever_it_stands(between: int) -> None:
    marked = {"type": "array", "items": {"type": "string", "x-mcp-header": "A"}}
    first = {"name": "same", "inputSchema": {"type": "object", "properties": {"a": marked}}}
    others = [{"name": f"t{number}", "inputSchema": EMPTY} for number in range(between)]
    discovery = await _listed({"tools": [first, *others, {"name": "same", "inputSchema": EMPTY}]})
    assert _names(discovery) == [other["name"] for other in others]
    skipped = discovery.report.of_kind("skipped")
    assert sorted("duplicate" in note.reason for note in skipped) == [False, True]


@pytest.mark.rule("mcp-client-bad-tools")
async def test_a_bad_mark_costs_its_tool_over_modern_http_alone() -> None:
    bad = {
        "type": "object",
        "properties": {"a": {"type": "array", "items": {"type": "string", "x-mcp-header": "A"}}},
    }
    number = {"type": "object", "properties": {"a": {"type": "number", "x-mcp-header": "A"}}}
    page = {
        "tools": [{"name": "bad", "inputSchema": bad}, {"name": "number", "inputSchema": number}]
    }
    discovery = await _listed(page)
    assert _names(discovery) == []
    assert [note.subject for note in discovery.report.notes] == ["bad", "number"]
    assert _names(await _listed(page, options=McpOptions(number_marks=True))) == ["number"]
    assert _names(await _listed(page, make=legacy)) == ["bad", "number"]


@pytest.mark.rule("mcp-client-cleaned")
async def test_text_that_nobody_sees_is_taken_out_and_reported() -> None:
    hidden = "\u200b\U000e0041\u202e\x1b[31m"
    described = {
        "type": "string",
        "description": f"The {hidden}text",
        "enum": [f"a{hidden}"],
        "default": f"b{hidden}",
    }
    schema = {
        "type": "object",
        "properties": {"description": described, "n": {"items": {"title": f"T{hidden}"}}},
        "$defs": {"d": {"$comment": hidden}},
    }
    entry = {
        "name": "t",
        "title": f"A{hidden}",
        "description": f"Reads{hidden}.",
        "inputSchema": schema,
        "outputSchema": schema,
    }
    discovery = await _listed(
        {"tools": [entry, {**TOOL, "name": f"n{hidden}"}, {**TOOL, "name": "plain"}]}
    )
    assert _names(discovery) == ["t", "plain"]
    definition = discovery.definitions[0]
    assert (definition.title, definition.description) == ("A", "Reads.")
    for view in (definition.input_schema, definition.output_schema):
        said = json.dumps(view, ensure_ascii=False)
        assert '"description": "The text"' in said
        assert '"title": "T"' in said
        assert f"b{hidden[:1]}" in said  # data stays as it is
    kinds = {(note.kind, note.subject) for note in discovery.report.notes}
    assert kinds == {("cleaned", "t"), ("skipped", "n")}


@pytest.mark.rule("mcp-client-ttl")
async def test_the_shortest_life_of_the_pages_counts() -> None:
    first = {"tools": [], "nextCursor": "b", "ttlMs": 5000}
    assert (await _listed(first, {"tools": [], "ttlMs": 2000})).ttl == 2.0
    assert (await _listed(first, {"tools": []})).ttl == 0.0
    assert (await _listed({"tools": [], "ttlMs": -5})).ttl == 0.0
    assert (await _listed({"tools": []}, make=legacy)).ttl is None


# --- results


async def _answered(value: dict[str, Any], **given: Any) -> Any:
    definition = given.pop("tool", tool())
    with serving(modern().on("tools/call", lambda call: result(call, value))) as script:
        async with source(script.url, **given) as client:
            return await call(client, tool=definition)


@pytest.mark.rule("mcp-client-results")
async def test_data_is_read_once_and_the_picture_is_not_lost() -> None:
    picture = {"type": "image", "mimeType": "image/png", "data": "AAEC"}
    answer = await _answered(
        {"content": [*text('{"t": 21}')["content"], picture], "structuredContent": {"t": 21}}
    )
    assert answer.data == {"t": 21}
    assert answer.for_model() == [Text('{"t":21}'), Image("AAEC", "image/png")]


@pytest.mark.rule("mcp-client-results")
async def test_every_kind_of_block_is_kept_and_missing_content_is_none() -> None:
    blocks = [
        {"type": "text", "text": "a"},
        {"type": "audio", "data": "AAEC", "mimeType": "audio/wav"},
        {"type": "resource_link", "uri": "note:1", "name": "one"},
        {"type": "resource", "resource": {"uri": "note:1", "blob": "AAEC"}},
        {"type": "hologram", "x": 1},
    ]
    answer = await _answered({"content": blocks, "_meta": {"k": 1}})
    kinds = [type(block) for block in answer.content]
    assert kinds == [Text, Audio, ResourceLink, EmbeddedResource, Other]
    assert answer.meta == {"k": 1}
    assert (await _answered({"structuredContent": [1]})).data == [1]


@pytest.mark.rule("mcp-client-results")
async def test_the_flag_decides_and_not_the_words() -> None:
    good = await _answered(text("Error: 404 is the page's title"))
    assert not good.is_error
    station = tool(
        output={"type": "object", "properties": {"t": {"type": "number"}}, "required": ["t"]}
    )
    bad = {"isError": True, **text("station closed"), "structuredContent": {"detail": "x"}}
    with serving(modern().on("tools/call", lambda call: result(call, bad))) as script:
        async with source(script.url) as client:
            outcome = await as_toolkit(client, [station]).call(ToolCall.of("echo"), CallContext())
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.message) == ("tool-error", "station closed")
    assert outcome.for_model() == [Text("station closed")]


@pytest.mark.rule("mcp-client-output-mismatch")
async def test_data_that_does_not_fit_is_kept_with_a_note(caplog: pytest.LogCaptureFixture) -> None:
    declared = tool(
        output={"type": "object", "properties": {"t": {"type": "number"}}, "required": ["t"]}
    )
    answer = await _answered({"content": [], "structuredContent": {"t": "warm"}}, tool=declared)
    assert answer.data == {"t": "warm"}
    assert answer.meta[MISMATCH].startswith("t: ")
    assert "does not fit" in caplog.text
    missing = await _answered(text("21 degrees"), tool=declared)
    assert missing.meta[MISMATCH] == "no structured content"
    assert missing.text == "21 degrees"
    assert MISMATCH not in (await _answered({"structuredContent": {"t": 1}}, tool=declared)).meta


@pytest.mark.rule("mcp-client-output-mismatch")
async def test_an_output_schema_that_cannot_be_a_check_is_none(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.WARNING)
    for schema in (
        {"$ref": "http://127.0.0.1:9/x"},
        {"type": "object", "pattern": "("},
        {"$schema": "urn:x"},
    ):
        answer = await _answered({"structuredContent": {"t": 1}}, tool=tool(output=schema))
        assert (answer.data, MISMATCH in answer.meta) == ({"t": 1}, False)
    assert "not checked" in caplog.text


@pytest.mark.rule("mcp-client-large")
async def test_a_large_result_fails_and_says_how_large_it_is() -> None:
    with serving(
        modern().on("tools/call", lambda call: result(call, text("x" * 250_000)))
    ) as script:
        async with source(script.url, limit=1000) as client:
            failure = await failing(client)
            words = failure.message.replace(",", "")
            assert failure.reason == "result-too-large"
            assert "250000" in words
            assert "1000" in words
            assert "less" in words
        async with source(script.url, limit=1000, large="cut") as client:
            cut = (await call(client)).text
            assert len(cut) <= 1100
            assert cut.startswith("xxx")
            assert cut.endswith("xxx")
        async with source(script.url) as client:
            assert (await failing(client)).reason == "result-too-large"


@pytest.mark.rule("mcp-client-large")
async def test_media_does_not_count() -> None:
    picture = {"type": "image", "mimeType": "image/png", "data": "A" * 400_000}
    answer = await _answered({"content": [picture]}, limit=100)
    assert len(answer.content[0].data) == 400_000


@pytest.mark.rule("mcp-client-results")
async def test_a_source_becomes_a_toolkit_and_works_again_after_a_failure() -> None:
    with serving(modern({"name": "echo", "inputSchema": EMPTY})) as script:
        good = script.answers["tools/call"]
        script.on("tools/call", lambda call: Reply(status=503), good)
        async with source(script.url) as client:
            kit = as_toolkit(client, (await client.discover()).definitions)
            first = await kit.call(ToolCall.of("echo"), CallContext())
            second = await kit.call(ToolCall.of("echo"), CallContext())
    assert not isinstance(first, Answer)
    assert first.code == "unavailable"
    assert isinstance(second, Answer)


def test_limits_that_nothing_could_keep_are_refused() -> None:
    for bad in ({"pages": 0}, {"tools": 0}, {"message_bytes": 10}, {"grace": -1.0}, {"rounds": -1}):
        with pytest.raises(ConfigError):
            McpOptions(**bad)  # type: ignore[arg-type]


@pytest.mark.rule("mcp-client-bounded", "mcp-client-pages")
async def test_a_listing_without_end_is_cut_by_its_size_and_its_notes() -> None:
    count = iter(range(10_000))

    def page(call: Call) -> Reply:
        number = next(count)
        bad = [{"name": 7}] * 900
        described = {"name": f"t{number}", "description": "d" * 50_000}
        return result(call, {"tools": [described, *bad], "nextCursor": f"c{number}"})

    with serving(modern().on("tools/list", page)) as script:
        limited = McpOptions(listing_bytes=200_000)
        async with source(script.url).with_options(limited) as client:
            discovery = await client.discover()
    assert 2 < len(discovery.definitions) < 5
    assert len(discovery.report.notes) == 1001
    assert "more notes" in discovery.report.notes[-1].reason


@pytest.mark.rule("mcp-client-error-codes")
async def test_an_input_that_is_no_json_is_refused_before_sending() -> None:
    with serving(modern()) as script:
        async with source(script.url) as client:
            for bad in ({"a": {1, 2}}, {"a": float("nan")}, {"a": object()}):
                failure = await failing(client, arguments=bad)
                assert (failure.reason, failure.may_have_run) == ("invalid-input", False)
            await call(client, MappingProxyType({"a": MappingProxyType({"b": (1, 2)})}))
    assert [each.params["arguments"] for each in script.of("tools/call")] == [{"a": {"b": [1, 2]}}]
