"""Sources: tools that live elsewhere, and how they become toolkits."""

from toolroll.sources.adoption import SOURCE_BEHAVIOR, SourceToolkit, Trust, as_toolkit
from toolroll.sources.opening import opened
from toolroll.sources.source import (
    Discovery,
    SourceError,
    SourceReason,
    Timeouts,
    ToolSource,
    Watchable,
)

__all__ = [
    "SOURCE_BEHAVIOR",
    "Discovery",
    "SourceError",
    "SourceReason",
    "SourceToolkit",
    "Timeouts",
    "ToolSource",
    "Trust",
    "Watchable",
    "as_toolkit",
    "opened",
]
