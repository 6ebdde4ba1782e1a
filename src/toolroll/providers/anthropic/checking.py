"""Which tools the provider would refuse."""

from collections.abc import Iterable, Iterator

from toolroll.content import JsonObject
from toolroll.outcome import Report
from toolroll.providers.checking import Checked, CheckRow, check_tools
from toolroll.providers.json_form import text_at
from toolroll.providers.limit import ANTHROPIC


def check(tools: Iterable[Checked]) -> Report:
    """Say which tools Anthropic's messages would refuse, and why, before they are sent.

    Takes definitions, or the `tools` of any request; see `toolroll.providers.checking.check_tools`.

    Example:
        >>> schema = {"type": "object", "properties": {"filter[id]": {"type": "string"}}}
        >>> check([{"name": "a", "input_schema": schema}]).notes[0].subject
        'a'
    """
    return check_tools(tools, ANTHROPIC, "anthropic", _rows)


def _rows(tool: JsonObject) -> Iterator[CheckRow]:
    if tool.get("type", "custom") in ("custom", None):
        mode = "anthropic_strict" if tool.get("strict") is True else "anthropic"
        yield text_at(tool, "name"), tool.get("input_schema"), mode
