"""The runner: every call ends in an outcome, with one begin and one finish."""

import asyncio
import contextvars
import dataclasses
import itertools
import json
import logging
import threading
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import anyio
import anyio.lowlevel
import anyio.to_thread
import pytest
from typing_extensions import TypedDict

from tests.clock import Clock
from toolroll import (
    Aborted,
    Answer,
    Behavior,
    CallContext,
    DefinitionError,
    Failed,
    Hints,
    InvalidInput,
    LocalToolkit,
    Outcome,
    Policy,
    Principal,
    Refusal,
    Refused,
    Rule,
    TimedOut,
    ToolCall,
    ToolDefinition,
    ToolResult,
    Unavailable,
    assemble,
    define_tool,
    merge,
    search,
    serialize,
    tool,
)
from toolroll.content import Image, Text
from toolroll.outcome import OutcomeError
from toolroll.ports import JournalRecord
from toolroll.testing.polling import until
from toolroll.tools.cancel import CancelSignal
from toolroll.tools.context import Progress, Question, Reply
from toolroll.tools.thread import abandoned_handlers

pytestmark = pytest.mark.anyio

SECRET = "password=hunter2"
ALLOW = Policy([Rule("allow")])


class Records:
    """A journal in a list that fails at the events it is told to."""

    def __init__(self, *, fails_at: str = "") -> None:
        self.records: list[JournalRecord] = []
        self._fails_at = fails_at

    async def write(self, record: JournalRecord, /) -> None:
        await anyio.lowlevel.checkpoint()
        if record.event == self._fails_at:
            raise OSError("disk full")
        self.records.append(record)

    @property
    def events(self) -> list[tuple[str, str]]:
        return [(record.event, record.outcome) for record in self.records]


def kit_of(function: Callable[..., Any], behavior: Behavior | None = None) -> LocalToolkit[Any]:
    return LocalToolkit(
        "t", tool(effect="write", name="run", description="Run.", behavior=behavior)(function)
    )


async def run(
    function: Callable[..., Any],
    behavior: Behavior | None = None,
    context: CallContext[Any] | None = None,
    arguments: dict[str, Any] | None = None,
) -> Outcome:
    return await kit_of(function, behavior).call(
        ToolCall.of("run", arguments, id="c1"), context or CallContext()
    )


async def hang() -> None:
    await anyio.sleep_forever()


@pytest.mark.rule("run-times-out")
async def test_a_run_that_exceeds_its_time_is_ended() -> None:
    outcome = await run(hang, Behavior(timeout=0.02))
    assert isinstance(outcome, TimedOut)
    assert (outcome.code, outcome.limit, outcome.call_id) == ("timed-out", 0.02, "c1")
    assert outcome.may_have_run
    assert not outcome.retryable


@pytest.mark.rule("run-times-out")
async def test_the_host_s_deadline_counts_where_it_is_earlier() -> None:
    outcome = await run(hang, context=CallContext(deadline=anyio.current_time() + 0.02))
    assert isinstance(outcome, TimedOut)


@pytest.mark.rule("run-idle-times-out")
async def test_progress_moves_the_idle_limit_only(clock: Clock) -> None:
    clock.jump_when_idle()

    async def lively(context: CallContext) -> str:
        for _ in range(5):
            await anyio.sleep(30)
            context.progress("on it")
        return "done"

    assert (await run(lively, Behavior(idle_timeout=45, timeout=200))).ok
    ended = await run(lively, Behavior(idle_timeout=45, timeout=100))
    assert (ended.kind, ended.code) == ("timeout", "timed-out")  # type: ignore[union-attr]
    silent = await run(hang, Behavior(idle_timeout=45, timeout=200))
    assert (silent.kind, silent.code) == ("timeout", "idle-timed-out")  # type: ignore[union-attr]


@pytest.mark.rule("run-timer-leaves-no-trace")
async def test_after_a_timed_out_run_the_task_goes_on() -> None:
    for _ in range(3):
        await run(hang, Behavior(timeout=0.01))
        await anyio.sleep(0)
        await anyio.sleep(0.01)


@pytest.mark.rule("run-cancel-passes-through")
async def test_the_callers_cancellation_passes_through_after_the_finish() -> None:
    journal = Records()
    began = anyio.Event()
    outcomes: list[Outcome] = []

    async def begin_and_hang() -> None:
        began.set()
        await anyio.sleep_forever()

    async def call() -> None:
        kit = assemble([kit_of(begin_and_hang)], ALLOW, journal=journal)
        outcomes.append(await kit.call(ToolCall.of("run"), CallContext()))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(call)
        await began.wait()
        tasks.cancel_scope.cancel()
    assert not outcomes
    assert journal.events == [("begun", ""), ("finished", "aborted")]


@pytest.mark.rule("run-abort-signal")
async def test_a_cancel_signal_ends_the_run_as_aborted() -> None:
    signal = CancelSignal()

    async def stop_me() -> None:
        signal.cancel("the user pressed stop")
        await anyio.sleep_forever()

    outcome = await run(stop_me, context=CallContext(cancel=signal))
    assert isinstance(outcome, Aborted)
    assert outcome.may_have_run


@pytest.mark.rule("run-abort-signal")
async def test_a_signal_that_came_before_prevents_the_run() -> None:
    ran: list[int] = []
    signal = CancelSignal()
    signal.cancel()
    outcome = await run(lambda: ran.append(1), context=CallContext(cancel=signal))
    assert isinstance(outcome, Aborted)
    assert not outcome.may_have_run
    assert ran == []


@pytest.mark.rule("run-own-abort")
async def test_a_cancellation_of_the_handler_s_own_is_aborted(anyio_backend: str) -> None:
    if anyio_backend == "trio":
        # Trio has no way to raise a cancellation that nobody asked for.
        return
    import asyncio

    async def give_up() -> None:
        raise asyncio.CancelledError

    assert isinstance(await run(give_up), Aborted)


@pytest.mark.rule("run-swallowed-cancel")
async def test_a_handler_that_swallows_its_cancellation_is_still_ended(anyio_backend: str) -> None:
    if anyio_backend == "trio":
        return  # trio cancels at every checkpoint by itself

    swallowed = 0

    async def stubborn() -> str:
        nonlocal swallowed
        while swallowed < 2:
            try:
                await anyio.sleep_forever()
            except anyio.get_cancelled_exc_class():
                swallowed += 1
        return "too late"

    outcome = await run(stubborn, Behavior(timeout=0.01))
    assert isinstance(outcome, TimedOut)
    assert swallowed == 2
    await anyio.sleep(0)


@pytest.mark.rule("run-never-raises")
@pytest.mark.parametrize(
    "error", [ValueError(SECRET), TimeoutError(SECRET), RecursionError(SECRET)]
)
async def test_what_a_handler_raises_becomes_an_outcome_without_its_text(error: Exception) -> None:
    def fail() -> None:
        raise error

    outcome = await run(fail)
    assert isinstance(outcome, Failed)
    assert outcome.code == "handler-error"
    assert outcome.cause is error
    assert SECRET not in str(outcome.for_model()) + json.dumps(outcome.to_json())
    told = await run(fail, Behavior(show_errors=True))
    assert SECRET in str(told.for_model())


async def test_a_refusal_is_refused_with_its_advice() -> None:
    def refuse() -> None:
        raise Refusal("rev-conflict", "it was changed", ["revision\t7"])

    outcome = await run(refuse)
    assert isinstance(outcome, Refused)
    assert (outcome.code, outcome.lines) == ("rev-conflict", ("revision\t7",))
    assert outcome.for_model() == [Text("it was changed\nrevision\t7")]


async def test_an_outcome_error_becomes_its_outcome() -> None:
    def fail() -> None:
        raise OutcomeError("unavailable", "unavailable", "later", detail=SECRET, retry_after=3.0)

    outcome = await run(fail)
    assert (outcome.kind, outcome.retryable, outcome.retry_after) == ("unavailable", True, 3.0)  # type: ignore[union-attr]
    assert SECRET not in str(outcome.for_model())


@pytest.mark.rule("run-group-of-one")
async def test_a_group_of_one_is_its_member() -> None:
    async def in_a_group() -> None:
        async with anyio.create_task_group():
            raise Refusal("no", "not today")

    outcome = await run(in_a_group)
    assert isinstance(outcome, Refused)
    assert outcome.code == "no"


@pytest.mark.rule("run-system-exit")
@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
async def test_the_end_of_the_process_propagates_after_the_finish(
    error: type[BaseException],
) -> None:
    journal = Records()

    async def end() -> None:
        raise error

    kit = assemble([kit_of(end)], ALLOW, journal=journal)
    with pytest.raises(error):
        await kit.call(ToolCall.of("run"), CallContext())
    assert journal.events == [("begun", ""), ("finished", "aborted")]


@pytest.mark.rule("run-one-begin-one-finish")
async def test_one_run_through_any_stack_of_wrappers_is_recorded_once() -> None:
    journal = Records()
    ran: list[int] = []

    def count() -> int:
        ran.append(1)
        return len(ran)

    other = LocalToolkit("o", tool(effect="read", name="other", description="Other.")(lambda: "x"))
    kit = serialize(merge(assemble([kit_of(count)], ALLOW, journal=journal), other))
    found = search(search(kit))
    inner = {"name": "tool_call", "input": {"name": "run", "input": {}}}
    outcome = await found.call(ToolCall.of("tool_call", inner, id="c1"), CallContext())
    assert isinstance(outcome, Answer)
    assert ran == [1]
    assert journal.events == [("begun", ""), ("finished", "ok")]
    assert {record.call_id for record in journal.records} == {"c1/1/1"}
    assert outcome.call_id == "c1"


@pytest.mark.rule("run-journal-begin-fails")
async def test_a_journal_that_fails_at_the_begin_stops_the_call(
    caplog: pytest.LogCaptureFixture,
) -> None:
    ran: list[int] = []
    caplog.set_level(logging.CRITICAL)
    kit = assemble([kit_of(lambda: ran.append(1))], ALLOW, journal=Records(fails_at="begun"))
    outcome = await kit.call(ToolCall.of("run"), CallContext())
    assert (outcome.kind, outcome.code) == ("failed", "journal-failed")  # type: ignore[union-attr]
    assert not outcome.may_have_run  # type: ignore[union-attr]
    assert ran == []
    kit = assemble([kit_of(lambda: "done")], ALLOW, journal=Records(fails_at="finished"))
    assert (await kit.call(ToolCall.of("run"), CallContext())).ok


VARIABLE: contextvars.ContextVar[str] = contextvars.ContextVar("VARIABLE")


@pytest.mark.rule("run-sync-context")
async def test_a_sync_handler_sees_the_caller_s_context_and_keeps_its_changes() -> None:
    VARIABLE.set("req-42")

    def look() -> str:
        seen = VARIABLE.get()
        VARIABLE.set("mine")
        return seen

    for behavior in (None, Behavior(timeout=None), Behavior(timeout=50)):
        assert (await run(look, behavior)).unwrap().text == "req-42"
    assert VARIABLE.get() == "req-42"


@pytest.mark.rule("run-in-place")
async def test_a_quick_sync_handler_runs_in_the_loop_s_thread() -> None:
    here = str(threading.get_ident())
    assert (
        await run(lambda: str(threading.get_ident()), Behavior(blocking=False))
    ).unwrap().text == here
    assert (await run(lambda: str(threading.get_ident()))).unwrap().text != here


@pytest.mark.rule("run-abandoned-counted")
async def test_a_sync_handler_that_ignores_its_end_is_counted_until_it_returns(
    clock: Clock,
) -> None:
    await no_handler_left()
    began, release = threading.Event(), threading.Event()

    def stuck() -> None:
        began.set()
        release.wait(60)

    try:
        assert isinstance(await timed_out_in_its_thread(stuck, began, clock), TimedOut)
        assert abandoned_handlers() == 1
    finally:
        release.set()
    await no_handler_left()


async def timed_out_in_its_thread(
    handler: Callable[..., Any], began: threading.Event, clock: Clock
) -> Outcome:
    """The outcome of a sync handler whose time ends after it has begun."""
    outcomes: list[Outcome] = []

    async def call() -> None:
        outcomes.append(await run(handler, Behavior(timeout=20)))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(call)
        await from_a_thread(partial(began.wait, 50))
        clock.jump(21)
    return outcomes.pop()


async def from_a_thread(wait: Callable[[], object]) -> None:
    """Wait for what a thread tells; not in one of the pool's own."""
    await anyio.to_thread.run_sync(wait, limiter=anyio.CapacityLimiter(1))


async def no_handler_left() -> None:
    """Wait for every handler that was left alone, by earlier tests too; on any clock."""
    while abandoned_handlers():
        await from_a_thread(partial(time.sleep, 0.005))


@pytest.fixture
async def two_threads(anyio_backend_name: str) -> AsyncGenerator[None]:
    """A pool of two threads for sync handlers."""
    limiter = anyio.to_thread.current_default_thread_limiter()
    before, limiter.total_tokens = limiter.total_tokens, 2
    yield
    limiter.total_tokens = before


def stuck_kit() -> tuple[LocalToolkit[Any], list[int], threading.Event]:
    """A tool that ignores the end of its call; how often it began, and what lets it return."""
    began: list[int] = []
    release = threading.Event()

    def stuck() -> None:
        began.append(1)
        release.wait(60)

    return kit_of(stuck), began, release


@asynccontextmanager
async def given_up(kit: LocalToolkit[Any], began: list[int], calls: int) -> AsyncGenerator[None]:
    """So many calls of which each has begun; at the end they are cancelled."""
    before = len(began)
    async with anyio.create_task_group() as tasks:
        for _ in range(calls):
            tasks.start_soon(kit.call, ToolCall.of("run"), CallContext())
        assert await until(lambda: len(began) == before + calls, 30)
        yield
        tasks.cancel_scope.cancel()


@pytest.mark.rule("run-threads-bounded")
@pytest.mark.usefixtures("two_threads")
async def test_handlers_that_ignore_their_end_take_no_more_than_the_pool_s_threads() -> None:
    await no_handler_left()
    kit, began, release = stuck_kit()
    try:
        async with given_up(kit, began, 2):
            pass
        assert abandoned_handlers() == 2
        refused = await kit.call(ToolCall.of("run"), CallContext())
        assert isinstance(refused, Unavailable)
        assert refused.retryable
        assert not refused.may_have_run
        assert len(began) == 2
    finally:
        release.set()
    await no_handler_left()
    assert (await kit.call(ToolCall.of("run"), CallContext())).ok


@pytest.mark.rule("run-threads-bounded")
@pytest.mark.usefixtures("two_threads")
async def test_a_handler_that_ignores_its_end_keeps_its_thread_s_place() -> None:
    await no_handler_left()
    (first, first_began, release_first), (second, second_began, release) = stuck_kit(), stuck_kit()
    try:
        async with given_up(first, first_began, 1):
            pass
        async with anyio.create_task_group() as tasks:
            for _ in range(2):
                tasks.start_soon(second.call, ToolCall.of("run"), CallContext())
            assert await until(lambda: len(second_began) == 1, 30)
            await anyio.wait_all_tasks_blocked()
            assert len(second_began) == 1
            release_first.set()
            assert await until(lambda: len(second_began) == 2, 30)
            release.set()
    finally:
        release_first.set()
        release.set()
    await no_handler_left()


@pytest.mark.rule("run-abandoned-counted")
@pytest.mark.usefixtures("two_threads")
async def test_a_call_that_ends_while_it_waits_for_a_thread_is_never_run_nor_counted() -> None:
    await no_handler_left()
    kit, began, release = stuck_kit()
    try:
        async with given_up(kit, began, 2):
            async with anyio.create_task_group() as tasks:
                for _ in range(3):
                    tasks.start_soon(kit.call, ToolCall.of("run"), CallContext())
                await anyio.wait_all_tasks_blocked()
                tasks.cancel_scope.cancel()
        assert abandoned_handlers() == len(began) == 2
    finally:
        release.set()
    await no_handler_left()
    assert len(began) == 2


@pytest.mark.rule("run-time-not-in-queue")
@pytest.mark.usefixtures("two_threads")
async def test_the_time_of_a_sync_handler_starts_when_it_has_a_thread(clock: Clock) -> None:
    started, release = threading.Semaphore(0), threading.Event()

    def hold() -> None:
        started.release()
        release.wait(60)

    def quick() -> int:
        return 1

    async def call_quick() -> None:
        kit = kit_of(quick, Behavior(timeout=20))
        outcomes.append(await kit.call(ToolCall.of("run"), CallContext()))

    outcomes: list[Outcome] = []
    async with anyio.create_task_group() as tasks:
        for _ in range(2):
            tasks.start_soon(kit_of(hold).call, ToolCall.of("run"), CallContext())
        try:
            for _ in range(2):
                await from_a_thread(partial(started.acquire, timeout=50))
            tasks.start_soon(call_quick)
            await somebody_waits_for_a_thread()
            clock.jump(50)
        finally:
            release.set()
    (outcome,) = outcomes
    assert outcome.unwrap().data == 1


async def somebody_waits_for_a_thread() -> None:
    limiter = anyio.to_thread.current_default_thread_limiter()
    while not limiter.statistics().tasks_waiting:
        await anyio.lowlevel.checkpoint()


@pytest.mark.rule("run-time-not-in-queue")
@pytest.mark.usefixtures("two_threads")
@pytest.mark.parametrize("how", ["deadline", "signal"])
async def test_a_call_that_gets_no_thread_has_not_run(how: str, clock: Clock) -> None:
    started, release = threading.Semaphore(0), threading.Event()
    began: list[int] = []
    signal = CancelSignal()
    outcomes: list[Outcome] = []

    def hold() -> None:
        started.release()
        release.wait(60)

    async def call_late() -> None:
        deadline = anyio.current_time() + 20
        context = CallContext(cancel=signal) if how == "signal" else CallContext(deadline=deadline)
        kit = kit_of(lambda: began.append(1))
        outcomes.append(await kit.call(ToolCall.of("run"), context))
        release.set()

    async with anyio.create_task_group() as tasks:
        for _ in range(2):
            tasks.start_soon(kit_of(hold).call, ToolCall.of("run"), CallContext())
        try:
            for _ in range(2):
                await from_a_thread(partial(started.acquire, timeout=50))
        except BaseException:
            release.set()
            raise
        tasks.start_soon(call_late)
        await somebody_waits_for_a_thread()
        if how == "signal":
            signal.cancel()
        else:
            clock.jump(30)
    (outcome,) = outcomes
    assert isinstance(outcome, Aborted if how == "signal" else Unavailable)
    assert outcome.code == ("aborted" if how == "signal" else "overloaded")
    assert outcome.retryable is (how != "signal")
    assert not outcome.may_have_run
    assert not began


@pytest.mark.rule("run-swallowed-cancel")
async def test_a_handler_that_answers_its_cancellation_has_not_answered_in_time() -> None:
    async def late() -> str:
        try:
            await anyio.sleep_forever()
        except BaseException:
            return "late"
        return ""

    outcome = await run(late, Behavior(timeout=0.02))
    assert isinstance(outcome, TimedOut)

    async def late_failure() -> str:
        try:
            await anyio.sleep_forever()
        except BaseException:
            raise ValueError("late") from None
        return ""

    assert isinstance(await run(late_failure, Behavior(timeout=0.02)), TimedOut)


@pytest.mark.rule("run-cancel-passes-through")
@pytest.mark.parametrize("deadline", [False, True])
async def test_a_cancellation_requested_just_before_the_call_passes_through(
    anyio_backend_name: str, deadline: bool
) -> None:
    if anyio_backend_name != "asyncio":
        pytest.skip("a task is cancelled by itself on asyncio only")
    context = CallContext(deadline=anyio.current_time() + 50 if deadline else None)
    outcomes: list[Outcome] = []

    async def call() -> None:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        outcomes.append(await kit_of(hang).call(ToolCall.of("run"), context))

    task = asyncio.ensure_future(call())
    await asyncio.wait([task])
    assert task.cancelled()
    assert not outcomes


@pytest.mark.rule("run-never-raises")
@pytest.mark.parametrize("kind", ["thread", "place", "async", "later"])
async def test_a_handler_that_raises_generator_exit_has_failed(kind: str) -> None:
    def sync() -> None:
        raise GeneratorExit

    async def at_once() -> None:
        raise GeneratorExit

    async def later() -> None:
        await anyio.lowlevel.checkpoint()
        raise GeneratorExit

    handler = {"thread": sync, "place": sync, "async": at_once, "later": later}[kind]
    outcome = await run(handler, Behavior(blocking=kind == "thread"))
    assert isinstance(outcome, Failed)
    assert outcome.code == "handler-error"


@pytest.mark.rule("run-sync-gives-up")
async def test_a_sync_handler_that_asks_ends_itself(clock: Clock) -> None:
    await no_handler_left()
    began, ended = threading.Event(), threading.Event()

    def loop(context: CallContext) -> None:
        began.set()
        try:
            while True:
                context.raise_if_cancelled()
                time.sleep(0.001)  # work that leaves the other threads alone
        finally:
            ended.set()

    assert isinstance(await timed_out_in_its_thread(loop, began, clock), TimedOut)
    await from_a_thread(partial(ended.wait, 50))
    await no_handler_left()


@pytest.mark.rule("run-result-capped")
async def test_a_result_over_its_limit_fails_or_is_cut() -> None:
    picture = Image("aGk=" * 500, "image/png")

    def large() -> ToolResult:
        return ToolResult(content=(Text("h" * 500 + "t" * 500), picture))

    failed = await run(large, Behavior(limit=300))
    assert (failed.kind, failed.code) == ("failed", "result-too-large")  # type: ignore[union-attr]
    assert "1,000" in failed.message  # type: ignore[union-attr]
    assert "300" in failed.message  # type: ignore[union-attr]
    cut = (await run(large, Behavior(limit=300, large="cut"))).unwrap()
    assert len(cut.text) <= 300
    assert cut.text.startswith("hhh")
    assert cut.text.endswith("ttt")
    assert "1,000 characters" in cut.text
    assert picture in cut.content
    assert (await run(large, Behavior(limit=1000))).unwrap().text == "h" * 500 + "t" * 500


@pytest.mark.rule("run-result-capped")
async def test_data_over_the_limit_becomes_text_that_is_cut() -> None:
    cut = (await run(lambda: {"rows": ["x" * 100] * 10}, Behavior(limit=200, large="cut"))).unwrap()
    assert cut.data is None
    assert cut.text.startswith('{"rows":["xxx')
    assert len(cut.text) <= 200


class Row(TypedDict):
    """What the tool declares."""

    number: int


@pytest.mark.rule("run-invalid-result")
async def test_a_result_that_does_not_fit_is_invalid() -> None:
    def wrong() -> Row:
        return {"number": "seven"}  # type: ignore[typeddict-item]

    outcome = await run(wrong)
    assert (outcome.kind, outcome.code) == ("failed", "invalid-result")  # type: ignore[union-attr]
    assert outcome.may_have_run  # type: ignore[union-attr]


@pytest.mark.rule("run-invalid-result")
@pytest.mark.parametrize(
    "returned",
    [
        10**5000,
        {"a": [-(10**5000)]},
        itertools.count(),
        {"a": [itertools.count()]},
        map(str, [1]),
        Text(5),  # type: ignore[arg-type]
    ],
    ids=["number", "number within", "endless", "endless within", "map", "a text that is none"],
)
async def test_numbers_nobody_can_write_and_endless_things_are_no_results(returned: Any) -> None:
    outcome = await run(lambda: returned)
    assert isinstance(outcome, Failed)
    assert outcome.code == "invalid-result"
    json.dumps(outcome.to_json())


@pytest.mark.rule("run-reported-error")
async def test_a_reported_failure_keeps_content_and_data() -> None:
    result = ToolResult(content=(Text("no such row"),), data={"row": 7}, is_error=True)
    outcome = await run(lambda: result)
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.result, outcome.message) == ("tool-error", result, "no such row")
    assert outcome.for_model() == [Text("no such row")]


@pytest.mark.rule("run-progress-cleaned")
async def test_progress_is_cleaned_and_silent_after_the_answer(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.CRITICAL)
    heard: list[Progress] = []
    kept: list[CallContext] = []

    async def work(context: CallContext) -> str:
        kept.append(context)
        context.progress("half\x1b[31mway\n", 1, 2)
        return "done"

    assert (await run(work, context=CallContext(on_progress=heard.append))).ok
    kept[0].progress("too late")
    assert heard == [Progress("halfway", 1, 2)]

    def failing(_: Progress) -> None:
        raise RuntimeError("the host choked")

    assert (await run(work, context=CallContext(on_progress=failing))).ok


async def test_progress_of_a_sync_handler_is_heard_in_the_loop_s_thread() -> None:
    threads: list[int] = []

    def work(context: CallContext) -> str:
        assert context.has_progress
        context.progress("one")
        return "done"

    assert (
        await run(
            work, context=CallContext(on_progress=lambda _: threads.append(threading.get_ident()))
        )
    ).ok
    assert threads == [threading.get_ident()]


@pytest.mark.rule("run-context-whole")
async def test_a_handler_gets_all_that_the_host_put_into_the_context() -> None:
    seen: list[CallContext[Any]] = []

    async def look(context: CallContext[Any]) -> None:
        seen.append(context)

    async def ask(question: Question) -> Reply:
        return Reply("decline")

    context = CallContext(
        app={"db": 1},
        principal=Principal(id="ana", tenant="t"),
        host=object(),
        deadline=anyio.current_time() + 60,
        cancel=CancelSignal(),
        on_ask=ask,
        answers={"r": True},
        trace={"traceparent": "00-1"},
        parent="p1",
    )
    bare: CallContext[Any] = CallContext(app="a")
    for given in (context, bare):
        outcome = await kit_of(look).call(ToolCall.of("run", id="c1"), given)
        assert outcome.ok
        got = seen.pop()
        assert got == dataclasses.replace(given, call_id="c1", on_ask=got.on_ask)
        assert got.has_ask == given.has_ask
        assert given.call_id == ""


FORM: dict[str, Any] = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "loud": {"type": "boolean"}},
    "required": ["name"],
}


@pytest.mark.rule("run-asks-by-form")
@pytest.mark.parametrize(
    ("replies", "got"),
    [
        ([Reply("accept", {"name": "Ada", "extra": 1})], Reply("accept", {"name": "Ada"})),
        ([Reply("accept", {"name": 7}), Reply("accept", {"name": "B"})], Reply("accept", {"name": "B"})),
        ([Reply("accept", {})] * 3, Reply("cancel")),
        ([Reply("decline", {"name": "Ada"})], Reply("decline")),
        ([Reply("cancel")], Reply("cancel")),
    ],
)  # fmt: skip
async def test_a_reply_holds_what_was_asked_for_and_fits(replies: list[Reply], got: Reply) -> None:
    left = list(replies)

    async def person(question: Question) -> Reply:
        assert question.schema == FORM
        return left.pop(0)

    async def ask(context: CallContext[Any]) -> str:
        return repr(await context.ask(Question("Who?", FORM)))

    outcome = await kit_of(ask).call(ToolCall.of("run"), CallContext(on_ask=person))
    assert outcome.unwrap().text == repr(got)
    assert left == []


@pytest.mark.rule("run-asks-by-form")
@pytest.mark.parametrize(
    "schema",
    [{}, {"type": "object"}, {"type": "object", "properties": {"a": {"type": "object"}}}],
)
async def test_a_question_that_is_no_flat_form_is_never_put(schema: dict[str, Any]) -> None:
    put: list[Question] = []

    async def person(question: Question) -> Reply:
        put.append(question)
        return Reply("accept", {})

    async def ask(context: CallContext[Any]) -> None:
        await context.ask(Question("Who?", schema))

    outcome = await kit_of(ask).call(ToolCall.of("run"), CallContext(on_ask=person))
    assert isinstance(outcome, Failed)
    assert isinstance(outcome.cause, DefinitionError)
    assert put == []


async def test_a_context_can_be_made_of_its_subscripted_class() -> None:
    assert CallContext[int](app=5).app == 5


async def test_without_a_listener_there_is_no_progress() -> None:
    seen: list[bool] = []

    async def work(context: CallContext) -> None:
        seen.append(context.has_progress)
        context.progress("nobody hears")

    assert (await run(work)).ok
    assert seen == [False]


@pytest.mark.rule("run-default-copied")
async def test_a_default_is_copied_for_each_call() -> None:
    def grow(tags: list[str] = []) -> dict[str, list[str]]:  # noqa: B006  # the case itself
        tags.append("x")
        return {"tags": tags}

    kit = kit_of(grow)
    for _ in range(2):
        outcome = await kit.call(ToolCall.of("run", {}), CallContext())
        assert outcome.unwrap().data == {"tags": ["x"]}


def echo(path: str, content: str = "") -> str:
    return f"{path}:{content}"


async def read_and_run(
    text: str, behavior: Behavior | None = None, finish: str | None = None
) -> Outcome:
    return await kit_of(echo, behavior).call(
        ToolCall.of_text("c1", "run", text, finish), CallContext()
    )


@pytest.mark.rule("run-truncated-not-run")
async def test_truncated_arguments_run_only_where_the_tool_accepts_them() -> None:
    cut = '{"path": "a.txt", "content": "hel'
    outcome = await read_and_run(cut)
    assert isinstance(outcome, InvalidInput)
    assert outcome.code == "truncated-arguments"
    accepted = await read_and_run(cut, Behavior(accepts_partial=True))
    assert accepted.unwrap().text == "a.txt:hel"
    assert accepted.repairs


@pytest.mark.rule("run-length-finish")
async def test_whole_json_that_lacks_a_field_is_truncated_when_the_model_met_its_limit() -> None:
    assert (await read_and_run("{}", finish="length")).code == "truncated-arguments"  # type: ignore[union-attr]
    assert (await read_and_run("{}", finish="stop")).code == "bad-arguments"  # type: ignore[union-attr]
    assert (await read_and_run('{"path": "a"}', finish="length")).ok


@pytest.mark.rule("run-several-not-run")
async def test_several_different_objects_are_not_run() -> None:
    outcome = await read_and_run('{"path": "a"}{"path": "b"}')
    assert (outcome.kind, outcome.code) == ("invalid_input", "several-arguments")  # type: ignore[union-attr]
    assert (await read_and_run('{"path": "a"}{"path": "a"}')).ok


@pytest.mark.rule("run-malformed-not-run")
async def test_malformed_arguments_are_not_run_and_the_message_says_where() -> None:
    outcome = await read_and_run('{"path": a b c}')
    assert (outcome.kind, outcome.code) == ("invalid_input", "malformed-arguments")  # type: ignore[union-attr]
    assert "line 1" in outcome.message  # type: ignore[union-attr]


@pytest.mark.rule("run-repairs-reported")
async def test_repairs_of_text_and_by_schema_stand_in_the_outcome() -> None:
    def numbered(count: int, note: str = "") -> str:
        return f"{count}{note}"

    outcome = await kit_of(numbered).call(
        ToolCall.of_text("c1", "run", '{"count": "7", "note": null,}'), CallContext()
    )
    assert outcome.unwrap().text == "7"
    kinds = [repair.kind for repair in outcome.repairs]
    assert {"parse_text", "drop_null"} <= set(kinds)
    assert len(kinds) == 3
    strict = await kit_of(numbered, Behavior(repair="off")).call(
        ToolCall.of("run", {"count": "7"}), CallContext()
    )
    assert isinstance(strict, InvalidInput)
    assert [issue.pointer for issue in strict.issues] == ["/count"]


class Odd(BaseException):
    """An error that no `except Exception` catches."""


@pytest.mark.rule("run-never-raises")
@pytest.mark.parametrize(
    "error", [Odd(SECRET), BaseExceptionGroup("several", [Odd(), ValueError(SECRET)])]
)
async def test_an_error_outside_exception_is_a_failed_handler(error: BaseException) -> None:
    async def fail() -> None:
        raise error

    for function in (fail, lambda: (_ for _ in ()).throw(error)):
        outcome = await run(function)
        assert (outcome.kind, outcome.code) == ("failed", "handler-error")  # type: ignore[union-attr]
        assert SECRET not in json.dumps(outcome.to_json())


@pytest.mark.rule("run-invalid-result")
@pytest.mark.parametrize(
    "result",
    [
        ToolResult(data=float("nan")),
        ToolResult(data=object()),  # type: ignore[arg-type]
        ToolResult(data=10**5000),
        ToolResult(data={"a": {1, 2}}),  # type: ignore[dict-item]
        ToolResult(content=None),  # type: ignore[arg-type]
        ToolResult(content=(Text(None),), is_error=True),  # type: ignore[arg-type]
        ToolResult(content=("text",)),  # type: ignore[arg-type]
        ToolResult(content=(Image(b"x", "image/png"),)),  # type: ignore[arg-type]
        ToolResult(data="a\ud800"),
    ],
    ids=["nan", "object", "long", "set", "no blocks", "no text", "a text", "bytes", "half a pair"],
)
async def test_a_result_that_cannot_be_written_is_invalid(result: ToolResult) -> None:
    outcome = await run(lambda: result)
    assert (outcome.kind, outcome.code) == ("failed", "invalid-result")  # type: ignore[union-attr]
    assert json.dumps(outcome.to_json())


async def test_half_a_surrogate_pair_is_replaced_in_text() -> None:
    assert (await run(lambda: "a\ud800é")).unwrap().text == "a\ufffdé"

    def refuse() -> None:
        raise Refusal("no", "a\ud800", ["b\ud800"])

    assert str(await run(refuse)).encode()


@pytest.mark.rule("run-journal-begin-fails")
async def test_a_journal_that_gives_up_by_itself_stops_nothing_else(
    anyio_backend: str, caplog: pytest.LogCaptureFixture
) -> None:
    if anyio_backend == "trio":
        return  # trio has no way to raise a cancellation that nobody asked for
    import asyncio

    caplog.set_level(logging.CRITICAL)

    class GivesUp(Records):
        async def write(self, record: JournalRecord, /) -> None:
            if record.event == self._fails_at:
                raise asyncio.CancelledError
            self.records.append(record)

    kit = assemble([kit_of(lambda: "done")], ALLOW, journal=GivesUp(fails_at="begun"))
    assert (await kit.call(ToolCall.of("run"), CallContext())).code == "journal-failed"  # type: ignore[union-attr]
    kit = assemble([kit_of(lambda: "done")], ALLOW, journal=GivesUp(fails_at="finished"))
    assert (await kit.call(ToolCall.of("run"), CallContext())).ok


async def test_an_integer_of_any_length_is_recorded() -> None:
    made = define_tool(
        ToolDefinition(
            name="run",
            description="Run.",
            input_schema={"type": "object", "additionalProperties": True},
            hints=Hints.of_effect("write"),
        ),
        lambda input: "done",
    )
    journal = Records()
    kit = assemble([LocalToolkit("t", made)], ALLOW, journal=journal)
    assert (await kit.call(ToolCall.of("run", {"n": 10**6000}), CallContext())).ok
    assert len(journal.records) == 2


@pytest.mark.rule("run-never-raises")
async def test_a_check_or_a_limit_that_fails_runs_nothing(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)
    ran: list[int] = []

    def wrong(_: Any) -> Any:
        raise KeyError(SECRET)

    made = define_tool(
        ToolDefinition(
            name="run",
            description="Run.",
            input_schema={"type": "object"},
            hints=Hints.of_effect("write"),
        ),
        lambda input: ran.append(1),
        validate=wrong,
    )
    limited = made.with_gates(made.gates.and_limit(lambda call, context: wrong(call)))
    for one in (made, limited):
        outcome = await LocalToolkit("t", one).call(ToolCall.of("run"), CallContext())
        assert (outcome.kind, outcome.code) == ("failed", "handler-error")  # type: ignore[union-attr]
        assert not outcome.may_have_run  # type: ignore[union-attr]
        assert SECRET not in json.dumps(outcome.to_json())
    assert ran == []


@pytest.mark.parametrize(
    "limits",
    [
        {"timeout": 0},
        {"timeout": -1},
        {"timeout": float("nan")},
        {"idle_timeout": float("inf")},
        {"limit": 0},
    ],
    ids=repr,
)
def test_a_limit_that_is_none_raises_when_it_is_made(limits: dict[str, Any]) -> None:
    with pytest.raises(DefinitionError, match="it must be"):
        Behavior(**limits)
