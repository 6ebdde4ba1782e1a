"""An input becomes a request: every value in its place, and nothing else decided by it."""

import base64
import email
import email.policy
import json
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolroll.content import JsonObject, JsonValue
from toolroll.ports import HttpRequest
from toolroll.schema.reading import RejectedInput
from toolroll.sources.http import Body, Part, Place, RequestTemplate, fill
from toolroll.sources.http.fill import RESERVED_HEADERS

BASE = "https://api.test/v1"


def filled(template: RequestTemplate, input: JsonObject, **options: frozenset[str]) -> HttpRequest:
    request = fill(template, BASE, input, **options)
    assert isinstance(request, HttpRequest), request
    return request


def faults(template: RequestTemplate, input: JsonObject) -> list[tuple[str, str]]:
    rejected = fill(template, BASE, input)
    assert isinstance(rejected, RejectedInput), rejected
    return [(issue.pointer, issue.problem) for issue in rejected.issues]


FILE = RequestTemplate.of("GET", "/files/{id}/view")


@pytest.mark.rule("http-path-value-stays-in-segment")
@pytest.mark.parametrize(
    ("value", "path"),
    [
        ("7", "/v1/files/7/view"),
        (71, "/v1/files/71/view"),
        ("a/b", "/v1/files/a%2Fb/view"),
        ("../../root?y=2#z%2e", "/v1/files/..%2F..%2Froot%3Fy%3D2%23z%252e/view"),
        ("...", "/v1/files/.../view"),
        ("é\\;", "/v1/files/%C3%A9%5C%3B/view"),
        ("https://evil.test/", "/v1/files/https%3A%2F%2Fevil.test%2F/view"),
    ],
)
def test_a_path_value_is_one_segment_whatever_is_in_it(value: JsonValue, path: str) -> None:
    parts = urlsplit(filled(FILE, {"id": value}).url)
    assert (parts.netloc, parts.path, parts.query) == ("api.test", path, "")


@pytest.mark.rule("http-path-value-stays-in-segment")
@pytest.mark.parametrize(
    "value", ["", ".", "..", "%2e", "%2e%2E", "%252e%252e", ".%2e", [], {}, [""], [[]]], ids=repr
)
def test_a_path_value_that_is_read_as_another_path_is_refused(value: JsonValue) -> None:
    assert [pointer.split("/")[1] for pointer, _ in faults(FILE, {"id": value})] == ["id"]


@pytest.mark.rule("http-path-value-stays-in-segment")
def test_a_segment_of_several_pieces_is_judged_as_a_whole() -> None:
    template = RequestTemplate.of("GET", "/x/{a}{b}")
    assert faults(template, {"a": ".", "b": "x"}) == [("/a", "must not be empty, '.' or '..'")]
    label = RequestTemplate(
        method="GET", path="/x/{a}", places=(Place(key="a", location="path", style="label"),)
    )
    assert faults(label, {"a": [""]}) == [("/a", "must not be empty, '.' or '..'")]
    pair = RequestTemplate.of("GET", "/{owner}.{repo}:run")
    assert filled(pair, {"owner": "a:b", "repo": "c"}).url == f"{BASE}/a%3Ab.c:run"


@pytest.mark.rule("http-path-value-stays-in-segment")
def test_a_missing_path_value_never_leaves_its_braces() -> None:
    for given_ in ({}, {"id": None}):
        assert faults(FILE, given_) == [("", "must have required properties id")]


@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=8))
@pytest.mark.rule("http-path-value-stays-in-segment")
def test_no_text_leaves_its_segment_or_the_origin(value: str) -> None:
    request = fill(FILE, BASE, {"id": value})
    if isinstance(request, HttpRequest):
        parts = urlsplit(request.url)
        assert (parts.scheme, parts.netloc, parts.query) == ("https", "api.test", "")
        segments = parts.path.split("/")
        assert len(segments) == 5
        assert unquote(segments[3]) == value


@pytest.mark.rule("http-not-given-is-not-sent")
def test_what_is_null_or_absent_is_not_sent() -> None:
    template = RequestTemplate.of("GET", "/items", query=["q", "deep", "n"], header=["X-A"])
    request = filled(template, {"deep": True, "q": None, "X-A": None})
    assert parse_qsl(urlsplit(request.url).query) == [("deep", "true")]
    assert request.headers == (("Accept", template.accept),)
    for kind, content in (("json", b"null"), ("text", None), ("form", None), ("binary", None)):
        template = RequestTemplate(method="POST", path="/x", body=Body(kind=kind))
        assert filled(template, {"body": None}).content == content
        assert filled(template, {}).content is None


@pytest.mark.rule("http-query-value-stays-in-place")
def test_query_values_go_in_the_order_of_their_places() -> None:
    template = RequestTemplate(
        method="GET",
        path="/items?kind=a",
        places=(
            Place(key="ids", style="pipeDelimited"),
            Place(key="w", style="spaceDelimited"),
            Place(key="filter", style="deepObject"),
            Place(key="where", media_type="application/json"),
            Place(key="query_id", name="id"),
        ),
    )
    request = filled(
        template,
        {
            "query_id": "1&id=2",
            "where": {"a": [1]},
            "filter": {"eq": "x", "gt": 3},
            "w": ["c", "d"],
            "ids": ["a", "b"],
        },
    )
    assert parse_qsl(urlsplit(request.url).query) == [
        ("kind", "a"),
        ("ids", "a|b"),
        ("w", "c d"),
        ("filter[eq]", "x"),
        ("filter[gt]", "3"),
        ("where", '{"a":[1]}'),
        ("id", "1&id=2"),
    ]


@pytest.mark.rule("http-query-value-stays-in-place")
def test_the_keys_of_an_object_cannot_pass_for_another_parameter() -> None:
    template = RequestTemplate.of("GET", "/items", query=["filter", "owner"])
    assert faults(template, {"filter": {"owner": "me"}}) == [
        ("/filter/owner", "must not be named as another parameter")
    ]
    assert filled(template, {"filter": {"a": 1}}).url == f"{BASE}/items?a=1"


@pytest.mark.rule("http-header-value-stays-in-header")
def test_a_header_value_cannot_add_a_header_or_move_the_request() -> None:
    template = RequestTemplate.of("GET", "/go", query=["u"], header=["X-Host", "host"])
    given_ = {"u": "https://evil.test/", "X-Host": "evil.test\r\nX-Admin: 1"}
    assert [pointer for pointer, _ in faults(template, given_)] == ["/X-Host"]
    request = filled(template, {"u": "https://evil.test/", "host": "evil.test"})
    assert urlsplit(request.url).netloc == "api.test"
    assert [name for name, _ in request.headers] == ["Accept"]


@pytest.mark.rule("http-reserved-headers-dropped")
@pytest.mark.parametrize(
    "name", [*sorted(RESERVED_HEADERS), "Authorization", "X-Api-KEY", "x_api_key", "Content_Length"]
)
def test_headers_of_connection_credentials_and_host_are_dropped(name: str) -> None:
    template = RequestTemplate.of("GET", "/go", header=[name])
    request = filled(template, {name: "v"}, reserved=frozenset({"x-api-key"}))
    assert request.headers == (("Accept", template.accept),)


@pytest.mark.rule("http-unknown-property-refused")
def test_a_property_without_a_place_is_refused_and_every_fault_is_told() -> None:
    template = RequestTemplate.of("GET", "/a/{id}", query=["q"])
    assert faults(template, {"id": "..", "q": [[1]], "host": "evil.test", "method": "DELETE"}) == [
        ("/id", "must not be empty, '.' or '..'"),
        ("/q/0", "must be a text, a number or a boolean"),
        ("", 'unknown property "host"; takes id, q'),
        ("", 'unknown property "method"; takes id, q'),
    ]


@pytest.mark.rule("http-body-kinds")
def test_a_json_body_keeps_every_value_as_it_is() -> None:
    template = RequestTemplate.of("PUT", "/users/{id}", body="body")
    request = filled(template, {"id": "7", "body": {"id": "8", "n": None, "é": [1.5, True]}})
    assert request.url == f"{BASE}/users/7"
    assert json.loads(request.content or b"") == {"id": "8", "n": None, "é": [1.5, True]}
    assert ("Content-Type", "application/json") in request.headers
    for body in ([1], "text", 0, False):
        assert json.loads(filled(template, {"id": "7", "body": body}).content or b"") == body
    assert filled(template, {"id": "7"}).content is None


@pytest.mark.rule("http-body-kinds")
@pytest.mark.parametrize(
    ("body", "value", "content", "content_type"),
    [
        (Body(kind="text"), "é", "é".encode(), "text/plain; charset=utf-8"),
        (Body(kind="text", media_type="text/csv"), "a", b"a", "text/csv; charset=utf-8"),
        (Body(kind="binary"), "AAEC\n/w==", b"\0\1\2\xff", "application/octet-stream"),
        (Body(kind="binary", media_type="image/png"), "AA==", b"\0", "image/png"),
        (Body(media_type="application/x+json"), 1, b"1", "application/x+json"),
    ],
)
def test_bodies_of_one_value(
    body: Body, value: JsonValue, content: bytes, content_type: str
) -> None:
    request = filled(RequestTemplate(method="POST", path="/", body=body), {"body": value})
    assert request.content == content
    assert ("Content-Type", content_type) in request.headers


@pytest.mark.rule("http-body-kinds")
@pytest.mark.parametrize(
    ("kind", "value", "pointer"),
    [
        ("json", float("nan"), "/body"),
        ("json", "\ud800", "/body"),
        ("text", {"a": 1}, "/body"),
        ("binary", "not base64!", "/body"),
        ("binary", "AAE", "/body"),
        ("binary", 7, "/body"),
        ("form", "a=1", "/body"),
        ("form", {"a": [[1]]}, "/body/a"),
        ("multipart", {}, "/body"),
        ("multipart", {"a": [None]}, "/body/a"),
    ],
)
def test_a_value_that_a_body_cannot_be_is_refused_with_its_place(
    kind: str, value: JsonValue, pointer: str
) -> None:
    body = Body(kind=kind)  # pyright: ignore[reportArgumentType]
    template = RequestTemplate(method="POST", path="/", body=body)
    assert [at for at, _ in faults(template, {"body": value})] == [pointer]


@pytest.mark.rule("http-form-properties")
def test_a_form_writes_each_property_as_its_kind_says() -> None:
    body = Body(
        kind="form",
        parts=(
            Part(key="all", kind="json"),
            Part(key="deep", kind="style", style="deepObject", explode=True),
            Part(key="flat", kind="style", style="form", explode=False),
        ),
    )
    request = filled(
        RequestTemplate(method="POST", path="/f", body=body),
        {
            "body": {
                "a": "1 2+~&=é",
                "list": ["x", 2],
                "address": {"city": "A B"},
                "none": None,
                "all": [1, 2],
                "deep": {"k": "v"},
                "flat": ["p", "q"],
            }
        },
    )
    assert (request.content or b"").startswith(b"a=1+2%2B%7E%26%3D%C3%A9&list=x&list=2&")
    assert parse_qsl((request.content or b"").decode()) == [
        ("a", "1 2+~&=é"),
        ("list", "x"),
        ("list", "2"),
        ("address", '{"city":"A B"}'),
        ("all", "[1,2]"),
        ("deep[k]", "v"),
        ("flat", "p,q"),
    ]


def parts_of(request: HttpRequest) -> list[tuple[dict[str, str], str, bytes]]:
    """Read a multipart body with the standard library's reader of messages."""
    (content_type,) = [value for name, value in request.headers if name == "Content-Type"]
    text = b"Content-Type: " + content_type.encode() + b"\r\n\r\n" + (request.content or b"")
    message = email.message_from_bytes(text, policy=email.policy.HTTP)
    read: list[tuple[dict[str, str], str, bytes]] = []
    for part in message.iter_parts():
        names = {
            key: str(part.get_param(key, header="content-disposition"))
            for key in ("name", "filename")
            if part.get_param(key, header="content-disposition") is not None
        }
        payload = part.get_payload(decode=True)
        assert isinstance(payload, bytes)
        read.append((names, part.get_content_type() if part["content-type"] else "", payload))
    return read


UPLOAD = RequestTemplate(
    method="POST",
    path="/upload",
    body=Body(
        kind="multipart",
        parts=(Part(key="file", kind="file"), Part(key="pic", kind="file", media_type="image/png")),
    ),
)


@pytest.mark.rule("http-multipart")
def test_a_multipart_body_holds_texts_json_and_files() -> None:
    packed = base64.b64encode(b"\0\r\n--x--\r\n").decode()
    request = filled(
        UPLOAD,
        {
            "body": {
                "note": "é",
                "n": 3,
                "tags": ["a", "b"],
                "meta": {"k": [1]},
                "file": [{"filename": "a.csv", "text": "x,y"}, {"filename": "b", "base64": packed}],
                "pic": {"filename": "c.png", "base64": "AAE="},
            }
        },
    )
    assert parts_of(request) == [
        ({"name": "note"}, "", "é".encode()),
        ({"name": "n"}, "", b"3"),
        ({"name": "tags"}, "", b"a"),
        ({"name": "tags"}, "", b"b"),
        ({"name": "meta"}, "application/json", b'{"k":[1]}'),
        ({"name": "file", "filename": "a.csv"}, "text/plain", b"x,y"),
        ({"name": "file", "filename": "b"}, "application/octet-stream", b"\0\r\n--x--\r\n"),
        ({"name": "pic", "filename": "c.png"}, "image/png", b"\0\1"),
    ]


@pytest.mark.rule("http-multipart")
def test_a_name_cannot_add_a_header_to_its_part() -> None:
    request = filled(UPLOAD, {"body": {'a"\r\nX-Evil: 1\r\n\r\n': "v"}})
    assert (request.content or b"").count(b"\r\n\r\n") == 1
    assert b"X-Evil" in (request.content or b"").split(b"\r\n")[1]


@pytest.mark.rule("http-multipart")
@pytest.mark.parametrize(
    ("file", "pointer"),
    [
        ("text", "/body/file"),
        ({"text": "a"}, "/body/file"),
        ({"filename": "a"}, "/body/file"),
        ({"filename": "a", "text": "", "base64": ""}, "/body/file"),
        ({"filename": "", "text": ""}, "/body/file/filename"),
        ({"filename": "../a", "text": ""}, "/body/file/filename"),
        ({"filename": "C:\\a", "text": ""}, "/body/file/filename"),
        ({"filename": "a\r\nb", "text": ""}, "/body/file/filename"),
        ({"filename": "..", "text": ""}, "/body/file/filename"),
        ({"filename": "a", "text": "", "media_type": "a\r\nX: 1"}, "/body/file/media_type"),
        ({"filename": "a", "text": "", "media_type": "png"}, "/body/file/media_type"),
        ({"filename": "a", "base64": "%"}, "/body/file"),
        ({"filename": "a", "text": {}}, "/body/file"),
    ],
)
def test_a_file_that_cannot_be_sent_is_refused(file: JsonValue, pointer: str) -> None:
    assert [at for at, _ in faults(UPLOAD, {"body": {"file": file}})] == [pointer]


@pytest.mark.rule("http-form-properties")
def test_a_plain_form_holds_no_file() -> None:
    body = Body(kind="form", parts=(Part(key="f", kind="file"),))
    template = RequestTemplate(method="POST", path="/", body=body)
    given_ = {"body": {"f": {"filename": "a", "text": "x"}}}
    assert [at for at, _ in faults(template, given_)] == ["/body"]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)

EVERYTHING = RequestTemplate(
    method="POST",
    path="/a/{p}/{m}",
    places=(
        Place(key="p", location="path"),
        Place(key="m", location="path", style="matrix", explode=True),
        Place(key="q"),
        Place(key="d", style="deepObject"),
        Place(key="h", location="header"),
        Place(key="j", location="header", media_type="application/json"),
    ),
    body=Body(kind="multipart", parts=(Part(key="f", kind="file"),)),
)


@given(st.fixed_dictionaries(dict.fromkeys(("p", "m", "q", "d", "h", "j", "body"), json_values)))
@pytest.mark.rule("http-input-fills-places-only")
def test_whatever_the_input_it_is_refused_or_stays_in_its_places(
    input: dict[str, JsonValue],
) -> None:
    request = fill(EVERYTHING, BASE, input)
    if isinstance(request, RejectedInput):
        assert request.issues
        return
    parts = urlsplit(request.url)
    assert request.method == "POST"
    assert (parts.scheme, parts.netloc, parts.fragment) == ("https", "api.test", "")
    assert parts.path.startswith("/v1/a/")
    assert len(parts.path.split("/")) == 5
    assert {name for name, _ in request.headers} <= {"Accept", "h", "j", "Content-Type"}
    for _, value in request.headers:
        assert value.isascii()
        assert value.isprintable() or "\t" in value
