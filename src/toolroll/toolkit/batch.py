"""Several calls of one turn: side by side where that is safe, in order where it is not."""

import threading
from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from contextvars import ContextVar

import anyio

from toolroll.outcome import Outcome
from toolroll.toolkit.derived import DerivedToolkit, derive, outcome_of
from toolroll.toolkit.protocol import App_contra, Toolkit
from toolroll.tools.call import ToolCall
from toolroll.tools.context import CallContext
from toolroll.tools.gate import AnyContext
from toolroll.tools.thread import in_loop_soon
from toolroll.tools.tool import AnyTool


async def call_all(
    kit: Toolkit[App_contra],
    calls: Sequence[ToolCall],
    context: CallContext[App_contra],
    *,
    limit: int = 8,
) -> list[Outcome]:
    """Run the calls of one turn; outcomes stand in the order of the calls.

    Neighbours that are `concurrency_safe` run together, at most `limit` at a time. A tool that is
    not runs alone: after all calls before it and before all after it.

    Args:
        kit: the toolkit.
        calls: in the order the model made them.
        context: shared by all.
        limit: most calls at a time, at least 1.

    Raises:
        ValueError: a limit below 1.

    Example:
        >>> from toolroll import LocalToolkit, run_sync
        >>> calls = [ToolCall.of("ghost"), ToolCall.of("ghoul")]
        >>> outcomes = run_sync(call_all, LocalToolkit("none"), calls, CallContext())
        >>> [outcome.code for outcome in outcomes]
        ['unknown-tool', 'unknown-tool']
    """
    if limit < 1:
        raise ValueError(f"limit is {limit}; it must be at least 1.")
    outcomes: list[Outcome | None] = [None] * len(calls)
    if len(calls) > 1:
        safe = {tool.name for tool in kit.listing(context).tools if tool.behavior.concurrency_safe}
        capacity = anyio.CapacityLimiter(limit)

        async def run(at: int) -> None:
            async with capacity:
                outcomes[at] = await outcome_of(kit, calls[at], context)

        for group in _groups([call.name in safe for call in calls]):
            if len(group) == 1:
                outcomes[group[0]] = await outcome_of(kit, calls[group[0]], context)
                continue
            async with anyio.create_task_group() as tasks:
                for at in group:
                    tasks.start_soon(run, at)
    elif calls:
        outcomes[0] = await outcome_of(kit, calls[0], context)
    return [outcome for outcome in outcomes if outcome is not None]


def _groups(safe: Sequence[bool]) -> list[list[int]]:
    """Places that run together: runs of safe neighbours; every unsafe one is a group of its own."""
    groups: list[list[int]] = []
    joins = False
    for at, is_safe in enumerate(safe):
        if is_safe and joins:
            groups[-1].append(at)
        else:
            groups.append([at])
        joins = is_safe
    return groups


def serialize(kit: Toolkit[App_contra]) -> DerivedToolkit[App_contra]:
    """The same rule on every path: while an unsafe tool runs, nothing else of this toolkit does.

    Calls wait for their turn in the order they come, also those of several threads; waiting does
    not count as running. What a tool calls of the toolkit while it runs is part of its turn.

    Example:
        >>> from toolroll import CallContext, LocalToolkit, serialize
        >>> serialize(LocalToolkit("none")).listing(CallContext()).tools
        ()
    """
    turnstile = _Turnstile()

    def gated(tool: AnyTool) -> AnyTool:
        shared = tool.behavior.concurrency_safe

        def turn(_: ToolCall, __: AnyContext) -> AbstractAsyncContextManager[None]:
            return turnstile.turn(shared=shared)

        return tool.with_gates(tool.gates.and_limit(turn))

    return derive(kit, gated)


class _Ticket:
    """One call that waits for its turn, in an event loop of its own thread perhaps."""

    __slots__ = ("_event", "_soon", "_thread", "shared")

    def __init__(self, *, shared: bool) -> None:
        self.shared = shared
        self._event = anyio.Event()
        self._thread = threading.get_ident()
        self._soon = in_loop_soon()

    async def admitted(self) -> None:
        """Wait until it is admitted."""
        await self._event.wait()

    def admit(self) -> bool:
        """Wake the call, from any thread; False where its event loop is no more."""
        if self._thread == threading.get_ident():
            self._event.set()
            return True
        try:
            self._soon(self._event.set)
        except RuntimeError:
            return False
        return True


class _Turn:
    """A turn that has begun; calls made by whoever has it are part of it."""

    __slots__ = ("is_open", "turnstile")

    def __init__(self, turnstile: "_Turnstile") -> None:
        self.turnstile, self.is_open = turnstile, True


_TURNS: ContextVar[tuple[_Turn, ...]] = ContextVar("turns", default=())


class _Turnstile:
    """First come, first served: shared turns run side by side, an exclusive one runs alone.

    One for all threads: a toolkit may serve several event loops.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._exclusive = False
        self._waiting: list[_Ticket] = []

    @asynccontextmanager
    async def turn(self, *, shared: bool) -> AsyncGenerator[None]:
        turns = _TURNS.get()
        if any(turn.turnstile is self and turn.is_open for turn in turns):
            yield
            return
        await self._enter(shared=shared)
        turn = _Turn(self)
        token = _TURNS.set((*turns, turn))
        try:
            yield
        finally:
            turn.is_open = False
            _TURNS.reset(token)
            self._leave()

    async def _enter(self, *, shared: bool) -> None:
        ticket = _Ticket(shared=shared)
        with self._lock:
            self._waiting.append(ticket)
        self._admit()
        try:
            await ticket.admitted()
        except BaseException:
            with self._lock:
                waits = ticket in self._waiting
                if waits:
                    self._waiting.remove(ticket)
            if waits:
                self._admit()
            else:  # admitted, and cancelled before it could run
                self._leave()
            raise

    def _leave(self) -> None:
        with self._lock:
            self._inside -= 1
            self._exclusive = False
        self._admit()

    def _admit(self) -> None:
        admitted: list[_Ticket] = []
        with self._lock:
            while self._waiting and not self._exclusive:
                ticket = self._waiting[0]
                if self._inside and not ticket.shared:
                    break
                self._waiting.pop(0)
                self._inside += 1
                self._exclusive = not ticket.shared
                admitted.append(ticket)
        for ticket in admitted:
            if not ticket.admit():
                self._leave()
