"""Blocks of a result where a provider has a place for them, and one line where it has none."""

import base64
import binascii
from collections.abc import Sequence

from toolroll.content import (
    Audio,
    Content,
    EmbeddedResource,
    Image,
    Other,
    ResourceLink,
    Text,
)
from toolroll.outcome import Failed, Outcome

EMPTY = "(no output)"
"""What a model reads of a result without any block."""

REPORTED = "The tool reported a failure:"
"""Stands before a tool's own words about its failure, on wires that have no mark for an error."""


def blocks_of(outcome: Outcome, *, marked: bool) -> list[Content]:
    """The blocks a model reads of an outcome.

    Args:
        outcome: what the call came to.
        marked: the wire says by itself that it is an error.
    """
    blocks = outcome.for_model()
    if not marked and isinstance(outcome, Failed) and outcome.result is not None and blocks:
        return [Text(REPORTED), *blocks]
    return blocks


def line_of(block: Content) -> str:
    """A block as text; media becomes one short line, never base64.

    Example:
        >>> line_of(Image("AAEC", "image/png"))
        '[image image/png, 3 bytes]'
    """
    match block:
        case Text(text=text):
            return text
        case Image():
            return f"[image {block.mime_type}, {_size(block.data)}]"
        case Audio():
            return f"[audio {block.mime_type}, {_size(block.data)}]"
        case ResourceLink():
            return f"[resource {block.name}: {block.uri}]"
        case EmbeddedResource(text=str() as text):
            return text
        case EmbeddedResource():
            kind = block.mime_type or "application/octet-stream"
            return f"[resource {block.uri} {kind}, {_size(block.blob or '')}]"
        case Other(raw=raw):
            kind = raw.get("type")
            return f"[{kind if isinstance(kind, str) else 'block'}]"


def text_of(blocks: Sequence[Content]) -> str:
    """All blocks as one text, a line or more each.

    Example:
        >>> text_of([Text("Here it is:"), Image("AAEC", "image/png")])
        'Here it is:\\n[image image/png, 3 bytes]'
    """
    return "\n".join(line_of(block) for block in blocks) or EMPTY


def data_url(mime_type: str, data: str) -> str:
    """Base64 text as a `data:` URL (RFC 2397)."""
    return f"data:{mime_type};base64,{data}"


def media_of(url: str, *, name: str = "") -> Content | None:
    """The block of a `data:` URL; None for another URL.

    Args:
        url: of the media.
        name: what a document is called.

    Example:
        >>> media_of("data:image/png;base64,AAEC")
        Image(data='AAEC', mime_type='image/png', extra={})
    """
    head, found, data = url.partition(";base64,")
    if not found or not head.startswith("data:"):
        return None
    mime_type = head.removeprefix("data:")
    if mime_type.startswith("image/"):
        return Image(data, mime_type)
    if mime_type.startswith("audio/"):
        return Audio(data, mime_type)
    return EmbeddedResource(name or "document", blob=data, mime_type=mime_type)


def is_base64(data: str) -> bool:
    """The text is base64 a provider can read."""
    try:
        base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        return False
    return bool(data)


def _size(data: str) -> str:
    padding = data[-2:].count("=")
    count = max(0, len(data) * 3 // 4 - padding)
    return f"{count} byte{'' if count == 1 else 's'}"
