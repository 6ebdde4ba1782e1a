"""The scripted local server, and what becomes of its processes."""

import time
from pathlib import Path

import pytest

from toolroll.sources.mcp import McpOptions

SERVER = Path(__file__).with_name("scripted_stdio.py")
FAST = McpOptions(grace=0.3, probe=60)
"""For servers that end with their input, and say at once whether they are modern."""

HASTY = McpOptions(grace=0.3, probe=0.5)
"""For servers that never say it."""


BOTH = pytest.mark.parametrize("waiting", ["selector", "threads"], indirect=True)


def alive(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


def gone(pids: list[int]) -> bool:
    """Whether all processes end; a kill takes its moment."""
    until = time.monotonic() + 60
    while any(map(alive, pids)) and time.monotonic() < until:
        time.sleep(0.005)
    return not any(map(alive, pids))
