"""The body of an operation: which of its media types is sent, and what an input says of it.

Source: OpenAPI 3.1, "Media Type Object", "Encoding Object" and "Working with Binary Data".
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from toolroll.content import JsonObject, JsonValue
from toolroll.sources.http import Body
from toolroll.sources.http.place import BodyKind
from toolroll.sources.openapi.conversion import Converted, Schemas
from toolroll.sources.openapi.document import Document, LeftOutError, as_object
from toolroll.sources.openapi.fit import Losses, fit
from toolroll.sources.openapi.form import BINARY_TYPES, is_binary, read_form
from toolroll.sources.openapi.kind import kind_of
from toolroll.sources.openapi.parameter import Lost
from toolroll.sources.openapi.shape import single

BASE64: JsonObject = {
    "type": "string",
    "contentEncoding": "base64",
    "description": "The bytes as base64 text.",
}
"""What an input says of a body of bytes."""

_BY_CHOICE: tuple[tuple[BodyKind, re.Pattern[str]], ...] = (
    ("json", re.compile(r"application/json")),
    ("json", re.compile(r".*[+/]json|\*/\*|application/\*")),
    ("form", re.compile(r"application/x-www-form-urlencoded")),
    ("multipart", re.compile(r"multipart/form-data")),
    ("text", re.compile(r"text/(?!xml).*")),
    ("binary", re.compile(r"application/octet-stream")),
    ("binary", BINARY_TYPES),
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
        lost: parts of it that cannot be sent.
    """

    body: Body
    schema: JsonObject
    references: frozenset[str]
    required: bool
    lost: tuple[Lost, ...] = ()


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
            body, converted, lost = _read(document, schemas, kind, media_type, media)
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
            lost=tuple(
                Lost(location="body", name="", reason=reason, part=part) for part, reason in lost
            ),
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


_Read: TypeAlias = tuple[Body, Converted, Losses]
"""A body, the schema of its values, and what of the document's schema is lost."""


def _read(
    document: Document, schemas: Schemas, kind: BodyKind, media_type: str, media: JsonObject
) -> _Read:
    if not _IN_SEQUENCE.isdisjoint(media):
        raise LeftOutError(f"its body is {media_type} in sequence, which cannot be written")
    schema = media.get("schema", True)
    sent = _WILD.get(media_type, media_type)
    if "*" in sent:
        raise LeftOutError(f"its body is {media_type}, which names no type")
    match kind:
        case "json":
            if is_binary(document, schema):
                return _bytes("" if media_type in _WILD else sent)
            body = Body(media_type="" if sent == "application/json" else sent)
            return body, schemas.convert(schema), ()
        case "form" | "multipart":
            return read_form(document, schemas, kind, media_type, media)
        case "binary":
            return _bytes(sent)
        case "text":
            return _text(document, schemas, sent, schema)


def _bytes(media_type: str) -> _Read:
    return Body(kind="binary", media_type=media_type), Converted(BASE64, frozenset()), ()


def _text(document: Document, schemas: Schemas, media_type: str, schema: JsonValue) -> _Read:
    """A body that is one text; a type that structures it, such as XML, is not written."""
    if is_binary(document, schema):
        return _bytes(media_type)
    unwritten = f"its body is {media_type}, which cannot be written"
    fitted = fit(document, schema, single(unwritten))
    is_plain = media_type.startswith("text/") and "xml" not in media_type
    if kind_of(document, fitted.schema) == "any" and not is_plain:
        raise LeftOutError(unwritten)
    converted = schemas.convert(fitted.schema)
    if converted.schema is True or converted.schema == {}:
        converted = Converted({"type": "string"}, frozenset())
    return Body(kind="text", media_type=media_type), converted, fitted.lost
