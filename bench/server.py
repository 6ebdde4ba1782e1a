"""The MCP server beside the official one: start to first answer, calls a second, memory, exit.

One tool with four parameters, checked by each server's own rules, in a process of its own on this
machine's loopback; the client shares the cores. A raw client writes bytes and counts answers, so
that it is not the slower side. Rounds of both servers are interleaved.

    python -m bench.server
"""

import argparse
import importlib.util
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.figure import report

_TOOL = """
Tags = list[str] | None
async def find_items(query: str, limit: int = 10, tags: Tags = None, exact: bool = False) -> str:
    '''Find items.'''
    return f"{query} {limit} {tags} {exact}"
"""
_SERVERS = {
    "toolroll": _TOOL
    + """
import sys
from toolroll.toolkit.local import LocalToolkit
from toolroll.tools.define import tool
kit = LocalToolkit("bench", tool(effect="read")(find_items))
if sys.argv[1] == "stdio":
    import anyio
    from functools import partial
    from toolroll.hosts.mcp_server import serve_stdio
    anyio.run(partial(serve_stdio, kit, name="bench", version="1"))
else:
    import uvicorn
    from toolroll.hosts.mcp_server import mcp_app
    app = mcp_app(kit, name="bench", version="1")
    uvicorn.run(app, port=int(sys.argv[2]), log_level="error", access_log=False, lifespan="off")
""",
    "mcp": _TOOL
    + """
import sys, logging
logging.disable(logging.ERROR)
from mcp.server import MCPServer
server = MCPServer("bench")
server.tool()(find_items)
if sys.argv[1] == "stdio":
    server.run("stdio")
else:
    import uvicorn
    app = server.streamable_http_app(json_response=True, stateless_http=True)
    uvicorn.run(app, port=int(sys.argv[2]), log_level="error", access_log=False)
""",
}
_META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "0"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
_ASKED = {
    "name": "find_items",
    "arguments": {"query": "red shoes", "limit": 5, "tags": ["a", "b"], "exact": True},
}
ENVIRONMENT = {name: value for name, value in os.environ.items() if name[:10] != "PYTHONDONT"}
"""Of the servers: compiled modules are kept, as they are where software is installed."""
_HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "0"},
}


def line(id: object, method: str, params: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).encode()


def call(id: object, version: str) -> bytes:
    meta = {"_meta": _META} if version == "2026-07-28" else {}
    return line(id, "tools/call", {**_ASKED, **meta})


def rss_of(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def cpu_of(pid: int) -> float:
    """Seconds of a core a process has used: says more than the clock on a busy machine."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def command(server: str, *arguments: str) -> list[str]:
    return [sys.executable, "-c", _SERVERS[server], *arguments]


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What a load came to: calls a second, microseconds of a core for each, MiB after it."""

    rate: float
    cpu: float
    memory: float


def stdio(server: str, version: str, calls: int, at_once: int) -> tuple[float, Load]:
    """Milliseconds to the first answer, and the load."""
    started = time.perf_counter()
    with subprocess.Popen(
        command(server, "stdio"),
        env=ENVIRONMENT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        stdin, stdout = process.stdin, process.stdout
        assert stdin is not None
        assert stdout is not None
        if version != "2026-07-28":
            stdin.write(line(0, "initialize", _HELLO) + b"\n")
            stdin.flush()
            stdout.readline()
            stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        stdin.write(call("first", version) + b"\n")
        stdin.flush()
        answer = json.loads(stdout.readline())
        first = (time.perf_counter() - started) * 1e3
        assert "red shoes 5" in json.dumps(answer["result"]), answer
        lines = [call(number, version) + b"\n" for number in range(calls)]
        started, used = time.perf_counter(), cpu_of(process.pid)
        sent = got = 0
        while got < calls:
            burst = lines[sent : sent + at_once - (sent - got)]
            stdin.write(b"".join(burst))
            stdin.flush()
            sent += len(burst)
            stdout.readline()
            got += 1
        load = Load(
            rate=calls / (time.perf_counter() - started),
            cpu=(cpu_of(process.pid) - used) / calls * 1e6,
            memory=rss_of(process.pid),
        )
        stdin.close()
        process.wait(10)
    return first, load


@contextmanager
def http(server: str) -> Generator[tuple[subprocess.Popen[bytes], int, float]]:
    """A server on a free port, and the milliseconds until it listened."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    started = time.perf_counter()
    process = subprocess.Popen(
        command(server, "http", str(port)), env=ENVIRONMENT, stderr=subprocess.DEVNULL
    )
    try:
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.005)
        yield process, port, (time.perf_counter() - started) * 1e3
    finally:
        process.kill()
        process.wait(10)


def post(port: int, version: str) -> bytes:
    body = call(1, version)
    head = [
        "POST /mcp HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Content-Type: application/json",
        "Accept: application/json, text/event-stream",
        f"MCP-Protocol-Version: {version}",
        f"Content-Length: {len(body)}",
    ]
    if version == "2026-07-28":
        head += ["Mcp-Method: tools/call", "Mcp-Name: find_items"]
    return ("\r\n".join(head) + "\r\n\r\n").encode() + body


def requests(pid: int, port: int, version: str, connections: int, seconds: float) -> Load:
    """The load of kept connections with one request in flight on each."""
    request = post(port, version)
    selector = selectors.DefaultSelector()
    for _ in range(connections):
        connection = socket.create_connection(("127.0.0.1", port))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.sendall(request)
        selector.register(connection, selectors.EVENT_READ, bytearray())
    started, used, done = time.perf_counter(), cpu_of(pid), 0
    while time.perf_counter() - started < seconds:
        for key, _ in selector.select(1):
            connection, held = key.fileobj, key.data
            assert isinstance(connection, socket.socket)
            held += connection.recv(65536)
            head, end, body = bytes(held).partition(b"\r\n\r\n")
            if not end:
                continue
            assert head.startswith(b"HTTP/1.1 200"), bytes(held)
            size = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
            if len(body) >= size:
                assert b"red shoes 5" in body, body
                held.clear()
                done += 1
                connection.sendall(request)
    took = time.perf_counter() - started
    for key in list(selector.get_map().values()):
        assert isinstance(key.fileobj, socket.socket)
        key.fileobj.close()
    cpu = (cpu_of(pid) - used) / done * 1e6
    return Load(rate=done / took, cpu=cpu, memory=rss_of(pid))


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the MCP server.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--calls", type=int, default=3000)
    parser.add_argument("--seconds", type=float, default=2.0)
    chosen = parser.parse_args()
    servers = [name for name in _SERVERS if importlib.util.find_spec(name)]
    got: dict[tuple[str, str, str], list[float]] = {}

    def note(server: str, measure: str, unit: str, value: float) -> None:
        got.setdefault((server, measure, unit), []).append(value)

    for server in servers:
        stdio(server, "2026-07-28", 10, 1)  # compiles what is not compiled yet
    for _ in range(chosen.rounds):
        for server in servers:
            for version in ("2026-07-28", "2025-11-25"):
                for at_once in (1, 32):
                    first, load = stdio(server, version, chosen.calls, at_once)
                    measure = f"stdio {version}, {at_once} at once"
                    note(server, measure, "calls/s", load.rate)
                    note(server, measure, "µs of a core", load.cpu)
                    note(server, f"stdio {version}, start to first answer", "ms", first)
                    note(server, "stdio, memory after the load", "MiB", load.memory)
            with http(server) as (process, port, listening):
                note(server, "http, start to listening", "ms", listening)
                for version in ("2026-07-28", "2025-11-25"):
                    for connections in (1, 32):
                        load = requests(process.pid, port, version, connections, chosen.seconds)
                        measure = f"http {version}, {connections} at once"
                        note(server, measure, "calls/s", load.rate)
                        note(server, measure, "µs of a core", load.cpu)
                note(server, "http, memory after the load", "MiB", rss_of(process.pid))
                started = time.perf_counter()
                process.send_signal(signal.SIGTERM)
                process.wait(10)
                took = (time.perf_counter() - started) * 1e3
                note(server, "http, SIGTERM to exit", "ms", took)
    for (server, measure, unit), values in got.items():
        report(server, measure, unit, values)


if __name__ == "__main__":
    main()
