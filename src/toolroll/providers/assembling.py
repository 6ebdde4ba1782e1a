"""What the assemblers of all providers share: a text that grows, and events as text or JSON."""

import json
from typing import cast

from toolroll.content import JsonObject, JsonValue
from toolroll.providers.json_form import as_object
from toolroll.providers.speaking import mapping
from toolroll.repair import ArgumentStream, is_complete_json, read_calls

DONE = "[DONE]"
"""The text that ends a stream of server-sent events at OpenAI and those who speak its wire."""


_NOTHING_SAID = ("", "{}", "null")
"""What servers that streamed the arguments may put into the place of the whole."""


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

    Pieces are joined. A piece that repeats the whole from its beginning (some servers send what
    came so far, or everything once more at the end) takes its place instead of being added.
    """

    __slots__ = ("_length", "_pieces", "_read", "_so_far", "_stream")

    def __init__(self, text: str = "") -> None:
        self._pieces = [text] if text else []
        self._length = len(text)
        self._stream: ArgumentStream | None = None
        self._so_far: JsonValue = {}
        self._read = 0

    @property
    def text(self) -> str:
        """All that came."""
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
            self._read = min(self._read, 1)
        return self._pieces[0] if self._pieces else ""

    def add(self, piece: str) -> None:
        """Take the next piece."""
        if not piece:
            return
        if self._pieces and piece.lstrip().startswith("{") and self._repeats(piece):
            self.replace(piece)
        else:
            self._pieces.append(piece)
            self._length += len(piece)

    def replace(self, text: str) -> None:
        """Take a text that is the whole; a shorter one is believed if it says something whole."""
        says_more = text.strip() not in _NOTHING_SAID and is_complete_json(text)
        if len(text) >= len(self.text) or says_more:
            self._pieces = [text]
            self._length = len(text)
            self._stream, self._read = None, 0

    def _repeats(self, piece: str) -> bool:
        first = self._pieces[0]
        if len(piece) < self._length or len(first) < 2 or not piece.startswith(first[:64]):
            return False
        so_far = self.text
        return piece.startswith(so_far) and is_complete_json(piece)

    def partial(self) -> JsonValue:
        """What can be read of it so far."""
        if self._stream is None:
            self._stream, self._read = ArgumentStream(), 0
        for piece in self._pieces[self._read :]:
            self._so_far = self._stream.feed(piece)
        self._read = len(self._pieces)
        return copied(self._so_far)


def copied(value: JsonValue) -> JsonValue:
    """The stream goes on building its value; what was handed out must not change."""
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    return [copied(item) for item in value] if isinstance(value, list) else value


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
