"""Parameters of an operation as places of its request.

Source: OpenAPI 3.1, "Parameter Object" and "Style Values".
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import cast, get_args

from toolroll.content import JsonObject, JsonValue
from toolroll.sources.header import TOKEN
from toolroll.sources.http import Place
from toolroll.sources.http.fill import RESERVED_HEADERS, folded
from toolroll.sources.http.place import FORM, STYLES, Location, Style
from toolroll.sources.http.style import is_json
from toolroll.sources.openapi.conversion import Schemas
from toolroll.sources.openapi.document import Document, LeftOutError, as_list, as_object, as_text
from toolroll.sources.openapi.kind import item_of, kind_of, required_kinds


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One parameter that an input gives.

    Args:
        place: where it goes; its key is chosen when all are known.
        schema: of its value, converted.
        references: of the document, in the schema.
        required: it must be given.
    """

    place: Place
    schema: JsonObject
    references: frozenset[str]
    required: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """An optional parameter that is not part of the tool, and why."""

    location: str
    name: str
    reason: str


class Parameters:
    """Reads the parameters of one document's operations; those behind a reference once.

    Args:
        document: where references lead.
        schemas: converts their schemas.
        hidden: `(location, name)` of parameters the host supplies; a header's name in lower case.
    """

    def __init__(
        self, document: Document, schemas: Schemas, hidden: Collection[tuple[str, str]]
    ) -> None:
        self._document = document
        self._schemas = schemas
        self._hidden = hidden
        self._known: dict[str, Parameter | Lost | LeftOutError] = {}

    def read(
        self, of_the_path: JsonValue, of_the_operation: JsonValue
    ) -> tuple[list[Parameter], list[Lost]]:
        """The parameters of an operation, those of its path first; its own replace them.

        Raises:
            LeftOutError: a parameter that must be sent cannot be.
        """
        found: dict[tuple[str, str], Parameter | Lost | LeftOutError] = {}
        for raw in (*as_list(of_the_path), *as_list(of_the_operation)):
            read = self._parameter(raw)
            match read:
                case Parameter(place=place):
                    found[place.location, _folded(place.location, place.wire_name)] = read
                case Lost(location=location, name=name):
                    found[location, _folded(location, name)] = read
                case LeftOutError():
                    raise read
        parameters = [read for read in found.values() if isinstance(read, Parameter)]
        return parameters, [read for read in found.values() if isinstance(read, Lost)]

    def _parameter(self, raw: JsonValue) -> Parameter | Lost | LeftOutError:
        reference = as_text((as_object(raw) or {}).get("$ref"))
        if reference not in self._known:
            try:
                read = self._read(self._document.resolve(raw, "a parameter"))
            except LeftOutError as error:
                read = error
            if not reference:
                return read
            self._known[reference] = read
        return self._described(self._known[reference], raw)

    def _described(
        self, read: Parameter | Lost | LeftOutError, raw: JsonValue
    ) -> Parameter | Lost | LeftOutError:
        """A shared parameter with the description beside its reference (OpenAPI 3.1)."""
        said = (as_object(raw) or {}).get("description")
        if not isinstance(read, Parameter) or self._document.is_3_0 or not said:
            return read
        return replace(read, schema={**read.schema, "description": self._schemas.text(said)})

    def _read(self, raw: JsonObject) -> Parameter | Lost:
        name, location = as_text(raw.get("name")), as_text(raw.get("in"))
        required = raw.get("required") is True or location == "path"
        if not name:
            raise LeftOutError("a parameter has no name")
        if reason := self._supplied(location, name):
            return Lost(location=location, name=name, reason=reason)
        try:
            return self._place(raw, name, location, required=required)
        except LeftOutError as error:
            if required:
                raise LeftOutError(f"its {location} parameter {name!r} {error.reason}") from error
            return Lost(location=location, name=name, reason=f"it {error.reason}")

    def _supplied(self, location: str, name: str) -> str:
        """Why an input does not give a parameter that is sent all the same, "" where it does."""
        if location != "path" and (location, _folded(location, name)) in self._hidden:
            return "the host supplies it"
        if location == "header" and folded(name) in RESERVED_HEADERS:
            return "it is a header that no input decides"
        return ""

    def _place(self, raw: JsonObject, name: str, location: str, *, required: bool) -> Parameter:
        if location not in get_args(Location):
            raise LeftOutError(f"is in {location or 'no place'!r}, which cannot be written")
        if location == "header" and not TOKEN.fullmatch(name):
            raise LeftOutError("is no header name")
        place = Place(key="", name=name, location=cast("Location", location))
        content = as_object(raw.get("content"))
        if content is not None:
            place, schema = self._of_content(place, content)
        elif location == "querystring":
            raise LeftOutError("has no media type, which the whole query needs")
        else:
            schema = raw.get("schema", True)
            place = self._of_style(place, raw, schema)
        converted = self._schemas.convert(schema)
        written = dict(as_object(converted.schema) or {})
        if text := self._schemas.text(raw.get("description")):
            written["description"] = text
        if raw.get("deprecated") is True:
            written["deprecated"] = True
        return Parameter(
            place=place, schema=written, references=converted.references, required=required
        )

    def _of_content(self, place: Place, content: JsonObject) -> tuple[Place, JsonValue]:
        if len(content) != 1:
            raise LeftOutError("has not exactly one media type")
        media_type, described = next(iter(content.items()))
        media = self._document.resolve(described, "a media type")
        schema = media.get("schema", True)
        if place.location == "querystring" and media_type.lower() == FORM:
            if media.get("encoding"):
                raise LeftOutError("has encodings of its own, which are not written in a query")
            if kind_of(self._document, schema) not in ("object", "any"):
                raise LeftOutError(f"is {media_type} and no object")
        elif not is_json(media_type) and not media_type.startswith("text/plain"):
            raise LeftOutError(f"is {media_type}, which cannot be written")
        written = Place(key="", name=place.name, location=place.location, media_type=media_type)
        return written, schema

    def _of_style(self, place: Place, raw: JsonObject, schema: JsonValue) -> Place:
        style, explode = raw.get("style"), raw.get("explode")
        if style is not None and style not in STYLES[place.location]:
            raise LeftOutError(f"has style {style!r}, which a {place.location} does not have")
        written = Place(
            key="",
            name=place.name,
            location=place.location,
            style=style,
            explode=explode if isinstance(explode, bool) else None,
            allow_reserved=place.location == "query" and raw.get("allowReserved") is True,
        )
        if reason := unwritable(self._document, schema, written.written_style, written.exploded):
            raise LeftOutError(reason)
        return written


def unwritable(document: Document, schema: JsonValue, style: Style, explode: bool) -> str:  # noqa: FBT001 a pair
    """Why a style cannot write the values of a schema, "" where it can."""
    kind = kind_of(document, schema)
    if style in ("spaceDelimited", "pipeDelimited"):
        if explode:
            return f"has style {style} with explode, which is not defined"
        if kind == "scalar":
            return f"has style {style} for a single value, which is not defined"
    if style == "deepObject" and kind in ("array", "scalar"):
        return "has style deepObject for what is no object, which is not defined"
    if kind == "array" and kind_of(document, item_of(document, schema)) in ("array", "object"):
        return "is a list of lists or objects, which no style can write"
    if kind == "object" and {"array", "object"} & required_kinds(document, schema):
        return "is an object of lists or objects, which no style can write"
    return ""


def _folded(location: str, name: str) -> str:
    return name.lower() if location == "header" else name


def hidden_parameters(document: Document, hide: Iterable[str]) -> frozenset[tuple[str, str]]:
    """`(location, name)` of what a host supplies: the API keys of the document, and `hide`."""
    found = {
        (location, _folded(location, name)) for name in hide for location in ("query", "header")
    }
    components = as_object(document.raw.get("components")) or {}
    schemes = as_object(components.get("securitySchemes")) or as_object(
        document.raw.get("securityDefinitions")
    )
    for raw in (schemes or {}).values():
        try:
            scheme = document.resolve(raw, "a security scheme")
        except LeftOutError:
            continue
        location, name = as_text(scheme.get("in")), as_text(scheme.get("name"))
        if scheme.get("type") == "apiKey" and location in ("query", "header") and name:
            found.add((location, _folded(location, name)))
    return frozenset(found)
