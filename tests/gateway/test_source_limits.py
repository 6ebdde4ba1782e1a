"""Limits and trust of a source in the configuration reach the source itself."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.sources.loopback import Api, Reply
from tests.sources.loopback import serving as api_serving
from tests.sources.mcp.scripted import dropped, modern, result, serving, text
from toolroll import CallContext, ToolCall
from toolroll.gateway import open_gateway, read_config
from toolroll.outcome import Outcome

pytestmark = pytest.mark.anyio

LONG = 300_000
SERVER = Path(__file__).parents[1] / "sources" / "mcp" / "scripted_stdio.py"


async def called(source: dict[str, Any], folder: Path) -> Outcome:
    whole: dict[str, Any] = {"sources": {"far": source}, "policy": {"undecided": "allow"}}
    async with open_gateway(read_config(whole, "toolroll.toml"), folder) as gateway:
        call = ToolCall.of("far__echo", {"text": "x" * LONG})
        return await gateway.kit.call(call, CallContext())


each_limit = pytest.mark.parametrize(
    ("limits", "code", "size"),
    [
        ({}, "result-too-large", 0),
        ({"characters": 400_000}, "", LONG),
        ({"characters": 1000, "large": "cut"}, "", 1000),
    ],
)


@pytest.mark.rule("gateway-limits-reach-sources")
@each_limit
async def test_the_limit_of_a_result_is_the_one_in_the_file(
    limits: dict[str, Any], code: str, size: int, tmp_path: Path
) -> None:
    answer = lambda call: result(call, text("x" * LONG))  # noqa: E731
    with serving(modern().on("tools/call", answer)) as script:
        far = {"url": script.url, "limits": limits}
        local = {"command": [sys.executable, str(SERVER), "is modern"], "limits": limits}
        for source in (far, local):
            outcome = await called(source, tmp_path)
            assert getattr(outcome, "code", "") == code
            if not code:
                assert len(outcome.unwrap().text) == size


DOCUMENT: Any = {
    "openapi": "3.1.0",
    "info": {"title": "Far", "version": "1"},
    "paths": {
        "/echo": {
            "get": {"operationId": "echo", "description": "Says it again. " * 9},
            "post": {
                "operationId": "unwritable",
                "requestBody": {"content": {"text/xml": {"schema": {"type": "object"}}}},
            },
        }
    },
}


@pytest.mark.rule("gateway-limits-reach-sources")
@each_limit
async def test_the_limit_of_an_apis_answer_is_the_one_in_the_file(
    limits: dict[str, Any], code: str, size: int, tmp_path: Path
) -> None:
    (tmp_path / "far.json").write_text(json.dumps(DOCUMENT))
    said = Reply(headers={"content-type": "text/plain"}, body=b"x" * LONG)
    with api_serving(Api(lambda _: said)) as api:
        source = {"openapi": "far.json", "base_url": api.url, "limits": limits}
        whole: Any = {"sources": {"far": source}, "policy": {"undecided": "allow"}}
        async with open_gateway(read_config(whole, "toolroll.toml"), tmp_path) as gateway:
            outcome = await gateway.kit.call(ToolCall.of("far__echo", {}), CallContext())
    assert getattr(outcome, "code", "") == code
    if not code:
        assert len(outcome.unwrap().text) == size


@pytest.mark.rule("gateway-limits-reach-sources")
async def test_what_of_a_document_became_no_tool_is_reported_and_descriptions_are_cut(
    tmp_path: Path,
) -> None:
    (tmp_path / "far.json").write_text(json.dumps(DOCUMENT))
    far = {"openapi": "far.json", "base_url": "https://far.test", "description_limit": 20}
    whole: Any = {"sources": {"far": far}, "policy": {"undecided": "allow"}}
    async with open_gateway(read_config(whole, "toolroll.toml"), tmp_path) as gateway:
        listing, report = gateway.kit.listing(CallContext()), gateway.report
    assert [listed.definition.description for listed in listing.tools] == ["Says it again."]
    (skipped,) = report.of_kind("skipped")
    assert (skipped.subject, skipped.source) == ("POST /echo", "far")
    assert "text/xml" in skipped.reason


@pytest.mark.rule("gateway-limits-reach-sources")
@pytest.mark.parametrize("links", [True, False])
async def test_the_links_of_a_documents_descriptions_are_kept_where_the_file_says_so(
    links: bool, tmp_path: Path
) -> None:
    echo = {"operationId": "echo", "description": "A [page](https://far.test/page) of it."}
    document = {"openapi": "3.1.0", "paths": {"/echo": {"get": echo}}}
    (tmp_path / "far.json").write_text(json.dumps(document))
    far = {"openapi": "far.json", "base_url": "https://far.test", "links": links}
    whole: Any = {"sources": {"far": far}, "policy": {"undecided": "allow"}}
    async with open_gateway(read_config(whole, "toolroll.toml"), tmp_path) as gateway:
        (listed,) = gateway.kit.listing(CallContext()).tools
    assert ("https://far.test/page" in listed.definition.description) is links


@pytest.mark.rule("gateway-limits-reach-sources")
@pytest.mark.parametrize(("trusted", "sent"), [(False, 1), (True, 2)])
async def test_only_a_trusted_source_is_sent_a_lost_call_again(
    trusted: bool, sent: int, tmp_path: Path
) -> None:
    reading = {"name": "echo", "annotations": {"readOnlyHint": True}, "inputSchema": {}}
    answers = [dropped, lambda call: result(call, text("ok"))]
    with serving(modern(reading).on("tools/call", *answers)) as script:
        outcome = await called({"url": script.url, "trust_hints": trusted}, tmp_path)
    assert outcome.ok is trusted
    assert len(script.of("tools/call")) == sent
