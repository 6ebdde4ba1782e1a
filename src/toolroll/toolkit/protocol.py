"""The one verb: a toolkit lists tools and is the only thing that runs one."""

from dataclasses import dataclass
from typing import Protocol

from typing_extensions import TypeVar

from toolroll.outcome import Outcome, Report
from toolroll.tools.behavior import Behavior
from toolroll.tools.call import ToolCall
from toolroll.tools.context import CallContext
from toolroll.tools.definition import ToolDefinition
from toolroll.tools.gate import Decision

App_contra = TypeVar("App_contra", contravariant=True, default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedTool:
    """One tool as a toolkit offers it.

    Args:
        definition: under the name the model uses.
        decision: `allow`, or `approve` when a person has to say yes to some or all calls.
        source: the source or toolkit it comes from.
        origin: its name there.
        behavior: how it is run.
        imported: its definition is foreign: hints are claims, strict modes stay off.

    Example:
        >>> made = ToolDefinition(name="now", description="Time.", input_schema={"type": "object"})
        >>> ListedTool(definition=made, decision="approve").name
        'now'
    """

    definition: ToolDefinition
    decision: Decision = "allow"
    source: str = ""
    origin: str = ""
    behavior: Behavior = Behavior()
    imported: bool = False

    @property
    def name(self) -> str:
        """The name the model uses."""
        return self.definition.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """The tools of a toolkit for one context.

    Args:
        tools: in order; the order is part of a provider's cached prompt and does not change.
        revision: changes when the tools change.
        report: what was left out, renamed or is otherwise worth knowing.

    Example:
        >>> Listing(tools=()).find("now") is None
        True
    """

    tools: tuple[ListedTool, ...]
    revision: str = ""
    report: Report = Report()

    def find(self, name: str) -> ListedTool | None:
        """The tool of this name, if it is listed."""
        return next((tool for tool in self.tools if tool.name == name), None)


class Toolkit(Protocol[App_contra]):
    """Lists tools and runs one. `call` never raises for what a model or a handler does.

    Example:
        >>> from toolroll import LocalToolkit
        >>> kit: Toolkit[None] = LocalToolkit("none")
        >>> kit.listing(CallContext()).tools
        ()
    """

    def listing(self, context: CallContext[App_contra], /) -> Listing:
        """The tools this caller may use."""
        ...

    async def call(self, call: ToolCall, context: CallContext[App_contra], /) -> Outcome:
        """Run one tool to its outcome."""
        ...
