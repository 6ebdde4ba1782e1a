"""The sessions of a source, one for each caller: how many, and how long one is kept unused."""

import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from toolroll.sources.mcp.session import Session
from toolroll.tools.context import Principal

Owner = tuple[str, str]
"""Tenant and id of a caller; empty where all share one session."""


@dataclass(slots=True)
class Seat:
    """One caller's session.

    Args:
        session: what was agreed with the server.
        person: who it belongs to, None for everybody.
        used: when it was last used, on the monotonic clock.
        running: questions that use it now.
    """

    session: Session
    person: Principal | None
    used: float
    running: int = 0


class Seats:
    """Sessions by their owner, the one that was used longest ago first.

    Args:
        most: sessions at a time.
        idle: seconds after which an unused session of a server that keeps sessions is over.
    """

    def __init__(self, most: int, idle: float) -> None:
        self._most, self._idle = most, idle
        self._seats: dict[Owner, Seat] = {}

    def get(self, owner: Owner) -> Session | None:
        """The session of a caller, if there is one that was not idle for too long."""
        seat = self._seats.get(owner)
        return None if seat is None or self._is_idle(seat) else seat.session

    def keep(self, owner: Owner, session: Session, person: Principal | None) -> None:
        """Keep a session in place of the caller's last one."""
        self._seats.pop(owner, None)
        self._seats[owner] = Seat(session, person, time.monotonic())

    def forget(self, owner: Owner) -> None:
        """Let go of a session that is over."""
        self._seats.pop(owner, None)

    @contextmanager
    def used(self, owner: Owner) -> Generator[None]:
        """The block uses the caller's session, which is not idle then."""
        seat = self._seats.pop(owner, None)
        if seat is None:
            yield
            return
        self._seats[owner] = seat  # now the last in order
        seat.running += 1
        try:
            yield
        finally:
            seat.running -= 1
            seat.used = time.monotonic()

    def take_spare(self, *, room: int = 0) -> list[Seat]:
        """Take out those that were idle for too long, and those beyond the most; none in use.

        Args:
            room: for so many more.
        """
        spare = [owner for owner, seat in self._seats.items() if self._is_idle(seat)]
        over = len(self._seats) - len(spare) + room - self._most
        free = [
            owner for owner, seat in self._seats.items() if not seat.running and owner not in spare
        ]
        return [self._seats.pop(owner) for owner in (*spare, *free[: max(0, over)])]

    def take_all(self) -> list[Seat]:
        """Take out everything."""
        taken, self._seats = [*self._seats.values()], {}
        return taken

    def _is_idle(self, seat: Seat) -> bool:
        keeps = seat.session.id is not None and not seat.running
        return keeps and time.monotonic() - seat.used >= self._idle
