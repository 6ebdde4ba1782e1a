"""Servers on 127.0.0.1 for tests: an HTTP API that keeps what it got, and a raw one for bad manners."""

import os
import socket
import threading
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn


@dataclass(frozen=True, slots=True, kw_only=True)
class Got:
    """One request as it arrived."""

    method: str
    path: str
    query: str
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str | None:
        return next((value for key, value in self.headers if key == name), None)

    def all_headers(self, name: str) -> list[str]:
        return [value for key, value in self.headers if key == name]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One answer to give."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=lambda: {"content-type": "application/json"})
    body: bytes = b'{"ok": true}'


Handler = Callable[[Got], Reply]


def plain(_: Got) -> Reply:
    """The answer of an API that has nothing special to say."""
    return Reply()


class Api:
    """An ASGI application that keeps each request and answers with what `handler` says."""

    def __init__(self, handler: Handler | None = None) -> None:
        self.handler: Handler = handler or plain
        self.got: list[Got] = []
        self.url = ""

    async def __call__(
        self,
        scope: dict[str, Any],
        receive: Callable[[], Awaitable[dict[str, Any]]],
        send: Callable[[dict[str, Any]], Awaitable[None]],
    ) -> None:
        assert scope["type"] == "http"
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        got = Got(
            method=scope["method"],
            path=scope["raw_path"].decode("latin-1").partition("?")[0],
            query=scope["query_string"].decode("latin-1"),
            headers=[(k.decode("latin-1"), v.decode("latin-1")) for k, v in scope["headers"]],
            body=body,
        )
        self.got.append(got)
        reply = self.handler(got)
        headers = [(k.encode(), v.encode("latin-1")) for k, v in reply.headers.items()]
        await send({"type": "http.response.start", "status": reply.status, "headers": headers})
        await send({"type": "http.response.body", "body": reply.body})


@contextmanager
def serving(api: Api) -> Generator[Api]:
    """Serve over a real socket, in a thread, while the block runs."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(api, lifespan="off", log_level="error", ws="none"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    api.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    try:
        yield api
    finally:
        server.should_exit = True
        thread.join(60)
        listener.close()


@contextmanager
def scripted(script: Callable[[socket.socket], None]) -> Generator[str]:
    """Serve raw connections; `script` gets each, and its socket is closed when it returns."""
    listener = socket.create_server(("127.0.0.1", 0))

    def accept() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(60)
                try:
                    script(connection)
                except OSError:
                    continue

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join(60)


def read_head(connection: socket.socket) -> bytes:
    """Read a request up to its blank line."""
    head = b""
    while b"\r\n\r\n" not in head:
        chunk = connection.recv(65536)
        if not chunk:
            break
        head += chunk
    return head


def reserved(port: int = 0) -> socket.socket:
    """A port of 127.0.0.1 where nobody listens, and no other program can while it is open."""
    kept = socket.socket()
    if os.name == "posix":  # elsewhere the option means more
        kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    kept.bind(("127.0.0.1", port))
    return kept


@contextmanager
def nobody() -> Generator[str]:
    """An address where connections are refused while the block runs."""
    with reserved() as kept:
        yield f"http://127.0.0.1:{kept.getsockname()[1]}"
