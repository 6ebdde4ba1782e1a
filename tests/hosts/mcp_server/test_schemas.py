"""Every kind of message the server sends, held to the official schema of its version."""

import gzip
import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from tests.hosts.mcp_server.harness import (
    ASKABLE_META,
    MODERN_META,
    PipeClient,
    call,
    hello,
    over_pipes,
    request,
)
from tests.hosts.mcp_server.kits import TableKit, needs_approval
from tests.hosts.mcp_server.test_questions import greet
from tests.hosts.mcp_server.test_stdio_server import stepping
from toolroll.content import (
    Audio,
    EmbeddedResource,
    Image,
    Other,
    ResourceLink,
    Text,
    ToolResult,
)
from toolroll.hosts.mcp_server import ServerOptions
from toolroll.outcome import Answer, Failed, Outcome
from toolroll.protocol import VERSIONS
from toolroll.toolkit.live import LiveToolkit
from toolroll.tools.call import ToolCall
from toolroll.tools.context import CallContext
from toolroll.tools.definition import ToolDefinition
from toolroll.tools.hints import Hints

pytestmark = [pytest.mark.anyio, pytest.mark.corpora]

WIDE = ToolResult(
    content=(
        Text("a"),
        Image("AAAA", "image/png"),
        Audio("AAAA", "audio/wav"),
        ResourceLink("mem://x", "x", description="X"),
        EmbeddedResource("mem://y", text="y", mime_type="text/plain"),
        EmbeddedResource("mem://z", blob="AAAA"),
        Other({"type": "hologram", "data": [1]}),
    ),
    data={"n": 1},
    meta={"example.com/x": 1},
)


async def wide(made: ToolCall, context: CallContext[object]) -> Outcome:
    return Answer(result=WIDE)


async def listed_data(made: ToolCall, context: CallContext[object]) -> Outcome:
    return Answer(result=ToolResult(data=[1, 2]))


async def failing(made: ToolCall, context: CallContext[object]) -> Outcome:
    return Failed(code="handler-error", message="it failed")


def definition(name: str, output: dict[str, Any] | None) -> ToolDefinition:
    return ToolDefinition(
        name=name,
        description="A tool.",
        input_schema={"$schema": "https://json-schema.org/draft/2020-12/schema"},
        output_schema=output,
        title="A tool",
        hints=Hints.of_effect("write"),
        meta={"example.com/y": [1]},
        extra={"icons": [{"src": "https://example.com/i.png", "mimeType": "image/png"}]},
    )


def make_kit() -> LiveToolkit[object]:
    runs = {
        "wide": wide,
        "list": listed_data,
        "failing": failing,
        "step": stepping,
        "greet": greet,
        "purge": needs_approval(wide),
    }
    definitions = {
        "wide": definition("wide", {"type": "object"}),
        "list": definition("list", {"type": "array"}),
    }
    return LiveToolkit(TableKit(runs, definitions))


class Checker:
    """Checks messages of one version."""

    def __init__(self, corpora: Path, version: str) -> None:
        path = corpora / "mcp-spec" / f"schema-{version}.json.gz"
        self.schema = json.loads(gzip.decompress(path.read_bytes()))
        self.key = "$defs" if "$defs" in self.schema else "definitions"
        self.version = version
        self.made: dict[str, Any] = {}

    def check(self, message: Any, kind: str) -> None:
        schema = {self.key: self.schema[self.key], "$ref": f"#/{self.key}/{kind}"}
        if "$schema" in self.schema:
            schema["$schema"] = self.schema["$schema"]
        if kind not in self.made:
            self.made[kind] = jsonschema_rs.validator_for(schema)
        self.made[kind].validate(message)

    def has(self, kind: str) -> bool:
        return kind in self.schema[self.key]

    def result(self, message: Any, kind: str) -> Any:
        self.check(message, "JSONRPCMessage")
        self.check(message["result"], kind)
        return message["result"]


OPTIONS = ServerOptions(
    title="Demo",
    description="A demo.",
    website_url="https://example.com",
    icons=({"src": "https://example.com/i.png"},),
    instructions="Be brief.",
    page_size=4,
)


async def sent_of(
    client: PipeClient, version: str, id: object, method: str, params: Any, *, asks: bool = True
) -> Any:
    if version == "2026-07-28":
        meta = ASKABLE_META if asks else MODERN_META
        params = {**params, "_meta": {**meta, **params.get("_meta", {})}}
    return await client.ask(request(id, method, params))


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.rule("mcp-server-schemas")
async def test_what_is_sent_fits_the_schema_of_its_version(corpora: Path, version: str) -> None:
    checker = Checker(corpora, version)
    modern = version == "2026-07-28"
    kit = make_kit()
    options = ServerOptions(
        **{
            field: getattr(OPTIONS, field)
            for field in ServerOptions.__slots__
            if field != "changes"
        },
        changes=kit.changes,
    )
    async with over_pipes(kit, options) as client:

        async def ask(method: str, params: Any = None, **more: Any) -> Any:
            return await sent_of(client, version, 1, method, params or {}, **more)

        if modern:
            checker.result(await ask("server/discover"), "DiscoverResult")
        else:
            checker.result(await client.ask(hello(version)), "InitializeResult")
            checker.result(await ask("ping"), "EmptyResult")
            checker.result(await ask("logging/setLevel", {"level": "info"}), "EmptyResult")
        first = checker.result(await ask("tools/list"), "ListToolsResult")
        checker.result(await ask("tools/list", {"cursor": first["nextCursor"]}), "ListToolsResult")
        for tool in first["tools"]:
            checker.check(tool, "Tool")
        for name in ("wide", "list", "failing"):
            checker.result(await ask("tools/call", call(name)), "CallToolResult")

        step = await ask("tools/call", {**call("step"), "_meta": {"progressToken": 1}})
        while "method" in step:
            checker.check(step, "ProgressNotification")
            step = await client.receive()
        checker.result(step, "CallToolResult")

        error = "JSONRPCErrorResponse" if checker.has("JSONRPCErrorResponse") else "JSONRPCError"
        for method, params in (("nope", {}), ("tools/call", call("nope")), ("tools/call", {})):
            checker.check(await ask(method, params), error)
        if version >= "2025-11-25":
            checker.check(await client.ask(b"garbage"), error)
        if modern:
            await check_modern(client, kit, checker)
        elif version >= "2025-06-18":
            await check_questions(client, checker)


async def check_modern(client: PipeClient, kit: LiveToolkit[object], checker: Checker) -> None:
    for name in ("greet", "purge"):
        answer = await sent_of(client, checker.version, 2, "tools/call", call(name))
        checker.result(answer, "InputRequiredResult")
        for asked in answer["result"]["inputRequests"].values():
            checker.check(asked, "ElicitRequest")
    unasked = await sent_of(client, checker.version, 3, "tools/call", call("purge"), asks=False)
    checker.result(unasked, "CallToolResult")
    old = {**MODERN_META, "io.modelcontextprotocol/protocolVersion": "1900-01-01"}
    answer = await client.ask(request(4, "tools/list", {"_meta": old}))
    checker.check(answer, "UnsupportedProtocolVersionError")
    wanted = {"notifications": {"toolsListChanged": True}}
    acknowledged = await sent_of(client, checker.version, "sub", "subscriptions/listen", wanted)
    checker.check(acknowledged, "SubscriptionsAcknowledgedNotification")
    kit.swap(TableKit({}))
    checker.check(await client.receive(), "ToolListChangedNotification")
    client.close()
    checker.result(await client.receive(), "SubscriptionsListenResult")


async def check_questions(client: PipeClient, checker: Checker) -> None:
    await client.ask(hello(checker.version, elicitation={}))
    for name in ("greet", "purge"):
        asked = await client.ask(request(2, "tools/call", call(name)))
        checker.check(asked, "JSONRPCRequest")
        checker.check(asked, "ElicitRequest")
        cancel = {"requestId": 2}
        taken_back = await client.ask(
            {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancel}
        )
        checker.check(taken_back, "CancelledNotification")
