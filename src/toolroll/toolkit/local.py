"""Tools of this process under one name."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from toolroll.outcome import DefinitionError
from toolroll.toolkit.protocol import App_contra
from toolroll.toolkit.snapshot import Snapshot, SnapshotToolkit
from toolroll.tools.gate import AnyContext
from toolroll.tools.naming import check_source_name
from toolroll.tools.tool import AnyTool, Tool


class LocalToolkit(SnapshotToolkit[App_contra]):
    """A named group of authored tools.

    Args:
        name: the toolkit's name, `^[a-z][a-z0-9_-]{0,31}$` without `__`.
        tools: in the order they are listed.
        prefix: the model sees `NAME__TOOL` instead of `TOOL`.

    Raises:
        DefinitionError: a bad name, something that is no tool, or a tool that was made for another
            toolkit.
        NameClash: several tools have one name.

    Example:
        >>> from toolroll import tool, LocalToolkit
        >>> @tool(effect="read")
        ... def note_count() -> int:
        ...     '''Say how many notes there are.'''
        ...     return 2
        >>> kit = LocalToolkit("notes", note_count)
    """

    __slots__ = ("_snapshot", "name")

    def __init__(
        self, name: str, *tools: Tool[App_contra, ..., object], prefix: bool = False
    ) -> None:
        check_source_name(name, what="toolkit")
        for tool in tools:
            _check_tool(name, tool)
            if tool.source not in ("", name):
                raise DefinitionError(
                    f"{tool.name} was made for toolkit {tool.source!r} and cannot go into "
                    f"{name!r}; make it with toolkit={name!r} or without.",
                    tool=tool.name,
                )
        self.name = name
        self._snapshot = Snapshot(self._owned(tools, prefix=prefix), owners={name: object()})

    def _owned(self, tools: Iterable[Tool[Any, ..., object]], *, prefix: bool) -> Iterable[AnyTool]:
        for tool in tools:
            owned = replace(tool, source=self.name, origin=tool.name)
            yield owned.with_name(f"{self.name}__{tool.name}") if prefix else owned

    def snapshot(self, context: AnyContext, /) -> Snapshot:
        """The tools; always the same."""
        return self._snapshot


def _check_tool(name: str, given: object) -> None:
    if isinstance(given, Tool):
        return
    mend = "make a tool of it with @tool(effect=...) or define_tool"
    if isinstance(given, (list, tuple, set, frozenset)):
        mend = f"write LocalToolkit({name!r}, *tools)"
    raise DefinitionError(f"toolkit {name!r}: {given!r:.60} is no tool; {mend}.")
