"""MCP servers of old: sessions of any version before 2026-07-28, and HTTP+SSE of 2024-11-05."""

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import anyio

from tests.testing.stage import CURRENT, SAID, Receive, Scope, Send, answer, body_of, gone

HUGE = 3_000_000
TOOLS: list[dict[str, Any]] = [
    {
        "name": "echo",
        "inputSchema": {
            "type": "object",
            "properties": {"text": {"type": "string"}},
            "required": ["text"],
        },
    },
    {"name": "failing", "inputSchema": {"type": "object"}},
    {"name": "blocking", "inputSchema": {"type": "object"}},
]


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": words}], **more}


class Talk:
    """What is said in one session: requests are answered, a cancelled call is given up."""

    def __init__(self, version: str) -> None:
        self._version = version
        self._running: dict[Any, asyncio.Event] = {}

    async def answer(self, message: Any) -> dict[str, Any] | None:
        """The answer to a message; None for a notification, and for a call that was given up."""
        if "id" not in message:
            if message.get("method") == "notifications/cancelled":
                self.give_up(message["params"]["requestId"])
            return None
        result = await self._result(message)
        if result is None:
            return None
        return {"jsonrpc": "2.0", "id": message["id"], **result}

    def give_up(self, id: Any) -> None:
        if id in self._running:
            self._running.pop(id).set()

    async def _result(self, message: Any) -> dict[str, Any] | None:
        method, params = message.get("method"), message.get("params", {})
        if method == "initialize":
            info = {"name": "old", "version": "1"}
            version = {"protocolVersion": self._version, "capabilities": {}, "serverInfo": info}
            return {"result": version}
        if method == "tools/list":
            return {"result": {"tools": TOOLS}}
        if method == "tools/call":
            return await self._called(message["id"], params["name"], params.get("arguments", {}))
        return {"error": {"code": -32601, "message": "Method not found"}}

    async def _called(self, id: Any, name: str, given: Any) -> dict[str, Any] | None:
        situation = CURRENT.get()
        if name == "echo" and situation.state == "huge":
            return {"result": text("x" * HUGE)}
        if name == "echo" and situation.state != "slow":
            return {"result": text(given["text"])}
        if name == "failing":
            return {"result": text(situation.report(SAID), isError=True)}
        if name not in ("echo", "blocking"):
            return {"error": {"code": -32602, "message": situation.words(f"Unknown tool {name}")}}
        self._running[id] = asyncio.Event()
        situation.running += 1
        try:
            await self._running[id].wait()
        finally:
            situation.running -= 1
        return None


def sessions(version: str, *, streams: bool = False) -> Any:
    """A server over streamable HTTP that keeps sessions; `streams` answers calls on streams."""
    talks: dict[str, Talk] = {}
    numbers = itertools.count(1)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        if scope["method"] == "DELETE":
            await answer(
                send, 200 if talks.pop(headers.get("mcp-session-id", ""), None) else 404, None
            )
            return
        if scope["method"] != "POST":
            await answer(send, 405, None)
            return
        message = await body_of(receive)
        if message.get("method") == "initialize":
            id = f"{scope['prefix']}-{next(numbers)}"
            talks[id] = Talk(version)
            await answer(send, 200, await talks[id].answer(message), ("mcp-session-id", id))
            return
        talk = talks.get(headers.get("mcp-session-id", ""))
        if talk is None:
            known = "mcp-session-id" in headers
            await answer(send, 404 if known else 400, {"error": "no such session"})
        elif "id" not in message:
            await talk.answer(message)
            await answer(send, 202, None)
        elif streams and message.get("method") == "tools/call":
            await _stream(talk, message, receive, send)
        else:
            await _until_gone(talk, message, receive, lambda found: answer(send, 200, found))

    return app


async def _until_gone(
    talk: Talk, message: Any, receive: Receive, tell: Callable[[Any], Any]
) -> None:
    """Answer, unless the client goes. That is no cancellation here, but this server stops too."""
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(gone, receive, tasks.cancel_scope)
            if (found := await talk.answer(message)) is not None:
                await tell(found)
            tasks.cancel_scope.cancel()
    finally:
        talk.give_up(message.get("id"))


async def _stream(talk: Talk, message: Any, receive: Receive, send: Send) -> None:
    headers = [(b"content-type", b"text/event-stream")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b": begun\n\n", "more_body": True})

    async def tell(found: Any) -> None:
        data = f"event: message\ndata: {json.dumps(found)}\n\n".encode()
        await send({"type": "http.response.body", "body": data, "more_body": True})

    await _until_gone(talk, message, receive, tell)
    await send({"type": "http.response.body", "body": b""})


def oldest() -> Any:
    """A server over HTTP+SSE: answers come on the stream that the client opened first."""
    streams: dict[str, tuple[Talk, asyncio.Queue[Any]]] = {}
    numbers = itertools.count(1)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "GET" and scope["path"] == "/mcp":
            await stream(scope, receive, send)
        elif scope["method"] == "POST" and scope["path"].startswith("/messages/"):
            await take(scope, receive, send)
        else:
            await answer(send, 405, None)

    async def stream(scope: Scope, receive: Receive, send: Send) -> None:
        id = str(next(numbers))
        streams[id] = Talk("2024-11-05"), asyncio.Queue()
        headers = [(b"content-type", b"text/event-stream")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        path = f"/{scope['prefix']}/messages/{id}"
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(gone, receive, tasks.cancel_scope)
                async for name, data in events(path, streams[id][1]):
                    said = f"event: {name}\ndata: {data}\n\n".encode()
                    await send({"type": "http.response.body", "body": said, "more_body": True})
        finally:
            talk, _ = streams.pop(id)
            for number in [*talk._running]:
                talk.give_up(number)

    async def events(path: str, queue: "asyncio.Queue[Any]") -> AsyncIterator[tuple[str, str]]:
        yield "endpoint", path
        while True:
            yield "message", json.dumps(await queue.get())

    async def take(scope: Scope, receive: Receive, send: Send) -> None:
        message = await body_of(receive)
        found = streams.get(scope["path"].rpartition("/")[2])
        if found is None:
            await answer(send, 404, None)
            return
        await answer(send, 202, None)
        talk, queue = found
        if (told := await talk.answer(message)) is not None:
            await queue.put(told)

    return app
