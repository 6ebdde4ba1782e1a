"""Errors of authors that lie in a schema."""

from toolroll.outcome import DefinitionError


class SchemaError(DefinitionError):
    """A schema that cannot be used; `pointer` says where in it.

    Example:
        >>> from toolroll.schema import compile_check
        >>> try:
        ...     compile_check({"items": {"type": "strin"}})
        ... except SchemaError as error:
        ...     print(error.pointer)
        /items/type
    """

    def __init__(self, message: str, *, tool: str = "", pointer: str = "") -> None:
        super().__init__(message, tool=tool, pointer=pointer)


class SchemaTooLarge(SchemaError):
    """A schema beyond its budget of depth, places or references.

    Example:
        >>> from toolroll.schema import Limits, compile_check
        >>> try:
        ...     compile_check({"items": {"items": {}}}, limits=Limits(schema_depth=1))
        ... except SchemaTooLarge as error:
        ...     print(error.pointer)
        /items/items
    """
