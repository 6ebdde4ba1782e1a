"""From a definition to an answer in a model's hands, over real systems."""

import json
import sys
from typing import Any

import pytest

from toolroll import (
    CallContext,
    LocalToolkit,
    NeedsApproval,
    Outcome,
    Policy,
    Rule,
    ToolCall,
    Workspace,
    search,
    tool,
)
from toolroll.providers import openai_chat
from toolroll.sources.http import http_source
from toolroll.sources.mcp import mcp_http, mcp_stdio
from toolroll.sources.openapi import read_operations
from toolroll.store.memory import MemoryJournal

from .conftest import EXAMPLES, TOKEN

pytestmark = [pytest.mark.anyio, pytest.mark.rule("whole-road")]
CONTEXT: CallContext[Any] = CallContext()
CLOCK = [sys.executable, "-m", "mcp_server_time", "--local-timezone", "UTC"]


@tool(effect="read")
def add(left: int, right: int) -> int:
    """Add two numbers."""
    return left + right


def loans(address: str, token: str = TOKEN) -> Any:
    document = json.loads((EXAMPLES / "loans.openapi.json").read_text(encoding="utf-8"))
    reading = read_operations(document)
    assert not reading.skipped
    return http_source(
        "loans", address, reading.operations, headers={"Authorization": f"Bearer {token}"}
    )


def told(outcome: Outcome) -> str:
    return "\n".join(getattr(block, "text", "") for block in outcome.for_model())


async def test_one_toolkit_over_four_places(loans_address: str, clock_address: str) -> None:
    members = [
        LocalToolkit("math", add),
        loans(loans_address),
        mcp_stdio("clock", CLOCK),
        mcp_http("week", clock_address),
    ]
    policy = Policy(
        [
            Rule("allow"),
            Rule("approve", "loans", ("create_loan",)),
            Rule("block", tools=("convert_time",)),
        ]
    )
    journal = MemoryJournal()
    async with Workspace(members, policy, journal=journal) as workspace:
        kit = workspace.kit
        names = [listed.name for listed in kit.listing(CONTEXT).tools]
        assert names == [
            "add",
            "loans__list_loans",
            "loans__create_loan",
            "loans__return_loan",
            "loans__renew_loan",
            "clock__get_current_time",
            "week__day_of",
        ]

        async def call(name: str, arguments: Any, context: CallContext[Any] = CONTEXT) -> Outcome:
            return await kit.call(ToolCall.of(name, arguments, id="c1"), context)

        assert (await call("add", {"left": 1, "right": "2"})).unwrap().data == 3
        assert "UTC" in told(await call("clock__get_current_time", {"timezone": "UTC"}))
        assert told(await call("week__day_of", {"number": 7})) == "Sunday"
        assert "A week has 7 days." in told(await call("week__day_of", {"number": 8}))
        assert (await call("clock__convert_time", {})).kind == "refused"

        lend = {"body": {"book": "sky", "member": "ana"}}
        waiting = await call("loans__create_loan", lend)
        assert isinstance(waiting, NeedsApproval)
        answered = CONTEXT.with_answers({waiting.request.id: True})
        loan = (await call("loans__create_loan", lend, answered)).unwrap().data
        assert isinstance(loan, dict)
        again = await call("loans__create_loan", lend, answered)
        assert (again.kind, again.code) == ("failed", "call-failed")  # type: ignore[union-attr]
        assert "is lent until" in told(again)
        listed = await call("loans__list_loans", {"member": "ana"})
        assert listed.unwrap().data == {"loans": [loan]}
        assert (await call("loans__renew_loan", {"loan_id": "../../x"})).kind == "failed"
        assert (await call("loans__return_loan", {"loan_id": loan["id"]})).ok

        found = await search(kit).call(
            ToolCall.of("tool_search", {"query": "lend a book"}), CONTEXT
        )
        assert found.unwrap().data["tools"][0]["name"] == "loans__create_loan"  # type: ignore[index,call-overload]

        offer = openai_chat.offer(kit, CONTEXT)
        reply = {
            "role": "assistant",
            "tool_calls": [
                {
                    "id": "call_1",
                    "type": "function",
                    "function": {"name": "week__day_of", "arguments": '{"number": 1,}'},
                }
            ],
        }
        calls = offer.read(reply)
        outcomes = [await kit.call(one, CONTEXT) for one in calls]
        (message,) = offer.results(calls, outcomes)
        assert (message["tool_call_id"], message["content"]) == ("call_1", "Monday")

    records = [entry.record for entry in (await journal.read(oldest_first=True, limit=200)).entries]
    begun = [record.tool for record in records if record.event == "begun"]
    finished = [record.tool for record in records if record.event == "finished"]
    assert begun == finished
    assert begun.count("loans__create_loan") == 2
    assert TOKEN not in str(records)


@pytest.mark.rule("whole-road-one-thing-costs-one-thing")
async def test_what_is_down_or_wrong_costs_itself_and_is_named(
    loans_address: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("CRITICAL")
    members = [
        LocalToolkit("math", add),
        loans(loans_address, token="wr0ng"),
        mcp_stdio("missing", ["no-such-command-here"]),
        mcp_stdio("dying", [sys.executable, "-c", "print('noise'); raise SystemExit(3)"]),
        mcp_http("refusing", "http://127.0.0.1:9/mcp"),
        mcp_stdio("clock", CLOCK),
    ]
    async with Workspace(members, Policy([Rule("allow")])) as workspace:
        names = [listed.name for listed in workspace.kit.listing(CONTEXT).tools]
        assert names[0] == "add"
        assert names[-2:] == ["clock__get_current_time", "clock__convert_time"]
        assert {(note.kind, note.subject) for note in workspace.report.notes} == {
            ("unavailable", "missing"),
            ("unavailable", "dying"),
            ("unavailable", "refusing"),
        }
        denied = await workspace.kit.call(ToolCall.of("loans__list_loans"), CONTEXT)
        assert (denied.kind, denied.code) == ("failed", "authentication")  # type: ignore[union-attr]
        assert "wr0ng" not in told(denied) + str(denied.to_json())
        assert (await workspace.kit.call(ToolCall.of("add", {"left": 1, "right": 1}), CONTEXT)).ok
