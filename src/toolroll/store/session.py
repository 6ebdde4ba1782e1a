"""The one connection that writes. All of it happens in the writer's thread."""

import logging
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TypeVar

from sqlalchemy import Connection, Engine, text

from toolroll.store.database import Database
from toolroll.store.fault import StoreError

T = TypeVar("T")

_LOG = logging.getLogger("toolroll.store")


class Session:
    """A connection that is made when it is needed and made anew after a failure.

    Args:
        database: where.
        engine: makes the connection.
    """

    def __init__(self, database: Database, engine: Engine) -> None:
        self._database, self._engine = database, engine
        self._connection: Connection | None = None

    @property
    def engine(self) -> Engine:
        """What makes the connection."""
        return self._engine

    @contextmanager
    def transaction(self) -> Generator[Connection]:
        """All or nothing. A `StoreError` inside undoes it and keeps the connection."""
        try:
            if self._connection is None:
                self._connection = self._engine.connect()
            with self._connection.begin():
                yield self._connection
        except StoreError:
            raise
        except Exception:
            self.drop()
            raise

    def now(self, connection: Connection) -> float:
        """The time, by the one clock that all who use this database share."""
        if self._database.is_sqlite:
            return time.time()
        asked = text("SELECT extract(epoch FROM clock_timestamp())")
        return float(connection.execute(asked).scalar_one())

    def tell(self, error: Exception) -> StoreError:
        """A failure of the database as what a caller gets."""
        if isinstance(error, StoreError):
            return error
        made = StoreError(f"the store failed: {self._database.explain(error)}.")
        made.__cause__ = error
        return made

    def guarded(self, job: Callable[[], T]) -> Callable[[], T]:
        """A job whose failures are `StoreError`s."""

        def run() -> T:
            try:
                return job()
            except Exception as error:
                raise self.tell(error) from error

        return run

    def drop(self) -> None:
        """Let go of the connection."""
        connection, self._connection = self._connection, None
        if connection is None:
            return
        try:
            connection.invalidate()
            connection.close()
        except Exception:  # it is gone either way
            _LOG.debug("a connection that failed did not close", exc_info=True)
