"""The journal in a database."""

import asyncio
import time
from functools import partial

import anyio.to_thread
from sqlalchemy import Engine, Select, delete, func, select

from toolroll.ports.journal import JournalRecord
from toolroll.store.cleaning import Redact, storable
from toolroll.store.entry import MOST_ENTRIES, JournalEntry, JournalFilter, JournalPage
from toolroll.store.pairing import OpenRuns
from toolroll.store.presence import Presence
from toolroll.store.record import NAMES, Row, ended, entry_of, row_of
from toolroll.store.session import Session
from toolroll.store.table import IS_OPEN, journal
from toolroll.store.writer import Writer

_AT_ONCE = 5_000


class StoredJournal:
    """Records on disk before `write` returns; made by `open_store`.

    Args:
        writer: keeps rows.
        session, presence: what the writer's thread works with.
        reading: connections that only read.
        redact: what is kept of inputs; None keeps digests only.
    """

    def __init__(
        self,
        writer: Writer[Row],
        session: Session,
        presence: Presence,
        reading: Engine,
        *,
        redact: Redact | None,
    ) -> None:
        self._writer, self._session, self._presence = writer, session, presence
        self._reading, self._redact = reading, redact
        self._runs = OpenRuns()

    async def write(self, record: JournalRecord, /) -> None:
        """Keep a record; it is on disk when this returns.

        A caller that is cancelled meanwhile has its record kept; if it was a begin, which now has
        no run, `aborted` follows as its finish.

        Raises:
            JournalOrderError: a finish without an open begin.
            StoreError: it is not kept.
        """
        row = row_of(record, self._redact)
        if row.role == "begin":
            await self._begin(record, row)
        elif row.role == "finish":
            await self._writer.write(row.of(self._runs.finish(record)))
        else:
            await self._writer.write(row)

    async def _begin(self, record: JournalRecord, row: Row) -> None:
        run = self._runs.begin(record)
        try:
            await self._writer.write(row.of(run))
        except asyncio.CancelledError:
            self._runs.forget(record, run)
            self._writer.write_later(_aborted(row).of(run))
            raise
        except BaseException:
            self._runs.forget(record, run)
            raise

    async def read(
        self,
        which: JournalFilter | None = None,
        *,
        limit: int = 100,
        cursor: int | None = None,
        oldest_first: bool = False,
    ) -> JournalPage:
        """Kept records, newest first; at most 1,000 at once.

        Args:
            which: what is asked for; None for all.
            limit: length of the page.
            cursor: of the page before.
            oldest_first: the other order; with the last page's cursor it follows what is new.

        Raises:
            StoreError: the database failed.
        """
        limit = min(max(1, limit), MOST_ENTRIES)
        asked = _asked(which or JournalFilter(), cursor, oldest_first=oldest_first).limit(limit + 1)
        entries = await self._read(asked)
        more = len(entries) > limit
        kept = entries[:limit]
        return JournalPage(entries=tuple(kept), cursor=kept[-1].number if more else None)

    async def unfinished(self) -> tuple[JournalEntry, ...]:
        """Begins of any process that have no finish yet, oldest first; at most 1,000."""
        open_ = select(journal).where(IS_OPEN).order_by(journal.c.number).limit(MOST_ENTRIES)
        return tuple(await self._read(open_))

    async def recover(self) -> int:
        """Finish, as `unknown`, what processes that are gone left open; how many.

        Opening a store does it, and then every quarter of a lease.
        """
        return await self._writer.run(self._session.guarded(self._presence.recover))

    async def prune(self, before: float) -> int:
        """Forget records from before a time, but no begin that is still open; how many."""
        gone = 0
        while part := await self._writer.run(self._session.guarded(partial(self._prune, before))):
            gone += part
        return gone

    async def _read(self, asked: Select[tuple[object, ...]]) -> list[JournalEntry]:
        def fetch() -> list[JournalEntry]:
            with self._reading.connect() as connection:
                return [entry_of(row) for row in connection.execute(asked).mappings()]

        return await anyio.to_thread.run_sync(self._session.guarded(fetch))

    def _prune(self, before: float) -> int:
        newest = select(func.max(journal.c.number)).scalar_subquery()
        old = (
            select(journal.c.number)
            .where(journal.c.time < before, journal.c.open.is_(None))
            .where(journal.c.number < newest)  # numbers go on from here
            .limit(_AT_ONCE)
        )
        with self._session.transaction() as connection:
            return connection.execute(delete(journal).where(journal.c.number.in_(old))).rowcount


def _asked(
    which: JournalFilter, cursor: int | None, *, oldest_first: bool
) -> Select[tuple[object, ...]]:
    asked = select(journal).order_by(
        journal.c.number.asc() if oldest_first else journal.c.number.desc()
    )
    if cursor is not None:
        asked = asked.where(
            journal.c.number > cursor if oldest_first else journal.c.number < cursor
        )
    if which.since is not None:
        asked = asked.where(journal.c.time >= which.since)
    if which.until is not None:
        asked = asked.where(journal.c.time < which.until)
    equal = which.equal.items()
    return asked.where(*(journal.c[name] == storable(value) for name, value in equal))


def _aborted(begun: Row) -> Row:
    end = ended(begun.columns, time.time(), "aborted", "aborted")
    return Row("finish", tuple(end.get(name) for name in NAMES))
