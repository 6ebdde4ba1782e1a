"""One HTTP answer: JSON, or a stream of events once there is something to tell before the end.

Nothing is sent until it is known which. So an error found by a handler still has its own HTTP
status, and a call that answers at once costs no stream.

Source: MCP 2026-07-28, basic/transports/streamable-http, "Receiving Messages" and "Cancellation";
WHATWG HTML, "Server-sent events".
"""

import asyncio
from collections import deque
from collections.abc import Callable

from toolroll.content import JsonObject
from toolroll.hosts.mcp_server.http.asgi import Receive, Send
from toolroll.protocol import EVENT_TYPE, JSON_TYPE, encode_message

_MOST_WAITING = 256
"""Events that wait for a slow reader; more are dropped, for progress may be lost."""
_WATCH_AFTER = 0.02
"""Seconds after which it is watched whether the client is still there. Most calls are quicker."""
_COMMENT = b":\n\n"
_EVENT_HEADERS = [
    (b"content-type", EVENT_TYPE.encode()),
    (b"cache-control", b"no-cache, no-transform"),
    (b"x-accel-buffering", b"no"),
]


class HttpReply:
    """Sends the answer of one request. Runs on asyncio.

    Args:
        receive, send: of ASGI.
        takes_json, takes_events: what the client accepts.
        keep_alive: seconds of silence after which a comment goes out, so that nobody on the way
            takes the connection for dead.
        on_gone: called once when the client has gone before its answer; None does not watch.
    """

    def __init__(
        self,
        receive: Receive,
        send: Send,
        *,
        takes_json: bool,
        takes_events: bool,
        keep_alive: float,
        on_gone: Callable[[], None] | None,
    ) -> None:
        self._receive, self._send = receive, send
        self._takes_json, self._takes_events = takes_json, takes_events
        self._keep_alive, self._on_gone = keep_alive, on_gone
        self._streaming = self._closed = False
        self._queue: deque[bytes] = deque()
        self._pump: asyncio.Task[None] | None = None
        self._watch: asyncio.Task[None] | None = None
        loop = asyncio.get_running_loop()
        self._timers: list[asyncio.TimerHandle] = []
        if on_gone is not None:
            self._timers.append(loop.call_later(_WATCH_AFTER, self._begin_watch))
        if takes_events:
            self._timers.append(loop.call_later(keep_alive, self._tick))

    @property
    def takes_events(self) -> bool:
        """Whether messages can be sent before the answer."""
        return self._takes_events

    def tell(self, message: JsonObject) -> None:
        """Send a message before the answer, where the client takes events. Never blocks."""
        if self._takes_events and len(self._queue) < _MOST_WAITING:
            self._put(_event(encode_message(message)))

    async def finish(
        self, data: bytes, status: int = 200, headers: tuple[tuple[str, str], ...] = ()
    ) -> None:
        """Send the answer; nothing follows it.

        Args:
            data: one message, or a batch, as JSON.
            status: of HTTP, if it can still be chosen.
            headers: more headers, if they can still be sent.
        """
        self._closed = True
        if self._pump is not None:
            await self._pump
        more = [(name.encode(), value.encode("latin-1")) for name, value in headers]
        if not self._streaming and (self._takes_json or status >= 400):
            more += [(b"content-type", JSON_TYPE.encode()), (b"content-length", b"%d" % len(data))]
            await self._start(status, more)
            await self._send({"type": "http.response.body", "body": data})
            return
        if not self._streaming:
            await self._start(status, more + _EVENT_HEADERS)
        await self._send({"type": "http.response.body", "body": _event(data)})

    async def abandon(self) -> None:
        """End without an answer: the client has cancelled the request."""
        self._closed = True
        if self._pump is not None:
            await self._pump
        if not self._streaming:
            await self._start(200 if self._takes_events else 202, _EVENT_HEADERS)
        await self._send({"type": "http.response.body", "body": b""})

    async def end(self) -> None:
        """Leave nothing running, whatever happened."""
        self._closed = True
        for timer in self._timers:
            timer.cancel()
        tasks = [task for task in (self._pump, self._watch) if task is not None and not task.done()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def _put(self, data: bytes) -> None:
        if self._closed:
            return
        self._queue.append(data)
        if self._pump is None or self._pump.done():
            self._pump = asyncio.ensure_future(self._send_queue())

    async def _send_queue(self) -> None:
        try:
            if not self._streaming:
                self._streaming = True
                await self._start(200, _EVENT_HEADERS)
            while self._queue:
                body = self._queue.popleft()
                await self._send({"type": "http.response.body", "body": body, "more_body": True})
        except OSError:  # some servers say so when the client has gone
            self._gone()

    async def _start(self, status: int, headers: list[tuple[bytes, bytes]]) -> None:
        await self._send({"type": "http.response.start", "status": status, "headers": headers})

    def _begin_watch(self) -> None:
        self._watch = asyncio.ensure_future(self._watch_client())

    async def _watch_client(self) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self._gone()

    def _gone(self) -> None:
        on_gone, self._on_gone = self._on_gone, None
        if on_gone is not None and not self._closed:
            on_gone()

    def _tick(self) -> None:
        if not self._queue:
            self._put(_COMMENT)
        loop = asyncio.get_running_loop()
        self._timers[-1] = loop.call_later(self._keep_alive, self._tick)


def _event(data: bytes) -> bytes:
    return b"event: message\ndata: %b\n\n" % data
