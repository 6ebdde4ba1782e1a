"""Tools at one moment, and the toolkit that lists and runs them.

Every toolkit of ours is a way to a snapshot; what it lists and how it calls is written here once.
"""

import hashlib
import json
from abc import abstractmethod
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Generic, Self

from toolroll.outcome import NameClash, Note, Outcome, Repair, Report
from toolroll.toolkit.lookup import NameTable, unknown_tool
from toolroll.toolkit.protocol import App_contra, ListedTool, Listing
from toolroll.tools.call import ToolCall
from toolroll.tools.context import CallContext
from toolroll.tools.gate import AnyContext
from toolroll.tools.invocation import invoke
from toolroll.tools.recording import Recorder
from toolroll.tools.tool import AnyTool


class Snapshot:
    """Tools by name, in order; never changes.

    Args:
        tools: in the order they are listed.
        report: what was left out or changed on the way here.

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

    __slots__ = ("_listing", "_revision", "names", "report", "same_for_all", "tools")

    def __init__(self, tools: Iterable[AnyTool], report: Report = Report()) -> None:
        kept = tuple(tools)
        self.tools: Mapping[str, AnyTool] = {tool.name: tool for tool in kept}
        if len(self.tools) != len(kept):
            raise NameClash(_clashes(kept))
        self.report = report
        self.names = NameTable(self.tools)
        self.same_for_all = not any(tool.gates.ask_who_calls for tool in kept)
        self._listing: Listing | None = None
        self._revision = ""

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
            if not tool.gates.open_to(context):
                continue
            decision = tool.gates.decision(context)
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
        if tool.is_for_all or tool.gates.open_to(context):
            if tool.is_for_all or tool.gates.decision(context) != "block":
                return await invoke(tool, call, context)
            recorder = Recorder.of(tool, call, context, None)
            if recorder is not None:
                await recorder.note("decided", outcome="refused", code="unknown-tool")
        return unknown_tool(call, visible(snapshot, context))

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
            return unknown_tool(call, visible(snapshot, context))
        (tool,) = fitting
        return await invoke(tool, renamed_call(call, tool.name), context)


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
    return tool.gates.open_to(context) and tool.gates.decision(context) != "block"


def _clashes(tools: Iterable[AnyTool]) -> dict[str, tuple[tuple[str, str], ...]]:
    owners: dict[str, list[tuple[str, str]]] = {}
    for tool in tools:
        owners.setdefault(tool.name, []).append((tool.source or "-", tool.origin or tool.name))
    return {name: tuple(pairs) for name, pairs in owners.items() if len(pairs) > 1}
