"""Arguments of `tool_search` and `tool_call` that are cut, malformed or several."""

from typing import Any

import pytest

from toolroll import Behavior, CallContext, LocalToolkit, ToolCall, search, tool
from toolroll.outcome import BadOutcome, Outcome

pytestmark = pytest.mark.anyio
RAN: list[str] = []


@tool(effect="write")
def note_write(title: str, text: str) -> str:
    """Write a note."""
    RAN.append(title)
    return title


@tool(effect="read", behavior=Behavior(accepts_partial=True))
def draft_show(text: str = "") -> str:
    """Show a draft, also an unfinished one."""
    return text


KIT: LocalToolkit[Any] = LocalToolkit("notes", note_write, draft_show)


async def called(name: str, text: str, finish: str | None = None) -> Outcome:
    RAN.clear()
    return await search(KIT).call(ToolCall.of_text("c1", name, text, finish), CallContext())


def code_of(outcome: Outcome) -> str:
    return outcome.code if isinstance(outcome, BadOutcome) else ""


@pytest.mark.rule("search-not-whole")
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"name": "note_write", "input": {"title": "A", "text": "b', "truncated-arguments"),
        ('{"name": "note_wr', "truncated-arguments"),
        ('{"na', "truncated-arguments"),
        ('{"name": "note_write", "input": {"title": oops}}', "malformed-arguments"),
        ('{"name": "note_write"}{"name": "draft_show"}', "several-arguments"),
        ('{"input": {}}', "bad-arguments"),
    ],
)
async def test_a_call_that_is_not_whole_is_told_as_such(text: str, code: str) -> None:
    assert code_of(await called("tool_call", text)) == code
    assert RAN == []


@pytest.mark.rule("search-not-whole")
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"query": "wri', "truncated-arguments"),
        ('{"query": oops}', "malformed-arguments"),
        ('{"query": "a"}{"query": "b"}', "several-arguments"),
    ],
)
async def test_a_search_that_is_not_whole_is_not_run(text: str, code: str) -> None:
    assert code_of(await called("tool_search", text)) == code


@pytest.mark.rule("search-not-whole")
@pytest.mark.parametrize("text", ['{"input": {}}', '{"name": "note_write", "input": {}}', "{}"])
async def test_what_is_missing_where_the_model_met_its_limit_was_cut_off(text: str) -> None:
    assert code_of(await called("tool_call", text, "length")) == "truncated-arguments"


@pytest.mark.rule("search-not-whole")
async def test_a_tool_that_takes_cut_arguments_gets_its_own_and_nothing_around_them() -> None:
    outcome = await called("tool_call", '{"name": "draft_show", "input": {"text": "half a sen')
    assert outcome.unwrap().text == "half a sen"
    outcome = await called("tool_call", '{"name": "draft_show", "inp')
    assert outcome.unwrap().text == ""


@pytest.mark.rule("search-places-of-the-input")
async def test_repairs_are_told_at_places_of_the_tools_own_input() -> None:
    text = "{'name': 'note_write', 'input': {'Title': 'A', 'text': 'b', 'text': 'c'}}"
    outcome = await called("tool_call", text)
    told = [(repair.kind, repair.pointer) for repair in outcome.repairs]
    assert told == [("single_quotes", ""), ("duplicate_key", "/text"), ("rename_key", "/title")]
    text = '{"name": "note_write", "input": {"title": "A", "text": "b", "te'
    outcome = await called("tool_call", text)
    assert [repair.pointer for repair in outcome.repairs if repair.kind == "dropped_key"] == [""]
