"""What stands before a run holds for every tool, ends with the signal, and is recorded whole."""

import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Any

import anyio
import anyio.lowlevel
import pytest

from toolroll import (
    Aborted,
    Behavior,
    CallContext,
    Failed,
    Listing,
    LocalToolkit,
    NeedsApproval,
    Outcome,
    Policy,
    Principal,
    Refusal,
    Rule,
    TimedOut,
    ToolCall,
    assemble,
    search,
    serialize,
    tool,
)
from toolroll.outcome import ApprovalRequest, OutcomeError
from toolroll.ports import JournalRecord
from toolroll.ports.approvals import ApprovalAnswer
from toolroll.toolkit import available, rename
from toolroll.toolkit import filter as filtered
from toolroll.tools.cancel import CancelSignal
from toolroll.tools.gate import Gates

pytestmark = pytest.mark.anyio

ASK = Policy([Rule("approve")])
ALLOW = Policy([Rule("allow")])
RUNS: list[str] = []


@tool(effect="destructive")
async def wipe() -> str:
    """Wipe."""
    RUNS.append("wipe")
    return "gone"


@tool(effect="write")
async def rest() -> str:
    """Rest for a long time."""
    await anyio.sleep(60)
    return "rested"


KIT = LocalToolkit("disk", wipe, rest)


@pytest.fixture(autouse=True)
def _no_runs() -> None:
    RUNS.clear()


class Foreign:
    """A toolkit of somebody else."""

    def listing(self, context: CallContext, /) -> Listing:
        return KIT.listing(context)

    async def call(self, call: ToolCall, context: CallContext, /) -> Outcome:
        return await KIT.call(call, context)


class Events:
    """A journal that keeps a record and then lets others run."""

    def __init__(self) -> None:
        self.events: list[str] = []

    async def write(self, record: JournalRecord, /) -> None:
        self.events.append(record.event)
        for _ in range(3):
            await anyio.lowlevel.checkpoint()


class Nobody:
    """Never answers."""

    async def ask(self, request: ApprovalRequest, /) -> ApprovalAnswer:
        await anyio.sleep(60)
        return "approved"


async def test_a_presented_tool_that_a_policy_asks_about_does_not_run_unasked() -> None:
    for kit, call in (
        (assemble([Foreign()], ASK), ToolCall.of("wipe", id="c")),
        (assemble([search(KIT)], ASK), ToolCall.of("tool_call", {"name": "wipe"}, id="c")),
    ):
        asked = await kit.call(call, CallContext())
        assert isinstance(asked, NeedsApproval)
        assert RUNS == []
        answered = CallContext().with_answers({asked.request.id: True})
        assert (await kit.call(call, answered)).ok
        assert RUNS.pop() == "wipe"


async def test_a_presented_tool_is_recorded_by_the_journal_put_before_it() -> None:
    journal = Events()
    kit = assemble([Foreign()], ALLOW, journal=journal)
    assert (await kit.call(ToolCall.of("wipe"), CallContext())).ok
    assert journal.events == ["begun", "finished"]


async def test_the_signal_ends_the_wait_for_a_person_and_for_a_turn() -> None:
    asking = assemble([KIT], ASK, approvals=Nobody())
    queue = serialize(KIT)
    for kit, others in ((asking, 0), (queue, 1)):
        signal, outcomes = CancelSignal(), list[Outcome]()

        async def call() -> None:
            outcomes.append(await kit.call(ToolCall.of("wipe"), CallContext(cancel=signal)))  # noqa: B023

        async with anyio.create_task_group() as tasks:
            for _ in range(others):
                tasks.start_soon(kit.call, ToolCall.of("rest"), CallContext())
            await anyio.wait_all_tasks_blocked()
            tasks.start_soon(call)
            await anyio.wait_all_tasks_blocked()
            signal.cancel()
            await anyio.wait_all_tasks_blocked()
            tasks.cancel_scope.cancel()
        (outcome,) = outcomes
        assert isinstance(outcome, Aborted)
        assert not outcome.may_have_run
        assert RUNS == []


@pytest.mark.parametrize("steps", range(9))
async def test_a_begun_has_its_finish_wherever_the_caller_is_cancelled(steps: int) -> None:
    journal = Events()
    kit = assemble([KIT], ALLOW, journal=journal)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(kit.call, ToolCall.of("rest"), CallContext())
        for _ in range(steps):
            await anyio.lowlevel.checkpoint()
        tasks.cancel_scope.cancel()
    assert journal.events.count("begun") == journal.events.count("finished")


async def test_a_deadline_of_the_host_is_not_told_as_the_limit_of_the_tool() -> None:
    outcome = await KIT.call(ToolCall.of("rest"), CallContext(deadline=anyio.current_time()))
    assert isinstance(outcome, TimedOut)
    assert (outcome.message, outcome.limit) == ("rest did not finish in time.", None)


class Mute(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no text")


def _deep() -> Exception:
    error: Exception = ValueError("at the bottom")
    for _ in range(3_000):
        error = ExceptionGroup("one", [error])
    return error


@pytest.mark.parametrize(
    "error",
    [
        Mute(),
        OutcomeError("odd", "failed", "no such kind"),  # type: ignore[arg-type]
        OutcomeError("failed", ["failed"], "no code"),  # type: ignore[arg-type]
        Refusal("no", None),  # type: ignore[arg-type]
        Refusal("no", "no", [1]),  # type: ignore[list-item]
        _deep(),
    ],
    ids=["mute", "kind", "code", "message", "lines", "deep"],
)
async def test_an_error_that_is_itself_wrong_is_a_failed_handler(error: Exception) -> None:
    @tool(effect="read", behavior=Behavior(show_errors=True))
    async def fail() -> str:
        """Fail."""
        raise error

    outcome = await LocalToolkit("t", fail).call(ToolCall.of("fail"), CallContext())
    assert isinstance(outcome, Failed)
    assert outcome.code == "handler-error"
    assert outcome.for_model()


async def test_an_answer_is_for_one_tenant_and_any_id_can_be_asked_about() -> None:
    kit = assemble([KIT], ASK)
    ids: set[str] = set()
    for tenant in ("a", "b"):
        principal = Principal(id="ana", tenant=tenant)
        asked = await kit.call(ToolCall.of("wipe", id="\ud800"), CallContext(principal=principal))
        assert isinstance(asked, NeedsApproval)
        ids.add(asked.request.id)
    assert len(ids) == 2


async def test_a_rule_may_name_a_renamed_tool_by_the_name_that_is_seen() -> None:
    kit = assemble(
        [rename(KIT, {"wipe": "clean"})], Policy([Rule("block", tools=("clean",)), Rule("allow")])
    )
    assert (await kit.call(ToolCall.of("clean"), CallContext())).to_json()["code"] == "unknown-tool"


def test_only_the_pattern_that_fits_makes_a_rule_special() -> None:
    policy = Policy(
        [
            Rule("approve", tools=("wip*",)),
            Rule("allow", tools=("some_other_tool", "*")),
        ]
    )
    assert policy.explain("disk", "wipe", wipe.definition.hints).decision == "approve"


def _fails(_: object) -> Any:
    raise RuntimeError("the directory is down")


def _other_decision(_: object) -> Any:
    return "perhaps"


@pytest.mark.rule("run-gate-fails")
@pytest.mark.parametrize(
    "gates",
    [
        Gates(available=(_fails,)),
        Gates(decide=(_fails,)),
        Gates(decide=(_other_decision,)),
    ],
    ids=["available", "policy", "no-decision"],
)
async def test_a_gate_that_fails_runs_nothing_and_is_told(
    gates: Gates, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    kit = LocalToolkit("disk", wipe.with_gates(gates), rest)
    outcome = await kit.call(ToolCall.of("wipe"), CallContext())
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.may_have_run, RUNS) == ("handler-error", False, [])
    assert "directory" not in str(outcome.to_json())
    other = await kit.call(ToolCall.of("disk.wipe"), CallContext())
    assert (other.kind, other.lines) == ("refused", ("tools\trest",))  # type: ignore[union-attr]
    listing = kit.listing(CallContext())
    assert [listed.name for listed in listing.tools] == ["rest"]
    assert [note.subject for note in listing.report.of_kind("skipped")] == ["wipe"]


@pytest.mark.rule("run-gate-fails")
async def test_a_gate_that_fails_is_recorded(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)
    records: list[JournalRecord] = []

    class Kept:
        async def write(self, record: JournalRecord) -> None:
            records.append(record)

    kit = available(assemble([KIT], ALLOW, journal=Kept()), _fails)
    await kit.call(ToolCall.of("wipe"), CallContext())
    assert [(one.event, one.outcome, one.code) for one in records] == [
        ("decided", "failed", "handler-error")
    ]


@pytest.mark.rule("run-gate-fails")
async def test_a_policy_that_fails_after_the_listing_asks(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.CRITICAL)
    said = ["allow"]
    kit = LocalToolkit("disk", wipe.with_gates(Gates(decide=(lambda _: said.pop(),))))  # type: ignore[arg-type,return-value]
    outcome = await kit.call(ToolCall.of("wipe"), CallContext())
    assert isinstance(outcome, NeedsApproval)
    assert RUNS == []


@pytest.mark.rule("run-gate-fails")
async def test_a_filter_that_fails_at_a_tool_leaves_it_out(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.CRITICAL)
    kit = filtered(KIT, lambda definition: definition.name == "rest" or _fails(definition))
    outcome = await kit.call(ToolCall.of("wipe"), CallContext())
    assert (outcome.code, RUNS) == ("unknown-tool", [])  # type: ignore[union-attr]
    listing = kit.listing(CallContext())
    assert [listed.name for listed in listing.tools] == ["rest"]
    assert [note.subject for note in listing.report.of_kind("skipped")] == ["wipe"]


@pytest.mark.rule("run-gate-fails")
async def test_a_limit_that_fails_after_the_run_changes_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.CRITICAL)

    @asynccontextmanager
    async def limit(call: ToolCall, context: CallContext[Any]) -> AsyncGenerator[None]:
        yield
        raise RuntimeError("cannot give the turn back")

    kit = LocalToolkit("disk", wipe.with_gates(Gates(limits=(limit,))))
    outcome = await kit.call(ToolCall.of("wipe"), CallContext())
    assert outcome.unwrap().text == "gone"
    assert RUNS == ["wipe"]


@pytest.mark.rule("run-gate-fails")
async def test_a_limit_that_swallows_what_ends_the_run_leaves_an_outcome() -> None:
    @asynccontextmanager
    async def limit(call: ToolCall, context: CallContext[Any]) -> AsyncGenerator[None]:
        with suppress(SystemExit):
            yield

    @tool(effect="write")
    def leave() -> str:
        """Leave."""
        raise SystemExit

    kit = LocalToolkit("disk", leave.with_gates(Gates(limits=(limit,))))
    outcome = await kit.call(ToolCall.of("leave"), CallContext())
    assert isinstance(outcome, Aborted)
    assert outcome.may_have_run
