"""Which processes have begins open, which of them still live, and what becomes of the others'."""

import logging
import time
from dataclasses import replace
from typing import cast

from sqlalchemy import Connection, RowMapping, delete, insert, null, select, update

from toolroll.store.process import Process, is_dead, this_process
from toolroll.store.record import UNKNOWN, Columns, ended
from toolroll.store.session import Session
from toolroll.store.table import IS_OPEN, journal, owner

_LOG = logging.getLogger("toolroll.store")


class Presence:
    """Signs of life of this process, and the burial of others.

    Args:
        session: the connection.
        lease: seconds after which a process elsewhere that was not heard of counts as gone.
    """

    def __init__(self, session: Session, *, lease: float) -> None:
        self._session, self._lease = session, lease
        self._me: Process | None = None
        self._signed = 0.0

    @property
    def every(self) -> float:
        """Seconds between two signs of life."""
        return self._lease / 4

    @property
    def me(self) -> int | None:
        """The number under which this process has begun something, None before it did."""
        return None if self._me is None else self._me.id

    def sign(self, connection: Connection) -> Process:
        """Be on record, and heard of lately enough, before a begin is.

        What it returns goes to `signed` once the transaction is through.
        """
        if self._me is None:
            me = this_process(self._session.now(connection))
            connection.execute(insert(owner).values(**_columns_of(me)))
            return me
        return self.beat(connection) if time.monotonic() - self._signed >= self.every else self._me

    def beat(self, connection: Connection) -> Process:
        """Give a sign of life, also when others took this process for gone."""
        me = replace(cast("Process", self._me), beat=self._session.now(connection))
        told = update(owner).where(owner.c.id == me.id).values(beat=me.beat)
        if not connection.execute(told).rowcount:
            connection.execute(insert(owner).values(**_columns_of(me)))
        return me

    def signed(self, me: Process) -> None:
        """The sign is on record."""
        if me is not self._me:
            self._me, self._signed = me, time.monotonic()

    def doubt(self) -> None:
        """Others took this process for gone: the next begin is signed anew."""
        self._signed = -self._lease

    def recover(self) -> int:
        """Finish, as `unknown`, the begins of processes that are gone; how many."""
        with self._session.transaction() as connection:
            now = self._session.now(connection)
            known = [_process_of(row) for row in connection.execute(select(owner)).mappings()]
            ids = set(
                connection.execute(select(journal.c.owner).where(IS_OPEN).distinct()).scalars()
            )
            gone = {one.id for one in known if is_dead(one, now, self._lease)}
            gone |= ids - {one.id for one in known}
            gone.discard(self.me or 0)
            lost = sum(self.bury(connection, one) for one in sorted(gone))
        if lost:
            _LOG.warning("%d call(s) of processes that are gone ended as unknown", lost)
        return lost

    def bury(self, connection: Connection, gone: int) -> int:
        """Finish, as `unknown`, whatever a process left open, and forget it; how many."""
        ours = (IS_OPEN, journal.c.owner == gone)
        taken = update(journal).where(*ours).values(open=null()).returning(journal)
        begun = sorted(connection.execute(taken).mappings(), key=lambda row: row["number"])
        now = self._session.now(connection)
        lines = [
            {**ended(cast("Columns", row), now, UNKNOWN, ""), "owner": gone, "run": row["run"]}
            for row in begun
        ]
        if lines:
            connection.execute(insert(journal), lines)
        connection.execute(delete(owner).where(owner.c.id == gone))
        return len(lines)


def _columns_of(process: Process) -> dict[str, object]:
    return {
        "id": process.id,
        "machine": process.machine,
        "process": process.process,
        "started": process.started,
        "beat": process.beat,
    }


def _process_of(row: RowMapping) -> Process:
    return Process(
        id=cast("int", row["id"]),
        machine=str(row["machine"]),
        process=cast("int", row["process"]),
        started=str(row["started"]),
        beat=cast("float", row["beat"]),
    )
