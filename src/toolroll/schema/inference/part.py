"""A parameter of a function as pydantic wants it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, cast, get_args, get_origin

from pydantic import Field
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, core_schema
from typing_extensions import Doc

from toolroll.outcome import DefinitionError
from toolroll.schema.inference.basic import basic_key
from toolroll.schema.inference.signature import Parameter


@dataclass(frozen=True, slots=True)
class Part:
    """One parameter, its marks read.

    Args:
        name: as the function spells it.
        key: as a model sends it: the field's alias, else the name.
        annotation: its type, without descriptions and aliases.
        default: one-element tuple of its default; empty where it has none, or where the field in
            its annotation holds it.
        description: of the field, the annotation or the docstring, in this order.
        basic: the key of an annotation of built-in types (`basic_key`), else None.
    """

    name: str
    key: str
    annotation: Any
    default: tuple[object, ...]
    description: str
    basic: str | None

    def field(self, schema: CoreSchema) -> core_schema.TypedDictField:
        """The field of the object that all parameters make."""
        if self.default:
            schema = core_schema.with_default_schema(schema, default=self.default[0])
        alias = self.key if self.key != self.name else None
        return core_schema.typed_dict_field(
            schema, required=schema["type"] != "default", validation_alias=alias
        )


def read_part(parameter: Parameter) -> Part:
    """Read `x: Annotated[int, Field(...)]`, `x: int = Field(...)`, `x: Annotated[int, "it"]`."""
    annotation, default = parameter.annotation, parameter.default
    basic = basic_key(annotation) if not (default and isinstance(default[0], FieldInfo)) else None
    if basic is not None:
        return Part(
            parameter.name, parameter.name, annotation, default, parameter.description, basic
        )
    if default and isinstance(default[0], FieldInfo):
        annotation, default = Annotated[cast("Any", annotation), default[0]], ()
    key, description = parameter.name, parameter.description
    if get_origin(annotation) is Annotated:
        base, *extras = get_args(annotation)
        kept, alias, words = _sorted_out(extras)
        annotation = Annotated[(base, *kept)] if kept else base
        key, description = alias or key, words or description
        basic = basic_key(annotation)
    return Part(parameter.name, key, annotation, default, description, basic)


def _sorted_out(extras: Sequence[object]) -> tuple[list[object], str, str]:
    """What of an `Annotated` is for pydantic, the alias, and what it says for the model to read."""
    kept: list[object] = []
    alias = words = of_field = ""
    for extra in extras:
        if isinstance(extra, str):
            words = extra
        elif isinstance(extra, Doc):
            words = extra.documentation
        elif isinstance(extra, FieldInfo):
            named = extra.validation_alias or extra.alias
            if named is not None and not isinstance(named, str):
                raise DefinitionError(f"the alias {named!r} of a parameter must be one text.")
            alias = named or alias
            if _only_bounds(extra):
                kept += extra.metadata
                of_field = extra.description or of_field
            else:
                kept += [extra] if named is None else _unaliased(extra)
        else:
            kept.append(extra)
    return kept, alias, of_field or words


_PLAIN_FIELD = cast("FieldInfo", Field())
_SAID = tuple(
    name
    for name in cast("tuple[str, ...]", FieldInfo.__slots__)
    if not name.startswith("_") and name not in ("description", "metadata")
)


def _only_bounds(field: FieldInfo) -> bool:
    """Whether a field says no more than bounds and a description."""
    return all(getattr(field, name) == getattr(_PLAIN_FIELD, name) for name in _SAID)


def _unaliased(field: FieldInfo) -> list[object]:
    """A field without its alias, which pydantic knows of models only."""
    default: dict[str, Any] = (
        {"default": field.default}
        if field.default_factory is None
        else {"default_factory": field.default_factory}
    )
    bare = Field(
        **default,
        title=field.title,
        description=field.description,
        examples=field.examples,
        discriminator=field.discriminator,
        json_schema_extra=field.json_schema_extra,
    )
    return [*field.metadata, bare]
