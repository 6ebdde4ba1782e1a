"""How the input of a tool becomes an HTTP request, as data.

The template decides method, path, places and kinds of encoding; an input only fills the places.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast, get_args
from urllib.parse import unquote

from toolroll.content import JsonObject, JsonValue
from toolroll.outcome import DefinitionError
from toolroll.sources.header import TOKEN

Location: TypeAlias = Literal["path", "query", "header", "querystring"]
Style: TypeAlias = Literal[
    "simple", "label", "matrix", "form", "spaceDelimited", "pipeDelimited", "deepObject"
]
BodyKind: TypeAlias = Literal["json", "form", "multipart", "text", "binary"]
PartKind: TypeAlias = Literal["text", "json", "file", "style"]

STYLES: Mapping[Location, tuple[Style, ...]] = {
    "path": ("simple", "label", "matrix"),
    "query": ("form", "spaceDelimited", "pipeDelimited", "deepObject"),
    "header": ("simple",),
    "querystring": ("form",),
}
"""The styles each location allows, its default first (OpenAPI 3.1, "Style Values")."""

FORM = "application/x-www-form-urlencoded"

ACCEPT = "application/json, */*;q=0.5"
"""What a request accepts where its template does not say."""

_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where one property of the input goes.

    Args:
        key: the property of the input.
        name: the name on the wire; the property's own where it is "".
        location: `path` (one or part of one segment), `query`, `header`, or `querystring` (all of
            the query, written as `media_type`).
        style: how lists and objects are written; None for the location's default.
        explode: lists and objects are written pair by pair; None for the style's default.
        allow_reserved: of a query value, characters such as `/` and `:` stay as they are.
        media_type: the value is written as this type (JSON or plain text; a form too where it is
            the whole query) and not by a style.

    Example:
        >>> from toolroll.sources.http import fill
        >>> tags = Place(key="tags", style="pipeDelimited", explode=False)
        >>> template = RequestTemplate(method="GET", path="/notes", places=(tags,))
        >>> fill(template, "https://notes.test", {"tags": ["new", "short"]}).url
        'https://notes.test/notes?tags=new%7Cshort'
    """

    key: str
    name: str = ""
    location: Location = "query"
    style: Style | None = None
    explode: bool | None = None
    allow_reserved: bool = False
    media_type: str | None = None

    @property
    def wire_name(self) -> str:
        """The name on the wire."""
        return self.name or self.key

    @property
    def written_style(self) -> Style:
        """The style that counts."""
        return self.style or STYLES[self.location][0]

    @property
    def exploded(self) -> bool:
        """Whether lists and objects are written pair by pair."""
        return self.written_style == "form" if self.explode is None else self.explode


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """How one property of a form is written, where its value alone does not tell.

    Args:
        key: the property of the body.
        kind: `text`, `json`, `file` (an object with `filename` and `text` or `base64`, in a
            multipart body), or `style` (as a query parameter is written).
        media_type: the part's type in a multipart body; None for the kind's own.
        style: for `style`: one of a query parameter's.
        explode: for `style`: None for the style's default.
        allow_reserved: for `style`: as for a query parameter.

    Example:
        >>> from toolroll.sources.http import fill
        >>> note = Body(kind="multipart", parts=(Part(key="note", kind="file"),))
        >>> template = RequestTemplate(method="POST", path="/notes", body=note)
        >>> file = {"filename": "a.txt", "text": "bread"}
        >>> sent = fill(template, "https://notes.test", {"body": {"note": file}})
        >>> b'filename="a.txt"' in sent.content
        True
    """

    key: str
    kind: PartKind = "text"
    media_type: str | None = None
    style: Style | None = None
    explode: bool | None = None
    allow_reserved: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """The property of the input that is the request's body, and how it is written.

    Args:
        key: the property of the input.
        kind: `json` (any value), `form` and `multipart` (an object), `text`, `binary` (base64).
        media_type: the `Content-Type`; "" for the kind's own.
        parts: single properties of a form or multipart body.

    Example:
        >>> from toolroll.sources.http import fill
        >>> template = RequestTemplate(method="POST", path="/notes", body=Body(kind="form"))
        >>> fill(template, "https://notes.test", {"body": {"title": "to buy"}}).content
        b'title=to+buy'
    """

    key: str = "body"
    kind: BodyKind = "json"
    media_type: str = ""
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestTemplate:
    """An HTTP request with places for the properties of an input.

    Args:
        method: upper case, e.g. `GET`.
        path: begins with `/`; `{name}` stands where a place of location `path` goes. It is put
            after the path of the source's base URL.
        places: every property of the input but the body's.
        body: the body, None for none.
        accept: the `Accept` header.

    Raises:
        DefinitionError: a method or name that cannot be sent, a path whose `{names}` are not its
            places, a property with two places, a style its location does not have.

    Example:
        >>> template = RequestTemplate(
        ...     method="GET",
        ...     path="/notes/{id}",
        ...     places=(Place(key="id", location="path"), Place(key="words")),
        ... )
        >>> RequestTemplate.from_json(template.to_json()) == template
        True
    """

    method: str
    path: str
    places: tuple[Place, ...] = ()
    body: Body | None = None
    accept: str = ACCEPT

    def __post_init__(self) -> None:
        if fault := _fault(self):
            raise DefinitionError(f"{self.method} {self.path}: {fault}")

    @staticmethod
    def of(
        method: str,
        path: str,
        *,
        query: Sequence[str] = (),
        header: Sequence[str] = (),
        body: str | None = None,
    ) -> "RequestTemplate":
        """A template in the plainest form: properties named as on the wire, default styles, JSON.

        Args:
            method: e.g. `GET`.
            path: its `{names}` are properties of the input.
            query: properties that go into the query.
            header: properties that go into headers.
            body: the property that is the JSON body.

        Example:
            >>> template = RequestTemplate.of("GET", "/a/{id}", query=["q"])
            >>> [(place.key, place.location) for place in template.places]
            [('id', 'path'), ('q', 'query')]
        """
        return RequestTemplate(
            method=method,
            path=path,
            places=(
                *(Place(key=name, location="path") for name in placeholders(path)),
                *(Place(key=name, location="query") for name in query),
                *(Place(key=name, location="header") for name in header),
            ),
            body=None if body is None else Body(key=body),
        )

    def to_json(self) -> dict[str, JsonValue]:
        """The template as JSON; what is as usual is left out."""
        written: dict[str, JsonValue] = {"method": self.method, "path": self.path}
        if self.places:
            written["places"] = [_place_to_json(place) for place in self.places]
        if self.body is not None:
            written["body"] = _body_to_json(self.body)
        if self.accept != ACCEPT:
            written["accept"] = self.accept
        return written

    @staticmethod
    def from_json(raw: JsonObject) -> "RequestTemplate":
        """Read what `to_json` wrote.

        Raises:
            DefinitionError: it is not of that form.
        """
        body = raw.get("body")
        return RequestTemplate(
            method=_text(raw, "method"),
            path=_text(raw, "path"),
            places=tuple(_place(item) for item in _objects(raw, "places")),
            body=None if body is None else _body(_object(raw, "body")),
            accept=_text(raw, "accept", ACCEPT),
        )


def placeholders(path: str) -> list[str]:
    """The names in braces, in order, each once."""
    return list(dict.fromkeys(_PLACEHOLDER.findall(path)))


def _fault(template: RequestTemplate) -> str:
    """What is wrong with a template, "" for nothing."""
    if not TOKEN.fullmatch(template.method) or template.method != template.method.upper():
        return "the method must be a word in upper case."
    if template.method == "CONNECT":
        return "CONNECT opens a tunnel and calls no operation."
    if not template.path.startswith("/") or re.search(r"[#\x00-\x20\x7f]", template.path):
        return "the path must begin with '/' and hold neither '#' nor spaces."
    if any(unquote(part) in (".", "..") for part in template.path.partition("?")[0].split("/")):
        return "the path must not hold '.' or '..'."
    if re.search(r"[{}]", _PLACEHOLDER.sub("", template.path)):
        return "the braces of the path do not match."
    if "{" in template.path.partition("?")[2]:
        return "a {name} behind the '?' of the path is not filled; make it a query place."
    in_path = {place.wire_name for place in template.places if place.location == "path"}
    if odd := in_path ^ set(placeholders(template.path)):
        return f"the {{names}} of the path and its places differ in {', '.join(sorted(odd))}."
    taken = [place.key for place in template.places]
    taken += [template.body.key] if template.body else []
    if twice := sorted({name for name in taken if taken.count(name) > 1}):
        return f"a property has two places: {', '.join(twice)}."
    if re.search(r"[^\t\x20-\x7e]", template.accept):
        return "the accept value has characters no header can hold."
    if fault := _query_fault(template):
        return fault
    faults = [_place_fault(place) for place in template.places]
    return next(filter(None, faults), "") or _body_fault(template.body)


def _query_fault(template: RequestTemplate) -> str:
    """Whether the whole query is one value and has others beside it (OpenAPI 3.2)."""
    in_query = [one for one in template.places if one.location in ("query", "querystring")]
    whole = [one for one in in_query if one.location == "querystring"]
    if whole and (len(in_query) > 1 or "?" in template.path):
        return f"{whole[0].key} is the whole query, and there is more."
    if any(one.media_type is None for one in whole):
        return f"{whole[0].key} is the whole query and needs a media type."
    return ""


def _place_fault(place: Place) -> str:
    if place.written_style not in STYLES[place.location]:
        return f"{place.key}: style {place.style!r} does not exist in a {place.location}."
    if place.location == "header" and not TOKEN.fullmatch(place.wire_name):
        return f"{place.key}: {place.wire_name!r} is no header name."
    return ""


def _body_fault(body: Body | None) -> str:
    if body is None:
        return ""
    types = [body.media_type, *(part.media_type or "" for part in body.parts)]
    if any(re.search(r"[^\t\x20-\x7e]", name) for name in types):
        return "a media type has characters no header can hold."
    if any(part.style not in (None, *STYLES["query"]) for part in body.parts):
        return "a part of the body has a style that forms do not have."
    return ""


def _place_to_json(place: Place) -> dict[str, JsonValue]:
    return _without_defaults(
        {
            "key": place.key,
            "name": place.name,
            "location": place.location,
            "style": place.style,
            "explode": place.explode,
            "allow_reserved": place.allow_reserved,
            "media_type": place.media_type,
        }
    )


def _place(raw: JsonObject) -> Place:
    return Place(
        key=_text(raw, "key"),
        name=_text(raw, "name", ""),
        location=cast("Location", _word(raw, "location", get_args(Location))),
        style=cast("Style | None", _word(raw, "style", (None, *get_args(Style)))),
        explode=cast("bool | None", _word(raw, "explode", (None, True, False))),
        allow_reserved=bool(_word(raw, "allow_reserved", (None, True, False))),
        media_type=_text(raw, "media_type", "") or None,
    )


def _body_to_json(body: Body) -> dict[str, JsonValue]:
    written = _without_defaults({"key": body.key, "kind": body.kind, "media_type": body.media_type})
    if body.parts:
        written["parts"] = [
            _without_defaults(
                {
                    "key": part.key,
                    "kind": part.kind,
                    "media_type": part.media_type,
                    "style": part.style,
                    "explode": part.explode,
                    "allow_reserved": part.allow_reserved,
                }
            )
            for part in body.parts
        ]
    return written


def _body(raw: JsonObject) -> Body:
    return Body(
        key=_text(raw, "key"),
        kind=cast("BodyKind", _word(raw, "kind", get_args(BodyKind))),
        media_type=_text(raw, "media_type", ""),
        parts=tuple(
            Part(
                key=_text(part, "key"),
                kind=cast("PartKind", _word(part, "kind", get_args(PartKind))),
                media_type=_text(part, "media_type", "") or None,
                style=cast("Style | None", _word(part, "style", (None, *get_args(Style)))),
                explode=cast("bool | None", _word(part, "explode", (None, True, False))),
                allow_reserved=bool(_word(part, "allow_reserved", (None, True, False))),
            )
            for part in _objects(raw, "parts")
        ),
    )


def _without_defaults(fields: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    return {
        key: value
        for key, value in fields.items()
        if value not in (None, "") and not (key == "allow_reserved" and value is False)
    }


def _text(raw: JsonObject, key: str, default: str | None = None) -> str:
    value = raw.get(key, default)
    if not isinstance(value, str):
        raise DefinitionError(f"a stored request template: {key!r} must be a text, got {value!r}.")
    return value


def _word(raw: JsonObject, key: str, words: Collection[JsonValue]) -> JsonValue:
    value = raw.get(key)
    if value not in words or isinstance(value, (int, float)) is not isinstance(value, bool):
        said = ", ".join(map(str, words))
        raise DefinitionError(f"a stored request template: {key!r} must be one of {said}.")
    return value


def _object(raw: JsonObject, key: str) -> JsonObject:
    value = raw.get(key)
    if not isinstance(value, Mapping):
        raise DefinitionError(f"a stored request template: {key!r} must be an object.")
    return cast("JsonObject", value)


def _objects(raw: JsonObject, key: str) -> list[JsonObject]:
    value = raw.get(key, [])
    if not isinstance(value, list | tuple) or not all(isinstance(i, Mapping) for i in value):
        raise DefinitionError(f"a stored request template: {key!r} must be a list of objects.")
    return list(cast("Sequence[JsonObject]", value))
