"""Whatever a server sends: a result, a listing or a SourceError, and nothing else."""

import logging
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sources.mcp.asking import AMPLE, tool
from toolroll.content import JsonObject, ToolResult, compact_json, result_to_json
from toolroll.protocol import ErrorResponse, Response, encode_message, parse_json, write_tool
from toolroll.sources.mcp.answer import AnswerReader
from toolroll.sources.mcp.handshake import MODERN_SESSION, Declined, agreed, discovered
from toolroll.sources.mcp.listing import Lister, PageOfTools
from toolroll.sources.mcp.option import McpOptions, Settings
from toolroll.sources.mcp.round import next_params
from toolroll.sources.mcp.session import CALL, Ask, Asker, Heard, Session
from toolroll.sources.mcp.watch import Watch
from toolroll.sources.source import Discovery, SourceError
from toolroll.toolkit.news import News
from toolroll.tools.context import CallContext, Question, Reply

LOG = logging.getLogger("toolroll.mcp.property")
SETTINGS = Settings(
    name="demo", timeouts=AMPLE, limit=1000, large="fail", trust=False, options=McpOptions(pages=3)
)
WORDS = [
    "content",
    "structuredContent",
    "isError",
    "_meta",
    "type",
    "text",
    "data",
    "mimeType",
    "uri",
    "resource",
    "name",
    "tools",
    "inputSchema",
    "outputSchema",
    "properties",
    "annotations",
    "title",
    "description",
    "items",
    "$ref",
    "$defs",
    "x-mcp-header",
    "nextCursor",
    "ttlMs",
    "resultType",
    "inputRequests",
    "requestState",
    "method",
    "params",
    "message",
    "requestedSchema",
    "supportedVersions",
    "protocolVersion",
    "capabilities",
]
TEXTS = st.sampled_from(
    [
        "object",
        "string",
        "text",
        "image",
        "complete",
        "input_required",
        "elicitation/create",
        "#",
        "#/$defs/a",
        "\u200bx",
        "2026-07-28",
        "2025-06-18",
    ]
) | st.text(max_size=5)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS
)
JSON = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(WORDS) | TEXTS, inner, max_size=5)
    ),
    max_leaves=25,
)
OBJECTS = st.dictionaries(st.sampled_from(WORDS), JSON, max_size=6)
MANY = settings(max_examples=300)


def _heard(result: JsonObject) -> Heard:
    return Heard(session=MODERN_SESSION, answer=Response(id=1, result=result))


@pytest.mark.rule("mcp-client-results", "mcp-client-output-mismatch")
@MANY
@given(OBJECTS, OBJECTS | st.none())
def test_any_result_is_read_or_refused_and_can_be_written(result: Any, schema: Any) -> None:
    reader = AnswerReader(SETTINGS, "", LOG)
    try:
        read = reader.tool_result(tool(output=schema), reader.result_of(_heard(result)))
    except SourceError:
        return
    assert isinstance(read, ToolResult)
    encode_message(result_to_json(read))
    assert isinstance(read.for_model(), list)


@pytest.mark.rule("mcp-client-error-codes")
@MANY
@given(st.integers(), st.text(), JSON)
def test_any_error_is_a_source_error(code: int, message: str, data: Any) -> None:
    heard = Heard(
        session=MODERN_SESSION, answer=ErrorResponse(id=1, code=code, message=message, data=data)
    )
    with pytest.raises(SourceError):
        AnswerReader(SETTINGS, "host.test:80", LOG).result_of(heard)


@pytest.mark.rule("mcp-client-bad-tools", "mcp-client-cleaned")
@MANY
@given(st.lists(OBJECTS, min_size=1, max_size=3), st.booleans())
def test_any_pages_are_listed_or_refused_and_can_be_written(pages: list[Any], modern: bool) -> None:
    async def read() -> Discovery | None:
        waiting = list(pages)

        async def page(params: JsonObject) -> PageOfTools:
            result = waiting.pop(0) if len(waiting) > 1 else waiting[0]
            return PageOfTools(result=result, size=100, modern=modern)

        try:
            return await Lister(SETTINGS, mirrors=True, log=LOG).read(page)
        except SourceError:
            return None

    discovery = anyio.run(read)
    for definition in discovery.definitions if discovery else ():
        encode_message(write_tool(definition))
        assert definition.input_schema["type"] == "object"
        assert definition.name.isprintable()


@pytest.mark.rule("mcp-client-input-required")
@MANY
@given(OBJECTS)
def test_any_wish_for_input_is_answered_or_refused(result: Any) -> None:
    async def agree(question: Question) -> Reply:
        return Reply("accept", {})

    async def following() -> None:
        watch = Watch("demo", AMPLE, None, repeatable=False)
        ask = Ask(
            CALL, {"name": "echo"}, CallContext(on_ask=agree), watch, Asker(log=LOG, news=News())
        )
        try:
            params = await next_params("demo", ask.params, result, ask)
        except SourceError:
            return
        assert params["name"] == "echo"
        assert params.get("requestState") == result.get("requestState")

    anyio.run(following)


@pytest.mark.rule("mcp-client-modern-first", "mcp-client-unknown-versions")
@MANY
@given(OBJECTS)
def test_any_beginning_is_understood_or_refused(result: Any) -> None:
    found: object = None
    try:
        found = discovered("demo", Response(id=1, result=result))
    except SourceError as error:
        found = error.reason
    assert isinstance(found, (Session, Declined)) or found == "unsupported"
    with pytest.raises(SourceError):
        agreed("demo", None)


@pytest.mark.rule("mcp-wire-read-can-be-written")
@MANY
@given(JSON)
def test_what_was_read_is_written_as_it_was(value: Any) -> None:
    assert parse_json(compact_json(value)) == value
