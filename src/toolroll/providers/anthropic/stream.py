"""Putting the events of a streamed message together.

Source: Anthropic API reference, streaming messages (`message_start`, `content_block_delta`, ...).
"""

from toolroll.content import JsonObject, JsonValue
from toolroll.providers.assembling import GrowingText, event_of, finished_input
from toolroll.providers.json_form import list_at, object_at, objects_at, text_at, whole_at
from toolroll.schema.plain import copied

INTERRUPTED = "interrupted"
"""The `stop_reason` of an assembled reply whose stream ended without one."""

_TEXTS = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}
"""Delta -> the field of its block that it goes on with."""


class AnthropicAssembler:
    """Puts one streamed reply together. Takes decoded events, or their text as it stands after
    `data:`.

    Example:
        >>> assembler = AnthropicAssembler()
        >>> block = {"type": "tool_use", "id": "t", "name": "add", "input": {}}
        >>> assembler.feed({"type": "content_block_start", "index": 0, "content_block": block})
        >>> delta = {"type": "input_json_delta", "partial_json": '{"x": "1'}
        >>> assembler.feed({"type": "content_block_delta", "index": 0, "delta": delta})
        >>> assembler.partial()
        [('add', {'x': '1'})]
    """

    def __init__(self) -> None:
        self._message: dict[str, JsonValue] = {}
        self._blocks: dict[int, dict[str, JsonValue]] = {}
        self._inputs: dict[int, GrowingText] = {}
        self._texts: dict[tuple[int, str], list[str]] = {}
        self._cited: dict[int, list[JsonValue]] = {}
        self._stopped: set[int] = set()
        self._reason: JsonValue = None
        self._done = False

    def feed(self, event: JsonObject | str) -> None:
        """Take the next event. Unknown ones are passed over."""
        said = event_of(event) or {}
        index = whole_at(said, "index") or 0
        match said.get("type"):
            case "message":
                self._whole(said)
            case "message_start":
                self._message = dict(object_at(said, "message"))
            case "content_block_start":
                self._begin(index, object_at(said, "content_block"))
            case "content_block_delta":
                self._go_on(index, object_at(said, "delta"))
            case "content_block_stop":
                self._stopped.add(index)
            case "message_delta":
                delta = object_at(said, "delta")
                self._reason = delta.get("stop_reason") or self._reason
                self._message |= {
                    key: value for key, value in delta.items() if key != "stop_reason"
                }
                usage = {**object_at(self._message, "usage"), **object_at(said, "usage")}
                if usage:
                    self._message["usage"] = usage
            case "message_stop":
                self._done = True
            case "error":
                self._message["error"] = said.get("error")
            case _:
                pass

    def reply(self) -> dict[str, JsonValue]:
        """The message as it would have come in one piece.

        The `input` of a call is its object; where its text is no whole object, it is that text. A
        stream that ended early has the `stop_reason` `interrupted`.
        """
        content = [self._block(index) for index in sorted(self._blocks)]
        reason = self._reason or (None if self._done else INTERRUPTED)
        message = {"role": "assistant", **self._message}
        return {"type": "message", **message, "content": content, "stop_reason": reason}

    def partial(self) -> list[tuple[str, JsonValue]]:
        """The calls that have begun: name, and arguments as far as they can be read."""
        return [
            (text_at(block, "name"), self._input(index, block))
            for index, block in sorted(self._blocks.items())
            if index in self._inputs and block.get("type", "tool_use") == "tool_use"
        ]

    def _input(self, index: int, block: JsonObject) -> JsonValue:
        whole = object_at(block, "input")
        return copied(whole) if whole else self._inputs[index].partial()

    def _whole(self, message: JsonObject) -> None:
        """A message that came in one piece."""
        self._message |= {key: each for key, each in message.items() if key != "content"}
        self._reason, self._done = message.get("stop_reason"), True
        for index, block in enumerate(objects_at(message, "content")):
            self._begin(index, block)

    def _begin(self, index: int, block: JsonObject) -> None:
        known = self._blocks.get(index, {})
        said = {key: each for key, each in block.items() if each != "" or key not in known}
        self._blocks[index] = {**known, **said}
        if block.get("type") == "tool_use":
            self._inputs.setdefault(index, GrowingText())

    def _go_on(self, index: int, delta: JsonObject) -> None:
        block = self._blocks.setdefault(index, {})
        kind = text_at(delta, "type")
        if kind == "input_json_delta":
            self._inputs.setdefault(index, GrowingText()).add(text_at(delta, "partial_json"))
        elif kind in _TEXTS:
            field = _TEXTS[kind]
            block.setdefault("type", "thinking" if field != "text" else "text")
            said = self._texts.setdefault((index, field), [text_at(block, field)])
            said.append(text_at(delta, field))
        elif kind == "citations_delta":
            self._cited.setdefault(index, []).append(delta.get("citation"))
        elif kind:  # what comes whole, as a compaction does
            block.setdefault("type", kind.removesuffix("_delta"))
            block |= {key: value for key, value in delta.items() if key != "type"}

    def _block(self, index: int) -> dict[str, JsonValue]:
        block = dict(self._blocks[index])
        for (place, field), pieces in self._texts.items():
            if place == index:
                block[field] = "".join(pieces)
        if index in self._cited:
            block["citations"] = [*list_at(block, "citations"), *self._cited[index]]
        if index not in self._inputs:
            return block if block.get("type") != "text" else {"text": "", **block}
        text = self._inputs[index].text
        if not text and object_at(block, "input"):
            return block
        ended = index in self._stopped or bool(self._reason) or self._done
        known = {"type": "tool_use", "id": "", "name": "", **block}
        return {**known, "input": finished_input(text, ended=ended)}
