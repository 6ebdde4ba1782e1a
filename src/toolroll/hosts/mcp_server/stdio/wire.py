"""Reading from and writing to the descriptors of the wire without holding up the event loop."""

import os
import select
import sys
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import TypeAlias

import anyio
import anyio.lowlevel
from anyio.from_thread import BlockingPortal

_CHUNK = 65536
_ATOMIC = 4096
"""What a pipe that is ready takes without blocking (POSIX `PIPE_BUF` on Linux, one page)."""
_READ_AHEAD = 16
"""Chunks a reader thread may be ahead of the server."""


class PipeOutlet:
    """Writes lines to a descriptor; what does not fit at once waits for `run`.

    Args:
        descriptor: of a pipe, a socket, a terminal or a file.

    A reader that does not read makes the backlog grow; `backlog` says by how much, and the server
    stops reading requests until it is small again.
    """

    __slots__ = ("_backlog", "_descriptor", "_eased", "_poll", "_wake", "broken")

    def __init__(self, descriptor: int) -> None:
        self._descriptor, self._backlog = descriptor, bytearray()
        self._wake, self._eased = anyio.Event(), anyio.Event()
        self.broken = anyio.Event()
        self._poll: select.poll | None = None
        if sys.platform != "win32":
            self._poll = select.poll()
            self._poll.register(descriptor, select.POLLOUT)

    @property
    def backlog(self) -> int:
        """Bytes that wait."""
        return len(self._backlog)

    def put(self, line: bytes, /) -> None:
        """Send a line at once if there is room, else keep it."""
        if self.broken.is_set():
            return
        if not self._backlog:
            line = line[self._write_what_fits(line) :]
        if line:
            self._backlog += line
            self._wake.set()

    async def run(self) -> None:
        """Send what waits, as room comes, until cancelled or the other side is gone."""
        while not self.broken.is_set():
            await self._wake.wait()
            while self._backlog:
                await self._room()
                self._write_backlog()
            self._wake = anyio.Event()

    async def ease(self, limit: int) -> None:
        """Wait until less than `limit` bytes wait, or nobody reads any more."""
        while len(self._backlog) >= limit and not self.broken.is_set():
            self._eased = anyio.Event()
            await self._eased.wait()

    async def flush(self, seconds: float) -> None:
        """Send what waits, for at most so long. Not beside `run`."""
        with anyio.move_on_after(seconds):
            while self._backlog and not self.broken.is_set():
                await self._room()
                self._write_backlog()

    def _write_backlog(self) -> None:
        del self._backlog[: self._write_what_fits(bytes(self._backlog[:_CHUNK]))]
        self._eased.set()

    async def _room(self) -> None:
        try:
            await anyio.wait_writable(self._descriptor)
        except (OSError, ValueError):  # a regular file is always ready and cannot be waited for
            await anyio.lowlevel.checkpoint()

    def _write_what_fits(self, data: bytes) -> int:
        """Write while the descriptor is ready; returns how many bytes went."""
        done = 0
        try:
            while done < len(data) and (self._poll is None or self._poll.poll(0)):
                done += os.write(self._descriptor, data[done : done + _ATOMIC])
        except BlockingIOError:  # somebody made the descriptor non-blocking
            pass
        except OSError:  # the other side is gone
            self.broken.set()
            self._backlog.clear()
            self._wake.set()
            self._eased.set()
            return len(data)
        return done


Take: TypeAlias = Callable[[bytes], Awaitable[None]]
"""Gets the bytes as they come; the next are read when it returns."""
Reader: TypeAlias = Callable[[int, Take], Awaitable[None]]
"""Gives the bytes of a descriptor to a `Take` until its end."""


async def read_all(descriptor: int, take: Take) -> None:
    """Give the bytes of a descriptor to `take` as they come, until its end.

    Where the event loop can wait for the descriptor it does, on both backends; where it cannot
    (pipes of Windows) a thread reads. That thread is a daemon: a read that never returns does not
    keep the process alive.
    """
    if sys.platform == "win32":
        await read_all_in_thread(descriptor, take)
        return
    while True:
        try:
            await anyio.wait_readable(descriptor)
        except PermissionError:  # a regular file or the null device: always ready
            await anyio.lowlevel.checkpoint()
        chunk = os.read(descriptor, _CHUNK)
        if not chunk:
            return
        await take(chunk)


async def read_all_in_thread(descriptor: int, take: Take) -> None:
    """The same, read by a thread of its own."""
    sender, receiver = anyio.create_memory_object_stream[bytes](_READ_AHEAD)
    copy = os.dup(descriptor)

    def read(portal: BlockingPortal) -> None:
        # The server may be gone by the time a read returns; then there is nobody to tell.
        with suppress(RuntimeError, CancelledError, anyio.BrokenResourceError, OSError):
            try:
                while chunk := os.read(copy, _CHUNK):
                    portal.call(sender.send, chunk)
            finally:
                os.close(copy)
                portal.call(sender.aclose)

    async with BlockingPortal() as portal:
        threading.Thread(target=read, args=(portal,), name="toolroll stdio", daemon=True).start()
        with sender, receiver:
            async for chunk in receiver:
                await take(chunk)
