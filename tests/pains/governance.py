"""A person's yes, and what is kept and logged."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.pains.case import Case
from tests.pains.making import (
    NOBODY,
    NotingSource,
    check_failure,
    definition,
    noting_tool,
    told,
)
from toolroll import LocalToolkit, Policy, Rule, ToolCall, Toolkit, assemble, call_all
from toolroll.content import JsonObject
from toolroll.outcome import NeedsApproval
from toolroll.ports import Approvals
from toolroll.store import MemoryApprovals, MemoryJournal, redact_text

PROGRAM = Path(__file__).with_name("approving_program.py")
_ANY: JsonObject = {"type": "object"}


def mail(
    *, needs: Sequence[str], approvals: Approvals | None = None
) -> tuple[Toolkit[Any], list[tuple[str, JsonObject]]]:
    """`mail__send` and `mail__list`, and what they are sent; those in `needs` need a yes."""
    source = NotingSource("mail", [definition("send", _ANY), definition("list", _ANY)])
    rules = [Rule("approve", tools=(name,)) for name in needs]
    policy = Policy([Rule("allow"), *rules])
    kit = assemble([(source, source.definitions)], policy, approvals=approvals)
    return kit, source.sent


async def approval(case: Case) -> None:
    """An answer for one input, and a run with another: by the context, and by stored approvals."""
    given, wanted = case.given, case.wanted
    pending, answer = given["pending"], given["answer"]
    assert answer["id"] == pending["id"]
    call = ToolCall.of(pending["tool"], pending["args"], id=pending["id"])
    changed = ToolCall.of(pending["tool"], given["run_with"], id=pending["id"])
    for stored in (None, MemoryApprovals()):
        kit, sent = mail(needs=[pending["tool"]], approvals=stored)
        asked = await kit.call(call, NOBODY)
        assert isinstance(asked, NeedsApproval)
        context = NOBODY
        if stored is None:
            context = context.with_answers({asked.request.id: answer["approve"]})
        else:
            await stored.approve(asked.request.id)
        check_failure(await kit.call(changed, context), wanted)
        assert len(sent) == wanted["ran"]
        assert (await kit.call(call, context)).ok  # and the answer still is for its own call


async def approval_parallel(case: Case) -> None:
    """Several calls of one turn, some of which need a yes."""
    given, wanted = case.given, case.wanted
    calls = [ToolCall.of(call["tool"], call["args"], id=call["id"]) for call in given["calls"]]
    kit, _ = mail(needs=given["needs"])
    outcomes = await call_all(kit, calls, NOBODY)
    asked = [outcome for outcome in outcomes if isinstance(outcome, NeedsApproval)]
    assert [outcome.call_id for outcome in asked] == wanted["pending"]
    results = {one.call_id: one for one in outcomes if not isinstance(one, NeedsApproval)}
    reason = "not to this one"
    answers = {outcome.request.id: given["answers"][outcome.call_id] or reason for outcome in asked}
    again = [call for call in calls if call.id in wanted["pending"]]
    for outcome in await call_all(kit, again, NOBODY.with_answers(answers)):
        results[outcome.call_id] = outcome
    assert {id: outcome.kind for id, outcome in results.items()} == wanted["results"]
    told_why = [id for id, outcome in results.items() if reason in told(outcome)]
    assert told_why == [wanted["reason_reaches_model"]]


def approval_restart(case: Case, folder: Path) -> None:
    """Asked in one process, answered as JSON, run in another."""
    given, wanted = case.given, case.wanted
    assert (given["store"], given["new_process"]) == ("json", True)
    pending, answer = given["pending"], given["answer"]
    file = folder / "pending.json"
    file.write_text(json.dumps(pending))
    _run("ask", file)
    kept = json.loads(file.read_text())
    assert answer["id"] == kept["id"]
    file.write_text(json.dumps({**kept, "answer": answer["approve"]}))
    done = json.loads(_run("run", file))
    assert done["kind"] == "ok"
    assert done["sent"] == [wanted["args"]] * wanted["ran"]


def _run(what: str, file: Path) -> str:
    done = subprocess.run(
        [sys.executable, str(PROGRAM), what, str(file)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


async def journal(case: Case) -> None:
    """Inputs as they are kept."""
    kept = MemoryJournal(keep_inputs=True)
    kit = assemble(
        [
            LocalToolkit(
                "pains", noting_tool("look", {"type": "object", "properties": {"town": {}}}, [])
            )
        ],
        Policy([Rule("allow")]),
        journal=kept,
        keep_inputs=True,
    )
    assert (await kit.call(ToolCall.of_text("c1", "look", case.given["raw_args"]), NOBODY)).ok
    page = await kept.read(oldest_first=True)
    inputs = [entry.record.input for entry in page.entries if entry.record.event == "begun"]
    assert inputs == [case.wanted["stored_args"]]


def redact(case: Case) -> None:
    """Addresses inside error texts."""
    text = redact_text(case.given["text"])
    assert all(words in text for words in case.wanted["must_contain"])
    assert not any(words in text for words in case.wanted["must_not_contain"])
