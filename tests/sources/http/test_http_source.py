"""HTTP operations as a source, over real sockets."""

import asyncio
import json
import socket
import time
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import asynccontextmanager
from typing import Any, cast

import anyio
import httpx
import httpx2
import pytest
import trio

from tests.sources.loopback import (
    Api,
    Got,
    Reply,
    nobody,
    plain,
    read_head,
    scripted,
    serving,
)
from toolroll.content import JsonObject, ToolResult
from toolroll.outcome import ConfigError, DefinitionError, Failed, TimedOut, Unavailable
from toolroll.ports import HttpAnswer, HttpRequest
from toolroll.sources import SourceError, ToolSource, as_toolkit
from toolroll.sources.header import Headers
from toolroll.sources.http import Body, Operation, Place, RequestTemplate, http_source
from toolroll.tools.call import ToolCall
from toolroll.tools.context import CallContext, Principal
from toolroll.tools.definition import ToolDefinition

SECRET = "sk-planted-0123456789"


def operation(name: str, request: RequestTemplate, **options: Any) -> Operation:
    definition = ToolDefinition(
        name=name, description=f"Does {name}.", input_schema={"type": "object"}
    )
    return Operation(definition=definition, request=request, **options)


READ = operation("read", RequestTemplate.of("GET", "/notes/{id}", query=["q"]))
WRITE = operation("write", RequestTemplate.of("POST", "/notes", header=["X-Key"], body="body"))
HEAD = operation("head", RequestTemplate.of("HEAD", "/notes"))
OPERATIONS = [READ, WRITE, HEAD]


@pytest.fixture(scope="module")
def api() -> Generator[Api]:
    with serving(Api()) as api:
        yield api


@pytest.fixture(autouse=True)
def _fresh(api: Api) -> None:
    api.got.clear()
    api.handler = plain


async def call(
    source: ToolSource,
    operation: Operation,
    input: JsonObject | None = None,
    context: CallContext[object] | None = None,
) -> ToolResult:
    async with cast("Any", source):
        return await source.call(operation.definition, input or {}, context or CallContext())


async def failed(
    source: ToolSource, operation: Operation, input: JsonObject | None = None
) -> SourceError:
    with pytest.raises(SourceError) as raised:
        await call(source, operation, input)
    assert raised.value.source == source.name
    return raised.value


@pytest.mark.anyio
@pytest.mark.rule("http-source-sends-to-base-url")
async def test_a_call_is_one_request_below_the_base_url(api: Api) -> None:
    source = http_source("notes", f"{api.url}/v1/", OPERATIONS)
    result = await call(source, READ, {"id": "a/b", "q": ["x", "y"]})
    assert result.data == {"ok": True}
    (got,) = api.got
    assert (got.method, got.path, got.query) == ("GET", "/v1/notes/a%2Fb", "q=x&q=y")
    assert got.header("accept") == "application/json, */*;q=0.5"
    assert (got.header("user-agent") or "").startswith("toolroll/")


@pytest.mark.anyio
@pytest.mark.rule("http-source-discovers-without-asking")
async def test_discovery_gives_the_definitions_and_what_was_left_out() -> None:
    elsewhere = operation(
        "upload", RequestTemplate.of("POST", "/up"), servers=("https://uploads.test",)
    )
    source = http_source("notes", "http://127.0.0.1:1", [*OPERATIONS, READ, elsewhere])
    found = await source.discover()
    assert found.definitions == tuple(operation.definition for operation in OPERATIONS)
    assert [(note.kind, note.subject, note.source) for note in found.report.notes] == [
        ("skipped", "read", "notes"),
        ("skipped", "upload", "notes"),
    ]
    assert "https://uploads.test" in found.report.notes[1].reason
    assert (await failed(source, elsewhere)).reason == "not-found"


@pytest.mark.anyio
@pytest.mark.rule("http-source-discovers-without-asking")
async def test_an_operation_with_its_own_server_is_offered_where_it_lives() -> None:
    lives = operation("up", RequestTemplate.of("POST", "/up"), servers=("https://UPLOADS.test/v1",))
    source = http_source("up", "https://uploads.test:443/v1/", [lives])
    assert len((await source.discover()).definitions) == 1


@pytest.mark.anyio
@pytest.mark.rule("http-own-headers-win")
@pytest.mark.parametrize("library", ["own", "httpx", "httpx2"])
async def test_headers_of_source_and_client_win_over_an_input(api: Api, library: str) -> None:
    own: Any = {"X-Key": SECRET}
    client = {"httpx": httpx.AsyncClient, "httpx2": httpx2.AsyncClient}.get(library)
    if client is None:
        source = http_source("notes", api.url, OPERATIONS, headers=own)
        await call(source, WRITE, {"X-Key": "of-the-model", "body": {}})
    else:
        async with client(headers={**own, "Accept": "application/x"}, params={"k": "v"}) as given:
            source = http_source("notes", api.url, OPERATIONS, client=given)
            await call(source, WRITE, {"X-Key": "of-the-model", "body": {}})
            assert not given.is_closed
        assert api.got[0].all_headers("accept") == ["application/x"]
        assert api.got[0].query == "k=v"
    assert api.got[0].all_headers("x-key") == [SECRET]
    assert api.got[0].all_headers("content-type") == ["application/json"]


@pytest.mark.anyio
@pytest.mark.rule("http-own-headers-win")
async def test_a_hosts_accept_and_content_type_win_but_not_over_how_a_form_was_written(
    api: Api,
) -> None:
    form = operation("form", RequestTemplate(method="POST", path="/f", body=Body(kind="multipart")))
    own = {"Accept": "application/x", "Content-Type": "application/y"}
    source = http_source("notes", api.url, [WRITE, form], headers=own)
    await call(source, WRITE, {"body": {}})
    await call(source, form, {"body": {"a": "b"}})
    written, sent = api.got
    assert written.all_headers("accept") == ["application/x"]
    assert written.all_headers("content-type") == ["application/y"]
    assert (sent.header("content-type") or "").startswith("multipart/form-data; boundary=")


@pytest.mark.anyio
async def test_the_trace_of_a_call_goes_with_its_request(api: Api) -> None:
    trace = {"traceparent": "00-1-2-01", "tracestate": "a\r\nX-Evil: 1", "other": "x"}
    await call(http_source("notes", api.url, OPERATIONS), HEAD, {}, CallContext(trace=trace))
    assert api.got[0].header("traceparent") == "00-1-2-01"
    assert {name for name, _ in api.got[0].headers} & {"tracestate", "x-evil", "other"} == set()


class Tokens:
    """Makes the next token when asked to refresh."""

    def __init__(self, *, renews: bool = True) -> None:
        self.n, self.renews = 1, renews
        self.users: list[str] = []

    async def __call__(
        self, context: CallContext[object], /, *, refresh: bool
    ) -> Mapping[str, str]:
        self.users.append(context.principal.id if context.principal else "")
        self.n += refresh and self.renews
        await anyio.lowlevel.checkpoint()
        return {"Authorization": f"Bearer t{self.n}-planted-token"}


def accepts(token: str) -> Any:
    def handler(got: Got) -> Reply:
        return Reply() if token in (got.header("authorization") or "") else Reply(status=401)

    return handler


@pytest.mark.anyio
@pytest.mark.rule("http-source-renews-once")
async def test_a_refused_token_is_renewed_and_the_request_sent_once_more(api: Api) -> None:
    api.handler = accepts("t2")
    tokens = Tokens()
    source = http_source("notes", api.url, OPERATIONS, headers=tokens)
    context = CallContext(principal=Principal(id="ana"))
    assert (await call(source, READ, {"id": 1}, context)).data == {"ok": True}
    assert [got.header("authorization") for got in api.got] == [
        "Bearer t1-planted-token",
        "Bearer t2-planted-token",
    ]
    assert set(tokens.users) == {"ana"}


@pytest.mark.anyio
@pytest.mark.rule("http-source-renews-once")
@pytest.mark.parametrize("headers", [Tokens(), Tokens(renews=False), {"X-Key": SECRET}, None])
async def test_a_token_that_stays_refused_is_an_authentication_failure(
    api: Api, headers: Headers | None
) -> None:
    api.handler = accepts("never")
    error = await failed(http_source("notes", api.url, OPERATIONS, headers=headers), WRITE)
    assert (error.reason, error.retryable) == ("authentication", False)
    assert len(api.got) <= 2


@pytest.mark.anyio
async def test_headers_that_cannot_be_made_mean_that_nothing_was_sent(api: Api) -> None:
    def broken(context: CallContext[object], /, *, refresh: bool) -> Mapping[str, str]:
        raise KeyError(SECRET)

    error = await failed(http_source("notes", api.url, OPERATIONS, headers=broken), WRITE)
    assert (error.reason, error.may_have_run, len(api.got)) == ("unavailable", False, 0)
    assert SECRET not in str(error)


@pytest.mark.anyio
@pytest.mark.rule("http-source-redirects")
async def test_a_read_follows_redirects_within_its_origin(api: Api) -> None:
    def handler(got: Got) -> Reply:
        step = int(got.query.partition("=")[2] or 0)
        if got.path == "/end":
            return Reply(body=b'"there"')
        to = "../end#x" if step == 4 else f"{api.url}/notes/1?step={step + 1}"
        return Reply(status=(301, 302, 303, 307, 308)[step], headers={"location": to})

    api.handler = handler
    source = http_source("notes", api.url, OPERATIONS, headers={"X-Key": SECRET})
    assert (await call(source, READ, {"id": 1})).data == "there"
    assert len(api.got) == 6
    assert {got.header("x-key") for got in api.got} == {SECRET}


@pytest.mark.anyio
@pytest.mark.rule("http-source-redirects")
@pytest.mark.parametrize(
    ("called", "location"),
    [
        (READ, "http://127.0.0.1:1/evil"),
        (READ, "https://127.0.0.1/evil"),
        (READ, "//evil.test/"),
        (READ, "http://evil@127.0.0.1/"),
        (READ, "http://[broken"),
        (READ, None),
        (READ, "/notes/1"),
        (WRITE, "/notes"),
    ],
    ids=["port", "scheme", "host", "user", "broken", "none", "endless", "post"],
)
async def test_any_other_redirect_is_an_invalid_response(
    api: Api, called: Operation, location: str | None
) -> None:
    headers = {} if location is None else {"location": location}
    api.handler = lambda _: Reply(status=307, headers=headers)
    source = http_source("notes", api.url, OPERATIONS, headers={"X-Key": SECRET})
    assert (await failed(source, called, {"id": 1} if called is READ else {})).reason == (
        "invalid-response"
    )
    assert len(api.got) in (1, 6)


@asynccontextmanager
async def connected(then: Callable[[socket.socket], None]) -> AsyncGenerator[tuple[str, Any]]:
    """A server that answers once, and a client that has its connection: connecting takes no time.

    Args:
        then: what the server does after its answer.
    """

    def script(connection: socket.socket) -> None:
        read_head(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
        then(connection)

    with scripted(script) as url:
        async with httpx2.AsyncClient() as client:
            await call(http_source("notes", url, OPERATIONS, client=client), READ, {"id": 1})
            yield url, client


def silent(connection: socket.socket) -> None:
    """Take requests and answer none, until the other side goes."""
    while connection.recv(65536):
        pass


@pytest.mark.anyio
@pytest.mark.rule("http-source-time")
async def test_a_silent_system_is_timed_out_and_may_have_run() -> None:
    async with connected(silent) as (url, client):
        source = http_source("notes", url, OPERATIONS, client=client, timeout=0.1)
        error = await failed(source, WRITE, {"body": {}})
    assert (error.reason, error.retryable, error.may_have_run) == ("timed-out", False, True)


@pytest.mark.anyio
@pytest.mark.rule("http-source-time")
async def test_the_limit_covers_a_body_that_trickles() -> None:
    def trickle(connection: socket.socket) -> None:
        read_head(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n")
        while True:  # until the other side goes
            connection.sendall(b"x")
            time.sleep(0.01)  # the other side's pace, not ours

    async with connected(trickle) as (url, client):
        source = http_source("notes", url, OPERATIONS, client=client, timeout=0.15)
        error = await failed(source, READ, {"id": 1})
    assert error.reason == "timed-out"


@pytest.mark.anyio
@pytest.mark.rule("http-source-time")
async def test_an_unreachable_system_is_unavailable_and_nothing_was_sent() -> None:
    with nobody() as url:
        error = await failed(http_source("notes", url, OPERATIONS), WRITE, {"body": {}})
    assert (error.reason, error.retryable, error.may_have_run) == ("unavailable", True, False)
    assert "127.0.0.1" not in error.message


@pytest.mark.anyio
@pytest.mark.rule("http-source-time")
async def test_a_broken_exchange_has_an_unknown_outcome() -> None:
    with scripted(lambda connection: void(read_head(connection))) as url:
        error = await failed(http_source("notes", url, OPERATIONS), WRITE, {"body": {}})
    assert (error.reason, error.retryable, error.may_have_run) == ("outcome-unknown", False, True)
    assert "may have run" in error.message


@pytest.mark.anyio
@pytest.mark.rule("http-input-fills-places-only")
async def test_an_input_that_does_not_fit_is_told_and_nothing_is_sent(api: Api) -> None:
    error = await failed(http_source("notes", api.url, OPERATIONS), READ, {"id": "..", "host": "x"})
    assert (error.reason, len(api.got)) == ("invalid-input", 0)
    assert error.message.splitlines() == [
        "Invalid arguments at /id: must not be empty, '.' or '..'",
        'Invalid arguments: unknown property "host"; takes id, q',
    ]


@pytest.mark.anyio
async def test_calls_at_the_same_time_each_get_their_own_answer(api: Api) -> None:
    api.handler = lambda got: Reply(body=json.dumps(got.path).encode())
    answers: dict[int, object] = {}
    async with http_source("notes", api.url, OPERATIONS) as source:

        async def one(number: int) -> None:
            result = await source.call(READ.definition, {"id": number}, CallContext())
            answers[number] = result.data

        async with anyio.create_task_group() as group:
            for number in range(30):
                group.start_soon(one, number)
    assert answers == {number: f"/notes/{number}" for number in range(30)}


@pytest.mark.anyio
async def test_a_source_works_on_after_a_failure_a_cancelled_call_and_closing(api: Api) -> None:
    source = http_source("notes", api.url, OPERATIONS)
    api.handler = lambda _: Reply(status=500)
    assert (await failed(source, READ, {"id": 1})).reason == "unavailable"
    with anyio.CancelScope() as scope:
        scope.cancel()
        await call(source, READ, {"id": 1})
    assert scope.cancelled_caught
    api.handler = plain
    assert (await call(source, READ, {"id": 1})).data == {"ok": True}
    await source.aclose()
    assert (await call(source, READ, {"id": 1})).data == {"ok": True}


@pytest.mark.rule("http-transport-two-loops")
def test_a_source_serves_one_event_loop_after_the_other(api: Api) -> None:
    source = http_source("notes", api.url, OPERATIONS)

    async def one() -> object:
        return (await source.call(READ.definition, {"id": 1}, CallContext())).data

    assert asyncio.run(one()) == trio.run(one) == asyncio.run(one()) == {"ok": True}


class Double:
    """A transport of the caller's own that must not be closed."""

    def __init__(self) -> None:
        self.closed = False

    @asynccontextmanager
    async def send(self, request: HttpRequest, /) -> AsyncGenerator[HttpAnswer]:
        async def chunks() -> AsyncGenerator[bytes]:
            yield request.url.encode()

        yield HttpAnswer(status=200, headers=(), chunks=chunks())

    async def aclose(self) -> None:
        self.closed = True


@pytest.mark.anyio
@pytest.mark.rule("http-transport-caller-owns-client")
async def test_a_double_serves_as_client_and_stays_open() -> None:
    double = Double()
    source = http_source("notes", "https://api.test/v1", OPERATIONS, client=double)
    assert (await call(source, HEAD)).content == ()
    assert (await call(source, READ, {"id": 1})).text == "https://api.test/v1/notes/1"
    assert not double.closed


@pytest.mark.rule("http-base-url")
@pytest.mark.parametrize(
    "url",
    [
        "",
        "api.test",
        "/v1",
        "ftp://api.test",
        "file:///etc/passwd",
        "https://",
        f"https://ana:{SECRET}@api.test",
        "https://api.test?x=1",
        "https://api.test?",
        "https://api.test/#x",
        "https://api.test/a b",
        "https://api.test\r\n",
        "https://{region}.api.test",
        "https://api.test:port",
        "https://[::1",
        "https://api.test\\@evil.test",
    ],
)
def test_a_base_url_that_is_not_plain_is_refused(url: str) -> None:
    with pytest.raises(ConfigError) as raised:
        http_source("notes", url, OPERATIONS)
    assert SECRET not in str(raised.value)


@pytest.mark.parametrize("options", [{"timeout": 0}, {"timeout": -1}, {"limit": 0}])
def test_limits_must_be_positive(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="positive"):
        http_source("notes", "https://api.test", OPERATIONS, **options)


def test_a_name_that_no_source_can_have_is_refused() -> None:
    with pytest.raises(DefinitionError):
        http_source("Notes API", "https://api.test", OPERATIONS)


@pytest.mark.rule("http-no-credential-echoes")
@pytest.mark.parametrize(
    "url",
    [f"https://ana:{SECRET}@api.test", f"https://api.test?key={SECRET}", f"api.test#{SECRET}"],
)
def test_a_base_url_that_is_refused_is_not_shown_with_its_credentials(url: str) -> None:
    with pytest.raises(ConfigError) as caught:
        http_source("notes", url, OPERATIONS)
    assert SECRET not in str(caught.value)


@pytest.mark.rule("http-no-credential-echoes")
def test_a_source_does_not_print_its_headers() -> None:
    source = http_source("notes", "https://api.test", OPERATIONS, headers={"X-Key": SECRET})
    assert SECRET not in repr(source)


@pytest.mark.anyio
@pytest.mark.rule("http-no-credential-echoes")
@pytest.mark.parametrize("status", [200, 400, 401, 403, 404, 429, 500, 302])
@pytest.mark.parametrize("where", ["headers", "httpx", "auth"])
async def test_no_outcome_of_a_toolkit_holds_a_credential(
    api: Api, status: int, where: str
) -> None:
    def echo(got: Got) -> Reply:
        return Reply(status=status, body=json.dumps({"you_sent": dict(got.headers)}).encode())

    api.handler = echo
    options: dict[str, Any] = {
        "headers": {"headers": {"X-Key": SECRET, "Authorization": f"Bearer {SECRET}"}},
        "httpx": {"client": httpx.AsyncClient(headers={"Authorization": f"Bearer {SECRET}"})},
        "auth": {"client": httpx2.AsyncClient(auth=(SECRET, SECRET))},
    }[where]
    async with http_source("notes", api.url, OPERATIONS, **options) as source:
        found = await source.discover()
        kit = as_toolkit(source, found.definitions)
        outcome = await kit.call(ToolCall.of("read", {"id": 1}), CallContext())
    if client := options.get("client"):
        await client.aclose()
    told = json.dumps(outcome.to_json()) + str(outcome.for_model())
    assert outcome.ok == (status == 200)
    assert SECRET in str(api.got[0].headers) or where == "auth"
    assert SECRET not in told
    if not outcome.ok:
        assert "127.0.0.1" not in told


@pytest.mark.anyio
async def test_reasons_become_outcomes_through_a_toolkit(api: Api) -> None:
    async with http_source("notes", api.url, OPERATIONS) as source:
        kit = as_toolkit(source, (await source.discover()).definitions)
        api.handler = lambda _: Reply(status=429, headers={"retry-after": "7"})
        busy = await kit.call(ToolCall.of("read", {"id": 1}), CallContext())
        assert isinstance(busy, Unavailable)
        assert (busy.retryable, busy.retry_after) == (True, 7.0)
        api.handler = lambda _: Reply(status=404, body=b'{"message":"no"}')
        missing = await kit.call(ToolCall.of("read", {"id": 1}), CallContext())
        assert isinstance(missing, Failed)
        assert missing.code == "call-failed"
        assert '{"message":"no"}' in missing.message
    async with connected(silent) as (url, client):
        async with http_source("notes", url, OPERATIONS, client=client, timeout=0.1) as source:
            kit = as_toolkit(source, (await source.discover()).definitions)
            slow = await kit.call(ToolCall.of("read", {"id": 1}), CallContext())
    assert isinstance(slow, TimedOut)


def test_a_template_place_may_be_hand_written() -> None:
    place = Place(key="id", location="path", style="matrix")
    template = RequestTemplate(method="GET", path="/a{id}", places=(place,))
    assert template.places[0].written_style == "matrix"


def void(*_: object) -> None:
    """Drop values, so that a lambda can do several things."""
