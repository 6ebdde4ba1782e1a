"""An ASGI application in front of another that puts it into the state of an exam.

The first piece of a path is the number of a situation: one exam's state, and what the system does.
"""

import contextvars
import itertools
import json
import socket
import threading
import time
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Any

import anyio
import uvicorn

from toolroll.testing import SystemState

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]

SECRET = "sk-planted-0123456789"
INTERNAL = "db-7.planted.internal:5432"
SAID = "no such account"
CHUNK = b"x" * 65536
ENOUGH = 512  # pieces of an endless answer; a client that takes them all has no limit


@dataclass
class Situation:
    """What one exam's system is like, and what it does."""

    state: SystemState
    address: str = ""
    running: int = 0
    heard: list[str] = field(default_factory=list)

    def report(self, what: str) -> str:
        """What a tool itself says of its failure, with everything of ours that must not be told.

        What it says of other systems is its own business, as in an answer.
        """
        return f"{what} (asked {self.address} with {SECRET})"

    def words(self, what: str) -> str:
        """Words that hold everything that must not be told."""
        return f"{what} (asked {self.address} with {SECRET}, which asked {INTERNAL})"


CURRENT: contextvars.ContextVar[Situation] = contextvars.ContextVar("situation")


class Stage:
    """Serves an application in many situations at once, over a real socket."""

    def __init__(self, inner: Asgi, *, endless: bool = True) -> None:
        self._inner, self._makes_endless = inner, endless
        self._numbers = itertools.count(1)
        self.situations: dict[str, Situation] = {}
        self.port = 0

    def begin(self, state: SystemState) -> tuple[str, Situation]:
        """A new situation, and the path to it."""
        number = str(next(self._numbers))
        self.situations[number] = situation = Situation(state)
        return f"/{number}", situation

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._inner(scope, receive, send)
            return
        number, _, path = scope["path"].lstrip("/").partition("/")
        situation = self.situations[number]
        CURRENT.set(situation)
        situation.heard.append(f"{scope['method']} /{path}")
        scope = {**scope, "path": f"/{path}", "raw_path": f"/{path}".encode(), "prefix": number}
        if situation.state == "unauthorized":
            words = situation.words("who are you?")
            await answer(send, 401, {"error": words}, ("www-authenticate", "Bearer"))
        elif situation.state == "unavailable":
            await answer(send, 503, {"error": situation.words("down")}, ("retry-after", "1"))
        elif situation.state == "huge" and self._makes_endless:
            await self._endless(scope, receive, send)
        else:
            await self._inner(scope, receive, send)

    async def _endless(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a call of `echo` without end, anything else as usual."""
        body, more = b"", True
        while more:
            message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
        if not (scope["path"].endswith("/echo") or (b'"tools/call"' in body and b'"echo"' in body)):
            given = iter([{"type": "http.request", "body": body}])

            async def again() -> MutableMapping[str, Any]:
                return next(given, None) or await receive()

            await self._inner(scope, again, send)
            return
        headers = [(b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(gone, receive, tasks.cancel_scope)
            await send({"type": "http.response.body", "body": b'{"text": "', "more_body": True})
            for _ in range(ENOUGH):
                await send({"type": "http.response.body", "body": CHUNK, "more_body": True})
            await send({"type": "http.response.body", "body": b'"}'})
            tasks.cancel_scope.cancel()


async def gone(receive: Receive, scope: anyio.CancelScope) -> None:
    """Cancel a scope when the client has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
    scope.cancel()


async def never(receive: Receive) -> None:
    """Work until the client gives up."""
    situation = CURRENT.get()
    situation.running += 1
    try:
        with anyio.CancelScope() as scope:
            await gone(receive, scope)
    finally:
        situation.running -= 1


async def answer(send: Send, status: int, value: Any, *headers: tuple[str, str]) -> None:
    """Send JSON."""
    pairs = [("content-type", "application/json"), *headers]
    raw = [(name.encode(), text.encode()) for name, text in pairs]
    await send({"type": "http.response.start", "status": status, "headers": raw})
    body = b"" if value is None else json.dumps(value).encode()
    await send({"type": "http.response.body", "body": body})


async def body_of(receive: Receive) -> Any:
    """A request's body as JSON."""
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
    return json.loads(body) if body else {}


class Serving:
    """A stage served by uvicorn in a thread."""

    def __init__(self, inner: Asgi, *, lifespan: bool = False, endless: bool = True) -> None:
        self.stage = Stage(inner, endless=endless)
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.stage.port = self._listener.getsockname()[1]
        self._server = uvicorn.Server(
            uvicorn.Config(
                self.stage,
                lifespan="on" if lifespan else "off",
                log_level="critical",
                ws="none",
                timeout_graceful_shutdown=1,
            )
        )
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [self._listener]}, daemon=True
        )

    def __enter__(self) -> Stage:
        self._thread.start()
        until = time.monotonic() + 60
        while not self._server.started and self._thread.is_alive() and time.monotonic() < until:
            time.sleep(0.005)
        assert self._server.started
        return self.stage

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(60)
        self._listener.close()
