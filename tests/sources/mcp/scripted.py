"""An MCP server over HTTP on 127.0.0.1 whose every answer a test writes, bad manners included."""

import json
import socket
import struct
import threading
from collections.abc import AsyncIterator, Callable, Generator, Iterable, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOOL = {"name": "echo", "inputSchema": {"type": "object", "properties": {}}}
JSON = "application/json"
EVENTS = "text/event-stream"
MODERN = "2026-07-28"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request as it arrived."""

    http: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    message: Any

    @property
    def method(self) -> str:
        """The JSON-RPC method; the HTTP method where there is none."""
        return str(self.message["method"]) if "method" in self.message else self.http

    @property
    def id(self) -> Any:
        return self.message.get("id")

    @property
    def params(self) -> Any:
        return self.message.get("params", {})

    @property
    def session(self) -> str | None:
        return self.headers.get("mcp-session-id")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What to answer.

    `body` may be pieces, which are sent one by one as a stream that ends with the connection;
    `reset` then breaks the connection instead of ending it. Asynchronous ones are for servers in
    this process (`memory.py`).
    """

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | Iterable[bytes] | AsyncIterator[bytes] = b""
    kind: str = JSON
    reset: bool = False


Answer = Callable[[Call], Reply]


def result(call: Call, value: Mapping[str, Any], **headers: str) -> Reply:
    """A good answer; it is complete in the modern era."""
    body = {"jsonrpc": "2.0", "id": call.id, "result": value}
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return Reply(body=json.dumps(body).encode(), headers=named)


def error(call: Call, code: int, message: str = "no", status: int = 200, data: Any = None) -> Reply:
    """A JSON-RPC error."""
    told = {"code": code, "message": message, **({} if data is None else {"data": data})}
    body = {"jsonrpc": "2.0", "id": call.id, "error": told}
    return Reply(status=status, body=json.dumps(body).encode())


def stream(*pieces: bytes, reset: bool = False, **headers: str) -> Reply:
    """A stream of events, sent piece by piece."""
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return Reply(body=iter(pieces), kind=EVENTS, reset=reset, headers=named)


def event(message: Mapping[str, Any], **fields: str) -> bytes:
    """One event."""
    lines = [f"{name}: {text}\n" for name, text in fields.items()]
    return "".join([*lines, f"data: {json.dumps(message)}\n\n"]).encode()


def response(call: Call, value: Mapping[str, Any]) -> dict[str, Any]:
    """A good answer as a message."""
    return {"jsonrpc": "2.0", "id": call.id, "result": dict(value)}


def progress(call: Call, step: float, **more: Any) -> dict[str, Any]:
    """A progress notification of a call."""
    token = call.params["_meta"]["progressToken"]
    params = {"progressToken": token, "progress": step, **more}
    return {"jsonrpc": "2.0", "method": "notifications/progress", "params": params}


def text(words: str) -> dict[str, Any]:
    """The result of a tool that answers a text."""
    return {"content": [{"type": "text", "text": words}]}


class Script:
    """What the server does: an answer for each method, and what it saw.

    Args:
        answers: by JSON-RPC method, or by HTTP method where the body has none.
    """

    def __init__(self, **answers: Answer) -> None:
        self.answers: dict[str, Answer] = {}
        self.seen: list[Call] = []
        self.url = ""
        for name, answer in answers.items():
            self.answers[name.replace("__", "/")] = answer

    def on(self, method: str, *answers: Answer) -> "Script":
        """Answer a method, the last answer again and again."""
        waiting = list(answers)

        def answer(call: Call) -> Reply:
            first = waiting.pop(0) if len(waiting) > 1 else waiting[0]
            return first(call)

        self.answers[method] = answer
        return self

    def of(self, method: str) -> list[Call]:
        """The requests of one method."""
        return [call for call in self.seen if call.method == method]

    @property
    def methods(self) -> list[str]:
        """The methods in the order they came."""
        return [call.method for call in self.seen]

    def answer(self, call: Call) -> Reply:
        self.seen.append(call)
        answer = self.answers.get(call.method)
        if answer is not None:
            return answer(call)
        if call.http in ("GET", "DELETE"):
            return Reply(status=405)
        if call.method.startswith("notifications/"):
            return Reply(status=202)
        return error(call, -32601, "Method not found", status=404)


def modern(*tools: Mapping[str, Any]) -> Script:
    """A server of the modern era with these tools."""
    script = Script()
    script.on(
        "server/discover",
        lambda call: result(
            call,
            {
                "supportedVersions": [MODERN],
                "capabilities": {"tools": {}},
                "resultType": "complete",
            },
        ),
    )
    listed = list(tools) or [TOOL]
    script.on("tools/list", lambda call: result(call, {"tools": listed, "resultType": "complete"}))
    script.on("tools/call", lambda call: result(call, text("ok")))
    return script


def legacy(*tools: Mapping[str, Any], version: str = "2025-11-25") -> Script:
    """A server of the legacy era that keeps sessions `s1`, `s2`, ..."""
    script = Script()
    count = iter(range(1, 1000))
    begun = {
        "protocolVersion": version,
        "capabilities": {},
        "serverInfo": {"name": "l", "version": "1"},
    }
    script.on("server/discover", lambda call: Reply(status=400, body=b"Bad Request: no session"))
    script.on("initialize", lambda call: result(call, begun, mcp_session_id=f"s{next(count)}"))
    listed = list(tools) or [TOOL]
    script.on("tools/list", lambda call: result(call, {"tools": listed}))
    script.on("tools/call", lambda call: result(call, text("ok")))
    script.on("DELETE", lambda call: Reply(status=200))
    return script


class _Server(ThreadingHTTPServer):
    """One thread for each connection, over a socket that listens already."""

    daemon_threads = True

    def __init__(self, listener: socket.socket, handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(listener.getsockname(), handler, bind_and_activate=False)
        self.socket.close()
        self.socket = listener


@contextmanager
def serving(script: Script, listener: socket.socket | None = None) -> Generator[Script]:
    """Serve while the block runs; `script.url` is the address. At its end every connection breaks.

    Args:
        script: what the server does.
        listener: what it listens on, for a server that takes the place of another.
    """
    connections: set[socket.socket] = set()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def setup(self) -> None:
            super().setup()
            connections.add(self.connection)

        def finish(self) -> None:
            super().finish()
            connections.discard(self.connection)

        def handle_one_request(self) -> None:
            try:
                super().handle_one_request()
            except (ConnectionError, ValueError):
                self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            """Nothing is logged."""

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            try:
                message = json.loads(body) if body else {}
            except ValueError:
                message = {}
            headers = {name.lower(): value for name, value in self.headers.items()}
            call = Call(
                http=self.command, path=self.path, headers=headers, body=body, message=message
            )
            self._send(script.answer(call))

        do_GET = do_POST
        do_DELETE = do_POST

        def _send(self, reply: Reply) -> None:
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            if reply.kind:
                self.send_header("Content-Type", reply.kind)
            if isinstance(reply.body, bytes) and not reply.reset:
                self.send_header("Content-Length", str(len(reply.body)))
                self.end_headers()
                self.wfile.write(reply.body)
                return
            self.send_header("Connection", "close")
            self.end_headers()
            assert not isinstance(reply.body, AsyncIterator)
            for piece in [reply.body] if isinstance(reply.body, bytes) else reply.body:
                self.wfile.write(piece)
                self.wfile.flush()
            self.close_connection = True
            if reply.reset:
                break_off(self.connection)

    server = _Server(listener or listening(), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    script.url = f"http://127.0.0.1:{server.server_address[1]}/mcp"
    try:
        yield script
    finally:
        server.shutdown()
        server.server_close()
        for connection in [*connections]:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        thread.join(60)


def listening() -> socket.socket:
    """A socket that listens on 127.0.0.1, with room for many that come at once."""
    return socket.create_server(("127.0.0.1", 0), backlog=256)


def break_off(connection: socket.socket) -> None:
    """End a connection with a reset, as a crash does."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def dropped(call: Call) -> Reply:
    """The connection is reset after the request was read."""
    raise ConnectionResetError
