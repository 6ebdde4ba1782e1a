"""Every message that a source sends fits the official schema of its version."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator, Draft202012Validator

from tests.sources.mcp.asking import call, source
from tests.sources.mcp.radio import Radio, telling
from tests.sources.mcp.scripted import (
    EVENTS,
    Call,
    Reply,
    Script,
    event,
    legacy,
    response,
    result,
    serving,
    text,
)
from toolroll.protocol import LEGACY
from toolroll.sources.mcp import McpOptions
from toolroll.tools.context import CallContext, Question
from toolroll.tools.context import Reply as Answer

pytestmark = [pytest.mark.anyio, pytest.mark.corpora]

KINDS = {
    "initialize": "InitializeRequest",
    "server/discover": "DiscoverRequest",
    "tools/list": "ListToolsRequest",
    "tools/call": "CallToolRequest",
    "subscriptions/listen": "SubscriptionsListenRequest",
    "notifications/initialized": "InitializedNotification",
    "notifications/cancelled": "CancelledNotification",
}


def _faults(folder: Path, version: str, messages: list[Any]) -> list[str]:
    packed = (folder / "mcp-spec" / f"schema-{version}.json.gz").read_bytes()
    schema = json.loads(gzip.decompress(packed))
    root = "$defs" if "$defs" in schema else "definitions"
    validator = Draft202012Validator if root == "$defs" else Draft7Validator
    faults: list[str] = []
    for message in messages:
        kind = KINDS[message["method"]] if "method" in message else "JSONRPCResponse"
        check = validator({**schema, "$ref": f"#/{root}/{kind}"})
        faults += [f"{kind}: {each.message}" for each in check.iter_errors(message)]
    return faults


async def _says_ada(question: Question) -> Answer:
    return Answer("accept", {"name": "Ada"})


def _asking(call: Call) -> Reply:
    form = {"type": "object", "properties": {"name": {"type": "string"}}}
    request = {
        "method": "elicitation/create",
        "params": {"message": "Who?", "requestedSchema": form},
    }
    if "_meta" in call.params and "io.modelcontextprotocol/protocolVersion" in call.params["_meta"]:
        if "inputResponses" in call.params:
            return result(call, text("ok"))
        wanted = {
            "resultType": "input_required",
            "inputRequests": {"q": request},
            "requestState": "s",
        }
        return result(call, wanted)
    asked = {"jsonrpc": "2.0", "id": "q1", **request}
    return Reply(body=iter([event(asked), event(response(call, text("ok")))]), kind=EVENTS)


async def _use(script: Script) -> list[Any]:
    script.on("tools/call", _asking)
    listed = script.answers["tools/list"]
    script.on("tools/list", lambda call: result(call, {"tools": [], "nextCursor": "c"}), listed)
    with serving(script):
        async with source(script.url).with_options(McpOptions(questions=True)) as client:
            context = CallContext(on_ask=_says_ada, trace={"traceparent": "00-1"})
            await client.discover(context)
            async with client.changes(context):
                pass
            assert (await call(client, {"a": [1, None]}, context=context)).text == "ok"
    return [seen.message for seen in script.seen if seen.http == "POST"]


@pytest.mark.rule("mcp-client-messages-fit-their-schema")
async def test_modern_messages_fit(corpora: Path) -> None:
    sent = await _use(telling(Radio(agrees=True)))
    assert {message["method"] for message in sent} == {
        "server/discover",
        "subscriptions/listen",
        "tools/list",
        "tools/call",
    }
    assert _faults(corpora, "2026-07-28", sent) == []


@pytest.mark.rule("mcp-client-messages-fit-their-schema")
@pytest.mark.parametrize("version", LEGACY)
async def test_legacy_messages_fit(corpora: Path, version: str) -> None:
    sent = [
        message
        for message in await _use(legacy(version=version))
        if message.get("method") != "server/discover"
    ]
    assert len(sent) >= 6
    assert _faults(corpora, version, sent) == []
