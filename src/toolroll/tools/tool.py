"""A tool as a value: its definition, how it is run, and the gates it carries."""

import dataclasses
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias, cast

from typing_extensions import ParamSpec, TypeVar

from toolroll.content import JsonValue
from toolroll.outcome import InvalidInput, Outcome
from toolroll.schema.reading import InputReader, ReadInput, ResultWriter
from toolroll.tools.behavior import Behavior
from toolroll.tools.call import ToolCall
from toolroll.tools.definition import ToolDefinition
from toolroll.tools.gate import AnyContext, Gates

App_contra = TypeVar("App_contra", contravariant=True, default=Any)
P = ParamSpec("P", default=...)
R_co = TypeVar("R_co", covariant=True, default=object)

Bound: TypeAlias = Mapping[str, object]
Handler: TypeAlias = Callable[[Bound, AnyContext], object]
"""Runs a tool on its bound input; the context is None for a tool that does not want one."""
Forward: TypeAlias = Callable[[ToolCall, AnyContext], Awaitable[Outcome]]


# Without slots: a subscripted call of a frozen, slotted and generic class fails on Python 3.11.
@dataclass(frozen=True, kw_only=True)
class Tool(Generic[App_contra, P, R_co]):
    """One tool: what it is, how it is checked and run, and what stands before a run.

    Made by `@tool`, `define_tool` or a source; changed only by making another (`with_name`,
    `with_gates`). A tool made from a function is still callable with that function's signature.

    Args:
        definition: under the name the model uses.
        reader: checks and binds an input.
        writer: turns what the handler returned into a `ToolResult`.
        handler: runs it; a coroutine function when `is_async`.
        behavior: how it is run.
        function: the decorated function, for the direct typed path.
        source: the toolkit or source it belongs to, "" while it belongs to none.
        origin: its name there.
        imported: it came from a source, so its hints are claims and its input goes as given.
        trusted: its hints are believed.
        wants_context: the handler reads its context.
        gates: what the runner passes first.
        forward: a tool that only presents others: the call goes there as it is, with no check,
            limit or journal of its own.
        is_for_all: it is there for every caller, whoever it is (read from the gates).
        may_ask: a call may need a person's yes (read from the gates and the behavior).
        is_unguarded: nothing stands between the check and the run: no approval, limit or journal.

    Example:
        >>> from toolroll.tools import tool
        >>> @tool(effect="read")
        ... def one() -> int:
        ...     '''Say one.'''
        ...     return 1
        >>> one.name, one(), one.with_name("uno").name
        ('one', 1, 'uno')
    """

    definition: ToolDefinition
    reader: InputReader
    writer: ResultWriter
    handler: Handler
    is_async: bool
    behavior: Behavior = Behavior()
    function: Callable[P, R_co] | None = field(default=None, repr=False)
    source: str = ""
    origin: str = ""
    imported: bool = False
    trusted: bool = True
    wants_context: bool = True
    gates: Gates = Gates()
    forward: Forward | None = None
    is_for_all: bool = field(init=False, repr=False, compare=False)
    may_ask: bool = field(init=False, repr=False, compare=False)
    is_unguarded: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # What the runner asks of the gates at every call, answered once.
        gates, put = self.gates, object.__setattr__
        may_ask = bool(gates.decide or gates.always != "allow" or self.behavior.needs_approval)
        stopped = gates.limits or gates.journal is not None or self.forward is not None
        put(self, "is_for_all", not (gates.ask_who_calls or gates.always == "block"))
        put(self, "may_ask", may_ask)
        put(self, "is_unguarded", not (may_ask or stopped))

    @property
    def name(self) -> str:
        """The name the model uses."""
        return self.definition.name

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co:
        """Call the function directly: typed, unchecked, without gates; it raises as it likes."""
        if self.function is None:
            raise TypeError(f"{self.name} has no function to call directly; use kit.call.")
        return self.function(*args, **kwargs)

    def read(self, arguments: JsonValue) -> ReadInput | InvalidInput:
        """Check an input without running anything, by the rules of a call.

        For hosts that run tools another way.
        """
        read = self.reader.read(arguments, repair=self.behavior.repair)
        if isinstance(read, ReadInput):
            return read
        return InvalidInput(
            code="bad-arguments",
            message=f"The arguments do not fit {self.name}.",
            issues=read.issues,
        )

    def with_name(self, name: str) -> "Tool[App_contra, P, R_co]":
        """The same tool under another name; `origin` keeps the one it has where it lives."""
        return self.with_definition(dataclasses.replace(self.definition, name=name))

    def with_definition(self, definition: ToolDefinition) -> "Tool[App_contra, P, R_co]":
        """The same tool shown otherwise; what is checked and run stays."""
        return dataclasses.replace(self, definition=definition, origin=self.origin or self.name)

    def with_gates(self, gates: Gates) -> "Tool[App_contra, P, R_co]":
        """The same tool behind other gates."""
        return dataclasses.replace(self, gates=gates)


AnyTool: TypeAlias = Tool[Any, ..., object]


def presenting(
    definition: ToolDefinition, forward: Forward, *, behavior: Behavior | None = None
) -> AnyTool:
    """A tool that only presents others; its calls go to `forward` as they are."""
    nothing = cast("Any", None)
    return Tool(
        definition=definition,
        reader=nothing,
        writer=nothing,
        handler=nothing,
        is_async=True,
        behavior=behavior or Behavior(concurrency_safe=True),
        forward=forward,
    )
