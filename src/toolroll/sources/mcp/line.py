"""Lines of a local server's output, read from chunks as they come."""

from dataclasses import dataclass

_KEPT = 2048


@dataclass(frozen=True, slots=True)
class Line:
    """One line without its end.

    Args:
        data: the line; of one that is too long only its head and tail.
        length: how many bytes it had.
        cut: it was too long, and its middle is gone.
    """

    data: bytes
    length: int
    cut: bool = False


class LineReader:
    r"""Turns chunks into lines. LF and CRLF end a line; a chunk may end anywhere.

    A line beyond the limit does not fill the memory: its head and tail are kept.

    Args:
        limit: most bytes of one line.

    Example:
        >>> reader = LineReader()
        >>> reader.feed(b"a\r\nb"), reader.feed(b"c\n")
        ([Line(data=b'a', length=1, cut=False)], [Line(data=b'bc', length=2, cut=False)])
    """

    __slots__ = ("_head", "_held", "_limit", "_size")

    def __init__(self, limit: int = 16 * 1024 * 1024) -> None:
        self._limit = limit
        self._held: list[bytes] = []
        self._head: bytes | None = None
        self._size = 0

    def feed(self, chunk: bytes) -> list[Line]:
        """The lines that a chunk completes."""
        *ended, rest = chunk.split(b"\n")
        lines: list[Line] = []
        for part in ended:
            if part or self._size:
                self._hold(part)
                lines.append(self._take())
        if rest:
            self._hold(rest)
        return lines

    def end(self) -> list[Line]:
        """What is left when the output ends: a line without an end, or nothing."""
        return [self._take()] if self._size else []

    def _hold(self, part: bytes) -> None:
        self._size += len(part)
        self._held.append(part)
        if self._size > self._limit:
            whole = b"".join(self._held)
            self._head = whole[:_KEPT] if self._head is None else self._head
            self._held = [whole[-_KEPT:]]

    def _take(self) -> Line:
        data, head, size = b"".join(self._held), self._head, self._size
        self._held, self._head, self._size = [], None, 0
        if head is not None:
            return Line(head + b" ... " + data, size, cut=True)
        return Line(data.removesuffix(b"\r"), size - data.endswith(b"\r"))
