"""Which tools the provider would refuse."""

from collections.abc import Iterable

from toolroll.dialects.fault import Mode
from toolroll.outcome import Report
from toolroll.providers.checking import Checked, CheckRow, check_rows
from toolroll.providers.json_form import text_at
from toolroll.providers.limit import ANTHROPIC
from toolroll.tools.definition import ToolDefinition


def check(tools: Iterable[Checked]) -> Report:
    """Say which tools the provider would refuse, and why, before they are sent.

    Args:
        tools: definitions, checked as if their schemas were sent as they are; or the `tools` of a
            request. Tools that the provider itself brings are passed over.

    Returns:
        A note of the kind `refused` for each fault, with the tool as its subject.

    Example:
        >>> from toolroll import ToolDefinition
        >>> said = ToolDefinition(name="a.b", description="", input_schema={"anyOf": [{}, {}]})
        >>> [note.kind for note in check([said]).notes][0]
        'refused'
    """
    rows = (_row(tool) for tool in tools)
    return check_rows((row for row in rows if row is not None), ANTHROPIC)


def _row(tool: Checked) -> CheckRow | None:
    if isinstance(tool, ToolDefinition):
        return tool.name, tool.input_schema, "anthropic"
    if tool.get("type", "custom") not in ("custom", None):
        return None
    mode: Mode = "anthropic_strict" if tool.get("strict") is True else "anthropic"
    return text_at(tool, "name"), tool.get("input_schema"), mode
