"""The responses wire of OpenAI: requests, replies and results.

Source: OpenAI API reference, responses (`ResponseFunctionToolCall`, `FunctionCallOutput`,
`FunctionTool`).
"""

from collections.abc import Sequence

from toolroll.content import Content, EmbeddedResource, Image, JsonObject, JsonValue
from toolroll.providers.block import blocks_of, data_url, is_base64, line_of, text_of
from toolroll.providers.json_form import list_at, object_at, objects_at, text_at
from toolroll.providers.limit import OPENAI_RESPONSES, ProviderLimits
from toolroll.providers.openai_responses.stream import INTERRUPTED, ResponsesAssembler
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

_ANSWER_ONLY = frozenset({"parsed_arguments"})
"""Fields an SDK adds to an answered item; the API does not take them back."""


class ResponsesWire:
    """OpenAI responses."""

    __slots__ = ()

    @property
    def limits(self) -> ProviderLimits:
        """What the provider takes."""
        return OPENAI_RESPONSES

    def declare(self, tools: Sequence[OfferedTool]) -> list[dict[str, JsonValue]]:
        """The `tools` of a request.

        `strict` is always said: where it is left out, this API makes schemas strict by itself.
        """
        return [_declared(tool) for tool in tools]

    def read(self, reply: JsonObject) -> RawReply:
        """The calls of a response."""
        status = text_at(reply, "status")
        reason = text_at(object_at(reply, "incomplete_details"), "reason")
        finish = "length" if reason == "max_output_tokens" else reason or status or None
        calls = tuple(
            _raw_call(place, item, broken=status == INTERRUPTED)
            for place, item in enumerate(objects_at(reply, "output"))
            if item.get("type") == "function_call"
        )
        return RawReply(calls=calls, finish=finish, id=text_at(reply, "id"))

    def assistant(self, reply: JsonObject, calls: Sequence[WireCall]) -> list[dict[str, JsonValue]]:
        """The items for the history: reasoning, messages and calls, in order.

        Of a reply that was cut, reasoning that nothing follows is left out: the API refuses it.
        """
        items: list[dict[str, JsonValue]] = []
        places = by_place(calls)
        for place, item in enumerate(objects_at(reply, "output")):
            kept: dict[str, JsonValue] = {
                key: value
                for key, value in item.items()
                if value is not None and key not in _ANSWER_ONLY
            }
            mine = places.get(place, [])
            if not mine and kept and not _is_hollow(kept):
                items.append(kept)
            for number, call in enumerate(mine):
                written: dict[str, JsonValue] = {"type": "function_call"}
                written |= kept if number == 0 else {}
                items.append(
                    written | {"call_id": call.id, "name": call.name, "arguments": call.text}
                )
        while items and items[-1].get("type") == "reasoning":
            items.pop()
        return items

    def results(self, answered: Sequence[Answered]) -> list[dict[str, JsonValue]]:
        """An output item for each call; images and documents are part of it."""
        return [
            {"type": "function_call_output", "call_id": answer.id, "output": _output(answer)}
            for answer in answered
        ]

    def assembler(self) -> ResponsesAssembler:
        """For one streamed reply."""
        return ResponsesAssembler()


def media_part(block: Content) -> dict[str, JsonValue] | None:
    """The part of an output that shows media to the model; None where there is none."""
    match block:
        case Image(data=data, mime_type=kind) if kind in IMAGES and is_base64(data):
            return {"type": "input_image", "image_url": data_url(kind, data)}
        case EmbeddedResource(blob=str() as blob, mime_type="application/pdf") if is_base64(blob):
            name = block.uri.rstrip("/").rpartition("/")[2] or "document.pdf"
            url = data_url("application/pdf", blob)
            return {"type": "input_file", "filename": name, "file_data": url}
        case EmbeddedResource(blob=str() as blob, mime_type=str() as kind) if kind in IMAGES:
            return media_part(Image(blob, kind))
        case _:
            return None


def _is_hollow(item: JsonObject) -> bool:
    """A message that was cut before it said anything."""
    return item.get("type") == "message" and not list_at(item, "content")


def _declared(tool: OfferedTool) -> dict[str, JsonValue]:
    declared: dict[str, JsonValue] = {"type": "function", "name": tool.name}
    if tool.description.strip():
        declared["description"] = tool.description
    return {**declared, "parameters": tool.adapted.schema, "strict": tool.adapted.strict}


def _raw_call(place: int, item: JsonObject, *, broken: bool) -> RawCall:
    arguments = item.get("arguments")
    text = arguments if isinstance(arguments, str) else "" if arguments is None else None
    unfinished = broken or item.get("status") in ("incomplete", "in_progress")
    return RawCall(
        place=place,
        id=text_at(item, "call_id") or text_at(item, "id"),
        name=text_at(item, "name"),
        text=text,
        value=None if text is not None else arguments,
        cut=unfinished and text is not None and not text.strip(),
    )


def _output(answer: Answered) -> JsonValue:
    blocks = blocks_of(answer.outcome, marked=False)
    shown = [media_part(block) for block in blocks]
    if not any(shown):
        return text_of(blocks)
    return [
        part or {"type": "input_text", "text": line_of(block)}
        for part, block in zip(shown, blocks, strict=True)
    ]
