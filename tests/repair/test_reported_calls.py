"""Calls from public reports, read as those who reported them expect."""

import json
from pathlib import Path
from typing import Any

import pytest

from toolroll import (
    Behavior,
    CallContext,
    Hints,
    InvalidInput,
    LocalToolkit,
    Tool,
    ToolCall,
    ToolDefinition,
    define_tool,
)
from toolroll.content import JsonObject
from toolroll.repair import read_arguments, read_calls

DATA = Path(__file__).parent.parent / "data"
ANY_OBJECT: dict[str, Any] = {"type": "object", "additionalProperties": True}
CASES: list[dict[str, Any]] = json.loads((DATA / "malformed-calls" / "calls.json").read_text())


@pytest.mark.rule("args-reported-calls")
@pytest.mark.parametrize(
    "case",
    [case for case in CASES if "input" in case],
    ids=lambda case: f"{case['kind']}, {case['source'].rpartition('/')[2]}",
)
def test_the_calls_of_public_reports_are_read_as_wanted(case: dict[str, object]) -> None:
    text, want = case["input"], case["want"]
    assert text is None or isinstance(text, str)
    read = read_arguments(text)
    if isinstance(want, dict) and "schema" not in case:
        assert (read.value, read.complete) == (want, True)
    elif isinstance(want, str) and want.startswith("AMBIGUOUS"):
        assert read.status == "concatenated"
        assert len(read_calls(text)) == len(read.dropped) + 1 > 1
    elif isinstance(want, str) and "finish_reason" not in case:
        assert (want[:9], read.status) == ("TRUNCATED", "truncated")
    else:  # needs the schema or the reason why the model stopped: the text itself is fine
        assert (read.status, read.repairs) == ("complete", ())


@pytest.mark.anyio
@pytest.mark.rule("args-reported-calls")
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['kind']}, {case['source']}")
async def test_the_calls_of_public_reports_come_to_what_is_wanted(case: dict[str, Any]) -> None:
    ran: list[tuple[str, JsonObject]] = []

    def tool_named(name: str) -> Tool:
        return define_tool(
            ToolDefinition(
                name=name,
                description="Note the input.",
                input_schema=case.get("schema", ANY_OBJECT),
                hints=Hints.of_effect("write"),
            ),
            lambda arguments: ran.append((name, arguments)),
            behavior=Behavior(open=True),
        )

    kit = LocalToolkit("reported", *map(tool_named, case.get("tools", ["some_tool"])))
    call = ToolCall.of_text(
        "c1", case.get("name", "some_tool"), case.get("input"), finish=case.get("finish_reason")
    )
    outcome = await kit.call(call, CallContext())
    want = case.get("want")
    if isinstance(want, str):  # cut or ambiguous
        assert isinstance(outcome, InvalidInput)
        code = "truncated" if want.startswith("TRUNCATED") else "several"
        assert (outcome.code, ran) == (f"{code}-arguments", [])
    else:
        assert ran == [(case.get("want_name", "some_tool"), {} if want is None else want)]
