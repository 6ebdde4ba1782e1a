"""What functions declare to return, as data."""

from typing import Any, get_origin

from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError
from typing_extensions import is_typeddict

from toolroll.content import JsonValue
from toolroll.outcome import DefinitionError
from toolroll.schema.inference.adaptation import adapter_of, is_record, json_schema_of, unfolded
from toolroll.schema.inference.explanation import must
from toolroll.schema.jsonable import misfit
from toolroll.schema.pointer import pointer_of
from toolroll.schema.writer import to_data


class TypedOutput:
    """A declared output: its JSON Schema, and the way from a returned value to data.

    Args:
        annotation: a pydantic model, a dataclass, a TypedDict, or any type with a JSON form.
        tool: the tool's name, for messages.

    Raises:
        DefinitionError: it has no JSON form.
    """

    __slots__ = ("_adapter", "_instance_of", "schema")

    def __init__(self, annotation: Any, tool: str) -> None:
        kind = get_origin(annotation) or annotation
        subject = f"{tool}: what it returns"
        self._adapter: TypeAdapter[Any] = adapter_of(annotation, subject)
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
    The check is made at the first result, so that making a tool does not pay for it; a type that
    has no JSON form is not checked.

    Args:
        annotation: what the function declares.
        tool: the tool's name, for messages.
    """

    __slots__ = ("_annotation", "_output", "_ready", "_tool")

    def __init__(self, annotation: Any, tool: str) -> None:
        self._annotation, self._tool = annotation, tool
        self._output: TypedOutput | None = None
        self._ready = False

    def dump(self, returned: object) -> JsonValue:
        """The data of a returned value.

        Raises:
            OutcomeError: it does not fit.
        """
        if returned.__class__ is self._annotation:
            return to_data(returned)  # a number where a number is declared
        if not self._ready:
            try:
                self._output = TypedOutput(self._annotation, self._tool)
            except DefinitionError:
                self._output = None
            self._ready = True
        return to_data(returned if self._output is None else self._output.dump(returned))
