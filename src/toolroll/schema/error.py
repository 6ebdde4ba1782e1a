"""Errors of authors that lie in a schema."""

from toolroll.outcome import DefinitionError


class SchemaError(DefinitionError):
    """A schema that cannot be used; `pointer` says where in it."""

    def __init__(self, message: str, *, tool: str = "", pointer: str = "") -> None:
        super().__init__(message, tool=tool, pointer=pointer)


class SchemaTooLarge(SchemaError):
    """A schema beyond its budget of depth, places or references."""
