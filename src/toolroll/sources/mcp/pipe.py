"""The pipes of a local server's process, read and written without blocking and without tasks."""

import os
import selectors
import subprocess
import sys
from contextlib import suppress
from typing import IO, Protocol

import anyio

_CHUNK = 64 * 1024
_PIPE_SIZE = 1024 * 1024
_F_SETPIPE_SZ = 1031

CAN_WAIT = os.name == "posix" and hasattr(selectors.DefaultSelector, "fileno")
"""Whether this system can wait for pipes, all at once."""


class Pipes(Protocol):
    """The three pipes of a process, without blocking."""

    async def wait(self) -> None:
        """Until something may be read or written. One task waits at a time."""
        ...

    def read_output(self) -> bytes | None:
        """What stands on its output now, b"" for nothing, None when it has ended."""
        ...

    def read_errors(self) -> bytes:
        """What stands on its error output now."""
        ...

    def write_input(self, data: bytes) -> int:
        """Write what can be written now; how many bytes that was.

        Raises:
            OSError: nobody reads any more.
        """
        ...

    def close_input(self) -> None:
        """End its input."""
        ...

    def close(self) -> None:
        """Let go of all pipes."""
        ...


def opened(pipe: IO[bytes] | None) -> IO[bytes]:
    """A pipe that was asked for, so it is there."""
    assert pipe is not None  # noqa: S101 (all three were asked for)
    return pipe


class SelectorPipes:
    """Pipes under one selector, which is waited for as a whole.

    No task is needed to keep one pipe from filling up while another is waited for.
    """

    def __init__(self, popen: "subprocess.Popen[bytes]") -> None:
        self._input = opened(popen.stdin)
        self._output, self._errors = opened(popen.stdout), opened(popen.stderr)
        self._selector = selectors.DefaultSelector()
        for pipe in (self._input, self._output, self._errors):
            os.set_blocking(pipe.fileno(), False)
        for pipe in (self._output, self._errors):
            self._selector.register(pipe, selectors.EVENT_READ)
        self._descriptor: int = self._selector.fileno()
        self._writing = False
        _widen(self._errors)

    async def wait(self) -> None:
        """Until something may be read or written."""
        with suppress(anyio.ClosedResourceError):
            await anyio.wait_readable(self._descriptor)

    def read_output(self) -> bytes | None:
        """What stands on its output now."""
        return self._read(self._output)

    def read_errors(self) -> bytes:
        """What stands on its error output now."""
        return self._read(self._errors) or b""

    def write_input(self, data: bytes) -> int:
        """Write what there is room for."""
        try:
            written = os.write(self._input.fileno(), data)
        except BlockingIOError:
            written = 0
        self._want_to_write(wanted=written < len(data))
        return written

    def close_input(self) -> None:
        """End its input."""
        if not self._input.closed:
            self._want_to_write(wanted=False)
            with suppress(OSError):
                self._input.close()

    def close(self) -> None:
        """Let go of all pipes."""
        self.close_input()
        if not self._output.closed:
            anyio.notify_closing(self._descriptor)
        self._selector.close()
        self._output.close()
        self._errors.close()

    def _want_to_write(self, *, wanted: bool) -> None:
        if wanted and not self._writing:
            self._selector.register(self._input, selectors.EVENT_WRITE)
        elif self._writing and not wanted:
            self._selector.unregister(self._input)
        self._writing = wanted

    def _read(self, pipe: IO[bytes]) -> bytes | None:
        if pipe.closed:
            return None
        try:
            data = os.read(pipe.fileno(), _CHUNK)
        except BlockingIOError:
            return b""
        if data:
            return data
        with suppress(KeyError, ValueError):
            self._selector.unregister(pipe)
        return None


def _widen(pipe: IO[bytes]) -> None:
    """Room for what is said while nobody listens, where the system can be told (Linux)."""
    if sys.platform == "linux":
        import fcntl  # noqa: PLC0415 (not there on other systems)

        with suppress(OSError):
            fcntl.fcntl(pipe.fileno(), _F_SETPIPE_SZ, _PIPE_SIZE)
