"""Requests over real sockets, through our own pool and through callers' clients."""

import asyncio
import gzip
import socket
import sys
import threading
import zlib
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import anyio
import httpx
import httpx2
import pytest
import trio

from tests.sources.loopback import Api, Reply, nobody, plain, read_head, scripted, serving
from toolroll.outcome import ConfigError, MissingExtra
from toolroll.ports import (
    HttpAnswer,
    HttpBrokenError,
    HttpConnectError,
    HttpRequest,
    HttpTransport,
)
from toolroll.sources.compression import PIECE
from toolroll.sources.transport import own_headers, transport_of

Make = Callable[[], object]
CLIENTS: list[Make] = [lambda: None, httpx2.AsyncClient, httpx.AsyncClient]
EVERY_CLIENT = pytest.mark.parametrize("make", CLIENTS, ids=["own", "httpx2", "httpx"])


@pytest.fixture(scope="module")
def api() -> Generator[Api]:
    with serving(Api()) as api:
        yield api


@pytest.fixture(autouse=True)
def _fresh(api: Api) -> None:
    api.got.clear()
    api.handler = plain


@asynccontextmanager
async def opened(make: Make) -> AsyncGenerator[HttpTransport]:
    client = make()
    transport = transport_of(client)
    try:
        yield transport
    finally:
        await transport.aclose()
        if isinstance(client, httpx.AsyncClient | httpx2.AsyncClient):
            assert not client.is_closed
            await client.aclose()


async def body(answer: HttpAnswer) -> bytes:
    return b"".join([chunk async for chunk in answer.chunks])


async def get(transport: HttpTransport, url: str) -> bytes:
    async with transport.send(HttpRequest(method="GET", url=url)) as answer:
        return await body(answer)


@pytest.mark.anyio
@pytest.mark.parametrize("library", [httpx, httpx2])
@pytest.mark.parametrize(
    ("query", "arrived"),
    [
        ("?c=a%2Cb,c%20d&q=http://x/?y", "c=a%2Cb,c%20d&q=http://x/?y&key=k+1&z=2&z=3"),
        ("?key=of-the-input&a=1&z=9&k%65y=x", "a=1&key=k+1&z=2&z=3"),
        ("", "key=k+1&z=2&z=3"),
    ],
)
@pytest.mark.rule("http-transport-client-parameters")
async def test_the_parameters_of_a_client_stand_behind_the_requests_own_and_win(
    api: Api, library: Any, query: str, arrived: str
) -> None:
    own = [("key", "k 1"), ("z", "2"), ("z", "3")]
    async with library.AsyncClient(params=own) as client:
        await get(transport_of(client), f"{api.url}/a%2Fb{query}")
    assert (api.got[0].path, api.got[0].query) == ("/a%2Fb", arrived)


@pytest.mark.anyio
@pytest.mark.parametrize("library", [httpx, httpx2])
@pytest.mark.rule("http-transport-client-parameters")
async def test_a_client_names_itself_as_it_always_does(api: Api, library: Any) -> None:
    for own in ({}, {"User-Agent": "mine/1"}):
        async with library.AsyncClient(headers=own) as client:
            named = client.headers["user-agent"]
            await get(transport_of(client), api.url)
            assert api.got[-1].all_headers("user-agent") == [named]


@pytest.mark.anyio
@EVERY_CLIENT
@pytest.mark.rule("http-transport-any-client")
async def test_a_request_arrives_as_it_was_written_and_its_answer_comes_back(
    api: Api, make: Make
) -> None:
    api.handler = lambda _: Reply(status=201, headers={"X-Two": "b"}, body=b"made")
    request = HttpRequest(
        method="POST",
        url=f"{api.url}/a%2Fb/..%2Fc?q=a%7Cb&q=%5Bx%5D",
        headers=(("X-One", "a"), ("content-type", "text/plain")),
        content=b"hello",
    )
    async with opened(make) as transport, transport.send(request) as answer:
        assert (answer.status, answer.header("x-two"), answer.url) == (201, "b", request.url)
        assert await body(answer) == b"made"
    got = api.got[0]
    assert (got.method, got.path, got.query) == ("POST", "/a%2Fb/..%2Fc", "q=a%7Cb&q=%5Bx%5D")
    assert (got.header("x-one"), got.body) == ("a", b"hello")
    assert got.header("accept-encoding") == "gzip, deflate"


@pytest.mark.anyio
@EVERY_CLIENT
@pytest.mark.rule("http-transport-no-redirect")
async def test_redirects_and_errors_are_plain_answers(api: Api, make: Make) -> None:
    async with opened(make) as transport:
        for status in (302, 307, 404, 500):
            api.handler = lambda _, status=status: Reply(
                status=status, headers={"location": f"{api.url}/elsewhere"}, body=b""
            )
            async with transport.send(HttpRequest(method="GET", url=api.url)) as answer:
                assert answer.status == status
    assert [got.path for got in api.got] == ["/"] * 4


@pytest.mark.anyio
@EVERY_CLIENT
@pytest.mark.rule("http-transport-nothing-sent")
async def test_a_refused_connection_says_that_nothing_was_sent(make: Make) -> None:
    with nobody() as url:
        async with opened(make) as transport:
            with pytest.raises(HttpConnectError):
                await get(transport, url)


@pytest.mark.anyio
@pytest.mark.rule("http-transport-nothing-sent")
async def test_waiting_in_vain_for_a_connection_of_the_pool_says_that_nothing_was_sent(
    api: Api,
) -> None:
    client = httpx2.AsyncClient(limits=httpx2.Limits(max_connections=1))
    transport = transport_of(client)
    request = HttpRequest(method="GET", url=api.url)
    async with client, transport.send(request):
        with pytest.raises(HttpConnectError, match="PoolTimeout"):
            async with transport.send(replace(request, connect_timeout=0.05)):
                pass


@pytest.mark.anyio
@pytest.mark.rule("http-transport-nothing-sent")
async def test_a_closed_client_says_that_nothing_was_sent(api: Api) -> None:
    client = httpx2.AsyncClient()
    await client.aclose()
    with pytest.raises(HttpConnectError, match="closed"):
        await get(transport_of(client), api.url)


@pytest.mark.anyio
@EVERY_CLIENT
@pytest.mark.rule("http-transport-maybe-sent")
async def test_a_server_that_hangs_up_after_reading_may_have_acted(make: Make) -> None:
    with scripted(lambda connection: void(read_head(connection))) as url:
        async with opened(make) as transport:
            with pytest.raises(HttpBrokenError):
                await get(transport, url)


@pytest.mark.anyio
@EVERY_CLIENT
@pytest.mark.rule("http-transport-maybe-sent")
async def test_a_silent_server_may_have_acted(make: Make) -> None:
    done = threading.Event()

    def silent(connection: socket.socket) -> None:
        read_head(connection)
        done.wait(60)

    with scripted(silent) as url:
        async with opened(make) as transport:
            with pytest.raises(HttpBrokenError, match="ReadTimeout"):
                async with transport.send(HttpRequest(method="GET", url=url, timeout=0.5)):
                    pass
        done.set()


@pytest.mark.anyio
@EVERY_CLIENT
@pytest.mark.rule("http-transport-maybe-sent")
async def test_a_body_that_breaks_off_is_a_broken_exchange(make: Make) -> None:
    def half(connection: socket.socket) -> None:
        read_head(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf")

    with scripted(half) as url:
        async with opened(make) as transport:
            with pytest.raises(HttpBrokenError):
                await get(transport, url)


@pytest.mark.anyio
@pytest.mark.rule("http-transport-keeps-connections")
async def test_our_pool_keeps_its_connection() -> None:
    connections: list[int] = []

    def keeping(connection: socket.socket) -> None:
        connections.append(connection.fileno())
        while read_head(connection):
            connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")

    with scripted(keeping) as url:
        transport = transport_of()
        assert [await get(transport, url) for _ in range(5)] == [b"ok"] * 5
        await transport.aclose()
    assert len(connections) == 1


@pytest.mark.rule("http-transport-two-loops")
def test_one_transport_serves_one_event_loop_after_the_other(api: Api) -> None:
    transport = transport_of()
    for _ in range(2):
        assert asyncio.run(get(transport, api.url)) == b'{"ok": true}'
        assert trio.run(get, transport, api.url) == b'{"ok": true}'
    assert len(api.got) == 4


@pytest.mark.rule("http-transport-two-loops")
def test_connections_are_closed_with_their_event_loop() -> None:
    ended = threading.Event()

    def keeping(connection: socket.socket) -> None:
        read_head(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")
        if not read_head(connection):  # the other side hung up
            ended.set()

    with scripted(keeping) as url:
        transport = transport_of()
        assert asyncio.run(get(transport, url)) == b"ok"
        assert ended.wait(60)
        ended.clear()
        assert trio.run(get, transport, url) == b"ok"
        assert ended.wait(60)


@pytest.mark.anyio
@pytest.mark.rule("http-transport-caller-owns-client")
async def test_our_pool_opens_again_after_closing_and_closing_twice_is_fine(api: Api) -> None:
    transport = transport_of()
    assert await get(transport, api.url)
    await transport.aclose()
    await transport.aclose()
    assert await get(transport, api.url)
    await transport.aclose()


@pytest.mark.anyio
@pytest.mark.rule("http-transport-no-cookies")
async def test_our_pool_keeps_no_cookies_and_no_proxy_of_the_environment(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")  # where nobody is
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    api.handler = lambda _: Reply(headers={"set-cookie": "session=of-somebody-else"})
    async with opened(lambda: None) as transport:
        for _ in range(2):
            await get(transport, api.url)
    assert [got.header("cookie") for got in api.got] == [None, None]


def packed(name: str, plain: bytes) -> bytes:
    if name == "gzip":
        return gzip.compress(plain)
    if name == "two members":
        return gzip.compress(plain[:5]) + gzip.compress(plain[5:])
    if name == "bare deflate":
        packer = zlib.compressobj(wbits=-15)
        return packer.compress(plain) + packer.flush()
    return zlib.compress(plain)


@pytest.mark.anyio
@EVERY_CLIENT
@pytest.mark.rule("http-transport-bounded-unpacking")
@pytest.mark.parametrize("name", ["gzip", "two members", "deflate", "bare deflate"])
async def test_packed_bodies_are_unpacked_in_bounded_pieces(
    api: Api, make: Make, name: str
) -> None:
    plain = b"a" * (3 * PIECE) + b"end"
    encoding = "deflate" if "deflate" in name else "gzip"
    api.handler = lambda _: Reply(headers={"content-encoding": encoding}, body=packed(name, plain))
    async with (
        opened(make) as transport,
        transport.send(HttpRequest(method="GET", url=api.url)) as answer,
    ):
        pieces = [chunk async for chunk in answer.chunks]
    assert b"".join(pieces) == plain
    assert max(map(len, pieces)) <= PIECE


@pytest.mark.anyio
@pytest.mark.rule("http-transport-bounded-unpacking")
@pytest.mark.parametrize(
    ("encoding", "sent", "fault"),
    [
        ("gzip", b"no gzip at all", "damaged"),
        ("gzip", gzip.compress(b"a" * 1000)[:-9], "cut"),
        ("br", b"\x0b\x02\x80", "not asked for"),
        ("gzip, gzip", gzip.compress(gzip.compress(b"a")), "not asked for"),
    ],
    ids=["damaged", "cut", "unknown", "twice"],
)
async def test_a_body_that_cannot_be_unpacked_is_a_broken_exchange(
    api: Api, encoding: str, sent: bytes, fault: str
) -> None:
    api.handler = lambda _: Reply(headers={"content-encoding": encoding}, body=sent)
    async with opened(lambda: None) as transport:
        with pytest.raises(HttpBrokenError, match=fault):
            await get(transport, api.url)


@pytest.mark.anyio
async def test_a_head_answer_that_names_a_packing_has_no_body(api: Api) -> None:
    api.handler = lambda _: Reply(headers={"content-encoding": "gzip"}, body=b"")
    request = HttpRequest(method="HEAD", url=api.url)
    async with opened(lambda: None) as transport, transport.send(request) as answer:
        assert await body(answer) == b""


@pytest.mark.anyio
@pytest.mark.parametrize(
    "make",
    [
        CLIENTS[0],
        # The libraries leave generators of their own to the collector, and trio warns of it.
        *(
            pytest.param(make, marks=pytest.mark.filterwarnings("ignore::ResourceWarning"))
            for make in CLIENTS[1:]
        ),
    ],
    ids=["own", "httpx2", "httpx"],
)
async def test_leaving_the_block_early_ends_the_exchange(make: Make) -> None:
    ended = threading.Event()

    def endless(connection: socket.socket) -> None:
        read_head(connection)
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        try:
            while True:
                connection.sendall(b"x" * 65536)
        except OSError:
            ended.set()

    with scripted(endless) as url:
        async with opened(make) as transport:
            async with transport.send(HttpRequest(method="GET", url=url)) as answer:
                assert await anext(answer.chunks)
            assert await anyio.to_thread.run_sync(ended.wait, 60)


@pytest.mark.anyio
async def test_cancelling_passes_through_and_the_transport_works_on(api: Api) -> None:
    silent = threading.Event()
    with scripted(lambda connection: void(read_head(connection), silent.wait(60))) as url:
        async with opened(lambda: None) as transport:
            with anyio.move_on_after(0.05) as scope:
                await get(transport, url)
            silent.set()
            assert scope.cancelled_caught
            assert await get(transport, api.url)


@pytest.mark.anyio
@pytest.mark.rule("http-transport-any-client")
async def test_a_client_over_an_application_in_this_process_serves_too() -> None:
    def answer(_: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={"a": 1})

    transport = transport_of(httpx.AsyncClient(transport=httpx.MockTransport(answer)))
    assert await get(transport, "http://api.test/") == b'{"a":1}'


@pytest.mark.anyio
async def test_a_fault_of_the_callers_own_transport_stays_what_it_is() -> None:
    def broken(_: httpx2.Request) -> httpx2.Response:
        raise KeyError("ours")

    client = httpx2.AsyncClient(transport=httpx2.MockTransport(broken))
    with pytest.raises(KeyError, match="ours"):
        await get(transport_of(client), "http://api.test/")


class Double:
    """The smallest transport somebody may write."""

    @asynccontextmanager
    async def send(self, request: HttpRequest, /) -> AsyncGenerator[HttpAnswer]:
        async def chunks() -> AsyncGenerator[bytes]:
            yield request.url.encode()

        yield HttpAnswer(status=200, headers=(), chunks=chunks())

    async def aclose(self) -> None:
        pass


@pytest.mark.anyio
@pytest.mark.rule("http-transport-any-client")
async def test_an_object_with_the_methods_is_taken_as_it_is() -> None:
    double = Double()
    assert transport_of(double) is double
    assert await get(transport_of(double), "http://x/") == b"http://x/"


@pytest.mark.rule("http-transport-any-client")
@pytest.mark.parametrize("client", [httpx.Client(), httpx2.Client(), "http://x", object()])
def test_what_cannot_send_is_refused_with_what_can(client: object) -> None:
    with pytest.raises(ConfigError, match=r"httpx2\.AsyncClient"):
        transport_of(client)


def test_without_the_extra_the_message_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def nothing(_: str) -> None:
        return None

    monkeypatch.setattr("toolroll.sources.pool.find_spec", nothing)
    with pytest.raises(MissingExtra, match=r"toolroll\[http\]"):
        transport_of()


def test_making_a_transport_does_not_load_the_client_library() -> None:
    code = "import sys; from toolroll.sources.transport import transport_of; transport_of(); print(sorted({'httpx2', 'httpcore2'} & set(sys.modules)))"
    import subprocess

    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"


def test_the_headers_of_a_client_are_known() -> None:
    for kind in (httpx.AsyncClient, httpx2.AsyncClient):
        assert own_headers(kind()) == frozenset()
        given = {"X-Key": "k", "User-Agent": "mine", "Accept": "a/b"}
        assert own_headers(kind(headers=given)) == {"x-key", "user-agent", "accept"}
    assert own_headers(None) == own_headers(Double()) == frozenset()


def void(*_: object) -> None:
    """Drop values, so that a lambda can do several things."""
