"""Tools at one moment, and the toolkit that lists and runs them.

Every toolkit of ours is a way to a snapshot; what it lists and how it calls is written here once.
"""

import hashlib
import json
import logging
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType, TracebackType
from typing import Generic, Self

from toolroll.outcome import BadOutcome, DefinitionError, NameClash, Note, Outcome, Repair, Report
from toolroll.toolkit.lookup import MAX_LISTED, NameTable, unknown_tool
from toolroll.toolkit.protocol import App_contra, ListedTool, Listing, Toolkit
from toolroll.tools.call import ToolCall
from toolroll.tools.context import CallContext
from toolroll.tools.ending import not_run
from toolroll.tools.gate import AnyContext
from toolroll.tools.invocation import invoke
from toolroll.tools.recording import Recorder
from toolroll.tools.tool import AnyTool

_LOG = logging.getLogger("toolroll.toolkit")


class Snapshot:
    """Tools by name, in order; never changes.

    Args:
        tools: in the order they are listed.
        report: what was left out or changed on the way here.
        owners: by the name of a toolkit or source, the one thing that has it here.
        max_listed: most names in the refusal of an unknown tool.

    Raises:
        NameClash: several tools have one name; lists all.

    Example:
        >>> from toolroll import tool
        >>> @tool(effect="read")
        ... def one() -> int:
        ...     '''Say one.'''
        ...     return 1
        >>> list(Snapshot([one]).tools), Snapshot([one]).revision == Snapshot([one]).revision
        (['one'], True)
    """

    __slots__ = (
        "_listing",
        "_revision",
        "max_listed",
        "names",
        "owners",
        "report",
        "same_for_all",
        "tools",
    )

    def __init__(
        self,
        tools: Iterable[AnyTool],
        report: Report = Report(),
        *,
        owners: Mapping[str, object] = MappingProxyType({}),
        max_listed: int = MAX_LISTED,
    ) -> None:
        kept = tuple(tools)
        self.tools: Mapping[str, AnyTool] = {tool.name: tool for tool in kept}
        if len(self.tools) != len(kept):
            raise NameClash(_clashes(kept))
        self.report, self.owners, self.max_listed = report, owners, max_listed
        self.names = NameTable(self.tools)
        self.same_for_all = not any(tool.gates.ask_who_calls for tool in kept)
        self._listing: Listing | None = None
        self._revision = ""

    def replaced(self, tools: Iterable[AnyTool]) -> "Snapshot":
        """Other tools in place of these; all else stays."""
        return Snapshot(tools, self.report, owners=self.owners, max_listed=self.max_listed)

    @property
    def revision(self) -> str:
        """A digest of all definitions in order; equal tools give equal revisions anywhere."""
        if not self._revision:
            digest = hashlib.sha256()
            for tool in self.tools.values():
                digest.update(json.dumps(tool.definition.to_json(), sort_keys=True).encode())
            self._revision = digest.hexdigest()[:16]
        return self._revision

    def listing(self, context: AnyContext) -> Listing:
        """The tools for one caller; made once where all callers see the same."""
        if self._listing is not None:
            return self._listing
        listing = self._listed(context)
        if self.same_for_all:
            self._listing = listing
        return listing

    def _listed(self, context: AnyContext) -> Listing:
        listed: list[ListedTool] = []
        notes: list[Note] = []
        for tool in self.tools.values():
            try:
                if not tool.gates.open_to(context):
                    continue
                decision = tool.gates.decision(context)
            except Exception:
                _LOG.exception("a gate of %s failed; it is not listed", tool.name)
                notes.append(Note("skipped", tool.name, "one of its gates failed", tool.source))
                continue
            if decision == "block":
                notes.append(Note("blocked", tool.name, "the policy blocks it", tool.source))
                continue
            if decision == "allow" and tool.behavior.needs_approval is not False:
                decision = "approve"
            listed.append(
                ListedTool(
                    definition=tool.definition,
                    decision=decision,
                    source=tool.source,
                    origin=tool.origin or tool.name,
                    behavior=tool.behavior,
                    imported=tool.imported,
                )
            )
        report = self.report + Report(tuple(notes))
        return Listing(tools=tuple(listed), revision=self.revision, report=report)


class SnapshotToolkit(Generic[App_contra]):
    """A toolkit over snapshots. A call ends on the snapshot it began on.

    As a context manager it gives itself, so that a host can open any toolkit alike. It opened
    nothing, so it closes nothing: sources belong to whoever opened them.

    Example:
        >>> class Fixed(SnapshotToolkit[None]):
        ...     def snapshot(self, context: AnyContext, /) -> Snapshot:
        ...         return Snapshot(())
        >>> Fixed().listing(CallContext()).tools
        ()
    """

    __slots__ = ()

    async def __aenter__(self) -> Self:
        """The toolkit itself."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close nothing."""

    @property
    def inner(self) -> tuple[Toolkit[App_contra], ...]:
        """The toolkits that its tools are made of."""
        return ()

    @abstractmethod
    def snapshot(self, context: AnyContext, /) -> Snapshot:
        """The tools as they are now."""

    def listing(self, context: CallContext[App_contra], /) -> Listing:
        """The tools this caller may use: available and not blocked."""
        return self.snapshot(context).listing(context)

    async def call(self, call: ToolCall, context: CallContext[App_contra], /) -> Outcome:
        """Run one tool to its outcome; see `toolroll.tools.invocation` for the steps."""
        snapshot = self.snapshot(context)
        tool = snapshot.tools.get(call.name)
        if tool is None:
            return await self._another_spelling(snapshot, call, context)
        if tool.is_for_all:
            return await invoke(tool, call, context)
        try:
            is_open = tool.gates.open_to(context)
            is_blocked = is_open and tool.gates.decision(context) == "block"
        except Exception as error:
            _LOG.exception("a gate of %s failed; the call is not run", tool.name)
            failed = not_run(tool, call, error)
            await _decided(tool, call, context, failed)
            return failed
        if is_open and not is_blocked:
            return await invoke(tool, call, context)
        refused = unknown_tool(call, visible(snapshot, context), snapshot.max_listed)
        if is_blocked:
            await _decided(tool, call, context, refused)
        return refused

    async def _another_spelling(
        self, snapshot: Snapshot, call: ToolCall, context: AnyContext
    ) -> Outcome:
        """A vendor's prefix, another case or other separators, if exactly one visible tool fits."""
        fitting = [
            tool
            for name in snapshot.names.folded(call.name)
            if _is_visible(tool := snapshot.tools[name], context)
        ]
        if len(fitting) != 1:
            return unknown_tool(call, visible(snapshot, context), snapshot.max_listed)
        (tool,) = fitting
        return await invoke(tool, renamed_call(call, tool.name), context)


def join(
    snapshots: Sequence[Snapshot], tools: Iterable[AnyTool], report: Report = Report()
) -> Snapshot:
    """One snapshot of tools that come from several, with their reports before its own."""
    return Snapshot(
        tools,
        sum((one.report for one in snapshots), Report()) + report,
        owners={name: owner for one in snapshots for name, owner in one.owners.items()},
        max_listed=max((one.max_listed for one in snapshots), default=MAX_LISTED),
    )


def namesakes(snapshots: Sequence[Snapshot]) -> list[tuple[int, str]]:
    """Where a toolkit or source stands whose name another one before it has.

    A rule of a policy speaks of a name, so a name is one thing. Parts of one toolkit, and several
    lists of one source, are that one thing.
    """
    first: dict[str, object] = {}
    return [
        (at, name)
        for at, one in enumerate(snapshots)
        for name, owner in one.owners.items()
        if first.setdefault(name, owner) is not owner
    ]


def namesakes_error(found: Sequence[tuple[int, str]]) -> DefinitionError:
    """What is raised where toolkits or sources share a name."""
    names = ", ".join(sorted({name for _, name in found}))
    return DefinitionError(
        f"different toolkits or sources are named alike: {names}. A rule would speak of both; "
        "give each a name of its own."
    )


def visible(snapshot: Snapshot, context: AnyContext) -> list[str]:
    """Names of the tools this caller may know of, in order."""
    if snapshot.same_for_all and snapshot.tools:
        return [listed.name for listed in snapshot.listing(context).tools]
    return [name for name, tool in snapshot.tools.items() if _is_visible(tool, context)]


def renamed_call(call: ToolCall, name: str) -> ToolCall:
    """The call under the tool's own name; the change is reported as a repair."""
    repair = Repair("resolve_name", was=call.name)
    arguments = call.arguments
    return ToolCall(
        id=call.id,
        name=name,
        arguments=type(arguments)(
            value=arguments.value,
            status=arguments.status,
            partial=arguments.partial,
            repairs=(repair, *arguments.repairs),
            dropped=arguments.dropped,
            problem=arguments.problem,
        ),
        finish=call.finish,
    )


def _is_visible(tool: AnyTool, context: AnyContext) -> bool:
    try:
        return tool.gates.open_to(context) and tool.gates.decision(context) != "block"
    except Exception:
        _LOG.exception("a gate of %s failed; it is not shown", tool.name)
        return False


async def _decided(tool: AnyTool, call: ToolCall, context: AnyContext, outcome: BadOutcome) -> None:
    """Tell the tool's journal of a call that ends at the gates."""
    recorder = Recorder.of(tool, call, context, None)
    if recorder is not None:
        await recorder.note("decided", outcome=outcome.kind, code=outcome.code)


def _clashes(tools: Iterable[AnyTool]) -> dict[str, tuple[tuple[str, str], ...]]:
    owners: dict[str, list[tuple[str, str]]] = {}
    for tool in tools:
        owners.setdefault(tool.name, []).append((tool.source or "-", tool.origin or tool.name))
    return {name: tuple(pairs) for name, pairs in owners.items() if len(pairs) > 1}
