"""The journal in a database: what a caller may rely on, whoever else writes or dies."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import anyio
import pytest
from sqlalchemy import create_engine, text

from toolroll.ports.journal import JournalEvent, JournalRecord
from toolroll.store import JournalFilter, JournalOrderError, StoreError, open_store
from toolroll.store.journal import StoredJournal
from toolroll.store.ledger import Ledger
from toolroll.store.process import is_dead, this_process
from toolroll.store.record import Row

pytestmark = pytest.mark.anyio

CHILD = """
import asyncio, sys, time
from toolroll.ports.journal import JournalRecord
from toolroll.store import open_store

def record(event, call_id, **fields):
    return JournalRecord(event=event, call_id=call_id, time=time.time(), tool="note_write", **fields)

async def main(target, name, count, holding):
    async with open_store(target, busy_timeout=600) as store:
        print("open", flush=True)
        async def caller(number):
            for at in range(count):
                call_id = f"{name}-{number}-{at}"
                await store.journal.write(record("begun", call_id))
                print("begun", call_id, flush=True)
                if number < holding:
                    await asyncio.sleep(3600)
                await store.journal.write(record("finished", call_id, outcome="ok"))
        await asyncio.gather(*(caller(number) for number in range(8)))

asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
"""


def child(target: str, name: str, count: int, *, holding: int = 0) -> "subprocess.Popen[str]":
    """A process of eight callers, each of which makes calls; the first ones never end theirs."""
    return subprocess.Popen(
        [sys.executable, "-c", CHILD, target, name, str(count), str(holding)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def said(process: "subprocess.Popen[str]", count: int) -> list[str]:
    """The next lines of a child."""
    assert process.stdout is not None
    lines = [process.stdout.readline().strip() for _ in range(count)]
    assert all(lines), process.communicate()
    return lines


def kill(process: "subprocess.Popen[str]") -> list[str]:
    """Kill a child; what it had said by then."""
    process.send_signal(signal.SIGKILL)
    out, _ = process.communicate()
    return out.splitlines()


def record(event: JournalEvent, call_id: str, outcome: str = "", tool: str = "t") -> JournalRecord:
    return JournalRecord(event=event, call_id=call_id, time=time.time(), tool=tool, outcome=outcome)


async def entries(journal: StoredJournal) -> list[JournalRecord]:
    found: list[JournalRecord] = []
    cursor, more = None, True
    while more:
        page = await journal.read(limit=1_000, cursor=cursor, oldest_first=True)
        found += [one.record for one in page.entries]
        cursor, more = page.cursor, page.cursor is not None
    return found


@pytest.mark.rule("store-begin-is-on-disk", "store-lost-ends-are-unknown")
async def test_a_killed_process_leaves_every_begin_and_they_end_as_unknown(target: str) -> None:
    process = child(target, "dead", 100_000, holding=1)
    begun = said(process, 200)[1:] + kill(process)
    async with open_store(target) as store:
        kept = await entries(store.journal)
        by_event = {
            event: Counter(one.call_id for one in kept if one.event == event)
            for event in ("begun", "finished")
        }
        told = {line.split()[1] for line in begun if len(line.split()) == 2}
        assert len(told) >= 199
        assert told <= by_event["begun"].keys() | {max(told, key=len)}  # the last may be cut
        assert by_event["begun"] == by_event["finished"]
        assert set(by_event["begun"].values()) == {1}
        lost = [one for one in kept if one.outcome == "unknown"]
        assert 1 <= len(lost) <= 8
        assert await store.journal.unfinished() == ()


@pytest.mark.slow
@pytest.mark.rule("store-begin-is-on-disk")
async def test_a_file_is_whole_after_a_kill(tmp_path: Path) -> None:
    path = str(tmp_path / "store.db")
    for name in ("a", "b"):
        process = child(path, name, 100_000)
        said(process, 60)
        kill(process)
    engine = create_engine(f"sqlite:///{path}")
    with engine.connect() as connection:
        assert connection.execute(text("PRAGMA integrity_check")).scalar() == "ok"
    engine.dispose()


@pytest.mark.rule("store-living-processes-are-left-alone", "store-lost-ends-are-unknown")
async def test_begins_of_a_living_process_stay_open_until_it_dies(target: str) -> None:
    process = child(target, "other", 1, holding=8)
    try:
        said(process, 9)
        async with open_store(target) as store:
            assert len(await store.journal.unfinished()) == 8
            assert await store.journal.recover() == 0
            await store.journal.write(record("begun", "mine"))
            await store.journal.write(record("finished", "mine", "ok"))
            kill(process)
            assert await store.journal.recover() == 8
            assert await store.journal.unfinished() == ()
            page = await store.journal.read(JournalFilter(outcome="unknown"))
            assert {one.record.tool for one in page.entries} == {"note_write"}
    finally:
        process.kill()
        process.communicate()


@pytest.mark.rule("store-lost-ends-are-unknown")
async def test_an_open_store_finds_the_dead_by_itself(
    target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = child(target, "other", 1, holding=8)
    try:
        said(process, 9)
        told = threading.Event()

        def warn(*_: object) -> None:
            told.set()

        monkeypatch.setattr("toolroll.store.presence._LOG.warning", warn)
        async with open_store(target, lease=0.4) as store:
            kill(process)
            assert await anyio.to_thread.run_sync(told.wait, 50)
            page = await store.journal.read(JournalFilter(outcome="unknown"))
            assert len(page.entries) == 8
    finally:
        process.kill()
        process.communicate()


@pytest.mark.rule("store-living-processes-are-left-alone")
async def test_processes_share_one_database(target: str) -> None:
    async with open_store(target, busy_timeout=600) as store:
        children = [child(target, name, 25) for name in ("a", "b")]
        for at in range(50):
            await store.journal.write(record("begun", str(at)))
            await store.journal.write(record("finished", str(at), "ok"))
        for process in children:
            _, error = await anyio.to_thread.run_sync(process.communicate)
            assert (process.returncode, error) == (0, "")
        kept = await entries(store.journal)
        assert len(kept) == 2 * (50 + 2 * 8 * 25)
        assert {one.outcome for one in kept if one.event == "finished"} == {"ok"}


@pytest.mark.rule("store-late-finish-replaces-unknown")
async def test_a_late_finish_takes_the_place_of_unknown(target: str) -> None:
    async with open_store(target) as store:
        await store.journal.write(record("begun", "slow"))
        # Another machine, which has not heard of us for a lease.
        await store.journal._writer.run(lambda: _bury(store.journal))
        (lost,) = (await store.journal.read(JournalFilter(event="finished"))).entries
        assert lost.record.outcome == "unknown"
        await store.journal.write(record("finished", "slow", "ok"))
        (found,) = (await store.journal.read(JournalFilter(event="finished"))).entries
        assert (found.number, found.run, found.record.outcome) == (lost.number, lost.run, "ok")
        with pytest.raises(JournalOrderError):
            await store.journal.write(record("finished", "slow", "ok"))


def _bury(journal: StoredJournal) -> int:
    with journal._session.transaction() as connection:
        return journal._presence.bury(connection, journal._presence.me or 0)


@pytest.mark.rule("store-closing-ends-open-runs")
async def test_closing_ends_what_is_open(target: str) -> None:
    async with open_store(target) as store:
        await store.journal.write(record("begun", "left"))
    async with open_store(target) as store:
        finish, _ = (await store.journal.read()).entries
        assert (finish.record.call_id, finish.record.outcome) == ("left", "unknown")
        assert await store.journal.recover() == 0


@pytest.mark.rule("store-group-commit")
async def test_what_waits_is_committed_together(
    target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    commit = Ledger.commit

    def counted(self: Ledger, rows: list[Row]) -> object:
        sizes.append(len(rows))
        return commit(self, rows)

    monkeypatch.setattr(Ledger, "commit", counted)
    async with open_store(target) as store:
        made = [record("begun", str(at)) for at in range(200)]
        made += [record("finished", str(at), "ok") for at in range(200)]
        busy = threading.Event()  # the disk works while they come
        held = asyncio.create_task(store.journal._writer.run(lambda: busy.wait(50)))
        await asyncio.sleep(0)
        writing = [asyncio.create_task(store.journal.write(one)) for one in made]
        await asyncio.sleep(0)
        busy.set()
        await asyncio.gather(held, *writing)
        assert sizes == [400]
        assert await store.journal.unfinished() == ()


@pytest.mark.rule("store-cancelled-caller-loses-nothing")
async def test_a_cancelled_caller_loses_and_doubles_nothing(target: str) -> None:
    async with open_store(target) as store:

        async def caller(number: int) -> None:
            await store.journal.write(record("begun", str(number)))
            await store.journal.write(record("finished", str(number), "ok"))

        tasks = [asyncio.create_task(caller(number)) for number in range(60)]
        await asyncio.sleep(0)  # every begin waits now
        for task in tasks[::2]:
            task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert sum(isinstance(one, asyncio.CancelledError) for one in results) == 30
        await store.journal.write(record("decided", "fence"))
        kept = await entries(store.journal)
        for event in ("begun", "finished"):
            assert Counter(one.call_id for one in kept if one.event == event) == Counter(
                str(number) for number in range(60)
            )
        outcomes = {one.call_id: one.outcome for one in kept if one.event == "finished"}
        assert {outcomes[str(number)] for number in range(0, 60, 2)} == {"aborted"}
        assert {outcomes[str(number)] for number in range(1, 60, 2)} == {"ok"}


@pytest.mark.rule("store-cancelled-caller-loses-nothing")
async def test_a_finish_is_kept_also_for_a_cancelled_caller(target: str) -> None:
    async with open_store(target) as store:
        await store.journal.write(record("begun", "a"))
        task = asyncio.create_task(store.journal.write(record("finished", "a", "ok")))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await store.journal.write(record("decided", "fence"))
        page = await store.journal.read(JournalFilter(event="finished"))
        assert [one.record.outcome for one in page.entries] == ["ok"]


@pytest.mark.rule("store-one-bad-record-costs-one")
async def test_a_record_that_cannot_be_kept_fails_alone(target: str) -> None:
    bad = record("begun", "bad")
    object.__setattr__(bad, "duration", "no number" if "://" in target else object())
    async with open_store(target) as store:
        made = [record("begun", str(at)) for at in range(10)]
        results = await asyncio.gather(
            *(store.journal.write(one) for one in [*made[:5], bad, *made[5:]]),
            return_exceptions=True,
        )
        assert [type(one) for one in results if one is not None] == [StoreError]
        assert len(await store.journal.unfinished()) == 10


@pytest.mark.rule("store-closed-store-refuses")
async def test_a_closed_store_refuses(target: str) -> None:
    store = open_store(target)
    async with store:
        journal = store.journal
    for _ in range(2):
        with pytest.raises(StoreError, match="closed"):
            await journal.write(record("begun", "a"))
    await store.aclose()
    async with store:  # it may be opened again
        await store.journal.write(record("begun", "a"))


@pytest.mark.rule("store-inputs-are-digests", "store-kept-inputs-hold-no-secrets")
async def test_inputs_are_kept_when_asked_for_as_objects_without_secrets(target: str) -> None:
    begun = JournalRecord(
        event="begun",
        call_id="a",
        time=1.0,
        tool="weather",
        input={"town": "Pune", "auth": {"api_key": "k1"}, "url": "https://a:b@c.example/x?t=1"},
    )
    async with open_store(target, keep_inputs=True) as store:
        await store.journal.write(begun)
        (kept,) = (await store.journal.read()).entries
        assert kept.record.input == {
            "town": "Pune",
            "auth": {"api_key": "[redacted]"},
            "url": "https://c.example/x?[redacted]",
        }
    async with open_store(target) as store:
        assert json.dumps([one.input for one in await entries(store.journal)]) == (
            json.dumps([kept.record.input, None])
        )


async def test_a_store_serves_several_event_loops(target: str) -> None:
    """`blocking` and other doors run a loop in a thread of their own."""
    async with open_store(target) as store:

        async def once(name: str) -> None:
            await store.journal.write(record("begun", name))
            await store.journal.write(record("finished", name, "ok"))

        await anyio.to_thread.run_sync(lambda: asyncio.run(once("elsewhere")))
        await once("here")
        assert len((await store.journal.read()).entries) == 4


@pytest.mark.rule("store-living-processes-are-left-alone")
def test_this_process_lives_and_others_are_told_by_number_and_start() -> None:
    me = this_process(1000.0)
    if not me.machine:
        pytest.fail("this test needs Linux")
    assert not is_dead(me, now=10_000.0, lease=1.0)  # the system knows better than the clock
    values = {"id": 1, "machine": me.machine, "beat": 1000.0}
    again = type(me)(process=os.getpid(), started="1", **values)  # type: ignore[arg-type]
    assert is_dead(again, now=1000.0, lease=1.0)
    elsewhere = type(me)(
        id=1, machine="other", process=os.getpid(), started=me.started, beat=1000.0
    )
    assert not is_dead(elsewhere, now=1000.5, lease=1.0)
    assert is_dead(elsewhere, now=1001.5, lease=1.0)
