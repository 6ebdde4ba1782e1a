"""A relay between client and server on loopback whose connections a test can break."""

import asyncio
import socket
import struct
import threading
from collections.abc import Coroutine
from typing import Any

from tests.sources.loopback import reserved

_RESET = struct.pack("ii", 1, 0)
_SECONDS = 60
_STEPS_IN = 4
"""Turns of the event loop from a connection that is accepted to its task."""


class LoopThread:
    """An event loop in a thread of its own: systems live apart from what is examined."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, name="systems", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Run a coroutine there and wait for it."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(_SECONDS)

    def close(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(_SECONDS)
        self.loop.close()


class Relay:
    """Passes bytes on to a port; each exam has its own, at an address of its own."""

    def __init__(self, thread: LoopThread, target: int) -> None:
        self._thread, self._target = thread, target
        self._server: asyncio.Server | None = None
        self._kept: socket.socket | None = None  # the port, while nobody listens there
        self._ends: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.port = 0

    async def _listen(self) -> None:
        listener, self._kept = self._kept or reserved(), None
        self.port = listener.getsockname()[1]
        self._server = await asyncio.start_server(self._pass, sock=listener, backlog=256)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        ends = [writer]
        self._ends.add(writer)
        try:
            onward, backward = await asyncio.open_connection("127.0.0.1", self._target)
            ends.append(backward)
            self._ends.add(backward)
            await asyncio.gather(_pump(reader, backward), _pump(onward, writer))
        except (OSError, asyncio.CancelledError):
            pass  # nobody is there, or the relay ends
        finally:
            for end in ends:
                end.transport.abort()
                self._ends.discard(end)
            self._tasks.discard(task)

    async def _break(self) -> None:
        connections = [end.get_extra_info("socket") for end in self._ends]
        for connection in connections:
            if connection.fileno() >= 0:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        for end in self._ends:
            end.transport.abort()
        while any(connection.fileno() >= 0 for connection in connections):
            await asyncio.sleep(0)  # the reset leaves where the socket is closed

    async def _stop(self) -> None:
        if self._server is not None:
            # Who was let in just now is first let in whole: closing would leave a half-made
            # connection that nobody ends.
            for listener in self._server.sockets:
                asyncio.get_running_loop().remove_reader(listener.fileno())
            for _ in range(_STEPS_IN):
                await asyncio.sleep(0)
            self._server.close()
            self._server = None
            self._kept = reserved(self.port)
        await self._break()
        waiting = [*self._tasks]
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)

    def open(self) -> None:
        self._thread.run(self._listen())

    def close(self) -> None:
        self._thread.run(self._stop())
        if self._kept is not None:
            self._kept.close()

    async def drop(self) -> None:
        """Reset every connection."""
        self._thread.run(self._break())

    async def kill(self) -> None:
        """Reset every connection and take no more."""
        self._thread.run(self._stop())

    async def revive(self) -> None:
        """Be there again, at the same address."""
        self._thread.run(self._listen())


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Pass on what comes; the end of one direction ends the connection, as HTTP servers see it."""
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass  # broken off on one side; the other is told next
    writer.transport.abort() if writer.is_closing() else writer.close()
