"""A local server's process: started in a group of its own, and ended with all it started.

On Windows a job object takes the place of the group.
"""

import logging
import os
import signal
import subprocess
import sys
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO

import anyio

from toolroll.sources.mcp.error_output import ErrorOutput
from toolroll.sources.mcp.job import Job, job_of
from toolroll.sources.mcp.pipe import CAN_WAIT, Pipes, SelectorPipes, opened
from toolroll.sources.mcp.thread_pipe import ThreadPipes
from toolroll.sources.secret import Secrets

_SHORT, _LONG = 0.001, 0.05
_REAP, _SOON = 1.0, 0.1
_NO_SECRETS = Secrets(())


class ServerProcess:
    """One process.

    Args:
        words: the program's file, then its arguments.
        environment: all of it.
        folder: where it runs, None for here.
        log: its error output goes there.
        secrets: what it may not say there.
        threads: read with threads, as on Windows.

    Raises:
        OSError: it could not be started.
    """

    def __init__(
        self,
        words: Sequence[str],
        environment: Mapping[str, str],
        folder: str | None,
        log: logging.Logger,
        secrets: Secrets = _NO_SECRETS,
        *,
        threads: bool = not CAN_WAIT,
    ) -> None:
        self.secrets, self._owner = secrets, os.getpid()
        self._popen = subprocess.Popen(  # noqa: S603 (the host's own command, and no shell)
            list(words),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(environment),
            cwd=folder,
            bufsize=0,
            start_new_session=sys.platform != "win32",
            creationflags=_new_group(),
        )
        self._job = job_of(int(getattr(self._popen, "_handle", 0)))
        try:
            self.errors = ErrorOutput(opened(self._popen.stderr), log, secrets, polled=not threads)
            self.pipes: Pipes = ThreadPipes(self._popen) if threads else SelectorPipes(self._popen)
        except (OSError, RuntimeError) as error:
            _end_now(self._popen, self._job)
            for pipe in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
                opened(pipe).close()
            raise OSError(f"its output could not be read: {error}") from error
        own = () if threads else (self._popen.stdin, self._popen.stdout)
        self._end_at_last = weakref.finalize(
            self, _end_forgotten, self._popen, self._job, self.errors, own, self._owner
        )

    @property
    def pid(self) -> int:
        """Its id, which is also its group's."""
        return self._popen.pid

    @property
    def forked(self) -> bool:
        """This is a fork of the process that started it, to which it belongs."""
        return os.getpid() != self._owner

    @property
    def exit_code(self) -> int | None:
        """How it ended; None while it runs."""
        return self._popen.poll()

    async def exited(self, within: float) -> bool:
        """Wait for its end."""
        pause = _SHORT
        with anyio.move_on_after(within):
            while self._popen.poll() is None:
                await anyio.sleep(pause)
                pause = min(pause * 2, _LONG)
        return self._popen.poll() is not None

    def tell_to_end(self) -> None:
        """Ask the process and all it started to end."""
        _tell(self._popen)

    def kill(self) -> None:
        """End the process and all it started, now; whoever is left is ended with our process."""
        if self.forked:
            return
        _end_now(self._popen, self._job, _SOON)
        if self._popen.poll() is not None:
            self._end_at_last.detach()
        self.errors.catch_up()
        self.errors.close()
        self.pipes.close()


def _end_forgotten(
    popen: "subprocess.Popen[bytes]",
    job: Job | None,
    errors: ErrorOutput,
    pipes: Sequence[IO[bytes] | None],
    owner: int,
) -> None:
    """End what nobody closed: its source was forgotten, or our process ends. A fork of it ends
    nothing: it shares all of this with the process that still uses it.
    """
    if os.getpid() != owner:
        return
    _end_now(popen, job)
    errors.close()
    for pipe in pipes:
        if pipe is not None:
            pipe.close()


def _new_group() -> int:
    return subprocess.CREATE_NEW_PROCESS_GROUP if sys.platform == "win32" else 0


def _tell(popen: "subprocess.Popen[bytes]") -> None:
    """Ask to end. On Windows only a program with a console hears it."""
    with suppress(OSError):
        if sys.platform == "win32":
            popen.send_signal(signal.CTRL_BREAK_EVENT)
        else:
            os.killpg(popen.pid, signal.SIGTERM)


def _end_now(popen: "subprocess.Popen[bytes]", job: Job | None, patience: float = _REAP) -> None:
    """The group or job, which may outlive its first process; the process where there is neither."""
    with suppress(OSError):
        if sys.platform != "win32":
            os.killpg(popen.pid, signal.SIGKILL)
        elif popen.poll() is None:
            popen.kill()
    if job is not None:
        job.end()
        job.close()
    with suppress(subprocess.TimeoutExpired):
        popen.wait(patience)
