import pytest

from toolroll.hosts.mcp_server import ServerLimits, ServerOptions
from toolroll.hosts.mcp_server.http.head import Head, TurnedAway, read_head

JSON = (b"content-type", b"application/json")
HOST = (b"host", b"127.0.0.1:8000")


def head(
    *lines: tuple[bytes, bytes], method: str = "POST", options: ServerOptions | None = None
) -> Head:
    named = {name for name, _ in lines}
    default = [line for line in (HOST, JSON) if line[0] not in named]
    return read_head(method, "/mcp", [*default, *lines], options or ServerOptions())


def status(
    *lines: tuple[bytes, bytes], method: str = "POST", options: ServerOptions | None = None
) -> int:
    try:
        head(*lines, method=method, options=options)
    except TurnedAway as away:
        return away.status
    return 200


@pytest.mark.rule("mcp-server-host")
@pytest.mark.parametrize(
    ("host", "wanted"),
    [
        (b"localhost", 200),
        (b"LOCALHOST:1234", 200),
        (b"127.0.0.1", 200),
        (b"127.0.0.1:80", 200),
        (b"[::1]", 200),
        (b"[::1]:8000", 200),
        (b"::1", 421),
        (b"evil.example.com", 421),
        (b"localhost.evil.example.com", 421),
        (b"localhost@evil.example.com", 421),
        (b"localhost:80:80", 421),
        (b"localhost:", 421),
        (b"127.0.0.1.", 421),
        (b"", 400),
    ],
)
def test_only_the_names_of_the_loopback_are_answered_under(host: bytes, wanted: int) -> None:
    assert status((b"host", host)) == wanted


@pytest.mark.rule("mcp-server-host")
def test_allowed_hosts_are_taken_with_or_without_a_port() -> None:
    options = ServerOptions(allowed_hosts=("tools.example.com", "other.example.com:8443"))
    for host, wanted in (
        (b"tools.example.com", 200),
        (b"Tools.Example.Com:443", 200),
        (b"other.example.com:8443", 200),
        (b"other.example.com", 421),
        (b"localhost", 421),
    ):
        assert status((b"host", host), options=options) == wanted
    assert status((b"host", b"anything"), options=ServerOptions(allowed_hosts=("*",))) == 200


@pytest.mark.rule("mcp-server-origin")
@pytest.mark.parametrize(
    ("origin", "wanted"),
    [
        (b"http://localhost", 200),
        (b"https://127.0.0.1:3000", 200),
        (b"http://[::1]:3000", 200),
        (b"http://evil.example.com", 403),
        (b"http://localhost.evil.example.com", 403),
        (b"http://localhost@evil.example.com", 403),
        (b"file://localhost", 403),
        (b"null", 403),
        (b"", 403),
        (b"http://[::1", 403),
    ],
)
def test_only_origins_of_the_loopback_are_allowed(origin: bytes, wanted: int) -> None:
    assert status((b"origin", origin)) == wanted


@pytest.mark.rule("mcp-server-origin")
def test_allowed_origins_are_compared_whole() -> None:
    options = ServerOptions(allowed_origins=("https://app.example.com",))
    assert status((b"origin", b"https://app.example.com"), options=options) == 200
    for origin in (b"http://app.example.com", b"https://app.example.com:8443", b"http://localhost"):
        assert status((b"origin", origin), options=options) == 403
    assert status(options=options) == 200


@pytest.mark.rule("mcp-server-http-method")
@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "OPTIONS", "HEAD", "PATCH"])
def test_only_post_is_taken(method: str) -> None:
    with pytest.raises(TurnedAway) as away:
        head(method=method)
    assert (away.value.status, away.value.headers) == (405, (("allow", "POST"),))


@pytest.mark.rule("mcp-server-content-type")
@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        (b"application/json; charset=utf-8", 200),
        (b"Application/JSON", 200),
        (b"text/plain", 415),
        (b"application/x-www-form-urlencoded", 415),
        (b"application/jsonp", 415),
        (b"", 415),
    ],
)
def test_the_body_must_be_json(kind: bytes, wanted: int) -> None:
    assert status((b"content-type", kind)) == wanted
    assert status((b"content-encoding", b"gzip")) == 415


@pytest.mark.rule("mcp-server-content-type")
@pytest.mark.parametrize(
    ("accept", "json", "events"),
    [
        (b"application/json, text/event-stream", True, True),
        (b"*/*", True, True),
        (b"application/json", True, False),
        (b"text/event-stream;q=0.5", False, True),
        (b"application/*, text/html", True, False),
        (b"text/*", False, True),
        (b"application/json;q=0, text/event-stream", False, True),
        (b"application/json; q=what", True, False),
    ],
)
def test_the_answer_is_what_the_client_accepts(accept: bytes, json: bool, events: bool) -> None:
    read = head((b"accept", accept))
    assert (read.takes_json, read.takes_events) == (json, events)
    assert head().takes_json
    assert status((b"accept", b"text/html")) == 406


@pytest.mark.rule("mcp-server-http-sizes")
def test_too_many_headers_are_refused() -> None:
    options = ServerOptions(limits=ServerLimits(headers=1000))
    assert status((b"x", b"y" * 500), options=options) == 200
    assert status((b"x", b"y" * 1000), options=options) == 431
    assert status(*[(b"x", b"y" * 10)] * 200, options=options) == 431


@pytest.mark.rule("mcp-server-headers-once")
@pytest.mark.parametrize("name", ["host", "origin", "content-type", "authorization"])
def test_a_header_that_decides_may_not_stand_twice(name: str) -> None:
    line = (name.encode(), b"application/json" if name == "content-type" else b"localhost")
    assert status(line, line) == 400


@pytest.mark.rule("mcp-server-headers-once")
@pytest.mark.parametrize("name", ["mcp-method", "mcp-name", "mcp-protocol-version", "mcp-param-x"])
def test_a_repeated_mcp_header_is_noted(name: str) -> None:
    assert head((name.encode(), b"a"), (name.encode(), b"b")).repeated == name
    assert head((name.encode(), b"a"), (b"x-other", b"b"), (b"x-other", b"b")).repeated is None
