"""The exam of a toolkit: ours pass it, and each fault breaks the promise of its name alone."""

import itertools
import json
from dataclasses import replace
from typing import Any

import anyio
import pytest

from toolroll.assembly import Policy, Rule, assemble
from toolroll.content import ToolResult
from toolroll.outcome import Answer, Outcome
from toolroll.presentation import search
from toolroll.testing import ExamLimits, ListJournal, ToolkitExam, check_toolkit, toolkit_checks
from toolroll.toolkit import LiveToolkit, LocalToolkit, Toolkit, merge, prefix, serialize
from toolroll.tools import CallContext, ToolCall, tool

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("virtual_time")]

NAMES = [check.name for check in toolkit_checks()]
QUICK = ExamLimits(step=2, prompt=0.5, check=10, settle=0.02, calls=10)


@tool(effect="read")
async def echo(text: str) -> str:
    """Say it again."""
    await anyio.lowlevel.checkpoint()
    return text


@tool(effect="write")
async def blocking() -> str:
    """Never answer."""
    await anyio.sleep_forever()
    return ""


@tool(effect="destructive")
async def hidden() -> str:
    """Not for everybody."""
    return ""


def kit_and_exam() -> tuple[Toolkit[Any], ToolkitExam]:
    """A kit under a policy, and everything an exam of it can say."""
    journal = ListJournal()
    policy = Policy([Rule("allow"), Rule("block", tools=("hidden",))])
    kit = assemble([LocalToolkit("notes", echo, blocking, hidden)], policy, journal=journal)
    exam = ToolkitExam(
        samples={"echo": {"text": "hi"}}, blocked=("hidden",), blocking="blocking", journal=journal
    )
    return kit, exam


@pytest.mark.rule("exam-toolkits-of-ours-pass")
async def test_an_assembled_toolkit_keeps_every_promise() -> None:
    kit, exam = kit_and_exam()
    report = await check_toolkit(kit, exam, limits=QUICK)
    assert [verdict.name for verdict in report.passed] == NAMES, str(report)


@pytest.mark.rule("exam-toolkits-of-ours-pass")
async def test_a_call_that_takes_its_time_to_begin_is_waited_for() -> None:
    kit, exam = kit_and_exam()

    class Far(Faulty):
        async def call(self, call: ToolCall, context: CallContext[Any], /) -> Outcome:
            await anyio.sleep(5)
            return await self.kit.call(call, context)

    assert exam.journal is not None
    limits = replace(QUICK, step=60, check=600)
    report = await check_toolkit(Far(kit, "", exam.journal), exam, limits=limits)
    report.raise_if_failed()


LOCAL = LocalToolkit("notes", echo, blocking)
KITS: dict[str, tuple[Toolkit[Any], ToolkitExam]] = {
    "local": (LOCAL, ToolkitExam(samples={"echo": {"text": "a"}}, blocking="blocking")),
    "live": (LiveToolkit(LOCAL), ToolkitExam(samples={"echo": {"text": "a"}}, blocking="blocking")),
    "serialized": (serialize(LOCAL), ToolkitExam(samples={"echo": {"text": "a"}})),
    "merged": (merge(LOCAL, prefix(LOCAL, "my_")), ToolkitExam(samples={"my_echo": {"text": "a"}})),
    "search": (
        search(LOCAL),
        ToolkitExam(
            samples={
                "tool_search": {"query": "say"},
                "tool_call": {"name": "echo", "input": {"text": "a"}},
            }
        ),
    ),
    "empty": (LocalToolkit("empty"), ToolkitExam()),
}


@pytest.mark.rule("exam-toolkits-of-ours-pass")
@pytest.mark.parametrize("which", KITS)
async def test_toolkits_of_every_kind_pass(which: str) -> None:
    report = await check_toolkit(*KITS[which], limits=QUICK)
    report.raise_if_failed()
    assert len(report.passed) >= 5


class Faulty:
    """A toolkit with one fault."""

    def __init__(self, kit: Toolkit[Any], fault: str, journal: ListJournal) -> None:
        self.kit, self.fault, self.journal = kit, fault, journal
        self.count = itertools.count()

    def listing(self, context: CallContext[Any], /) -> Any:
        listing = self.kit.listing(context)
        number, tools = next(self.count), list(listing.tools)
        if self.fault == "listing-repeats":
            return replace(listing, revision=str(number))
        if self.fault == "listing-names-differ":
            return replace(listing, tools=(*tools, tools[0]))
        if self.fault == "listing-is-data":
            odd = replace(tools[0].definition, extra={"at": {1, 2}})
            return replace(listing, tools=(replace(tools[0], definition=odd), *tools[1:]))
        return listing

    async def call(self, call: ToolCall, context: CallContext[Any], /) -> Outcome:
        fault = self.fault
        if fault == "unknown-tool-is-refused" and call.id == "unknown":
            return replace(await self.kit.call(call, context), code="refused")  # type: ignore[arg-type]
        if fault == "blocked-is-invisible" and call.id == "blocked":
            return replace(await self.kit.call(call, context), lines=("tools\thidden",))  # type: ignore[call-arg]
        if fault == "unreadable-never-runs" and call.arguments.status == "truncated":
            raise ValueError("cut off")
        if fault == "calls-at-once-keep-apart" and call.id.startswith("at-once"):
            return replace(await self.kit.call(call, context), call_id="at-once-0")
        if (
            fault == "cancellation-passes-through"
            and call.id == "blocking"
            and context.cancel is None
            and context.deadline is None
        ):
            try:
                return await self.kit.call(call, context)
            except anyio.get_cancelled_exc_class():
                return Answer(result=ToolResult(), call_id=call.id)
        if fault in ("signal-aborts", "deadline-ends-a-call"):
            context = replace(
                context, **{"cancel" if fault == "signal-aborts" else "deadline": None}
            )
        outcome = await self.kit.call(call, context)
        if fault == "samples-answer" and call.id.startswith("sample"):
            return await self.kit.call(replace(call, name="no_such"), context)
        if fault == "outcome-is-data" and call.id.startswith("sample"):
            return replace(outcome, result=ToolResult(data={1: "one"}))  # type: ignore[call-arg, dict-item]
        if fault == "one-begin-one-finish" and call.id.startswith("sample"):
            self.journal.records.append(self.journal.records[-1])
        return outcome


class LosesFinishes(ListJournal):
    """A journal that does not hear of the end of a cancelled run."""

    async def write(self, record: Any, /) -> None:
        if record.outcome != "aborted" or record.call_id != "blocking":
            await ListJournal.write(self, record)


@pytest.mark.rule("exam-toolkit-fault-is-named")
@pytest.mark.parametrize("fault", NAMES)
async def test_a_fault_breaks_the_promise_of_its_name_and_no_other(fault: str) -> None:
    journal = LosesFinishes() if fault == "cancelled-run-is-finished" else ListJournal()
    policy = Policy([Rule("allow"), Rule("block", tools=("hidden",))])
    kit = assemble([LocalToolkit("notes", echo, blocking, hidden)], policy, journal=journal)
    exam = replace(kit_and_exam()[1], journal=journal)
    report = await check_toolkit(Faulty(kit, fault, journal), exam, limits=QUICK)
    assert [verdict.name for verdict in report.failed] == [fault], str(report)
    assert report.failed[0].reason


@pytest.mark.rule("exam-not-applicable-says-why")
async def test_what_an_exam_does_not_give_makes_promises_not_applicable() -> None:
    report = await check_toolkit(LOCAL, limits=QUICK)
    reasons = {verdict.name: verdict.reason for verdict in report.not_applicable}
    assert reasons["samples-answer"] == "the exam gives no samples"
    assert reasons["blocked-is-invisible"] == "the exam names no blocked tool"
    assert reasons["signal-aborts"] == "the exam names no blocking tool"
    assert reasons["cancelled-run-is-finished"] == "the exam gives no journal"
    assert report.ok


@pytest.mark.rule("exam-report-is-data")
async def test_a_report_names_its_subject_and_is_json() -> None:
    report = await check_toolkit(LOCAL, limits=QUICK, checks=toolkit_checks()[:1])
    raw = json.loads(json.dumps(report.to_json()))
    assert (raw["subject"], raw["ok"]) == ("notes", True)
    assert [(each["name"], each["status"]) for each in raw["verdicts"]] == [
        ("listing-repeats", "passed")
    ]
