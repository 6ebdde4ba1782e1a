"""The time of one call or listing: what it is waiting for, and which limit it met."""

import dataclasses
import math
from collections.abc import Generator
from contextlib import contextmanager
from typing import Literal, TypeAlias

import anyio

from toolroll.sources.source import SourceError, Timeouts

Phase: TypeAlias = Literal["connect", "answer"]


class Watch:
    """Limits of one operation on a source.

    Until something was sent that may have had an effect, a met limit is `unavailable`; after that
    it is `timed-out` or `idle-timed-out`, and the tool may have run.

    Args:
        source: the source's name.
        timeouts: its limits.
        deadline: an end that the caller set, on the event loop's clock; None for none.
        repeatable: the operation may be done again without harm.
        harmless: it has no effect at all (a listing).
    """

    __slots__ = (
        "_closed",
        "_connect_end",
        "_harmless",
        "_idle_end",
        "_is_own_end",
        "_source",
        "_timeouts",
        "_total_end",
        "phase",
        "repeatable",
        "scope",
        "sent",
    )

    def __init__(
        self,
        source: str,
        timeouts: Timeouts,
        deadline: float | None,
        *,
        repeatable: bool,
        harmless: bool = False,
    ) -> None:
        now = anyio.current_time()
        self._source, self._timeouts = source, timeouts
        own_end = now + timeouts.total
        self._total_end = min(own_end, math.inf if deadline is None else deadline)
        self._is_own_end = self._total_end == own_end
        self._idle_end = now + timeouts.idle
        self._connect_end = math.inf
        self.repeatable = repeatable or harmless
        self._harmless = harmless
        self._closed = False
        self.sent = False
        self.phase: Phase = "answer"
        self.scope = anyio.CancelScope()
        self._move()

    @property
    def left(self) -> float:
        """Seconds to the next limit."""
        return max(0.0, self.scope.deadline - anyio.current_time())

    @property
    def connect_left(self) -> float:
        """Seconds that making a connection may take: it ends a little before the limit does, so
        that "nothing was sent" can be told from "no answer came".
        """
        return max(0.0, min(self._timeouts.connect, self.left - 0.02))

    @property
    def connect_met(self) -> bool:
        """The connect limit was met."""
        return self.phase == "connect" and anyio.current_time() >= self._connect_end

    def touch(self) -> None:
        """A sign of life: the idle limit begins again."""
        self._idle_end = anyio.current_time() + self._timeouts.idle
        self._move()

    def allow_silence(self, seconds: float) -> None:
        """From now on the idle limit is another one."""
        self._timeouts = dataclasses.replace(self._timeouts, idle=seconds)
        self.touch()

    @contextmanager
    def connecting(self) -> Generator[None]:
        """Inside the block the connect limit counts instead of the idle limit."""
        before, self.phase = self.phase, "connect"
        self._connect_end = min(self._connect_end, anyio.current_time() + self._timeouts.connect)
        self._move()
        yield
        self.phase = before  # not where the block was left early: `failure` asks for the phase
        if before == "answer":
            self._connect_end = math.inf
            self.touch()

    @contextmanager
    def paused(self) -> Generator[None]:
        """Inside the block a person is asked, and no time counts."""
        began, self.scope.deadline = anyio.current_time(), math.inf
        try:
            yield
        finally:
            self._total_end += anyio.current_time() - began
            self.touch()

    def close(self) -> None:
        """End the operation: its source is closed."""
        self._closed = True
        self.scope.cancel()

    def failure(self) -> SourceError:
        """The error of the limit that was met, or of the closing."""
        if self._closed:
            return self._left_open()
        limits = self._timeouts
        if self.phase == "connect" and self._connect_end <= self._total_end:
            return self._unavailable(f"not ready within the connect limit of {limits.connect:g} s")
        total = self._total_end <= self._idle_end or self.phase == "connect"
        limit = limits.total if total else limits.idle
        words = f"the {'total' if total else 'idle'} limit of {limit:g} s was met"
        if total and not self._is_own_end:
            words, limit = "the deadline of the caller was met", None
        if not self.sent:
            return self._unavailable(words)
        return SourceError(
            self._source,
            "timed-out" if total else "idle-timed-out",
            words,
            retryable=self.repeatable,
            may_have_run=not self._harmless,
            limit=limit,
        )

    def _left_open(self) -> SourceError:
        words = "the source was closed"
        if self.sent and not self._harmless:
            return SourceError(self._source, "outcome-unknown", words)
        return SourceError(self._source, "unavailable", words, retryable=False)

    def _unavailable(self, words: str) -> SourceError:
        return SourceError(self._source, "unavailable", words)

    def _move(self) -> None:
        silence = self._connect_end if self.phase == "connect" else self._idle_end
        self.scope.deadline = min(self._total_end, silence)
