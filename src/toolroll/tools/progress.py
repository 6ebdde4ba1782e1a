"""Progress of one run: cleaned, silent after the answer, never in the way."""

import logging
from collections.abc import Callable

import anyio.from_thread

from toolroll.text import sanitize_line
from toolroll.tools.context import Progress, ProgressListener
from toolroll.tools.thread import in_worker_thread

_LOG = logging.getLogger("toolroll.tools")


class RunProgress:
    """Stands between a handler and the host's listener for the length of one run.

    Args:
        listener: the host's listener, None where nobody listens.
        touch: told of every step, so that progress counts as a sign of life.
    """

    __slots__ = ("_listener", "_open", "_touch", "listener")

    def __init__(self, listener: ProgressListener | None, touch: Callable[[], None] | None) -> None:
        self._listener, self._touch, self._open = listener, touch, True
        self.listener: ProgressListener | None = (
            None if listener is None and touch is None else self._step
        )

    def close(self) -> None:
        """The run has its answer: what comes later is not heard."""
        self._open = False

    def _step(self, step: Progress) -> None:
        if in_worker_thread():
            anyio.from_thread.run_sync(self._tell, step)
        else:
            self._tell(step)

    def _tell(self, step: Progress) -> None:
        if not self._open:
            return
        if self._touch is not None:
            self._touch()
        if self._listener is None:
            return
        try:
            self._listener(Progress(sanitize_line(step.message), step.progress, step.total))
        except Exception:
            _LOG.exception("a progress listener failed; the call goes on")
