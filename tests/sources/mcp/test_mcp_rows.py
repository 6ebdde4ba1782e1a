"""Where a widely used client loses tools, results or itself: what ours does, row by row.

Each row is a rule of its own, over a scripted server of each era it applies to.
"""

import inspect
import json
from collections.abc import Callable
from typing import Any

import anyio
import pytest

from tests.sources.loopback import nobody
from tests.sources.mcp.asking import call, failing, source, tool
from tests.sources.mcp.memory import asking, silent
from tests.sources.mcp.scripted import (
    EVENTS,
    TOOL,
    Call,
    Reply,
    Script,
    dropped,
    error,
    event,
    legacy,
    modern,
    response,
    result,
    serving,
    text,
)
from toolroll.content import Other, Text
from toolroll.protocol import UNKNOWN_FIELDS
from toolroll.sources.mcp import McpOptions, mcp_http
from toolroll.sources.mcp.answer import MISMATCH
from toolroll.sources.source import Discovery, SourceError, Timeouts

pytestmark = pytest.mark.anyio

EMPTY = {"type": "object", "properties": {}}
ERAS = pytest.mark.parametrize("make", [modern, legacy])

Make = Callable[..., Script]


async def listed(script: Script) -> Discovery:
    """What a source makes of a server's list."""
    with serving(script):
        async with source(script.url) as client:
            return await client.discover()


async def answered(script: Script, value: dict[str, Any], **given: Any) -> Any:
    """What a source makes of a result."""
    with serving(script.on("tools/call", lambda call: result(call, value))):
        async with source(script.url) as client:
            return await call(client, **given)


@ERAS
@pytest.mark.rule("mcp-client-row-reset")
async def test_a_reset_costs_its_call_and_neither_the_block_nor_the_client(make: Make) -> None:
    script = make().on("tools/call", dropped, lambda call: result(call, text("ok")))
    went_on = False
    with serving(script):
        async with source(script.url) as client:
            assert (await failing(client)).reason == "outcome-unknown"
            went_on = True
            assert (await call(client)).text == "ok"
    assert went_on


@pytest.mark.rule("mcp-client-row-refused")
async def test_a_refused_connection_is_one_plain_error_and_the_block_opens() -> None:
    with nobody() as url:
        async with source(f"{url}/mcp") as client:
            for question in (client.discover, lambda: call(client)):
                with pytest.raises(SourceError) as caught:
                    await question()
                assert (caught.value.reason, caught.value.retryable) == ("unavailable", True)


@ERAS
@pytest.mark.rule("mcp-client-row-plain-errors")
@pytest.mark.parametrize("fault", [KeyError("mine"), SourceError("demo", "unavailable")])
async def test_an_error_inside_the_block_leaves_it_as_it_is(make: Make, fault: Exception) -> None:
    async def use(url: str) -> None:
        async with source(url) as client:
            await call(client)
            raise fault

    with serving(make()) as script, pytest.raises(type(fault)) as caught:
        await use(script.url)
    assert caught.value is fault


@ERAS
@pytest.mark.rule("mcp-client-row-any-task")
async def test_a_source_is_opened_used_and_closed_in_three_tasks(make: Make) -> None:
    texts: list[str] = []
    with serving(make()) as script:
        client = source(script.url)

        async def use() -> None:
            texts.append((await call(client)).text)

        for step in (client.__aenter__, use, client.aclose):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(step)
    assert texts == ["ok"]


BAD = {
    "no name": {"inputSchema": EMPTY},
    "a name that is no text": {"name": 7, "inputSchema": EMPTY},
    "a schema of text": {"name": "bad", "inputSchema": {"type": "string"}},
    "a schema that is none": {"name": "bad", "inputSchema": 7},
}
MENDED = {
    "no schema": ({"name": "odd"}, "missing"),
    "null": ({"name": "odd", "inputSchema": None}, "missing"),
    "no type": ({"name": "odd", "inputSchema": {"properties": {}}}, "no type"),
    "object or null": (
        {"name": "odd", "inputSchema": {"type": ["object", "null"]}},
        "['object', 'null']",
    ),
    "a hint that is text": (
        {"name": "odd", "inputSchema": EMPTY, "annotations": {"readOnlyHint": "yes"}},
        "readOnlyHint",
    ),
}


@ERAS
@pytest.mark.rule("mcp-client-row-bad-tool")
@pytest.mark.parametrize("bad", BAD)
async def test_one_bad_tool_is_left_out_with_a_reason(make: Make, bad: str) -> None:
    discovery = await listed(make(BAD[bad], TOOL))
    assert [each.name for each in discovery.definitions] == ["echo"]
    assert [note.kind for note in discovery.report.notes] == ["skipped"]


@ERAS
@pytest.mark.rule("mcp-client-row-bad-tool")
@pytest.mark.parametrize("odd", MENDED)
async def test_a_tool_that_can_be_read_without_a_loss_is_kept_with_a_note(
    make: Make, odd: str
) -> None:
    entry, said = MENDED[odd]
    discovery = await listed(make(entry, TOOL))
    assert [each.name for each in discovery.definitions] == ["odd", "echo"]
    assert discovery.definitions[0].input_schema == EMPTY
    assert discovery.definitions[0].hints.read_only is None
    [note] = discovery.report.notes
    assert (note.kind, note.subject) == ("lost" if "Hint" in said else "repaired", "odd")
    assert said in note.reason


@pytest.mark.rule("mcp-client-row-list-fields")
async def test_a_modern_list_without_its_new_fields_is_one_that_is_stale_at_once() -> None:
    script = modern().on("tools/list", lambda call: result(call, {"tools": [TOOL]}))
    discovery = await listed(script)
    assert [each.name for each in discovery.definitions] == ["echo"]
    assert discovery.ttl == 0.0


@pytest.mark.rule("mcp-client-row-bad-mark")
@pytest.mark.parametrize(("make", "kept"), [(modern, ["echo"]), (legacy, ["marked", "echo"])])
async def test_a_bad_mark_costs_its_tool_where_marks_count(
    make: Make, kept: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    marks = {"a": {"type": "object", "x-mcp-header": "A"}}
    marked = {"name": "marked", "inputSchema": {"type": "object", "properties": marks}}
    discovery = await listed(make(marked, TOOL))
    assert [each.name for each in discovery.definitions] == kept
    assert ("marked" in caplog.text) == (make is modern)


@ERAS
@pytest.mark.rule("mcp-client-row-content")
async def test_what_is_known_of_a_result_is_kept_and_the_rest_passed_on(make: Make) -> None:
    odd = {"type": "hologram", "x": 1}
    blocks = await answered(make(), {"content": [odd, *text("a")["content"]]})
    assert blocks.content == (Other(odd), Text("a"))
    data = await answered(make(), {"structuredContent": {"t": 1}})
    assert (data.data, data.content) == ({"t": 1}, ())


@ERAS
@pytest.mark.rule("mcp-client-row-output-schema")
@pytest.mark.parametrize(
    ("schema", "value", "noted"),
    [
        ({"type": "object", "required": ["t"]}, {"structuredContent": {}}, True),
        ({"type": "object", "required": ["t"]}, {}, True),
        ({"type": "no such type"}, {"structuredContent": {}}, False),
        ({"$ref": "http://127.0.0.1:9/schema.json"}, {"structuredContent": {}}, False),
    ],
    ids=["mismatch", "nothing structured", "bad schema", "remote schema"],
)
async def test_a_result_that_its_schema_does_not_fit_is_kept(
    make: Make, schema: dict[str, Any], value: dict[str, Any], noted: bool
) -> None:
    answer = await answered(make(), {**text("ok"), **value}, tool=tool(output=schema))
    assert "ok" in answer.text
    assert (MISMATCH in answer.meta) == noted


@pytest.mark.rule("mcp-client-row-result-type")
async def test_a_result_of_an_unknown_type_is_no_answer() -> None:
    script = modern().on(
        "tools/call", lambda call: result(call, {**text("ok"), "resultType": "weird"})
    )
    with serving(script):
        async with source(script.url) as client:
            assert (await failing(client)).reason == "invalid-response"


@pytest.mark.rule("mcp-client-row-input-required")
async def test_input_that_nobody_can_give_is_unsupported() -> None:
    asked = {
        "method": "elicitation/create",
        "params": {"message": "Sure?", "requestedSchema": EMPTY},
    }
    wanted = {"resultType": "input_required", "inputRequests": {"q": asked}}
    with serving(modern().on("tools/call", lambda call: result(call, wanted))) as script:
        async with source(script.url) as client:
            assert (await failing(client)).reason == "unsupported"


@ERAS
@pytest.mark.rule("mcp-client-row-statuses")
@pytest.mark.parametrize(
    ("status", "reason", "wait"),
    [
        (401, "authentication", None),
        (403, "authentication", None),
        (408, "unavailable", "7"),
        (429, "unavailable", "7"),
        (500, "unavailable", "7"),
        (503, "unavailable", "7"),
    ],
)
async def test_a_status_keeps_its_meaning_and_its_wait(
    make: Make, status: int, reason: str, wait: str | None
) -> None:
    headers = {"Retry-After": wait} if wait else {}
    refusal = Reply(status=status, headers=headers, body=b"busy")
    with serving(make().on("tools/call", lambda call: refusal)) as script:
        async with source(script.url) as client:
            failure = await failing(client)
    assert (failure.reason, failure.retry_after) == (reason, float(wait) if wait else None)
    assert str(status) in failure.description


@ERAS
@pytest.mark.rule("mcp-client-row-not-found")
async def test_a_404_is_an_error_of_the_source_that_names_it(make: Make) -> None:
    with serving(make().on("tools/call", lambda call: Reply(status=404))) as script:
        async with source(script.url) as client:
            failure = await failing(client)
    assert not failure.may_have_run
    assert "404" in failure.description


@pytest.mark.rule("mcp-client-row-era-refused")
@pytest.mark.parametrize(
    "refusal",
    [
        *(Reply(status=status) for status in (401, 403, 429, 500, 503)),
        Reply(kind="text/html", body=b"<html>"),
    ],
    ids=["401", "403", "429", "500", "503", "html"],
)
async def test_a_refusal_at_the_beginning_is_raised_and_no_handshake_follows(
    refusal: Reply,
) -> None:
    script = modern()
    script.on("server/discover", lambda call: refusal, script.answers["server/discover"])
    with serving(script):
        async with source(script.url) as client:
            await failing(client)
            assert (await call(client)).text == "ok"
    assert "initialize" not in script.methods


@pytest.mark.usefixtures("virtual_time")
@pytest.mark.rule("mcp-client-row-era-silent")
@pytest.mark.parametrize("method", ["server/discover", "initialize"])
async def test_one_budget_covers_the_beginning(method: str) -> None:
    script = legacy().on(method, silent)
    async with asking(script, timeouts=Timeouts(connect=0.4, idle=15, total=15)) as client:
        failure = await failing(client)
    assert failure.reason == "unavailable"
    assert "connect limit of 0.4 s" in failure.description
    assert script.methods[-1] == method


@pytest.mark.rule("mcp-client-row-session-ended")
async def test_a_session_that_ended_is_begun_again_and_its_id_is_not_sent_again() -> None:
    script = legacy()
    script.on(
        "tools/call",
        lambda call: Reply(status=404) if call.session == "s1" else result(call, text("ok")),
    )
    with serving(script):
        async with source(script.url) as client:
            assert [(await call(client)).text for _ in range(2)] == ["ok", "ok"]
    assert [seen.session for seen in script.of("tools/call")] == ["s1", "s2", "s2"]


@pytest.mark.rule("mcp-client-row-default-limit")
async def test_a_call_has_limits_that_nobody_had_to_give() -> None:
    given = inspect.signature(mcp_http).parameters["timeouts"].default
    assert given == Timeouts(connect=30.0, idle=60.0, total=300.0)


@ERAS
@pytest.mark.rule("mcp-client-row-not-listed")
async def test_a_call_needs_no_listing_before_it_or_after_it(make: Make) -> None:
    with serving(make()) as script:
        async with source(script.url) as client:
            for _ in range(3):
                await call(client, tool=tool("never_listed"))
    assert "tools/list" not in script.methods


@pytest.mark.rule("mcp-client-row-mismatch")
async def test_a_header_mismatch_is_mended_by_one_listing_and_one_more_try() -> None:
    marked = {"type": "object", "properties": {"a": {"type": "string", "x-mcp-header": "A"}}}
    script = modern({"name": "echo", "inputSchema": marked})
    script.on(
        "tools/call",
        lambda call: (
            result(call, text("ok"))
            if "mcp-param-a" in call.headers
            else error(call, -32020, status=400)
        ),
    )
    with serving(script):
        async with source(script.url) as client:
            assert (await call(client, {"a": "x"})).text == "ok"
    assert script.methods[1:] == ["tools/call", "tools/list", "tools/call"]


@ERAS
@pytest.mark.rule("mcp-client-row-pages")
async def test_all_pages_are_walked_and_a_circle_ends(make: Make) -> None:
    following = {None: "b", "b": "c", "c": "b"}

    def page(call: Call) -> Reply:
        cursor = call.params.get("cursor")
        here = {**TOOL, "name": f"t{cursor or 'a'}"}
        return result(call, {"tools": [here], "nextCursor": following[cursor]})

    script = make().on("tools/list", page)
    discovery = await listed(script)
    assert [each.name for each in discovery.definitions] == ["ta", "tb", "tc"]
    assert len(script.of("tools/list")) == 3
    assert [note.kind for note in discovery.report.notes] == ["cut"]


@ERAS
@pytest.mark.rule("mcp-client-row-large-answer")
@pytest.mark.parametrize("kind", ["application/json", EVENTS])
async def test_eight_megabytes_are_not_let_through(make: Make, kind: str) -> None:
    def large(call: Call) -> Reply:
        message = response(call, text("x" * 8_000_000))
        body = event(message) if kind == EVENTS else json.dumps(message).encode()
        return Reply(body=body, kind=kind)

    with serving(make().on("tools/call", large)) as script:
        async with source(script.url) as client:
            failure = await failing(client)
            assert failure.reason == "result-too-large"
            assert "8,000,000" in failure.message
        async with source(script.url).with_options(McpOptions(message_bytes=100_000)) as client:
            assert (await failing(client)).reason == "result-too-large"


@ERAS
@pytest.mark.rule("mcp-client-row-redirects")
@pytest.mark.parametrize("status", [307, 308])
async def test_a_redirect_is_followed_within_the_origin_alone(make: Make, status: int) -> None:
    def near(call: Call) -> Reply:
        if call.path == "/mcp":
            return Reply(status=status, headers={"Location": "/moved"})
        return result(call, text("ok"))

    with serving(make()) as elsewhere, serving(make().on("tools/call", near)) as script:
        async with source(script.url) as client:
            assert (await call(client)).text == "ok"
            script.on(
                "tools/call",
                lambda call: Reply(status=status, headers={"Location": elsewhere.url}),
            )
            assert (await failing(client)).reason == "invalid-response"
    assert elsewhere.seen == []


@ERAS
@pytest.mark.rule("mcp-client-row-unknown-fields")
async def test_fields_that_the_protocol_does_not_have_are_kept(make: Make) -> None:
    schema = {**EMPTY, "x-mine": 1}
    entry = {"name": "echo", "inputSchema": schema, "x-more": [1], "_meta": {"k": 1}}
    [kept] = (await listed(make(entry))).definitions
    assert (kept.input_schema, kept.extra, kept.meta) == (schema, {"x-more": [1]}, {"k": 1})
    answer = await answered(make(), {**text("ok"), "x-more": [1], "_meta": {"k": 1}})
    assert (answer.meta["k"], answer.meta[UNKNOWN_FIELDS]) == (1, {"x-more": [1]})
