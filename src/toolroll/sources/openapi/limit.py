"""Budgets that bound what one document can cause."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingLimits:
    """How large a document's tools may be.

    Args:
        operations: most operations that are read; the rest is skipped by name.
        depth: levels of one schema; what lies deeper is any value.
        references: links of one chain of `$ref`.
        places: most subschemas of one schema; a larger one cannot be used.
        schema: most characters of a tool's input schema; a larger one is skipped.
        large: characters (name, description and schemas as JSON) from which a tool is named in
            the report.
        large_list: characters of all tools together from which the report says so.
        output: most characters of an output schema; a larger one is left out.

    Example:
        >>> from toolroll.sources.openapi import read_operations
        >>> notes = {"/notes": {"get": {"responses": {}}, "delete": {"responses": {}}}}
        >>> info = {"title": "Notes", "version": "1"}
        >>> document = {"openapi": "3.1.0", "info": info, "paths": notes}
        >>> reading = read_operations(document, limits=ReadingLimits(operations=1))
        >>> len(reading.operations), len(reading.skipped)
        (1, 1)
    """

    operations: int = 20_000
    depth: int = 64
    references: int = 32
    places: int = 50_000
    schema: int = 1_000_000
    large: int = 12_000
    large_list: int = 400_000
    output: int = 4_000


DEFAULT_LIMITS = ReadingLimits()
"""What holds where nothing else is said."""
