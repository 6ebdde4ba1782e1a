"""Putting chunks of a streamed chat completion together.

Source: OpenAI API reference, chat completions streaming (`chat.completion.chunk`).
"""

from collections.abc import Mapping

from toolroll.content import JsonObject, JsonValue
from toolroll.providers.assembling import DONE, GrowingText, event_of
from toolroll.providers.joining import GrowingList, GrowingObject
from toolroll.providers.json_form import object_at, objects_at, text_at, whole_at
from toolroll.repair import is_complete_json

INTERRUPTED = "interrupted"
"""The `finish_reason` of an assembled reply whose stream ended without one."""

_TOP = ("id", "model", "created", "usage", "service_tier", "system_fingerprint", "error")
"""Fields of a chunk that are fields of the response."""

_CALLS = ("role", "tool_calls", "function_call")
"""Fields of a message that are not only kept."""

_WORDS = ("content", "refusal", "reasoning_content", "reasoning")
"""Texts of a message that come in pieces. `content` may come as a list of parts."""


class ChatAssembler:
    """Puts one streamed reply together. Takes decoded chunks, or their text as it stands after
    `data:`.

    Example:
        >>> assembler = ChatAssembler()
        >>> call = {"index": 0, "id": "a", "function": {"name": "add", "arguments": '{"x":'}}
        >>> assembler.feed({"choices": [{"delta": {"tool_calls": [call]}}]})
        >>> rest = {"index": 0, "id": "", "function": {"arguments": "1}"}}
        >>> assembler.feed({"choices": [{"delta": {"tool_calls": [rest]}}]})
        >>> assembler.reply()["choices"][0]["message"]["tool_calls"][0]["function"]
        {'name': 'add', 'arguments': '{"x":1}'}
    """

    def __init__(self) -> None:
        self._top: dict[str, JsonValue] = {}
        self._texts: dict[str, list[str]] = {}
        self._parts: GrowingList | None = None
        self._rest = GrowingObject()
        self._calls: list[_Call] = []
        self._finish: str | None = None
        self._ending: JsonObject | None = None
        self._done = False

    def feed(self, event: JsonObject | str) -> None:
        """Take the next chunk. What is no chunk is passed over; `[DONE]` ends the stream."""
        if isinstance(event, str) and event.strip() == DONE:
            self._done = True
            return
        chunk = event_of(event)
        if chunk is None or chunk == self._ending:  # the end, once more: it says nothing new
            return
        for key in _TOP:
            if (value := chunk.get(key)) is not None:
                self._top[key] = value
        for choice in objects_at(chunk, "choices"):
            if (whole_at(choice, "index") or 0) == 0:
                self._choice(choice)
                if reason := text_at(choice, "finish_reason"):
                    # a server that says it in every chunk may say the same twice
                    self._ending = chunk if self._finish is None else None
                    self._finish = reason

    def reply(self) -> dict[str, JsonValue]:
        """The response as it would have come in one piece.

        A stream that ended without a `finish_reason` and without `[DONE]` has `interrupted` there.
        """
        message: dict[str, JsonValue] = {"role": "assistant", "content": None}
        message |= {key: "".join(pieces) for key, pieces in self._texts.items()}
        if self._parts is not None:
            message["content"] = self._parts.value()
        message |= self._rest.value()
        calls: list[JsonValue] = [call.written() for call in self._in_order() if call.is_said]
        if calls:
            message["tool_calls"] = calls
        finish = self._finish or (None if self._done else INTERRUPTED)
        choice: JsonValue = {"index": 0, "message": message, "finish_reason": finish}
        return {"object": "chat.completion", **self._top, "choices": [choice]}

    def partial(self) -> list[tuple[str, JsonValue]]:
        """The calls that have begun: name, and arguments as far as they can be read."""
        return [(call.name, call.arguments.partial()) for call in self._in_order()]

    def _choice(self, choice: JsonObject) -> None:
        delta = object_at(choice, "delta")
        if isinstance(choice.get("message"), Mapping):
            self._whole(object_at(choice, "message"))
        for key, value in delta.items():
            if key in _WORDS and isinstance(value, (str, list)):
                self._say(key, value)
            elif key not in (*_CALLS, *_WORDS) and value is not None:
                self._rest.add({key: value})
        for fragment in objects_at(delta, "tool_calls"):
            self._fragment(fragment)
        if older := object_at(delta, "function_call"):
            self._fragment({"index": 0, "function": older})

    def _say(self, key: str, piece: str | list[JsonValue]) -> None:
        """A piece of a text; of the content as a list of parts where the server sends such."""
        if key == "content" and (isinstance(piece, list) or self._parts is not None):
            if self._parts is None:
                self._parts = GrowingList()
                piece = [*_text_parts("".join(self._texts.pop(key, []))), *_text_parts(piece)]
            self._parts.add(_text_parts(piece))
        elif isinstance(piece, str):
            self._texts.setdefault(key, []).append(piece)

    def _fragment(self, fragment: JsonObject) -> None:
        name = text_at(object_at(fragment, "function"), "name")
        self._fill(self._call_of(fragment, name), fragment)

    def _fill(self, call: "_Call", said: JsonObject, *, whole: bool = False) -> None:
        """Take what is said of a call: a piece of it, or the whole."""
        function = object_at(said, "function")
        call.id = text_at(said, "id") or call.id
        call.name = text_at(function, "name") or call.name
        arguments = function.get("arguments")
        if isinstance(arguments, str):
            (call.arguments.replace if whole else call.arguments.add)(arguments)
        elif arguments is not None:
            call.value = arguments
        known = ("index", "id", "function")
        if whole:
            call.rest = GrowingObject()
        call.rest.add({key: value for key, value in said.items() if key not in known and value})

    def _call_of(self, fragment: JsonObject, name: str) -> "_Call":
        """The call a fragment belongs to: by its index; by its id where servers number all
        alike.
        """
        index, own_id = whole_at(fragment, "index"), text_at(fragment, "id")
        same_id = [call for call in self._calls if own_id and call.id == own_id]
        if index is None:
            if same_id or (self._calls and not own_id and not name):
                return (same_id or self._calls)[-1]
            return self._begun(len(self._calls))
        mine = [call for call in self._calls if call.index == index]
        if same_id and same_id[-1] in mine:
            return same_id[-1]
        if not mine:
            return self._begun(index)
        last = mine[-1]
        if own_id and last.id and name and is_complete_json(last.arguments.text):
            return self._begun(index)
        return last

    def _begun(self, index: int) -> "_Call":
        call = _Call(index)
        self._calls.append(call)
        return call

    def _whole(self, message: JsonObject) -> None:
        """A whole message, at the end of a stream or instead of one: what it says counts once."""
        for key, value in message.items():
            if key == "content" and isinstance(value, list):
                self._parts = GrowingList()
                self._parts.add(value)
            elif key in _WORDS:
                if isinstance(value, str) and (value or key not in self._texts):
                    self._texts[key] = [value]
                    self._parts = None if key == "content" and value else self._parts
            elif key not in _CALLS and value is not None:
                self._rest.replace(key, value)
        for place, entry in enumerate(objects_at(message, "tool_calls")):
            calls = self._in_order()
            own_id = text_at(entry, "id")
            same = [call for call in calls if own_id and call.id == own_id] or calls[
                place : place + 1
            ]
            self._fill(same[0] if same else self._begun(len(calls)), entry, whole=True)
        if older := object_at(message, "function_call"):
            calls = self._in_order()
            self._fill(calls[0] if calls else self._begun(0), {"function": older}, whole=True)

    def _in_order(self) -> list["_Call"]:
        return sorted(self._calls, key=lambda call: call.index)


class _Call:
    __slots__ = ("arguments", "id", "index", "name", "rest", "value")

    def __init__(self, index: int) -> None:
        self.index = index
        self.id = ""
        self.name = ""
        self.arguments = GrowingText()
        self.value: JsonValue = None
        self.rest = GrowingObject()

    @property
    def is_said(self) -> bool:
        """Something of the call came, and not only its number."""
        return bool(self.id or self.name or self.arguments.text or self.value is not None)

    def written(self) -> dict[str, JsonValue]:
        arguments = self.arguments.text if self.value is None else self.value
        head: dict[str, JsonValue] = {"id": self.id, "type": "function", **self.rest.value()}
        if head["type"] != "function":
            return head  # a custom tool: the host's
        return {**head, "function": {"name": self.name, "arguments": arguments}}


def _text_parts(said: str | list[JsonValue]) -> list[JsonValue]:
    if isinstance(said, list):
        return said
    return [{"type": "text", "text": said}] if said else []
