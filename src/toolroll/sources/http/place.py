"""Where the properties of an input go in a request, and how they are written there."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

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
        >>> from toolroll.sources.http import RequestTemplate, fill
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
        >>> from toolroll.sources.http import RequestTemplate, fill
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
        >>> from toolroll.sources.http import RequestTemplate, fill
        >>> template = RequestTemplate(method="POST", path="/notes", body=Body(kind="form"))
        >>> fill(template, "https://notes.test", {"body": {"title": "to buy"}}).content
        b'title=to+buy'
    """

    key: str = "body"
    kind: BodyKind = "json"
    media_type: str = ""
    parts: tuple[Part, ...] = ()
