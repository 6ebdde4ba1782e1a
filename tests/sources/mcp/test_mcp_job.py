"""The job object of Windows, against a kernel that keeps books. It was not run on Windows."""

# The names of the functions are the system's.
# ruff: noqa: N802

import ctypes
import sys
from dataclasses import dataclass, field
from typing import Any

import pytest

from toolroll.sources.mcp.job import EXTENDED_LIMITS, KILL_ON_CLOSE, ExtendedLimits, Job, job_of

pytestmark = pytest.mark.rule("mcp-client-stdio-job")

PROCESS, JOB = 77, 5


@dataclass
class Books:
    """A kernel32 that writes down what it is asked for.

    Args:
        fails: the function that does not succeed.
    """

    fails: str = ""
    asked: list[tuple[Any, ...]] = field(default_factory=list)

    def CreateJobObjectW(self, security: None, name: None) -> int | None:
        return None if self.fails == "create" else JOB

    def SetInformationJobObject(self, job: int, kind: int, limits: Any, size: int) -> int:
        flags = limits._obj.BasicLimitInformation.LimitFlags
        self.asked.append(("limit", job, kind, flags, size))
        return int(self.fails != "limit")

    def AssignProcessToJobObject(self, job: int, process: int) -> int:
        self.asked.append(("assign", job, process))
        return int(self.fails != "assign")

    def TerminateJobObject(self, job: int, code: int) -> int:
        self.asked.append(("end", job, code))
        return 1

    def CloseHandle(self, handle: int) -> int:
        self.asked.append(("close", handle))
        return 1


def test_a_process_is_put_into_a_job_that_ends_with_us() -> None:
    books = Books()
    job = Job(books, PROCESS)
    size = ctypes.sizeof(ExtendedLimits)
    assert books.asked == [
        ("limit", JOB, EXTENDED_LIMITS, KILL_ON_CLOSE, size),
        ("assign", JOB, PROCESS),
    ]
    books.asked.clear()
    job.end()
    job.close()
    job.close()
    job.end()
    assert books.asked == [("end", JOB, 1), ("close", JOB)]


@pytest.mark.parametrize("fails", ["create", "limit", "assign"])
def test_a_job_that_cannot_be_made_leaves_no_handle(fails: str) -> None:
    books = Books(fails)
    with pytest.raises(OSError, match="job object"):
        Job(books, PROCESS)
    assert (("close", JOB) in books.asked) == (fails != "create")


@pytest.mark.skipif(sys.maxsize < 2**32, reason="the size is that of 64 bits")
def test_the_structure_has_the_documented_layout() -> None:
    assert ctypes.sizeof(ExtendedLimits) == 144
    assert ExtendedLimits.IoInfo.offset == 64
    assert ExtendedLimits.ProcessMemoryLimit.offset == 112


@pytest.mark.skipif(sys.platform == "win32", reason="there is one on Windows")
def test_other_systems_have_none() -> None:
    assert job_of(PROCESS) is None
