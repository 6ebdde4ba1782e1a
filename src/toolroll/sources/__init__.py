"""Sources: tools that live elsewhere, and how they become toolkits."""

from toolroll.sources.adoption import SOURCE_BEHAVIOR, SourceToolkit, Trust, as_toolkit
from toolroll.sources.source import Discovery, SourceError, SourceReason, Timeouts, ToolSource

__all__ = [
    "SOURCE_BEHAVIOR",
    "Discovery",
    "SourceError",
    "SourceReason",
    "SourceToolkit",
    "Timeouts",
    "ToolSource",
    "Trust",
    "as_toolkit",
]
