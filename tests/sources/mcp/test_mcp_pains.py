"""Cases from real reports about MCP clients, run as they stand."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.sources.mcp.asking import source, tool
from tests.sources.mcp.scripted import Call, Reply, Script, error, modern, result, serving
from toolroll.content import Image, Text
from toolroll.outcome import Answer, BadOutcome, Failed
from toolroll.protocol import Malformed, parse_messages
from toolroll.sources.adoption import as_toolkit
from toolroll.sources.mcp.event import EventReader
from toolroll.sources.mcp.line import LineReader
from toolroll.sources.source import SourceError
from toolroll.tools.call import ToolCall
from toolroll.tools.context import CallContext

pytestmark = pytest.mark.anyio

FILE = Path(__file__).parents[2] / "data" / "pains" / "cases.jsonl"
CASES = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


def of(*operations: str) -> Any:
    """The cases of some operations, by id."""
    found = {case["id"]: case for case in CASES if case["input"]["op"] in operations}
    assert found
    return pytest.mark.parametrize("case", list(found.values()), ids=list(found))


def _paged(given: dict[str, Any]) -> Script:
    by_cursor = given.get("pages_by_cursor")
    waiting = list(given.get("pages", []))

    def page(call: Call) -> Reply:
        if by_cursor is not None:
            return result(call, by_cursor[call.params.get("cursor", "")])
        following = waiting.pop(0)
        return (
            Reply(status=following["http_status"])
            if "http_status" in following
            else result(call, following)
        )

    return modern().on("tools/list", page)


@pytest.mark.rule("mcp-client-bad-tools", "mcp-client-pages")
@of("mcp_list")
async def test_a_list_of_a_server(case: dict[str, Any]) -> None:
    expected = case["expected"]
    with serving(_paged(case["input"])) as script:
        async with source(script.url) as client:
            if expected.get("outcome") == "unavailable":
                with pytest.raises(SourceError, match="not available"):
                    await client.discover()
                return
            discovery = await client.discover()
    assert [each.name for each in discovery.definitions] == expected["tools"]
    skipped = {note.subject: note.reason for note in discovery.report.of_kind("skipped")}
    for each in expected.get("skipped", []):
        assert each["reason_has"] in skipped[each["name"]]
    assert len(skipped) == expected.get("skipped_count", len(skipped))
    cursors = [call.params.get("cursor") for call in script.of("tools/list")]
    assert cursors == expected.get("requests", cursors)
    assert len(cursors) <= expected.get("requests_at_most", len(cursors))
    assert bool(discovery.report.of_kind("cut")) is expected.get("warned", False)
    described = {each.name: each.description for each in discovery.definitions}
    for name, words in expected.get("description_of", {}).items():
        assert described[name] == words


@pytest.mark.rule("mcp-client-results", "mcp-client-large", "mcp-client-error-codes")
@of("mcp_result", "mcp_response")
async def test_a_result_of_a_server(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    if "error" in given:
        answer = lambda call: error(call, given["error"]["code"], given["error"]["message"])  # noqa: E731
    else:
        large = {"content": [{"type": "text", "text": "x" * given.get("text_length", 0)}]}
        answer = lambda call: result(call, given.get("result", large))  # noqa: E731
    limits = {key: given[key] for key in ("limit", "large") if key in given}
    with serving(modern().on("tools/call", answer)) as script:
        async with source(script.url, **limits) as client:
            kit = as_toolkit(client, [tool(output=given.get("outputSchema"))])
            outcome = await kit.call(ToolCall.of("echo"), CallContext())
    assert outcome.kind == expected["outcome"]
    blocks = outcome.for_model()
    words = " ".join(block.text for block in blocks if isinstance(block, Text))
    for said in expected.get("says", []):
        assert said in words.replace(",", "")
    if isinstance(outcome, BadOutcome):
        assert isinstance(outcome, Failed)
        assert words == expected.get("message", words)
        return
    assert isinstance(outcome, Answer)
    assert outcome.result.data == expected.get("value", outcome.result.data)
    assert words == expected.get("value_text", words)
    for word, times in expected.get("occurrences_for_model", {}).items():
        assert words.count(word) == times
    media = [block.mime_type for block in blocks if isinstance(block, Image)]
    assert media == expected.get("media", media)


@pytest.mark.rule("mcp-client-sse")
@of("sse")
def test_a_stream_of_events(case: dict[str, Any]) -> None:
    events = EventReader().feed(case["input"]["text"].encode())
    assert [json.loads(event.data) for event in events] == case["expected"]["messages"]


@pytest.mark.rule("mcp-client-stdio-lines")
@of("stdio_bytes")
def test_bytes_of_a_local_server(case: dict[str, Any]) -> None:
    given, expected = case["input"], case["expected"]
    chunks = [bytes.fromhex(text) for text in given.get("chunks_hex", [])]
    chunks += [text.encode() for text in given.get("chunks", [])]
    reader = LineReader()
    lines = [line.data for chunk in chunks for line in reader.feed(chunk)]
    read = [message for line in lines if line.strip() for message in parse_messages(line)]
    good = [message for message in read if not isinstance(message, Malformed)]
    assert len(good) == expected["messages"]
    assert len(read) - len(good) == expected.get("noise_lines", 0)
    assert [message.id for message in good] == expected.get("ids", [message.id for message in good])  # type: ignore[union-attr]
    if "text_of_1" in expected:
        assert good[0].result == {"t": expected["text_of_1"]}  # type: ignore[union-attr]
