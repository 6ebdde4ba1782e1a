"""What the tool holds and what the host holds are two: neither changes the other's."""

from typing import Any

import pytest

from toolroll import (
    Behavior,
    CallContext,
    Hints,
    LocalToolkit,
    Policy,
    Rule,
    ToolCall,
    ToolDefinition,
    ToolResult,
    assemble,
    call_all,
    define_tool,
    tool,
)
from toolroll.ports import JournalRecord

pytestmark = pytest.mark.anyio


class Records(list[JournalRecord]):
    """A journal in a list."""

    async def write(self, record: JournalRecord, /) -> None:
        self.append(record)


ITEMS = {
    "type": "object",
    "properties": {"items": {"type": "array", "items": {"type": "string"}}},
    "required": ["items"],
    "additionalProperties": False,
}


def greedy(input: Any) -> str:
    """Take all there is."""
    taken = ", ".join(input["items"])
    input["items"].clear()
    return taken


def defined(**more: Any) -> Any:
    definition = ToolDefinition(
        name="greedy", description="Take.", input_schema=ITEMS, hints=Hints.of_effect("write")
    )
    return define_tool(definition, greedy, **more)


@pytest.mark.rule("run-answer-stays")
@pytest.mark.parametrize("declared", [None, dict[str, Any]])
async def test_an_answer_stays_what_it_was_when_the_tool_goes_on(declared) -> None:
    state: dict[str, Any] = {"notes": ["bread"], "count": 1}

    def show() -> Any:
        return state

    show.__annotations__["return"] = declared

    def add() -> list[str]:
        state["notes"].append("tea")
        return state["notes"]

    kit = LocalToolkit(
        "notes",
        tool(effect="read", description="Show.")(show),
        tool(effect="write", description="Add.")(add),
    )

    shown, _ = await call_all(kit, [ToolCall.of("show"), ToolCall.of("add")], CallContext())

    assert shown.unwrap().data == {"notes": ["bread"], "count": 1}


@pytest.mark.rule("run-answer-stays")
@pytest.mark.parametrize("limit", [None, 1000])
@pytest.mark.parametrize("notes", [["bread"], ("bread",)], ids=["plain", "tuple"])
async def test_a_result_the_tool_made_itself_stays_what_it_was_too(notes, limit) -> None:
    state: dict[str, Any] = {"notes": notes, "count": [1]}
    kept = ToolResult(data=state, meta={"seen": state["count"]})

    def show() -> ToolResult:
        return kept

    def add() -> None:
        state["count"].append(2)

    kit = LocalToolkit(
        "notes",
        tool(effect="read", description="Show.", behavior=Behavior(limit=limit))(show),
        tool(effect="write", description="Add.")(add),
    )

    shown, _ = await call_all(kit, [ToolCall.of("show"), ToolCall.of("add")], CallContext())

    result = shown.unwrap()
    assert (result.data, result.meta) == ({"notes": ["bread"], "count": [1]}, {"seen": [1]})
    result.data["count"].clear()  # type: ignore[index,call-overload,union-attr]
    assert state["count"] == [1, 2]


@pytest.mark.rule("run-arguments-stay")
@pytest.mark.parametrize("more", [{}, {"validate": lambda input: input}])
async def test_a_call_keeps_its_arguments_whatever_the_handler_does_to_its_own(more) -> None:
    call = ToolCall.of("greedy", {"items": ["a", "b"]})
    kit = LocalToolkit("kit", defined(**more))

    for _ in range(2):
        assert (await kit.call(call, CallContext())).unwrap().text == "a, b"
    assert call.arguments.value == {"items": ["a", "b"]}


@pytest.mark.rule("run-arguments-stay")
async def test_a_check_of_the_authors_own_may_change_its_input() -> None:
    def emptied(input: Any) -> Any:
        taken, input["items"] = input["items"], ["c"]
        taken.clear()
        return input

    call = ToolCall.of("greedy", {"items": ["a", "b"]})
    outcome = await LocalToolkit("kit", defined(validate=emptied)).call(call, CallContext())
    assert outcome.unwrap().text == "c"
    assert call.arguments.value == {"items": ["a", "b"]}


@pytest.mark.rule("run-arguments-stay")
async def test_the_journal_keeps_the_input_that_the_tool_began_with() -> None:
    @tool(effect="write")
    def take(items: list[str]) -> int:
        """Take all there is."""
        items.clear()
        return 0

    journal = Records()
    kit = assemble(
        [LocalToolkit("kit", take)], Policy([Rule("allow")]), journal=journal, keep_inputs=True
    )
    (name,) = (listed.name for listed in kit.listing(CallContext()).tools)

    assert (await kit.call(ToolCall.of(name, {"items": ["a"]}), CallContext())).ok

    assert [record.input for record in journal if record.event == "begun"] == [{"items": ["a"]}]
