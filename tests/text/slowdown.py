"""How time grows with what is read."""

import gc
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")

clock = time.perf_counter if sys.platform == "win32" else time.thread_time
"""Windows counts the time of a thread in steps of 16 ms: a short text would take none."""


@contextmanager
def without_collections() -> Generator[None]:
    """Leave garbage alone meanwhile: what a collection costs depends on what other tests have left."""
    collecting = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def slowdown(work: Callable[[T], object], short: T, long: T, *, rounds: int = 5) -> float:
    """How many times longer the long one takes, by the best of several runs of each in turns.

    Time is that of this thread alone, where the system counts it finely. For eight times the length
    it came to 12 at most, in 154 measurements on a machine with four times the work it can do; what
    is quadratic comes to 64. A bound between the two needs that much room on both sides.
    """
    short_times: list[float] = []
    long_times: list[float] = []
    with without_collections():
        for _ in range(rounds):
            for given, times in ((short, short_times), (long, long_times)):
                begun = clock()
                work(given)
                times.append(clock() - begun)
    return min(long_times) / max(min(short_times), 1e-4)
