"""Several calls of one turn: side by side where that is safe, in order where it is not."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import anyio

from toolroll.outcome import Outcome
from toolroll.toolkit.derived import DerivedToolkit, derive
from toolroll.toolkit.protocol import App_contra, Toolkit
from toolroll.tools.call import ToolCall
from toolroll.tools.context import CallContext
from toolroll.tools.gate import AnyContext
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
                outcomes[at] = await kit.call(calls[at], context)

        for group in _groups([call.name in safe for call in calls]):
            if len(group) == 1:
                outcomes[group[0]] = await kit.call(calls[group[0]], context)
                continue
            async with anyio.create_task_group() as tasks:
                for at in group:
                    tasks.start_soon(run, at)
    elif calls:
        outcomes[0] = await kit.call(calls[0], context)
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

    Calls wait for their turn in the order they come; waiting does not count as running.

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


class _Turnstile:
    """First come, first served: shared turns run side by side, an exclusive one runs alone."""

    def __init__(self) -> None:
        self._inside = 0
        self._exclusive = False
        self._waiting: list[tuple[bool, anyio.Event]] = []

    @asynccontextmanager
    async def turn(self, *, shared: bool) -> AsyncGenerator[None]:
        await self._enter(shared=shared)
        try:
            yield
        finally:
            self._inside -= 1
            self._exclusive = False
            self._admit()

    async def _enter(self, *, shared: bool) -> None:
        ticket = (shared, anyio.Event())
        self._waiting.append(ticket)
        self._admit()
        try:
            await ticket[1].wait()
        except BaseException:
            if ticket in self._waiting:
                self._waiting.remove(ticket)
            else:  # admitted, and cancelled before it could run
                self._inside -= 1
                self._exclusive = False
            self._admit()
            raise

    def _admit(self) -> None:
        while self._waiting:
            shared, ready = self._waiting[0]
            if self._exclusive or (self._inside and not shared):
                return
            self._waiting.pop(0)
            self._inside += 1
            self._exclusive = not shared
            ready.set()
