"""What functions declare to return, as data."""

from typing import Any, get_origin

from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError
from typing_extensions import is_typeddict

from toolroll.content import JsonValue
from toolroll.schema.inference.adaptation import adapter_of, json_schema_of, unfolded
from toolroll.schema.inference.explanation import must
from toolroll.schema.jsonable import misfit
from toolroll.schema.pointer import pointer_of


class TypedOutput:
    """A declared output: its JSON Schema, and the way from a returned value to data.

    Args:
        annotation: a pydantic model, a dataclass or a TypedDict.
        tool: the tool's name, for messages.

    Raises:
        DefinitionError: it has no JSON form.
    """

    __slots__ = ("_adapter", "_instance_of", "schema")

    def __init__(self, annotation: Any, tool: str) -> None:
        kind = get_origin(annotation) or annotation
        subject = f"{tool}: what it returns"
        self._adapter: TypeAdapter[Any] = adapter_of(annotation, subject)
        self._instance_of: type | None = None if is_typeddict(kind) else kind
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
            raise misfit(pointer_of(item["loc"]), must(item["msg"]), returned=returned) from error
        except PydanticSerializationError as error:
            raise misfit("", "must hold what it declares", returned=returned) from error
