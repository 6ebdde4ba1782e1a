"""Outcomes as results of `tools/call`. What caused a failure never leaves this process.

Source: MCP 2026-07-28, server/tools, "Error Handling"; the tool definition contract, "MCP adapter".
"""

import json

from toolroll.content import JsonObject, JsonValue, Text, ToolResult
from toolroll.hosts.mcp_server.rejection import Rejection
from toolroll.outcome import Answer, BadOutcome, Failed, Outcome, Refused
from toolroll.protocol import INVALID_PARAMS, write_result
from toolroll.text import sanitize_line

OUTCOME_KEY = "toolroll/outcome"
"""Key of `_meta` under which a bad outcome says its kind and code, for programs."""

_LONGEST_NAME = 200


def render(outcome: Outcome, *, structured: bool, version: str) -> dict[str, JsonValue]:
    """Write an outcome for a client.

    Args:
        outcome: what the call came to.
        structured: the tool declares an output schema, so its data goes along.
        version: of the protocol.

    A good answer goes as it is. A bad outcome is `isError` with the sentences a model can act on,
    each on a line of its own; what a tool reported itself goes as it is.
    """
    if isinstance(outcome, Answer):
        return write_result(outcome.result, structured=structured, version=version)
    if isinstance(outcome, Failed) and outcome.result is not None and outcome.result.content:
        content = outcome.result.content
    else:
        content = (Text("\n".join(outcome.lines_for_model())),)
    result = ToolResult(content=content, is_error=True, meta=_meta_of(outcome))
    return write_result(result, version=version)


def is_unknown_tool(outcome: Outcome) -> bool:
    """The call named no tool of this caller."""
    return isinstance(outcome, Refused) and outcome.code == "unknown-tool"


def reject_unknown_tool(outcome: Outcome, name: str) -> Rejection:
    """An unknown tool as the protocol has it: an error, with the toolkit's advice as its data.

    Example:
        >>> reject_unknown_tool(Refused(code="unknown-tool", message="-"), "nope").message
        'Unknown tool: "nope"'
    """
    data: JsonObject | None = None
    if isinstance(outcome, Refused):
        data = {"advice": list(outcome.lines_for_model())}
    return Rejection(INVALID_PARAMS, f"Unknown tool: {_quoted(name)}", data)


def render_unknown_tool(server: str, name: str, *, version: str) -> dict[str, JsonValue]:
    r"""An unknown tool as a result, for clients that show their model no errors.

    Example:
        >>> render_unknown_tool("demo", "x\u2028y", version="2025-11-25")["content"]
        [{'type': 'text', 'text': 'Unknown demo tool: "x y"'}]
    """
    text = Text(f"Unknown {sanitize_line(server)} tool: {_quoted(name)}")
    return write_result(ToolResult(content=(text,), is_error=True), version=version)


def _quoted(name: str) -> str:
    quoted = json.dumps(name[:_LONGEST_NAME], ensure_ascii=False)
    return sanitize_line(quoted)


def _meta_of(outcome: BadOutcome) -> JsonObject:
    told: JsonObject = {
        "kind": outcome.kind,
        "code": outcome.code,
        "retryable": outcome.retryable,
        "mayHaveRun": outcome.may_have_run,
    }
    if isinstance(outcome, Failed) and outcome.result is not None:
        return {**outcome.result.meta, OUTCOME_KEY: told}
    return {OUTCOME_KEY: told}
