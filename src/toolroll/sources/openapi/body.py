"""The body of an operation: which of its media types is sent, and what an input says of it.

Source: OpenAPI 3.1, "Media Type Object", "Encoding Object" and "Working with Binary Data".
"""

import re
from collections.abc import Mapping
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
from toolroll.sources.openapi.kind import item_of, kind_of, object_schemas
from toolroll.sources.openapi.parameter import unwritable

BASE64: JsonObject = {
    "type": "string",
    "contentEncoding": "base64",
    "description": "The bytes as base64 text.",
}
"""What an input says of a body of bytes."""

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

_BINARY_TYPES = re.compile(
    r"(image|audio|video|font)/.*|application/(octet-stream|pdf|zip|gzip|x-.*|vnd\..*)"
)
_BY_CHOICE: tuple[tuple[BodyKind, re.Pattern[str]], ...] = (
    ("json", re.compile(r"application/json")),
    ("json", re.compile(r".*[+/]json|\*/\*|application/\*")),
    ("form", re.compile(r"application/x-www-form-urlencoded")),
    ("multipart", re.compile(r"multipart/form-data")),
    ("text", re.compile(r"text/(?!xml).*")),
    ("binary", re.compile(r"application/octet-stream")),
    ("binary", _BINARY_TYPES),
    ("text", re.compile(r".*")),
)
"""Kinds of body, the one that is taken first before the others."""

_IN_SEQUENCE = frozenset({"itemEncoding", "itemSchema", "prefixEncoding"})
"""What says that a body is many values one after the other (OpenAPI 3.2)."""

_WILD: Mapping[str, str] = {
    "*/*": "application/json",
    "application/*": "application/json",
    "text/*": "text/plain",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyReading:
    """The body of a tool.

    Args:
        body: how it is written.
        schema: of the property that is the body.
        references: of the document, in the schema.
        required: it must be given.
    """

    body: Body
    schema: JsonObject
    references: frozenset[str]
    required: bool


def read_body(document: Document, schemas: Schemas, raw: JsonValue) -> BodyReading | None:
    """The body of an operation, None where it has none.

    Raises:
        LeftOutError: none of its media types can be written.
    """
    if raw is None:
        return None
    request = document.resolve(raw, "the request body")
    content = as_object(request.get("content")) or {}
    if not content:
        return None
    faults: list[str] = []
    for kind, media_type, described in _candidates(content):
        try:
            media = document.resolve(described, f"the body {media_type}")
            body, converted = _read(document, schemas, kind, media_type, media)
        except LeftOutError as error:
            faults.append(error.reason)
            continue
        written = dict(as_object(converted.schema) or {})
        if "description" not in written and (text := schemas.text(request.get("description"))):
            written["description"] = text
        return BodyReading(
            body=body,
            schema=written,
            references=converted.references,
            required=request.get("required") is True,
        )
    raise LeftOutError("; ".join(faults))


def _candidates(content: JsonObject) -> list[tuple[BodyKind, str, JsonValue]]:
    """The media types in order of choice, each once, with the kind of body it would be."""
    left = {str(media_type): described for media_type, described in content.items()}
    found: list[tuple[BodyKind, str, JsonValue]] = []
    for kind, pattern in _BY_CHOICE:
        fits = [one for one in left if pattern.fullmatch(one.partition(";")[0].strip().lower())]
        found.extend((kind, media_type, left.pop(media_type)) for media_type in fits)
    return found


def _read(
    document: Document, schemas: Schemas, kind: BodyKind, media_type: str, media: JsonObject
) -> tuple[Body, Converted]:
    if not _IN_SEQUENCE.isdisjoint(media):
        raise LeftOutError(f"its body is {media_type} in sequence, which cannot be written")
    schema = media.get("schema", True)
    sent = _WILD.get(media_type, media_type)
    if "*" in sent:
        raise LeftOutError(f"its body is {media_type}, which names no type")
    match kind:
        case "json":
            if _is_binary(document, schema):
                sent = "" if media_type in _WILD else sent
                return Body(kind="binary", media_type=sent), Converted(BASE64, frozenset())
            return Body(media_type="" if sent == "application/json" else sent), schemas.convert(
                schema
            )
        case "form" | "multipart":
            return _form(document, schemas, kind, media_type, media)
        case "binary":
            return Body(kind="binary", media_type=sent), Converted(BASE64, frozenset())
        case "text":
            return _text(document, schemas, sent, schema)


def _text(
    document: Document, schemas: Schemas, media_type: str, schema: JsonValue
) -> tuple[Body, Converted]:
    """A body that is one text; a type that structures it, such as XML, is not written."""
    if _is_binary(document, schema):
        return Body(kind="binary", media_type=media_type), Converted(BASE64, frozenset())
    kind = kind_of(document, schema)
    is_plain = media_type.startswith("text/") and "xml" not in media_type
    if kind != "scalar" and not (kind == "any" and is_plain):
        raise LeftOutError(f"its body is {media_type}, which cannot be written")
    converted = schemas.convert(schema)
    if converted.schema is True or converted.schema == {}:
        converted = Converted({"type": "string"}, frozenset())
    return Body(kind="text", media_type=media_type), converted


def _is_binary(document: Document, schema: JsonValue) -> bool:
    """Bytes: `format: binary` of OpenAPI 3.0, or a media type without an encoding of 3.1."""
    found = document.peek(schema)
    if found is None or found.get("type", "string") not in ("string", "file"):
        return False
    if found.get("format") == "binary" or found.get("type") == "file":
        return True
    media_type = as_text(found.get("contentMediaType")).lower()
    return "contentEncoding" not in found and bool(_BINARY_TYPES.fullmatch(media_type))


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
        if _is_binary(self.document, schema):
            return True
        types = as_text(self.encoding(name).get("contentType")).lower().split(",")
        if all(_BINARY_TYPES.fullmatch(one.strip()) for one in types):
            return kind_of(self.document, schema) in ("scalar", "any")
        return schema == {} and not self.document.is_3_0

    def holds_file(self, name: str, schema: JsonValue) -> bool:
        """Whether it is a file or a list of files."""
        if kind_of(self.document, schema) == "array":
            return self.is_file(name, item_of(self.document, schema))
        return self.is_file(name, schema)


def _form(
    document: Document, schemas: Schemas, kind: BodyKind, media_type: str, media: JsonObject
) -> tuple[Body, Converted]:
    schema = media.get("schema", True)
    if kind_of(document, schema) not in ("object", "any"):
        raise LeftOutError(f"its body is {media_type} and no object")
    form = _Form(document, kind, as_object(media.get("encoding")) or {})
    properties: dict[str, JsonValue] = {}
    for one in object_schemas(document, schema):
        properties |= as_object(one.get("properties")) or {}
    parts = [_part(form, str(name), item) for name, item in properties.items()]
    converted = schemas.convert(_with_files(form, schema, {}))
    written = as_object(converted.schema) or {}
    if not written.keys() & {"type", "$ref", "allOf", "anyOf", "oneOf"}:
        converted = Converted({"type": "object", **written}, converted.references)
    body = Body(kind=kind, media_type="", parts=tuple(part for part in parts if part is not None))
    return body, converted


def _part(form: _Form, name: str, schema: JsonValue) -> Part | None:
    """How one property is written, None where its value alone tells."""
    encoding = form.encoding(name)
    if not encoding.keys().isdisjoint(("style", "explode", "allowReserved")):
        return _styled(form, name, schema, encoding)
    said = as_text(encoding.get("contentType"))
    first = said.split(",")[0].strip()
    if form.holds_file(name, schema):
        said = said or _media_type_of(form.document, schema)
        is_one = "," not in said and "*" not in said and bool(said)
        return Part(key=name, kind="file", media_type=said if is_one else None)
    if not first or "*" in first:
        return None
    items = item_of(form.document, schema)
    inner = items if kind_of(form.document, schema) == "array" else schema
    if not is_json(first) and kind_of(form.document, inner) in ("array", "object"):
        raise LeftOutError(f"its property {name!r} is {first}, which cannot be written")
    return Part(key=name, media_type=first)


def _media_type_of(document: Document, schema: JsonValue) -> str:
    """The media type that the schema itself names of a file, or of each of a list of them."""
    items = item_of(document, schema)
    found = items if kind_of(document, schema) == "array" else schema
    return as_text((document.peek(found) or {}).get("contentMediaType"))


def _styled(form: _Form, name: str, schema: JsonValue, encoding: JsonObject) -> Part:
    style, explode = encoding.get("style", "form"), encoding.get("explode")
    if style not in STYLES["query"]:
        raise LeftOutError(f"its property {name!r} has style {style!r}, which forms do not have")
    exploded = explode if isinstance(explode, bool) else style == "form"
    if reason := unwritable(form.document, schema, style, exploded):
        raise LeftOutError(f"its property {name!r} {reason}")
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
    found = form.document.resolve(schema, "a schema")
    if kind_of(form.document, found) == "array":
        return {**found, "items": FILE}
    said = {key: found[key] for key in ("description", "nullable", "readOnly") if key in found}
    return {**FILE, **said}
