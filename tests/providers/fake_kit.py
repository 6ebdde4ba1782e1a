"""A small honest toolkit: answers from functions, checks nothing, lists what it was given."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from toolroll.content import JsonObject, JsonValue, Text, ToolResult
from toolroll.outcome import Answer, Outcome, Refused
from toolroll.toolkit.protocol import ListedTool, Listing
from toolroll.tools.call import ToolCall
from toolroll.tools.context import CallContext
from toolroll.tools.definition import ToolDefinition

Answerer = Callable[[ToolCall], Outcome]


def answer_text(text: str) -> Answerer:
    return lambda call: Answer(result=ToolResult(content=(Text(text),)), call_id=call.id)


def listed(
    name: str,
    schema: JsonObject,
    *,
    description: str = "Does it.",
    source: str = "",
    imported: bool = False,
) -> ListedTool:
    definition = ToolDefinition(name=name, description=description, input_schema=schema)
    return ListedTool(definition=definition, source=source, origin=name, imported=imported)


@dataclass
class FakeKit:
    tools: tuple[ListedTool, ...]
    answers: Mapping[str, Answerer] = field(default_factory=dict[str, Answerer])
    seen: list[tuple[str, JsonValue]] = field(default_factory=list[tuple[str, JsonValue]])

    def listing(self, context: CallContext[None], /) -> Listing:
        return Listing(tools=self.tools)

    async def call(self, call: ToolCall, context: CallContext[None], /) -> Outcome:
        if all(tool.name != call.name for tool in self.tools):
            return Refused(code="unknown-tool", message="There is no such tool.", call_id=call.id)
        self.seen.append((call.name, call.arguments.value))
        return self.answers.get(call.name, answer_text("done"))(call)
