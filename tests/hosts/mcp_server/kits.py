"""A small honest toolkit for tests of the server: a table of async functions."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from toolroll.content import JsonObject, Text, ToolResult
from toolroll.outcome import Answer, Failed, NeedsApproval, Outcome, Refused
from toolroll.toolkit.protocol import ListedTool, Listing
from toolroll.tools.call import ToolCall
from toolroll.tools.context import CallContext
from toolroll.tools.definition import ToolDefinition

Run = Callable[[ToolCall, CallContext[object]], Awaitable[Outcome]]


@dataclass
class TableKit:
    """Lists definitions and runs functions; notes what it ran."""

    runs: Mapping[str, Run]
    definitions: Mapping[str, ToolDefinition] = field(default_factory=dict[str, ToolDefinition])
    revision: str = "1"
    called: list[ToolCall] = field(default_factory=list[ToolCall])

    def listing(self, context: CallContext[object], /) -> Listing:
        """Every tool, in order."""
        tools = tuple(ListedTool(definition=self.definition(name)) for name in self.runs)
        return Listing(tools=tools, revision=self.revision)

    def definition(self, name: str) -> ToolDefinition:
        """What is said of one tool."""
        if name in self.definitions:
            return self.definitions[name]
        return ToolDefinition(
            name=name, description=f"Tool {name}.", input_schema={"type": "object"}
        )

    async def call(self, call: ToolCall, context: CallContext[object], /) -> Outcome:
        """Run one, or say that there is none."""
        run = self.runs.get(call.name)
        if run is None:
            return Refused(
                code="unknown-tool",
                message=f"There is no tool {call.name!r}.",
                lines=("\t".join(("tools", *self.runs)),),
            )
        self.called.append(call)
        try:
            return await run(call, context)
        except Exception as error:  # as the runner does
            return Failed(code="handler-error", message=f"{call.name} failed.", cause=error)


def text(value: str) -> Answer:
    """An answer of one text."""
    return Answer(result=ToolResult(content=(Text(value),)))


def arguments_of(call: ToolCall) -> JsonObject:
    """The arguments, as an object."""
    value = call.arguments.value
    assert isinstance(value, dict)
    return value


async def echo(call: ToolCall, context: CallContext[object]) -> Outcome:
    """Answer with the text it was given."""
    return text(str(arguments_of(call).get("text", "")))


def needs_approval(run: Run) -> Run:
    """Ask for a yes first, as the runner does: by an id of the call and its input."""
    from toolroll.outcome import ApprovalRequest

    async def ask(call: ToolCall, context: CallContext[object]) -> Outcome:
        request = ApprovalRequest(
            id=f"{call.id}:{sorted(arguments_of(call).items())}",
            tool=call.name,
            source="kit",
            input=arguments_of(call),
            effect="destructive",
        )
        answer = context.answers.get(request.id)
        if answer is None:
            message = f"{call.name} waits for a person's approval. It has not run."
            return NeedsApproval(code="needs-approval", message=message, request=request)
        if not answer:
            return Refused(code="approval-denied", message="A person was asked and said no.")
        return await run(call, context)

    return ask
