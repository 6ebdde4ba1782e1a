"""What type checkers see of the root and of outcomes: pyright and mypy read it, nothing runs it."""

from typing import assert_never, assert_type

import toolroll
from toolroll import (
    Aborted,
    Answer,
    CallContext,
    Failed,
    InvalidInput,
    NeedsApproval,
    Outcome,
    Refused,
    TimedOut,
    ToolCall,
    Toolkit,
    ToolResult,
    Unavailable,
)
from toolroll.outcome import Issue

# A name that is not promised is an error, although the root finds its names at run time.
toolroll.no_such_name  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]  # noqa: B018


def match_is_complete(outcome: Outcome) -> str:
    match outcome:
        case Answer(result=result):
            assert_type(result, ToolResult)
            return result.text
        case InvalidInput(issues=issues):
            assert_type(issues, tuple[Issue, ...])
            return issues[0].pointer
        case Refused(code=code, lines=lines):
            assert_type(lines, tuple[str, ...])
            return code
        case NeedsApproval(request=request):
            return request.id
        case Failed() | TimedOut() | Aborted() | Unavailable():
            return outcome.message
        case _:
            assert_never(outcome)


def ok_tells_answers_from_the_rest(outcome: Outcome) -> str:
    # pyright narrows by `is True` alone, mypy also by truth
    return "" if outcome.ok is True else outcome.code


class App:
    """What a host hands to its tools."""


async def a_toolkit_takes_the_context_of_its_app(kit: Toolkit[App]) -> None:
    call = ToolCall.of("note_read", {"id": 3})
    assert_type(await kit.call(call, CallContext(app=App())), Outcome)
    await kit.call(call, CallContext(app=3))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
