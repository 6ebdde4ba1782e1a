"""From a toolkit to an offer: names, dialects, budgets, and what has to be told of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from toolroll.content import JsonObject
from toolroll.dialects.record import Adapted, Loss, Use
from toolroll.outcome import DefinitionError, Note, Report
from toolroll.providers.budget import Spent
from toolroll.providers.limit import ProviderLimits
from toolroll.providers.naming import wire_names
from toolroll.providers.offering import Offer
from toolroll.providers.option import CUT_MARK, OfferOptions
from toolroll.providers.sendable import sendable
from toolroll.providers.wire import Message, OfferedTool, Wire
from toolroll.toolkit.protocol import ListedTool, Toolkit
from toolroll.tools.context import CallContext

App = TypeVar("App")


class Adapt(Protocol):
    """The `adapt` of a dialect."""

    def __call__(self, schema: JsonObject, use: Use = "tool", *, describe: bool = False) -> Adapted:
        """Adapt a schema."""
        ...


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
        said = sendable([description, adapted.schema])
        if said != [description, adapted.schema]:
            reason = "half a surrogate pair became U+FFFD: it cannot be sent"
            notes.append(Note("lost", tool.name, reason, tool.source))
            description = sendable(description)
            adapted = replace(adapted, schema=sendable(adapted.schema))
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
        self._limits = limits
        self._spent = Spent()

    def takes(self, adapted: Adapted) -> bool:
        """Take a strict tool out of the allowance if it still fits."""
        spent = self._spent.with_tool(adapted.schema)
        if any(spent.over(self._limits)):
            return False
        self._spent = spent
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
