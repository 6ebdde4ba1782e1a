"""Outcomes in the shapes that other hosts expect.

Sources: the tool kernel contract ("invoke": `{ok, callId, ...}`) and the tool sources contract
("Failure": `{code, message, retryable}`).
"""

from toolroll.content import JsonValue, compact_json
from toolroll.outcome.codes import CODES
from toolroll.outcome.lines import one_line
from toolroll.outcome.union import Answer, InvalidInput, Outcome

_KINDS = {"invalid_input": "invalid_input", "timeout": "timeout", "aborted": "aborted"}
_REASONS = {
    code: spelling
    for code, row in CODES.items()
    for spelling in row.aliases
    if spelling.endswith("Error") and code != "tool-error"
}


def kernel_form(outcome: Outcome, tool: str = "") -> dict[str, JsonValue]:
    """Write an outcome as `{ok, callId, output, summary, durationMs}` or `{ok, callId, kind, error,
    durationMs}`, with `kind` one of `invalid_input`, `timeout`, `aborted`, `failed`.

    Args:
        outcome: what a call came to.
        tool: the tool's name, for the sentence about arguments that do not fit.

    Example:
        >>> from toolroll.content import ToolResult
        >>> kernel_form(Answer(result=ToolResult(data={"n": 1}), call_id="c"))["summary"]
        '{"n":1}'
    """
    milliseconds = outcome.duration * 1000
    shared: dict[str, JsonValue] = {"callId": outcome.call_id, "durationMs": milliseconds}
    if isinstance(outcome, Answer):
        result = outcome.result
        output: JsonValue = result.text if result.data is None else result.data
        summary = result.text or ("" if result.data is None else compact_json(result.data))
        return {"ok": True, **shared, "output": output, "summary": summary}
    error = outcome.message
    if isinstance(outcome, InvalidInput) and outcome.issues:
        of_tool = f" for {tool}" if tool else ""
        error = f"Invalid arguments{of_tool}: {one_line(outcome.issues)}"
    return {"ok": False, **shared, "kind": _KINDS.get(outcome.kind, "failed"), "error": error}


def failure_form(outcome: Outcome) -> dict[str, JsonValue] | None:
    """Write a bad outcome as `{code, message, retryable}`; None for an answer.

    The code is the reason's name where that contract has one (`UnavailableError`, ...), else ours.

    Example:
        >>> from toolroll.outcome import Unavailable
        >>> failure_form(Unavailable(code="unavailable", message="later"))
        {'code': 'UnavailableError', 'message': 'later', 'retryable': True}
    """
    if isinstance(outcome, Answer):
        return None
    code = _REASONS.get(outcome.code, outcome.code)
    message = "\n".join(outcome.lines_for_model())
    return {"code": code, "message": message, "retryable": outcome.retryable}
