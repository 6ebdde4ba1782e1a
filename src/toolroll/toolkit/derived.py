"""Toolkits made from toolkits: each is a rewrite of the tools of another."""

import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Protocol, TypeAlias, cast, runtime_checkable

from toolroll.outcome import Answer, BadOutcome, Failed, Outcome, ToolrollError
from toolroll.toolkit.protocol import App_contra, ListedTool, Toolkit
from toolroll.toolkit.snapshot import Snapshot, SnapshotToolkit
from toolroll.tools.call import ToolCall
from toolroll.tools.gate import AnyContext
from toolroll.tools.recording import ends_the_caller
from toolroll.tools.tool import AnyTool, presenting

_LOG = logging.getLogger("toolroll.toolkit")

Rewrite: TypeAlias = Callable[[Sequence[Snapshot]], Snapshot]


@runtime_checkable
class HasSnapshot(Protocol):
    """A toolkit of ours, whose tools can be rewritten as values."""

    def snapshot(self, context: AnyContext, /) -> Snapshot:
        """The tools as they are now."""
        ...


class DerivedToolkit(SnapshotToolkit[App_contra]):
    """A toolkit whose tools are a function of other toolkits' tools.

    The rewrite is done again only when one of the inner snapshots is another one.

    Args:
        rewrite: makes the new tools of those of the inner toolkits.
        inner: the toolkits.

    Example:
        >>> from toolroll import CallContext, LocalToolkit
        >>> kits = LocalToolkit("a"), LocalToolkit("b")
        >>> last = DerivedToolkit(lambda snapshots: snapshots[-1], *kits)
        >>> last.listing(CallContext()).tools
        ()
    """

    __slots__ = ("_inner", "_kept", "_rewrite")

    def __init__(self, rewrite: Rewrite, *inner: Toolkit[App_contra]) -> None:
        self._rewrite, self._inner = rewrite, inner
        self._kept: tuple[tuple[Snapshot, ...], Snapshot] | None = None

    @property
    def inner(self) -> tuple[Toolkit[App_contra], ...]:
        """The toolkits whose tools are rewritten."""
        return self._inner

    def snapshot(self, context: AnyContext, /) -> Snapshot:
        """The rewritten tools as they are now."""
        inner = tuple(snapshot_of(kit, context) for kit in self._inner)
        kept = self._kept
        if kept is None or any(old is not new for old, new in zip(kept[0], inner, strict=True)):
            kept = self._kept = (inner, self._rewritten(inner))
        return kept[1]

    def _rewritten(self, inner: Sequence[Snapshot]) -> Snapshot:
        """The new tools; the last good ones where a live toolkit's change cannot be used."""
        try:
            return self._rewrite(inner)
        except ToolrollError:
            if self._kept is None:
                raise
            _LOG.exception("a change of the tools cannot be used; the last good ones stay")
            return self._kept[1]


def derive(
    kit: Toolkit[App_contra], rewrite: Callable[[AnyTool], AnyTool | None]
) -> DerivedToolkit[App_contra]:
    """A toolkit in which each tool is rewritten on its own; None leaves it out.

    Args:
        kit: the toolkit.
        rewrite: of one tool; None leaves it out.

    Example:
        >>> from toolroll import CallContext, LocalToolkit
        >>> derive(LocalToolkit("none"), lambda tool: tool).listing(CallContext()).tools
        ()
    """

    def all_of(snapshots: Sequence[Snapshot]) -> Snapshot:
        (snapshot,) = snapshots
        rewritten = (rewrite(tool) for tool in snapshot.tools.values())
        return snapshot.replaced(tool for tool in rewritten if tool is not None)

    return DerivedToolkit(all_of, kit)


def snapshot_of(kit: Toolkit[Any], context: AnyContext) -> Snapshot:
    """The tools of any toolkit; those of a foreign one forward their calls to it.

    Args:
        kit: the toolkit.
        context: of whoever asks; matters where a foreign toolkit lists by it.

    Example:
        >>> from toolroll import CallContext, LocalToolkit
        >>> list(snapshot_of(LocalToolkit("none"), CallContext()).tools)
        []
    """
    if isinstance(kit, HasSnapshot):
        return kit.snapshot(context)
    listing = kit.listing(context)
    return Snapshot((_forwarding(kit, listed) for listed in listing.tools), listing.report)


def _forwarding(kit: Toolkit[Any], listed: ListedTool) -> AnyTool:
    return presenting(
        listed.definition, partial(_forward, kit, listed.name), behavior=listed.behavior
    )


async def _forward(kit: Toolkit[Any], name: str, call: ToolCall, context: AnyContext) -> Outcome:
    own = (
        call
        if call.name == name
        else ToolCall(id=call.id, name=name, arguments=call.arguments, finish=call.finish)
    )
    return await outcome_of(kit, own, context)


async def outcome_of(kit: Toolkit[Any], call: ToolCall, context: AnyContext) -> Outcome:
    """The outcome of a call of any toolkit, also of a foreign one that raises or gives none.

    What ends the caller's task or process passes through.

    Args:
        kit: the toolkit.
        call: as it was read.
        context: of the host.

    Example:
        >>> import asyncio
        >>> from toolroll import CallContext, LocalToolkit
        >>> ghost = ToolCall.of("ghost")
        >>> asyncio.run(outcome_of(LocalToolkit("none"), ghost, CallContext())).kind
        'refused'
    """
    name = call.name
    try:
        outcome = await kit.call(call, context)
    except BaseException as error:
        if ends_the_caller(error):
            raise
        _LOG.exception("the toolkit of %s raised instead of giving an outcome", name)
        return Failed(code="handler-error", message=f"{name} failed.", call_id=call.id, cause=error)
    if isinstance(cast("object", outcome), (Answer, BadOutcome)):
        return outcome
    _LOG.error("the toolkit of %s gave %s instead of an outcome", name, type(outcome).__name__)
    return Failed(code="handler-error", message=f"{name} failed.", call_id=call.id)
