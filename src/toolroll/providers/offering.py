"""The tools of a toolkit as one provider takes them, and the way back from its replies."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic

from toolroll.content import JsonObject, JsonValue
from toolroll.outcome import Answer, InvalidInput, Issue, Outcome, Report
from toolroll.providers.naming import fits, shortened
from toolroll.providers.reading import read_reply
from toolroll.providers.sendable import sendable
from toolroll.providers.speaking import mapping
from toolroll.providers.wire import Answered, Assembler, Message, OfferedTool, Wire
from toolroll.repair.arguments import Arguments
from toolroll.schema.pointer import parts_of, pointer_of
from toolroll.toolkit.lookup import NameTable
from toolroll.tools.call import ToolCall


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer(Generic[Message]):
    """What to send to a provider, and how to read what comes back.

    It holds the way back from the provider's names and schemas, so a reply must be read by the
    offer whose tools were sent.

    Args:
        tools: the `tools` of the request.
        report: what was left out, renamed, lost or is otherwise worth knowing.
        wire: the provider's wire.
        offered: the tools by their name on the wire.

    Example:
        >>> from toolroll import CallContext, LocalToolkit, tool
        >>> from toolroll.providers import openai_chat
        >>> @tool(effect="read")
        ... def note_read(number: int) -> str:
        ...     '''Read a note.'''
        ...     return "bread, tea"
        >>> offer = openai_chat.offer(LocalToolkit("notes", note_read), CallContext())
        >>> function = {"name": "note_read", "arguments": '{"number": 1}'}
        >>> said = {"tool_calls": [{"id": "a", "type": "function", "function": function}]}
        >>> (call,) = offer.read({"choices": [{"message": said}]})
        >>> call.name, call.arguments.value
        ('note_read', {'number': 1})
    """

    tools: list[dict[str, JsonValue]]
    report: Report
    wire: Wire[Message]
    offered: Mapping[str, OfferedTool]

    def read(self, reply: JsonObject) -> list[ToolCall]:
        """The calls of a reply, ready for `kit.call`, in order.

        Args:
            reply: the decoded body of the provider's answer, the message in it, or what
                `assembler().reply()` gave. It is not changed.

        Raises:
            TypeError: the reply is no mapping, as the objects of SDKs are.
        """
        raw = self.wire.read(mapping(reply, "the reply"))
        calls: list[ToolCall] = []
        for call in read_reply(raw, self.wire.limits):
            tool = self._tool_of(call.written)
            # Another spelling is passed on as it is: the toolkit resolves it, and says so.
            exact = tool is not None and call.written.strip() in (tool.name, tool.listed.name)
            calls.append(
                ToolCall(
                    id=call.id,
                    name=tool.listed.name if tool is not None and exact else call.written,
                    arguments=_restored(call.arguments, tool),
                    finish=raw.finish,
                )
            )
        return calls

    def assembler(self) -> Assembler:
        """A new assembler for one streamed reply."""
        return self.wire.assembler()

    def assistant(self, reply: JsonObject) -> Message:
        """The reply as it goes into the history: with the ids that `read` gave.

        Raises:
            TypeError: the reply is no mapping, as the objects of SDKs are.
        """
        calls = read_reply(self.wire.read(mapping(reply, "the reply")), self.wire.limits)
        return sendable(self.wire.assistant(reply, calls))

    def results(
        self, calls: Sequence[ToolCall], outcomes: Sequence[Outcome]
    ) -> list[dict[str, JsonValue]]:
        """The messages that answer the calls, in order.

        Args:
            calls: all calls of one reply, as `read` gave them.
            outcomes: as many, in the same order. `NeedsApproval` is written too: the model reads
                that the call waits. To ask first, answer with `context.with_answers` and call
                again.

        Raises:
            ValueError: not as many outcomes as calls; every call must be answered.
        """
        by_name = {tool.listed.name: tool for tool in self.offered.values()}
        answered: list[Answered] = []
        for call, outcome in zip(calls, outcomes, strict=True):
            tool = by_name.get(call.name)
            name = tool.name if tool is not None else self._foreign_name(call.name)
            told = _in_wire_words(outcome, tool)
            answered.append(Answered(id=call.id, name=name, outcome=told))
        return sendable(self.wire.results(answered))

    def terminal(self, calls: Sequence[ToolCall], outcomes: Sequence[Outcome]) -> Answer | None:
        """The answer that ends the run: of the first call of a terminal tool that was answered.

        A call of one that was refused or failed ends nothing: the model reads why, and may call
        again.

        Args:
            calls, outcomes: as for `results`.

        Example:
            >>> from toolroll import Behavior, CallContext, LocalToolkit, run_sync, tool
            >>> from toolroll.providers import openai_chat
            >>> @tool(effect="read", behavior=Behavior(terminal=True))
            ... def conclude(verdict: str) -> str:
            ...     '''Say what it came to, and end.'''
            ...     return verdict
            >>> kit = LocalToolkit("review", conclude)
            >>> call = ToolCall.of("conclude", {"verdict": "good"})
            >>> outcome = run_sync(kit.call, call, CallContext())
            >>> openai_chat.offer(kit, CallContext()).terminal([call], [outcome]).result.text
            'good'
        """
        for call, outcome in zip(calls, outcomes, strict=True):
            tool = self._tool_of(call.name)
            if isinstance(outcome, Answer) and tool is not None and tool.listed.behavior.terminal:
                return outcome
        return None

    def _tool_of(self, written: str) -> OfferedTool | None:
        """The tool a call is for: by the name that was offered, by its own, or, where exactly one
        fits, by a name in another spelling.
        """
        written = written.strip()
        if written in self.offered:
            return self.offered[written]
        for tool in self.offered.values():
            if tool.listed.name == written:
                return tool
        folded = NameTable(self.offered).folded(written)
        return self.offered[folded[0]] if len(folded) == 1 else None

    def _foreign_name(self, written: str) -> str:
        """A name that is none of ours, as the history has it."""
        name, limits = written.strip(), self.wire.limits
        return name if fits(name, limits) else shortened(name, limits)


def _restored(arguments: Arguments, tool: OfferedTool | None) -> Arguments:
    """The arguments as the tool's own schema means them."""
    if tool is None:
        return arguments
    restore, renamed = tool.adapted.restore, tool.adapted.renamed
    return replace(
        arguments,
        partial=tuple(_own(pointer, renamed) for pointer in arguments.partial),
        value=restore(arguments.value),
        dropped=tuple(restore(value) for value in arguments.dropped),
    )


def _in_wire_words(outcome: Outcome, tool: OfferedTool | None) -> Outcome:
    """Faults told with the names of properties that the model was shown."""
    if tool is None or not tool.adapted.renamed or not isinstance(outcome, InvalidInput):
        return outcome
    shown = {own: wire for wire, own in tool.adapted.renamed.items()}
    names = "|".join(re.escape(own) for own in sorted(shown, key=len, reverse=True))
    whole = re.compile(rf"(?<![\w-])(?:{names})(?![\w-])")
    issues: list[Issue] = []
    for issue in outcome.issues:
        problem = whole.sub(lambda found: shown[found[0]], issue.problem)
        pointer = pointer_of(shown.get(part, part) for part in parts_of(issue.pointer))
        issues.append(replace(issue, pointer=pointer, problem=problem))
    return replace(outcome, issues=tuple(issues))


def _own(pointer: str, renamed: Mapping[str, str]) -> str:
    """A pointer with the properties' own names."""
    if not renamed:
        return pointer
    return pointer_of(renamed.get(part, part) for part in parts_of(pointer))
