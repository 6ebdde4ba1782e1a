"""An input and a template become a request. Nothing here touches the network."""

import re
from collections.abc import Iterable, Mapping
from urllib.parse import quote, unquote

from toolroll.content import JsonObject, JsonValue
from toolroll.outcome import Issue
from toolroll.ports.http import HttpRequest
from toolroll.schema.reading import RejectedInput
from toolroll.sources.http.body import write_body
from toolroll.sources.http.style import (
    UnfitError,
    encoded,
    header_text,
    media_text,
    path_text,
    query_texts,
)
from toolroll.sources.http.template import Place, RequestTemplate

RESERVED_HEADERS = frozenset(
    {
        "accept",
        "accept-encoding",
        "authorization",
        "connection",
        "content-encoding",
        "content-length",
        "content-type",
        "cookie",
        "expect",
        "host",
        "keep-alive",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "via",
        "forwarded",
        "x-forwarded-for",
        "x-forwarded-host",
        "x-forwarded-proto",
        "x-http-method",
        "x-http-method-override",
        "x-method-override",
        "x-original-url",
        "x-rewrite-url",
    }
)
"""Headers no input decides: they belong to the connection, the credentials or the route."""

_SEGMENT = re.compile(r"\{([^{}]+)\}")
_LITERAL = "/:@!$&'()*+,;=-._~%"


def fill(
    template: RequestTemplate,
    base_url: str,
    input: JsonObject,
    *,
    reserved: Iterable[str] = (),
) -> HttpRequest | RejectedInput:
    """Write the request of an input.

    What is null or absent is not sent. Host, scheme, path prefix and method come from the template
    and the base URL alone; a path value stays within its segment, a header value within its header.

    Args:
        template: what goes where.
        base_url: scheme, host and path prefix, without a slash at its end.
        input: the tool's input.
        reserved: names (lower case) of further headers an input does not decide.

    Returns:
        The request without the host's own headers, or every fault of the input.

    Example:
        >>> template = RequestTemplate.of("GET", "/notes/{id}", query=["words"])
        >>> fill(template, "https://api.test/v1", {"id": "a/b", "words": ["x", "y"]}).url
        'https://api.test/v1/notes/a%2Fb?words=x&words=y'
        >>> fill(template, "https://api.test/v1", {"id": ".."}).issues[0].pointer
        '/id'
    """
    writing = _Writing(template, input)
    path, query = writing.path(), writing.query()
    headers = writing.headers(RESERVED_HEADERS | frozenset(reserved))
    content, content_type = writing.body()
    if content_type is not None:
        headers.append(("Content-Type", content_type))
    writing.refuse_unknown()
    if writing.issues:
        return RejectedInput(tuple(writing.issues))
    return HttpRequest(
        method=template.method,
        url=f"{base_url}{path}{'?' if query else ''}{query}",
        headers=(("Accept", template.accept), *headers),
        content=content,
        timeout=None,
    )


class _Writing:
    """One input on its way into one request; faults are collected."""

    def __init__(self, template: RequestTemplate, input: JsonObject) -> None:
        self.issues: list[Issue] = []
        self._template = template
        self._input = input

    def _given(self, location: str) -> Iterable[tuple[Place, JsonValue]]:
        for place in self._template.places:
            if place.location == location and (value := self._input.get(place.key)) is not None:
                yield place, value

    def _refuse(self, key: str, error: UnfitError) -> None:
        names = (key, *error.path)
        pointer = "".join(f"/{str(n).replace('~', '~0').replace('/', '~1')}" for n in names)
        self.issues.append(Issue(pointer, error.problem))

    def path(self) -> str:
        """The path; each segment that holds a value is still one segment when it is read."""
        literal, _, _ = self._template.path.partition("?")
        texts: dict[str, str] = {}
        for place, value in self._given("path"):
            try:
                texts[place.wire_name] = _path_value(place, value)
            except UnfitError as error:
                self._refuse(place.key, error)
        keys = {place.wire_name: place.key for place in self._template.places}
        for place in self._template.places:
            if place.location == "path" and self._input.get(place.key) is None:
                self.issues.append(
                    Issue(
                        "", f"must have required properties {place.key}", (place.key,), "required"
                    )
                )
        if self.issues:
            return ""
        return "/".join(self._segment(part, texts, keys) for part in literal.split("/"))

    def _segment(self, part: str, texts: Mapping[str, str], keys: Mapping[str, str]) -> str:
        names = _SEGMENT.findall(part)
        if not names:
            return quote(part, safe=_LITERAL)
        pieces = re.split(r"\{[^{}]+\}", part)
        written = quote(pieces[0], safe=_LITERAL)
        for name, literal in zip(names, pieces[1:], strict=True):
            written += texts[name] + quote(literal, safe=_LITERAL)
        if _leaves_its_segment(written):
            self._refuse(keys[names[-1]], UnfitError("must not be empty, '.' or '..'"))
        return written

    def query(self) -> str:
        """The query: what the path itself has, then every place in order."""
        fixed = self._template.path.partition("?")[2]
        texts = [quote(fixed, safe=f"{_LITERAL}?/")] if fixed else []
        own = {place.wire_name for place in self._template.places if place.location == "query"}
        for place, value in self._given("query"):
            try:
                texts += _query_value(place, value, own)
            except UnfitError as error:
                self._refuse(place.key, error)
        return "&".join(texts)

    def headers(self, reserved: frozenset[str]) -> list[tuple[str, str]]:
        """The headers that places give; those an input does not decide are dropped."""
        headers: list[tuple[str, str]] = []
        for place, value in self._given("header"):
            if place.wire_name.lower() in reserved:
                continue
            try:
                headers.append((place.wire_name, _header_value(place, value)))
            except UnfitError as error:
                self._refuse(place.key, error)
        return headers

    def body(self) -> tuple[bytes | None, str | None]:
        """The body and its type, None and None where there is none."""
        body = self._template.body
        if body is None or (value := self._input.get(body.key)) is None:
            return None, None
        try:
            return write_body(body, value)
        except UnfitError as error:
            self._refuse(body.key, error)
            return None, None

    def refuse_unknown(self) -> None:
        """A property that has no place is refused, not dropped."""
        places = [place.key for place in self._template.places]
        places += [self._template.body.key] if self._template.body else []
        for key in self._input:
            if key not in places:
                takes = ", ".join(places) or "no properties"
                problem = f'unknown property "{key}"; takes {takes}'
                self.issues.append(Issue("", problem, keyword="additionalProperties"))


def _path_value(place: Place, value: JsonValue) -> str:
    if place.media_type is not None:
        text = encoded(media_text(value, place.media_type))
        if not text:
            raise UnfitError("must not be empty")
    else:
        text = path_text(place.wire_name, value, place.written_style, explode=place.exploded)
    if isinstance(value, str) and _leaves_its_segment(value):
        raise UnfitError("must not be empty, '.' or '..'")
    return text


def _query_value(place: Place, value: JsonValue, own: set[str]) -> list[str]:
    if place.media_type is not None:
        text = encoded(media_text(value, place.media_type))
        return [f"{encoded(place.wire_name)}={text}"]
    if place.exploded and place.written_style == "form" and isinstance(value, Mapping):
        for key in value:
            if key in own - {place.wire_name}:
                raise UnfitError("must not be named as another parameter", key)
    return query_texts(
        place.wire_name,
        value,
        place.written_style,
        explode=place.exploded,
        allow_reserved=place.allow_reserved,
    )


def _header_value(place: Place, value: JsonValue) -> str:
    if place.media_type is None:
        return header_text(value, explode=place.exploded)
    return header_text(media_text(value, place.media_type), explode=False)


def _leaves_its_segment(text: str) -> bool:
    """Whether a segment is empty, `.` or `..` to a reader that decodes it once or more often."""
    while True:
        if text in ("", ".", ".."):
            return True
        decoded = unquote(text)
        if decoded == text:
            return False
        text = decoded
