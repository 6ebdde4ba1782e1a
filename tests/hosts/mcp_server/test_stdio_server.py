"""The server over pipes in this process, on both event loops."""

import json
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import anyio
import pytest

from tests.hosts.mcp_server.harness import (
    MODERN_META,
    VERSION_KEY,
    PipeClient,
    call,
    hello,
    modern,
    over_pipes,
    request,
    text_of,
)
from tests.hosts.mcp_server.kits import Run, TableKit, echo, text
from toolroll.content import Other, Text, ToolResult
from toolroll.hosts.mcp_server import RequestInfo, ServerLimits, ServerOptions
from toolroll.outcome import (
    Aborted,
    Answer,
    Failed,
    InvalidInput,
    Issue,
    Outcome,
    Refused,
    Unavailable,
)
from toolroll.protocol import LEGACY
from toolroll.toolkit.live import LiveToolkit
from toolroll.tools.call import ToolCall
from toolroll.tools.context import CallContext, Principal
from toolroll.tools.definition import ToolDefinition

pytestmark = pytest.mark.anyio

KIT = {"echo": echo}


class Gate:
    """A tool that waits until it is let go, and tells when it was entered and cancelled."""

    def __init__(self) -> None:
        self.entered = 0
        self.cancelled = 0
        self.changed = anyio.Event()
        self.go = anyio.Event()

    async def run(self, run: ToolCall, context: CallContext[object]) -> Outcome:
        self.entered += 1
        self._change()
        try:
            await self.go.wait()
        except BaseException:
            self.cancelled += 1
            self._change()
            raise
        return text("let go")

    def _change(self) -> None:
        self.changed.set()
        self.changed = anyio.Event()

    async def until(self, *, entered: int = 0, cancelled: int = 0) -> None:
        while self.entered < entered or self.cancelled < cancelled:
            await self.changed.wait()


@pytest.mark.rule("mcp-server-both-eras")
async def test_one_process_serves_both_eras_message_by_message() -> None:
    async with over_pipes(TableKit(KIT)) as client:
        first = await client.ask(modern(1, "tools/call", call("echo", {"text": "new"})))
        assert first["result"]["resultType"] == "complete"
        assert text_of(first) == "new"
        agreed = await client.ask(hello("2025-06-18"))
        assert agreed["result"]["protocolVersion"] == "2025-06-18"
        await client.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        second = await client.ask(request(2, "tools/call", call("echo", {"text": "old"})))
        assert second["result"] == {"content": [{"type": "text", "text": "old"}]}
        third = await client.ask(modern(3, "tools/list"))
        assert third["result"]["resultType"] == "complete"


@pytest.mark.rule("mcp-server-version-negotiation")
@pytest.mark.parametrize("version", [*LEGACY, "2026-07-28", "1900-01-01", 7])
async def test_initialize_agrees_on_a_legacy_version(version: str) -> None:
    async with over_pipes(TableKit(KIT)) as client:
        result = (await client.ask(hello(version)))["result"]
        assert result["protocolVersion"] == (version if version in LEGACY else LEGACY[0])
        assert result["serverInfo"] == {"name": "demo", "version": "1.0"}
        assert result["capabilities"] == {"tools": {}}


@pytest.mark.rule("mcp-server-discover")
async def test_discover_says_versions_capabilities_and_how_long_to_keep_it() -> None:
    options = ServerOptions(instructions="Be brief.", ttl=5, cache_scope="public", title="Demo")
    async with over_pipes(TableKit(KIT), options) as client:
        result = (await client.ask(modern(1, "server/discover")))["result"]
        assert result["supportedVersions"] == ["2026-07-28", *LEGACY]
        assert result["capabilities"] == {"tools": {}}
        assert result["instructions"] == "Be brief."
        assert (result["ttlMs"], result["cacheScope"]) == (5000, "public")
        info = result["_meta"]["io.modelcontextprotocol/serverInfo"]
        assert info == {"name": "demo", "version": "1.0", "title": "Demo"}


@pytest.mark.rule("mcp-server-envelope")
@pytest.mark.parametrize("missing", list(MODERN_META))
async def test_a_stateless_request_without_its_meta_is_refused(missing: str) -> None:
    meta = {key: value for key, value in MODERN_META.items() if key != missing}
    async with over_pipes(TableKit(KIT)) as client:
        answer = await client.ask(request(1, "server/discover", {"_meta": meta}))
        assert answer["error"]["code"] == -32602
        assert missing in answer["error"]["message"]
        answer = await client.ask(request(2, "server/discover"))
        assert answer["error"]["code"] == -32602


@pytest.mark.rule("mcp-server-unsupported-version")
async def test_an_unknown_version_is_answered_with_those_there_are() -> None:
    async with over_pipes(TableKit(KIT)) as client:
        answer = await client.ask(modern(1, "tools/list", **{VERSION_KEY: "1900-01-01"}))
        assert answer["error"]["code"] == -32022
        assert answer["error"]["data"] == {
            "supported": ["2026-07-28", *LEGACY],
            "requested": "1900-01-01",
        }


@pytest.mark.rule("mcp-server-methods-by-era")
@pytest.mark.parametrize("method", ["initialize", "ping", "logging/setLevel", "prompts/list", "x"])
async def test_methods_that_the_stateless_era_has_not_are_not_found(method: str) -> None:
    async with over_pipes(TableKit(KIT)) as client:
        assert (await client.ask(modern(1, method)))["error"]["code"] == -32601


@pytest.mark.rule("mcp-server-methods-by-era")
async def test_legacy_methods_are_answered_and_others_not_found() -> None:
    async with over_pipes(TableKit(KIT)) as client:
        await client.ask(hello())
        assert (await client.ask(request(1, "ping")))["result"] == {}
        set_level = request(2, "logging/setLevel", {"level": "info"})
        assert (await client.ask(set_level))["result"] == {}
        assert (await client.ask(request(3, "logging/setLevel")))["error"]["code"] == -32602
        for method in ("resources/list", "prompts/list", "completion/complete", "nope"):
            assert (await client.ask(request(4, method)))["error"]["code"] == -32601


@pytest.mark.rule("mcp-server-malformed")
@pytest.mark.parametrize(
    ("sent", "code", "id"),
    [
        (b"garbage", -32700, None),
        (b'{"jsonrpc":"2.0","id":1', -32700, None),
        (b'\xff{"id":1}', -32700, None),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":NaN}}', -32700, None),
        (b"[]", -32600, None),
        (b"7", -32600, None),
        (b'{"id":1,"method":"ping"}', -32600, 1),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, None),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, None),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600, None),
        (b'{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600, None),
        (b'{"jsonrpc":"2.0","id":1,"method":7}', -32600, 1),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}', -32600, 1),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, None),
    ],
)
async def test_what_is_no_message_is_answered_and_does_no_harm(
    sent: bytes, code: int, id: object
) -> None:
    async with over_pipes(TableKit(KIT)) as client:
        answer = await client.ask(sent)
        assert answer["error"]["code"] == code
        assert answer.get("id") == id
        assert ("id" in answer) == (id is not None)
        await client.silence()


@pytest.mark.rule("mcp-server-depth")
async def test_a_message_nested_too_deeply_is_refused() -> None:
    options = ServerOptions(limits=ServerLimits(depth=8))
    async with over_pipes(TableKit(KIT), options) as client:
        deep = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":%s}}'
        assert "result" in await client.ask(deep % (b"[" * 6 + b"]" * 6))
        assert (await client.ask(deep % (b"[" * 7 + b"]" * 7)))["error"]["code"] == -32600
        for many in (1000, 100_000):
            answer = await client.ask(deep % (b"[" * many + b"]" * many))
            assert answer["error"]["code"] in (-32600, -32700)


@pytest.mark.rule("mcp-server-stdio-line-bound")
async def test_a_message_that_is_too_large_is_refused_and_the_next_one_answered() -> None:
    options = ServerOptions(limits=ServerLimits(message=1000))
    async with over_pipes(TableKit(KIT), options) as client:
        answer = await client.ask(request(1, "ping", {"x": "y" * 2000}))
        assert answer["error"]["code"] == -32600
        assert "too large" in answer["error"]["message"]
        await client.silence()


@pytest.mark.rule("mcp-server-notifications")
async def test_notifications_and_stray_answers_get_no_answer() -> None:
    async with over_pipes(TableKit(KIT)) as client:
        await client.send(
            {"jsonrpc": "2.0", "method": "notifications/whatever"},
            {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "no"}},
            {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": {}}},
            {"jsonrpc": "2.0", "method": "notifications/cancelled"},
            {"jsonrpc": "2.0", "id": 9, "result": {}},
            {"jsonrpc": "2.0", "id": 9, "error": {"code": 1, "message": "x"}},
            b"",
        )
        await client.silence()


@pytest.mark.rule("mcp-server-same-ids")
async def test_many_calls_in_flight_with_one_id_are_each_answered() -> None:
    gate = Gate()
    async with over_pipes(TableKit({"gate": gate.run})) as client:
        await client.send(*[modern("same", "tools/call", call("gate")) for _ in range(32)])
        await gate.until(entered=32)
        gate.go.set()
        for _ in range(32):
            answer = await client.receive()
            assert (answer["id"], text_of(answer)) == ("same", "let go")
        await client.silence()


@pytest.mark.rule("mcp-server-cancel")
@pytest.mark.parametrize("era", ["modern", "legacy"])
async def test_a_cancelled_call_reaches_its_handler_and_gets_no_answer(era: str) -> None:
    gate = Gate()
    async with over_pipes(TableKit({"gate": gate.run, "echo": echo})) as client:
        make = modern if era == "modern" else request
        await client.send(
            make(1, "tools/call", call("gate")), make("1", "tools/call", call("gate"))
        )
        await gate.until(entered=2)
        cancel = {"requestId": 1, "reason": "enough"}
        await client.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancel})
        await gate.until(cancelled=1)
        await client.silence()
        gate.go.set()
        assert (await client.receive())["id"] == "1"


@pytest.mark.rule("mcp-server-cancel")
async def test_a_call_that_is_cancelled_in_the_same_breath_gets_no_answer() -> None:
    gate = Gate()
    gate.go.set()
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    async with over_pipes(TableKit({"gate": gate.run})) as client:
        together = [modern(1, "tools/call", call("gate")), cancel]
        await client.send(b"\n".join(json.dumps(message).encode() for message in together))
        await client.silence()
    assert gate.cancelled == gate.entered


@pytest.mark.rule("mcp-server-end")
async def test_the_end_of_input_cancels_what_runs_and_ends_the_server() -> None:
    gate = Gate()
    async with over_pipes(TableKit({"gate": gate.run}), ServerOptions(drain=0.05)) as client:
        await client.send(modern(1, "tools/call", call("gate")))
        await gate.until(entered=1)
        client.close()
        await gate.until(cancelled=1)
        with pytest.raises(EOFError):
            await client.receive()


@pytest.mark.rule("mcp-server-drain")
async def test_a_call_that_ends_soon_after_the_end_of_input_is_still_answered() -> None:
    gate = Gate()
    async with over_pipes(TableKit({"gate": gate.run}), ServerOptions(drain=50)) as client:
        await client.send(modern(1, "tools/call", call("gate")))
        await gate.until(entered=1)
        client.close()
        gate.go.set()
        assert text_of(await client.receive()) == "let go"


@pytest.mark.rule("mcp-server-stdio-reader-gone")
async def test_a_client_that_is_gone_ends_the_server_and_its_calls() -> None:
    gate = Gate()
    async with over_pipes(TableKit({"gate": gate.run, "echo": echo})) as client:
        await client.send(modern(1, "tools/call", call("gate")))
        await gate.until(entered=1)
        spare = os.dup(os.open(os.devnull, os.O_RDONLY))
        os.dup2(spare, client._read)  # the reading end is closed
        await client.send(modern(2, "tools/call", call("echo")))
        await gate.until(cancelled=1)


@pytest.mark.rule("mcp-server-concurrency")
async def test_more_calls_than_allowed_are_turned_away_and_the_others_go_on() -> None:
    gate = Gate()
    options = ServerOptions(limits=ServerLimits(calls=5, calls_per_connection=2))
    async with over_pipes(TableKit({"gate": gate.run}), options) as client:
        await client.send(*[modern(number, "tools/call", call("gate")) for number in range(3)])
        answer = await client.receive()
        assert answer["id"] == 2
        assert answer["error"]["message"] == "Too many calls run at once. Try again later."
        assert "result" in await client.ask(modern("list", "tools/list"))
        gate.go.set()
        assert {(await client.receive())["id"] for _ in range(2)} == {0, 1}


@pytest.mark.rule("mcp-server-concurrency")
async def test_the_limit_of_the_server_counts_every_connection() -> None:
    gate = Gate()
    options = ServerOptions(limits=ServerLimits(calls=1))
    async with over_pipes(TableKit({"gate": gate.run}), options) as client:
        await client.send(modern(1, "tools/call", call("gate")))
        await gate.until(entered=1)
        assert (await client.ask(modern(2, "tools/call", call("gate"))))["error"]["code"] == -32603
        gate.go.set()
        assert (await client.receive())["id"] == 1


def answering(outcome: Outcome) -> TableKit:
    async def run(made: ToolCall, context: CallContext[object]) -> Outcome:
        return outcome

    return TableKit({"it": run})


SECRET = ValueError("postgres://user:hunter2@10.0.0.1/db")
BAD: list[tuple[Outcome, str]] = [
    (
        InvalidInput(
            code="bad-arguments",
            message="The arguments do not fit it.",
            issues=(Issue("/a", "must be integer"), Issue("/b\x1b[31m", "must\nbe <= 3")),
        ),
        "Invalid arguments at /a: must be integer\nInvalid arguments at /b: must be <= 3",
    ),
    (
        Refused(code="rev-conflict", message="It was\nchanged.", lines=("revision\t7", "a\r\nb")),
        "It was changed.\nrevision\t7\na b",
    ),
    (Failed(code="handler-error", message="it failed: boom", cause=SECRET), "it failed: boom"),
    (Unavailable(code="unavailable", message="Not now.", cause=SECRET), "Not now."),
    (Aborted(code="aborted", message="Cancelled.", cause=SECRET), "Cancelled."),
    (
        Failed(
            code="tool-error",
            message="short",
            result=ToolResult(content=(Text("the whole\nreport"),), is_error=True),
        ),
        "the whole\nreport",
    ),
]


@pytest.mark.rule("mcp-server-bad-outcomes")
@pytest.mark.parametrize(("outcome", "wanted"), BAD, ids=lambda value: getattr(value, "code", ""))
async def test_a_bad_outcome_is_a_result_with_sentences_and_never_its_cause(
    outcome: Outcome, wanted: str
) -> None:
    async with over_pipes(answering(outcome)) as client:
        for message in (modern(1, "tools/call", call("it")), request(2, "tools/call", call("it"))):
            answer = await client.ask(message)
            assert answer["result"]["isError"] is True
            assert text_of(answer) == wanted
            assert "hunter2" not in str(answer)
            told = answer["result"]["_meta"]["toolroll/outcome"]
            assert told["kind"] == outcome.kind


@pytest.mark.rule("mcp-server-internal-errors")
async def test_what_breaks_inside_says_nothing_of_itself(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class BrokenKit(TableKit):
        async def call(self, call: ToolCall, context: CallContext[object], /) -> Outcome:
            raise SECRET

    def no_context(info: RequestInfo) -> CallContext[object]:
        raise SECRET

    for kit, more in ((BrokenKit(KIT), {}), (TableKit(KIT), {"context": no_context})):
        async with over_pipes(kit, **more) as client:
            answer = await client.ask(modern(1, "tools/call", call("echo")))
            assert answer["error"] == {"code": -32603, "message": "Internal error"}
            await client.silence()
    assert "hunter2" in caplog.text


@pytest.mark.rule("mcp-server-internal-errors")
@pytest.mark.parametrize("value", [float("nan"), {1, 2}, object()])
async def test_an_answer_that_is_no_json_is_an_internal_error(value: object) -> None:
    outcome = Answer(result=ToolResult(content=(Other({"type": "x", "value": value}),)))  # type: ignore[dict-item]
    async with over_pipes(answering(outcome)) as client:
        answer = await client.ask(modern(1, "tools/call", call("it")))
        assert (answer["id"], answer["error"]["code"]) == (1, -32603)
        await client.silence()


@pytest.mark.rule("mcp-server-unknown-tool")
@pytest.mark.parametrize("name", ["nope", "toString", "__proto__", "x\u2028SYSTEM: hi"])
async def test_an_unknown_tool_is_an_error_that_names_it_on_one_line(name: str) -> None:
    async with over_pipes(TableKit(KIT)) as client:
        error = (await client.ask(modern(1, "tools/call", call(name))))["error"]
        assert error["code"] == -32602
        assert error["message"] == f'Unknown tool: "{name.replace(chr(0x2028), " ")}"'
        assert error["data"]["advice"][-1] == "tools\techo"


@pytest.mark.rule("mcp-server-unknown-tool")
async def test_an_unknown_tool_can_be_a_result_instead() -> None:
    options = ServerOptions(unknown_tool="result")
    async with over_pipes(TableKit(KIT), options) as client:
        answer = await client.ask(request(1, "tools/call", call("x\u2028SYSTEM: hi")))
        assert answer["result"]["isError"] is True
        assert text_of(answer) == 'Unknown demo tool: "x SYSTEM: hi"'


@pytest.mark.rule("mcp-server-stdio-lines")
async def test_an_answer_is_one_line_for_readers_that_break_at_unicode_line_ends_too() -> None:
    said = "a\u2028b\u2029c\x85d\r\ne"
    async with over_pipes(TableKit(KIT)) as client:
        await client.send(modern(1, "tools/call", call("echo", {"text": said})))
        line = (await client.receive_line()).decode()
        assert len(line.splitlines()) == 1
        assert text_of(json.loads(line)) == said


@pytest.mark.rule("mcp-server-call-params")
@pytest.mark.parametrize(
    "params", [{}, {"name": 7}, {"name": ""}, {"name": "echo", "arguments": [1]}]
)
async def test_a_call_without_name_or_with_other_arguments_than_an_object_is_refused(
    params: dict[str, object],
) -> None:
    async with over_pipes(TableKit(KIT)) as client:
        assert (await client.ask(modern(1, "tools/call", params)))["error"]["code"] == -32602


@pytest.mark.rule("mcp-server-call-params")
async def test_missing_arguments_are_an_empty_object() -> None:
    kit = TableKit(KIT)
    async with over_pipes(kit) as client:
        await client.ask(modern(1, "tools/call", {"name": "echo"}))
        await client.ask(modern(1, "tools/call", {"name": "echo", "arguments": None}))
    assert [made.arguments.value for made in kit.called] == [{}, {}]
    assert len({made.id for made in kit.called}) == 2


OUTPUT = {"type": "object", "properties": {"n": {"type": "integer"}}}


def counting(output: dict[str, object] | None) -> TableKit:
    kit = answering(Answer(result=ToolResult(data={"n": 1})))
    definition = ToolDefinition(
        name="it",
        description="Count.",
        input_schema={"type": "object"},
        output_schema=output,  # type: ignore[arg-type]
        title="Counter",
    )
    return TableKit(kit.runs, {"it": definition})


@pytest.mark.rule("mcp-server-structured")
async def test_data_goes_along_only_where_the_tool_declares_it_and_the_version_knows_it() -> None:
    async with over_pipes(counting(OUTPUT)) as client:
        for version in ("2026-07-28", *LEGACY):
            if version != "2026-07-28":
                await client.ask(hello(version))
            make = modern if version == "2026-07-28" else request
            result = (await client.ask(make(1, "tools/call", call("it"))))["result"]
            listed = (await client.ask(make(2, "tools/list")))["result"]["tools"][0]
            knows = version >= "2025-06-18"
            assert ("structuredContent" in result) == ("outputSchema" in listed) == knows
            assert result["content"] == [{"type": "text", "text": '{"n":1}'}]
    async with over_pipes(counting(None)) as client:
        result = (await client.ask(modern(1, "tools/call", call("it"))))["result"]
        assert "structuredContent" not in result
        assert result["content"] == [{"type": "text", "text": '{"n":1}'}]


@pytest.mark.rule("mcp-server-pages")
async def test_pages_have_every_tool_once_in_order_and_refuse_strange_cursors() -> None:
    kit = TableKit({f"tool_{number}": echo for number in range(25)})
    async with over_pipes(kit, ServerOptions(page_size=10)) as client:
        names, cursor = [], None
        for _ in range(3):
            params = {} if cursor is None else {"cursor": cursor}
            result = (await client.ask(modern(1, "tools/list", params)))["result"]
            names += [tool["name"] for tool in result["tools"]]
            cursor = result.get("nextCursor")
        assert names == list(kit.runs)
        assert cursor is None
        for strange in ("nope", 7, "", {"a": 1}):
            answer = await client.ask(modern(1, "tools/list", {"cursor": strange}))
            assert answer["error"]["code"] == -32602
        first = (await client.ask(modern(1, "tools/list")))["result"]["nextCursor"]
        kit.revision = "2"
        assert "error" in await client.ask(modern(1, "tools/list", {"cursor": first}))


@pytest.mark.rule("mcp-server-listing")
async def test_a_listed_tool_has_its_title_twice_and_an_object_schema() -> None:
    async with over_pipes(counting(None)) as client:
        tool = (await client.ask(modern(1, "tools/list")))["result"]["tools"][0]
        assert tool["title"] == tool["annotations"]["title"] == "Counter"
        await client.ask(hello("2024-11-05"))
        tool = (await client.ask(request(1, "tools/list")))["result"]["tools"][0]
        assert set(tool) == {"name", "description", "inputSchema"}


async def stepping(made: ToolCall, context: CallContext[object]) -> Outcome:
    context.progress("warming up")
    context.progress("halfway", 50, 100)
    context.progress("backwards", 10)
    context.progress("lost", float("nan"))
    context.progress("almost")
    return text("done" if context.has_progress else "nobody listens")


@pytest.mark.rule("mcp-server-progress")
@pytest.mark.parametrize("token", ["t1", 7])
async def test_progress_grows_and_what_does_not_grow_is_dropped(token: object) -> None:
    async with over_pipes(TableKit({"step": stepping})) as client:
        await client.send(modern(1, "tools/call", call("step"), progressToken=token))
        told = [(await client.receive())["params"] for _ in range(3)]
        assert told == [
            {"progressToken": token, "progress": 1, "message": "warming up"},
            {"progressToken": token, "progress": 50, "total": 100, "message": "halfway"},
            {"progressToken": token, "progress": 51, "message": "almost"},
        ]
        assert text_of(await client.receive()) == "done"


@pytest.mark.rule("mcp-server-progress")
async def test_without_a_token_there_is_no_progress() -> None:
    async with over_pipes(TableKit({"step": stepping})) as client:
        assert text_of(await client.ask(modern(1, "tools/call", call("step")))) == "nobody listens"
        odd = modern(2, "tools/call", call("step"), progressToken=[1])
        assert text_of(await client.ask(odd)) == "nobody listens"


@pytest.mark.rule("mcp-server-progress")
async def test_progress_after_the_answer_is_not_sent() -> None:
    kept: list[CallContext[object]] = []

    async def keep(made: ToolCall, context: CallContext[object]) -> Outcome:
        kept.append(context)
        return text("answered")

    async with over_pipes(TableKit({"keep": keep})) as client:
        answer = await client.ask(modern(1, "tools/call", call("keep"), progressToken=1))
        assert text_of(answer) == "answered"
        kept[0].progress("too late")
        await client.silence()


@pytest.mark.rule("mcp-server-batches")
@pytest.mark.parametrize("version", LEGACY)
async def test_batches_are_answered_where_the_version_has_them(version: str) -> None:
    batch = [
        request(1, "ping"),
        {"jsonrpc": "2.0", "method": "notifications/whatever"},
        request(2, "tools/call", call("echo", {"text": "b"})),
        {"id": 3},
    ]
    async with over_pipes(TableKit(KIT)) as client:
        await client.ask(hello(version))
        answer = await client.ask(batch)
        if version in ("2024-11-05", "2025-03-26"):
            assert isinstance(answer, list)
            by_id = {each["id"]: each for each in answer}
            assert by_id[1]["result"] == {}
            assert text_of(by_id[2]) == "b"
            assert by_id[3]["error"]["code"] == -32600
            many = await client.ask([request(n, "ping") for n in range(51)])
            assert many["error"]["code"] == -32600
            await client.send([{"jsonrpc": "2.0", "method": "notifications/whatever"}])
        else:
            assert answer["error"]["code"] == -32600
        await client.silence()


@pytest.mark.rule("mcp-server-context")
async def test_the_context_is_made_from_what_is_known_of_the_request() -> None:
    seen: list[RequestInfo] = []

    def make(info: RequestInfo) -> CallContext[str]:
        seen.append(info)
        return CallContext(app="app", principal=Principal(id="ada"))

    async def tell(made: ToolCall, context: CallContext[object]) -> Outcome:
        who = context.principal.id if context.principal else None
        return text(f"{context.app} {who} {dict(context.trace)}")

    run: Run = tell
    async with over_pipes(TableKit({"tell": run}), context=make) as client:
        trace = {"traceparent": "00-1-2-01"}
        answer = await client.ask(modern(1, "tools/call", call("tell"), **trace))
        assert text_of(answer) == f"app ada {trace}"
        await client.ask(hello("2025-06-18", roots={}))
        await client.ask(request(2, "tools/call", call("tell")))
    assert [(info.version, info.transport) for info in seen] == [
        ("2026-07-28", "stdio"),
        ("2025-06-18", "stdio"),
    ]
    assert seen[1].client == {"name": "test", "version": "0"}
    assert seen[1].capabilities == {"roots": {}}
    assert seen[0].meta["traceparent"] == "00-1-2-01"


@pytest.mark.rule("mcp-server-required-capabilities")
async def test_a_tool_that_needs_a_capability_does_not_run_without_it() -> None:
    kit = TableKit(KIT)
    options = ServerOptions(required_capabilities={"echo": {"elicitation": {"form": {}}}})
    async with over_pipes(kit, options) as client:
        answer = await client.ask(modern(1, "tools/call", call("echo")))
        assert answer["error"]["code"] == -32021
        assert answer["error"]["data"] == {"requiredCapabilities": {"elicitation": {"form": {}}}}
        assert kit.called == []
        meta = {"io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}}}
        assert "result" in await client.ask(modern(2, "tools/call", call("echo"), **meta))


def live() -> LiveToolkit[object]:
    return LiveToolkit(TableKit(KIT))


async def listen(client: PipeClient, id: object, **wanted: object) -> dict[str, object]:
    await client.send(modern(id, "subscriptions/listen", {"notifications": wanted}))
    return await client.receive()


@pytest.mark.rule("mcp-server-subscriptions")
async def test_a_subscription_hears_of_changes_tagged_with_its_id_and_ends_with_a_result() -> None:
    kit = live()
    async with over_pipes(kit, ServerOptions(changes=kit.changes)) as client:
        tag = {"io.modelcontextprotocol/subscriptionId": "sub"}
        acknowledged = await listen(client, "sub", toolsListChanged=True, promptsListChanged=True)
        assert acknowledged == {
            "jsonrpc": "2.0",
            "method": "notifications/subscriptions/acknowledged",
            "params": {"_meta": tag, "notifications": {"toolsListChanged": True}},
        }
        kit.swap(TableKit({"other": echo}))
        assert await client.receive() == {
            "jsonrpc": "2.0",
            "method": "notifications/tools/list_changed",
            "params": {"_meta": tag},
        }
        client.close()
        ended = await client.receive()
        assert ended["id"] == "sub"
        assert ended["result"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == "sub"


@pytest.mark.rule("mcp-server-subscriptions")
async def test_a_subscription_hears_of_nothing_it_did_not_ask_for() -> None:
    kit = live()
    async with over_pipes(kit, ServerOptions(changes=kit.changes)) as client:
        acknowledged = await listen(client, 1, promptsListChanged=True)
        assert acknowledged["params"]["notifications"] == {}  # type: ignore[index]
        kit.swap(TableKit({"other": echo}))
        await client.silence()
        cancel = {"requestId": 1}
        await client.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancel})
        await client.silence()


@pytest.mark.rule("mcp-server-subscriptions")
async def test_a_kit_that_does_not_change_has_no_subscriptions() -> None:
    async with over_pipes(TableKit(KIT)) as client:
        answer = await listen(client, 1, toolsListChanged=True)
        assert answer["error"]["code"] == -32601  # type: ignore[index]


@pytest.mark.rule("mcp-server-subscriptions")
async def test_subscriptions_are_bounded() -> None:
    kit = live()
    options = ServerOptions(changes=kit.changes, limits=ServerLimits(subscriptions=1))
    async with over_pipes(kit, options) as client:
        assert "method" in await listen(client, 1, toolsListChanged=True)
        assert "error" in await listen(client, 2, toolsListChanged=True)


@asynccontextmanager
async def broken_changes() -> AsyncGenerator[AsyncGenerator[None]]:
    """A subscription that breaks after one change."""

    async def steps() -> AsyncGenerator[None]:
        yield
        raise ConnectionError("hunter2")

    yield steps()


@asynccontextmanager
async def no_changes() -> AsyncGenerator[AsyncGenerator[None]]:
    """A subscription that cannot be opened."""
    raise ConnectionError("hunter2")
    yield  # type: ignore[unreachable]


@pytest.mark.rule("mcp-server-list-changed", "mcp-server-internal-errors")
async def test_a_subscription_that_breaks_leaves_the_calls_alone(
    caplog: pytest.LogCaptureFixture,
) -> None:
    initialized = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    for changes, told in ((broken_changes, 1), (no_changes, 0)):
        async with over_pipes(TableKit(KIT), ServerOptions(changes=changes)) as client:
            await client.ask(hello())
            await client.send(initialized, initialized)
            for _ in range(told):
                assert (await client.receive())["method"] == "notifications/tools/list_changed"
            await client.silence()
            answers = [await listen(client, "sub", toolsListChanged=True)]
            while "method" in answers[-1]:
                answers.append(await client.receive())
            assert answers[-1]["error"] == {"code": -32603, "message": "Internal error"}
            assert "hunter2" not in str(answers)
    assert caplog.text.count("hunter2") >= 4


@pytest.mark.rule("mcp-server-list-changed")
async def test_a_legacy_client_hears_of_changes_once_it_is_initialized() -> None:
    kit = live()
    async with over_pipes(kit, ServerOptions(changes=kit.changes)) as client:
        agreed = await client.ask(hello())
        assert agreed["result"]["capabilities"] == {"tools": {"listChanged": True}}
        await client.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        await client.silence()
        kit.swap(TableKit({"other": echo}))
        changed = await client.receive()
        assert changed["method"] == "notifications/tools/list_changed"
        tools = (await client.ask(request(1, "tools/list")))["result"]["tools"]
        assert [tool["name"] for tool in tools] == ["other"]
