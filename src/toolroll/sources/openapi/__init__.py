"""OpenAPI documents as tools: read once, kept as data, called through `http_source`."""

from toolroll.sources.openapi.limit import ReadingLimits
from toolroll.sources.openapi.reading import OpenApiReading, Skipped, read_operations
from toolroll.sources.openapi.selection import Select, Selection

__all__ = [
    "OpenApiReading",
    "ReadingLimits",
    "Select",
    "Selection",
    "Skipped",
    "read_operations",
]
