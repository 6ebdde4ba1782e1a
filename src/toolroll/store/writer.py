"""One thread that writes: it commits together whatever waits, and answers each caller after.

A caller's row is on disk when its `write` returns. Many callers share one commit (group commit), so
that sixty-four of them are served almost as fast as one.
"""

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeAlias, TypeVar, cast

from toolroll.store.fault import StoreError

RowT = TypeVar("RowT")
RowT_contra = TypeVar("RowT_contra", contravariant=True)
T = TypeVar("T")

_MOST_AT_ONCE = 1_000
_CLOSING_WITHIN = 30.0

Loop: TypeAlias = asyncio.AbstractEventLoop


class Committer(Protocol[RowT_contra]):
    """What the thread does with what waits. All of it is called in that thread."""

    def commit(self, rows: Sequence[RowT_contra], /) -> Sequence[Exception | None]:
        """Keep rows in one transaction: for each, None or why it is not kept."""
        ...

    def tend(self) -> None:
        """Called from time to time."""
        ...

    def close(self) -> None:
        """Called last."""
        ...


@dataclass(slots=True, eq=False)
class _Waiting(Generic[RowT]):
    """A row or a job, and who waits for it (nobody: `loop` is None)."""

    row: RowT | None = None
    job: Callable[[], object] | None = None
    loop: Loop | None = None
    future: "asyncio.Future[object] | None" = None
    result: object = None
    error: Exception | None = None


class Writer(Generic[RowT]):
    """Runs a committer in a thread of its own.

    Args:
        committer: does the work.
        every: seconds after which `tend` is called again.
    """

    def __init__(self, committer: Committer[RowT], *, every: float) -> None:
        self._committer = committer
        self._every = every
        self._queue: queue.SimpleQueue[_Waiting[RowT] | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._serve, name="toolroll-store", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    async def write(self, row: RowT) -> None:
        """Keep a row; returns when it is on disk.

        A caller that is cancelled while it waits has its row kept all the same.

        Raises:
            StoreError: it is not kept.
        """
        await self._wait(_Waiting(row=row))

    def write_later(self, row: RowT) -> None:
        """Keep a row without waiting; does nothing after the end."""
        with self._lock:
            if not self._closed:
                self._queue.put(_Waiting(row=row))

    async def run(self, job: Callable[[], T]) -> T:
        """Run a job in the thread, after what waits already.

        Raises:
            StoreError: the store is closed.
        """
        return cast("T", await self._wait(_Waiting(job=job)))

    async def stop(self) -> None:
        """Finish what waits and end the thread.

        Raises:
            StoreError: it does not end within 30 seconds.
        """
        with self._lock:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        await asyncio.to_thread(self._thread.join, _CLOSING_WITHIN)
        if self._thread.is_alive():
            raise StoreError("the store did not close within 30 seconds; its disk may hang.")

    async def _wait(self, waiting: _Waiting[RowT]) -> object:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[object] = loop.create_future()
        waiting.loop, waiting.future = loop, future
        with self._lock:
            if self._closed:
                raise StoreError("the store is closed.")
            if not self._thread.is_alive():
                # A fork takes the connection along, but not the thread: nobody would answer.
                raise StoreError(
                    "the store was opened in another process; open one in this process."
                )
            self._queue.put(waiting)
        return await future

    def _serve(self) -> None:
        open_, tended = True, time.monotonic()
        try:
            while open_:
                items, open_ = self._take()
                self._work(items)
                if open_ and time.monotonic() - tended >= self._every:
                    self._committer.tend()
                    tended = time.monotonic()
        finally:
            self._committer.close()
            self._refuse_the_rest()

    def _refuse_the_rest(self) -> None:
        """Nobody waits for a thread that has ended."""
        with self._lock:
            self._closed = True
        items, _ = self._take_now()
        for item in items:
            item.error = StoreError("the store is closed.")
        _answer(items)

    def _take(self) -> tuple[list[_Waiting[RowT]], bool]:
        """What waits, at most a thousand, and whether more may come."""
        try:
            item = self._queue.get(timeout=self._every)
        except queue.Empty:
            return [], True
        return self._take_now(item) if item is not None else ([], False)

    def _take_now(self, *first: _Waiting[RowT]) -> tuple[list[_Waiting[RowT]], bool]:
        items = list(first)
        while len(items) < _MOST_AT_ONCE:
            try:
                item = self._queue.get_nowait()
            except queue.Empty:
                break
            if item is None:
                return items, False
            items.append(item)
        return items, True

    def _work(self, items: Sequence[_Waiting[RowT]]) -> None:
        """Rows that stand together go together; a job keeps its place between them."""
        rows: list[_Waiting[RowT]] = []
        for item in items:
            if item.job is None:
                rows.append(item)
                continue
            self._commit(rows)
            rows = []
            try:
                item.result = item.job()
            except Exception as error:  # goes to the caller that waits
                item.error = error
            _answer([item])
        self._commit(rows)

    def _commit(self, items: Sequence[_Waiting[RowT]]) -> None:
        if not items:
            return
        errors = self._committer.commit([cast("RowT", item.row) for item in items])
        for item, error in zip(items, errors, strict=True):
            item.error = error
        _answer(items)


def _answer(items: Sequence[_Waiting[RowT]]) -> None:
    """Wake the callers, those of one event loop together."""
    by_loop: dict[Loop, list[_Waiting[RowT]]] = {}
    for item in items:
        if item.loop is not None:
            by_loop.setdefault(item.loop, []).append(item)
    for loop, waiting in by_loop.items():
        try:
            loop.call_soon_threadsafe(_wake, waiting)
        except RuntimeError:
            continue  # the loop has ended, and with it whoever waited


def _wake(items: Sequence[_Waiting[RowT]]) -> None:
    for item in items:
        future = item.future
        if future is None or future.done():
            continue
        if item.error is None:
            future.set_result(item.result)
        else:
            future.set_exception(item.error)
