"""What is alive in this process: threads, tasks, sockets, pipes and child processes.

Threads and tasks are counted on every system, sockets and pipes where there is `/dev/fd`, child
processes where there is `/proc`.
"""

import os
import stat
import sys
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import FrameType

import anyio

from toolroll.testing.polling import until

Living = tuple[str, str]
"""One thing that is alive: its kind and what tells it from others."""

_DESCRIPTORS = "/dev/fd"
_PROCESSES = "/proc"
_WAITING = frozenset(
    {
        ("anyio._backends._asyncio", "run"),
        ("trio._core._thread_cache", "_work"),
        ("concurrent.futures.thread", "_worker"),
    }
)
"""Where a worker thread of an event loop waits for work: such a thread is the loop's own."""


@dataclass(frozen=True, slots=True)
class Census:
    """What is alive at one moment, each with words for a person."""

    living: Mapping[Living, str]

    def since(self, before: "Census") -> list[str]:
        """What is alive now and was not then."""
        return sorted(
            f"{kind} {words}"
            for (kind, key), words in self.living.items()
            if (kind, key) not in before.living
        )

    def still(self, keys: Mapping[Living, str]) -> list[str]:
        """What of some earlier things is alive."""
        return sorted(f"{key[0]} {words}" for key, words in keys.items() if key in self.living)


def take_census() -> Census:
    """Count what is alive. Works in an event loop, whose tasks it counts."""
    living: dict[Living, str] = {}
    living.update(_threads())
    living.update((("task", str(task.id)), repr(task.name)) for task in anyio.get_running_tasks())
    living.update(_channels())
    living.update(_children(os.getpid()))
    return Census(living)


async def left_over(before: Census, used: Census, *, within: float) -> list[str]:
    """What came since `before` and does not go, in words; waits until all is gone.

    Args:
        before: taken before the source was opened.
        used: taken while it was used; its processes must go, whoever is their parent by then.
        within: seconds to wait.
    """
    processes = {
        key: words
        for key, words in used.living.items()
        if key[0] == "process" and key not in before.living
    }
    if await until(lambda: not _left(before, processes), within):
        return []
    return _left(before, processes)


def _left(before: Census, processes: Mapping[Living, str]) -> list[str]:
    now = take_census()
    alive = {key: words for key, words in processes.items() if _is_alive(key)}
    return sorted({*now.since(before), *(f"process {words}" for words in alive.values())})


def _threads() -> Iterator[tuple[Living, str]]:
    frames = sys._current_frames()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  # documented
    for thread in threading.enumerate():
        if thread.ident is not None and not _waits_for_work(frames.get(thread.ident)):
            yield ("thread", str(thread.ident)), repr(thread.name)


def _waits_for_work(frame: FrameType | None) -> bool:
    """Whether a thread is an idle worker: it waits itself, or for its queue."""
    inner = frame
    while inner is not None and _place(inner)[0] == "threading":
        inner = inner.f_back
    if inner is not None and _place(inner)[0] == "queue":
        frame = inner.f_back
    return frame is not None and _place(frame) in _WAITING


def _place(frame: FrameType) -> tuple[str, str]:
    return str(frame.f_globals.get("__name__")), frame.f_code.co_name


def _channels() -> Iterator[tuple[Living, str]]:
    """Open sockets and pipes, told apart by their inode."""
    for number in _numbers(_DESCRIPTORS):
        try:
            found = os.fstat(number)
        except OSError:
            continue  # of the folder that was read, or closed by another thread
        if stat.S_ISSOCK(found.st_mode):
            yield ("socket", f"{found.st_dev}:{found.st_ino}"), f"at descriptor {number}"
        elif stat.S_ISFIFO(found.st_mode):
            yield ("pipe", f"{found.st_dev}:{found.st_ino}"), f"at descriptor {number}"


def _numbers(folder: str) -> list[int]:
    """The names in a folder that are numbers; none where there is no such folder."""
    try:
        return [int(name) for name in os.listdir(folder) if name.isdecimal()]  # noqa: PTH208
    except OSError:
        return []


def _children(ancestor: int) -> Iterator[tuple[Living, str]]:
    """Processes below one, with those that ended and were not waited for."""
    parents: dict[int, list[tuple[int, str, str]]] = {}
    for number in _numbers(_PROCESSES):
        if (found := _process(number)) is not None:
            parent, began, words = found
            parents.setdefault(parent, []).append((number, began, words))
    waiting = [ancestor]
    while waiting:
        for number, began, words in parents.get(waiting.pop(), []):
            waiting.append(number)
            yield ("process", f"{number}:{began}"), words


def _process(number: int) -> tuple[int, str, str] | None:
    """Parent, start and words of a process; None where it is gone."""
    try:
        with open(f"{_PROCESSES}/{number}/stat", "rb") as file:  # noqa: PTH123  # there are many
            text = file.read().decode(errors="replace")
    except OSError:
        return None
    head, _, tail = text.rpartition(")")
    fields = tail.split()
    name = head.partition("(")[2]
    state = " (ended, not waited for)" if fields[0] == "Z" else ""
    return int(fields[1]), fields[19], f"{number} {name!r}{state}"


def _is_alive(key: Living) -> bool:
    number, _, began = key[1].partition(":")
    found = _process(int(number))
    return found is not None and found[1] == began and "not waited for" not in found[2]
