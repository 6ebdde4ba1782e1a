"""Compressed bodies, unpacked in pieces of bounded size."""

import zlib
from collections.abc import AsyncGenerator, AsyncIterator, Iterator

from anyio.lowlevel import checkpoint

from toolroll.ports.http import HttpBrokenError

ACCEPTED = "gzip, deflate"
"""What a request says it accepts. The standard library unpacks both within a bound; a reader that
unpacks a whole chunk at once can be made to hold a thousand times what came over the wire."""

PIECE = 64 * 1024
"""Most bytes of one unpacked piece."""

_GZIP_OR_ZLIB, _BARE = 47, -15


async def unpacked(chunks: AsyncIterator[bytes], encoding: str) -> AsyncGenerator[bytes]:
    """Unpack a body as it comes, in pieces of at most 64 KiB, each with room for a deadline.

    Args:
        chunks: the body as it came over the wire.
        encoding: the `Content-Encoding` of the answer, "" for none.

    Raises:
        HttpBrokenError: the body is damaged or cut, or packed in a way that was not asked for.

    Source: RFC 9110, section 8.4. "deflate" without its zlib head is read too: some senders leave
    it out.
    """
    name = encoding.strip().lower()
    if name in ("", "identity"):
        async for chunk in chunks:
            yield chunk
        return
    reader = _Reader(bare_allowed=name == "deflate")
    async for chunk in chunks:
        if name not in ("gzip", "x-gzip", "deflate"):
            raise HttpBrokenError(f"the answer is packed as {encoding!r}, which was not asked for")
        for piece in reader.feed(chunk):
            yield piece
            if len(piece) == PIECE:  # one chunk may hold a thousand: others run in between
                await checkpoint()
    reader.end()


class _Reader:
    """What is known of one packed body between two chunks."""

    def __init__(self, *, bare_allowed: bool) -> None:
        self._inner = zlib.decompressobj(_GZIP_OR_ZLIB)
        self._bare_allowed = bare_allowed
        self._begun = False

    def feed(self, packed: bytes) -> Iterator[bytes]:
        while packed or self._begun:
            if self._inner.eof:
                if not packed:
                    return
                self._inner = zlib.decompressobj(_GZIP_OR_ZLIB)
            piece = self._unpack(packed)
            self._begun = True
            if piece:
                yield piece
            packed = self._inner.unused_data if self._inner.eof else self._inner.unconsumed_tail
            if not packed and len(piece) < PIECE:
                return

    def _unpack(self, packed: bytes) -> bytes:
        try:
            return self._inner.decompress(packed, PIECE)
        except zlib.error as error:
            if self._begun or not self._bare_allowed:
                raise HttpBrokenError("the packed body is damaged") from error
        self._inner, self._bare_allowed = zlib.decompressobj(_BARE), False
        return self._unpack(packed)

    def end(self) -> None:
        if self._begun and not self._inner.eof:
            raise HttpBrokenError("the packed body was cut")
