"""Which process this is, and whether another one still lives."""

import os
import platform
import secrets
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """One process that writes begins.

    Args:
        id: a random number of its own.
        machine: boot and process namespace, so that process numbers can be compared; "" where the
            system does not tell.
        process: the number the system gave it.
        started: when the system started it, in the system's own count, "" where it does not tell;
            tells two processes of one number apart.
        beat: when it was last heard of, seconds since the epoch.
    """

    id: int
    machine: str
    process: int
    started: str
    beat: float


def this_process(now: float) -> Process:
    """This process, under a new id."""
    return Process(
        id=secrets.randbits(62),
        machine=_machine(),
        process=os.getpid(),
        started=_started(os.getpid()) or "",
        beat=now,
    )


def is_dead(other: Process, now: float, lease: float) -> bool:
    """Whether a process is gone.

    On the same machine the system knows. Elsewhere, and where the system does not tell, a process
    that was not heard of for a lease counts as gone.
    """
    if other.machine and other.machine == _machine():
        return _started(other.process) != other.started
    return other.beat < now - lease


def _machine() -> str:
    """Boot and process namespace: two containers on one machine do not see each other's numbers."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        return f"{platform.node()} {boot} {Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return ""


def _started(process: int) -> str | None:
    """The start of a process in clock ticks since the boot; None where there is none."""
    if sys.platform != "linux":
        return None
    try:
        line = Path(f"/proc/{process}/stat").read_text("ascii", errors="replace")
    except OSError:
        return None
    fields = line.rpartition(")")[2].split()  # the name before may hold spaces and brackets
    if fields[0] in ("Z", "X"):
        return None
    return fields[19]
