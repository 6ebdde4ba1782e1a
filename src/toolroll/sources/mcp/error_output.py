"""The error output of a local server's process, read as long as there is one, whoever calls."""

import logging
import os
import select
import sys
import threading
import time
import traceback
from collections import deque
from contextlib import suppress
from typing import IO

from toolroll.sources.mcp.failure import line_of
from toolroll.sources.mcp.line import Line, LineReader
from toolroll.sources.secret import Secrets

_CHUNK = 64 * 1024
_CHUNKS_A_TURN = 32
_F_SETPIPE_SZ = 1031
_LAST = 5
_LINE = 4096
_PATIENCE = 0.1
_PAUSE = 0.002
_PIPE_SIZE = 1024 * 1024
_WORDS = 1000


class ErrorOutput:
    """Reads one pipe into the log, in a thread of its own, so that its writer never waits.

    The thread is a daemon and holds neither process nor source. It ends with the pipe, which ends
    with all who write to it, or with `close`. Where the pipe cannot be waited for, with the pipe
    alone.

    Args:
        pipe: the error output; from now on it belongs to the thread.
        log: each line goes there.
        secrets: what must not be logged.
        polled: the system can wait for pipes.

    Raises:
        OSError: there is no room for another pipe.
        RuntimeError: there is no room for another thread.
    """

    def __init__(
        self, pipe: IO[bytes], log: logging.Logger, secrets: Secrets, *, polled: bool
    ) -> None:
        self.last: deque[str] = deque(maxlen=_LAST)
        """What was said last."""
        self._pipe, self._log, self._secrets = pipe, log, secrets
        self._lines, self._lock = LineReader(_LINE), threading.Lock()
        self._alarm: int | None = None
        run, listening = self._read, -1
        if polled:
            _widen(pipe)
            os.set_blocking(pipe.fileno(), False)
            listening, self._alarm = os.pipe()
            run = self._wait
        words = f"toolroll {log.name} error output"
        self._thread = threading.Thread(target=run, args=(listening,), name=words, daemon=True)
        try:
            self._thread.start()
        except RuntimeError:
            self._let_go(listening)
            self.close()
            raise

    def catch_up(self) -> None:
        """Read what stands there now, a last line without an end too; the writer is gone."""
        if self._alarm is None:
            self._thread.join(_PATIENCE)
        if not self._lock.acquire(timeout=_PATIENCE):
            return  # the log takes its time, and nobody waits for it
        try:
            if self._alarm is not None:
                for _ in range(_CHUNKS_A_TURN):
                    if not self._take():
                        break
            self._hear(self._lines.end())
        finally:
            self._lock.release()

    def close(self) -> None:
        """Stop reading."""
        alarm, self._alarm = self._alarm, None
        if alarm is not None:
            with suppress(OSError):
                os.write(alarm, b"x")  # closing alone is not heard where a fork holds it too
            os.close(alarm)

    # --- the thread

    def _wait(self, listening: int) -> None:
        descriptor = self._pipe.fileno()
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        poll.register(listening, select.POLLIN)
        try:
            while listening not in dict(poll.poll()):
                with self._lock:
                    size = self._take()
                if size is None:
                    break
                if size == _CHUNK:
                    time.sleep(_PAUSE)  # a flood is no reason to stop everything else
        finally:
            self._let_go(listening)

    def _read(self, _: int) -> None:
        with self._pipe, suppress(OSError, ValueError):
            while data := os.read(self._pipe.fileno(), _CHUNK):
                with self._lock:
                    self._hear(self._lines.feed(data))
        with self._lock:
            self._hear(self._lines.end())

    def _let_go(self, listening: int) -> None:
        with self._lock:
            self._hear(self._lines.end())
            self._pipe.close()
        if listening >= 0:
            os.close(listening)

    # --- under the lock

    def _take(self) -> int | None:
        """Take a piece; its size, None at the end."""
        if self._pipe.closed:
            return None
        try:
            data = os.read(self._pipe.fileno(), _CHUNK)
        except BlockingIOError:
            return 0
        self._hear(self._lines.feed(data) if data else self._lines.end())
        return len(data) or None

    def _hear(self, lines: list[Line]) -> None:
        said = [line.data for line in lines if line.data.strip()]
        if not self._log.isEnabledFor(logging.INFO):
            said = said[-_LAST:]
        for data in said:
            words = line_of(data.decode("utf-8", "replace"), self._secrets)[:_WORDS]
            if words:
                self.last.append(words[:200])
                try:
                    self._log.info("%s", words)
                except Exception:  # a filter that fails does not stop the reading; it is shown as
                    if logging.raiseExceptions:  # logging itself shows handlers that fail
                        traceback.print_exc()


def _widen(pipe: IO[bytes]) -> None:
    """Room for a burst, where the system can be told (Linux)."""
    if sys.platform == "linux":
        import fcntl  # noqa: PLC0415 (not there on other systems)

        with suppress(OSError):
            fcntl.fcntl(pipe.fileno(), _F_SETPIPE_SZ, _PIPE_SIZE)
