"""What an author adds around the schema's check: bounds before it, a check of its own after it."""

from collections.abc import Callable
from typing import TypeAlias

from toolroll.content import JsonObject, JsonValue
from toolroll.outcome import Issue, Repair
from toolroll.schema import clamp
from toolroll.schema.reading import InputReader, ReadInput, RejectedInput, RepairMode

Validate: TypeAlias = Callable[[JsonObject], JsonObject]
"""Gets the checked input; returns the input to run with, or raises `ValueError` with a message that
a model can act on."""


class ClampedReader:
    """Cuts an input to the bounds of its schema, then reads it by another reader."""

    __slots__ = ("_reader", "_schema")

    def __init__(self, reader: InputReader, schema: JsonObject) -> None:
        self._reader, self._schema = reader, schema

    def read(
        self, arguments: JsonValue, /, *, repair: RepairMode = "schema"
    ) -> ReadInput | RejectedInput:
        """Cut, then check; every cut is reported."""
        clamped = clamp(arguments, self._schema)
        read = self._reader.read(clamped.value, repair=repair)
        if isinstance(read, RejectedInput) or not clamped.clamped:
            return read
        cuts = tuple(Repair("clamp", pointer) for pointer in clamped.clamped)
        return ReadInput(read.value, read.bound, (*cuts, *read.repairs))


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
            value = self._validate(read.value)
        except ValueError as error:
            return RejectedInput((Issue("", str(error) or "is not valid", keyword="validate"),))
        return ReadInput(value, value, read.repairs)
