"""How time grows with the length of a text."""

import gc
import time
from collections.abc import Callable


def slowdown(work: Callable[[str], object], short: str, long: str) -> float:
    """How many times longer the long text takes, by the best of several runs of each in turns."""
    short_times: list[float] = []
    long_times: list[float] = []
    collecting = gc.isenabled()
    gc.collect()
    gc.disable()  # what a collection costs depends on all that other tests have left
    try:
        for _ in range(5):
            for text, times in ((short, short_times), (long, long_times)):
                begun = time.process_time()
                work(text)
                times.append(time.process_time() - begun)
    finally:
        if collecting:
            gc.enable()
    return min(long_times) / max(min(short_times), 1e-4)
