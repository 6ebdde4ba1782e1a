"""The runner: the one place where a tool runs.

    arguments whole? -> nulls, repair, check -> approval -> limits -> journal begin -> run
    -> result checked, capped -> journal finish -> outcome

Whether the tool is there at all (found, available, not blocked) is answered by its toolkit before.
One real run has one check, one deadline, one `begun` and one `finished`, through any stack of
wrappers.
"""

import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any, cast

import anyio

from toolroll.outcome import BadOutcome, Failed, InvalidInput, Outcome, OutcomeError
from toolroll.outcome.codes import CODES
from toolroll.schema import schema_reader
from toolroll.schema.reading import ReadInput
from toolroll.tools.approval import ask_for_approval, is_allowed
from toolroll.tools.call import ToolCall
from toolroll.tools.context import CallContext
from toolroll.tools.deadline import Limits, run_within
from toolroll.tools.ending import aborted, answered, not_run, of_error, of_exception, reported
from toolroll.tools.form import asks_by_form
from toolroll.tools.gate import AnyContext
from toolroll.tools.intake import take_input
from toolroll.tools.largeness import cap
from toolroll.tools.lazy import LazyHandler
from toolroll.tools.progress import RunProgress
from toolroll.tools.recording import Recorder, ends_the_caller
from toolroll.tools.soundness import all_ascii, sound
from toolroll.tools.thread import Seat, take_seat
from toolroll.tools.tool import AnyTool, Forward

_LOG = logging.getLogger("toolroll.tools")
_NO_CONTEXT = cast("AnyContext", None)
_LONGEST_WAIT = 60.0
"""Seconds that a call waits for a thread at most."""


async def invoke(tool: AnyTool, call: ToolCall, context: AnyContext) -> Outcome:
    """Run one call of one tool to its outcome.

    Never raises for what a model, a handler or a remote system does. The cancellation of the
    caller's own task, `KeyboardInterrupt` and `SystemExit` pass through, after the journal's
    finish.

    Args:
        tool: with its gates.
        call: as it was read.
        context: of the host.

    Example:
        >>> import asyncio
        >>> from toolroll import tool
        >>> @tool(effect="read")
        ... def one() -> int:
        ...     '''Say one.'''
        ...     return 1
        >>> asyncio.run(invoke(one, ToolCall.of("one"), CallContext())).unwrap().data
        1
    """
    gates = tool.gates
    if tool.forward is not None:
        if not gates.limits and gates.journal is None and is_allowed(tool, context):
            return await tool.forward(call, context)
        # A presented tool has no gates of its own; those a host put before it hold as for any.
        reader = schema_reader(tool.definition.input_schema, authored=False)
    else:
        reader = tool.reader
    try:
        read = take_input(call, reader, tool.behavior, tool.definition.name)
    except Exception as error:
        _LOG.exception("the check of %s failed; the call is not run", tool.name)
        return not_run(tool, call, error)
    if isinstance(read, InvalidInput):
        return read
    if tool.is_unguarded and context.cancel is None:
        if tool.is_async:
            return await _timed(tool, call, context, read, None)
        return await _run(tool, call, context, read)
    signal = context.cancel
    if signal is None:
        return await _gated(tool, call, context, read, _nothing)
    if signal.cancelled:
        return aborted(tool, call, read, ran=False)
    if not gates.limits and not tool.may_ask:
        return await _gated(tool, call, context, read, _nothing)
    # The signal ends the waiting too: for a person, or for a turn.
    with anyio.CancelScope() as waiting:
        leave = signal.subscribe(waiting.cancel)
        try:
            return await _gated(tool, call, context, read, leave)
        finally:
            leave()
    return aborted(tool, call, read, ran=False)


def _nothing() -> None:
    """Nobody has to be told that the waiting is over."""


async def _gated(
    tool: AnyTool,
    call: ToolCall,
    context: AnyContext,
    read: ReadInput,
    waited: Callable[[], object],
) -> Outcome:
    """From the checked input through approval and limits to the run; `waited` is called before."""
    recorder = Recorder.of(tool, call, context, read.value)
    if tool.may_ask:
        stopped = await ask_for_approval(tool, call, context, read, recorder)
        if stopped is not None:
            return stopped
    if context.cancel is not None and context.cancel.cancelled:
        return aborted(tool, call, read, ran=False)
    if not tool.gates.limits:
        waited()
        return await _recorded(tool, call, context, read, recorder)
    return await _limited(tool, call, context, read, recorder, waited)


async def _limited(
    tool: AnyTool,
    call: ToolCall,
    context: AnyContext,
    read: ReadInput,
    recorder: Recorder | None,
    waited: Callable[[], object],
) -> Outcome:
    """Run inside the tool's limits; what one raises on the way out no longer changes what came."""
    outcome: Outcome | None = None
    # A limit may swallow what ends the run.
    limits = cast("AsyncExitStack[bool]", AsyncExitStack())
    try:
        async with limits as stack:
            outcome = await _entered(tool, call, context, read, stack)
            if outcome is None:
                waited()
                if context.cancel is not None and context.cancel.cancelled:
                    outcome = aborted(tool, call, read, ran=False)
                else:
                    outcome = await _recorded(tool, call, context, read, recorder)
    except BaseException as error:
        if outcome is None or ends_the_caller(error):
            raise
        _LOG.exception("a limit of %s failed at its end; the outcome stands", tool.name)
    return aborted(tool, call, read, ran=True) if outcome is None else outcome


async def _entered(
    tool: AnyTool,
    call: ToolCall,
    context: AnyContext,
    read: ReadInput,
    stack: AsyncExitStack[bool | None],
) -> Outcome | None:
    """Enter the limits in order; None lets the call run."""
    try:
        for limit in tool.gates.limits:
            await stack.enter_async_context(limit(call, context))
    except OutcomeError as error:
        return of_error(error, call, read, 0.0)
    except Exception as error:
        _LOG.exception("a limit of %s failed; the call is not run", tool.name)
        return not_run(tool, call, error)
    return None


async def _recorded(
    tool: AnyTool, call: ToolCall, context: AnyContext, read: ReadInput, recorder: Recorder | None
) -> Outcome:
    """Run between the journal's begin and its finish."""
    run = _run if tool.forward is None else _presented
    if recorder is None:
        return await run(tool, call, context, read)
    try:
        await recorder.begin()
    except Exception as error:
        _LOG.exception("the journal failed at the begin of %s; the call is not run", tool.name)
        return Failed(
            code="journal-failed",
            message=CODES["journal-failed"].sentence,
            call_id=call.id,
            repairs=read.repairs,
            cause=error,
        )
    except BaseException as error:
        if not ends_the_caller(error):
            _LOG.exception("the journal gave up at the begin of %s; the call is not run", tool.name)
            return not_run(tool, call, error, code="journal-failed")
        # Cancelled in the middle of the write: the journal may have it, so it is closed.
        await recorder.finish("aborted", "aborted", 0.0)
        raise
    started = time.perf_counter()
    try:
        outcome = await run(tool, call, context, read)
    except BaseException:
        # The caller is cancelled or the process ends: the record is still closed.
        await recorder.finish("aborted", "aborted", time.perf_counter() - started)
        raise
    code = outcome.code if isinstance(outcome, BadOutcome) else ""
    await recorder.finish(outcome.kind, code, outcome.duration)
    return outcome


async def _presented(
    tool: AnyTool, call: ToolCall, context: AnyContext, read: ReadInput
) -> Outcome:
    """Hand on exactly the input that was checked, asked about and recorded."""
    forward = cast("Forward", tool.forward)
    arguments = replace(call.arguments, value=read.value, repairs=read.repairs)
    return await forward(replace(call, arguments=arguments), context)


async def _run(tool: AnyTool, call: ToolCall, context: AnyContext, read: ReadInput) -> Outcome:
    if tool.is_async or not (tool.behavior.blocking or _is_yet_to_come(tool)):
        return await _timed(tool, call, context, read, None)
    # Who waits for a thread has not begun: neither does the time.
    try:
        seat = await take_seat(_patience(context.deadline), context.cancel)
    except OutcomeError as error:
        return of_error(error, call, read, 0.0)
    if seat is None:
        return aborted(tool, call, read, ran=False)
    try:
        return await _timed(tool, call, context, read, seat)
    finally:
        seat.leave()


async def _timed(
    tool: AnyTool, call: ToolCall, context: AnyContext, read: ReadInput, seat: Seat | None
) -> Outcome:
    if context.cancel is not None and context.cancel.cancelled:
        return aborted(tool, call, read, ran=False)
    behavior = tool.behavior
    progress: RunProgress | None = None
    started = time.perf_counter()
    try:
        if behavior.idle_timeout is not None or context.bounds_runs:
            idle = behavior.idle_timeout
            limits = Limits(behavior.timeout, idle, context.deadline, context.cancel)
            progress = RunProgress(context.on_progress, None if idle is None else limits.touch)
            given = _for_the_run(context, call.id, progress)
            returned = await limits.run(_work(tool, read, given, seat))
        else:
            given = _NO_CONTEXT
            if tool.wants_context:
                if context.on_progress is not None:
                    progress = RunProgress(context.on_progress, None)
                given = _for_the_run(context, call.id, progress)
            returned = await run_within(_work(tool, read, given, seat), behavior.timeout, started)
        result = tool.writer.write(returned)
        size: int | None = None
        if result is returned or not all_ascii(result):
            counted = behavior.limit is not None
            result, size = sound(result, counted=counted, handed_over=tool.imported)
        if behavior.limit is not None:
            result = cap(result, behavior.limit, behavior.large, size)
    except BaseException as error:
        if ends_the_caller(error):
            raise
        return of_exception(error, tool, call, read, time.perf_counter() - started)
    finally:
        if progress is not None:
            progress.close()
    duration = time.perf_counter() - started
    if result.is_error:
        return reported(result, call, read, duration)
    return answered(result, call, read, duration)


def _is_yet_to_come(tool: AnyTool) -> bool:
    handler = tool.handler
    return isinstance(handler, LazyHandler) and not handler.is_loaded


def _patience(deadline: float | None) -> float:
    """Seconds to wait for a thread: not beyond the host's end."""
    if deadline is None:
        return _LONGEST_WAIT
    return max(0.0, min(_LONGEST_WAIT, deadline - anyio.current_time()))


def _work(
    tool: AnyTool, read: ReadInput, given: AnyContext, seat: Seat | None
) -> Coroutine[Any, Any, object]:
    """The handler: awaited, in a worker thread, or in place."""
    if tool.is_async:
        return cast("Coroutine[Any, Any, object]", tool.handler(read.bound, given))
    return _plain(tool, read, given, seat)


async def _plain(tool: AnyTool, read: ReadInput, given: AnyContext, seat: Seat | None) -> object:
    """A sync handler, in a worker thread or in place; it may stand in front of an async one."""
    handler, in_thread = tool.handler, tool.behavior.blocking
    if isinstance(handler, LazyHandler):
        handler, is_async = await handler.loaded(seat)
        in_thread = in_thread and not is_async
        if seat is not None and not in_thread:
            seat.leave()
    if seat is not None and in_thread:
        returned = await seat.run(handler, read.bound, given)
    else:
        returned = handler(read.bound, given)
    if hasattr(returned, "__await__"):
        return await cast("Awaitable[object]", returned)
    return returned


def _for_the_run(context: AnyContext, call_id: str, progress: RunProgress | None) -> AnyContext:
    given: AnyContext = object.__new__(CallContext)
    # As `dataclasses.replace` would, but for a fifth of the time: no field is checked or computed.
    vars(given).update(vars(context))
    listener = None if progress is None else progress.listener
    asker = None if context.on_ask is None else asks_by_form(context.on_ask)
    vars(given).update(call_id=call_id, on_progress=listener, on_ask=asker)
    return given
