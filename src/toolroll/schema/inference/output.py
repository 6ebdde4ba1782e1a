"""What functions declare to return, as data."""

from collections.abc import Mapping
from typing import Any, get_args, get_origin

from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError
from typing_extensions import is_typeddict

from toolroll.content import JsonValue
from toolroll.outcome import DefinitionError
from toolroll.schema.inference.adapter import adapter_of, is_record, json_schema_of, unfolded
from toolroll.schema.inference.explanation import must
from toolroll.schema.jsonable import misfit
from toolroll.schema.pointer import pointer_of
from toolroll.schema.writer import to_data


class TypedOutput:
    """A declared output: its JSON Schema, and the way from a returned value to data.

    Args:
        annotation: a pydantic model, a dataclass, a TypedDict, or any type with a JSON form.
        tool: the tool's name, for messages.
        names: what texts in it may mean, beside what its module defines.

    Raises:
        DefinitionError: it has no JSON form.
    """

    __slots__ = ("_adapter", "_instance_of", "schema")

    def __init__(self, annotation: Any, tool: str, names: Mapping[str, object]) -> None:
        kind = get_origin(annotation) or annotation
        subject = f"{tool}: what it returns"
        self._adapter: TypeAdapter[Any] = adapter_of(annotation, subject, names)
        self._instance_of: type | None = (
            kind if is_record(annotation) and not is_typeddict(kind) else None
        )
        self.schema = unfolded(
            json_schema_of(self._adapter.core_schema, subject, mode="serialization")
        )

    def dump(self, returned: object) -> JsonValue:
        """The data of a returned value: an instance, or a mapping that fits.

        Raises:
            OutcomeError: it does not fit.
        """
        try:
            if self._instance_of is None or not isinstance(returned, self._instance_of):
                returned = self._adapter.validate_python(returned)
            return self._adapter.dump_python(returned, mode="json", by_alias=True, warnings="error")
        except ValidationError as error:
            item = error.errors(include_url=False, include_input=False)[0]
            # Pydantic's last step to a key that does not fit is no place.
            place = item["loc"][:-1] if item["loc"][-1:] == ("[key]",) else item["loc"]
            raise misfit(pointer_of(place), must(item["msg"]), returned=returned) from error
        except PydanticSerializationError as error:
            raise misfit("", "must hold what it declares", returned=returned) from error


class CheckedOutput:
    """A declared output that is no record: a number, a list, a mapping, a union of such.

    It is no output schema, whose root would have to be an object, but it is held to what it says.
    The check is made at the first result, so that making a tool does not pay for it, and at once
    where names around the function may be needed, which are gone by then. A type that has no JSON
    form is not checked.

    Args:
        annotation: what the function declares.
        tool: the tool's name, for messages.
        names: what texts in it may mean, beside what its module defines.
    """

    __slots__ = ("_annotation", "_output", "_ready", "_tool")

    def __init__(self, annotation: Any, tool: str, names: Mapping[str, object]) -> None:
        self._annotation, self._tool = annotation, tool
        self._output: TypedOutput | None = None
        self._ready = False
        if names and _holds_an_inner_class(annotation):
            self._output = self._made(names)
            self._ready = self._output is not None

    def dump(self, returned: object) -> JsonValue:
        """The data of a returned value.

        Raises:
            OutcomeError: it does not fit.
        """
        if returned.__class__ is self._annotation:
            return to_data(returned)  # a number where a number is declared
        if not self._ready:
            self._output = self._made({})
            self._ready = True
        return to_data(returned if self._output is None else self._output.dump(returned))

    def _made(self, names: Mapping[str, object]) -> TypedOutput | None:
        try:
            return TypedOutput(self._annotation, self._tool, names)
        except DefinitionError:
            return None


def _holds_an_inner_class(annotation: object) -> bool:
    """Whether a class in it stands in a function or a class, whose names its fields may use."""
    return "." in str(getattr(annotation, "__qualname__", "")) or any(
        map(_holds_an_inner_class, get_args(annotation))
    )
