"""Streams of a scripted server that a test speaks into."""

import json
import queue
import threading
from collections.abc import Iterator, Mapping
from typing import Any

import anyio

from tests.sources.mcp.scripted import EVENTS, MODERN, Call, Reply, Script, legacy, modern, result
from toolroll.protocol import ACKNOWLEDGED, LIST_CHANGED, SUBSCRIPTION_KEY

PATIENCE = 60.0


def notification(method: str, tag: object = None, **params: Any) -> dict[str, Any]:
    """A notification, of a subscription where one is given."""
    if tag is not None:
        params["_meta"] = {SUBSCRIPTION_KEY: tag}
    return {"jsonrpc": "2.0", "method": method, "params": params}


class Stream:
    """One open stream.

    Args:
        call: that opened it.
        pings: comments are sent while nothing is said, which also finds out that the client left.
    """

    def __init__(self, call: Call, *, pings: bool) -> None:
        self.call, self._pings = call, pings
        self._said: queue.Queue[bytes | None] = queue.Queue()
        self.gone = threading.Event()

    def say(self, message: Mapping[str, Any]) -> None:
        self._said.put(f"data: {json.dumps(message)}\n\n".encode())

    def raw(self, data: bytes) -> None:
        self._said.put(data)

    def acknowledge(self, **honoured: bool) -> None:
        told = honoured or {"toolsListChanged": True}
        self.say(notification(ACKNOWLEDGED, self.call.id, notifications=told))

    def change(self) -> None:
        self.say(notification(LIST_CHANGED, self.call.id))

    def end(self) -> None:
        self._said.put(None)

    async def left(self) -> bool:
        """Whether the client leaves it."""
        return await anyio.to_thread.run_sync(self.gone.wait, PATIENCE)

    def __iter__(self) -> Iterator[bytes]:
        try:
            while True:
                try:
                    said = self._said.get(timeout=0.05)
                except queue.Empty:
                    said = b": ping\n\n" if self._pings else b""
                if said is None:
                    return
                yield said
        finally:
            self.gone.set()


class Radio:
    """Opens a stream for each request that it answers.

    Args:
        pings: see `Stream`.
        agrees: each stream is acknowledged at once.
    """

    def __init__(self, *, pings: bool = True, agrees: bool = False) -> None:
        self._streams: queue.Queue[Stream] = queue.Queue()
        self._pings, self._agrees = pings, agrees
        self.all: list[Stream] = []

    def __call__(self, call: Call) -> Reply:
        stream = Stream(call, pings=self._pings)
        self.all.append(stream)
        if self._agrees:
            stream.acknowledge()
        self._streams.put(stream)
        return Reply(body=stream, kind=EVENTS)

    async def stream(self) -> Stream:
        """The next stream that is opened."""
        return await anyio.to_thread.run_sync(lambda: self._streams.get(timeout=PATIENCE))

    async def listening(self) -> Stream:
        """The next stream, acknowledged."""
        stream = await self.stream()
        stream.acknowledge()
        return stream


def telling(radio: Radio, *, capabilities: Any = None) -> Script:
    """A modern server that tells of changes."""
    declared = {"tools": {"listChanged": True}} if capabilities is None else capabilities
    said = {"supportedVersions": [MODERN], "capabilities": declared, "resultType": "complete"}
    script = modern().on("server/discover", lambda call: result(call, said))
    return script.on("subscriptions/listen", radio)


def legacy_telling(get: Any, *, version: str = "2025-11-25") -> Script:
    """A legacy server that declares changes, with this answer to a GET."""
    script = legacy(version=version)
    count = iter(range(1, 1000))
    begun = {
        "protocolVersion": version,
        "capabilities": {"tools": {"listChanged": True}},
        "serverInfo": {"name": "l", "version": "1"},
    }
    script.on("initialize", lambda call: result(call, begun, mcp_session_id=f"s{next(count)}"))
    return script.on("GET", get)
