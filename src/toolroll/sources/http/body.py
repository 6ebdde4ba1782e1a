"""The body of a request as bytes.

Source: OpenAPI 3.1, "Encoding Object": without a style of its own, a property of a form is text, or
JSON where it is an object, and a list is one pair or part for each item. RFC 7578 for multipart
bodies; application/x-www-form-urlencoded with `+` for a space.
"""

import base64
import binascii
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote_plus

from toolroll.content import JsonObject, JsonValue
from toolroll.sources.http.place import FORM, Body, Part
from toolroll.sources.http.style import (
    UnfitError,
    json_text,
    media_text,
    query_pairs,
    scalar_text,
)

MEDIA_TYPES = {
    "json": "application/json",
    "form": FORM,
    "multipart": "multipart/form-data",
    "text": "text/plain; charset=utf-8",
    "binary": "application/octet-stream",
}
"""The `Content-Type` of each kind of body whose template names none."""

_MEDIA_TYPE = re.compile(r"[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+")
_FILE_NAME_UNFIT = re.compile(r"[\x00-\x1f\x7f/\\]")
_WHITE = re.compile(r"[ \t\r\n]+")


def write_body(body: Body, value: JsonValue) -> tuple[bytes, str]:
    """The bytes of a body and its `Content-Type`.

    Raises:
        UnfitError: the value cannot be written as this kind of body.

    Example:
        >>> write_body(Body(kind="form"), {"a": "1 2", "b": ["x", "y"]})
        (b'a=1+2&b=x&b=y', 'application/x-www-form-urlencoded')
    """
    media_type = body.media_type or MEDIA_TYPES[body.kind]
    match body.kind:
        case "json":
            return json_text(value).encode(), media_type
        case "text":
            return scalar_text(value).encode(), _with_charset(media_type)
        case "binary":
            return from_base64(value), media_type
        case "form":
            return _form(body, _object(value)).encode(), media_type
        case "multipart":
            return _multipart(body, _object(value), media_type)


def from_base64(value: JsonValue) -> bytes:
    """Bytes of base64 text; white space in it is passed over.

    Raises:
        UnfitError: it is no base64.
    """
    if isinstance(value, str):
        try:
            return base64.b64decode(_WHITE.sub("", value), validate=True)
        except (binascii.Error, ValueError):
            pass
    raise UnfitError("must be base64 text")


def _object(value: JsonValue) -> JsonObject:
    if not isinstance(value, Mapping):
        raise UnfitError("must be an object")
    return value


def _with_charset(media_type: str) -> str:
    return media_type if "charset=" in media_type.lower() else f"{media_type}; charset=utf-8"


def _form_text(text: str) -> str:
    # "~" too, as the first readers of forms want it.
    return quote_plus(text, safe="").replace("~", "%7E")


def _form(body: Body, value: JsonObject) -> str:
    return "&".join(
        f"{_form_text(name)}={_form_text(item.text())}" for name, item in _pieces(body, value)
    )


@dataclass(frozen=True, slots=True)
class _Piece:
    """One value of a form, as it is sent."""

    content: bytes
    media_type: str | None = None
    filename: str | None = None

    def text(self) -> str:
        if self.filename is not None:
            raise UnfitError("must be text: a form that is not multipart holds no file")
        return self.content.decode()


def _pieces(body: Body, value: JsonObject) -> list[tuple[str, _Piece]]:
    """The values of a form in order; what is null counts as left out."""
    parts = {part.key: part for part in body.parts}
    pieces: list[tuple[str, _Piece]] = []
    for key, item in value.items():
        if item is None:
            continue
        part = parts.get(key)
        try:
            if part is not None and part.kind == "style":
                pieces += _styled(key, item, part)
            else:
                pieces += [(scalar_text(key), _piece(one, part)) for one in _each(item, part)]
        except UnfitError as error:
            raise UnfitError(error.problem, key, *error.path) from error
    return pieces


def _each(value: JsonValue, part: Part | None) -> Sequence[JsonValue]:
    """A list is one piece for each item, unless all of it is JSON."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [value] if part is not None and part.kind == "json" else value
    return [value]


def _styled(key: str, value: JsonValue, part: Part) -> list[tuple[str, _Piece]]:
    style = part.style or "form"
    explode = style == "form" if part.explode is None else part.explode
    pairs = query_pairs(key, value, style, explode=explode, write=str)
    return [(name, _Piece(text.encode())) for name, text in pairs]


def _piece(value: JsonValue, part: Part | None) -> _Piece:
    if part is not None and part.kind == "file":
        return _file(value, part)
    if part is not None and part.media_type is not None:
        return _Piece(media_text(value, part.media_type).encode(), part.media_type)
    if isinstance(value, Mapping) or (part is not None and part.kind == "json"):
        return _Piece(json_text(value).encode(), "application/json")
    return _Piece(scalar_text(value).encode())


def _file(value: JsonValue, part: Part) -> _Piece:
    given = _object(value)
    filename, text, packed = given.get("filename"), given.get("text"), given.get("base64")
    if not isinstance(filename, str) or (text is None) == (packed is None):
        raise UnfitError("must be an object with 'filename' and one of 'text' and 'base64'")
    if not filename or _FILE_NAME_UNFIT.search(filename) or filename in (".", ".."):
        raise UnfitError("must be a plain file name without a folder", "filename")
    scalar_text(filename)
    media_type = given.get("media_type")
    if media_type is not None and not (
        isinstance(media_type, str) and _MEDIA_TYPE.fullmatch(media_type)
    ):
        raise UnfitError("must be a media type such as image/png", "media_type")
    usual = MEDIA_TYPES["text" if packed is None else "binary"]
    content = scalar_text(text).encode() if packed is None else from_base64(packed)
    return _Piece(content, media_type or part.media_type or usual, filename)


def _multipart(body: Body, value: JsonObject, media_type: str) -> tuple[bytes, str]:
    pieces = _pieces(body, value)
    if not pieces:
        raise UnfitError("must have at least one property: a multipart body cannot be empty")
    # Made of the content itself, so that no content can hold it.
    digest = hashlib.sha256()
    for name, piece in pieces:
        digest.update(name.encode() + b"\0" + piece.content + b"\0")
    boundary = f"toolroll-{digest.hexdigest()[:40]}"
    written = bytearray()
    for name, piece in pieces:
        written += f"--{boundary}\r\n".encode() + _head(name, piece) + piece.content + b"\r\n"
    written += f"--{boundary}--\r\n".encode()
    return bytes(written), f"{media_type}; boundary={boundary}"


def _head(name: str, piece: _Piece) -> bytes:
    lines = f'Content-Disposition: form-data; name="{_quoted(name)}"'
    if piece.filename is not None:
        lines += f'; filename="{_quoted(piece.filename)}"'
    if piece.media_type is not None:
        lines += f"\r\nContent-Type: {piece.media_type}"
    return f"{lines}\r\n\r\n".encode()


def _quoted(text: str) -> str:
    """A name between quotes as browsers write it: three characters escaped, the rest UTF-8."""
    return text.replace("\r", "%0D").replace("\n", "%0A").replace('"', "%22")
