"""What is read back from a journal."""

from dataclasses import dataclass
from typing import Protocol

from toolroll.ports.journal import JournalEvent, JournalRecord

MOST_ENTRIES = 1_000
"""The longest page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalEntry:
    """One kept record.

    Args:
        number: grows with every record that is kept.
        record: as it was written, cleaned.
        run: the same text in a begin and its finish, "" in the other events.

    Example:
        >>> from toolroll import run_sync
        >>> from toolroll.store import MemoryJournal
        >>> async def main():
        ...     journal = MemoryJournal()
        ...     begun = JournalRecord(event="begun", call_id="c1", time=0.0, tool="note_read")
        ...     await journal.write(begun)
        ...     return (await journal.read()).entries
        >>> (entry,) = run_sync(main)
        >>> entry.number, entry.record.tool
        (1, 'note_read')
    """

    number: int
    record: JournalRecord
    run: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalFilter:
    """Which records to read; what is None is not looked at.

    Args:
        since, until: seconds since the epoch; `since` is within, `until` is not.
        tool, source, principal, tenant, event, outcome, call_id: equal to this.

    Example:
        >>> begun = JournalRecord(event="begun", call_id="c1", time=20.0, tool="note_read")
        >>> JournalFilter(tool="note_read", since=10).fits(begun)
        True
        >>> JournalFilter(until=20).fits(begun)
        False
    """

    since: float | None = None
    until: float | None = None
    tool: str | None = None
    source: str | None = None
    principal: str | None = None
    tenant: str | None = None
    event: JournalEvent | None = None
    outcome: str | None = None
    call_id: str | None = None

    @property
    def equal(self) -> dict[str, str]:
        """The fields that must be equal, and to what."""
        asked = {
            "tool": self.tool,
            "source": self.source,
            "principal": self.principal,
            "tenant": self.tenant,
            "event": self.event,
            "outcome": self.outcome,
            "call_id": self.call_id,
        }
        return {name: value for name, value in asked.items() if value is not None}

    def fits(self, record: JournalRecord) -> bool:
        """Whether a record is asked for."""
        if self.since is not None and record.time < self.since:
            return False
        if self.until is not None and record.time >= self.until:
            return False
        return all(getattr(record, name) == value for name, value in self.equal.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalPage:
    """A part of what was asked for.

    Args:
        entries: in the order asked for.
        cursor: goes into the next `read`; None where nothing is left.

    Example:
        >>> from toolroll import run_sync
        >>> from toolroll.store import MemoryJournal
        >>> async def main():
        ...     journal = MemoryJournal()
        ...     for id in ("c1", "c2"):
        ...         begun = JournalRecord(event="begun", call_id=id, time=0.0, tool="note_read")
        ...         await journal.write(begun)
        ...     newest = await journal.read(limit=1)
        ...     return newest, await journal.read(limit=1, cursor=newest.cursor)
        >>> newest, older = run_sync(main)
        >>> newest.entries[0].record.call_id, older.entries[0].record.call_id
        ('c2', 'c1')
    """

    entries: tuple[JournalEntry, ...]
    cursor: int | None


class ReadableJournal(Protocol):
    """A journal that can be read and looked after.

    Example:
        >>> from toolroll import run_sync
        >>> from toolroll.store import MemoryJournal
        >>> journal: ReadableJournal = MemoryJournal()
        >>> run_sync(journal.read).entries, run_sync(journal.unfinished)
        ((), ())
    """

    async def write(self, record: JournalRecord, /) -> None:
        """Keep a record."""
        ...

    async def read(
        self,
        which: JournalFilter | None = None,
        *,
        limit: int = 100,
        cursor: int | None = None,
        oldest_first: bool = False,
    ) -> JournalPage:
        """Kept records, newest first."""
        ...

    async def unfinished(self) -> tuple[JournalEntry, ...]:
        """Begins that have no finish yet, oldest first."""
        ...

    async def prune(self, before: float) -> int:
        """Forget records from before a time, but no begin that is still open; how many."""
        ...
