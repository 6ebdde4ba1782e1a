"""Arguments against a schema: taken, mended where one reading is possible, or refused."""

import json
from typing import Any

from tests.pains.case import Case
from tests.pains.making import NOBODY, definition, noting_kit, says_all, told
from toolroll import LocalToolkit, ToolCall, define_tool, tool
from toolroll.content import JsonObject
from toolroll.outcome import InvalidInput
from toolroll.tools import Hints


async def validate(case: Case) -> None:
    """Schema and arguments -> what arrives, or the refusal."""
    got: list[JsonObject] = []
    given, wanted = case.given, case.wanted
    name, kit, arrived = noting_kit(given["schema"], given["origin"], got)
    outcome = await kit.call(ToolCall.of(name, given["args"]), NOBODY)
    assert outcome.kind == wanted.get("outcome", "ok"), outcome
    assert bool(arrived) is wanted.get("ran", "outcome" not in wanted)
    if "value" in wanted:
        # As text: 7 and 7.0, true and 1 are equal in Python.
        assert json.dumps(arrived[0]) == json.dumps(wanted["value"])
    if "repairs" in wanted:
        assert wanted["repairs"] == [
            {
                "at": repair.pointer,
                "kind": repair.kind,
                **({"from": repair.was} if repair.was else {}),
            }
            for repair in outcome.repairs
        ]
    for pointer, kind in wanted.get("type_of", {}).items():
        assert type(arrived[0][pointer[1:]]).__name__ == kind
    if "at" in wanted:
        assert isinstance(outcome, InvalidInput)
        assert [issue.pointer for issue in outcome.issues] == wanted["at"]
    assert says_all(told(outcome), wanted.get("says", ()))


async def calls_in_a_row(case: Case) -> None:
    """Several calls of one tool, written as a function and by schema."""
    said: Any = case.given["tool"]
    assert said["body"] == "append 'x' to tags, return tags"

    @tool(effect="write")
    def typed(tags: list[str] = []) -> list[str]:  # noqa: B006  # the report's very fault
        """Add to tags."""
        tags.append("x")
        return tags

    schema = {**said["parameters"], "additionalProperties": False}
    assert typed.definition.input_schema == schema

    def run(input: Any) -> list[str]:
        return typed(input["tags"])

    plain = define_tool(definition("plain", schema, hints=Hints.of_effect("write")), run)
    kit = LocalToolkit("pains", typed, plain)
    for name in ("typed", "plain"):
        outcomes = [
            await kit.call(ToolCall.of(name, arguments), NOBODY) for arguments in case.given["args"]
        ]
        lines = [outcome.unwrap().text.splitlines() for outcome in outcomes]
        assert lines == case.wanted["values"]
