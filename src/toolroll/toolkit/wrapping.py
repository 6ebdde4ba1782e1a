"""Filters and renamings: functions from toolkit to toolkit. Each keeps the tools' behaviour."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from toolroll.outcome import DefinitionError, Report
from toolroll.toolkit.derived import DerivedToolkit, HasSnapshot, derive
from toolroll.toolkit.protocol import App_contra, Toolkit
from toolroll.toolkit.snapshot import Snapshot
from toolroll.tools.context import CallContext
from toolroll.tools.definition import ToolDefinition
from toolroll.tools.gate import Availability


def merge(*kits: Toolkit[App_contra]) -> DerivedToolkit[App_contra]:
    """All tools of several toolkits as one, in order.

    Raises:
        NameClash: two share a name; at once where the toolkits are static, else at the listing.
    """

    def together(snapshots: Sequence[Snapshot]) -> Snapshot:
        report = sum((snapshot.report for snapshot in snapshots), Report())
        return Snapshot((tool for one in snapshots for tool in one.tools.values()), report)

    merged = DerivedToolkit(together, *kits)
    if all(isinstance(kit, HasSnapshot) for kit in kits):
        merged.snapshot(CallContext())  # a clash shows here, not at the first listing
    return merged


def restrict(kit: Toolkit[App_contra], names: Iterable[str]) -> DerivedToolkit[App_contra]:
    """Only these tools, in the order of the names; those of a set stay in the toolkit's order.

    Providers keep the beginning of a prompt, so the order should not change in between. A name that
    is no tool of the toolkit is left out.
    """
    kept = dict.fromkeys(names)
    if isinstance(names, AbstractSet):
        return derive(kit, lambda tool: tool if tool.name in kept else None)

    def in_order(snapshots: Sequence[Snapshot]) -> Snapshot:
        (snapshot,) = snapshots
        tools = [snapshot.tools[name] for name in kept if name in snapshot.tools]
        return Snapshot(tools, snapshot.report)

    return DerivedToolkit(in_order, kit)


def select(
    kit: Toolkit[App_contra], keep: Callable[[ToolDefinition], bool]
) -> DerivedToolkit[App_contra]:
    """Only the tools whose definition `keep` accepts."""
    return derive(kit, lambda tool: tool if keep(tool.definition) else None)


def rename(kit: Toolkit[App_contra], names: Mapping[str, str]) -> DerivedToolkit[App_contra]:
    """Tools under other names: old name -> new name. Others keep theirs."""
    return derive(
        kit, lambda tool: tool.with_name(names[tool.name]) if tool.name in names else tool
    )


def prefix(kit: Toolkit[App_contra], text: str) -> DerivedToolkit[App_contra]:
    """Every tool's name with `text` in front."""
    return derive(kit, lambda tool: tool.with_name(text + tool.name))


def describe(
    kit: Toolkit[App_contra], descriptions: Mapping[str, str]
) -> DerivedToolkit[App_contra]:
    """Tools with other descriptions: name -> description. Others keep theirs."""
    for name, description in descriptions.items():
        if not description.strip():
            raise DefinitionError(f"{name}: a description cannot be empty.", tool=name)
    return derive(
        kit,
        lambda tool: (
            tool.with_definition(replace(tool.definition, description=descriptions[tool.name]))
            if tool.name in descriptions
            else tool
        ),
    )


def available(kit: Toolkit[App_contra], when: Availability) -> DerivedToolkit[App_contra]:
    """Tools that are there only for callers for whom `when(context)` holds."""
    return derive(kit, lambda tool: tool.with_gates(tool.gates.and_available(when)))
