"""Types as inputs, by pydantic.

Inputs are checked in strict JSON mode, so that "7" is not taken for 7 while dates, UUIDs, decimals,
enums, tuples, sets, paths and base64 bytes work. Objects are closed at every depth.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import GenericAlias
from typing import Any, cast

from pydantic import ValidationError
from pydantic_core import (
    CoreSchema,
    PydanticSerializationError,
    SchemaValidator,
    core_schema,
    to_json,
)

from toolroll.content import JsonValue
from toolroll.outcome import DefinitionError
from toolroll.schema.inference.adapter import (
    adapter_of,
    is_record,
    json_schema_of,
    unfolded,
)
from toolroll.schema.inference.basic import encodable_only, stays_plain
from toolroll.schema.inference.constant import exact_validator
from toolroll.schema.inference.part import Part, read_part
from toolroll.schema.inference.schema_writer import SchemaWriter
from toolroll.schema.inference.signature import Parameter
from toolroll.schema.limit import DEFAULT_LIMITS
from toolroll.schema.marker import MARK_BLANK, MARK_REQUIRED
from toolroll.schema.plain import is_plain
from toolroll.schema.pointer import escape_part
from toolroll.schema.stranger import is_old_model

_CORE_CONFIG = core_schema.CoreConfig(strict=True, val_json_bytes="base64", ser_json_bytes="base64")
_REFUSED = (ValidationError, PydanticSerializationError, UnicodeEncodeError)
_OLD_MODEL = "{} is a model of pydantic 1; make it a model of pydantic 2."
_PLAIN = frozenset({str, int, bool})
_MOST_BASICS = 4096

_BASICS: dict[str, tuple[CoreSchema, dict[str, JsonValue]]] = {}
"""Annotations of built-in types that were seen: pydantic's schema and ours."""


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
        write: writes plain JSON as the text that `load` reads.
        load: checks such a text and gives what the handler gets: keyword arguments or the instance.
        messages: words of `Required`, by pointer of the schema.
        blanks: pointers of the schemas marked `BlankIsAbsent`.
        refused: what `write` and `load` raise where an input does not fit.
        errors_of: reads such an exception.
        take: does the same to plain JSON itself, where what it gives is the checked input as plain
            JSON with its defaults; None where only `write` and `load` know. It may refuse what they
            take, never the other way round.
        opens: models that allow unknown keys take them.
    """

    schema: dict[str, JsonValue]
    write: Callable[[JsonValue], bytes]
    load: Callable[[bytes], Any]
    messages: Mapping[str, str]
    blanks: tuple[str, ...]
    refused: tuple[type[Exception], ...]
    errors_of: Callable[[Exception], tuple[TypedError, ...]]
    take: Callable[[JsonValue], Any] | None = None
    opens: bool = False

    @staticmethod
    def unknown(steps: tuple[str | int, ...]) -> TypedError:
        """The fault of a key that is not taken, as pydantic would report it."""
        return TypedError("extra_forbidden", steps, "")


def typed_parameters(
    parameters: Sequence[Parameter],
    tool: str,
    *,
    allow_open: bool,
    names: Mapping[str, object],
) -> TypedInput:
    """The input of a function.

    Args:
        parameters: without the context.
        tool: its name, for messages.
        allow_open: models that allow unknown keys take them.
        names: what texts in the types may mean, beside what their modules define.

    Raises:
        DefinitionError: a type has no JSON form, or is open.
    """
    parts = [read_part(parameter) for parameter in parameters]
    _each_its_own_key(parts, tool)
    others = [part for part in parts if part.basic is None]
    fields, definitions = _fields(others, tool, names)
    written = (
        _written(others, _object(fields, definitions), tool, names, allow_open) if others else {}
    )
    described = cast("dict[str, dict[str, JsonValue]]", written.pop("properties", {}))
    properties: dict[str, JsonValue] = {}
    required: list[JsonValue] = []
    for part in parts:
        if part.basic is not None:
            core, plain = _basic(part.basic, part.annotation)
            fields[part.name] = part.field(core)
            described[part.key] = _with_default(plain, part)
        if part.description:
            described[part.key].setdefault("description", part.description)
        properties[part.key] = described[part.key]
        if fields[part.name].get("required"):
            required.append(part.key)
    schema: dict[str, JsonValue] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    schema["additionalProperties"] = False
    if "$defs" in written:
        schema["$defs"] = written["$defs"]
    in_order = {part.name: fields[part.name] for part in parts}
    plain = not allow_open and _stay_plain(parts, in_order)
    if plain:
        for field in in_order.values():
            field["schema"] = encodable_only(field["schema"])
    validator = exact_validator(_object(in_order, definitions), _CORE_CONFIG)
    made = _input(schema, validator, allow_open)
    return replace(made, take=validator.validate_python) if plain else made


def _each_its_own_key(parts: Sequence[Part], tool: str) -> None:
    owners: dict[str, str] = {}
    for part in parts:
        other = owners.setdefault(part.key, part.name)
        if other != part.name:
            raise DefinitionError(
                f"{tool}: parameters {other!r} and {part.name!r} are both sent as {part.key!r}; "
                "give each an alias of its own."
            )


def _stay_plain(parts: Sequence[Part], fields: Mapping[str, core_schema.TypedDictField]) -> bool:
    return all(
        part.key == part.name
        and stays_plain(fields[part.name]["schema"])
        and (not part.default or is_plain(part.default[0], DEFAULT_LIMITS.value_depth))
        for part in parts
    )


def typed_model(
    model: type[object], *, allow_open: bool, names: Mapping[str, object]
) -> TypedInput:
    """The input of a tool that takes one model: a pydantic model, a dataclass or a TypedDict.

    Args:
        model: the class.
        allow_open: it and the models in it take unknown keys where they allow them.
        names: what texts in it may mean, beside what its module defines.

    Raises:
        DefinitionError: it is none of these, a type in it has no JSON form, or it is open.
    """
    name = getattr(model, "__name__", str(model))
    if is_old_model(model):
        raise DefinitionError(_OLD_MODEL.format(name))
    if not is_record(model):
        raise DefinitionError(
            f"{name} cannot be the input of a tool: got {model!r}; "
            "give a pydantic model, a dataclass or a TypedDict."
        )
    adapter = adapter_of(model, name, names)
    schema = _json_schema(adapter.core_schema, name, allow_open)
    schema = unfolded(schema)
    if schema.get("type") != "object":
        raise DefinitionError(
            f"{name} must be an object, got {schema.get('type', 'no single type')!r}; "
            "wrap it in a field."
        )
    ready = cast("SchemaValidator", adapter.validator)
    return _input(schema, exact_validator(adapter.core_schema, ready=ready), allow_open)


def _json_schema(core: CoreSchema, subject: str, allow_open: bool) -> dict[str, JsonValue]:  # noqa: FBT001
    return json_schema_of(core, subject, closes=True, opens=allow_open)


def _written(
    parts: Sequence[Part],
    core: CoreSchema,
    tool: str,
    names: Mapping[str, object],
    allow_open: bool,  # noqa: FBT001
) -> dict[str, JsonValue]:
    """The JSON Schema of parameters; a fault names the parameter it lies in."""
    try:
        return _json_schema(core, tool, allow_open)
    except DefinitionError:
        for part in parts:
            subject = f"{tool}: parameter {part.name!r}"
            adapter = adapter_of(part.annotation, subject, names)
            _json_schema(adapter.core_schema, subject, allow_open)
        raise


def _fields(
    parts: Sequence[Part], tool: str, names: Mapping[str, object]
) -> tuple[dict[str, core_schema.TypedDictField], list[CoreSchema] | None]:
    """The fields of parameters, made in one go so that their types share definitions."""
    if not parts:
        return {}, None
    for part in parts:
        if is_old_model(part.annotation):
            raise DefinitionError(_OLD_MODEL.format(f"{tool}: parameter {part.name!r}"))
    whole: Any = GenericAlias(tuple, tuple(part.annotation for part in parts))
    try:
        core: Any = adapter_of(whole, tool, names).core_schema
    except DefinitionError:
        for part in parts:
            adapter_of(part.annotation, f"{tool}: parameter {part.name!r}", names)
        raise
    definitions: list[CoreSchema] | None = None
    if core["type"] == "definitions":
        core, definitions = core["schema"], core["definitions"]
    return {
        part.name: part.field(item) for part, item in zip(parts, core["items_schema"], strict=True)
    }, definitions


def _object(
    fields: dict[str, core_schema.TypedDictField], definitions: list[CoreSchema] | None
) -> CoreSchema:
    made = core_schema.typed_dict_schema(fields, extra_behavior="forbid", config=_CORE_CONFIG)
    return made if definitions is None else core_schema.definitions_schema(made, definitions)


def _basic(key: str, annotation: Any) -> tuple[CoreSchema, dict[str, JsonValue]]:
    known = _BASICS.get(key)
    if known is None:
        core = adapter_of(annotation, key).core_schema
        if len(_BASICS) >= _MOST_BASICS:
            _BASICS.clear()
        known = _BASICS[key] = (core, json_schema_of(core, key))
    return known


def _with_default(schema: dict[str, JsonValue], part: Part) -> dict[str, JsonValue]:
    """A copy of a shared schema for one parameter, with its default where that has a JSON form."""
    fresh = dict(schema)
    if part.default:
        default = part.default[0]
        if default is not None and default.__class__ not in _PLAIN:
            try:
                default = SchemaWriter(closes=False).encode_default(default)
            except Exception:  # of whatever type it is
                return fresh  # it still holds; it only cannot be shown
        fresh["default"] = cast("JsonValue", default)
    return fresh


def _input(
    schema: dict[str, JsonValue],
    validator: SchemaValidator,
    allow_open: bool,  # noqa: FBT001
) -> TypedInput:
    messages: dict[str, str] = {}
    blanks: list[str] = []
    _take_marks(schema, "", messages, blanks)
    return TypedInput(
        schema=schema,
        write=to_json,
        load=partial(validator.validate_json, strict=True, extra=None if allow_open else "forbid"),
        messages=messages,
        blanks=tuple(blanks),
        refused=_REFUSED,
        errors_of=_errors_of,
        opens=allow_open,
    )


def _errors_of(error: Exception) -> tuple[TypedError, ...]:
    if not isinstance(error, ValidationError):
        return ()
    found: list[TypedError] = []
    for item in error.errors(include_url=False, include_input=False):
        message = item["msg"]
        if item["type"] in ("value_error", "assertion_error"):
            message = str(item.get("ctx", {}).get("error", message))
        found.append(TypedError(item["type"], item["loc"], message))
    return tuple(found)


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
