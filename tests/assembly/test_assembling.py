"""Assembling: names, decisions, approvals, sources that are down."""

import logging
from collections.abc import Sequence
from typing import Any, Self

import anyio
import pytest

from toolroll import (
    Answer,
    Behavior,
    CallContext,
    DefinitionError,
    LocalToolkit,
    NameClash,
    NeedsApproval,
    Outcome,
    Policy,
    Principal,
    Refused,
    Rule,
    ToolCall,
    ToolDefinition,
    ToolResult,
    Workspace,
    assemble,
    tool,
)
from toolroll.assembly import SourceMember
from toolroll.content import JsonObject
from toolroll.outcome import ApprovalRequest
from toolroll.ports import ApprovalAnswer, JournalRecord
from toolroll.sources import Discovery, SourceError, Trust, as_toolkit, opened
from toolroll.store.memory import MemoryJournal
from toolroll.tools.hints import Hints
from toolroll.tools.naming import model_name

CONTEXT: CallContext[Any] = CallContext()
ALLOW = Policy([Rule("allow")])
OPEN: JsonObject = {"type": "object"}


def defined(name: str, schema: JsonObject = OPEN, hints: Hints = Hints()) -> ToolDefinition:
    return ToolDefinition(name=name, description=f"Run {name}.", input_schema=schema, hints=hints)


class Fake:
    """A source in this process that remembers what it was asked."""

    def __init__(self, name: str, *tools: str, fails: Exception | None = None) -> None:
        self.name = name
        self.tools = tools
        self.fails = fails
        self.called: list[tuple[str, JsonObject]] = []
        self.discovered = self.closed = 0

    async def discover(self, context: CallContext[object] | None = None, /) -> Discovery:
        self.discovered += 1
        if self.fails is not None:
            raise self.fails
        return Discovery(definitions=tuple(defined(name) for name in self.tools))

    async def call(
        self, definition: ToolDefinition, input: JsonObject, context: CallContext[object], /
    ) -> ToolResult:
        self.called.append((definition.name, input))
        if self.fails is not None:
            raise self.fails
        return ToolResult(data={"by": self.name, "tool": definition.name})

    async def aclose(self) -> None:
        self.closed += 1


def names_of(kit: Any) -> list[str]:
    return [listed.name for listed in kit.listing(CONTEXT).tools]


@pytest.mark.anyio
@pytest.mark.rule("assembly-names")
@pytest.mark.rule("assembly-contacts-nothing")
async def test_a_call_goes_to_the_owning_source_under_its_own_name() -> None:
    first, second = Fake("mail_a"), Fake("mail_b")
    kit = assemble([(first, [defined("send")]), (second, [defined("send.it")])], ALLOW)
    assert names_of(kit) == ["mail_a__send", "mail_b__send_it"]
    assert (first.discovered, first.called) == (0, [])
    outcome = await kit.call(ToolCall.of("mail_b__send_it", {"to": "ana"}), CONTEXT)
    assert outcome.unwrap().data == {"by": "mail_b", "tool": "send.it"}
    assert (first.called, second.called) == ([], [("send.it", {"to": "ana"})])


@pytest.mark.rule("assembly-names")
def test_long_names_are_cut_with_a_fingerprint_of_the_whole() -> None:
    source, stem = "acme_ai_Weather_Platform_2", "search_weather_documentation_by_station_and_reg"
    assert [model_name(source, f"{stem}{end}") for end in ("ion", "lon")] == [
        "acme_ai_Weather_Platform_2__search_weather_documentatio_06dbfaff",
        "acme_ai_Weather_Platform_2__search_weather_documentatio_f1d920e6",
    ]
    assert len(model_name("a", "x" * 80, 16)) == 16
    with pytest.raises(DefinitionError, match="at least 16"):
        assemble([], ALLOW, max_name_length=15)
    kit = assemble([(Fake("a"), [defined("x" * 80)])], ALLOW, max_name_length=16)
    (note,) = [note for note in kit.listing(CONTEXT).report.notes if note.kind == "renamed"]
    assert note.subject == "x" * 80


@pytest.mark.rule("toolkit-one-of-a-name")
def test_two_members_of_one_name_are_refused_or_the_later_left_out() -> None:
    policy = Policy([Rule("allow", source="s")])
    same = Fake("s")
    parts: list[tuple[Fake, list[ToolDefinition]]] = [
        (same, [defined("a")]),
        (same, [defined("b")]),
    ]
    assert names_of(assemble(parts, policy)) == ["s__a", "s__b"]
    others = [(same, [defined("a")]), (Fake("s"), [defined("b")])]
    with pytest.raises(DefinitionError, match="named alike: s"):
        assemble(others, policy)
    kit = assemble(others, policy, on_problem="skip")
    assert names_of(kit) == ["s__a"]
    [note] = kit.listing(CONTEXT).report.of_kind("skipped")
    assert (note.subject, "has this name" in note.reason) == ("s", True)


@pytest.mark.rule("assembly-clash")
def test_all_clashes_are_listed_in_one_error() -> None:
    members = [
        (Fake("a"), [defined("x.y"), defined("x_y")]),
        (Fake("b"), [defined("u v"), defined("u_v")]),
    ]
    with pytest.raises(NameClash) as raised:
        assemble(members, ALLOW)
    assert raised.value.clashes == {
        "a__x_y": (("a", "x.y"), ("a", "x_y")),
        "b__u_v": (("b", "u v"), ("b", "u_v")),
    }
    blocked = Policy([Rule("allow"), Rule("block", tools=("x_y", "u_v"))])
    assert names_of(assemble(members, blocked)) == ["a__x_y", "b__u_v"]
    skipped = assemble(members, ALLOW, on_problem="skip")
    assert names_of(skipped) == ["a__x_y", "b__u_v"]
    assert [note.subject for note in skipped.listing(CONTEXT).report.of_kind("skipped")] == [
        "x_y",
        "u_v",
    ]


@pytest.mark.rule("policy-undecided")
def test_undecided_tools_are_an_error_that_lists_them_all() -> None:
    members = [(Fake("wiki"), [defined("read"), defined("purge"), defined("drop")])]
    with pytest.raises(DefinitionError, match="wiki/purge, wiki/drop"):
        assemble(members, Policy([Rule("allow", "wiki", ("read",))]))
    decisions = {
        listed.name: listed.decision
        for listed in assemble(
            members, Policy([Rule("allow", "wiki", ("read",))], undecided="approve")
        )
        .listing(CONTEXT)
        .tools
    }
    assert decisions == {"wiki__read": "allow", "wiki__purge": "approve", "wiki__drop": "approve"}
    skipped = assemble(members, Policy([Rule("allow", "wiki", ("read",))]), on_problem="skip")
    assert names_of(skipped) == ["wiki__read"]


@pytest.mark.anyio
@pytest.mark.rule("policy-principal")
async def test_a_policy_may_depend_on_who_calls() -> None:
    kit = assemble(
        [(Fake("db"), [defined("count"), defined("drop")])],
        Policy(
            [Rule("allow", tools=("count",)), Rule("allow", principal="group:ops")],
            undecided="block",
        ),
    )
    ops: CallContext[Any] = CallContext(principal=Principal(id="ana", groups=("ops",)))
    assert names_of(kit) == ["db__count"]
    assert [listed.name for listed in kit.listing(ops).tools] == ["db__count", "db__drop"]
    assert (await kit.call(ToolCall.of("db__drop"), ops)).ok
    assert (await kit.call(ToolCall.of("db__drop"), CONTEXT)).kind == "refused"


@pytest.mark.rule("policy-hints-tighten")
def test_the_hints_of_a_source_loosen_only_where_it_is_trusted() -> None:
    definitions = [defined("peek", hints=Hints(read_only=True))]
    policy = Policy([Rule("allow", hints={"read_only": True})], undecided="approve")
    for trust, decision in ((Trust(), "approve"), (Trust(hints=True), "allow")):
        kit = assemble([as_toolkit(Fake("x"), definitions, trust=trust)], policy)
        assert kit.listing(CONTEXT).tools[0].decision == decision


ran: list[JsonObject] = []


@tool(effect="destructive")
def mail_send(to: str, copies: int = 1) -> str:
    """Send a mail."""
    ran.append({"to": to, "copies": copies})
    return "sent"


MAIL = LocalToolkit("mail", mail_send)
APPROVE = Policy([Rule("approve")])


@pytest.fixture(autouse=True)
def _nothing_ran() -> None:
    ran.clear()


@pytest.mark.anyio
@pytest.mark.rule("approval-needs-answer")
@pytest.mark.rule("approval-asked-after-check")
async def test_without_anybody_to_ask_the_call_waits_and_runs_with_the_answer() -> None:
    kit = assemble([MAIL], APPROVE)
    call = ToolCall.of("mail_send", {"to": "ana", "copies": "2"}, id="c1")
    waiting = await kit.call(call, CONTEXT)
    assert isinstance(waiting, NeedsApproval)
    assert waiting.request.input == {"to": "ana", "copies": 2}
    assert (waiting.request.tool, waiting.request.source, waiting.request.effect) == (
        "mail_send",
        "mail",
        "destructive",
    )
    assert ran == []
    outcome = await kit.call(call, CONTEXT.with_answers({waiting.request.id: True}))
    assert outcome.ok
    assert ran == [{"to": "ana", "copies": 2}]
    assert (
        await kit.call(ToolCall.of("mail_send", {"copies": 1}), CONTEXT)
    ).kind == "invalid_input"


@pytest.mark.anyio
@pytest.mark.rule("approval-of-other-input")
async def test_a_yes_is_for_that_call_and_input_only() -> None:
    kit = assemble([MAIL], APPROVE)
    waiting = await kit.call(ToolCall.of("mail_send", {"to": "ana"}, id="c1"), CONTEXT)
    assert isinstance(waiting, NeedsApproval)
    answered = CONTEXT.with_answers({waiting.request.id: True})
    for other in (
        ToolCall.of("mail_send", {"to": "eve"}, id="c1"),
        ToolCall.of("mail_send", {"to": "ana"}, id="c2"),
    ):
        assert isinstance(await kit.call(other, answered), NeedsApproval)
    somebody: CallContext[Any] = CallContext(
        principal=Principal(id="eve"), answers={waiting.request.id: True}
    )
    same = ToolCall.of("mail_send", {"to": "ana"}, id="c1")
    assert isinstance(await kit.call(same, somebody), NeedsApproval)
    assert ran == []


@pytest.mark.anyio
@pytest.mark.rule("approval-denied")
async def test_a_no_is_refused_and_its_reason_reaches_the_model() -> None:
    kit = assemble([MAIL], APPROVE)
    call = ToolCall.of("mail_send", {"to": "ana"}, id="c1")
    waiting = await kit.call(call, CONTEXT)
    assert isinstance(waiting, NeedsApproval)
    for answer, lines in ((False, ()), ("she is on holiday", ("reason\tshe is on holiday",))):
        denied = await kit.call(call, CONTEXT.with_answers({waiting.request.id: answer}))
        assert isinstance(denied, Refused)
        assert (denied.code, denied.lines) == ("approval-denied", lines)
    assert ran == []


class Asked:
    """Approvals that answer as told, or fail."""

    def __init__(self, answer: ApprovalAnswer | Exception) -> None:
        self.answer: ApprovalAnswer | Exception = answer
        self.requests: list[ApprovalRequest] = []

    async def ask(self, request: ApprovalRequest, /) -> ApprovalAnswer:
        self.requests.append(request)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.mark.anyio
@pytest.mark.rule("approval-fails-closed")
@pytest.mark.parametrize(
    ("answer", "kind", "code"),
    [
        ("approved", "ok", ""),
        ("denied", "refused", "approval-denied"),
        ("expired", "refused", "approval-expired"),
        ("nobody", "refused", "nobody-to-ask"),
        ("pending", "needs_approval", "needs-approval"),
        (OSError("the terminal is gone"), "refused", "nobody-to-ask"),
    ],
)
async def test_every_answer_of_the_port_has_its_outcome(
    answer: Any, kind: str, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    kit = assemble([MAIL], APPROVE, approvals=Asked(answer))
    outcome = await kit.call(ToolCall.of("mail_send", {"to": "ana"}), CONTEXT)
    assert (outcome.kind, getattr(outcome, "code", "")) == (kind, code)
    assert bool(ran) == (kind == "ok")


@pytest.mark.anyio
@pytest.mark.rule("assembly-stricter-wins")
@pytest.mark.rule("approval-fails-closed")
async def test_the_tool_s_own_word_is_asked_with_the_checked_input(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.CRITICAL)

    def careful(needs: Any) -> LocalToolkit[Any]:
        made = tool(
            effect="write",
            name="send",
            description="Send.",
            behavior=Behavior(needs_approval=needs),
        )
        return LocalToolkit("t", made(lambda: "sent"), made_with_count(needs))

    def made_with_count(needs: Any) -> Any:
        def many(count: int) -> str:
            return f"sent {count}"

        return tool(
            effect="write",
            name="many",
            description="Send many.",
            behavior=Behavior(needs_approval=needs),
        )(many)

    kit = assemble([careful(lambda given: given.get("count", 0) > 5)], ALLOW)
    assert (await kit.call(ToolCall.of("many", {"count": "5"}), CONTEXT)).ok
    assert (await kit.call(ToolCall.of("many", {"count": "6"}), CONTEXT)).kind == "needs_approval"
    broken = assemble([careful(lambda given: given["nope"])], ALLOW)
    assert (await broken.call(ToolCall.of("send"), CONTEXT)).kind == "needs_approval"
    never = assemble([careful(False)], APPROVE)
    assert (await never.call(ToolCall.of("send"), CONTEXT)).kind == "needs_approval"
    assert careful(True).listing(CONTEXT).tools[0].decision == "approve"


@pytest.mark.anyio
async def test_asking_and_answers_are_journalled() -> None:
    journal = MemoryJournal()
    kit = assemble([MAIL], APPROVE, approvals=Asked("approved"), journal=journal)
    assert (await kit.call(ToolCall.of("mail_send", {"to": "ana"}), CONTEXT)).ok
    records = [entry.record for entry in (await journal.read(oldest_first=True)).entries]
    events = [(record.event, record.outcome) for record in records]
    assert events == [("asked", ""), ("answered", "approved"), ("begun", ""), ("finished", "ok")]
    assert len({record.digest for record in records}) == 1
    assert all(record.input is None for record in records)


@pytest.mark.anyio
async def test_inputs_are_journalled_only_where_the_host_asks_for_them() -> None:
    journal = MemoryJournal(keep_inputs=True)
    for keep, expected in ((False, None), (True, {"to": "ana", "copies": 1})):
        kit = assemble([MAIL], ALLOW, journal=journal, keep_inputs=keep)
        assert (await kit.call(ToolCall.of("mail_send", {"to": "ana"}), CONTEXT)).ok
        begun = (await journal.read()).entries[1].record
        assert (begun.event, begun.input) == ("begun", expected)


@pytest.mark.anyio
@pytest.mark.rule("source-input-as-given")
async def test_a_source_gets_the_input_as_given_or_as_repaired() -> None:
    source = Fake("s")
    schema: JsonObject = {
        "type": "object",
        "properties": {
            "id": {"type": "string", "pattern": "^x", "format": "uuid"},
            "limit": {"type": "integer", "default": 10},
            "from": {"type": "string"},
        },
        "required": ["id"],
        "additionalProperties": False,
    }
    kit = as_toolkit(
        source, [defined("t", schema), defined("odd", {"type": "object", "$ref": "http://x/y"})]
    )
    assert (await kit.call(ToolCall.of("t", {"id": "y", "from": "2024"}), CONTEXT)).ok
    repaired = await kit.call(ToolCall.of("t", {"id": "y", "limit": "7"}), CONTEXT)
    assert [repair.kind for repair in repaired.repairs] == ["parse_text"]
    assert (await kit.call(ToolCall.of("odd", {"any": 1}), CONTEXT)).ok
    assert source.called == [
        ("t", {"id": "y", "from": "2024"}),
        ("t", {"id": "y", "limit": 7}),
        ("odd", {"any": 1}),
    ]
    for wrong in ({"id": "y", "extra": 1}, {}, [1]):
        assert (await kit.call(ToolCall.of("t", wrong), CONTEXT)).kind == "invalid_input"
    assert len(source.called) == 3


@pytest.mark.anyio
@pytest.mark.rule("source-defect")
@pytest.mark.parametrize(
    ("error", "kind", "code"),
    [
        (KeyError("10.0.0.7 token=sesam"), "failed", "source-error"),
        (SourceError("s", "unavailable", "connect 10.0.0.7:443"), "unavailable", "unavailable"),
        (SourceError("s", "authentication", "token=sesam refused"), "failed", "authentication"),
        (SourceError("s", "timed-out", "10.0.0.7"), "timeout", "timed-out"),
    ],
)
async def test_what_a_source_raises_is_told_without_addresses_or_credentials(
    error: Exception, kind: str, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    kit = as_toolkit(Fake("s", fails=error), [defined("t")])
    outcome = await kit.call(ToolCall.of("t"), CONTEXT)
    assert (outcome.kind, outcome.code) == (kind, code)  # type: ignore[union-attr]
    told = str(outcome.for_model()) + str(outcome.to_json())
    assert "10.0.0.7" not in told
    assert "sesam" not in told
    assert outcome.cause is not None  # type: ignore[union-attr]


@pytest.mark.anyio
async def test_a_later_definition_of_a_taken_name_is_left_out_with_a_note() -> None:
    kit = as_toolkit(Fake("s"), [defined("t"), defined("t", {"type": "object", "properties": {}})])
    listing = kit.listing(CONTEXT)
    assert [listed.name for listed in listing.tools] == ["t"]
    assert [(note.kind, note.subject) for note in listing.report.notes] == [("skipped", "t")]


def refused(name: str) -> SourceError:
    return SourceError(name, "unavailable", "connection refused by 10.0.0.7")


@pytest.mark.anyio
@pytest.mark.rule("workspace-dead-source")
@pytest.mark.rule("workspace-closes")
async def test_a_dead_source_does_not_stop_the_others(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)
    sources = [Fake("a", "x"), Fake("b", fails=refused("b")), Fake("c", "y")]
    defective = Fake("d", fails=KeyError("a defect"))
    async with Workspace([MAIL, *sources, defective], ALLOW) as workspace:
        assert names_of(workspace.kit) == ["mail_send", "a__x", "c__y"]
        assert [note.subject for note in workspace.report.of_kind("unavailable")] == ["b", "d"]
        sources[1].fails, sources[1].tools = None, ("z",)
        await workspace.refresh()
        assert names_of(workspace.kit) == ["mail_send", "a__x", "b__z", "c__y"]
    assert [source.closed for source in sources] == [1, 1, 1]


@pytest.mark.anyio
@pytest.mark.rule("workspace-dead-source")
@pytest.mark.rule("workspace-closes")
async def test_a_required_source_that_is_down_is_an_error_and_all_are_closed() -> None:
    alive, dead = Fake("a", "x"), Fake("b", fails=refused("b"))
    with pytest.raises(SourceError, match="b: connection refused"):
        async with Workspace([alive, SourceMember(source=dead, required=True)], ALLOW):
            raise AssertionError("it must not open")
    assert (alive.closed, dead.closed) == (1, 1)


@pytest.mark.anyio
@pytest.mark.usefixtures("virtual_time")
async def test_a_source_that_never_answers_costs_its_time_only(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.CRITICAL)

    class Silent(Fake):
        async def discover(self, context: CallContext[object] | None = None, /) -> Discovery:
            await anyio.sleep_forever()
            raise AssertionError

    async with Workspace([Silent("a"), Fake("b", "y")], ALLOW, discover_within=0.05) as workspace:
        assert names_of(workspace.kit) == ["b__y"]


@pytest.mark.anyio
async def test_a_call_under_way_ends_on_the_tools_it_began_on() -> None:
    release, entered = anyio.Event(), anyio.Event()

    class Slow(Fake):
        async def call(
            self, definition: ToolDefinition, input: JsonObject, context: CallContext[object], /
        ) -> ToolResult:
            entered.set()
            await release.wait()
            return ToolResult(data=definition.name)

    source = Slow("a", "x")
    outcomes: list[Outcome] = []
    async with Workspace([source], ALLOW) as workspace:

        async def caller() -> None:
            outcomes.append(await workspace.kit.call(ToolCall.of("a__x"), CONTEXT))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(caller)
            await entered.wait()
            source.tools = ("other",)
            await workspace.refresh()
            assert names_of(workspace.kit) == ["a__other"]
            release.set()
    (outcome,) = outcomes
    assert isinstance(outcome, Answer)
    assert outcome.result.data == "x"


def test_members_may_be_mixed_in_any_order() -> None:
    members: Sequence[Any] = [
        (Fake("a"), [defined("x")]),
        MAIL,
        as_toolkit(Fake("b"), [defined("y")]),
    ]
    assert names_of(assemble(members, ALLOW)) == ["a__x", "mail_send", "b__y"]


class Door(Fake):
    """A source that has to be opened, and cannot where it has no key."""

    opened = 0

    async def __aenter__(self) -> Self:
        self.opened += 1
        if self.fails is not None:
            raise self.fails
        return self


@pytest.mark.anyio
@pytest.mark.rule("source-opened")
async def test_a_source_that_can_be_opened_is_opened_and_any_is_closed() -> None:
    for _ in range(2):  # a workspace over a source that was closed before opens it again
        door, plain = Door("door"), Fake("plain")
        async with Workspace([door, plain], ALLOW):
            assert (door.opened, door.closed, plain.closed) == (1, 0, 0)
        assert (door.closed, plain.closed) == (1, 1)
        async with opened(door) as same, opened(plain):
            assert (same is door, door.opened) == (True, 2)
        assert (door.closed, plain.closed) == (2, 2)


@pytest.mark.anyio
@pytest.mark.rule("source-opened")
async def test_a_source_that_cannot_be_opened_costs_itself(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.CRITICAL)
    broken, plain = Door("door", fails=SourceError("door", "unavailable")), Fake("plain")
    async with Workspace([broken, plain], ALLOW) as workspace:
        assert [note.subject for note in workspace.report.notes] == ["door"]
    assert (broken.closed, plain.closed) == (1, 1)
    with pytest.raises(SourceError):
        async with opened(broken):
            pass
    assert broken.closed == 2


class Kept(list[Any]):
    """A journal and approvals in a list, which is false while it is empty."""

    async def write(self, record: JournalRecord, /) -> None:
        self.append(record)

    async def ask(self, request: ApprovalRequest, /) -> ApprovalAnswer:
        self.append(request)
        return "approved"


@pytest.mark.anyio
@pytest.mark.rule("assemble-empty-port")
async def test_a_port_that_counts_as_false_is_asked_and_written_to() -> None:
    journal, approvals = Kept(), Kept()
    kit = assemble([MAIL], Policy([Rule("approve")]), journal=journal, approvals=approvals)
    assert (await kit.call(ToolCall.of("mail_send", {"to": "ana"}), CONTEXT)).ok
    assert [record.event for record in journal] == ["asked", "answered", "begun", "finished"]
    assert len(approvals) == 1
