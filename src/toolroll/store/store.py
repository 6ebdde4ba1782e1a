"""One database: journal, approvals and catalogs."""

import asyncio
from types import TracebackType
from typing import Self

import anyio
import anyio.to_thread
from sqlalchemy import Engine

from toolroll.outcome import ConfigError
from toolroll.store.approval import StoredApprovals
from toolroll.store.catalog import StoredCatalogs
from toolroll.store.cleaning import Redact
from toolroll.store.database import Database, make_file, prepare_tables
from toolroll.store.journal import StoredJournal
from toolroll.store.ledger import Ledger
from toolroll.store.presence import Presence
from toolroll.store.record import Row
from toolroll.store.session import Session
from toolroll.store.writer import Writer


class Store:
    """A database while it is open; made by `open_store`, an async context manager.

    Args:
        database: where.
        redact: what is kept of inputs; None keeps digests only.
        approvals_expire: seconds a question waits for its answer, and a yes for its call.
        most_pending: open questions; above it nobody can be asked.
        lease: seconds after which a process elsewhere that was not heard of counts as gone.
    """

    def __init__(
        self,
        database: Database,
        *,
        redact: Redact | None,
        approvals_expire: float,
        most_pending: int,
        lease: float,
    ) -> None:
        self._database = database
        self._redact, self._lease = redact, lease
        self._expire, self._most_pending = approvals_expire, most_pending
        self._parts: tuple[StoredJournal, StoredApprovals, StoredCatalogs] | None = None
        self._writer: Writer[Row] | None = None
        self._engines: tuple[Engine, ...] = ()

    @property
    def name(self) -> str:
        """The path, or the address without its password."""
        return self._database.name

    @property
    def journal(self) -> StoredJournal:
        """Records of calls."""
        return self._opened[0]

    @property
    def approvals(self) -> StoredApprovals:
        """Questions to a person."""
        return self._opened[1]

    @property
    def catalogs(self) -> StoredCatalogs:
        """Definitions of sources."""
        return self._opened[2]

    async def __aenter__(self) -> Self:
        _need_asyncio()
        if self._parts is not None:
            raise ConfigError(f"the store {self.name} is open already.")
        writing, reading = await anyio.to_thread.run_sync(self._connect)
        session = Session(self._database, writing)
        presence = Presence(session, lease=self._lease)
        self._engines = (writing, reading)
        self._writer = writer = Writer(Ledger(session, presence), every=presence.every)
        writer.start()
        journal = StoredJournal(writer, session, presence, reading, redact=self._redact)
        self._parts = (
            journal,
            StoredApprovals(
                writer, session, reading, lifetime=self._expire, most_pending=self._most_pending
            ),
            StoredCatalogs(writer, session, reading),
        )
        try:
            await journal.recover()
        except BaseException:
            await self.aclose()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Keep what waits, end what is open as `unknown`, and let go; twice is fine.

        Raises:
            StoreError: it does not end within 30 seconds.
        """
        writer, self._writer, self._parts = self._writer, None, None
        engines, self._engines = self._engines, ()
        with anyio.CancelScope(shield=True):
            if writer is not None:
                await writer.stop()
            for engine in engines:
                await asyncio.to_thread(engine.dispose)

    @property
    def _opened(self) -> tuple[StoredJournal, StoredApprovals, StoredCatalogs]:
        if self._parts is None:
            raise ConfigError(
                "the store is not open; use it as `async with open_store(...) as store`."
            )
        return self._parts

    def _connect(self) -> tuple[Engine, Engine]:
        if self._database.is_sqlite:
            make_file(self._database)
        writing = self._database.engine(writes=True)
        try:
            prepare_tables(self._database, writing)
        except BaseException:
            writing.dispose()
            raise
        return writing, self._database.engine(writes=False)


def _need_asyncio() -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        raise ConfigError(
            "the store runs on asyncio only; on trio use MemoryJournal, MemoryApprovals and "
            "MemoryCatalogs, or a store of your own behind the same ports."
        ) from None
