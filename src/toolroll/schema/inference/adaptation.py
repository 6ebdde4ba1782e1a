"""Types as schemas, by pydantic; the only file that knows it.

Inputs are checked in strict JSON mode, so that "7" is not taken for 7 while dates, UUIDs, decimals, enums,
tuples, sets, paths and base64 bytes work. Objects are closed at every depth.
"""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, cast, get_args, get_origin

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from pydantic.errors import PydanticUserError
from pydantic.fields import FieldInfo
from pydantic.json_schema import JsonSchemaMode
from pydantic_core import (
    CoreSchema,
    PydanticSerializationError,
    SchemaError,
    SchemaValidator,
    core_schema,
    to_json,
    to_jsonable_python,
)
from typing_extensions import Doc, is_typeddict

from toolroll.content import JsonValue
from toolroll.outcome import DefinitionError
from toolroll.schema.inference.explanation import must
from toolroll.schema.inference.schema_writer import SchemaWriter
from toolroll.schema.inference.signature import Parameter
from toolroll.schema.marker import MARK_BLANK, MARK_REQUIRED
from toolroll.schema.pointer import escape_part
from toolroll.schema.writer import misfit

_CONFIG = ConfigDict(val_json_bytes="base64", ser_json_bytes="base64")
_REFUSED = (ValidationError, PydanticSerializationError, UnicodeEncodeError)
_CORE_CONFIG = core_schema.CoreConfig(val_json_bytes="base64", ser_json_bytes="base64")


@dataclass(frozen=True, slots=True)
class TypedError:
    """One fault as pydantic reports it.

    Args:
        kind: pydantic's name of the fault.
        steps: its path, with the names of union branches among the steps.
        message: its sentence.
    """

    kind: str
    steps: tuple[str | int, ...]
    message: str


@dataclass(frozen=True, slots=True)
class TypedInput:
    """What a list of parameters or a model is as an input.

    Args:
        schema: the JSON Schema.
        load: checks plain JSON and gives what the handler gets: keyword arguments, or the instance.
        messages: words of `Required`, by pointer of the schema.
        blanks: pointers of the schemas marked `BlankIsAbsent`.
        refused: what `load` raises where an input does not fit.
        errors_of: reads such an exception.
    """

    schema: dict[str, JsonValue]
    load: Callable[[JsonValue], Any]
    messages: Mapping[str, str]
    blanks: tuple[str, ...]
    refused: tuple[type[Exception], ...]
    errors_of: Callable[[Exception], tuple[TypedError, ...]]


def _errors_of(error: Exception) -> tuple[TypedError, ...]:
    """The faults that a load reported."""
    if not isinstance(error, ValidationError):
        return ()
    found: list[TypedError] = []
    for item in error.errors(include_url=False, include_input=False):
        own = item.get("ctx", {}).get("error")
        message = (
            str(own)
            if item["type"] in ("value_error", "assertion_error") and own is not None
            else item["msg"]
        )
        found.append(TypedError(item["type"], item["loc"], message))
    return tuple(found)


def typed_parameters(parameters: Sequence[Parameter], tool: str, *, allow_open: bool) -> TypedInput:
    """The input of a function.

    Raises:
        DefinitionError: a type has no JSON form, or is open.
    """
    parts = [_Part.of(parameter) for parameter in parameters]
    core = _core_of([part.annotation for part in parts], parameters, tool)
    definitions = core["definitions"] if core["type"] == "definitions" else None
    items = cast(
        "core_schema.TupleSchema", core["schema"] if core["type"] == "definitions" else core
    )["items_schema"]
    fields = {part.name: part.field(item) for part, item in zip(parts, items, strict=True)}
    whole: CoreSchema = core_schema.typed_dict_schema(
        fields, extra_behavior="forbid", config=_CORE_CONFIG
    )
    if definitions is not None:
        whole = core_schema.definitions_schema(whole, definitions)
    schema = _json_schema(whole, tool, allow_open=allow_open)
    described = cast("dict[str, dict[str, JsonValue]]", schema.get("properties", {}))
    for part in parts:
        if part.description and "description" not in described[part.key]:
            described[part.key]["description"] = part.description
    ordered: dict[str, JsonValue] = {"type": "object", "properties": schema.pop("properties", {})}
    if "required" in schema:
        ordered["required"] = schema.pop("required")
    ordered["additionalProperties"] = False
    schema = {**ordered, **{key: value for key, value in schema.items() if key not in ordered}}
    return _input(schema, SchemaValidator(whole, _CORE_CONFIG), allow_open)


def typed_model(model: type[object], *, allow_open: bool) -> TypedInput:
    """The input of a tool that takes one model: a pydantic model, a dataclass or a TypedDict.

    Raises:
        DefinitionError: it is none of these, a type in it has no JSON form, or it is open.
    """
    name = getattr(model, "__name__", str(model))
    if not is_record(model):
        raise DefinitionError(
            f"{name} cannot be the input of a tool: got {model!r}; give a pydantic model, a dataclass or a TypedDict."
        )
    adapter = _adapter(model, name)
    schema = _json_schema(adapter.core_schema, name, allow_open=allow_open)
    if schema.get("type") != "object":
        raise DefinitionError(
            f"{name} must be an object, got {schema.get('type', 'no single type')!r}; wrap it in a field."
        )
    return _input(schema, cast("SchemaValidator", adapter.validator), allow_open)


def is_record(annotation: object) -> bool:
    """Whether a type is a model with named fields: pydantic model, dataclass or TypedDict."""
    kind = get_origin(annotation) or annotation
    return isinstance(kind, type) and (
        issubclass(kind, BaseModel) or dataclasses.is_dataclass(kind) or is_typeddict(kind)
    )


class TypedOutput:
    """A declared output: its JSON Schema, and the way from a returned value to data."""

    __slots__ = ("_adapter", "_instance_of", "schema")

    def __init__(self, annotation: Any, tool: str) -> None:
        kind = get_origin(annotation) or annotation
        self._adapter: TypeAdapter[Any] = _adapter(annotation, tool)
        self._instance_of: type | None = None if is_typeddict(kind) else kind
        self.schema = _json_schema(
            self._adapter.core_schema, tool, allow_open=True, mode="serialization"
        )

    def dump(self, returned: object) -> JsonValue:
        """The data of a returned value.

        Raises:
            OutcomeError: it does not fit.
        """
        try:
            if self._instance_of is None or not isinstance(returned, self._instance_of):
                returned = self._adapter.validate_python(returned)
            return self._adapter.dump_python(returned, mode="json", by_alias=True, warnings="error")
        except ValidationError as error:
            item = error.errors(include_url=False, include_input=False)[0]
            pointer = "".join(f"/{escape_part(str(step))}" for step in item["loc"])
            raise misfit(pointer, must(item["msg"]), returned=returned) from error
        except PydanticSerializationError as error:
            raise misfit("", "has no JSON form", returned=returned) from error


def dump_json(value: object) -> JsonValue:
    """Any value with a JSON form as JSON: models, dataclasses, dates, enums, sets, ...

    Raises:
        OutcomeError: it has none.
    """
    try:
        return to_jsonable_python(value, by_alias=True, bytes_mode="base64")
    except (PydanticSerializationError, ValueError, TypeError, RecursionError) as error:
        raise misfit("", "must have a JSON form", returned=value) from error


@dataclass(frozen=True, slots=True)
class _Part:
    """A parameter as pydantic wants it."""

    name: str
    key: str
    annotation: Any
    default: tuple[object, ...]
    description: str

    @staticmethod
    def of(parameter: Parameter) -> "_Part":
        annotation, default, key = parameter.annotation, parameter.default, parameter.name
        description = parameter.description
        if default and isinstance(default[0], FieldInfo):
            annotation, default = Annotated[cast("Any", annotation), default[0]], ()
        if get_origin(annotation) is Annotated:
            base, *extras = get_args(annotation)
            kept: list[object] = []
            for extra in extras:
                if isinstance(extra, FieldInfo):
                    alias = extra.validation_alias or extra.alias
                    key = alias if isinstance(alias, str) else key
                    extra = _unaliased(extra)
                if isinstance(extra, (str, Doc)):
                    description = extra if isinstance(extra, str) else extra.documentation
                else:
                    kept.append(extra)
            annotation = Annotated[(base, *kept)] if kept else base
        return _Part(parameter.name, key, annotation, default, description)

    def field(self, schema: CoreSchema) -> core_schema.TypedDictField:
        if self.default:
            schema = core_schema.with_default_schema(schema, default=self.default[0])
        alias = self.key if self.key != self.name else None
        return core_schema.typed_dict_field(
            schema, required=schema["type"] != "default", validation_alias=alias
        )


def _unaliased(field: FieldInfo) -> FieldInfo:
    """A field without its alias: pydantic knows aliases of model fields only, ours stands on the object."""
    if field.alias is None and field.validation_alias is None:
        return field
    bare = field._copy() if hasattr(field, "_copy") else field  # noqa: SLF001
    bare.alias = bare.validation_alias = bare.serialization_alias = None
    return bare


def _core_of(annotations: Sequence[Any], parameters: Sequence[Parameter], tool: str) -> Any:
    try:
        return TypeAdapter(tuple[tuple(annotations)], config=_CONFIG).core_schema  # type: ignore[misc]
    except (PydanticUserError, SchemaError, TypeError, NameError) as error:
        for annotation, parameter in zip(annotations, parameters, strict=True):
            _adapter(annotation, f"{tool}: parameter {parameter.name!r}")
        raise _no_schema(tool, error) from error


def _adapter(annotation: Any, subject: str) -> TypeAdapter[Any]:
    own_config = is_record(annotation) or (
        isinstance(annotation, type) and issubclass(annotation, BaseModel)
    )
    try:
        return TypeAdapter(annotation) if own_config else TypeAdapter(annotation, config=_CONFIG)
    except (PydanticUserError, SchemaError, TypeError, NameError) as error:
        raise _no_schema(subject, error) from error


def _no_schema(subject: str, error: Exception) -> DefinitionError:
    first = str(error).splitlines()[0]
    return DefinitionError(
        f"{subject} cannot be described as JSON: {first}; use a type that has a JSON form."
    )


def _input(
    schema: dict[str, JsonValue], validator: SchemaValidator, allow_open: bool
) -> TypedInput:
    messages: dict[str, str] = {}
    blanks: list[str] = []
    _take_marks(schema, "", messages, blanks)
    validate = validator.validate_json

    if allow_open:

        def load(value: JsonValue) -> Any:
            return validate(to_json(value), strict=True)

    else:

        def load(value: JsonValue) -> Any:
            return validate(to_json(value), strict=True, extra="forbid")

    return TypedInput(schema, load, messages, tuple(blanks), _REFUSED, _errors_of)


def _take_marks(schema: object, pointer: str, messages: dict[str, str], blanks: list[str]) -> None:
    """Move what the marks of `marker.py` say out of a schema."""
    if isinstance(schema, dict):
        mapping = cast("dict[str, object]", schema)
        if isinstance(words := mapping.get(MARK_REQUIRED), str):
            del mapping[MARK_REQUIRED]
            messages[pointer] = words
        if mapping.get(MARK_BLANK) is True:
            del mapping[MARK_BLANK]
            blanks.append(pointer)
        for key, item in mapping.items():
            if item.__class__ in (dict, list):
                _take_marks(item, f"{pointer}/{escape_part(key)}", messages, blanks)
    elif isinstance(schema, list):
        for index, item in enumerate(cast("list[object]", schema)):
            _take_marks(item, f"{pointer}/{index}", messages, blanks)


def _json_schema(
    core: CoreSchema, subject: str, *, allow_open: bool, mode: JsonSchemaMode = "validation"
) -> dict[str, JsonValue]:
    writer = SchemaWriter(closes=mode == "validation" and not allow_open)
    try:
        schema = cast("dict[str, JsonValue]", writer.generate(core, mode=mode))
    except (PydanticUserError, TypeError) as error:
        raise _no_schema(subject, error) from error
    if writer.open_names and not allow_open:
        raise DefinitionError(
            f"{subject} takes unknown keys ({', '.join(writer.open_names)} allows them), so a misspelt key would pass "
            "unnoticed; set extra='forbid', or say that the tool is open."
        )
    return schema
