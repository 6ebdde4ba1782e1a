"""Which tools the provider would refuse."""

from collections.abc import Iterable, Iterator

from toolroll.content import JsonObject
from toolroll.outcome import Report
from toolroll.providers.checking import NO_PARAMETERS, Checked, CheckRow, check_tools
from toolroll.providers.json_form import text_at
from toolroll.providers.limit import OPENAI_RESPONSES


def check(tools: Iterable[Checked]) -> Report:
    """Say which tools responses would refuse, and why, before they are sent.

    Takes definitions, or the `tools` of any request; see `toolroll.providers.checking.check_tools`.

    Example:
        >>> said = {"type": "function", "name": "a", "parameters": {"anyOf": [{"type": "object"}]}}
        >>> check([said]).notes[0].reason
        '/: the root is no object'
    """
    return check_tools(tools, OPENAI_RESPONSES, "openai", _rows)


def _rows(tool: JsonObject) -> Iterator[CheckRow]:
    if tool.get("type", "function") == "function":
        mode = "openai_strict" if tool.get("strict") is True else "openai"
        yield text_at(tool, "name"), tool.get("parameters", NO_PARAMETERS), mode
