"""Search as a presentation: two tools that stand for all."""

from typing import Any

import pytest

from toolroll import (
    Answer,
    CallContext,
    DefinitionError,
    InvalidInput,
    LiveToolkit,
    LocalToolkit,
    NeedsApproval,
    Policy,
    Principal,
    Rule,
    ToolCall,
    assemble,
    search,
    tool,
)

pytestmark = pytest.mark.anyio
CONTEXT: CallContext[Any] = CallContext()


@tool(effect="read")
def list_issues(state: str = "open") -> list[str]:
    """List the issues of a project."""
    return [f"issue\t1\t{state}"]


@tool(effect="write")
def create_issue(title: str) -> str:
    """Create an issue."""
    return f"created {title}"


KIT: LocalToolkit[Any] = LocalToolkit("tracker", list_issues, create_issue)


async def find(kit: Any, context: CallContext[Any] = CONTEXT, **arguments: Any) -> Any:
    return (await kit.call(ToolCall.of("tool_search", arguments), context)).unwrap().data


@pytest.mark.rule("search-two-tools")
async def test_any_toolkit_becomes_exactly_two_tools() -> None:
    kit = search(KIT)
    names = [listed.name for listed in kit.listing(CONTEXT).tools]
    assert names == ["tool_search", "tool_call"]
    found = await find(kit, query="create iss")
    assert found["tools"][0] == {
        "name": "create_issue",
        "description": "Create an issue.",
        "inputSchema": create_issue.definition.input_schema,
    }
    assert (found["matched"], found["available"]) == (2, 2)
    everything = await find(kit, query="")
    assert [found["name"] for found in everything["tools"]] == ["list_issues", "create_issue"]


async def test_the_limit_is_held() -> None:
    many = LocalToolkit(
        "many",
        *(tool(effect="read", name=f"t{n}", description="Do.")(lambda: "x") for n in range(40)),
    )
    kit = search(many, limit=3)
    assert len((await find(kit, query=""))["tools"]) == 3
    assert len((await find(kit, query="", limit=50))["tools"]) == 20
    assert len((await find(kit, query="", limit="7"))["tools"]) == 7
    assert len((await find(kit, query="", limit=-1))["tools"]) == 1
    for limit in (0, 21):
        with pytest.raises(DefinitionError, match="1 to 20"):
            search(many, limit=limit)


@pytest.mark.rule("search-governed")
async def test_what_is_called_is_checked_run_and_refused_as_if_called_directly() -> None:
    kit = search(KIT)

    async def call(**arguments: Any) -> Any:
        return await kit.call(ToolCall.of("tool_call", arguments, id="c1"), CONTEXT)

    answer = await call(name="create_issue", input={"title": "broken"})
    assert isinstance(answer, Answer)
    assert (answer.result.text, answer.call_id) == ("created broken", "c1")
    as_text = await call(name="create_issue", input='{"title": "broken"}')
    assert as_text.unwrap().text == "created broken"
    assert [repair.kind for repair in as_text.repairs] == ["parse_text"]
    wrong = await call(name="create_issue", input={"titel": 5})
    assert isinstance(wrong, InvalidInput)
    assert (
        wrong.issues == (await KIT.call(ToolCall.of("create_issue", {"titel": 5}), CONTEXT)).issues
    )  # type: ignore[union-attr]
    unknown = await call(name="delete_issue")
    assert (unknown.kind, unknown.code) == ("refused", "unknown-tool")
    assert (await call()).kind == "invalid_input"
    assert (await call(name="list_issues", extra=1)).kind == "invalid_input"


@pytest.mark.rule("search-governed")
async def test_approval_is_asked_with_the_inner_input_and_answered_through_the_same_call() -> None:
    kit = search(assemble([KIT], Policy([Rule("approve")])))
    call = ToolCall.of("tool_call", {"name": "create_issue", "input": {"title": "x"}}, id="c1")
    waiting = await kit.call(call, CONTEXT)
    assert isinstance(waiting, NeedsApproval)
    assert (waiting.request.tool, waiting.request.input) == ("create_issue", {"title": "x"})
    assert waiting.call_id == "c1"
    assert (await kit.call(call, CONTEXT.with_answers({waiting.request.id: True}))).ok
    assert (await find(kit, query="create"))["matched"] >= 1


@pytest.mark.rule("search-governed")
async def test_a_caller_finds_only_what_it_may_use() -> None:
    policy = Policy(
        [Rule("allow", tools=("list*",)), Rule("allow", principal="ana")], undecided="block"
    )
    kit = search(assemble([KIT], policy))
    ana: CallContext[Any] = CallContext(principal=Principal(id="ana"))
    assert (await find(kit, query="issue"))["available"] == 1
    assert (await find(kit, ana, query="issue"))["available"] == 2
    assert (await find(kit, query="issue"))["matched"] == 1


async def test_a_live_toolkit_stays_live_behind_its_search() -> None:
    live = LiveToolkit(KIT)
    kit = search(live)
    assert (await find(kit, query="issue"))["matched"] == 2
    live.swap(LocalToolkit("tracker", list_issues))
    assert (await find(kit, query="issue"))["matched"] == 1
    revision = kit.listing(CONTEXT).revision
    live.swap(KIT)
    assert kit.listing(CONTEXT).revision != revision
