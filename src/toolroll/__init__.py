"""Toolroll: the tools of LLM agents, defined once, checked, repaired, governed, served anywhere.

The names below are promised (see VERSIONING.md). Each is loaded from its place when it is first
asked for, so `import toolroll` itself loads nothing but the standard library.

    >>> import toolroll
    >>> toolroll.ToolCall.of("note_read", {"id": 3}).arguments.value
    {'id': 3}
"""

from importlib import import_module

TYPE_CHECKING = False
# <names> written from _PLACES by scripts/api --write
if TYPE_CHECKING:
    from toolroll._version import (
        __version__,
    )
    from toolroll.assembly import (
        Policy,
        Rule,
        Workspace,
        assemble,
    )
    from toolroll.content import (
        ToolResult,
    )
    from toolroll.outcome import (
        Aborted,
        Answer,
        DefinitionError,
        Failed,
        InvalidInput,
        NameClash,
        NeedsApproval,
        Outcome,
        Refusal,
        Refused,
        Report,
        TimedOut,
        Unavailable,
    )
    from toolroll.presentation import (
        search,
    )
    from toolroll.toolkit import (
        Listing,
        LiveToolkit,
        LocalToolkit,
        Toolkit,
        blocking,
        call_all,
        merge,
        restrict,
        run_sync,
        serialize,
    )
    from toolroll.tools import (
        Behavior,
        CallContext,
        Hints,
        Principal,
        Tool,
        ToolCall,
        ToolDefinition,
        define_tool,
        tool,
    )

__all__ = [
    "Aborted",
    "Answer",
    "Behavior",
    "CallContext",
    "DefinitionError",
    "Failed",
    "Hints",
    "InvalidInput",
    "Listing",
    "LiveToolkit",
    "LocalToolkit",
    "NameClash",
    "NeedsApproval",
    "Outcome",
    "Policy",
    "Principal",
    "Refusal",
    "Refused",
    "Report",
    "Rule",
    "TimedOut",
    "Tool",
    "ToolCall",
    "ToolDefinition",
    "ToolResult",
    "Toolkit",
    "Unavailable",
    "Workspace",
    "__version__",
    "assemble",
    "blocking",
    "call_all",
    "define_tool",
    "merge",
    "restrict",
    "run_sync",
    "search",
    "serialize",
    "tool",
]
# </names>

# To promise a name: add it here, then run scripts/api --write.
_PLACES = {
    "toolroll._version": ("__version__",),
    "toolroll.assembly": ("Policy", "Rule", "Workspace", "assemble"),
    "toolroll.content": ("ToolResult",),
    "toolroll.outcome": (
        "Aborted",
        "Answer",
        "DefinitionError",
        "Failed",
        "InvalidInput",
        "NameClash",
        "NeedsApproval",
        "Outcome",
        "Refusal",
        "Refused",
        "Report",
        "TimedOut",
        "Unavailable",
    ),
    "toolroll.presentation": ("search",),
    "toolroll.toolkit": (
        "Listing",
        "LiveToolkit",
        "LocalToolkit",
        "Toolkit",
        "blocking",
        "call_all",
        "merge",
        "restrict",
        "run_sync",
        "serialize",
    ),
    "toolroll.tools": (
        "Behavior",
        "CallContext",
        "Hints",
        "Principal",
        "Tool",
        "ToolCall",
        "ToolDefinition",
        "define_tool",
        "tool",
    ),
}

_PLACE_OF = {name: place for place, names in _PLACES.items() for name in names}

if not TYPE_CHECKING:  # a type checker would take any name for promised

    def __getattr__(name: str) -> object:
        place = _PLACE_OF.get(name)
        if place is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(place), name)
        globals()[name] = value  # found here from now on
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_PLACE_OF})
