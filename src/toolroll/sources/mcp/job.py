"""A Windows job object: it holds a process and all that it starts, and ends them together.

What a process starts in its very first moment, before it is put into the job, may be outside.

Source: Microsoft, Win32 API: "Job Objects", CreateJobObjectW, SetInformationJobObject,
AssignProcessToJobObject, TerminateJobObject, JOBOBJECT_EXTENDED_LIMIT_INFORMATION.
"""

import ctypes
import sys
from collections.abc import Callable
from typing import Protocol, cast

KILL_ON_CLOSE = 0x2000
"""JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE: what is in the job ends with its last handle, so with us."""

EXTENDED_LIMITS = 9
"""JobObjectExtendedLimitInformation."""

_EXIT_CODE = 1


class _BasicLimits(ctypes.Structure):
    """JOBOBJECT_BASIC_LIMIT_INFORMATION."""

    _fields_ = (
        ("PerProcessUserTimeLimit", ctypes.c_int64),
        ("PerJobUserTimeLimit", ctypes.c_int64),
        ("LimitFlags", ctypes.c_uint32),
        ("MinimumWorkingSetSize", ctypes.c_size_t),
        ("MaximumWorkingSetSize", ctypes.c_size_t),
        ("ActiveProcessLimit", ctypes.c_uint32),
        ("Affinity", ctypes.c_size_t),
        ("PriorityClass", ctypes.c_uint32),
        ("SchedulingClass", ctypes.c_uint32),
    )


class _IoCounters(ctypes.Structure):
    """IO_COUNTERS."""

    _fields_ = tuple(
        (name, ctypes.c_uint64)
        for name in (
            "ReadOperationCount",
            "WriteOperationCount",
            "OtherOperationCount",
            "ReadTransferCount",
            "WriteTransferCount",
            "OtherTransferCount",
        )
    )


class ExtendedLimits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

    _fields_ = (
        ("BasicLimitInformation", _BasicLimits),
        ("IoInfo", _IoCounters),
        ("ProcessMemoryLimit", ctypes.c_size_t),
        ("JobMemoryLimit", ctypes.c_size_t),
        ("PeakProcessMemoryUsed", ctypes.c_size_t),
        ("PeakJobMemoryUsed", ctypes.c_size_t),
    )


class Kernel(Protocol):
    """The functions of kernel32 that a job needs; each gives 0 or None where it fails."""

    CreateJobObjectW: Callable[[None, None], int | None]
    SetInformationJobObject: Callable[[int, int, object, int], int]
    AssignProcessToJobObject: Callable[[int, int], int]
    TerminateJobObject: Callable[[int, int], int]
    CloseHandle: Callable[[int], int]


class Job:
    """What holds one process and its offspring.

    Args:
        kernel: the system's functions.
        process: the handle of a running process.

    Raises:
        OSError: there can be no job, or the process cannot be put into it.
    """

    def __init__(self, kernel: Kernel, process: int) -> None:
        self._kernel = kernel
        self._handle = kernel.CreateJobObjectW(None, None)
        if not self._handle:
            raise OSError("no job object could be made")
        limits = ExtendedLimits()
        limits.BasicLimitInformation.LimitFlags = KILL_ON_CLOSE
        size = ctypes.sizeof(limits)
        if not (
            kernel.SetInformationJobObject(
                self._handle, EXTENDED_LIMITS, ctypes.byref(limits), size
            )
            and kernel.AssignProcessToJobObject(self._handle, process)
        ):
            self.close()
            raise OSError("the process could not be put into a job object")

    def end(self) -> None:
        """End everything in it, now."""
        if self._handle:
            self._kernel.TerminateJobObject(self._handle, _EXIT_CODE)

    def close(self) -> None:
        """Let go of it, which ends what is left."""
        handle, self._handle = self._handle, None
        if handle:
            self._kernel.CloseHandle(handle)


def job_of(process: int) -> Job | None:
    """The job of a process just started; None where the system has none or allows none."""
    if sys.platform != "win32":
        return None
    from ctypes import wintypes  # noqa: PLC0415 (for Windows alone)

    kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    handle, number, pointer = wintypes.HANDLE, wintypes.DWORD, wintypes.LPVOID
    kernel.CreateJobObjectW.restype = handle
    kernel.CreateJobObjectW.argtypes = [pointer, wintypes.LPCWSTR]
    kernel.SetInformationJobObject.argtypes = [handle, ctypes.c_int, pointer, number]
    kernel.AssignProcessToJobObject.argtypes = [handle, handle]
    kernel.TerminateJobObject.argtypes = [handle, wintypes.UINT]
    kernel.CloseHandle.argtypes = [handle]
    try:
        return Job(cast("Kernel", kernel), process)
    except OSError:
        return None  # the process alone is ended then
