"""The generateContent wire of Gemini: requests, replies and results.

Source: Gemini API reference, `FunctionDeclaration`, `FunctionCall`, `FunctionResponse` ("output"
and "error" keys); guide to thought signatures.
"""

from collections.abc import Sequence
from typing import cast

from toolroll.content import Audio, Content, EmbeddedResource, Image, JsonObject, JsonValue
from toolroll.providers.block import EMPTY, blocks_of, is_base64, line_of, text_of
from toolroll.providers.gemini.stream import GeminiAssembler, is_signed
from toolroll.providers.json_form import as_object, object_at, objects_at, text_at
from toolroll.providers.limit import GEMINI, ProviderLimits
from toolroll.providers.reading import is_given_here
from toolroll.providers.unread import with_unread
from toolroll.providers.wire import (
    Answered,
    OfferedTool,
    RawCall,
    RawReply,
    WireCall,
    by_place,
)

MEDIA = frozenset(
    {
        "application/pdf",
        "audio/aac",
        "audio/aiff",
        "audio/flac",
        "audio/mp3",
        "audio/mpeg",
        "audio/ogg",
        "audio/wav",
        "image/heic",
        "image/heif",
        "image/jpeg",
        "image/png",
        "image/webp",
    }
)
"""What a model can see or hear inline; others become a line."""

NO_SIGNATURE = "skip_thought_signature_validator"
"""Stands for the signature of a call that has none; Gemini 3 refuses a call without one."""

_CALL = ("functionCall", "function_call")
_DESCRIBING = ("properties", "additionalProperties", "$ref", "anyOf", "oneOf", "allOf")


class GeminiWire:
    """Gemini's generateContent.

    Args:
        openapi3: schemas go into `parameters` instead of `parametersJsonSchema`.
    """

    __slots__ = ("_field",)

    def __init__(self, *, openapi3: bool = False) -> None:
        self._field = "parameters" if openapi3 else "parametersJsonSchema"

    @property
    def limits(self) -> ProviderLimits:
        """What the provider takes."""
        return GEMINI

    def declare(self, tools: Sequence[OfferedTool]) -> list[dict[str, JsonValue]]:
        """The `tools` of a request: one entry with all declarations."""
        return [{"functionDeclarations": [self._declared(tool) for tool in tools]}] if tools else []

    def read(self, reply: JsonObject) -> RawReply:
        """The calls of a whole response, of a candidate of it, or of a content."""
        candidate, content = _parts(reply)
        said = text_at(candidate, "finishReason") or text_at(candidate, "finish_reason")
        parts = objects_at(content, "parts")
        calls = tuple(
            _raw_call(place, call)
            for place, part in enumerate(parts)
            if (call := call_of(part)) is not None
        )
        told = text_at(candidate, "finishMessage") or text_at(candidate, "finish_message")
        finish = "length" if said == "MAX_TOKENS" else said or None
        return RawReply(
            calls=with_unread(calls, said, told, place=len(parts)),
            finish=finish,
            id=text_at(reply, "responseId") or text_at(reply, "response_id"),
        )

    def assistant(self, reply: JsonObject, calls: Sequence[WireCall]) -> dict[str, JsonValue]:
        """The content for the history; thoughts and their signatures stay as they came.

        A call without an id stays without one: its result is found by its name and place.
        """
        _, content = _parts(reply)
        parts: list[JsonValue] = []
        places = by_place(calls)
        for place, part in enumerate(objects_at(content, "parts")):
            mine = places.pop(place, [])
            if not mine and part and (part.get("text") != "" or is_signed(part)):
                parts.append(part)
            for number, call in enumerate(mine):
                rest = {key: value for key, value in part.items() if key not in _CALL}
                parts.append({**(rest if number == 0 else {}), "functionCall": _sent(call)})
        parts += [
            {"functionCall": _sent(call), "thoughtSignature": NO_SIGNATURE}
            for unread in places.values()
            for call in unread
        ]
        return {"role": "model", "parts": parts or [{"text": EMPTY}]}

    def results(self, answered: Sequence[Answered]) -> list[dict[str, JsonValue]]:
        """One content: a response for each call in order, then media."""
        responses: list[JsonValue] = []
        media: list[JsonValue] = []
        for answer in answered:
            blocks = blocks_of(answer.outcome, marked=True)
            key = "output" if answer.outcome.ok else "error"
            response: dict[str, JsonValue] = {
                "name": answer.name,
                "response": {key: text_of(blocks)},
            }
            if not is_given_here(answer.id):
                response = {"id": answer.id, **response}
            responses.append({"functionResponse": response})
            for block in blocks:
                part = media_part(block)
                if part is not None:
                    media.extend(({"text": f"{line_of(block)} of {answer.name}:"}, part))
        return [{"role": "user", "parts": [*responses, *media]}] if responses else []

    def assembler(self) -> GeminiAssembler:
        """For one streamed reply."""
        return GeminiAssembler()

    def _declared(self, tool: OfferedTool) -> dict[str, JsonValue]:
        declared: dict[str, JsonValue] = {"name": tool.name}
        if tool.description.strip():
            declared["description"] = tool.description
        if any(tool.adapted.schema.get(keyword) for keyword in _DESCRIBING):
            declared[self._field] = tool.adapted.schema
        return declared


def call_of(part: JsonObject) -> JsonObject | None:
    """The call of a part; None where it has none."""
    for key in _CALL:
        if key in part:
            return object_at(part, key)
    return None


def media_part(block: Content) -> dict[str, JsonValue] | None:
    """The part that shows media to the model; None where there is none."""
    match block:
        case Image(data=data, mime_type=kind) | Audio(data=data, mime_type=kind):
            pass
        case EmbeddedResource(blob=str() as data, mime_type=str() as kind):
            pass
        case _:
            return None
    if kind not in MEDIA or not is_base64(data):
        return None
    return {"inlineData": {"mimeType": kind, "data": data}}


def _parts(reply: JsonObject) -> tuple[JsonObject, JsonObject]:
    """The candidate and the content of a reply, whichever of the three forms it has."""
    candidates = objects_at(reply, "candidates")
    if candidates or "parts" not in reply:
        candidate = candidates[0] if candidates else reply
        return candidate, object_at(candidate, "content")
    return {}, reply


def _raw_call(place: int, call: JsonObject) -> RawCall:
    held = call.get("args")
    unfinished = call.get("willContinue") is True or call.get("will_continue") is True
    return RawCall(
        place=place,
        id=text_at(call, "id"),
        name=text_at(call, "name"),
        value=held,
        cut=unfinished,
    )


def _sent(call: WireCall) -> dict[str, JsonValue]:
    arguments = as_object(call.arguments.value)
    sent: dict[str, JsonValue] = {"name": call.name, "args": cast("JsonValue", arguments)}
    return sent if is_given_here(call.id) else {"id": call.id, **sent}
