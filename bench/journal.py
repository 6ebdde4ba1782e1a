"""Calls a second through the journal: a begin on disk before the run, a finish on disk after it.

Each caller waits for its begin and then for its finish, with nothing between. The floor is the
standard library's sqlite3 alone, one commit for each record. `TOOLROLL_POSTGRES` names a database
for the same on PostgreSQL.
"""

import asyncio
import os
import sqlite3
import tempfile
import time
from pathlib import Path

from bench.figure import report
from toolroll.ports.journal import Journal, JournalRecord
from toolroll.store import MemoryJournal, open_store

ROUNDS = 5
CALLERS = (1, 16, 64)
SECONDS = 1.0


def _record(event: str, call_id: str) -> JournalRecord:
    return JournalRecord(
        event="begun" if event == "begun" else "finished",
        call_id=call_id,
        time=time.time(),
        tool="tracker__create_issue",
        source="tracker",
        principal="ana",
        fingerprint="1:" + "a" * 64,
        digest="b" * 64,
        outcome="" if event == "begun" else "ok",
        duration=None if event == "begun" else 0.012,
    )


async def _calls_a_second(journal: Journal, callers: int) -> float:
    done = 0
    end = time.perf_counter() + SECONDS

    async def caller(number: int) -> None:
        nonlocal done
        count = 0
        while time.perf_counter() < end:
            count += 1
            call_id = f"call_{number}_{count}"
            await journal.write(_record("begun", call_id))
            await journal.write(_record("finished", call_id))
            done += 1

    begun = time.perf_counter()
    await asyncio.gather(*(caller(number) for number in range(callers)))
    return done / (time.perf_counter() - begun)


def _floor(path: Path) -> float:
    """The same columns by sqlite3 alone, one caller, one commit a record."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("CREATE TABLE IF NOT EXISTS r (id INTEGER PRIMARY KEY, a, b, c, d, e, f, g)")
    done = 0
    begun = time.perf_counter()
    while time.perf_counter() - begun < SECONDS:
        for event in ("begun", "finished"):
            record = _record(event, f"call_{done}")
            values = (
                record.event,
                record.call_id,
                record.time,
                record.tool,
                record.source,
                record.principal,
                record.fingerprint + record.digest,
            )
            connection.execute("INSERT INTO r VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)", values)
        done += 1
    connection.close()
    return done / (time.perf_counter() - begun)


async def _measure(target: str, subject: str, durability: str) -> None:
    figures: dict[int, list[float]] = {callers: [] for callers in CALLERS}
    async with open_store(target, durability="full" if durability == "full" else "normal") as store:
        for _ in range(ROUNDS):
            for callers in CALLERS:
                figures[callers].append(await _calls_a_second(store.journal, callers))
    for callers, values in figures.items():
        report(subject, f"{callers} callers", "calls/s", values)


async def _memory() -> None:
    values = [await _calls_a_second(MemoryJournal(), 16) for _ in range(ROUNDS)]
    report("in memory", "16 callers", "calls/s", values)


def main() -> None:
    """Measure the floor, then each kind of journal."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("TOOLROLL_BENCH_FOLDER")) as folder:
        floor = [_floor(Path(folder) / f"floor{at}.db") for at in range(ROUNDS)]
        report("sqlite3 alone", "1 caller", "calls/s", floor)
        for durability in ("full", "normal"):
            path = str(Path(folder) / f"{durability}.db")
            asyncio.run(_measure(path, f"SQLite, {durability}", durability))
    asyncio.run(_memory())
    if address := os.environ.get("TOOLROLL_POSTGRES"):
        asyncio.run(_measure(address, "PostgreSQL, full", "full"))


if __name__ == "__main__":
    main()
