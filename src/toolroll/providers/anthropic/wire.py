"""The messages wire of Anthropic: requests, replies and results.

Source: Anthropic API reference, messages (`ToolUseBlock`, `ToolResultBlockParam`); error texts "all
content must be type 'text' if 'is_error' is true" and "text content blocks must be non-empty".
"""

from collections.abc import Iterable, Mapping, Sequence

from toolroll.content import Content, EmbeddedResource, Image, JsonObject, JsonValue
from toolroll.providers.anthropic.stream import INTERRUPTED, AnthropicAssembler
from toolroll.providers.block import EMPTY, blocks_of, is_base64, line_of
from toolroll.providers.json_form import as_object, objects_at, text_at
from toolroll.providers.limit import ANTHROPIC, ProviderLimits
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

_CUT = frozenset({"max_tokens", "model_context_window_exceeded"})


class AnthropicWire:
    """Anthropic's messages."""

    __slots__ = ()

    @property
    def limits(self) -> ProviderLimits:
        """What the provider takes."""
        return ANTHROPIC

    def declare(self, tools: Sequence[OfferedTool]) -> list[dict[str, JsonValue]]:
        """The `tools` of a request."""
        return [_declared(tool) for tool in tools]

    def read(self, reply: JsonObject) -> RawReply:
        """The calls of a message. Where it was cut off, a call at its end is not whole."""
        said = text_at(reply, "stop_reason")
        blocks = objects_at(reply, "content")
        calls: list[RawCall] = []
        for place, block in enumerate(blocks):
            if block.get("type") == "tool_use":
                cut = said in _CUT and place == len(blocks) - 1
                calls.append(_raw_call(place, block, cut=cut, broken=said == INTERRUPTED))
        finish = "length" if said in _CUT else said or None
        ran = any(text_at(block, "type").endswith("tool_use") for block in blocks)
        return RawReply(
            calls=with_unread(calls, said, "", place=len(blocks), others=ran),
            finish=finish,
            id=text_at(reply, "id"),
        )

    def assistant(self, reply: JsonObject, calls: Sequence[WireCall]) -> dict[str, JsonValue]:
        """The message for the history; thinking and its signatures stay as they came.

        Thinking that was cut has no signature yet, and is left out: the API refuses it.
        """
        content: list[JsonValue] = []
        places = by_place(calls)
        for place, block in enumerate(objects_at(reply, "content")):
            mine = places.pop(place, [])
            if not mine and not is_refused(block):
                content.append(block)
            for number, call in enumerate(mine):
                content.append(_sent(call, block if number == 0 else {}))
        content += [_sent(call, {}) for unread in places.values() for call in unread]
        return {"role": "assistant", "content": content or [{"type": "text", "text": EMPTY}]}

    def results(self, answered: Sequence[Answered]) -> list[dict[str, JsonValue]]:
        """One user message: the results, then media that an error may not carry."""
        results: list[JsonValue] = []
        attached: list[JsonValue] = []
        for answer in answered:
            outcome = answer.outcome
            blocks = blocks_of(outcome, marked=True)
            result, beside = result_block(answer.id, blocks, failed=not outcome.ok)
            results.append(result)
            attached.extend(beside)
        return [{"role": "user", "content": [*results, *attached]}] if results else []

    def assembler(self) -> AnthropicAssembler:
        """For one streamed reply."""
        return AnthropicAssembler()


def _sent(call: WireCall, block: JsonObject) -> JsonObject:
    said = {"id": call.id, "name": call.name, "input": as_object(call.arguments.value)}
    return {"type": "tool_use", **block, **said}


def is_refused(block: JsonObject) -> bool:
    """A block the API does not take: an empty text, thinking without its signature, what was cut
    of a tool that the provider runs.

    Source: error texts "text content blocks must be non-empty", "thinking.signature: Field
    required", "server_tool_use.input: Input should be a valid dictionary".
    """
    match block.get("type"):
        case "text":
            return not text_at(block, "text").strip()
        case "thinking":
            return not text_at(block, "signature")
        case "server_tool_use" | "mcp_tool_use":
            return not isinstance(block.get("input"), Mapping)
        case _:
            return False


def media_block(block: Content) -> dict[str, JsonValue] | None:
    """The block that shows media to the model; None where there is none."""
    match block:
        case Image(data=data, mime_type=kind) if kind in IMAGES and is_base64(data):
            return {"type": "image", "source": _source(kind, data)}
        case EmbeddedResource(blob=str() as blob, mime_type="application/pdf") if is_base64(blob):
            return {"type": "document", "source": _source("application/pdf", blob)}
        case EmbeddedResource(blob=str() as blob, mime_type=str() as kind) if kind in IMAGES:
            return media_block(Image(blob, kind))
        case _:
            return None


def _source(media_type: str, data: str) -> dict[str, JsonValue]:
    return {"type": "base64", "media_type": media_type, "data": data}


def _declared(tool: OfferedTool) -> dict[str, JsonValue]:
    declared: dict[str, JsonValue] = {"name": tool.name}
    if tool.description.strip():
        declared["description"] = tool.description
    declared["input_schema"] = tool.adapted.schema
    if tool.adapted.strict:
        declared["strict"] = True
    return declared


def _raw_call(place: int, block: JsonObject, *, cut: bool, broken: bool) -> RawCall:
    held = block.get("input")
    text = held if isinstance(held, str) else None
    return RawCall(
        place=place,
        id=text_at(block, "id"),
        name=text_at(block, "name"),
        text=text,
        value=None if text is not None else held,
        cut=cut or (broken and text is not None and not text.strip()),
    )


def result_block(
    call_id: str, blocks: Iterable[Content], *, failed: bool
) -> tuple[dict[str, JsonValue], list[JsonValue]]:
    """The result of a call, and what has to stand beside it: media that an error may not carry.

    Args:
        call_id: of the call.
        blocks: what the model reads.
        failed: it is an error.
    """
    content: list[JsonValue] = []
    beside: list[JsonValue] = []
    for block in blocks:
        media = media_block(block)
        if media is not None and not failed:
            content.append(media)
            continue
        line = line_of(block)
        if line.strip():
            content.append({"type": "text", "text": line})
        if media is not None:
            beside += shown_beside(line, call_id, media)
    result: dict[str, JsonValue] = {
        "type": "tool_result",
        "tool_use_id": call_id,
        "content": content or [{"type": "text", "text": EMPTY}],
    }
    return ({**result, "is_error": True} if failed else result), beside


def shown_beside(line: str, call_id: str, media: JsonObject) -> list[JsonValue]:
    """Media of a result that stands behind it, with a word where it belongs."""
    return [{"type": "text", "text": f"{line} of {call_id}:"}, media]
