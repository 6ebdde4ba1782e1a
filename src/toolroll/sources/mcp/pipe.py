"""Input and output of a local server's process, without blocking and without tasks."""

import os
import selectors
import subprocess
from contextlib import suppress
from typing import IO, Protocol

import anyio

_CHUNK = 64 * 1024

CAN_WAIT = os.name == "posix" and hasattr(selectors.DefaultSelector, "fileno")
"""Whether this system can wait for pipes, all at once."""


class Pipes(Protocol):
    """Input and output of a process, without blocking."""

    async def wait(self) -> None:
        """Until something may be read or written. One task waits at a time."""
        ...

    def read_output(self) -> bytes | None:
        """What stands on its output now, b"" for nothing, None when it has ended."""
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
        """Let go of both."""
        ...


def opened(pipe: IO[bytes] | None) -> IO[bytes]:
    """A pipe that was asked for, so it is there."""
    assert pipe is not None  # noqa: S101 (all three were asked for)
    return pipe


class SelectorPipes:
    """Pipes under one selector, which is waited for as a whole.

    No task is needed to keep the output from filling up while there is input to be written.
    """

    def __init__(self, popen: "subprocess.Popen[bytes]") -> None:
        self._input = opened(popen.stdin)
        self._output = opened(popen.stdout)
        self._selector = selectors.DefaultSelector()
        for pipe in (self._input, self._output):
            os.set_blocking(pipe.fileno(), False)
        self._selector.register(self._output, selectors.EVENT_READ)
        self._descriptor: int = self._selector.fileno()
        self._writing = False

    async def wait(self) -> None:
        """Until something may be read or written."""
        with suppress(anyio.ClosedResourceError):
            await anyio.wait_readable(self._descriptor)

    def read_output(self) -> bytes | None:
        """What stands on its output now."""
        if self._output.closed:
            return None
        try:
            data = os.read(self._output.fileno(), _CHUNK)
        except BlockingIOError:
            return b""
        if data:
            return data
        with suppress(KeyError, ValueError):
            self._selector.unregister(self._output)
        return None

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
        """Let go of both."""
        self.close_input()
        if not self._output.closed:
            anyio.notify_closing(self._descriptor)
        self._selector.close()
        self._output.close()

    def _want_to_write(self, *, wanted: bool) -> None:
        if wanted and not self._writing:
            self._selector.register(self._input, selectors.EVENT_WRITE)
        elif self._writing and not wanted:
            self._selector.unregister(self._input)
        self._writing = wanted
