"""The standard streams of the process as the wire, kept apart from everything else in it.

While a server is served, descriptor 1 is the standard error and descriptor 0 is empty: a `print` in
a tool, a C library or a child process cannot break the wire, and none of them can read from it.
"""

import os
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from toolroll.outcome import ConfigError

_CLAIM = threading.Lock()
"""Held while the standard streams are in use: two servers on one pipe would tear its lines."""


@dataclass(frozen=True, slots=True)
class Descriptors:
    """Private descriptors of the wire: `read` was the standard input, `write` the output."""

    read: int
    write: int


@contextmanager
def standard_streams() -> Generator[Descriptors]:
    """Take the standard input and output for the wire; give them back at the end.

    Raises:
        ConfigError: another server of this process has them, or they are closed.
    """
    if not _CLAIM.acquire(blocking=False):
        raise ConfigError("another stdio server of this process uses the standard streams.")
    try:
        try:
            descriptors = Descriptors(read=_private_copy(0), write=_private_copy(1))
        except OSError as error:
            raise ConfigError("a stdio server needs a standard input and output.") from error
        _divert()
        try:
            yield descriptors
        finally:
            _flush_stdout()  # what tools printed belongs to the standard error
            os.dup2(descriptors.write, 1)
            os.dup2(descriptors.read, 0)
            os.close(descriptors.write)
            os.close(descriptors.read)
    finally:
        _CLAIM.release()


def _private_copy(descriptor: int) -> int:
    """A copy above the standard ones that no child process inherits."""
    copy = os.dup(descriptor)
    if copy > 2:
        return copy
    try:
        return _private_copy(descriptor)
    finally:
        os.close(copy)


def _divert() -> None:
    null = os.open(os.devnull, os.O_RDWR)
    try:
        os.dup2(null, 0)
        try:
            os.dup2(2, 1)
        except OSError:  # there is no standard error
            os.dup2(null, 1)
    finally:
        os.close(null)
    _flush_stdout()  # printed before the serving began, still in the buffer


def _flush_stdout() -> None:
    with suppress(AttributeError, OSError, ValueError):  # no stdout at all, or a closed one
        sys.stdout.flush()
