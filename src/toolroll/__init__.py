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
    from toolroll.toolkit.protocol import (
        Listing,
        Toolkit,
    )
    from toolroll.tools.behavior import (
        Behavior,
    )
    from toolroll.tools.call import (
        ToolCall,
    )
    from toolroll.tools.context import (
        CallContext,
        Principal,
    )
    from toolroll.tools.definition import (
        ToolDefinition,
    )
    from toolroll.tools.hints import (
        Hints,
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
    "NameClash",
    "NeedsApproval",
    "Outcome",
    "Principal",
    "Refusal",
    "Refused",
    "Report",
    "TimedOut",
    "ToolCall",
    "ToolDefinition",
    "ToolResult",
    "Toolkit",
    "Unavailable",
    "__version__",
]
# </names>

# To promise a name: add it here, then run scripts/api --write.
_PLACES = {
    "toolroll._version": ("__version__",),
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
    "toolroll.toolkit.protocol": ("Listing", "Toolkit"),
    "toolroll.tools.behavior": ("Behavior",),
    "toolroll.tools.call": ("ToolCall",),
    "toolroll.tools.context": ("CallContext", "Principal"),
    "toolroll.tools.definition": ("ToolDefinition",),
    "toolroll.tools.hints": ("Hints",),
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
