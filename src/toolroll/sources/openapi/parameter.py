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
from toolroll.sources.http.place import FORM, STYLES, Location
from toolroll.sources.http.style import is_json
from toolroll.sources.openapi.conversion import Schemas
from toolroll.sources.openapi.document import Document, LeftOutError, as_list, as_object, as_text
from toolroll.sources.openapi.fit import Fitted, fit
from toolroll.sources.openapi.shape import form_shape, single, styled


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One parameter that an input gives.

    Args:
        place: where it goes; its key is chosen when all are known.
        schema: of its value, converted.
        references: of the document, in the schema.
        required: it must be given.
        lost: parts of it that cannot be sent.
    """

    place: Place
    schema: JsonObject
    references: frozenset[str]
    required: bool
    lost: tuple["Lost", ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """An optional parameter, or a part of a parameter or body, that is not part of the tool.

    Args:
        location: where it would be; `body` for a part of the body.
        name: of the parameter; "" for the body.
        reason: why.
        part: the path of the property that is lost, "" for all of it or for a kind of value.
    """

    location: str
    name: str
    reason: str
    part: str = ""

    @property
    def subject(self) -> str:
        """What is lost, for the report."""
        whole = f"{self.location} parameter {self.name}" if self.name else self.location
        return f"property {self.part} of the {whole}" if self.part else whole


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
        lost = [read for read in found.values() if isinstance(read, Lost)]
        return parameters, [*lost, *(one for read in parameters for one in read.lost)]

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
            place, fitted = self._of_content(place, content)
        elif location == "querystring":
            raise LeftOutError("has no media type, which the whole query needs")
        else:
            place = self._of_style(place, raw)
            shape = styled(place.written_style, explode=place.exploded)
            fitted = fit(self._document, raw.get("schema", True), shape)
        converted = self._schemas.convert(fitted.schema)
        written = dict(as_object(converted.schema) or {})
        if text := self._schemas.text(raw.get("description")):
            written["description"] = text
        if raw.get("deprecated") is True:
            written["deprecated"] = True
        return Parameter(
            place=place,
            schema=written,
            references=converted.references,
            required=required,
            lost=tuple(
                Lost(location=location, name=name, reason=reason, part=part)
                for part, reason in fitted.lost
            ),
        )

    def _of_content(self, place: Place, content: JsonObject) -> tuple[Place, Fitted]:
        if len(content) != 1:
            raise LeftOutError("has not exactly one media type")
        media_type, described = next(iter(content.items()))
        media = self._document.resolve(described, "a media type")
        fitted = Fitted(media.get("schema", True))
        if place.location == "querystring" and media_type.lower() == FORM:
            if media.get("encoding"):
                raise LeftOutError("has encodings of its own, which are not written in a query")
            shape = form_shape(f"is {media_type} and no object")
            fitted = fit(self._document, fitted.schema, shape)
        elif media_type.startswith("text/plain"):
            shape = single(f"is {media_type} and no single value")
            fitted = fit(self._document, fitted.schema, shape)
        elif not is_json(media_type):
            raise LeftOutError(f"is {media_type}, which cannot be written")
        written = Place(key="", name=place.name, location=place.location, media_type=media_type)
        return written, fitted

    def _of_style(self, place: Place, raw: JsonObject) -> Place:
        style, explode = raw.get("style"), raw.get("explode")
        if style is not None and style not in STYLES[place.location]:
            raise LeftOutError(f"has style {style!r}, which a {place.location} does not have")
        return Place(
            key="",
            name=place.name,
            location=place.location,
            style=style,
            explode=explode if isinstance(explode, bool) else None,
            allow_reserved=place.location == "query" and raw.get("allowReserved") is True,
        )


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
