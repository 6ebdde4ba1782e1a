"""What an author adds to the schema's check: a check of its own after it."""

from collections.abc import Callable
from typing import TypeAlias

from toolroll.content import JsonObject, JsonValue
from toolroll.outcome import Issue
from toolroll.schema.plain import fresh
from toolroll.schema.reading import InputReader, ReadInput, RejectedInput, RepairMode

Validate: TypeAlias = Callable[[JsonObject], JsonObject]
"""Gets the checked input; returns the input to run with, or raises `ValueError` with a message that
a model can act on."""


class ValidatedReader:
    """Reads by another reader, then by `validate`."""

    __slots__ = ("_reader", "_validate")

    def __init__(self, reader: InputReader, validate: Validate) -> None:
        self._reader, self._validate = reader, validate

    def read(
        self, arguments: JsonValue, /, *, repair: RepairMode = "schema"
    ) -> ReadInput | RejectedInput:
        """Check by the schema, then by the author's function."""
        read = self._reader.read(arguments, repair=repair)
        if isinstance(read, RejectedInput):
            return read
        try:
            value = self._validate(fresh(read.value))
        except ValueError as error:
            return RejectedInput((Issue("", str(error) or "is not valid", keyword="validate"),))
        return ReadInput(value, value, read.repairs)
