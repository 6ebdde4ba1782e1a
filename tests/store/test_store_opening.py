"""Opening a store: addresses, files, versions, what is missing."""

import asyncio
import stat
import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, text

from tests.store.conftest import DATABASES
from toolroll.outcome import ConfigError, MissingExtra
from toolroll.ports.journal import JournalRecord
from toolroll.store import JournalFilter, MemoryJournal, open_store
from toolroll.store.table import HEAD, VERSION_TABLE, metadata

pytestmark = pytest.mark.anyio


def record(call_id: str) -> JournalRecord:
    return JournalRecord(event="decided", call_id=call_id, time=1.0, tool="t")


@pytest.mark.rule("store-file-is-private")
async def test_folders_and_files_are_made_for_their_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "er" / "store.db"
    async with open_store(path) as store:
        await store.journal.write(record("a"))
        names = {one.name: stat.S_IMODE(one.stat().st_mode) for one in path.parent.iterdir()}
    assert names == {"store.db": 0o600, "store.db-wal": 0o600, "store.db-shm": 0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


async def test_an_address_and_a_path_name_the_same_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "odd name%20 é?#.db"
    async with open_store(path) as store:
        await store.journal.write(record("a"))
    async with open_store(str(path)) as store:
        assert store.name == str(path)
        assert len((await store.journal.read()).entries) == 1
    plain = tmp_path / "plain.db"
    for address in (f"sqlite:///{plain}", f"sqlite+aiosqlite:///{plain}", plain):
        async with open_store(address) as store:
            await store.journal.write(record("a"))
    monkeypatch.setenv("HOME", str(tmp_path))
    async with open_store("~/plain.db") as store:
        assert len((await store.journal.read()).entries) == 3


@pytest.mark.rule("store-path-errors-are-clear")
@pytest.mark.parametrize(
    ("target", "says"),
    [
        ("", "path of a file"),
        (":memory:", "MemoryJournal"),
        ("sqlite://", "MemoryJournal"),
        ("sqlite:///x.db?mode=ro", "without options"),
        ("mysql://ana:s3cret@host/db", "'mysql' is no store"),
        ("://", "cannot be read"),
    ],
)
def test_an_address_that_is_none_is_refused(target: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says) as caught:
        open_store(target)
    assert "s3cret" not in str(caught.value)


@pytest.mark.rule("store-path-errors-are-clear")
async def test_a_path_that_cannot_be_used_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a database, but long enough to look at" * 40)
    (tmp_path / "folder.db").mkdir()
    for path, says in (
        (tmp_path / "a\0b.db", "cannot be made: embedded null byte"),
        (tmp_path / "folder.db", "is a folder"),
        (tmp_path / "file" / "store.db", "file"),
        (tmp_path / "file", "not a SQLite database"),
        (Path("/proc/nowhere/store.db"), "cannot be made"),
    ):
        with pytest.raises(ConfigError, match=says) as caught:
            await open_store(path).__aenter__()
        assert str(path.parent) in str(caught.value)


@pytest.mark.rule("store-path-errors-are-clear")
async def test_a_server_that_is_not_there_is_told_without_the_password() -> None:
    address = "postgresql://ana:s3cret@127.0.0.1:1/db"
    with pytest.raises(ConfigError, match="port 1 failed") as caught:
        await open_store(address, busy_timeout=50).__aenter__()
    assert "s3cret" not in str(caught.value)


@pytest.mark.rule("store-path-errors-are-clear")
@pytest.mark.parametrize("option", ["approvals_expire", "busy_timeout", "lease"])
@pytest.mark.parametrize("value", [0.0, -1.0, float("nan"), float("inf")])
def test_times_are_above_nothing(option: str, value: float) -> None:
    with pytest.raises(ConfigError, match=option):
        open_store("store.db", **{option: value})  # type: ignore[arg-type]


@pytest.mark.rule("store-newer-database-is-refused")
async def test_a_newer_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    async with open_store(path) as store:
        await store.journal.write(record("a"))
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '99'"))
    with pytest.raises(ConfigError, match="version 99, this Toolroll knows up to"):
        await open_store(path).__aenter__()
    with engine.begin() as connection:
        assert connection.execute(text("SELECT count(*) FROM toolroll_journal")).scalar() == 1
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '{HEAD}'"))
    engine.dispose()
    async with open_store(path) as store:
        assert len((await store.journal.read()).entries) == 1


@pytest.mark.rule("store-migrations-make-the-tables")
async def test_migrations_and_tables_are_the_same(target: str) -> None:
    async with open_store(target) as store:
        engine = store._engines[1]
        with engine.connect() as connection:
            context = MigrationContext.configure(
                connection, opts={"version_table": VERSION_TABLE, "compare_type": True}
            )
            assert compare_metadata(context, metadata) == []
            assert context.get_current_revision() == HEAD


async def test_tables_of_somebody_else_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "shared.db"
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE journal (line TEXT)"))
        connection.execute(text("INSERT INTO journal VALUES ('theirs')"))
    async with open_store(path) as store:
        await store.journal.write(record("a"))
    with engine.begin() as connection:
        assert connection.execute(text("SELECT line FROM journal")).scalar() == "theirs"
    engine.dispose()


@pytest.mark.rule("store-migrations-make-the-tables")
async def test_the_open_and_the_lost_are_found_by_their_own_indexes(tmp_path: Path) -> None:
    """However long the journal is, looking after it reads a few rows."""
    path = tmp_path / "store.db"
    async with open_store(path) as store:
        await store.journal.write(record("a"))
    engine = create_engine(f"sqlite:///{path}")
    with engine.connect() as connection:
        for condition, index in (
            ("open = 1 AND owner = 1 AND run = 2", "toolroll_journal_open"),
            ("open = 1", "toolroll_journal_open"),
            ("outcome = 'unknown' AND owner = 1 AND run = 2", "toolroll_journal_unknown"),
            ("time < 5", "toolroll_journal_time"),
        ):
            plan = connection.execute(
                text(f"EXPLAIN QUERY PLAN SELECT * FROM toolroll_journal WHERE {condition}")
            ).all()
            assert index in str(plan)
    engine.dispose()


@pytest.mark.slow
@pytest.mark.rule("store-opens-in-many-processes-at-once")
@pytest.mark.parametrize("database", DATABASES)
def test_many_open_a_new_store_at_once(
    database: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    target = str(tmp_path / "new.db")
    if database == "postgresql":
        target = str(request.getfixturevalue("postgres_address"))
    code = (
        "import asyncio, sys\nfrom toolroll.store import open_store\n"
        "async def main():\n"
        "    async with open_store(sys.argv[1], busy_timeout=600) as store:\n"
        "        print(len((await store.journal.read()).entries))\n"
        "asyncio.run(main())"
    )
    children = [
        subprocess.Popen(
            [sys.executable, "-c", code, target],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    for child in children:
        out, error = child.communicate()
        assert (out, error) == ("0\n", "")


async def test_a_store_that_is_not_open_says_how(tmp_path: Path) -> None:
    store = open_store(tmp_path / "store.db")
    with pytest.raises(ConfigError, match="async with open_store"):
        store.journal  # noqa: B018
    async with store:
        with pytest.raises(ConfigError, match="open already"):
            await store.__aenter__()


@pytest.mark.rule("store-is-asyncio-only")
def test_on_trio_the_store_says_so(tmp_path: Path) -> None:
    async def main() -> None:
        async with open_store(tmp_path / "store.db"):
            pass

    with pytest.raises(ConfigError, match="asyncio only"):
        anyio.run(main, backend="trio")


@pytest.mark.rule("store-memory-needs-no-database")
def test_memory_works_on_trio() -> None:
    async def main() -> int:
        journal = MemoryJournal(most=3)
        for at in range(5):
            await journal.write(record(str(at)))
        return len((await journal.read(JournalFilter(tool="t"))).entries)

    assert anyio.run(main, backend="trio") == 3


@pytest.mark.rule("store-memory-needs-no-database")
def test_without_the_extra_memory_works_and_a_database_names_it() -> None:
    code = (
        "import sys\nsys.modules['sqlalchemy'] = sys.modules['alembic'] = None\n"
        "from toolroll.store import MemoryJournal, open_store\n"
        "try:\n    open_store('x.db')\nexcept ImportError as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert "pip install 'toolroll[store]'" in done.stdout


@pytest.mark.rule("store-memory-needs-no-database")
def test_importing_the_store_loads_no_database() -> None:
    code = (
        "import sys, toolroll.store; print('sqlalchemy' in sys.modules, 'sqlite3' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"


def test_a_missing_driver_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtra, match="postgres"):
        open_store("postgresql://host/db")


def test_a_cancelled_opening_leaves_nothing_behind(tmp_path: Path) -> None:
    async def main() -> None:
        with anyio.move_on_after(0):
            async with open_store(tmp_path / "store.db"):
                raise AssertionError
        async with open_store(tmp_path / "store.db") as store:
            await store.journal.write(record("a"))

    asyncio.run(main())
