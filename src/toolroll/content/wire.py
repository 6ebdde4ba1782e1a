"""Blocks and results as JSON and back, in the shapes of MCP.

Reading never fails: a block that does not fit its kind is kept as `Other`.
"""

from collections.abc import Mapping, Sequence
from typing import cast

from toolroll.content.block import (
    Audio,
    Content,
    EmbeddedResource,
    Image,
    Other,
    ResourceLink,
    Text,
)
from toolroll.content.json_value import JsonObject, JsonValue
from toolroll.content.result import ToolResult

_LINK_TEXTS = ("name", "title", "description", "mimeType")


def content_to_json(block: Content) -> dict[str, JsonValue]:
    """Write one block as an MCP content block.

    Example:
        >>> content_to_json(Text("hi"))
        {'type': 'text', 'text': 'hi'}
    """
    match block:
        case Text(text=text):
            return {"type": "text", "text": text, **block.extra}
        case Image(data=data, mime_type=mime_type):
            return {"type": "image", "data": data, "mimeType": mime_type, **block.extra}
        case Audio(data=data, mime_type=mime_type):
            return {"type": "audio", "data": data, "mimeType": mime_type, **block.extra}
        case ResourceLink():
            link: dict[str, JsonValue] = {
                "type": "resource_link",
                "uri": block.uri,
                "name": block.name,
                "title": block.title,
                "description": block.description,
                "mimeType": block.mime_type,
                "size": block.size,
            }
            return {key: value for key, value in link.items() if value is not None} | dict(
                block.extra
            )
        case EmbeddedResource():
            resource: dict[str, JsonValue] = {
                "uri": block.uri,
                "mimeType": block.mime_type,
                "text": block.text,
                "blob": block.blob,
            }
            resource = {key: value for key, value in resource.items() if value is not None}
            resource |= block.resource_extra
            return {"type": "resource", "resource": resource, **block.extra}
        case Other(raw=raw):
            return dict(raw)


def content_from_json(raw: JsonObject) -> Content:
    """Read one MCP content block; what fits no known kind comes back as `Other`.

    Example:
        >>> content_from_json({"type": "text", "text": "hi"})
        Text(text='hi', extra={})
        >>> content_from_json({"type": "text"})
        Other(raw={'type': 'text'})
    """
    kind = raw.get("type")
    if kind == "text" and isinstance(text := raw.get("text"), str):
        return Text(text, extra=_rest(raw, "type", "text"))
    if kind in ("image", "audio"):
        data, mime_type = raw.get("data"), raw.get("mimeType")
        if isinstance(data, str) and isinstance(mime_type, str):
            make = Image if kind == "image" else Audio
            return make(data, mime_type, extra=_rest(raw, "type", "data", "mimeType"))
    if kind == "resource_link" and isinstance(uri := raw.get("uri"), str):
        name, size = _text(raw, "name"), _whole(raw.get("size"))
        taken = ["type", "uri", *(["size"] if size is not None or raw.get("size") is None else [])]
        return ResourceLink(
            uri,
            uri if name is None else name,
            title=_text(raw, "title"),
            description=_text(raw, "description"),
            mime_type=_text(raw, "mimeType"),
            size=size,
            extra=_rest(raw, *taken, texts=_LINK_TEXTS),
        )
    resource = raw.get("resource")
    if kind == "resource" and isinstance(resource, Mapping):
        inner = cast("JsonObject", resource)
        text, blob, uri = inner.get("text"), inner.get("blob"), inner.get("uri")
        if isinstance(uri, str) and isinstance(text, str) != isinstance(blob, str):
            return EmbeddedResource(
                uri,
                text=text if isinstance(text, str) else None,
                blob=blob if isinstance(blob, str) else None,
                mime_type=_text(inner, "mimeType"),
                extra=_rest(raw, "type", "resource"),
                resource_extra=_rest(inner, "uri", texts=("text", "blob", "mimeType")),
            )
    return Other(raw)


def result_to_json(result: ToolResult) -> dict[str, JsonValue]:
    """Write a result as `{content, data?, is_error?, meta?}`; the stored and printed form.

    Example:
        >>> result_to_json(ToolResult((Text("hi"),)))["content"]
        [{'type': 'text', 'text': 'hi'}]
    """
    written: dict[str, JsonValue] = {
        "content": [content_to_json(block) for block in result.content]
    }
    if result.data is not None:
        written["data"] = result.data
    if result.is_error:
        written["is_error"] = True
    if result.meta:
        written["meta"] = dict(result.meta)
    return written


def result_from_json(raw: JsonObject) -> ToolResult:
    """Read what `result_to_json` wrote.

    Example:
        >>> result_from_json(result_to_json(ToolResult(data={"n": 1}))).data
        {'n': 1}
    """
    content, meta = raw.get("content"), raw.get("meta")
    blocks = content if isinstance(content, list) else []
    return ToolResult(
        content=tuple(
            content_from_json(cast("JsonObject", block))
            for block in blocks
            if isinstance(block, Mapping)
        ),
        data=raw.get("data"),
        is_error=raw.get("is_error") is True,
        meta=cast("JsonObject", meta) if isinstance(meta, Mapping) else {},
    )


def _text(raw: JsonObject, key: str) -> str | None:
    value = raw.get(key)
    return value if isinstance(value, str) else None


def _whole(value: JsonValue) -> int | None:
    """A whole number, also one written as 5.0."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _rest(raw: JsonObject, *taken: str, texts: Sequence[str] = ()) -> JsonObject:
    """What no field of a record holds: unknown keys, and known ones that are no text."""
    return {
        key: value
        for key, value in raw.items()
        if key not in taken and not (key in texts and (value is None or isinstance(value, str)))
    }
