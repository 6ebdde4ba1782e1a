"""Results, outcomes, progress, pages, questions and state."""

import json
import math

import pytest

from toolroll.content import Audio, EmbeddedResource, Image, Other, ResourceLink, Text, ToolResult
from toolroll.outcome import Answer, Failed, Unavailable
from toolroll.protocol import (
    SERVER_INFO_KEY,
    UNKNOWN_FIELDS,
    ProgressNumbering,
    cut_page,
    next_cursor,
    open_state,
    read_input_required,
    read_progress,
    read_result,
    read_ttl,
    replies_of,
    result_type_of,
    seal_state,
    write_input_required,
    write_outcome,
    write_reply,
    write_result,
)
from toolroll.tools.context import Progress, Question, Reply

PICTURE = {"type": "image", "data": "AAEC", "mimeType": "image/png"}


def _text(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


@pytest.mark.rule("mcp-wire-result-type")
def test_only_known_types_of_result_are_accepted() -> None:
    assert result_type_of({}) == result_type_of({"resultType": "complete"}) == "complete"
    assert result_type_of({"resultType": "input_required"}) == "input_required"
    assert [result_type_of({"resultType": kind}) for kind in ("task", "weird", None, 7, [])] == [
        None
    ] * 5


@pytest.mark.rule("mcp-wire-structured-once")
@pytest.mark.parametrize(
    ("data", "texts"),
    [
        ({"t": 21}, ['{"t": 21}']),
        ({"t": 21}, ['{\n  "t": 21\n}']),
        ({"result": "hello"}, ["hello"]),
        ({"result": 5}, ["5"]),
        ({"result": ["a", "b"]}, ["a", "b"]),
        ({"result": [{"a": 1}, {"a": 2}]}, ['{"a":1}', '{"a":2}']),
        ([1, 2], ["[1,2]"]),
        ({"t": 21}, []),
        ({"t": 21}, [""]),
    ],
)
def test_text_that_repeats_the_data_is_dropped_and_media_stays(
    data: object, texts: list[str]
) -> None:
    raw = {"content": [*map(_text, texts), PICTURE], "structuredContent": data}
    result = read_result(raw)
    assert result.data == data
    assert result.content == (Image("AAEC", "image/png"),)
    assert len(result.for_model()) == 2


@pytest.mark.rule("mcp-wire-structured-once")
def test_text_that_says_something_else_stays_behind_the_data() -> None:
    raw = {"content": [_text("Only the first page.")], "structuredContent": {"rows": [1]}}
    assert read_result(raw).for_model() == [Text('{"rows":[1]}'), Text("Only the first page.")]


@pytest.mark.rule("mcp-wire-structured-once")
def test_words_of_a_failure_are_not_replaced_by_its_data() -> None:
    raw = {
        "isError": True,
        "content": [_text("station closed")],
        "structuredContent": {"detail": "x"},
    }
    result = read_result(raw)
    assert result.is_error
    assert result.for_model() == [Text("station closed")]


@pytest.mark.rule("mcp-wire-unknown-blocks")
def test_blocks_are_kept_whatever_they_are() -> None:
    blocks = [
        {"type": "hologram", "x": 1},
        {"type": "text"},
        7,
        "loose",
        _text("a") | {"annotations": {}},
    ]
    assert read_result({"content": blocks, "_meta": {"a": 1}}) == ToolResult(
        content=(
            Other({"type": "hologram", "x": 1}),
            Other({"type": "text"}),
            Other({"value": 7}),
            Text("loose"),
            Text("a", extra={"annotations": {}}),
        ),
        meta={"a": 1},
    )
    assert read_result({"structuredContent": {"a": 1}}).data == {"a": 1}
    assert read_result({"content": "no list", "isError": "yes"}) == ToolResult()


@pytest.mark.rule("mcp-wire-unknown-fields")
def test_fields_nobody_knows_are_kept_and_the_servers_name_is_not() -> None:
    named = {SERVER_INFO_KEY: {"name": "s", "version": "1"}}
    raw = {
        "content": [],
        "resultType": "complete",
        "_meta": {**named, "a": 1},
        "cost": {"cents": 7},
    }
    assert read_result(raw).meta == {"a": 1, UNKNOWN_FIELDS: {"cost": {"cents": 7}}}
    assert read_result({"content": [], "_meta": named}).meta == {}
    assert "a" in raw["_meta"]


@pytest.mark.rule("mcp-wire-structured-written")
def test_structured_content_is_written_where_it_is_declared_and_can_be_said() -> None:
    rows = ToolResult(data=[1, 2])
    assert write_result(rows, structured=True)["structuredContent"] == [1, 2]
    assert "structuredContent" not in write_result(rows)
    assert "structuredContent" not in write_result(rows, structured=True, version="2025-11-25")
    assert write_result(rows)["content"] == [_text("[1,2]")]
    record = ToolResult(data={"a": 1})
    assert write_result(record, structured=True, version="2025-06-18")["structuredContent"] == {
        "a": 1
    }
    assert "structuredContent" not in write_result(record, structured=True, version="2025-03-26")
    failed = ToolResult(data={"a": 1}, is_error=True)
    assert "structuredContent" not in write_result(failed, structured=True)


@pytest.mark.rule("mcp-wire-structured-written")
def test_a_block_that_a_version_does_not_know_becomes_text() -> None:
    blocks = (
        ResourceLink("note:1", "one", description="First"),
        Audio("AAEC", "audio/wav"),
        EmbeddedResource("note:1", text="x"),
        Other({"type": "hologram"}),
    )
    oldest = write_result(ToolResult(content=blocks), version="2024-11-05")
    assert [block["type"] for block in oldest["content"]] == ["text", "text", "resource", "text"]
    assert oldest["content"][0]["text"] == "one <note:1> First"
    assert oldest["content"][1]["text"] == "[audio audio/wav, 3 bytes]"


@pytest.mark.rule("mcp-wire-outcomes")
def test_outcomes_become_results() -> None:
    assert write_outcome(Answer(result=ToolResult(content=(Text("ok"),))))["content"] == [
        _text("ok")
    ]
    bad = write_outcome(Unavailable(code="unavailable", message="Try again later."))
    assert (bad["isError"], bad["content"]) == (True, [_text("Try again later.")])
    told = ToolResult(content=(Text("no such account"),), is_error=True)
    failed = write_outcome(Failed(code="tool-error", message="The tool failed.", result=told))
    assert failed["content"] == [_text("no such account")]
    assert "resultType" not in write_outcome(Answer(result=told), version="2025-11-25")


@pytest.mark.rule("mcp-wire-progress-grows")
def test_progress_grows_or_is_dropped() -> None:
    steps = [
        Progress("warming up"),
        Progress("halfway", 50, 100),
        Progress("backwards", 10),
        Progress("lost", math.nan),
        Progress("far", math.inf),
        Progress("farther", 10**400),
        Progress("almost", None, math.inf),
        Progress("", 52),
    ]
    numbering = ProgressNumbering("t")
    written = [numbering.write(step) for step in steps]
    assert [message["params"] for message in written if message] == [
        {"progressToken": "t", "progress": 1, "message": "warming up"},
        {"progressToken": "t", "progress": 50, "total": 100, "message": "halfway"},
        {"progressToken": "t", "progress": 51, "message": "almost"},
        {"progressToken": "t", "progress": 52},
    ]
    json.dumps(written, allow_nan=False)


@pytest.mark.rule("mcp-wire-progress-grows")
def test_progress_that_is_no_number_is_not_read() -> None:
    assert read_progress({"progress": 1, "total": "many"}) == Progress("", 1, None)
    odd = (True, "1", None, math.nan, math.inf, 10**400, -(10**400))
    assert [read_progress({"progress": each}) for each in odd] == [None] * 7
    assert read_progress({"progress": 1, "total": 10**400}) == Progress("", 1, None)


@pytest.mark.rule("mcp-wire-pages")
def test_pages_cover_a_list_once() -> None:
    items, cursor, seen = list(range(250)), None, []
    while page := cut_page(items, cursor, size=100, revision="r1"):
        seen.extend(page.items)
        cursor = page.cursor
        if cursor is None:
            break
    assert seen == items
    assert cut_page([], None) is not None


@pytest.mark.rule("mcp-wire-pages")
def test_a_cursor_of_another_list_or_of_nobody_is_refused() -> None:
    first = cut_page([1, 2, 3], size=1, revision="r1")
    assert first is not None
    assert cut_page([1, 2, 3], first.cursor, size=1, revision="r2") is None
    assert cut_page([1], first.cursor, size=1, revision="r1") is None
    assert [cut_page([1, 2], bad) for bad in ("", "é", "x" * 2000, 7, {}, "LTE6")] == [None] * 6
    assert next_cursor({"nextCursor": 7}) is None


@pytest.mark.rule("mcp-wire-ttl")
def test_a_ttl_is_read_in_seconds() -> None:
    assert [read_ttl({"ttlMs": each}) for each in (2500, 0, -1, True, "9", math.nan)] == [
        2.5,
        0.0,
        0.0,
        None,
        None,
        None,
    ]
    assert read_ttl({"ttlMs": 10**400}) == read_ttl({"ttlMs": math.inf}) == 1e12


@pytest.mark.rule("mcp-wire-questions")
def test_questions_are_written_and_read() -> None:
    form = {"type": "object", "properties": {"name": {"type": "string"}}}
    raw = write_input_required({"q1": Question("Who?", form)}, state="s")
    read = read_input_required(raw)
    assert read is not None
    assert (read.questions, read.unsupported, read.state) == (
        {"q1": Question("Who?", form)},
        (),
        "s",
    )
    replies = {
        "q1": write_reply(Reply("accept", {"name": "Ada"})),
        "q2": {"action": "shrug"},
        "q3": 7,
    }
    assert replies_of({"inputResponses": replies}) == {"q1": Reply("accept", {"name": "Ada"})}


@pytest.mark.rule("mcp-wire-questions")
def test_requests_that_are_no_forms_are_reported() -> None:
    url = {
        "method": "elicitation/create",
        "params": {"mode": "url", "message": "m", "url": "https://x"},
    }
    read = read_input_required({"inputRequests": {"a": {"method": "roots/list"}, "b": url, "c": 7}})
    assert read is not None
    assert [key for key, _ in read.unsupported] == ["a", "b", "c"]
    assert [
        read_input_required(bad) for bad in ({}, {"inputRequests": []}, {"requestState": 1})
    ] == [None] * 3


@pytest.mark.rule("mcp-wire-state-signed")
def test_a_state_opens_only_for_what_it_was_made() -> None:
    key, other = b"k" * 32, b"o" * 32
    sealed = seal_state(key, {"answers": [1]}, bound_to=["ada", "pay", {"sum": 5}], expires=100)
    bound = ["ada", "pay", {"sum": 5}]
    assert open_state(key, sealed, bound_to=bound, now=100) == {"answers": [1]}
    assert open_state(other, sealed, bound_to=bound, now=99) is None
    assert open_state(key, sealed, bound_to=["bob", "pay", {"sum": 5}], now=99) is None
    assert open_state(key, sealed, bound_to=bound, now=101) is None
    for at in range(len(sealed)):
        forged = sealed[:at] + ("A" if sealed[at] != "A" else "B") + sealed[at + 1 :]
        assert open_state(key, forged, bound_to=bound, now=99) is None
    for bad in ("", ".", "é.é", "a" * 100_000):
        assert open_state(key, bad, bound_to=bound, now=99) is None


@pytest.mark.rule("mcp-wire-messages-fit-their-schema")
def test_a_field_of_another_kind_is_kept_for_the_host_and_not_sent_to_a_client() -> None:
    link = {"type": "resource_link", "uri": "a:1", "name": "one", "annotations": {"priority": 1}}
    inner = {"uri": "a:2", "text": "two", "_meta": {"rank": 2}}
    result = read_result(
        {
            "content": [
                {**link, "title": 7, "size": "3 kB"},
                {"type": "resource", "resource": {**inner, "mimeType": ["x"]}},
            ]
        }
    )

    assert result.content[0].extra["title"] == 7
    assert write_result(result)["content"] == [link, {"type": "resource", "resource": inner}]
