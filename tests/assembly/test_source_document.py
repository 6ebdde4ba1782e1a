"""The tables of cases that the tool sources document gives, through a toolkit's own door."""

import json
from dataclasses import replace
from typing import Any

import pytest

from toolroll import (
    Answer,
    CallContext,
    LocalToolkit,
    NeedsApproval,
    Policy,
    Refused,
    Rule,
    ToolCall,
    ToolDefinition,
    ToolResult,
    assemble,
    search,
    tool,
)
from toolroll.content import JsonObject
from toolroll.outcome import failure_form
from toolroll.providers import openai_chat
from toolroll.sources import SOURCE_BEHAVIOR, Discovery, SourceError, as_toolkit
from toolroll.sources.source import SourceReason
from toolroll.toolkit import prefix
from toolroll.tools.hints import Hints

pytestmark = pytest.mark.anyio

CONTEXT: CallContext[Any] = CallContext()
CLOSED: JsonObject = {
    "type": "object",
    "properties": {"text": {"type": "string", "pattern": "^x", "format": "email"}},
    "required": ["text"],
    "additionalProperties": False,
}


class Elsewhere:
    """A source that must not be contacted but by a call."""

    def __init__(self, name: str, fails: Exception | None = None) -> None:
        self.name, self.fails = name, fails
        self.got: list[tuple[str, JsonObject]] = []

    async def discover(self, context: CallContext[object] | None = None, /) -> Discovery:
        raise AssertionError("contacted")

    async def call(
        self, definition: ToolDefinition, input: JsonObject, context: CallContext[object], /
    ) -> ToolResult:
        self.got.append((definition.name, input))
        if self.fails is not None:
            raise self.fails
        return ToolResult()

    async def aclose(self) -> None:
        """Nothing to close."""


def defined(name: str, schema: JsonObject = CLOSED, **more: Any) -> ToolDefinition:
    return ToolDefinition(name=name, description=f"Runs {name}.", input_schema=schema, **more)


@pytest.mark.rule("source-document-definition")
async def test_a_definition_is_data_and_says_only_what_its_source_said() -> None:
    made = defined("t", hints=Hints(idempotent=False))
    written = json.loads(json.dumps(made.to_json()))
    assert ToolDefinition.from_json(written) == made
    assert written["annotations"] == {"idempotentHint": False}
    assert "annotations" not in defined("t").to_json()


REASONS: list[tuple[SourceReason, str, bool]] = [
    ("authentication", "AuthenticationError", False),
    ("not-found", "NotFoundError", False),
    ("invalid-input", "InvalidInputError", False),
    ("call-failed", "CallFailedError", False),
    ("unavailable", "UnavailableError", True),
    ("invalid-response", "InvalidResponseError", False),
    ("unsupported", "UnsupportedError", False),
    ("source-error", "UnknownError", False),
]


@pytest.mark.rule("source-document-failures")
@pytest.mark.parametrize(("reason", "name", "again"), REASONS)
async def test_a_failure_has_its_name_and_tells_a_model_what_is_written_for_it(
    reason: SourceReason, name: str, again: bool
) -> None:
    kit = as_toolkit(Elsewhere("s", SourceError("s", reason, "at db7.internal")), [defined("t")])
    outcome = await kit.call(ToolCall.of("t", {"text": "x"}), CONTEXT)
    form = failure_form(outcome)
    assert form is not None
    assert (form["code"], form["retryable"]) == (name, again)
    told = reason in ("invalid-input", "call-failed")
    assert ("db7" in str(outcome.for_model())) == told


@pytest.mark.rule("source-document-input")
async def test_an_input_is_held_to_the_schema_but_for_patterns_and_formats() -> None:
    source = Elsewhere("s")
    kit = assemble([(source, [defined("create.issue")])], Policy([Rule("allow")]))
    assert (await kit.call(ToolCall.of("s__create_issue", {"text": "y"}), CONTEXT)).ok
    assert source.got == [("create.issue", {"text": "y"})]
    for wrong in ({"text": "y", "more": 1}, {}, [1], "y"):
        outcome = await kit.call(ToolCall.of("s__create_issue", wrong), CONTEXT)
        form = failure_form(outcome)
        assert form is not None
        assert form["code"] == "InvalidInputError"
    assert len(source.got) == 1


@pytest.mark.rule("source-document-input")
async def test_a_host_that_wants_nothing_put_right_says_so() -> None:
    source = Elsewhere("s")
    numbers = defined("t", {"type": "object", "properties": {"n": {"type": "integer"}}})
    kit = as_toolkit(source, [numbers], behavior=replace(SOURCE_BEHAVIOR, repair="off"))
    assert (await kit.call(ToolCall.of("t", {"n": "3"}), CONTEXT)).kind == "invalid_input"
    assert (await kit.call(ToolCall.of("t", {"n": 3}), CONTEXT)).ok
    assert source.got == [("t", {"n": 3})]


def issues() -> Any:
    """Four tools, behind a search: one needs approval, one is blocked."""
    names = ("createIssue", "list_issues", "remove-issue", "wipe")
    policy = Policy(
        [Rule("approve", tools=("remove*",)), Rule("block", tools=("wipe",)), Rule("allow")]
    )
    return search(assemble([(Elsewhere("s"), [defined(name) for name in names])], policy))


async def found(kit: Any, **asked: Any) -> Any:
    outcome = await kit.call(ToolCall.of("tool_search", asked), CONTEXT)
    return outcome.unwrap().data


@pytest.mark.rule("source-document-search")
async def test_a_search_shows_names_descriptions_and_schemas_and_counts() -> None:
    answer = await found(issues(), query="create iss")
    assert answer["tools"][0] == {
        "name": "s__createIssue",
        "description": "Runs createIssue.",
        "inputSchema": CLOSED,
    }
    assert (answer["matched"], answer["available"]) == (3, 3)
    nothing = await found(issues(), query="weather")
    assert nothing == {"tools": [], "matched": 0, "available": 3}
    assert [one["name"] for one in (await found(issues(), query=""))["tools"]] == [
        "s__createIssue",
        "s__list_issues",
        "s__remove-issue",
    ]


@pytest.mark.rule("source-document-search")
async def test_a_found_tool_is_called_and_asked_about_as_itself() -> None:
    kit = issues()

    async def call(name: str) -> Any:
        return await kit.call(
            ToolCall.of("tool_call", {"name": name, "input": {"text": "a"}}), CONTEXT
        )

    assert isinstance(await call("s__list_issues"), Answer)
    asked = await call("s__remove-issue")
    assert isinstance(asked, NeedsApproval)
    assert (asked.request.tool, asked.request.input) == ("s__remove-issue", {"text": "a"})
    blocked, unknown = await call("s__wipe"), await call("s__never")
    for outcome in (blocked, unknown):
        assert isinstance(outcome, Refused)
        assert failure_form(outcome)["code"] == "NotFoundError"  # type: ignore[index]
    assert blocked.lines == unknown.lines


@pytest.mark.rule("source-document-search")
async def test_search_is_a_way_past_the_length_of_names() -> None:
    @tool(effect="read")
    def count_all(n: int = 1) -> int:
        """Count all things."""
        return n

    kit = search(prefix(LocalToolkit("things", count_all), "p" * 90 + "_"))
    offer = openai_chat.offer(kit, CONTEXT)
    assert [sent["function"]["name"] for sent in offer.tools] == ["tool_search", "tool_call"]
    [shown] = (await found(kit, query="count"))["tools"]
    assert len(shown["name"]) == 100
    outcome = await kit.call(
        ToolCall.of("tool_call", {"name": shown["name"], "input": {"n": 3}}), CONTEXT
    )
    assert outcome.unwrap().data == 3


@pytest.mark.rule("source-document-strictness")
async def test_only_the_search_tool_may_be_held_strictly() -> None:
    tools: Any = openai_chat.offer(issues(), CONTEXT).tools
    sent = {one["function"]["name"]: one["function"] for one in tools}
    assert sent["tool_search"]["strict"] is True
    assert "strict" not in sent["tool_call"]
    arguments = json.dumps({"query": "issue", "limit": None})
    asked = {"id": "c1", "function": {"name": "tool_search", "arguments": arguments}}
    reply = {"choices": [{"message": {"role": "assistant", "tool_calls": [asked]}}]}
    kit = issues()
    [call] = openai_chat.offer(kit, CONTEXT).read(reply)
    assert call.arguments.value == {"query": "issue"}
    assert (await kit.call(call, CONTEXT)).ok


@pytest.mark.rule("source-document-nothing")
async def test_a_tool_that_gives_nothing_is_an_answer_without_content() -> None:
    kit = as_toolkit(Elsewhere("s"), [defined("t")])
    outcome = await kit.call(ToolCall.of("t", {"text": "x"}), CONTEXT)
    assert (outcome.ok, outcome.for_model(), outcome.unwrap().data) == (True, [], None)
