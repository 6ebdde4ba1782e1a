"""Server-sent events, read from chunks as they come.

Lines end in CR, LF or CRLF, also where a chunk ends between the two; a byte order mark is passed
over; several `data` lines are one event, joined by line feeds; comments and unknown fields are
nothing; an event without data is none.

Source: HTML Living Standard, "Server-sent events", sections 9.2.5 and 9.2.6.
"""

import re
from dataclasses import dataclass

_LINE_END = re.compile(rb"\r\n|\r|\n")
_BOM = b"\xef\xbb\xbf"
_LONGEST_RETRY = 12


@dataclass(frozen=True, slots=True)
class Event:
    """One event.

    Args:
        data: what it carries, without the last line feed.
        kind: its `event` field, `message` where there is none.
        id: the last id seen in the stream, None where there was none.
        retry: milliseconds to wait before coming back, where the stream said so by now.
    """

    data: bytes
    kind: str = "message"
    id: str | None = None
    retry: int | None = None


class EventTooLong(Exception):
    """An event grew beyond the limit."""


class EventReader:
    r"""Turns chunks into events.

    Args:
        limit: most bytes of one event.

    `id` is the id of the last event that ended, `retry` the wait the stream asked for, in
    milliseconds.

    Example:
        >>> reader = EventReader()
        >>> reader.feed(b": ping\r\ndata: {\r"), reader.feed(b"\ndata: }\r\n\r\n")
        ([], [Event(data=b'{\n}', kind='message', id=None, retry=None)])
    """

    __slots__ = (
        "_begun",
        "_data",
        "_held",
        "_id",
        "_kind",
        "_limit",
        "_size",
        "_skip_lf",
        "id",
        "retry",
    )

    def __init__(self, limit: int = 16 * 1024 * 1024) -> None:
        self._limit = limit
        self._held: list[bytes] = []  # the pieces of a line that has no end yet
        self._size = 0  # bytes of the event so far, its unfinished line included
        self._data: list[bytes] = []
        self._kind = ""
        self._begun = False
        self._skip_lf = False
        self._id: str | None = None  # of the event that is being read; counts when it ends
        self.id: str | None = None
        self.retry: int | None = None

    def feed(self, chunk: bytes) -> list[Event]:
        """The events that a chunk completes.

        Raises:
            EventTooLong: the event, or a line of it, is longer than the limit.
        """
        if self._skip_lf and chunk:
            chunk = chunk.removeprefix(b"\n")
        if not chunk:
            return []
        self._skip_lf = chunk.endswith(b"\r")
        *lines, rest = _LINE_END.split(chunk)
        events: list[Event] = []
        for line in lines:
            event = self._take(b"".join([*self._held, line]), len(line))
            self._held = []
            if event is not None:
                events.append(event)
        if rest:
            self._held.append(rest)
            self._grow(len(rest))
        return events

    def _grow(self, by: int) -> None:
        self._size += by
        if self._size > self._limit:
            raise EventTooLong

    def _take(self, line: bytes, new: int) -> Event | None:
        if not self._begun:
            self._begun = True
            line = line.removeprefix(_BOM)
        if not line:
            return self._finish()
        self._grow(new)
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            self._data.append(value)
        elif name == b"event":
            self._kind = value.decode("utf-8", "replace")
        elif name == b"id" and b"\0" not in value:
            self._id = value.decode("utf-8", "replace")
        elif name == b"retry" and value.isdigit() and len(value) < _LONGEST_RETRY:
            self.retry = int(value)
        return None

    def _finish(self) -> Event | None:
        data, kind = self._data, self._kind or "message"
        self._data, self._kind, self._size = [], "", 0
        self.id, self._id = self.id if self._id is None else self._id, None
        return Event(b"\n".join(data), kind, self.id, self.retry) if data else None
