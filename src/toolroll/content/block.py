"""The blocks that a result is made of, in the field's standard vocabulary (MCP content blocks).

Source: MCP 2026-07-28, server/tools, "Tool result".
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from toolroll.content.json_value import EMPTY, JsonObject, JsonValue


@dataclass(frozen=True, slots=True)
class Text:
    """A text for the model.

    Args:
        text: the text, any length; lines end in `\\n`.
        extra: further wire fields (`annotations`, `_meta`, ...), kept as they came.
    """

    text: str
    extra: Mapping[str, JsonValue] = field(default=EMPTY, kw_only=True)


@dataclass(frozen=True, slots=True)
class Image:
    """A picture: base64 text and its media type, e.g. `image/png`."""

    data: str
    mime_type: str
    extra: Mapping[str, JsonValue] = field(default=EMPTY, kw_only=True)


@dataclass(frozen=True, slots=True)
class Audio:
    """A sound: base64 text and its media type, e.g. `audio/wav`."""

    data: str
    mime_type: str
    extra: Mapping[str, JsonValue] = field(default=EMPTY, kw_only=True)


@dataclass(frozen=True, slots=True)
class ResourceLink:
    """A pointer to something that can be read elsewhere; nothing is fetched because of it."""

    uri: str
    name: str
    title: str | None = None
    description: str | None = None
    mime_type: str | None = None
    size: int | None = None
    extra: Mapping[str, JsonValue] = field(default=EMPTY, kw_only=True)


@dataclass(frozen=True, slots=True)
class EmbeddedResource:
    """A resource carried whole: either `text` or `blob` (base64)."""

    uri: str
    text: str | None = None
    blob: str | None = None
    mime_type: str | None = None
    extra: Mapping[str, JsonValue] = field(default=EMPTY, kw_only=True)


@dataclass(frozen=True, slots=True)
class Other:
    """A block of a kind that Toolroll does not know, kept as it came."""

    raw: JsonObject


Content: TypeAlias = Text | Image | Audio | ResourceLink | EmbeddedResource | Other
"""One block of a result."""
