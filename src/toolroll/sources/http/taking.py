"""The body of an answer, counted while it is read."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

READ_MOST = 64 * 1024 * 1024
"""Most bytes that are read of an answer of which only head and tail are kept."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What was kept of a body.

    Args:
        head: its beginning, all of it where it is whole.
        tail: the end of what was read, where it is not.
        size: bytes that were read.
        whole: `head` is all there is.
        ended: it was read to its end.
    """

    head: bytes
    tail: bytes = b""
    size: int = 0
    whole: bool = True
    ended: bool = True


async def take(chunks: AsyncIterator[bytes], most: int) -> Taken:
    """The body up to a little over `most` bytes; what is longer is left unread."""
    content = bytearray()
    async for chunk in chunks:
        content += chunk
        if len(content) > most:
            return Taken(bytes(content), size=len(content), whole=False, ended=False)
    return Taken(bytes(content), size=len(content))


async def take_ends(chunks: AsyncIterator[bytes], most: int) -> Taken:
    """The body; of one longer than twice `most` bytes, as many at its beginning and its end."""
    head, tail, size = bytearray(), bytearray(), 0
    async for chunk in chunks:
        size += len(chunk)
        room = most - len(head)
        head += chunk[:room]
        tail += chunk[room:]
        if len(tail) > 2 * most:
            del tail[:-most]
        if size > READ_MOST:
            return Taken(bytes(head), bytes(tail[-most:]), size, whole=False, ended=False)
    if len(head) + len(tail) == size:
        return Taken(bytes(head + tail), size=size)
    kept = min(most, len(tail))
    # Characters of all encodings are 1, 2 or 4 bytes from their beginning.
    kept -= -(size - kept) % 4
    return Taken(bytes(head), bytes(tail[-kept:]), size, whole=False)
