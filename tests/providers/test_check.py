"""What a provider would refuse is known before it is sent."""

import gzip
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.providers.fake_kit import FakeKit, listed
from toolroll import CallContext, ToolDefinition, providers
from toolroll.content import JsonObject

NAMES = ("openai_chat", "openai_responses", "anthropic", "gemini")
EDGES: dict[str, ModuleType] = {name: getattr(providers, name) for name in NAMES}
CONTEXT: CallContext[None] = CallContext()
every = pytest.mark.parametrize("name", NAMES)


def definition(name: str, schema: JsonObject) -> ToolDefinition:
    return ToolDefinition(name=name, description="", input_schema=schema)


@pytest.mark.rule("check-names-tool-and-reason")
@every
def test_the_check_names_the_tool_and_the_reason(name: str) -> None:
    good = definition("good", {"type": "object", "properties": {"a": {"type": "string"}}})
    bad = definition("bad one!", {"type": "string"})
    report = EDGES[name].check([good, bad])
    assert {note.subject for note in report.notes} == {"bad one!"}
    reasons = " ".join(note.reason for note in report.notes)
    assert "the name does not match" in reasons
    assert "/: the root is no object" in reasons


@pytest.mark.rule("check-names-tool-and-reason")
def test_two_tools_of_one_name_and_a_schema_that_is_none_are_found() -> None:
    same = definition("same", {"type": "object", "properties": {}})
    assert providers.openai_chat.check([same, same]).notes[0].reason == "2 tools have this name"
    sent: list[Any] = [{"type": "function", "function": {"name": "t", "parameters": []}}]
    assert providers.openai_chat.check(sent).notes[0].reason == "the schema is no object"
    endless: dict[str, Any] = {"type": "object"}
    endless["properties"] = {"a": endless}
    assert (
        "too large"
        in providers.anthropic.check([{"name": "t", "input_schema": endless}]).notes[0].reason
    )


@pytest.mark.rule("check-mode")
def test_a_request_is_checked_in_the_mode_it_is_sent_in() -> None:
    schema: JsonObject = {"type": "object", "properties": {"a": {"type": "string"}}}
    for strict, kinds in ((False, []), (True, ["refused"])):
        chat: list[Any] = [
            {"type": "function", "function": {"name": "t", "parameters": schema, "strict": strict}}
        ]
        assert sorted({note.kind for note in providers.openai_chat.check(chat).notes}) == kinds
        flat: list[Any] = [
            {"type": "function", "name": "t", "parameters": schema, "strict": strict}
        ]
        assert sorted({note.kind for note in providers.openai_responses.check(flat).notes}) == kinds
        use: list[Any] = [{"name": "t", "input_schema": schema, "strict": strict}]
        assert sorted({note.kind for note in providers.anthropic.check(use).notes}) == kinds
    const: JsonObject = {"type": "object", "properties": {"a": {"const": "x"}}}
    for field, kinds in (("parametersJsonSchema", []), ("parameters", ["refused"])):
        assert (
            sorted(
                {
                    note.kind
                    for note in providers.gemini.check(
                        [{"functionDeclarations": [{"name": "t", field: const}]}]
                    ).notes
                }
            )
            == kinds
        )


@pytest.mark.rule("check-mode")
def test_tools_the_provider_brings_and_large_letters_are_passed_over() -> None:
    assert not providers.openai_responses.check([{"type": "web_search"}])
    assert not providers.anthropic.check([{"type": "web_search_20250305", "name": "web_search"}])
    large: JsonObject = {"type": "OBJECT", "properties": {"a": {"type": "STRING"}}}
    assert not providers.gemini.check(
        [{"functionDeclarations": [{"name": "t", "parameters": large}]}, {"googleSearch": {}}]
    )


@pytest.mark.corpora
@pytest.mark.rule("check-finds-nothing-in-an-offer")
@every
def test_an_offer_of_real_tools_passes_the_check(name: str, corpora: Path) -> None:
    tools: list[Any] = []
    for path in sorted((corpora / "mcp-tool-lists").glob("*.json.gz")):
        server = path.name.split(".")[0]
        held = json.loads(gzip.decompress(path.read_bytes()))["tools"]
        tools += [
            listed(f"{server}__{tool['name']}", tool["inputSchema"], source=server) for tool in held
        ]
    offer = EDGES[name].offer(FakeKit(tuple(tools)), CONTEXT)
    assert EDGES[name].check(offer.tools).of_kind("refused") == ()
    sent = offer.tools[0]["functionDeclarations"] if name == "gemini" else offer.tools
    assert len(sent) == len(tools)
    assert not offer.report.of_kind("skipped")
