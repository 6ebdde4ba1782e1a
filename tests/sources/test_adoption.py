"""What becomes of a source's tools in a toolkit, before anything of the source is asked."""

import logging
from dataclasses import replace
from typing import Any

import pytest

from toolroll.content import JsonObject, Text, ToolResult
from toolroll.outcome.codes import CODES
from toolroll.providers import OfferOptions, openai_chat
from toolroll.sources import (
    SOURCE_BEHAVIOR,
    Discovery,
    SourceError,
    SourceReason,
    Trust,
    as_toolkit,
)
from toolroll.toolkit import LocalToolkit
from toolroll.tools import CallContext, Hints, ToolCall, ToolDefinition, define_tool

CONTEXT: CallContext[object] = CallContext()


class Recorded:
    """A source that keeps the inputs of its calls and lists nothing."""

    name = "far"

    def __init__(
        self, fails: Exception | None = None, answer: ToolResult = ToolResult((Text("done"),))
    ) -> None:
        self.inputs: list[JsonObject] = []
        self.fails, self.answer = fails, answer

    async def discover(self, context: CallContext[object] | None = None, /) -> Discovery:
        raise AssertionError("nobody lists here")

    async def call(
        self, definition: ToolDefinition, input: JsonObject, context: CallContext[object], /
    ) -> ToolResult:
        if self.fails is not None:
            raise self.fails
        self.inputs.append(input)
        return self.answer

    async def aclose(self) -> None:
        raise AssertionError("nobody closes here")


def defined(schema: JsonObject, **more: Any) -> ToolDefinition:
    return ToolDefinition(name="t", description="", input_schema=schema, **more)


def of(**properties: Any) -> JsonObject:
    return {"type": "object", "properties": properties}


@pytest.mark.rule("source-adopted-unasked")
def test_making_a_toolkit_of_stored_definitions_asks_nobody() -> None:
    source = Recorded(fails=AssertionError("nobody calls here"))
    stored = defined(of(text={"type": "string"}), hints=Hints(read_only=True)).to_json()
    kit = as_toolkit(source, [ToolDefinition.from_json(stored)], trust=Trust(hints=True))
    [listed] = kit.listing(CONTEXT).tools
    assert listed.definition.to_json() == stored
    assert kit.name == "far"


NEAR = ToolDefinition(
    name="near", description="Near.", input_schema={}, hints=Hints.of_effect("read")
)
EVIL = "^(a|a)*(b|b)*(a+)+$"


@pytest.mark.anyio
@pytest.mark.rule("source-patterns-not-run")
@pytest.mark.parametrize(
    "schema",
    [
        of(text={"type": "string", "pattern": EVIL, "format": "date"}),
        {**of(text={"$ref": "#/$defs/t"}), "$defs": {"t": {"pattern": EVIL, "format": "uuid"}}},
        {"type": "object", "patternProperties": {EVIL: {"type": "integer"}}},
        {
            "type": "object",
            "patternProperties": {"^te": {"type": "integer"}},
            "additionalProperties": False,
        },
        {"type": "object", "propertyNames": {"pattern": EVIL}},
        of(text={"anyOf": [{"pattern": EVIL}, {"not": {"pattern": "a"}, "format": "ipv4"}]}),
        of(text={"type": "string", "contentMediaType": "application/json"}),
        of(text={"type": "string", "pattern": "(unclosed"}),
    ],
)
async def test_foreign_patterns_and_formats_are_left_to_the_source(schema: JsonObject) -> None:
    source = Recorded()
    kit = as_toolkit(source, [defined(schema)])
    given: JsonObject = {"text": "a" * 5000 + "!"}  # one that ran would take years
    outcome = await kit.call(ToolCall.of("t", given), CONTEXT)
    assert outcome.ok, outcome
    assert source.inputs == [given]


@pytest.mark.anyio
@pytest.mark.rule("source-input-as-given")
async def test_with_repair_off_an_input_counts_as_it_came() -> None:
    source = Recorded()
    schema = of(n={"type": "integer"})
    literal = as_toolkit(source, [defined(schema)], behavior=replace(SOURCE_BEHAVIOR, repair="off"))
    mending = as_toolkit(source, [defined(schema)])
    assert (await literal.call(ToolCall.of("t", {"n": "7"}), CONTEXT)).kind == "invalid_input"
    mended = await mending.call(ToolCall.of("t", {"n": "7"}), CONTEXT)
    assert [(each.kind, each.pointer) for each in mended.repairs] == [("parse_text", "/n")]
    assert source.inputs == [{"n": 7}]


@pytest.mark.anyio
@pytest.mark.rule("source-input-as-given")
async def test_no_default_is_filled_in_and_nothing_is_dropped() -> None:
    source = Recorded()
    schema = of(limit={"type": "integer", "default": 10}, maybe={"type": ["string", "null"]})
    given: JsonObject = {"maybe": None, "unknown": {"deep": [None]}}
    kit = as_toolkit(source, [defined(schema)])
    assert (await kit.call(ToolCall.of("t", given), CONTEXT)).ok
    assert source.inputs == [given]


@pytest.mark.anyio
@pytest.mark.rule("source-result-handed-over")
async def test_the_data_of_a_source_s_result_is_handed_on_and_not_copied() -> None:
    source = Recorded(answer=ToolResult(data={"rows": [1, 2]}))
    outcome = await as_toolkit(source, [defined(of())]).call(ToolCall.of("t", {}), CONTEXT)
    assert outcome.unwrap().data is source.answer.data


@pytest.mark.rule("source-never-strict")
def test_no_provider_is_asked_to_be_strict_with_a_tool_of_a_source() -> None:
    schema: JsonObject = {
        **of(a={"type": "string"}),
        "required": ["a"],
        "additionalProperties": False,
    }
    foreign = as_toolkit(Recorded(), [defined(schema)])
    own = LocalToolkit("near", define_tool(replace(NEAR, input_schema=schema), lambda input: "x"))
    strict: list[bool] = []
    for kit in (foreign, own):
        [offered] = openai_chat.offer(kit, CONTEXT, OfferOptions(strict="on")).tools
        function: Any = offered["function"]
        strict.append(bool(function.get("strict")))
    assert strict == [False, True]


@pytest.mark.anyio
@pytest.mark.rule("source-defect")
async def test_a_defect_of_a_source_is_logged_with_its_trace(
    caplog: pytest.LogCaptureFixture,
) -> None:
    kit = as_toolkit(Recorded(fails=KeyError("what?")), [defined(of())])
    with caplog.at_level(logging.INFO, "toolroll.tools"):
        outcome = await kit.call(ToolCall.of("t", {}), CONTEXT)
    assert "what?" not in str(outcome.for_model())
    assert "KeyError" in caplog.text
    assert "what?" in caplog.text


REASONS: tuple[SourceReason, ...] = SourceReason.__args__  # type: ignore[attr-defined]


@pytest.mark.anyio
@pytest.mark.rule("source-reasons")
@pytest.mark.parametrize("reason", REASONS)
async def test_a_reason_becomes_the_outcome_of_its_code(reason: SourceReason) -> None:
    words = "Ask db-7.internal for less."
    kit = as_toolkit(Recorded(fails=SourceError("far", reason, words)), [defined(of())])
    outcome: Any = await kit.call(ToolCall.of("t", {}), CONTEXT)
    row = CODES[reason]
    assert (outcome.code, outcome.kind) == (reason, row.kind)
    assert (outcome.retryable, outcome.may_have_run) == (row.retryable, row.may_have_run)
    told = str(outcome.for_model())
    written_for_it = reason in ("invalid-input", "call-failed", "result-too-large")
    assert (words in told) == written_for_it
    assert isinstance(outcome.cause, SourceError)
    assert outcome.cause.source == "far"


@pytest.mark.anyio
@pytest.mark.rule("source-reasons")
async def test_a_reason_may_say_more_than_its_code() -> None:
    error = SourceError("far", "unavailable", retryable=False, may_have_run=True, retry_after=7.5)
    kit = as_toolkit(Recorded(fails=error), [defined(of())])
    outcome: Any = await kit.call(ToolCall.of("t", {}), CONTEXT)
    assert (outcome.retryable, outcome.may_have_run, outcome.retry_after) == (False, True, 7.5)


def test_trust_that_is_no_trust_is_refused_with_what_to_write() -> None:
    with pytest.raises(
        TypeError, match=r"trust must be a Trust, not bool; write Trust\(hints=True\)"
    ):
        as_toolkit(Recorded(), [], trust=True)  # as a source of MCP takes it
