"""How the input of a tool becomes an HTTP request, as data.

The template decides method, path, places and kinds of encoding; an input only fills the places.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from toolroll.content import JsonObject, JsonValue
from toolroll.outcome import DefinitionError
from toolroll.sources.header import TOKEN
from toolroll.sources.http.place import STYLES, Body, Place
from toolroll.sources.http.place_json import (
    body_from_json,
    body_to_json,
    object_at,
    objects_at,
    place_from_json,
    place_to_json,
    text_at,
)

ACCEPT = "application/json, */*;q=0.5"
"""What a request accepts where its template does not say."""

_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")


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
            written["places"] = [place_to_json(place) for place in self.places]
        if self.body is not None:
            written["body"] = body_to_json(self.body)
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
            method=text_at(raw, "method"),
            path=text_at(raw, "path"),
            places=tuple(place_from_json(item) for item in objects_at(raw, "places")),
            body=None if body is None else body_from_json(object_at(raw, "body")),
            accept=text_at(raw, "accept", ACCEPT),
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
    if odd := [name for name in placeholders(template.path) if re.search(r"[/?]", name)]:
        return f"{{{odd[0]}}} of the path is no name of one segment."
    if "{" in template.path.partition("?")[2]:
        return "a {name} behind the '?' of the path is not filled; make it a query place."
    in_path = {place.wire_name for place in template.places if place.location == "path"}
    if odd := in_path ^ set(placeholders(template.path)):
        return f"the {{names}} of the path and its places differ in {', '.join(sorted(odd))}."
    taken = [place.key for place in template.places]
    taken += [template.body.key] if template.body else []
    if twice := sorted(name for name, count in Counter(taken).items() if count > 1):
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
