"""What the assemblers of all providers share: a text that grows, and events as text or JSON."""

import json
from typing import cast

from toolroll.content import JsonObject, JsonValue
from toolroll.providers.json_form import as_object
from toolroll.providers.speaking import mapping
from toolroll.repair import ArgumentStream, is_complete_json, read_calls
from toolroll.schema.plain import copied

DONE = "[DONE]"
"""The text that ends a stream of server-sent events at OpenAI and those who speak its wire."""


_NOTHING_SAID = ("", "{}", "null")
"""What servers that streamed the arguments may put into the place of the whole."""

_ALIKE = 64
"""So many characters tell most texts apart without joining them."""


def event_of(event: JsonObject | str) -> JsonObject | None:
    """An event as JSON; None for the end mark, blank text and what is no JSON object.

    Raises:
        TypeError: the event is neither a text nor a mapping, as the objects of SDKs are.

    Example:
        >>> event_of('{"type": "ping"}'), event_of("[DONE]")
        ({'type': 'ping'}, None)
    """
    if not isinstance(event, str):
        return mapping(event, "the event")
    try:
        return as_object(cast("JsonValue", json.loads(event))) or None
    except (ValueError, RecursionError):
        return None


class GrowingText:
    """The arguments of one call while they arrive.

    Pieces are joined. A piece that repeats all so far from its beginning may be the whole so far
    (some servers send what came so far each time, or everything once more at the end), or may only
    begin alike, as an inner object does: what is whole in the end decides.
    """

    __slots__ = ("_pieces", "_whole")

    def __init__(self, text: str = "") -> None:
        self._pieces = _Pieces(text)
        self._whole: _Pieces | None = None

    @property
    def text(self) -> str:
        """All that came."""
        text = self._pieces.text
        if self._whole is None or is_complete_json(text):
            return text
        whole = self._whole.text
        if is_complete_json(whole):
            return whole
        is_cut = read_calls(whole)[0].status == "truncated"
        return whole if is_cut and read_calls(text)[0].status != "truncated" else text

    def add(self, piece: str) -> None:
        """Take the next piece."""
        if not piece:
            return
        if (self._whole or self._pieces).begin(piece):
            self._whole = _Pieces(piece)
        elif self._whole is not None:
            self._whole.add(piece)
        self._pieces.add(piece)

    def replace(self, text: str) -> None:
        """Take a text that is the whole; a shorter one is believed if it says something whole."""
        says_more = text.strip() not in _NOTHING_SAID and is_complete_json(text)
        if len(text) >= len(self.text) or says_more:
            self._pieces, self._whole = _Pieces(text), None

    def partial(self) -> JsonValue:
        """What can be read of it so far."""
        shown = self._pieces.partial()
        if self._whole is not None and (shown == {} or self._whole.is_ended()):
            shown = self._whole.partial()
        return copied(shown)


class _Pieces:
    """A text in pieces, joined when it is asked for."""

    __slots__ = ("_head", "_length", "_pieces", "_read", "_so_far", "_stream")

    def __init__(self, text: str) -> None:
        self._pieces = [text] if text else []
        self._head = text[:_ALIKE]
        self._length = len(text)
        self._stream = ArgumentStream()
        self._so_far: JsonValue = {}
        self._read = 0

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    def partial(self) -> JsonValue:
        for piece in self._pieces[self._read :]:
            self._so_far = self._stream.feed(piece)
        self._read = len(self._pieces)
        return self._so_far

    def is_ended(self) -> bool:
        """It is whole JSON; asked only where its last piece may have ended it."""
        return self._pieces[-1].rstrip().endswith("}") and is_complete_json(self.text)

    def add(self, piece: str) -> None:
        self._head = self._head if len(self._head) == _ALIKE else (self._head + piece)[:_ALIKE]
        self._pieces.append(piece)
        self._length += len(piece)

    def begin(self, piece: str) -> bool:
        """The piece repeats all of it from the beginning: an object, or more than a bracket."""
        is_longer = 0 < self._length <= len(piece) and piece.startswith(self._head)
        return is_longer and self._head.lstrip().startswith("{") and piece.startswith(self.text)


def finished_input(text: str, *, ended: bool) -> JsonValue:
    """The arguments of an assembled call on a wire that carries them as an object.

    Args:
        text: what came of them.
        ended: the call is known to have come whole.

    Returns:
        The object; where the text is no whole object, or the call may have been cut before anything
        of it came, the text itself.

    Example:
        >>> finished_input('{"a": 1}', ended=True), finished_input('{"a": 1', ended=True)
        ({'a': 1}, '{"a": 1')
        >>> finished_input("", ended=True), finished_input("", ended=False)
        ({}, '')
    """
    if not text.strip():
        return {} if ended else ""
    read = read_calls(text)
    if len(read) == 1 and read[0].status == "complete" and isinstance(read[0].value, dict):
        return read[0].value
    return text
