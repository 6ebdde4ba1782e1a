"""What a run that did not answer came to."""

import logging
from dataclasses import replace
from typing import cast

from toolroll.content import ToolResult
from toolroll.content.open_form import open_form
from toolroll.outcome import (
    Aborted,
    Answer,
    Failed,
    Outcome,
    OutcomeError,
    Refusal,
    Refused,
    TimedOut,
    Unavailable,
)
from toolroll.outcome.codes import CODES
from toolroll.schema.reading import ReadInput
from toolroll.tools.call import ToolCall
from toolroll.tools.deadline import Ended, RunEnded
from toolroll.tools.soundness import encodable
from toolroll.tools.tool import AnyTool

_LOG = logging.getLogger("toolroll.tools")

_KINDS = {"failed": Failed, "timeout": TimedOut, "aborted": Aborted, "unavailable": Unavailable}


_Answer = open_form(Answer)


def not_run(
    tool: AnyTool, call: ToolCall, error: BaseException, code: str = "handler-error"
) -> Failed:
    """Something of the tool's own failed before the run."""
    sentence = (
        f"{tool.name} failed before it ran." if code == "handler-error" else CODES[code].sentence
    )
    return Failed(
        code=code,
        message=sentence,
        call_id=call.id,
        repairs=call.arguments.repairs,
        may_have_run=False,
        cause=error,
    )


def answered(result: ToolResult, call: ToolCall, read: ReadInput, duration: float) -> Answer:
    """The outcome of a tool that answered."""
    record = _Answer()
    record.result = result
    record.call_id = call.id
    record.duration = duration
    record.repairs = read.repairs
    record.__class__ = Answer
    return record


def reported(result: ToolResult, call: ToolCall, read: ReadInput, duration: float) -> Failed:
    """The outcome of a tool that ran and says itself that it failed."""
    return Failed(
        code="tool-error",
        message=result.text[:1000] or CODES["tool-error"].sentence,
        call_id=call.id,
        duration=duration,
        repairs=read.repairs,
        result=result,
    )


def of_exception(
    error: BaseException, tool: AnyTool, call: ToolCall, read: ReadInput, duration: float
) -> Outcome:
    """The outcome of what a run raised: an end, a refusal, a known failure, or a failed handler."""
    error = _member_of_one(error)
    match error:
        case RunEnded(why="aborted"):
            return aborted(tool, call, read, ran=True, duration=duration)
        case RunEnded(why=why):
            return _timed_out(tool, call, read, duration, why)
        case Refusal() if _is_sound(error):
            return Refused(
                code=error.code,
                message=encodable(error.message),
                call_id=call.id,
                duration=duration,
                repairs=read.repairs,
                cause=error,
                lines=tuple(map(encodable, error.lines)),
            )
        case OutcomeError() if _is_sound(error):
            return of_error(error, call, read, duration)
        case _:
            _LOG.warning("%s failed: %s", tool.name, type(error).__name__, exc_info=error)
            told = _told(error) if tool.behavior.show_errors else ""
            return Failed(
                code="handler-error",
                message=f"{tool.name} failed: {told}" if told else f"{tool.name} failed.",
                call_id=call.id,
                duration=duration,
                repairs=read.repairs,
                cause=error,
            )


def _member_of_one(error: BaseException) -> BaseException:
    """A group of one is its member: task groups wrap what one task raised."""
    while isinstance(error, BaseExceptionGroup):
        group = cast("BaseExceptionGroup[BaseException]", error)
        if len(group.exceptions) != 1:
            return group
        error = group.exceptions[0]
    return error


def _is_sound(error: Refusal | OutcomeError) -> bool:
    """Whether an author raised it with texts and a kind there is; else it is any other error."""
    texts = [cast("object", error.code), cast("object", error.message)]
    if isinstance(error, Refusal):
        texts += error.lines
    elif error.kind not in _KINDS:
        return False
    return all(isinstance(text, str) for text in texts)


def _told(error: BaseException) -> str:
    try:
        return encodable(" ".join(str(error).split()))
    except Exception as fault:
        _LOG.warning("a %s has no text", type(error).__name__, exc_info=fault)
        return ""


def of_error(error: OutcomeError, call: ToolCall, read: ReadInput, duration: float) -> Outcome:
    """The outcome that an error names itself."""
    _LOG.info("call %s: %s", call.id, error)
    row = CODES.get(error.code)
    made = _KINDS[error.kind](
        code=error.code,
        message=error.message,
        call_id=call.id,
        duration=duration,
        repairs=read.repairs,
        retryable=bool(row and row.retryable) if error.retryable is None else error.retryable,
        may_have_run=bool(row and row.may_have_run)
        if error.may_have_run is None
        else error.may_have_run,
        retry_after=error.retry_after,
        cause=error,
    )
    return replace(made, limit=error.limit) if isinstance(made, TimedOut) else made


def _timed_out(
    tool: AnyTool, call: ToolCall, read: ReadInput, duration: float, why: Ended
) -> TimedOut:
    idle = why == "idle"
    limit = tool.behavior.idle_timeout if idle else tool.behavior.timeout
    if why == "deadline":  # the host's own end, which is no length of time
        limit = None
    read_only = tool.trusted and tool.definition.hints.read_only is True
    repeatable = tool.trusted and tool.definition.hints.idempotent is True
    what = "was silent for" if idle else "did not finish in"
    return TimedOut(
        code="idle-timed-out" if idle else "timed-out",
        message=f"{tool.name} {what} {limit:g} seconds."
        if limit
        else f"{tool.name} did not finish in time.",
        call_id=call.id,
        duration=duration,
        repairs=read.repairs,
        retryable=read_only or repeatable,
        may_have_run=True,
        limit=limit,
    )


def aborted(
    tool: AnyTool, call: ToolCall, read: ReadInput, *, ran: bool, duration: float = 0.0
) -> Aborted:
    """The outcome of a call that the host\'s signal ended."""
    return Aborted(
        code="aborted",
        message=f"The call of {tool.name} was cancelled.",
        call_id=call.id,
        duration=duration,
        repairs=read.repairs,
        may_have_run=ran,
    )
