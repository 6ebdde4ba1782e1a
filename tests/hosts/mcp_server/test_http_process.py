"""The application under uvicorn: what only real sockets show."""

import builtins
import json
import signal
import socket
import subprocess
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest

from tests.hosts.mcp_server.harness import HEADERS, call, http_app, mirror, modern, request, text_of
from tests.hosts.mcp_server.kits import TableKit, echo
from toolroll.hosts.mcp_server import serve_http
from toolroll.outcome import ConfigError, MissingExtra

PROGRAM = str(Path(__file__).with_name("http_program.py"))


@contextmanager
def program() -> Generator[tuple[subprocess.Popen[bytes], int]]:
    with subprocess.Popen(
        [sys.executable, PROGRAM], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        try:
            assert process.stdout is not None
            yield process, int(process.stdout.readline())
        finally:
            process.kill()


def raw(message: dict[str, Any], port: int) -> bytes:
    body = json.dumps(message).encode()
    headers = {
        "host": f"127.0.0.1:{port}",
        "content-type": "application/json",
        "content-length": str(len(body)),
        **HEADERS,
        **(mirror(message) if "_meta" in message["params"] else {}),
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"POST /mcp HTTP/1.1\r\n{head}\r\n".encode() + body


def send(message: dict[str, Any], port: int) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port))
    connection.sendall(raw(message, port))
    return connection


def read_until(connection: socket.socket, wanted: bytes) -> None:
    held = b""
    while wanted not in held:
        chunk = connection.recv(65536)
        assert chunk, held
        held += chunk


@pytest.mark.rule("mcp-server-disconnect")
def test_closing_the_socket_of_a_stateless_call_reaches_its_handler() -> None:
    with program() as (process, port):
        connection = send(modern(1, "tools/call", call("forever")), port)
        answer = httpx.post(
            f"http://127.0.0.1:{port}/mcp",
            json=request(2, "tools/call", call("echo", {"text": "x"})),
            headers=HEADERS,
            timeout=None,
        )
        assert text_of(answer.json()) == "x"
        assert process.stderr is not None
        assert process.stderr.readline() == b"forever began\n"
        connection.close()
        assert process.stderr.readline() == b"forever was cancelled\n"


@pytest.mark.rule("mcp-server-http-end")
def test_a_signal_ends_the_server_with_calls_and_subscriptions_open() -> None:
    with program() as (process, port):
        wanted = {"notifications": {"toolsListChanged": True}}
        subscription = send(modern("sub", "subscriptions/listen", wanted), port)
        read_until(subscription, b"acknowledged")
        calls = [send(modern("same", "tools/call", call("forever")), port) for _ in range(4)]
        calls += [send(request("same", "tools/call", call("forever")), port) for _ in range(4)]
        assert process.stderr is not None
        for _ in calls:
            assert process.stderr.readline() == b"forever began\n"
        process.send_signal(signal.SIGTERM)
        process.wait()  # nothing else would end the calls
        read_until(subscription, b'"resultType":"complete"')
        assert process.stderr.read().count(b"forever was cancelled") == 8
        for connection in (*calls, subscription):
            connection.close()


@pytest.mark.rule("mcp-server-asyncio-only")
def test_without_uvicorn_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def no_uvicorn(
        name: str,
        globals: Mapping[str, object] | None = None,
        locals: Mapping[str, object] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> object:
        if name == "uvicorn":
            raise ImportError(name)
        return real(name, globals, locals, fromlist, level)

    monkeypatch.setattr(builtins, "__import__", no_uvicorn)
    with pytest.raises(MissingExtra, match="serve"):
        anyio.run(serve_http, http_app(TableKit({"echo": echo})))


@pytest.mark.rule("mcp-server-asyncio-only")
def test_an_address_that_cannot_be_had_is_a_mistake_of_the_host() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        async def serve() -> None:
            await serve_http(http_app(TableKit({"echo": echo})), port=port)

        with pytest.raises(ConfigError, match="cannot listen"):
            anyio.run(serve)
        with pytest.raises(ConfigError, match="asyncio"):
            anyio.run(serve, backend="trio")
