"""Bytes as they come from a pipe, cut into lines."""

_BOM = b"\xef\xbb\xbf"


class TooLong:
    """Stands in for a line that was longer than allowed; its bytes are gone."""


TOO_LONG = TooLong()


class LineCutter:
    r"""Cuts a stream of bytes into lines, however the bytes arrive.

    LF and CRLF end a line; blank lines and a byte order mark at the start are passed over. A line
    over the limit is thrown away while it comes, so that nothing without an end fills the memory.

    Args:
        limit: most bytes of one line.

    Example:
        >>> cutter = LineCutter(limit=8)
        >>> cutter.feed(b'{"a":'), cutter.feed(b'1}\r\n\n{}\n[')
        ([], [b'{"a":1}', b'{}'])
    """

    __slots__ = ("_at_start", "_held", "_limit", "_skipping")

    def __init__(self, limit: int) -> None:
        self._limit, self._held = limit, bytearray()
        self._at_start, self._skipping = True, False

    def feed(self, chunk: bytes) -> list[bytes | TooLong]:
        """Take the next bytes; returns the lines that are whole now, in order."""
        *ended, rest = chunk.split(b"\n")
        lines: list[bytes | TooLong] = []
        for piece in ended:
            self._hold(piece)
            self._end(lines)
        self._hold(rest)
        return lines

    def close(self) -> list[bytes | TooLong]:
        """The stream has ended: what was held counts as a line."""
        lines: list[bytes | TooLong] = []
        self._end(lines)
        return lines

    def _hold(self, piece: bytes) -> None:
        if self._skipping:
            return
        self._held += piece
        if len(self._held) > self._limit + 1:  # one more for the CR of a CRLF
            self._skipping = True
            self._held.clear()

    def _end(self, lines: list[bytes | TooLong]) -> None:
        if self._skipping:
            self._skipping = False
            lines.append(TOO_LONG)
            return
        line = bytes(self._held)
        self._held.clear()
        if self._at_start:
            self._at_start = False
            line = line.removeprefix(_BOM)
        line = line.strip()
        if len(line) > self._limit:
            lines.append(TOO_LONG)
        elif line:
            lines.append(line)
