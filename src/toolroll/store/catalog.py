"""The definitions of sources in a database."""

import json
from collections.abc import Callable
from typing import TypeVar, cast

import anyio.to_thread
from sqlalchemy import Connection, Engine, RowMapping, delete, insert, select

from toolroll.content import JsonObject, JsonValue
from toolroll.ports.catalog import PinnedTool, StoredCatalog
from toolroll.store.fault import StoreError
from toolroll.store.record import Row
from toolroll.store.session import Session
from toolroll.store.table import catalog
from toolroll.store.writer import Writer

T = TypeVar("T")

LARGEST_CATALOG = 64_000_000
"""Characters of a catalog's JSON."""


class StoredCatalogs:
    """One catalog for each source; made by `open_store`.

    Args:
        writer, session: where they are kept.
        reading: connections that only read.
    """

    def __init__(self, writer: Writer[Row], session: Session, reading: Engine) -> None:
        self._writer, self._session, self._reading = writer, session, reading

    async def get(self, source: str, /) -> StoredCatalog | None:
        """What is kept of a source, or None.

        Raises:
            StoreError: the database failed.
        """

        def fetch(connection: Connection) -> StoredCatalog | None:
            asked = select(catalog).where(catalog.c.source == source)
            row = connection.execute(asked).mappings().first()
            return None if row is None else _read(row)

        return await self._fetch(fetch)

    async def put(self, stored: StoredCatalog, /) -> None:
        """Keep a catalog in place of the source's last one.

        Raises:
            StoreError: it has no source, is too large, or the database failed.
        """
        if not stored.source:
            raise StoreError("a catalog needs the name of its source.")
        tools: list[JsonValue] = [
            {"definition": tool.definition, "fingerprint": tool.fingerprint}
            for tool in stored.tools
        ]
        written = json.dumps(tools, separators=(",", ":"), allow_nan=False)
        if len(written) > LARGEST_CATALOG:
            raise StoreError(
                f"the catalog of {stored.source} has {len(written):,} characters, "
                f"{LARGEST_CATALOG:,} can be kept."
            )

        def work(connection: Connection) -> None:
            now = self._session.now(connection)
            connection.execute(delete(catalog).where(catalog.c.source == stored.source))
            row = {"source": stored.source, "origin": stored.origin, "tools": written, "saved": now}
            connection.execute(insert(catalog).values(**row))

        await self._write(work)

    async def sources(self) -> tuple[str, ...]:
        """The names of all sources that have a catalog, sorted.

        Raises:
            StoreError: the database failed.
        """

        def fetch(connection: Connection) -> tuple[str, ...]:
            return tuple(sorted(connection.execute(select(catalog.c.source)).scalars()))

        return await self._fetch(fetch)

    async def remove(self, source: str, /) -> bool:
        """Forget a source; whether there was one.

        Raises:
            StoreError: the database failed.
        """
        gone = delete(catalog).where(catalog.c.source == source)
        return await self._write(lambda connection: connection.execute(gone).rowcount > 0)

    async def _fetch(self, work: Callable[[Connection], T]) -> T:
        def fetch() -> T:
            with self._reading.connect() as connection:
                return work(connection)

        return await anyio.to_thread.run_sync(self._session.guarded(fetch))

    async def _write(self, work: Callable[[Connection], T]) -> T:
        def job() -> T:
            with self._session.transaction() as connection:
                return work(connection)

        return await self._writer.run(self._session.guarded(job))


def _read(row: RowMapping) -> StoredCatalog:
    tools = cast("list[dict[str, JsonValue]]", json.loads(str(row["tools"])))
    return StoredCatalog(
        source=str(row["source"]),
        tools=tuple(
            PinnedTool(
                definition=cast("JsonObject", tool["definition"]),
                fingerprint=str(tool["fingerprint"]),
            )
            for tool in tools
        ),
        origin=str(row["origin"]),
        saved=cast("float", row["saved"]),
    )
