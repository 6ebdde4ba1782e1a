"""The tools of a toolkit as one provider takes them, and the way back from its replies."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Literal, Protocol, TypeAlias, TypeVar

from toolroll.content import JsonObject, JsonValue
from toolroll.dialects.record import Adapted, Loss, Use
from toolroll.outcome import DefinitionError, Note, Outcome, Report
from toolroll.providers.limit import ProviderLimits
from toolroll.providers.naming import fits, shortened, wire_names
from toolroll.providers.reading import read_reply
from toolroll.providers.wire import Answered, Assembler, Message, OfferedTool, Wire, WireCall
from toolroll.repair.arguments import Arguments
from toolroll.schema.pointer import parts_of, pointer_of
from toolroll.toolkit.protocol import ListedTool, Toolkit
from toolroll.tools.call import ToolCall
from toolroll.tools.context import CallContext

App = TypeVar("App")

Strict: TypeAlias = Literal["auto", "on", "off"]
"""`on`: the provider holds the schema of an authored tool, where nothing is lost by it and its
known budgets allow. `auto`: the same, but not at a provider that refuses whole requests beyond a
budget it does not tell. `off`: no tool is strict. Imported tools never are."""

View: TypeAlias = Callable[[JsonObject], JsonObject]
"""A schema -> what is shown of it, before the dialect; the tool's own check uses the whole."""

CUT_MARK = " [...]"
"""Ends a description that was cut."""


class Adapt(Protocol):
    """The `adapt` of a dialect."""

    def __call__(self, schema: JsonObject, use: Use = "tool", *, describe: bool = False) -> Adapted:
        """Adapt a schema."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferOptions:
    """How tools are offered.

    Args:
        strict: see `Strict`.
        view: see `View`; for instance `toolroll.schema.slim`.
        describe: bounds that the dialect cannot say are said in the descriptions.
        max_description: most characters of a tool's description; the rest is cut, with a mark and a
            note. For endpoints that refuse longer ones; None cuts nothing.
    """

    strict: Strict = "auto"
    view: View | None = None
    describe: bool = False
    max_description: int | None = None


DEFAULT_OPTIONS = OfferOptions()
"""Strict where nothing is lost by it, everything shown, nothing cut."""


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
        """
        raw = self.wire.read(reply)
        return [
            ToolCall(
                id=call.id,
                name=self._listed_name(call),
                arguments=self._restored(call),
                finish=raw.finish,
            )
            for call in read_reply(raw, self.wire.limits)
        ]

    def assembler(self) -> Assembler:
        """A new assembler for one streamed reply."""
        return self.wire.assembler()

    def assistant(self, reply: JsonObject) -> Message:
        """The reply as it goes into the history: with the ids that `read` gave."""
        return self.wire.assistant(reply, read_reply(self.wire.read(reply), self.wire.limits))

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
        return self.wire.results(
            [
                Answered(id=call.id, name=self._wire_name(call.name), outcome=outcome)
                for call, outcome in zip(calls, outcomes, strict=True)
            ]
        )

    def _listed_name(self, call: WireCall) -> str:
        tool = self.offered.get(call.name)
        return tool.listed.name if tool is not None else call.written

    def _wire_name(self, listed_name: str) -> str:
        for name, tool in self.offered.items():
            if tool.listed.name == listed_name:
                return name
        limits = self.wire.limits
        return listed_name if fits(listed_name, limits) else shortened(listed_name, limits)

    def _restored(self, call: WireCall) -> Arguments:
        tool = self.offered.get(call.name)
        if tool is None:
            return call.arguments
        restore, renamed = tool.adapted.restore, tool.adapted.renamed
        return replace(
            call.arguments,
            partial=tuple(_own(pointer, renamed) for pointer in call.arguments.partial),
            value=restore(call.arguments.value),
            dropped=tuple(restore(value) for value in call.arguments.dropped),
        )


def _own(pointer: str, renamed: Mapping[str, str]) -> str:
    """A pointer with the properties' own names."""
    if not renamed:
        return pointer
    return pointer_of(renamed.get(part, part) for part in parts_of(pointer))


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialects:
    """How one provider's schemas are made.

    Args:
        plain: the dialect of every tool.
        strict: the dialect of tools the provider holds strictly; None where it has none.
        auto: strict tools are asked for without being told to.
    """

    plain: Adapt
    strict: Adapt | None = None
    auto: bool = True


def make_offer(
    kit: Toolkit[App],
    context: CallContext[App],
    wire: Wire[Message],
    dialects: Dialects,
    options: OfferOptions,
) -> Offer[Message]:
    """Offer the tools of a toolkit over one wire. A tool that cannot be offered costs only
    itself.
    """
    listing = kit.listing(context)
    names, notes = wire_names(listing.tools, wire.limits)
    offered: list[OfferedTool] = []
    budget = _Budget(wire.limits)
    for tool in listing.tools:
        try:
            adapted = _adapted(tool, dialects, budget, options)
        except DefinitionError as error:
            notes.append(Note("skipped", tool.name, str(error), tool.source))
            continue
        notes.extend(_loss_note(tool, loss) for loss in adapted.losses if loss.kind != "note")
        for wire_key, key in adapted.renamed.items():
            reason = f"the property {key!r} is called {wire_key!r} at {wire.limits.provider}"
            notes.append(Note("renamed", tool.name, reason, tool.source))
        description, cut = _description(tool, options.max_description)
        notes.extend(cut)
        offered.append(
            OfferedTool(
                name=names[tool.name], description=description, listed=tool, adapted=adapted
            )
        )
    notes.extend(_warnings(offered, wire.limits))
    return Offer(
        tools=wire.declare(offered),
        report=listing.report + Report(tuple(notes)),
        wire=wire,
        offered={tool.name: tool for tool in offered},
    )


class _Budget:
    """What is left of the provider's allowance for strict tools."""

    def __init__(self, limits: ProviderLimits) -> None:
        self._tools = limits.strict_tools
        self._optionals = limits.strict_optionals

    def takes(self, adapted: Adapted) -> bool:
        """Take a strict tool out of the allowance if it still fits."""
        optionals = 0 if self._optionals is None else _optionals(adapted.schema)
        if self._tools == 0 or (self._optionals is not None and optionals > self._optionals):
            return False
        if self._tools is not None:
            self._tools -= 1
        if self._optionals is not None:
            self._optionals -= optionals
        return True


def _adapted(
    tool: ListedTool, dialects: Dialects, budget: _Budget, options: OfferOptions
) -> Adapted:
    schema = tool.definition.input_schema
    shown = schema if options.view is None else options.view(schema)
    asked = options.strict == "on" or (options.strict == "auto" and dialects.auto)
    if asked and dialects.strict is not None and not tool.imported:
        adapted = dialects.strict(shown, describe=options.describe)
        if adapted.strict and adapted.lossless and budget.takes(adapted):
            return adapted
    return dialects.plain(shown, describe=options.describe)


def _optionals(schema: JsonValue) -> int:
    """Optional properties at every depth."""
    count = 0
    stack: list[JsonValue] = [schema]
    while stack:
        node = stack.pop()
        if isinstance(node, Mapping):
            properties, required = node.get("properties"), node.get("required")
            if isinstance(properties, Mapping):
                named = required if isinstance(required, Sequence) else ()
                count += sum(name not in named for name in properties)
            stack.extend(node.values())
        elif isinstance(node, Sequence) and not isinstance(node, str):
            stack.extend(node)
    return count


def _loss_note(tool: ListedTool, loss: Loss) -> Note:
    place = loss.pointer or "/"
    return Note("lost", tool.name, f"{loss.keyword} at {place}: {loss.reason}", tool.source)


def _description(tool: ListedTool, limit: int | None) -> tuple[str, list[Note]]:
    whole = tool.definition.description
    if limit is None or len(whole) <= limit:
        return whole, []
    reason = f"its description has {len(whole)} characters; it is cut to {limit}"
    kept = whole[: max(0, limit - len(CUT_MARK))] + CUT_MARK
    return kept[:limit], [Note("cut", tool.name, reason, tool.source)]


def _warnings(offered: Sequence[OfferedTool], limits: ProviderLimits) -> Iterable[Note]:
    if limits.tools is not None and len(offered) > limits.tools:
        yield Note(
            "warning",
            limits.provider,
            f"{len(offered)} tools are more than the {limits.tools} the provider takes in one "
            "request; offer fewer, or put a search in front of them",
        )
