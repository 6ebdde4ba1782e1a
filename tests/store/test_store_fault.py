"""A disk that fails while a store is open."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from toolroll.outcome import ConfigError
from toolroll.ports.journal import JournalRecord
from toolroll.store import StoreError, open_store
from toolroll.store.session import Session

pytestmark = pytest.mark.anyio

# The process may not write files above 2 MB: what a full disk is to it. `RLIMIT_FSIZE` is lifted
# again, as when somebody makes room.
FULL = """
import asyncio, resource, signal, sys, time
from toolroll.outcome import ConfigError
from toolroll.ports.journal import JournalRecord
from toolroll.store import StoreError, open_store

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

def record(event, at, outcome=""):
    return JournalRecord(event=event, call_id=str(at), time=time.time(), tool="t", outcome=outcome,
                         domain={"filler": "x" * 50_000} if event == "begun" else {})

async def main(path):
    async with open_store(path) as store:
        await store.journal.write(record("begun", "first"))
        resource.setrlimit(resource.RLIMIT_FSIZE, (2_000_000, resource.RLIM_INFINITY))
        kept, error = 0, None
        while error is None:
            try:
                await store.journal.write(record("begun", kept))
                kept += 1
            except StoreError as failed:
                error = failed
        try:
            await store.journal.write(record("finished", "first", "ok"))
            finish = "kept"
        except StoreError:
            finish = "refused"
        print(kept, finish, str(error), sep="|")
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        await store.journal.write(record("begun", "after"))
        await store.journal.write(record("finished", "after", "ok"))
        page = await store.journal.read(limit=1000)
        finished = {one.record.call_id: one.record.outcome for one in page.entries
                    if one.record.event == "finished"}
        begun = [one.record.call_id for one in page.entries if one.record.event == "begun"]
        print(finished.get("first"), finished.get("after"), len(begun) == len(set(begun)), sep="|")

asyncio.run(main(sys.argv[1]))
"""


@pytest.mark.rule("store-disk-errors-are-clear", "store-failed-finish-is-owed")
def test_a_full_disk_is_told_and_what_was_owed_is_kept_later(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    kept, finish, error = first.split("|")
    assert int(kept) >= 10
    assert str(path) in error
    assert "disk" in error
    assert finish in ("kept", "refused")
    assert second == "ok|ok|True"
    engine = create_engine(f"sqlite:///{path}")
    with engine.connect() as connection:
        assert connection.execute(text("PRAGMA integrity_check")).scalar() == "ok"
    engine.dispose()


@pytest.mark.rule("store-disk-errors-are-clear")
async def test_a_database_that_is_held_is_told_and_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    begun = JournalRecord(event="begun", call_id="a", time=1.0, tool="t")
    async with open_store(path, busy_timeout=0.2) as store:
        engine = create_engine(f"sqlite:///{path}")
        with engine.connect() as other:
            other.exec_driver_sql("BEGIN IMMEDIATE")
            with pytest.raises(StoreError, match="held it for too long"):
                await store.journal.write(begun)
            other.rollback()
        engine.dispose()
        await store.journal.write(begun)
        assert len((await store.journal.read()).entries) == 1


@pytest.mark.rule("store-survives-its-server")
async def test_a_broken_connection_is_told_and_made_anew(target: str) -> None:
    """The connection is cut off from outside, between two calls."""
    begun = JournalRecord(event="begun", call_id="a", time=1.0, tool="t")
    finished = JournalRecord(event="finished", call_id="a", time=2.0, tool="t", outcome="ok")
    async with open_store(target) as store:
        await store.journal.write(begun)
        await store.journal._writer.run(lambda: _break(store.journal._session))
        with pytest.raises(StoreError):
            await store.journal.write(finished)
        await store.journal.write(JournalRecord(event="decided", call_id="b", time=3.0, tool="t"))
        page = await store.journal.read()
        assert [(one.record.call_id, one.record.outcome) for one in page.entries] == [
            ("b", ""),
            ("a", "ok"),
            ("a", ""),
        ]
        assert await store.journal.unfinished() == ()


def _break(session: Session) -> None:
    with session.transaction() as connection:
        raw, number = None, None
        if connection.dialect.name == "sqlite":
            raw = connection.connection.driver_connection
        else:
            number = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar()
    if raw is not None:
        raw.close()
        return
    engine = create_engine(session.engine.url)
    with engine.connect() as other:
        other.execute(text("SELECT pg_terminate_backend(:number)"), {"number": number})
    engine.dispose()


@pytest.mark.rule("store-closed-store-refuses")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_store_that_came_along_in_a_fork_refuses(tmp_path: Path) -> None:
    code = """
import asyncio, os, sys
from toolroll.ports.journal import JournalRecord
from toolroll.store import StoreError, open_store

def in_the_child(store):
    try:
        asyncio.run(store.journal.write(
            JournalRecord(event="decided", call_id="a", time=1.0, tool="t")))
    except StoreError as error:
        print(error, flush=True)
    finally:
        os._exit(0)

async def main():
    async with open_store(sys.argv[1]) as store:
        if os.fork() == 0:
            in_the_child(store)
        os.wait()

asyncio.run(main())
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "store.db")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "the store was opened in another process; open one in this process.\n"


@pytest.mark.rule("store-disk-errors-are-clear")
async def test_a_damaged_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    async with open_store(path) as store:
        await store.journal.write(JournalRecord(event="decided", call_id="a", time=1.0, tool="t"))
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    with pytest.raises((StoreError, ConfigError), match="it is damaged"):
        async with open_store(path) as store:
            await store.journal.read()
