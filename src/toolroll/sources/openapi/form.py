"""A form or multipart body: how each property is written, and what an input says of files.

Source: OpenAPI 3.1, "Encoding Object" and "Working with Binary Data".
"""

import re
from dataclasses import dataclass

from toolroll.content import JsonObject, JsonValue
from toolroll.sources.http import Body, Part
from toolroll.sources.http.place import STYLES, BodyKind
from toolroll.sources.http.style import is_json
from toolroll.sources.openapi.conversion import Converted, Schemas
from toolroll.sources.openapi.document import (
    Document,
    LeftOutError,
    as_list,
    as_object,
    as_text,
)
from toolroll.sources.openapi.fit import Losses, fit
from toolroll.sources.openapi.kind import item_of, kind_of, object_schemas, settled
from toolroll.sources.openapi.shape import FORM_PROPERTY, Shape, form_shape, single, styled

FILE: JsonObject = {
    "type": "object",
    "properties": {
        "filename": {"type": "string"},
        "text": {"type": "string"},
        "base64": {"type": "string"},
        "media_type": {"type": "string"},
    },
    "required": ["filename"],
    "additionalProperties": False,
    "description": "A file: its name, and either its text or its bytes as base64.",
}
"""What an input says of a file in a multipart body."""

BINARY_TYPES = re.compile(
    r"(image|audio|video|font)/.*|application/(octet-stream|pdf|zip|gzip|x-.*|vnd\..*)"
)


def is_binary(document: Document, schema: JsonValue) -> bool:
    """Bytes: `format: binary` of OpenAPI 3.0, or a media type without an encoding of 3.1."""
    found = settled(document, schema)
    if found is None or _type_of(found) not in ("string", "file"):
        return False
    if found.get("format") == "binary" or found.get("type") == "file":
        return True
    media_type = as_text(found.get("contentMediaType")).lower()
    return "contentEncoding" not in found and bool(BINARY_TYPES.fullmatch(media_type))


def _type_of(schema: JsonObject) -> JsonValue:
    """The one type of a schema, null aside; a text where it has none."""
    said = schema.get("type", "string")
    types = [word for word in as_list(said) if word != "null"]
    return types[0] if len(types) == 1 else said


@dataclass(frozen=True, slots=True)
class _Form:
    """A form or multipart body while it is read."""

    document: Document
    kind: BodyKind
    encodings: JsonObject

    def encoding(self, name: str) -> JsonObject:
        return as_object(self.encodings.get(name)) or {}

    def is_file(self, name: str, schema: JsonValue) -> bool:
        """Whether a property of a multipart body is a file."""
        if self.kind != "multipart":
            return False
        if is_binary(self.document, schema):
            return True
        types = as_text(self.encoding(name).get("contentType")).lower().split(",")
        if all(BINARY_TYPES.fullmatch(one.strip()) for one in types):
            return kind_of(self.document, schema) in ("scalar", "any")
        return schema == {} and not self.document.is_3_0

    def holds_file(self, name: str, schema: JsonValue) -> bool:
        """Whether it is a file or a list of files."""
        if kind_of(self.document, schema) == "array":
            return self.is_file(name, item_of(self.document, schema))
        return self.is_file(name, schema)

    def shape(self, name: str, schema: JsonValue) -> Shape | None:
        """What a property may be.

        Raises:
            LeftOutError: it cannot be written as its encoding says.
        """
        part = _part(self, name, schema)
        if part is None:
            return FORM_PROPERTY
        if part.kind == "style":
            style = part.style or "form"
            explode = style == "form" if part.explode is None else part.explode
            return styled(style, explode=explode)
        if part.kind == "file" or is_json(part.media_type or ""):
            return None
        reason = f"is {part.media_type}, which cannot be written"
        return Shape(refused={"object": reason}, items=single(reason))


def read_form(
    document: Document, schemas: Schemas, kind: BodyKind, media_type: str, media: JsonObject
) -> tuple[Body, Converted, Losses]:
    """The body, the schema of its values, and what of the document's schema is lost.

    Args:
        document: where references lead.
        schemas: converts the schema.
        kind: `form` or `multipart`.
        media_type: in the document's words.
        media: the media type object.

    Raises:
        LeftOutError: it cannot be written.
    """
    form = _Form(document, kind, as_object(media.get("encoding")) or {})
    shape = form_shape(f"its body is {media_type} and no object", form.shape)
    fitted = fit(document, media.get("schema", True), shape)
    properties: dict[str, JsonValue] = {}
    for one in object_schemas(document, fitted.schema):
        properties |= as_object(one.get("properties")) or {}
    parts = [_part(form, str(name), item) for name, item in properties.items()]
    converted = schemas.convert(_with_files(form, fitted.schema, {}))
    written = as_object(converted.schema) or {}
    if not written.keys() & {"type", "$ref", "allOf", "anyOf", "oneOf"}:
        converted = Converted({"type": "object", **written}, converted.references)
    body = Body(kind=kind, media_type="", parts=tuple(part for part in parts if part is not None))
    return body, converted, fitted.lost


def _part(form: _Form, name: str, schema: JsonValue) -> Part | None:
    """How one property is written, None where its value alone tells."""
    encoding = form.encoding(name)
    said = as_text(encoding.get("contentType"))
    if form.holds_file(name, schema):  # whatever its style: generators give one to every property
        said = said or _media_type_of(form.document, schema)
        is_one = "," not in said and "*" not in said and bool(said)
        return Part(key=name, kind="file", media_type=said if is_one else None)
    if not encoding.keys().isdisjoint(("style", "explode", "allowReserved")):
        return _styled(name, encoding)
    first = said.split(",")[0].strip()
    if not first or "*" in first:
        return None
    return Part(key=name, media_type=first)


def _media_type_of(document: Document, schema: JsonValue) -> str:
    """The media type that the schema itself names of a file, or of each of a list of them."""
    items = item_of(document, schema)
    found = items if kind_of(document, schema) == "array" else schema
    return as_text((settled(document, found) or {}).get("contentMediaType"))


def _styled(name: str, encoding: JsonObject) -> Part:
    style, explode = encoding.get("style", "form"), encoding.get("explode")
    if style not in STYLES["query"]:
        raise LeftOutError(f"has style {style!r}, which forms do not have")
    return Part(
        key=name,
        kind="style",
        style=style,
        explode=explode if isinstance(explode, bool) else None,
        allow_reserved=encoding.get("allowReserved") is True,
    )


def _with_files(form: _Form, schema: JsonValue, made: dict[int, JsonValue]) -> JsonValue:
    """The schema with what an input says of a file in the place of each file.

    Only what holds files is copied, each schema once; everything else stays a reference.
    """
    held = object_schemas(form.document, schema)
    if not any(_file_names(form, one) for one in held):
        return schema
    found = form.document.resolve(schema, "a schema")
    if id(found) in made:
        return made[id(found)]
    made[id(found)] = written = dict(found)
    properties = dict(as_object(found.get("properties")) or {})
    for name in _file_names(form, found):
        properties[name] = _file_schema(form, properties[name])
    if properties:
        written["properties"] = properties
    for key in ("allOf", "anyOf", "oneOf"):
        if key in written:
            written[key] = [_with_files(form, one, made) for one in as_list(written[key])]
    return written


def _file_names(form: _Form, schema: JsonObject) -> list[str]:
    properties = as_object(schema.get("properties")) or {}
    return [name for name, item in properties.items() if form.holds_file(name, item)]


def _file_schema(form: _Form, schema: JsonValue) -> JsonValue:
    outer = form.document.resolve(schema, "a schema")
    found = settled(form.document, schema) or outer
    said = {key: outer[key] for key in ("description", "nullable", "readOnly") if key in outer}
    if kind_of(form.document, found) == "array":
        return {**found, **said, "items": FILE}
    return {**FILE, **said}
