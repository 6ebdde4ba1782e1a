"""Pydantic's view of a type, and the JSON Schema of it."""

import dataclasses
import inspect
from collections.abc import Mapping
from typing import Any, cast, get_origin

from pydantic import BaseModel, ConfigDict, PydanticUndefinedAnnotation, TypeAdapter
from pydantic.json_schema import JsonSchemaMode
from pydantic_core import CoreSchema
from typing_extensions import is_typeddict

from toolroll.content import JsonValue
from toolroll.outcome import DefinitionError
from toolroll.schema.inference.schema_writer import SchemaWriter

_CONFIG = ConfigDict(val_json_bytes="base64", ser_json_bytes="base64")
_NO_NAMES: Mapping[str, object] = {}


def is_record(annotation: object) -> bool:
    """Whether a type is a model with named fields: pydantic model, dataclass or TypedDict."""
    kind: Any = get_origin(annotation) or annotation
    if not inspect.isclass(kind):
        return False
    return issubclass(kind, BaseModel) or dataclasses.is_dataclass(kind) or is_typeddict(kind)


def adapter_of(
    annotation: Any, subject: str, names: Mapping[str, object] = _NO_NAMES
) -> TypeAdapter[Any]:
    """Pydantic's adapter of a type.

    Args:
        annotation: the type.
        subject: what a message begins with.
        names: what texts in it may mean, beside what the modules of its classes define; looked at
            only where the type is not complete without them.

    Raises:
        DefinitionError: pydantic can make none.
    """
    try:
        made: TypeAdapter[Any] = (
            TypeAdapter(annotation)
            if is_record(annotation)
            else TypeAdapter(annotation, config=_CONFIG)
        )
        if not made.pydantic_complete:
            made.rebuild(_types_namespace=dict(names))
        _ = made.core_schema["type"]  # raises for a type that is not complete
    except Exception as error:  # whatever a type does that makes its own schema
        raise _no_schema(subject, error) from error
    return made


def json_schema_of(
    core: CoreSchema,
    subject: str,
    *,
    closes: bool = False,
    opens: bool = False,
    mode: JsonSchemaMode = "validation",
) -> dict[str, JsonValue]:
    """The JSON Schema of a type.

    Args:
        core: pydantic's schema of it.
        subject: what a message begins with.
        closes: close its objects, and refuse one that its author opened.
        opens: leave such a one open.
        mode: of what goes in, or of what comes out.

    Raises:
        DefinitionError: it has no JSON form, or is open.
    """
    writer = SchemaWriter(closes=closes)
    try:
        schema = cast("dict[str, JsonValue]", writer.generate(core, mode=mode))
    except Exception as error:
        raise _no_schema(subject, error) from error
    if writer.open_names and closes and not opens:
        raise DefinitionError(
            f"{subject} takes unknown keys ({', '.join(writer.open_names)} allows them), so a "
            "misspelt key would pass unnoticed; set extra='forbid', or say that the tool is open: "
            "behavior=Behavior(open=True)."
        )
    return schema


def unfolded(schema: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """A recursive model written as a reference, with an object root."""
    reference, definitions = schema.get("$ref"), schema.get("$defs")
    if not isinstance(reference, str) or not isinstance(definitions, dict):
        return schema
    named = definitions.get(reference.removeprefix("#/$defs/"))
    return {**named, "$defs": definitions} if isinstance(named, dict) else schema


def _no_schema(subject: str, error: Exception) -> DefinitionError:
    """The error of a type that pydantic has no JSON Schema for."""
    if isinstance(error, PydanticUndefinedAnnotation):
        return DefinitionError(
            f"{subject} cannot be described as JSON: a type in it names {error.name!r}, which is "
            "not defined; import or define it where it exists at run time: not under "
            "TYPE_CHECKING, and not in a function that has ended."
        )
    said = str(error).strip() or type(error).__name__
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    reason = lines[0] if not lines[0].endswith(":") else f"{lines[0]} {lines[-1]}"
    mend = "" if "; " in reason else "; use a type that has a JSON form"
    return DefinitionError(f"{subject} cannot be described as JSON: {reason.rstrip('.')}{mend}.")
