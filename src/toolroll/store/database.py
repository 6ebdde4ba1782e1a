"""Opening a database: its address, its connections, its tables."""

import os
import sqlite3
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

from sqlalchemy import Connection, Engine, Text, column, create_engine, event, inspect, select, text
from sqlalchemy import table as plain_table
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError

from toolroll.outcome import ConfigError, MissingExtra
from toolroll.store.table import HEAD, VERSION_TABLE

Durability: TypeAlias = Literal["full", "normal"]
"""`full`: kept through a loss of power. `normal`: kept through a crash of the process, and faster;
a loss of power may take the last moments."""

_POSTGRES = ("postgresql", "postgresql+psycopg")
_SQLITE = ("sqlite", "sqlite+pysqlite", "sqlite+aiosqlite")
_MIGRATIONS = Path(__file__).parent / "migrations"
_LOCK = 7_305_803_021
"""Number of the lock under which PostgreSQL tables are made: any, but always the same."""

_STATEMENT_WITHIN = 60
_POSTGRES_LIVENESS = {
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 60_000,
}
"""A server that is silent for a minute is given up."""

_SAYINGS = (
    ("readonly", "it cannot be written; check its permissions and those of its folder"),
    ("full", "the disk is full; make room"),
    ("unable to open", "it cannot be opened; check the path and the permissions of its folder"),
    ("locked", "another process held it for too long; try again or raise busy_timeout"),
    ("not a database", "it is not a SQLite database; give another path"),
    ("malformed", "it is damaged; restore it from a copy"),
    ("disk I/O error", "the disk failed or its quota is used up"),
)


class _Closable(Protocol):
    def close(self) -> object: ...


class _PostgresConnection(Protocol):
    """What is used of psycopg's connection."""

    def execute(self, statement: str, /) -> _Closable: ...
    def commit(self) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Database:
    """Where a store keeps its tables.

    Args:
        url: the address, for `sqlite+pysqlite` or `postgresql+psycopg`.
        name: what messages call it: the path, or the address without its password.
        durability: what a commit survives.
        busy_timeout: seconds to wait for another process's lock or for a connection.
    """

    url: URL
    name: str
    durability: Durability
    busy_timeout: float

    @property
    def is_sqlite(self) -> bool:
        """SQLite, a file of this machine; else PostgreSQL."""
        return self.url.get_backend_name() == "sqlite"

    def engine(self, *, writes: bool) -> Engine:
        """Connections that write (one), or only read (up to five)."""
        if self.is_sqlite:
            return self._sqlite_engine(writes=writes)
        engine = create_engine(
            self.url,
            paramstyle="format",
            pool_size=1 if writes else 5,
            max_overflow=0,
            pool_pre_ping=True,
            pool_timeout=self.busy_timeout,
            connect_args={
                "connect_timeout": max(2, round(self.busy_timeout)),
                "application_name": "toolroll",
                **_POSTGRES_LIVENESS,
            },
        )
        settings = {
            "lock_timeout": f"{round(self.busy_timeout * 1000)}ms",
            "statement_timeout": f"{_STATEMENT_WITHIN}s",
            "synchronous_commit": "off" if self.durability == "normal" else "on",
        }

        def prepare(connection: _PostgresConnection, _: object) -> None:
            for name, value in settings.items():
                connection.execute(f"SET {name} = '{value}'").close()
            connection.commit()

        event.listen(engine, "connect", prepare)
        return engine

    def _sqlite_engine(self, *, writes: bool) -> Engine:
        engine = create_engine(
            self.url,
            pool_size=1 if writes else 5,
            max_overflow=0,
            pool_timeout=self.busy_timeout,
            connect_args={
                "timeout": self.busy_timeout,
                "isolation_level": None,  # transactions are begun below, by hand
                "check_same_thread": False,
            },
        )
        pragmas = [
            f"PRAGMA synchronous={self.durability.upper()}",
            "PRAGMA journal_size_limit=67108864",
        ]
        if not writes:
            pragmas = ["PRAGMA query_only=ON"]

        def prepare(connection: sqlite3.Connection, _: object) -> None:
            if writes:
                _to_wal(connection, self.busy_timeout)
            for pragma in pragmas:
                connection.execute(pragma).close()

        def begin(connection: Connection) -> None:
            # A writer takes its lock at once: one that begins to read and then wants to write would
            # fail, not wait, when another process wrote in between.
            connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

        event.listen(engine, "connect", prepare)
        event.listen(engine, "begin", begin)
        return engine

    def explain(self, error: BaseException) -> str:
        """A failure of the database in words, with what to do."""
        cause = getattr(error, "orig", None) or error
        said = " ".join(str(cause).split()) or type(cause).__name__
        advice = next((advice for word, advice in _SAYINGS if word in said), "")
        return f"{self.name}: {advice} ({said})" if advice else f"{self.name}: {said}"


def _to_wal(connection: sqlite3.Connection, within: float) -> None:
    """Switch to the write-ahead log. SQLite does not wait for others here, so we do."""
    end = time.monotonic() + within
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL").close()
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > end:
                raise
            time.sleep(0.01)
        else:
            return


def read_address(target: str | os.PathLike[str], durability: Durability, busy: float) -> Database:
    """The database that a path or an address names.

    Raises:
        ConfigError: an address of no known kind.
        MissingExtra: PostgreSQL without its driver.
    """
    if not isinstance(target, str) or "://" not in target:
        return _of_path(Path(target), durability, busy)
    try:
        url = make_url(target)
    except ArgumentError as error:
        raise ConfigError(
            "the store's address cannot be read: give 'sqlite:///PATH', 'postgresql://...', a path."
        ) from error
    if url.drivername in _SQLITE:
        if not url.database or url.database == ":memory:" or url.query:
            raise ConfigError(
                "a store needs a SQLite file: 'sqlite:///PATH' without options. Without a file use "
                "MemoryJournal, MemoryApprovals and MemoryCatalogs."
            )
        return _of_path(Path(url.database), durability, busy)
    if url.drivername not in _POSTGRES:
        raise ConfigError(
            f"{url.drivername!r} is no store; give 'sqlite:///PATH', 'postgresql://...' or a path."
        )
    url = url.set(drivername="postgresql+psycopg")
    try:
        url.get_dialect().import_dbapi()
    except (ImportError, NoSuchModuleError) as error:
        raise MissingExtra("postgres", "a store in PostgreSQL") from error
    name = url.set(query={}).render_as_string(hide_password=True)
    return Database(url=url, name=name, durability=durability, busy_timeout=busy)


def _of_path(path: Path, durability: Durability, busy: float) -> Database:
    if str(path) in ("", ".", ":memory:"):
        raise ConfigError(
            "a store needs the path of a file; without one use MemoryJournal and others."
        )
    full = path.expanduser().absolute()
    url = URL.create("sqlite+pysqlite", database=str(full))
    return Database(url=url, name=str(full), durability=durability, busy_timeout=busy)


def make_file(database: Database) -> None:
    """Make the folder and the file of a SQLite database, for nobody else to read.

    Raises:
        ConfigError: the path cannot be used.
    """
    path = Path(str(database.url.database))
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.is_dir():
            raise ConfigError(f"{path} is a folder; a store needs the path of a file.")
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        if not path.exists():
            raise ConfigError(f"{path.parent} is not a folder.") from None
    except OSError as error:
        raise ConfigError(f"the store {path} cannot be made: {error.strerror or error}.") from error
    except ValueError as error:  # a NUL in the path
        raise ConfigError(f"the store {str(path)!r} cannot be made: {error}.") from error


def prepare_tables(database: Database, engine: Engine) -> None:
    """Make the tables, or bring them to this version.

    Raises:
        ConfigError: it cannot be opened, or a newer version made it.
    """
    try:
        with engine.connect() as connection:
            if _version(connection) == HEAD:
                return
        with engine.begin() as connection:
            if not database.is_sqlite:
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
            _migrate(database, connection)
    except (SQLAlchemyError, sqlite3.Error) as error:
        raise ConfigError(f"the store cannot be opened: {database.explain(error)}.") from error


def _version(connection: Connection) -> str | None:
    if not inspect(connection).has_table(VERSION_TABLE):
        return None
    kept = plain_table(VERSION_TABLE, column("version_num", Text))
    return connection.execute(select(kept.c.version_num)).scalar()


def _migrate(database: Database, connection: Connection) -> None:
    # Alembic is for the first opening and after an upgrade only: it takes its time to import.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415
    from alembic.script import ScriptDirectory  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    version = _version(connection)
    if version is not None and version not in known:
        raise ConfigError(
            f"the store {database.name} is of version {version}, this Toolroll knows up to {HEAD}; "
            "upgrade toolroll, or use another store."
        )
    command.upgrade(config, "head")


def is_about_the_data(error: BaseException) -> bool:
    """One record cannot be kept; the others can."""
    if isinstance(error, DBAPIError):
        error = error.orig or error
    names = {kind.__name__ for kind in type(error).__mro__}
    if names & {"DataError", "InterfaceError", "IntegrityError", "ProgrammingError"}:
        return True
    return isinstance(error, (ValueError, OverflowError, TypeError))
