"""Which finish belongs to which begin."""

from collections import deque
from threading import Lock
from typing import TypeAlias

from toolroll.ports.journal import JournalRecord
from toolroll.store.fault import JournalOrderError

_Key: TypeAlias = tuple[str, ...]


class OpenRuns:
    """The begins that have no finish yet, in this process.

    Ids of calls repeat (some providers number them anew in each conversation), so a finish belongs
    to the oldest open begin of the same call, parent, tool, source, principal, tenant and input.
    """

    __slots__ = ("_count", "_lock", "_open")

    def __init__(self) -> None:
        self._open: dict[_Key, deque[int]] = {}
        self._count = 0
        self._lock = Lock()

    def begin(self, record: JournalRecord) -> int:
        """Note a begin; the number of its run, from 1."""
        with self._lock:
            self._count += 1
            self._open.setdefault(_key(record), deque()).append(self._count)
            return self._count

    def finish(self, record: JournalRecord) -> int:
        """The run that this finish ends.

        Raises:
            JournalOrderError: none of it is open.
        """
        key = _key(record)
        with self._lock:
            runs = self._open.get(key)
            if not runs:
                raise JournalOrderError(
                    f"a finish of {record.tool} (call {record.call_id!r}) without an open begin: "
                    "every begin has exactly one finish."
                )
            run = runs.popleft()
            if not runs:
                del self._open[key]
            return run

    def forget(self, record: JournalRecord, run: int) -> None:
        """Take back a begin that was not kept."""
        key = _key(record)
        with self._lock:
            runs = self._open.get(key)
            if runs and run in runs:
                runs.remove(run)
                if not runs:
                    del self._open[key]

    def __len__(self) -> int:
        with self._lock:
            return sum(map(len, self._open.values()))


def _key(record: JournalRecord) -> _Key:
    return (
        record.call_id,
        record.parent,
        record.tool,
        record.source,
        record.principal,
        record.tenant,
        record.digest,
    )
