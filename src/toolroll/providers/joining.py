"""Objects and lists that come in pieces, beside the texts and calls of a stream.

Source: OpenAI API reference, chat completions streaming (`audio`, custom tools); OpenRouter, guide
to reasoning tokens (`reasoning_details` come with an `index`, the signature last); Mistral, content
as a list of chunks.
"""

from collections.abc import Mapping
from typing import TypeAlias, cast

from toolroll.content import JsonObject, JsonValue
from toolroll.providers.json_form import text_at, whole_at

_JOINED = frozenset({"text", "summary", "data", "transcript", "input"})
"""Fields whose texts are pieces; of others the last that says something counts."""

_WORDS = frozenset({"text", "thinking"})
"""Entries without an index that go on with one of their kind right before them."""

_DEEPEST = 8
"""Objects deeper than this come whole."""


class GrowingObject:
    """One object while its pieces come.

    Example:
        >>> sound = GrowingObject()
        >>> sound.add({"id": "a", "transcript": "he"})
        >>> sound.add({"transcript": "llo"})
        >>> sound.value()
        {'id': 'a', 'transcript': 'hello'}
    """

    __slots__ = ("_depth", "_held", "_words")

    def __init__(self, depth: int = 0) -> None:
        self._depth = depth
        self._held: dict[str, _Held] = {}
        self._words: dict[str, list[str]] = {}

    def add(self, piece: JsonObject) -> None:
        """Take the next piece."""
        for key, value in piece.items():
            held, deeper = self._held.get(key), self._depth + 1
            if isinstance(value, str) and key in _JOINED:
                self._words.setdefault(key, []).append(value)
                self._held[key] = ""
            elif isinstance(value, Mapping) and deeper < _DEEPEST:
                inner = held if isinstance(held, GrowingObject) else GrowingObject(deeper)
                inner.add(cast("JsonObject", value))
                self._held[key] = inner
            elif isinstance(value, list) and deeper < _DEEPEST:
                listed = held if isinstance(held, GrowingList) else GrowingList(deeper)
                listed.add(value)
                self._held[key] = listed
            elif key not in self._held or value not in (None, ""):
                self._held[key] = value

    def replace(self, key: str, value: JsonValue) -> None:
        """Take what a field says as a whole."""
        self._words.pop(key, None)
        self._held[key] = value

    def said(self, key: str) -> JsonValue:
        """What a field says; None where it says nothing, or comes in pieces."""
        held = self._held.get(key)
        return None if isinstance(held, (GrowingObject, GrowingList)) else held

    def value(self) -> dict[str, JsonValue]:
        """The object as far as it came."""
        whole = {key: _whole(held) for key, held in self._held.items()}
        return whole | {key: "".join(pieces) for key, pieces in self._words.items()}


class GrowingList:
    """A list while its entries, or pieces of them, come.

    A piece belongs to the entry of its kind, index and id; without an index, words go on with words
    right before them.

    Example:
        >>> thinking = GrowingList()
        >>> thinking.add([{"type": "reasoning.text", "text": "so", "index": 0}])
        >>> thinking.add([{"type": "reasoning.text", "signature": "c2ln", "index": 0}])
        >>> thinking.value()
        [{'type': 'reasoning.text', 'text': 'so', 'index': 0, 'signature': 'c2ln'}]
    """

    __slots__ = ("_depth", "_entries", "_numbered")

    def __init__(self, depth: int = 0) -> None:
        self._depth = depth
        self._entries: list[_Held] = []
        self._numbered: dict[tuple[str, int], GrowingObject] = {}

    def add(self, entries: list[JsonValue]) -> None:
        """Take the next entries, or pieces of entries."""
        for entry in entries:
            if isinstance(entry, Mapping):
                piece = cast("JsonObject", entry)
                self._entry_of(piece).add(piece)
            else:
                self._entries.append(entry)

    def value(self) -> list[JsonValue]:
        """The entries as far as they came."""
        return [_whole(entry) for entry in self._entries]

    def _entry_of(self, piece: JsonObject) -> GrowingObject:
        kind, index, own_id = text_at(piece, "type"), whole_at(piece, "index"), piece.get("id")
        last = self._numbered.get((kind, index)) if index is not None else None
        if index is None and kind in _WORDS and self._entries:
            before = self._entries[-1]
            alike = isinstance(before, GrowingObject) and before.said("type") == kind
            last = cast("GrowingObject", before) if alike else None
        if last is not None and (not own_id or last.said("id") in (None, "", own_id)):
            return last
        begun = GrowingObject(self._depth)
        self._entries.append(begun)
        if index is not None:
            self._numbered[kind, index] = begun
        return begun


_Held: TypeAlias = JsonValue | GrowingObject | GrowingList


def _whole(held: _Held) -> JsonValue:
    return held.value() if isinstance(held, (GrowingObject, GrowingList)) else held
