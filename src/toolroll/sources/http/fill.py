"""An input and a template become a request. Nothing here touches the network."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import quote, unquote

from toolroll.content import JsonObject, JsonValue
from toolroll.outcome import Issue
from toolroll.ports.http import HttpRequest
from toolroll.schema.reading import RejectedInput
from toolroll.sources.http.body import write_body
from toolroll.sources.http.place import FORM, Body, Place
from toolroll.sources.http.style import (
    UnfitError,
    encoded,
    header_text,
    is_json,
    media_text,
    path_text,
    query_texts,
)
from toolroll.sources.http.template import RequestTemplate

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


def folded(name: str) -> str:
    """A header's name as servers compare it: without case, and `_` as `-` (CGI, RFC 3875).

    Example:
        >>> folded("X_Forwarded_For") in RESERVED_HEADERS
        True
    """
    return name.lower().replace("_", "-")


def fill(
    template: RequestTemplate,
    base_url: str,
    input: JsonObject,
    *,
    reserved: Iterable[str] = (),
) -> HttpRequest | RejectedInput:
    """Write the request of an input.

    What is null or absent is not sent, but a JSON body that is null. Host, scheme, path prefix and
    method come from the template and the base URL alone; a path value stays within its segment, a
    header value within its header.

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
    written = Filler(template, base_url).fill(input, frozenset(reserved))
    if isinstance(written, RejectedInput):
        return written
    return HttpRequest(
        method=template.method,
        url=written.url,
        headers=written.headers,
        content=written.content,
        timeout=None,
    )


@dataclass(frozen=True, slots=True)
class Filled:
    """What an input decides of a request."""

    url: str
    headers: tuple[tuple[str, str], ...]
    content: bytes | None


class Filler:
    """A template made ready for many inputs: what no input changes is written once.

    Args:
        template: what goes where.
        base_url: scheme, host and path prefix, without a slash at its end.
    """

    __slots__ = ("base_url", "fixed_query", "keys", "names", "places", "segments", "template")

    def __init__(self, template: RequestTemplate, base_url: str) -> None:
        self.template = template
        self.base_url = base_url
        literal, _, fixed = template.path.partition("?")
        self.segments = tuple(map(_segment, literal.split("/")))
        self.fixed_query = (quote(fixed, safe=f"{_LITERAL}?/"),) if fixed else ()
        self.places = {
            location: tuple(place for place in template.places if place.location == location)
            for location in ("path", "query", "header", "querystring")
        }
        self.names = {place.wire_name for place in self.places["query"]}
        self.keys = [place.key for place in template.places]
        self.keys += [template.body.key] if template.body else []

    def fill(self, input: JsonObject, reserved: frozenset[str]) -> Filled | RejectedInput:
        """The parts of the request, or every fault of the input.

        Args:
            input: the tool's input.
            reserved: as in `fill`.
        """
        writing = _Writing(self, input)
        path, query = writing.path(), writing.query()
        headers = writing.headers(reserved)
        content, content_type = writing.body()
        if content_type is not None:
            headers.append(("Content-Type", content_type))
        writing.refuse_unknown()
        if writing.issues:
            return RejectedInput(tuple(writing.issues))
        url = f"{self.base_url}{path}{'?' if query else ''}{query}"
        return Filled(url, (("Accept", self.template.accept), *headers), content)


def _segment(part: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """A segment of a path: its first words, then each name with the words behind it."""
    pieces = [quote(piece, safe=_LITERAL) for piece in re.split(r"\{[^{}]+\}", part)]
    return pieces[0], tuple(zip(_SEGMENT.findall(part), pieces[1:], strict=True))


class _Writing:
    """One input on its way into one request; faults are collected."""

    __slots__ = ("_filler", "_input", "issues")

    def __init__(self, filler: Filler, input: JsonObject) -> None:
        self.issues: list[Issue] = []
        self._filler = filler
        self._input = input

    def _refuse(self, key: str, error: UnfitError) -> None:
        names = (key, *error.path)
        pointer = "".join(f"/{str(n).replace('~', '~0').replace('/', '~1')}" for n in names)
        self.issues.append(Issue(pointer, error.problem))

    def path(self) -> str:
        """The path; each segment that holds a value is still one segment when it is read."""
        texts: dict[str, tuple[str, str]] = {}
        for place in self._filler.places["path"]:
            if (value := self._input.get(place.key)) is None:
                problem = f"must have required properties {place.key}"
                self.issues.append(Issue("", problem, (place.key,), "required"))
                continue
            try:
                texts[place.wire_name] = place.key, _path_value(place, value)
            except UnfitError as error:
                self._refuse(place.key, error)
        if self.issues:
            return ""
        return "/".join(
            self._segment(first, names, texts) if names else first
            for first, names in self._filler.segments
        )

    def _segment(
        self,
        written: str,
        names: tuple[tuple[str, str], ...],
        texts: Mapping[str, tuple[str, str]],
    ) -> str:
        key = ""
        for name, literal in names:
            key, text = texts[name]
            written += text + literal
        if _leaves_its_segment(written):
            self._refuse(key, UnfitError("must not be empty, '.' or '..'"))
        return written

    def query(self) -> str:
        """The query: what the path itself has, then every place in order."""
        texts = [*self._filler.fixed_query]
        for place in (*self._filler.places["querystring"], *self._filler.places["query"]):
            if (value := self._input.get(place.key)) is None:
                continue
            try:
                texts += _query_value(place, value, self._filler.names)
            except UnfitError as error:
                self._refuse(place.key, error)
        return "&".join(texts)

    def headers(self, reserved: frozenset[str]) -> list[tuple[str, str]]:
        """The headers that places give; those an input does not decide are dropped."""
        headers: list[tuple[str, str]] = []
        if not (places := self._filler.places["header"]):
            return headers
        theirs = set(map(folded, reserved))
        for place in places:
            name, value = folded(place.wire_name), self._input.get(place.key)
            if value is None or name in RESERVED_HEADERS or name in theirs:
                continue
            try:
                headers.append((place.wire_name, _header_value(place, value)))
            except UnfitError as error:
                self._refuse(place.key, error)
        return headers

    def body(self) -> tuple[bytes | None, str | None]:
        """The body and its type, None and None where there is none."""
        body = self._filler.template.body
        if body is None or body.key not in self._input:
            return None, None
        value = self._input[body.key]
        if value is None and body.kind != "json":
            return None, None
        try:
            return write_body(body, value)
        except UnfitError as error:
            self._refuse(body.key, error)
            return None, None

    def refuse_unknown(self) -> None:
        """A property that has no place is refused, not dropped."""
        for key in self._input:
            if key not in self._filler.keys:
                takes = ", ".join(self._filler.keys) or "no properties"
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
    if place.location == "querystring":
        return [_whole_query(place.media_type or "", value)]
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


def _whole_query(media_type: str, value: JsonValue) -> str:
    if media_type.partition(";")[0].strip().lower() == FORM:
        return write_body(Body(kind="form"), value)[0].decode()
    return encoded(media_text(value, media_type))


def _header_value(place: Place, value: JsonValue) -> str:
    if place.media_type is None:
        return header_text(value, explode=place.exploded)
    text = media_text(value, place.media_type)
    if is_json(place.media_type):
        # JSON says with ASCII alone what no header can hold.
        text = re.sub(r"[^\x00-\x7e]+", lambda found: json.dumps(found[0])[1:-1], text)
    return header_text(text, explode=False)


def _leaves_its_segment(text: str) -> bool:
    """Whether a segment is empty, `.` or `..` to a reader that decodes it once or more often."""
    while True:
        if text in ("", ".", ".."):
            return True
        decoded = unquote(text)
        if decoded == text:
            return False
        text = decoded
