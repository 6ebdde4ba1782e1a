"""Putting the events of a streamed response together.

Source: OpenAI API reference, responses streaming events.
"""

from dataclasses import dataclass

from toolroll.content import JsonObject, JsonValue
from toolroll.providers.assembling import DONE, GrowingText, event_of
from toolroll.providers.json_form import list_at, object_at, objects_at, text_at, whole_at
from toolroll.providers.openai_responses.sequence import Sequence

INTERRUPTED = "interrupted"
"""The `status` of an assembled response whose stream ended without its last event."""

_LAST = frozenset({"response.completed", "response.incomplete", "response.failed"})
_BEGUN = "in_progress"


@dataclass(frozen=True, slots=True)
class _Words:
    """A text that comes in pieces: the part of an item it stands in."""

    holder: str
    index: str
    part: str
    field: str = "text"
    item: str = "message"


_WORDS = {
    "output_text": _Words("content", "content_index", "output_text"),
    "refusal": _Words("content", "content_index", "refusal", "refusal"),
    "reasoning_text": _Words("content", "content_index", "reasoning_text", item="reasoning"),
    "reasoning_summary_text": _Words("summary", "summary_index", "summary_text", item="reasoning"),
}
"""Event, without `.delta` and `.done` -> where its text belongs."""

_FIELDS = {
    "custom_tool_call_input": ("custom_tool_call", "input"),
    "mcp_call_arguments": ("mcp_call", "arguments"),
    "code_interpreter_call_code": ("code_interpreter_call", "code"),
}
"""The same, for texts that are a field of their item: its type, and the field."""


class ResponsesAssembler:
    """Puts one streamed reply together. Takes decoded events, or their text as it stands after
    `data:`.

    What an event says of a whole item or response counts once: it takes the place of the pieces.
    An event that comes again is passed over. Where one is missing, the items that were open end
    there, unless they are said as a whole later.

    Example:
        >>> assembler = ResponsesAssembler()
        >>> item = {"type": "function_call", "call_id": "c", "name": "add", "arguments": ""}
        >>> assembler.feed({"type": "response.output_item.added", "output_index": 0, "item": item})
        >>> said = {"type": "response.function_call_arguments.delta", "output_index": 0}
        >>> assembler.feed({**said, "delta": '{"x": "1'})
        >>> assembler.partial()
        [('add', {'x': '1'})]
    """

    def __init__(self) -> None:
        self._response: dict[str, JsonValue] = {}
        self._items: dict[int, dict[str, JsonValue]] = {}
        self._arguments: dict[int, GrowingText] = {}
        self._texts: dict[int, dict[tuple[str, int], list[str]]] = {}
        self._fields: dict[int, tuple[str, list[str]]] = {}
        self._cited: dict[tuple[int, int], list[JsonValue]] = {}
        self._whole: set[int] = set()
        self._torn: set[int] = set()
        self._has_gap = False
        self._sequence = Sequence()
        self._ended = False

    def feed(self, event: JsonObject | str) -> None:
        """Take the next event. Unknown ones are passed over; `[DONE]` ends the stream."""
        if isinstance(event, str) and event.strip() == DONE:
            self._ended = True
            return
        said = event_of(event) or {}
        kind = text_at(said, "type")
        standing = self._sequence.take(said)
        if standing == "again":
            return
        if standing == "behind_gap":
            self._torn |= self._items.keys() - self._whole
            self._has_gap = True
        if kind in _LAST:
            self._end(object_at(said, "response"))
        elif said.get("object") == "response":
            self._end(said)
        elif kind in ("response.created", "response.in_progress"):
            self._response |= object_at(said, "response")
        elif kind == "error":
            told: JsonObject = {key: said.get(key) for key in ("code", "message")}
            self._response["error"] = said.get("error") or told
        elif kind.startswith("response."):
            self._piece(kind.removeprefix("response."), said)

    def reply(self) -> dict[str, JsonValue]:
        """The response as it would have come in one piece.

        A stream that ended early has the `status` `interrupted`.
        """
        output: list[JsonValue] = [self._item(index) for index in sorted(self._items)]
        status = self._response.get("status")
        if not self._ended or status in (None, _BEGUN, "queued"):
            status = "completed" if self._ended else INTERRUPTED
        if self._torn or self._has_gap:
            status = INTERRUPTED
        return {"object": "response", **self._response, "status": status, "output": output}

    def partial(self) -> list[tuple[str, JsonValue]]:
        """The calls that have begun: name, and arguments as far as they can be read."""
        return [
            (text_at(self._items.get(index, {}), "name"), text.partial())
            for index, text in sorted(self._arguments.items())
        ]

    def _piece(self, kind: str, said: JsonObject) -> None:
        index = self._index(said)
        if kind == "output_item.added":
            self._begin(index, object_at(said, "item"))
        elif kind == "output_item.done":
            self._take(index, object_at(said, "item"))
        elif kind == "function_call_arguments.delta":
            if index not in self._torn:
                self._text_of(index).add(text_at(said, "delta"))
        elif kind == "function_call_arguments.done":
            self._text_of(index).replace(text_at(said, "arguments"))
            self._heal(index, text_at(said, "arguments"))
            self._name(index, text_at(said, "name"))
        else:
            word, _, step = kind.partition(".")
            if word in _WORDS and step in ("delta", "done"):
                self._words(index, word, said)
            elif word in _FIELDS and step in ("delta", "done"):
                self._field(index, word, said)
            elif kind == "output_text.annotation.added":
                place = index, whole_at(said, "content_index") or 0
                self._cited.setdefault(place, []).append(said.get("annotation"))

    def _index(self, said: JsonObject) -> int:
        """The item an event belongs to: by its index, else by its id, else the last one."""
        index = whole_at(said, "output_index")
        if index is not None:
            return index
        own = text_at(said, "item_id") or text_at(object_at(said, "item"), "id")
        same = [place for place, item in self._items.items() if own and item.get("id") == own]
        if same:
            return same[-1]
        is_new = text_at(said, "type").endswith("output_item.added")
        return max(self._items, default=-1) + 1 if is_new else max(self._items, default=0)

    def _words(self, index: int, word: str, said: JsonObject) -> None:
        """A piece of a text, or the whole of it."""
        words = _WORDS[word]
        self._items.setdefault(index, {"type": words.item})
        parts = self._texts.setdefault(index, {})
        place = (word, whole_at(said, words.index) or 0)
        if text_at(said, "type").endswith(".done"):
            parts[place] = [text_at(said, words.field)]
        else:
            parts.setdefault(place, []).append(text_at(said, "delta"))

    def _field(self, index: int, word: str, said: JsonObject) -> None:
        """A piece of a field of an item, or the whole of it."""
        kind, field = _FIELDS[word]
        self._items.setdefault(index, {"type": kind})
        _, pieces = self._fields.setdefault(index, (field, []))
        if text_at(said, "type").endswith(".done"):
            pieces[:] = [text_at(said, field)]
            self._heal(index, text_at(said, field))
        elif index not in self._torn:
            pieces.append(text_at(said, "delta"))

    def _heal(self, index: int, whole: str) -> None:
        """What was torn was said as a whole."""
        if whole:
            self._torn.discard(index)

    def _begin(self, index: int, item: JsonObject) -> None:
        self._items[index] = {**self._items.get(index, {}), **item}
        if item.get("type") == "function_call":
            self._text_of(index).add(text_at(item, "arguments"))

    def _take(self, index: int, item: JsonObject) -> None:
        """A whole item; what it leaves blank stays as it was known."""
        known = self._items.get(index, {})
        said = {key: value for key, value in item.items() if value not in (None, "")}
        self._items[index] = {**known, **said}
        self._whole.add(index)
        self._torn.discard(index)
        if item.get("type") == "function_call":
            self._text_of(index).replace(text_at(item, "arguments"))

    def _end(self, response: JsonObject) -> None:
        self._ended = True
        self._response |= {key: value for key, value in response.items() if key != "output"}
        output = objects_at(response, "output")
        self._has_gap = self._has_gap and not output
        for index, item in enumerate(output):
            if len(output) >= len(self._items):
                self._take(index, item)

    def _name(self, index: int, name: str) -> None:
        item = self._items.setdefault(index, {"type": "function_call"})
        if name and not item.get("name"):
            item["name"] = name

    def _text_of(self, index: int) -> GrowingText:
        self._items.setdefault(index, {"type": "function_call"})
        return self._arguments.setdefault(index, GrowingText())

    def _item(self, index: int) -> dict[str, JsonValue]:
        item = self._items[index]
        if item.get("type") in ("message", "function_call"):
            ended = self._ended and index not in self._torn
            status = "completed" if index in self._whole or ended else "incomplete"
            if item.get("status") in (None, _BEGUN):
                item = {**item, "status": status}
        if item.get("type") == "message":
            item = {"role": "assistant", **item}
        if index in self._arguments:
            return {**item, "arguments": self._arguments[index].text}
        field, pieces = self._fields.get(index, ("", []))
        if field and not item.get(field):
            item = {**item, field: "".join(pieces)}
        return self._worded(index, item)

    def _worded(self, index: int, item: dict[str, JsonValue]) -> dict[str, JsonValue]:
        """The item with the texts that came in pieces, where it does not say them as a whole."""
        held: dict[str, list[JsonValue]] = {}
        texts = self._texts.get(index, {})
        for (word, place), pieces in sorted(texts.items(), key=lambda each: each[0][1]):
            words = _WORDS[word]
            part: dict[str, JsonValue] = {"type": words.part, words.field: "".join(pieces)}
            if word == "output_text":
                part["annotations"] = [*self._cited.get((index, place), [])]
            held.setdefault(words.holder, []).append(part)
        return item | {key: parts for key, parts in held.items() if not list_at(item, key)}
