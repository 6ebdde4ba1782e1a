"""From the arguments of a call to a checked input, or to the outcome of a call that cannot run.

The runner and the tools that present others both come this way: cut, malformed and several
arguments are the same on every road.
"""

from collections.abc import Sequence

from toolroll.outcome import InvalidInput, Issue
from toolroll.outcome.codes import CODES
from toolroll.schema.reading import InputReader, ReadInput
from toolroll.tools.behavior import Behavior
from toolroll.tools.call import ToolCall

_CODES = {
    "truncated": "truncated-arguments",
    "malformed": "malformed-arguments",
    "concatenated": "several-arguments",
}


def take_input(
    call: ToolCall, reader: InputReader, behavior: Behavior, name: str
) -> ReadInput | InvalidInput:
    """Check the arguments of one call.

    Args:
        call: as it was read.
        reader: of the tool.
        behavior: of the tool; says whether cut arguments are taken, and what is repaired.
        name: of the tool, for the message.

    Returns:
        The input, with the repairs of the text before those by schema; else why nothing runs.
    """
    arguments = call.arguments
    code = _CODES.get(arguments.status)
    if code is not None and not (arguments.status == "truncated" and behavior.accepts_partial):
        return not_whole(call, code)
    read = reader.read(arguments.value, repair=behavior.repair)
    if isinstance(read, ReadInput):
        if arguments.repairs:
            return ReadInput(read.value, read.bound, (*arguments.repairs, *read.repairs))
        return read
    if call.finish == "length" and any(issue.missing for issue in read.issues):
        # Whole JSON, but the model met its limit: what is missing may have been on its way.
        return not_whole(call, "truncated-arguments")
    return _unfit(call, read.issues, name)


def not_whole(call: ToolCall, code: str) -> InvalidInput:
    """The outcome of a call whose arguments are cut, malformed or several."""
    problem = call.arguments.problem
    return InvalidInput(
        code=code,
        message=f"{CODES[code].sentence} ({problem})" if problem else CODES[code].sentence,
        call_id=call.id,
        repairs=call.arguments.repairs,
    )


def _unfit(call: ToolCall, issues: Sequence[Issue], name: str) -> InvalidInput:
    return InvalidInput(
        code="bad-arguments",
        message=f"The arguments do not fit {name}.",
        call_id=call.id,
        repairs=call.arguments.repairs,
        issues=tuple(issues),
    )
