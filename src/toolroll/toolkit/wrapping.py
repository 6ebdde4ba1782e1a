"""Filters and renamings: functions from toolkit to toolkit. Each keeps the tools' behaviour."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from toolroll.outcome import DefinitionError, Note, Report
from toolroll.toolkit.derived import DerivedToolkit, HasSnapshot, derive
from toolroll.toolkit.protocol import App_contra, Toolkit
from toolroll.toolkit.snapshot import Snapshot, join, namesakes, namesakes_error
from toolroll.tools.context import CallContext
from toolroll.tools.definition import ToolDefinition
from toolroll.tools.gate import Availability
from toolroll.tools.handler import is_async_function
from toolroll.tools.naming import check_given_name, check_length
from toolroll.tools.rule import check_words
from toolroll.tools.tool import AnyTool

_LOG = logging.getLogger("toolroll.toolkit")


def merge(*kits: Toolkit[App_contra]) -> DerivedToolkit[App_contra]:
    """All tools of several toolkits as one, in order.

    Raises:
        NameClash: two tools share a name; at once where the toolkits are static, else at the
            listing.
        DefinitionError: different toolkits or sources share a name.

    Args:
        kits: in the order their tools are listed.

    Example:
        >>> from toolroll import LocalToolkit, tool
        >>> @tool(effect="read")
        ... def one() -> int:
        ...     '''Say one.'''
        ...     return 1
        >>> numbers = LocalToolkit("numbers", one)
        >>> both = merge(numbers, prefix(numbers, "my_"))
        >>> [one.name for one in both.listing(CallContext()).tools]
        ['one', 'my_one']
    """

    def together(snapshots: Sequence[Snapshot]) -> Snapshot:
        if alike := namesakes(snapshots):
            raise namesakes_error(alike)
        return join(snapshots, (tool for one in snapshots for tool in one.tools.values()))

    return _shown(DerivedToolkit(together, *kits), *kits)


def _shown(
    derived: DerivedToolkit[App_contra], *kits: Toolkit[App_contra]
) -> DerivedToolkit[App_contra]:
    """Looked at once where that contacts nobody: a clash shows here, not at the first listing."""
    if all(isinstance(kit, HasSnapshot) for kit in kits):
        derived.snapshot(CallContext())
    return derived


def restrict(kit: Toolkit[App_contra], names: Iterable[str]) -> DerivedToolkit[App_contra]:
    """Only these tools, in the order of the names; those of a set stay in the toolkit's order.

    Providers keep the beginning of a prompt, so the order should not change in between. A name that
    is no tool of the toolkit is left out.

    Args:
        kit: the toolkit.
        names: of tools, as the toolkit lists them.

    Raises:
        DefinitionError: the names are one text, whose letters would be the names.

    Example:
        >>> from toolroll import LocalToolkit, tool
        >>> @tool(effect="read")
        ... def one() -> int:
        ...     '''Say one.'''
        ...     return 1
        >>> numbers = LocalToolkit("numbers", one)
        >>> [one.name for one in restrict(numbers, ["one", "ghost"]).listing(CallContext()).tools]
        ['one']
    """
    if isinstance(names, str):
        raise DefinitionError(f"names is the text {names!r:.60}; write a list of names.")
    kept = dict.fromkeys(names)
    if isinstance(names, AbstractSet):
        return derive(kit, lambda tool: tool if tool.name in kept else None)

    def in_order(snapshots: Sequence[Snapshot]) -> Snapshot:
        (snapshot,) = snapshots
        tools = [snapshot.tools[name] for name in kept if name in snapshot.tools]
        return snapshot.replaced(tools)

    return DerivedToolkit(in_order, kit)


def filter(
    kit: Toolkit[App_contra], keep: Callable[[ToolDefinition], bool]
) -> DerivedToolkit[App_contra]:
    """Only the tools whose definition `keep` accepts.

    Args:
        kit: the toolkit.
        keep: says of a definition whether it stays; where it raises, the tool is left out with a
            note.

    Raises:
        DefinitionError: `keep` is async, or no function.

    Example:
        >>> from toolroll import LocalToolkit, tool
        >>> @tool(effect="read")
        ... def one() -> int:
        ...     '''Say one.'''
        ...     return 1
        >>> numbers = LocalToolkit("numbers", one)
        >>> from toolroll import toolkit
        >>> writing = toolkit.filter(numbers, lambda definition: definition.hints.effect != "read")
        >>> writing.listing(CallContext()).tools
        ()
    """
    _check_predicate(keep, "keep")

    def kept(snapshots: Sequence[Snapshot]) -> Snapshot:
        (snapshot,) = snapshots
        tools: list[AnyTool] = []
        notes: list[Note] = []
        for tool in snapshot.tools.values():
            try:
                if keep(tool.definition):
                    tools.append(tool)
            except Exception:
                _LOG.exception("the filter failed at %s; the tool is left out", tool.name)
                notes.append(Note("skipped", tool.name, "the filter failed at it", tool.source))
        report = snapshot.report + Report(tuple(notes))
        return Snapshot(tools, report, owners=snapshot.owners, max_listed=snapshot.max_listed)

    return DerivedToolkit(kept, kit)


def rename(kit: Toolkit[App_contra], names: Mapping[str, str]) -> DerivedToolkit[App_contra]:
    """Tools under other names: old name -> new name. Others keep theirs.

    Args:
        kit: the toolkit.
        names: new names by old ones.

    Raises:
        DefinitionError: a new name is none.
        NameClash: two share a name then; at once where the toolkit is static, else at the listing.

    Example:
        >>> from toolroll import LocalToolkit, tool
        >>> @tool(effect="read")
        ... def one() -> int:
        ...     '''Say one.'''
        ...     return 1
        >>> numbers = LocalToolkit("numbers", one)
        >>> rename(numbers, {"one": "uno"}).listing(CallContext()).tools[0].name
        'uno'
    """
    for name in names.values():
        check_given_name(name)
    renamed = derive(
        kit, lambda tool: tool.with_name(names[tool.name]) if tool.name in names else tool
    )
    return _shown(renamed, kit)


def prefix(kit: Toolkit[App_contra], text: str) -> DerivedToolkit[App_contra]:
    """Every tool's name with `text` in front.

    Args:
        kit: the toolkit.
        text: put in front as it is.

    Raises:
        DefinitionError: a name cannot begin so, or is too long then; at once where the toolkit is
            static, else at the listing.

    Example:
        >>> from toolroll import LocalToolkit, tool
        >>> @tool(effect="read")
        ... def one() -> int:
        ...     '''Say one.'''
        ...     return 1
        >>> numbers = LocalToolkit("numbers", one)
        >>> prefix(numbers, "my_").listing(CallContext()).tools[0].name
        'my_one'
    """
    check_given_name(text)

    def prefixed(tool: AnyTool) -> AnyTool:
        check_length(text + tool.name)
        return tool.with_name(text + tool.name)

    return _shown(derive(kit, prefixed), kit)


def describe(
    kit: Toolkit[App_contra], descriptions: Mapping[str, str]
) -> DerivedToolkit[App_contra]:
    """Tools with other descriptions: name -> description. Others keep theirs.

    Args:
        kit: the toolkit.
        descriptions: by name of the tool.

    Raises:
        DefinitionError: a description is blank, or no text.

    Example:
        >>> from toolroll import LocalToolkit, tool
        >>> @tool(effect="read")
        ... def one() -> int:
        ...     '''Say one.'''
        ...     return 1
        >>> numbers = LocalToolkit("numbers", one)
        >>> described = describe(numbers, {"one": "Say 1."}).listing(CallContext()).tools[0]
        >>> described.definition.description
        'Say 1.'
    """
    for name, description in descriptions.items():
        check_words(name, {"description": description})
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
    """Tools that are there only for callers for whom `when(context)` holds.

    Args:
        kit: the toolkit.
        when: asked at each listing and each call. Where it raises, the tool is left out of the
            listing with a note, and a call of it is `Failed` and not run.

    Raises:
        DefinitionError: `when` is async, or no function.

    Example:
        >>> from toolroll import LocalToolkit, tool
        >>> @tool(effect="read")
        ... def one() -> int:
        ...     '''Say one.'''
        ...     return 1
        >>> numbers = LocalToolkit("numbers", one)
        >>> staff = available(numbers, lambda context: context.principal is not None)
        >>> staff.listing(CallContext()).tools
        ()
    """
    _check_predicate(when, "when")
    return derive(kit, lambda tool: tool.with_gates(tool.gates.and_available(when)))


def _check_predicate(given: Callable[..., object], field: str) -> None:
    """An async predicate would say yes to everybody: what it returns is a coroutine."""
    if not callable(given) or is_async_function(given):
        kind = "async" if callable(given) else "no function"
        raise DefinitionError(f"{field} is {kind}, got {given!r:.60}; write a plain function.")


def suggest(kit: Toolkit[App_contra], *, max_listed: int) -> DerivedToolkit[App_contra]:
    """The same tools, and another number of names in the refusal of an unknown tool (50).

    Wrappers around it and toolkits that it goes into keep the number; of several the largest.

    Args:
        kit: the toolkit.
        max_listed: most names, at least 1; after them stands how many more there are.

    Raises:
        DefinitionError: the number is below 1.

    Example:
        >>> from toolroll import LocalToolkit, ToolCall, run_sync, tool
        >>> @tool(effect="read")
        ... def one() -> int:
        ...     '''Say one.'''
        ...     return 1
        >>> numbers = LocalToolkit("numbers", one)
        >>> pair = suggest(merge(numbers, prefix(numbers, "my_")), max_listed=1)
        >>> run_sync(pair.call, ToolCall.of("two"), CallContext()).lines
        ('tools\\tone', 'more\\t1')
    """
    if max_listed < 1:
        raise DefinitionError(f"max_listed is {max_listed}; it must be at least 1.")

    def listing(snapshots: Sequence[Snapshot]) -> Snapshot:
        (inner,) = snapshots
        return Snapshot(
            inner.tools.values(), inner.report, owners=inner.owners, max_listed=max_listed
        )

    return DerivedToolkit(listing, kit)
