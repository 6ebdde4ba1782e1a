"""Input and output of a process where the system cannot wait for pipes, as on Windows."""

import os
import subprocess
import threading
from collections import deque
from contextlib import suppress
from typing import IO

import anyio

from toolroll.sources.mcp.pipe import opened

_CHUNK = 64 * 1024
_SHORT, _LONG = 0.001, 0.05


class ThreadPipes:
    """Pipes that threads read and write, for systems that cannot wait for pipes.

    Each thread ends with its pipe, which ends with the process.
    """

    def __init__(self, popen: "subprocess.Popen[bytes]") -> None:
        self._output = _Feed(opened(popen.stdout))
        self._sink = _Sink(opened(popen.stdin))

    async def wait(self) -> None:
        """Until something may be read or written."""
        pause = _SHORT
        while not (self._output.ready or self._sink.ready):
            await anyio.sleep(pause)
            pause = min(pause * 2, _LONG)

    def read_output(self) -> bytes | None:
        """What stands on its output now."""
        return self._output.take()

    def write_input(self, data: bytes) -> int:
        """Write what there is room for."""
        return self._sink.put(data)

    def close_input(self) -> None:
        """End its input."""
        self._sink.close()

    def close(self) -> None:
        """Let go of both."""
        self._sink.close()
        self._output.drop()


class _Feed:
    """What a thread reads from one pipe, bounded: it stops reading while nobody takes."""

    _MOST = 64

    def __init__(self, pipe: IO[bytes]) -> None:
        self._chunks: deque[bytes] = deque()
        self._room = threading.Semaphore(self._MOST)
        self._ended = self._told = self._dropped = False
        threading.Thread(target=self._read, args=(pipe,), daemon=True).start()

    @property
    def ready(self) -> bool:
        return bool(self._chunks) or (self._ended and not self._told)

    def take(self) -> bytes | None:
        if self._chunks:
            self._room.release()
            return self._chunks.popleft()
        self._told = self._ended
        return None if self._ended else b""

    def drop(self) -> None:
        self._dropped = True
        self._room.release()

    def _read(self, pipe: IO[bytes]) -> None:
        with pipe, suppress(OSError, ValueError):
            while not self._dropped and (data := os.read(pipe.fileno(), _CHUNK)):
                self._room.acquire()
                self._chunks.append(data)
        self._ended = True


class _Sink:
    """What a thread writes to one pipe, a chunk at a time."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe, self._chunk = pipe, b""
        self._failed = self._closed = self._wanted = False
        self._wake = threading.Event()
        threading.Thread(target=self._write, daemon=True).start()

    @property
    def ready(self) -> bool:
        """More was to be written than there was room for, and now there is."""
        return self._wanted and (self._failed or not self._chunk)

    def put(self, data: bytes) -> int:
        if self._failed or self._closed:
            raise BrokenPipeError
        taken = 0
        if not self._chunk:
            self._chunk = data[:_CHUNK]
            taken = len(self._chunk)
            self._wake.set()
        self._wanted = taken < len(data)
        return taken

    def close(self) -> None:
        self._closed = True
        self._wake.set()

    def _write(self) -> None:
        with self._pipe, suppress(OSError, ValueError):
            while not self._closed or self._chunk:
                self._wake.wait()
                self._wake.clear()
                left = memoryview(self._chunk)
                while left:
                    left = left[os.write(self._pipe.fileno(), left) :]
                self._chunk = b""
        self._failed = True
