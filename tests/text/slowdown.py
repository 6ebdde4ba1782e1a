"""How time grows with the length of a text."""

import time
from collections.abc import Callable


def slowdown(work: Callable[[str], object], short: str, long: str) -> float:
    """How many times longer the long text takes, by the best of several runs of each in turns."""
    short_times: list[float] = []
    long_times: list[float] = []
    for _ in range(5):
        for text, times in ((short, short_times), (long, long_times)):
            begun = time.process_time()
            work(text)
            times.append(time.process_time() - begun)
    return min(long_times) / max(min(short_times), 1e-4)
