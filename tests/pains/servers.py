"""MCP over HTTP: lists, results and the wire, against a server whose every answer is written."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tests.pains.case import Case
from tests.pains.making import NOBODY, check_failure, told
from tests.sources.mcp.asking import source, tool
from tests.sources.mcp.scripted import (
    Call,
    Reply,
    Script,
    error,
    legacy,
    modern,
    result,
    serving,
    text,
)
from toolroll import ToolCall
from toolroll.content import Image
from toolroll.outcome import Answer, BadOutcome, Outcome
from toolroll.protocol import Malformed, parse_messages
from toolroll.sources import SourceError, as_toolkit
from toolroll.sources.mcp import McpSource
from toolroll.sources.mcp.event import EventReader
from toolroll.sources.mcp.line import LineReader

ERAS: Sequence[Callable[[], Script]] = (modern, legacy)


# --- lists


async def mcp_list(case: Case) -> None:
    """The pages of `tools/list`, of a server of either era."""
    for era in ERAS:
        script = era()
        script.on("tools/list", _pages(case, complete=era is modern))
        with serving(script):
            async with source(script.url) as client:
                await _check_list(case, script, client)


def _pages(case: Case, *, complete: bool) -> Callable[[Call], Reply]:
    by_cursor = case.given.get("pages_by_cursor")
    waiting = list(case.given.get("pages", []))
    more = {"resultType": "complete"} if complete else {}

    def answer(call: Call) -> Reply:
        if by_cursor is not None:
            return result(call, {**by_cursor[call.params.get("cursor", "")], **more})
        page = waiting.pop(0)
        if "http_status" in page:
            return Reply(status=page["http_status"])
        return result(call, {**page, **more})

    return answer


async def _check_list(case: Case, script: Script, client: McpSource) -> None:
    wanted = case.wanted
    if "outcome" in wanted:
        assert wanted["tools"] is None
        with pytest.raises(SourceError) as caught:
            await client.discover()
        assert caught.value.reason == wanted["outcome"]
        return
    discovery = await client.discover()
    assert [tool.name for tool in discovery.definitions] == wanted["tools"]
    skipped = discovery.report.of_kind("skipped")
    assert len(skipped) == wanted.get("skipped_count", len(wanted.get("skipped", skipped)))
    for said, note in zip(wanted.get("skipped", []), skipped, strict=False):
        assert note.subject == said["name"]
        assert said["reason_has"] in note.reason
    cursors = [call.params.get("cursor") for call in script.of("tools/list")]
    assert cursors == wanted.get("requests", cursors)
    assert len(cursors) <= wanted.get("requests_at_most", len(cursors))
    assert bool(discovery.report.of_kind("cut")) is wanted.get("warned", False)
    described = {tool.name: tool.description for tool in discovery.definitions}
    for name, words in wanted.get("description_of", {}).items():
        assert described[name] == words


# --- results


async def mcp_result(case: Case) -> None:
    """What `tools/call` answers, of a server of either era."""
    given, wanted = case.given, case.wanted
    limits = {key: given[key] for key in ("limit", "large") if key in given}
    answered = given["result"] if "result" in given else text("x" * given["text_length"])
    for era in ERAS:
        script = era().on("tools/call", lambda call: result(call, answered))
        with serving(script):
            async with source(script.url, **limits) as client:
                outcome = await _called(client, output=given.get("outputSchema"))
        _check_result(outcome, wanted)


def _check_result(outcome: Outcome, wanted: Any) -> None:
    if isinstance(outcome, BadOutcome):
        check_failure(outcome, wanted)
        assert outcome.message == wanted.get("message", outcome.message)
        return
    assert isinstance(outcome, Answer)
    assert outcome.kind == wanted["outcome"]
    assert outcome.result.data == wanted.get("value", outcome.result.data)
    assert told(outcome) == wanted.get("value_text", told(outcome))
    for word, times in wanted.get("occurrences_for_model", {}).items():
        assert told(outcome).count(word) == times
    media = [block.mime_type for block in outcome.for_model() if isinstance(block, Image)]
    assert media == wanted.get("media", [])


async def mcp_response(case: Case) -> None:
    """A protocol error in answer to a call: an outcome, which no exception replaces."""
    said = case.given["error"]
    assert case.wanted["raised"] is False
    for era in ERAS:
        script = era().on("tools/call", lambda call: error(call, said["code"], said["message"]))
        with serving(script):
            async with source(script.url) as client:
                check_failure(await _called(client), case.wanted)


async def _called(client: McpSource, *, name: str = "echo", **more: Any) -> Outcome:
    kit = as_toolkit(client, [tool(name, **more)])
    return await kit.call(ToolCall.of(name), NOBODY)


# --- the wire


def sse(case: Case) -> None:
    """A stream of events, in one piece and in every cut of two."""
    raw, wanted = case.given["text"].encode(), case.wanted["messages"]
    for cut in range(len(raw)):
        reader = EventReader()
        events = [*reader.feed(raw[:cut]), *reader.feed(raw[cut:])]
        assert [json.loads(event.data) for event in events] == wanted


def stdio_bytes(case: Case) -> None:
    """What a local server writes, in pieces that are no lines."""
    given, wanted = case.given, case.wanted
    chunks = [bytes.fromhex(text) for text in given.get("chunks_hex", [])]
    chunks += [text.encode() for text in given.get("chunks", [])]
    reader = LineReader()
    lines = [line.data for chunk in chunks for line in reader.feed(chunk)]
    read: Any = [one for line in lines if line.strip() for one in parse_messages(line)]
    messages = [message for message in read if not isinstance(message, Malformed)]
    assert len(messages) == wanted["messages"]
    assert len(read) - len(messages) == wanted.get("noise_lines", 0)
    ids = [message.id for message in messages]
    assert ids == wanted.get("ids", ids)
    if "text_of_1" in wanted:
        assert messages[0].result == {"t": wanted["text_of_1"]}
    following = reader.feed(b'{"jsonrpc":"2.0","id":9,"result":{}}\n')
    assert bool(following) is wanted.get("alive", True)
