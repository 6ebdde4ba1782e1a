"""Which tools the provider would refuse."""

from collections.abc import Iterable, Iterator

from toolroll.content import JsonValue
from toolroll.outcome import Report
from toolroll.providers.checking import NO_PARAMETERS, Checked, CheckRow, check_rows
from toolroll.providers.json_form import objects_at, text_at
from toolroll.providers.limit import GEMINI
from toolroll.schema.walk import Place, transform
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
    return check_rows((row for tool in tools for row in _rows(tool)), GEMINI)


def _rows(tool: Checked) -> Iterator[CheckRow]:
    if isinstance(tool, ToolDefinition):
        yield tool.name, tool.input_schema, "gemini"
        return
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
