"""Journal, approvals and catalogs of one process, gone with it: defaults and tests."""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from itertools import count

from toolroll.outcome import ApprovalRequest
from toolroll.ports.approvals import ApprovalAnswer
from toolroll.ports.catalog import StoredCatalog
from toolroll.ports.journal import JournalRecord
from toolroll.store.cleaning import kept_record
from toolroll.store.entry import MOST_ENTRIES, JournalEntry, JournalFilter, JournalPage
from toolroll.store.fault import ApprovalStateError, StoreError
from toolroll.store.pairing import OpenRuns
from toolroll.store.question import (
    DEFAULT_LIFETIME,
    MOST_PENDING,
    StoredApproval,
    answer,
    ask_again,
    ask_first,
    at,
    binding_of,
)
from toolroll.store.redaction import redact_input

_KEPT = 10_000


class MemoryJournal:
    """The last records of this process.

    Args:
        most: records that are kept; older ones are forgotten.
        keep_inputs: keep the inputs that come with records, without secrets; else only digests.

    Example:
        >>> import asyncio
        >>> journal = MemoryJournal()
        >>> begun = JournalRecord(event="begun", call_id="c1", time=1.0, tool="a")
        >>> asyncio.run(journal.write(begun))
        >>> [entry.record.tool for entry in asyncio.run(journal.unfinished())]
        ['a']
    """

    def __init__(self, *, most: int = _KEPT, keep_inputs: bool = False) -> None:
        self._entries: deque[JournalEntry] = deque(maxlen=max(1, most))
        self._redact = redact_input if keep_inputs else None
        self._runs = OpenRuns()
        self._open: dict[str, JournalEntry] = {}
        self._numbers = count(1)

    async def write(self, record: JournalRecord, /) -> None:
        """Keep a record.

        Raises:
            JournalOrderError: a finish without an open begin.
        """
        run, kept = "", kept_record(record, self._redact)
        if record.event == "begun":
            run = str(self._runs.begin(record))
        elif record.event == "finished":
            run = str(self._runs.finish(record))
        entry = JournalEntry(number=next(self._numbers), record=kept, run=run)
        self._entries.append(entry)
        if record.event == "begun":
            self._open[run] = entry
        elif run:
            self._open.pop(run, None)

    async def read(
        self,
        which: JournalFilter | None = None,
        *,
        limit: int = 100,
        cursor: int | None = None,
        oldest_first: bool = False,
    ) -> JournalPage:
        """Kept records, newest first; at most 1,000 at once."""
        which, limit = which or JournalFilter(), min(max(1, limit), MOST_ENTRIES)
        found: list[JournalEntry] = []
        for entry in self._entries if oldest_first else reversed(self._entries):
            if cursor is not None and (
                entry.number <= cursor if oldest_first else entry.number >= cursor
            ):
                continue
            if not which.fits(entry.record):
                continue
            if len(found) == limit:
                return JournalPage(entries=tuple(found), cursor=found[-1].number)
            found.append(entry)
        return JournalPage(entries=tuple(found), cursor=None)

    async def unfinished(self) -> tuple[JournalEntry, ...]:
        """Begins that have no finish yet, oldest first."""
        return tuple(self._open.values())

    async def prune(self, before: float) -> int:
        """Forget records from before a time, but no begin that is still open; how many."""
        kept = [
            entry
            for entry in self._entries
            if entry.record.time >= before
            or (entry.record.event == "begun" and entry.run in self._open)
        ]
        gone = len(self._entries) - len(kept)
        self._entries.clear()
        self._entries.extend(kept)
        return gone


class MemoryApprovals:
    """Questions that somebody in this process answers by `approve` or `deny`.

    Args:
        lifetime: seconds a question waits for its answer, and a yes for its call.
        most_pending: open questions; above it nobody can be asked.
        clock: seconds since the epoch.

    Example:
        >>> from toolroll import run_sync
        >>> burn = ApprovalRequest(id="a1", tool="note_burn", source="notes", input={"id": 3})
        >>> async def main():
        ...     approvals = MemoryApprovals()
        ...     answers = [await approvals.ask(burn)]
        ...     await approvals.approve("a1", by="ben")
        ...     return [*answers, await approvals.ask(burn), await approvals.ask(burn)]
        >>> run_sync(main)
        ['pending', 'approved', 'pending']
    """

    def __init__(
        self,
        *,
        lifetime: float = DEFAULT_LIFETIME,
        most_pending: int = MOST_PENDING,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._lifetime, self._most, self._clock = lifetime, most_pending, clock
        self._held: dict[str, StoredApproval] = {}
        self._bindings: dict[str, str] = {}

    async def ask(self, request: ApprovalRequest, /) -> ApprovalAnswer:
        """Ask, or use the answer that is there; a yes is used up by this call."""
        now, binding = self._clock(), binding_of(request)
        if self._bindings.get(request.id, binding) != binding:
            return "denied"  # an id that was given for another call
        held = self._held.get(binding)
        if held is not None:
            given, self._held[binding] = ask_again(held, request, now, self._lifetime)
            self._bindings[request.id] = binding
            return given
        if len(await self.list_pending()) >= self._most:
            return "nobody"
        self._tidy(now)
        self._held[binding] = ask_first(request, now, self._lifetime)
        self._bindings[request.id] = binding
        return "pending"

    async def list_pending(self) -> tuple[ApprovalRequest, ...]:
        """The open questions, oldest first."""
        now = self._clock()
        return tuple(
            held.request for held in self._held.values() if at(held, now).status == "pending"
        )

    async def get(self, id: str, /) -> StoredApproval | None:
        """A question and what became of it."""
        held = self._held.get(self._bindings.get(id, ""))
        return None if held is None else at(held, self._clock())

    async def approve(self, id: str, /, *, by: str = "") -> StoredApproval:
        """Say yes, once.

        Raises:
            ApprovalStateError: there is no open question of this id.
        """
        return self._answer(id, by, yes=True)

    async def deny(self, id: str, /, *, by: str = "") -> StoredApproval:
        """Say no.

        Raises:
            ApprovalStateError: there is no open question of this id.
        """
        return self._answer(id, by, yes=False)

    def _answer(self, id: str, by: str, *, yes: bool) -> StoredApproval:
        binding = self._bindings.get(id, "")
        held = self._held.get(binding)
        if held is None:
            raise ApprovalStateError(f"there is no approval {id!r}.")
        told = answer(held, yes=yes, by=by, now=self._clock(), lifetime=self._lifetime)
        self._held[binding] = told
        return told

    def _tidy(self, now: float) -> None:
        """Forget what is long over, and the ids that named it."""
        since = now - self._lifetime
        self._held = {
            binding: held
            for binding, held in self._held.items()
            if held.request.expires is None or held.request.expires >= since
        }
        self._bindings = {
            id: binding for id, binding in self._bindings.items() if binding in self._held
        }


class MemoryCatalogs:
    """Catalogs of this process.

    Example:
        >>> from toolroll import run_sync
        >>> from toolroll.ports.catalog import StoredCatalog
        >>> async def main():
        ...     catalogs = MemoryCatalogs()
        ...     await catalogs.put(StoredCatalog(source="loans", tools=()))
        ...     return await catalogs.sources()
        >>> run_sync(main)
        ('loans',)
    """

    def __init__(self) -> None:
        self._held: dict[str, StoredCatalog] = {}

    async def get(self, source: str, /) -> StoredCatalog | None:
        """What is kept of a source, or None."""
        return self._held.get(source)

    async def put(self, catalog: StoredCatalog, /) -> None:
        """Keep a catalog in place of the source's last one.

        Raises:
            StoreError: the source has no name.
        """
        if not catalog.source:
            raise StoreError("a catalog needs the name of its source.")
        self._held[catalog.source] = replace(catalog, saved=time.time())

    async def sources(self) -> tuple[str, ...]:
        """The names of all sources that have a catalog, sorted."""
        return tuple(sorted(self._held))

    async def remove(self, source: str, /) -> bool:
        """Forget a source; whether there was one."""
        return self._held.pop(source, None) is not None
