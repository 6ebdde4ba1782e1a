"""Which tools the provider would refuse."""

from collections.abc import Iterable, Iterator

from toolroll.content import JsonObject
from toolroll.outcome import Report
from toolroll.providers.checking import NO_PARAMETERS, Checked, CheckRow, check_tools
from toolroll.providers.json_form import object_at, text_at
from toolroll.providers.limit import OPENAI_CHAT


def check(tools: Iterable[Checked]) -> Report:
    """Say which tools chat completions would refuse, and why, before they are sent.

    Takes definitions, or the `tools` of any request; see `toolroll.providers.checking.check_tools`.

    Example:
        >>> said = {"type": "function", "function": {"name": "a.b"}}
        >>> check([said]).notes[0].reason
        'the name does not match [A-Za-z0-9_-]+ within 64 characters'
    """
    return check_tools(tools, OPENAI_CHAT, "openai", _rows)


def _rows(tool: JsonObject) -> Iterator[CheckRow]:
    if tool.get("type", "function") == "function":
        function = object_at(tool, "function")
        mode = "openai_strict" if function.get("strict") is True else "openai"
        yield text_at(function, "name"), function.get("parameters", NO_PARAMETERS), mode
