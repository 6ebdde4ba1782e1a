"""The journal's transactions, all in the writer's thread.

The statements are made once, from the tables, and given to the driver as they are: the
layer between would take as long as the disk.
"""

import logging
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Protocol, cast

from sqlalchemy import Connection, Engine, bindparam, insert, null, update
from sqlalchemy.sql import ClauseElement

from toolroll.store.database import is_about_the_data
from toolroll.store.fault import JournalOrderError
from toolroll.store.presence import Presence
from toolroll.store.record import NAMES, Row, Value, ended
from toolroll.store.session import Session
from toolroll.store.table import IS_OPEN, IS_UNKNOWN, journal

_LOG = logging.getLogger("toolroll.store")
_MOST_OWED = 10_000


class _Cursor(Protocol):
    """What a driver's cursor has (Python Database API 2.0, PEP 249)."""

    @property
    def rowcount(self) -> int: ...
    def executemany(self, statement: str, parameters: Sequence[tuple[Value, ...]], /) -> object: ...
    def close(self) -> object: ...


class _LateError(JournalOrderError):
    """A finish whose begin is not open any more."""


class Ledger:
    """Keeps records in groups, and each begin with its one finish.

    Args:
        session: the connection.
        presence: signs of life, which a begin must not be without.
    """

    def __init__(self, session: Session, presence: Presence) -> None:
        self._session, self._presence = session, presence
        self._sql = _Statements(session.engine)
        self._open: set[int] = set()
        self._doubtful: dict[int, Row] = {}
        self._owed: dict[int, Row] = {}

    def commit(self, rows: Sequence[Row], /) -> Sequence[Exception | None]:
        """Keep rows in one transaction; if one of them cannot be kept, each in its own."""
        try:
            self._settle()
            self._keep(rows)
        except Exception as error:  # every failure goes to whoever waits
            if isinstance(error, _LateError) or (len(rows) > 1 and is_about_the_data(error)):
                return [self._keep_one(row) for row in rows]
            return [self._failed(row, error) for row in rows]
        return [None] * len(rows)

    def tend(self) -> None:
        """Give a sign of life while something runs, and close what the dead left open."""
        try:
            self._settle()
            if self._open:
                with self._session.transaction() as connection:
                    me = self._presence.beat(connection)
                self._presence.signed(me)
            self._presence.recover()
        except Exception:  # the next time may go well
            _LOG.exception("the store could not be tended")

    def close(self) -> None:
        """Close what this process left open, as `unknown`, and the connection."""
        try:
            self._settle()
            if self._presence.me is not None:
                with self._session.transaction() as connection:
                    left = self._presence.bury(connection, self._presence.me)
                if left:
                    _LOG.warning("%d call(s) still open at the end of the store are unknown", left)
        except Exception:  # the end of the store is not stopped by it
            _LOG.exception("open calls could not be closed; they are when the store is next opened")
        finally:
            self._session.drop()

    def _keep(self, rows: Sequence[Row]) -> None:
        begins = [row for row in rows if row.role == "begin"]
        finishes = [row for row in rows if row.role == "finish"]
        signed = None
        with self._session.transaction() as connection, _cursor(connection) as cursor:
            if begins:
                signed = self._presence.sign(connection)
            me = signed.id if signed else self._presence.me
            cursor.executemany(
                self._sql.insert,
                [
                    (*row.values, me, row.run, 1 if row.role == "begin" else None)
                    if row.run
                    else (*row.values, None, None, None)
                    for row in rows
                ],
            )
            if finishes:
                cursor.executemany(self._sql.close, [(me, row.run) for row in finishes])
                if cursor.rowcount != len(finishes):
                    raise _LateError
        if signed is not None:
            self._presence.signed(signed)
        self._open.update(_run(row) for row in begins)
        self._open.difference_update(_run(row) for row in finishes)

    def _keep_one(self, row: Row) -> Exception | None:
        try:
            self._keep([row])
        except _LateError:
            return self._finish_late(row)
        except Exception as error:  # goes to whoever waits
            return self._failed(row, error)
        return None

    def _finish_late(self, row: Row) -> Exception | None:
        """A finish of a begin that was taken for lost: it takes the place of the `unknown`."""
        self._open.discard(_run(row))
        late = (
            update(journal)
            .where(IS_UNKNOWN, journal.c.owner == self._presence.me, journal.c.run == row.run)
            .where(journal.c.event == "finished")
            .values(**row.columns)
        )
        try:
            with self._session.transaction() as connection:
                if connection.execute(late).rowcount == 1:
                    self._presence.doubt()
                    return None
        except Exception as error:  # goes to whoever waits
            return self._failed(row, error)
        return JournalOrderError(
            f"a finish of {row.columns['tool']} whose begin is not on record; it is not kept."
        )

    def _failed(self, row: Row, error: Exception) -> Exception:
        """Note what has to be put right later; what the caller is told."""
        if row.role == "begin" and len(self._doubtful) < _MOST_OWED:
            self._doubtful[_run(row)] = row
        elif row.role == "finish" and len(self._owed) < _MOST_OWED:
            self._owed[_run(row)] = row
        return self._session.tell(error)

    def _settle(self) -> None:
        """Put right what failed: begins that may be on record did not run, finishes are owed."""
        if self._doubtful:
            self._end_doubtful()
        while self._owed:
            run, row = next(iter(self._owed.items()))
            try:
                self._keep([row])
            except _LateError:
                self._finish_late(row)
            except Exception as error:
                if not is_about_the_data(error):
                    raise
                _LOG.exception("a finish of %s cannot be kept", row.columns["tool"])
            self._owed.pop(run, None)

    def _end_doubtful(self) -> None:
        me = self._presence.me
        with self._session.transaction() as connection:
            now = self._session.now(connection)
            for run, row in self._doubtful.items():
                there = (IS_OPEN, journal.c.owner == me, journal.c.run == run)
                if connection.execute(update(journal).where(*there).values(open=null())).rowcount:
                    end = ended(row.columns, now, "aborted", "journal-failed")
                    connection.execute(insert(journal).values(**end, owner=me, run=run))
        self._doubtful.clear()


class _Statements:
    """The statements of the hot path as the driver takes them, with values by place."""

    __slots__ = ("close", "insert")

    def __init__(self, engine: Engine) -> None:
        def made(statement: ClauseElement) -> str:
            return str(statement.compile(dialect=engine.dialect))

        written = (*NAMES, "owner", "run", "open")
        self.insert = made(insert(journal).values({name: bindparam(name) for name in written}))
        owned = (journal.c.owner == bindparam("o"), journal.c.run == bindparam("r"))
        self.close = made(update(journal).where(*owned, IS_OPEN).values(open=null()))


@contextmanager
def _cursor(connection: Connection) -> Generator[_Cursor]:
    cursor = cast("_Cursor", connection.connection.cursor())
    try:
        yield cursor
    finally:
        cursor.close()


def _run(row: Row) -> int:
    return cast("int", row.run)
