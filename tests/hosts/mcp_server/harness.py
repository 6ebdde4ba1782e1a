"""A client of raw messages for tests: over pipes, and over HTTP."""

import json
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import httpx

from toolroll.hosts.mcp_server import McpApp, ServerOptions, mcp_app
from toolroll.hosts.mcp_server.server import McpServer
from toolroll.hosts.mcp_server.stdio.serving import serve_descriptors
from toolroll.toolkit.protocol import Toolkit

Message = dict[str, Any]

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
MODERN_META: Message = {VERSION_KEY: "2026-07-28", CAPABILITIES_KEY: {}}
ASKABLE_META: Message = {VERSION_KEY: "2026-07-28", CAPABILITIES_KEY: {"elicitation": {}}}


def request(id: object, method: str, params: Message | None = None) -> Message:
    """A request as any version has it."""
    message: Message = {"jsonrpc": "2.0", "id": id, "method": method}
    return message if params is None else {**message, "params": params}


def modern(id: object, method: str, params: Message | None = None, **meta: object) -> Message:
    """A request that describes itself."""
    return request(id, method, {**(params or {}), "_meta": {**MODERN_META, **meta}})


def askable(id: object, method: str, params: Message | None = None) -> Message:
    """The same, of a client that shows forms."""
    return request(id, method, {**(params or {}), "_meta": ASKABLE_META})


def call(name: str, arguments: object = None, **more: object) -> Message:
    """The parameters of a call."""
    return {"name": name, "arguments": arguments or {}, **more}


def hello(version: str = "2025-11-25", **capabilities: object) -> Message:
    """`initialize`."""
    return request(
        "hello",
        "initialize",
        {
            "protocolVersion": version,
            "capabilities": capabilities,
            "clientInfo": {"name": "test", "version": "0"},
        },
    )


def text_of(message: Message) -> str:
    """The text of a result."""
    return "\n".join(block.get("text", "") for block in message["result"]["content"])


class PipeClient:
    """Writes lines to a server and reads its lines."""

    def __init__(self, read: int, write: int) -> None:
        self._read, self._write, self._held = read, write, b""

    async def send(self, *messages: object) -> None:
        """Send messages, each on a line; bytes go as they are."""
        for message in messages:
            line = message if isinstance(message, bytes) else json.dumps(message).encode()
            data = line + b"\n"
            while data:
                await anyio.wait_writable(self._write)
                data = data[os.write(self._write, data[:4096]) :]

    async def receive(self) -> Any:
        """The next message."""
        return json.loads(await self.receive_line())

    async def receive_line(self) -> bytes:
        """The next message as it came."""
        while b"\n" not in self._held:
            await anyio.wait_readable(self._read)
            chunk = os.read(self._read, 65536)
            if not chunk:
                raise EOFError
            self._held += chunk
        line, _, self._held = self._held.partition(b"\n")
        return line

    async def ask(self, message: object) -> Any:
        """Send one message and take the next that comes."""
        await self.send(message)
        return await self.receive()

    async def silence(self) -> None:
        """Make sure nothing has been sent: the next thing that comes is the answer to a ping."""
        assert await self.ask(request("silence?", "ping")) == {
            "jsonrpc": "2.0",
            "id": "silence?",
            "result": {},
        }

    def close(self) -> None:
        """End what is sent."""
        os.close(self._write)
        self._write = -1


@asynccontextmanager
async def over_pipes(
    kit: Toolkit[Any], options: ServerOptions | None = None, **more: Any
) -> AsyncGenerator[PipeClient]:
    """A server over pipes in this process; it must end by itself when the client is done."""
    server = McpServer(kit, name="demo", version="1.0", options=options, **more)
    to_server, from_client = os.pipe()
    to_client, from_server = os.pipe()
    client = PipeClient(to_client, from_client)
    try:
        async with anyio.create_task_group() as tasks:

            async def serve() -> None:
                await serve_descriptors(server, to_server, from_server)
                os.close(from_server)

            tasks.start_soon(serve)
            yield client
            if client._write >= 0:
                client.close()
    finally:
        os.close(to_server)
        os.close(to_client)


HEADERS = {"accept": "application/json, text/event-stream"}


def http_app(kit: Toolkit[Any], options: ServerOptions | None = None, **more: Any) -> McpApp[Any]:
    """The application with a toolkit."""
    return mcp_app(kit, name="demo", version="1.0", options=options, **more)


def http_client(app: McpApp[Any], **headers: str) -> httpx.AsyncClient:
    """A client that speaks to an application in this process."""
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(app),
        base_url="http://127.0.0.1:8000",
        headers={**HEADERS, **headers},
    )


def mirror(message: Message) -> dict[str, str]:
    """The headers that go with a stateless request."""
    headers = {"mcp-protocol-version": "2026-07-28", "mcp-method": message["method"]}
    name = message.get("params", {}).get("name")
    return {**headers, "mcp-name": name} if isinstance(name, str) else headers


async def post(client: httpx.AsyncClient, message: Any, **headers: str) -> httpx.Response:
    """Send a message with the headers that mirror it, where it describes itself."""
    params = message.get("params", {}) if isinstance(message, dict) else {}
    mirrored = mirror(message) if VERSION_KEY in params.get("_meta", {}) else {}
    extra = {name.replace("_", "-"): value for name, value in headers.items()}
    return await client.post("/mcp", json=message, headers={**mirrored, **extra})


def events_of(response: httpx.Response) -> list[Any]:
    """The messages of an event stream."""
    return [
        json.loads(line.removeprefix("data: "))
        for line in response.text.splitlines()
        if line.startswith("data: ")
    ]
