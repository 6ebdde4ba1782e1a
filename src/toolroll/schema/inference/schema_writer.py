"""How types are written as JSON Schema: pydantic's writer, made plain.

No titles made up from names, objects closed, `enum` for every literal, base64 for bytes.
"""

from collections.abc import Callable, Mapping
from typing import TypeAlias, cast

from pydantic.json_schema import (
    GenerateJsonSchema,
    JsonSchemaValue,
    JsonSchemaWarningKind,
)
from pydantic_core import core_schema

_Kind: TypeAlias = core_schema.CoreSchemaType | core_schema.CoreSchemaFieldType
CoreSchemaField: TypeAlias = (
    core_schema.ModelField
    | core_schema.DataclassField
    | core_schema.TypedDictField
    | core_schema.ComputedField
)
SerializerSchema: TypeAlias = (
    "core_schema.SerSchema | core_schema.IncExSeqSerSchema | core_schema.IncExDictSerSchema"
)
_OWN_SERIALIZERS = frozenset({"function-plain", "function-wrap"})
_Method: TypeAlias = Callable[..., JsonSchemaValue]


class _Methods(dict[_Kind, _Method]):
    def __init__(self, writer: GenerateJsonSchema) -> None:
        self._writer = writer

    def __missing__(self, kind: _Kind) -> _Method:
        found = self[kind] = cast(
            "_Method", getattr(self._writer, f"{kind.replace('-', '_')}_schema")
        )
        return found


class SchemaWriter(GenerateJsonSchema):
    """Writes one plain schema.

    Args:
        closes: say `additionalProperties: false` of each object with named fields.
    """

    def __init__(self, *, closes: bool) -> None:
        super().__init__(ref_template="#/$defs/{model}")
        self._closes = closes
        self._models = 0
        self.open_names: list[str] = []

    def build_schema_type_to_method(self) -> "dict[_Kind, _Method]":
        """The method for each kind of type, looked up at its first use: a schema has few kinds."""
        return _Methods(self)

    def encode_default(self, dft: object) -> JsonSchemaValue:
        """A default as JSON; what is JSON already needs no pydantic."""
        if dft is None or dft.__class__ in (str, int, bool):
            return cast("JsonSchemaValue", dft)
        return super().encode_default(dft)

    def sort(self, value: JsonSchemaValue, parent_key: str | None = None) -> JsonSchemaValue:
        """Keep the order things were written in; take off the titles that enums get last."""
        del parent_key
        for definition in cast("dict[str, JsonSchemaValue]", value.get("$defs", {})).values():
            if "enum" in definition:
                definition.pop("title", None)
        return value

    def emit_warning(self, kind: JsonSchemaWarningKind, detail: str) -> None:
        """A default without a JSON form is left out of the schema; it still holds."""

    def field_title_should_be_set(self, schema: object) -> bool:
        """No titles made up from names."""
        del schema
        return False

    def field_is_present(self, field: CoreSchemaField) -> bool:
        """Whether a model may send it; a field set by its class alone is none."""
        if self.mode == "validation" and cast("bool | None", field.get("init")) is False:
            return False
        return super().field_is_present(field)

    def model_fields_schema(self, schema: core_schema.ModelFieldsSchema) -> JsonSchemaValue:
        """The fields of a model, each under a name of its own."""
        return self._of_fields(super().model_fields_schema(schema), schema["fields"])

    def dataclass_args_schema(self, schema: core_schema.DataclassArgsSchema) -> JsonSchemaValue:
        """The fields of a dataclass, as of a model."""
        fields = {field["name"]: field for field in schema["fields"]}
        return self._of_fields(super().dataclass_args_schema(schema), fields)

    def _of_fields(
        self, written: JsonSchemaValue, fields: Mapping[str, CoreSchemaField]
    ) -> JsonSchemaValue:
        if self.mode != "validation":
            return written
        for name, field in fields.items():
            alias = cast("str | list[list[object] | object]", field.get("validation_alias", name))
            # One path is a flat list, a choice of them a list of lists.
            if not isinstance(alias, str) and not any(
                isinstance(path, list) and len(cast("list[object]", path)) == 1 for path in alias
            ):
                raise TypeError(f"the alias of {name!r} is a path; give it one text")
        present = sum(map(self.field_is_present, fields.values()))
        if len(written.get("properties", {})) < present:
            raise TypeError(
                f"two of the fields {', '.join(fields)} have one alias; give each its own"
            )
        return written

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        """A model: untitled unless its author titled it, closed."""
        self._models += 1
        written = super().model_schema(schema)
        self._models -= 1
        return self._class(written, schema["cls"])

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> JsonSchemaValue:
        """A dataclass, as a model."""
        return self._class(super().dataclass_schema(schema), schema["cls"])

    def typed_dict_schema(self, schema: core_schema.TypedDictSchema) -> JsonSchemaValue:
        """A TypedDict, as a model."""
        written = self._of_fields(super().typed_dict_schema(schema), schema["fields"])
        kind = schema.get("cls")
        return written if kind is None else self._class(written, kind)

    def ser_schema(self, schema: SerializerSchema) -> JsonSchemaValue | None:
        """What an author's own serializer gives: anything, where it does not declare it."""
        written = super().ser_schema(schema)
        if written is None and schema.get("type") in _OWN_SERIALIZERS:
            return {}
        return written

    def enum_schema(self, schema: core_schema.EnumSchema) -> JsonSchemaValue:
        """The values of an Enum, with its docstring."""
        return _as_enum(super().enum_schema(schema))

    def literal_schema(self, schema: core_schema.LiteralSchema) -> JsonSchemaValue:
        """The values of a Literal, one or many, as `enum`."""
        return _as_enum(super().literal_schema(schema))

    def union_schema(self, schema: core_schema.UnionSchema) -> JsonSchemaValue:
        """A union; literals in it become one `enum`."""
        written = super().union_schema(schema)
        branches = cast("list[JsonSchemaValue] | None", written.get("anyOf"))
        return written if branches is None else _merged_enums(written, branches)

    def tagged_union_schema(self, schema: core_schema.TaggedUnionSchema) -> JsonSchemaValue:
        """A union by tag; the tag's values in the branches say all that `discriminator` would."""
        written = super().tagged_union_schema(schema)
        written.pop("discriminator", None)
        return written

    def generator_schema(self, schema: core_schema.GeneratorSchema) -> JsonSchemaValue:
        """An `Iterable`: what goes in would be checked only while the handler reads it."""
        if self.mode == "validation":
            raise TypeError("an Iterable is checked only while it is read; write list[...]")
        return super().generator_schema(schema)

    def is_subclass_schema(self, schema: core_schema.IsSubclassSchema) -> JsonSchemaValue:
        """A class: no JSON is one."""
        raise TypeError(f"no JSON is a class like {schema['cls'].__name__}")

    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchemaValue:
        """A number or a text; no pattern, which would need look-ahead to say it right."""
        written = super().decimal_schema(schema)
        for branch in [written, *cast("list[JsonSchemaValue]", written.get("anyOf", []))]:
            branch.pop("pattern", None)
        return written

    def bytes_schema(self, schema: core_schema.BytesSchema) -> JsonSchemaValue:
        """Bytes: base64, unless a model chose another form for itself."""
        written = super().bytes_schema(schema)
        if self._models and written.get("format") != "base64url":
            return written
        del written["format"]
        return {**written, "contentEncoding": "base64"}

    def _class(self, written: JsonSchemaValue, kind: type) -> JsonSchemaValue:
        config = cast(
            "dict[str, object]",
            getattr(kind, "model_config", getattr(kind, "__pydantic_config__", {})),
        )
        if written.get("title") == kind.__name__ and not config.get("title"):
            del written["title"]
        if "properties" not in written and written.get("type") != "object":
            return written
        if written.get("additionalProperties", False) is not False:
            self.open_names.append(kind.__name__)
        elif self._closes:
            written["additionalProperties"] = False
        return written


def _as_enum(written: JsonSchemaValue) -> JsonSchemaValue:
    if "const" in written:
        written["enum"] = [written.pop("const")]
    first = {key: written[key] for key in ("type", "enum") if key in written}
    return {**first, **written}


def _merged_enums(written: JsonSchemaValue, branches: list[JsonSchemaValue]) -> JsonSchemaValue:
    kept: list[JsonSchemaValue] = []
    for branch in branches:
        same = next((other for other in kept if _mergeable(other, branch)), None)
        if same is None:
            kept.append(dict(branch))
        else:
            same["enum"] = [
                *same["enum"],
                *(value for value in branch["enum"] if value not in same["enum"]),
            ]
    if len(kept) == len(branches):
        return written
    rest = {key: value for key, value in written.items() if key != "anyOf"}
    return {**kept[0], **rest} if len(kept) == 1 else {**rest, "anyOf": kept}


def _mergeable(left: JsonSchemaValue, right: JsonSchemaValue) -> bool:
    return set(left) == set(right) == {"type", "enum"} and left["type"] == right["type"]
