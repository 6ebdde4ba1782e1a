"""Which tools the provider would refuse."""

from collections.abc import Iterable, Iterator

from toolroll.content import JsonObject, JsonValue
from toolroll.outcome import Report
from toolroll.providers.checking import NO_PARAMETERS, Checked, CheckRow, check_tools
from toolroll.providers.json_form import objects_at, text_at
from toolroll.providers.limit import GEMINI
from toolroll.schema.walk import Place, transform


def check(tools: Iterable[Checked]) -> Report:
    """Say which tools Gemini would refuse, and why, before they are sent.

    Takes definitions, or the `tools` of any request; see `toolroll.providers.checking.check_tools`.

    Example:
        >>> said = {"name": "1st", "parametersJsonSchema": {"type": "object"}}
        >>> check([{"functionDeclarations": [said]}]).notes[0].subject
        '1st'
    """
    return check_tools(tools, GEMINI, "gemini", _rows)


def _rows(tool: JsonObject) -> Iterator[CheckRow]:
    declared = objects_at(tool, "functionDeclarations")
    for each in declared or objects_at(tool, "function_declarations"):
        name = text_at(each, "name")
        if "parameters" in each:
            yield name, transform(each["parameters"], _in_small_letters), "gemini_openapi3"
        else:
            yield name, each.get("parametersJsonSchema", NO_PARAMETERS), "gemini"


def _in_small_letters(schema: dict[str, JsonValue], _: Place) -> JsonValue:
    """Gemini takes `OBJECT` and `object` alike."""
    said = schema.get("type")
    return {**schema, "type": said.lower()} if isinstance(said, str) else schema
