"""The chat completions wire: requests, replies and results.

Source: OpenAI API reference, chat completions (`ChatCompletionMessage`,
`ChatCompletionToolMessageParam`, `ChatCompletionContentPart*`).
"""

from collections.abc import Mapping, Sequence
from typing import cast

from toolroll.content import (
    Audio,
    Content,
    EmbeddedResource,
    Image,
    JsonObject,
    JsonValue,
)
from toolroll.providers.block import blocks_of, data_url, is_base64, line_of, text_of
from toolroll.providers.json_form import list_at, object_at, objects_at, text_at
from toolroll.providers.limit import OPENAI_CHAT, ProviderLimits
from toolroll.providers.openai_chat.stream import INTERRUPTED, ChatAssembler
from toolroll.providers.unread import with_unread
from toolroll.providers.wire import (
    Answered,
    OfferedTool,
    RawCall,
    RawReply,
    WireCall,
    by_place,
)

IMAGES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
"""Images a model can see; others become a line."""

AUDIO = {"audio/wav": "wav", "audio/x-wav": "wav", "audio/mpeg": "mp3", "audio/mp3": "mp3"}
"""Sounds a model can hear, with the wire's word for them."""

_ANSWER_ONLY = frozenset({"annotations", "audio", "function_call", "tool_calls", "role", "content"})
"""Fields of an answered message that a sent one has not, or that are written anew."""

ATTACHED = "Media of the tool results above:"
"""Opens the user message that carries what a tool message cannot."""


_NOTHING: JsonObject = {}


class ChatWire:
    """OpenAI chat completions, and the many servers that speak it."""

    __slots__ = ()

    @property
    def limits(self) -> ProviderLimits:
        """What the provider takes."""
        return OPENAI_CHAT

    def declare(self, tools: Sequence[OfferedTool]) -> list[dict[str, JsonValue]]:
        """The `tools` of a request."""
        return [{"type": "function", "function": _function(tool)} for tool in tools]

    def read(self, reply: JsonObject) -> RawReply:
        """The calls of a whole response, of a choice of it, or of a message."""
        choice, message = _parts(reply)
        finish = text_at(choice, "finish_reason") or None
        broken = finish == INTERRUPTED
        calls = [_raw_call(place, call, broken=broken) for place, call in _function_calls(message)]
        return RawReply(
            calls=with_unread(
                calls,
                finish or "",
                text_at(message, "refusal"),
                place=0,
                others=bool(list_at(message, "tool_calls")),
            ),
            finish=finish,
            id=text_at(reply, "id"),
        )

    def assistant(self, reply: JsonObject, calls: Sequence[WireCall]) -> dict[str, JsonValue]:
        """The message for the history: what the API takes back, with the ids that were read."""
        _, message = _parts(reply)
        held = message.get("content")
        sent: dict[str, JsonValue] = {"role": "assistant", "content": None if held == [] else held}
        sent |= {
            key: value
            for key, value in message.items()
            if key not in _ANSWER_ONLY and value is not None
        }
        if audio_id := text_at(object_at(message, "audio"), "id"):
            sent["audio"] = {"id": audio_id}
        entries = objects_at(message, "tool_calls")
        written = _written_calls(entries, calls)
        if written:
            sent["tool_calls"] = written
        elif sent["content"] is None:
            sent["content"] = ""
        return sent

    def results(self, answered: Sequence[Answered]) -> list[dict[str, JsonValue]]:
        """A tool message for each call; what only a user message can carry follows in one."""
        messages: list[dict[str, JsonValue]] = []
        attached: list[JsonValue] = []
        for answer in answered:
            blocks = blocks_of(answer.outcome, marked=False)
            messages.append({"role": "tool", "tool_call_id": answer.id, "content": text_of(blocks)})
            for block in blocks:
                part = media_part(block)
                if part is not None:
                    label = f"{line_of(block)} of {answer.id}:"
                    attached.extend(({"type": "text", "text": label}, part))
        if attached:
            opening: JsonValue = {"type": "text", "text": ATTACHED}
            messages.append({"role": "user", "content": [opening, *attached]})
        return messages

    def assembler(self) -> ChatAssembler:
        """For one streamed reply."""
        return ChatAssembler()


def media_part(block: Content) -> dict[str, JsonValue] | None:
    """The part of a user message that shows a block; None where there is none."""
    match block:
        case Image(data=data, mime_type=kind) if kind in IMAGES and is_base64(data):
            return {"type": "image_url", "image_url": {"url": data_url(kind, data)}}
        case Audio(data=data, mime_type=kind) if kind in AUDIO and is_base64(data):
            return {"type": "input_audio", "input_audio": {"data": data, "format": AUDIO[kind]}}
        case EmbeddedResource(blob=str() as blob, mime_type="application/pdf") if is_base64(blob):
            name = block.uri.rstrip("/").rpartition("/")[2] or "document.pdf"
            file: JsonObject = {"filename": name, "file_data": data_url("application/pdf", blob)}
            return {"type": "file", "file": file}
        case EmbeddedResource(blob=str() as blob, mime_type=str() as kind):
            return media_part(Image(blob, kind)) if kind in IMAGES else None
        case _:
            return None


def _function(tool: OfferedTool) -> dict[str, JsonValue]:
    function: dict[str, JsonValue] = {"name": tool.name}
    if tool.description.strip():
        function["description"] = tool.description
    function["parameters"] = tool.adapted.schema
    if tool.adapted.strict:
        function["strict"] = True
    return function


def _parts(reply: JsonObject) -> tuple[JsonObject, JsonObject]:
    """The choice and the message of a reply, whichever of the three forms it has."""
    choices = objects_at(reply, "choices")
    if choices or "choices" in reply:
        choice = choices[0] if choices else _NOTHING
        return choice, object_at(choice, "message")
    if isinstance(reply.get("message"), Mapping):
        return reply, object_at(reply, "message")
    return _NOTHING, reply


def _function_calls(message: JsonObject) -> list[tuple[int, JsonObject]]:
    """Place and call; the older single `function_call` counts as one. Custom tools are the
    host's.
    """
    calls = [
        (place, call)
        for place, call in enumerate(objects_at(message, "tool_calls"))
        if holder_of(call) == "function"
    ]
    older = object_at(message, "function_call")
    if not list_at(message, "tool_calls") and older:
        return [(0, {"function": older})]
    return calls


def holder_of(call: JsonObject) -> str:
    """What holds the call: the field its type names; a function where it names none.

    Example:
        >>> holder_of({"type": "custom", "custom": {"name": "sh"}}), holder_of({"type": ""})
        ('custom', 'function')
    """
    said = text_at(call, "type")
    return said if object_at(call, said) else "function"


def _raw_call(place: int, call: JsonObject, *, broken: bool) -> RawCall:
    function = object_at(call, "function")
    arguments = function.get("arguments")
    text = arguments if isinstance(arguments, str) else "" if arguments is None else None
    return RawCall(
        place=place,
        id=text_at(call, "id"),
        name=text_at(function, "name"),
        text=text,
        value=None if text is not None else arguments,
        cut=broken and text is not None and not text.strip(),
    )


def _written_calls(entries: Sequence[JsonObject], calls: Sequence[WireCall]) -> list[JsonValue]:
    """The calls as sent back: custom ones as they came, glued ones as the several that were
    read.
    """
    written: list[JsonValue] = []
    places = by_place(calls)
    for place, entry in enumerate(entries or [_NOTHING] * len(calls)):
        mine = places.get(place, [])
        if not mine and entry:
            written.append(entry)
        kept = {key: value for key, value in entry.items() if key != "index"}
        for call in mine:
            function = {**object_at(entry, "function"), "name": call.name, "arguments": call.text}
            written.append(
                cast("JsonValue", {**kept, "id": call.id, "type": "function", "function": function})
            )
            kept = {}
    return written
