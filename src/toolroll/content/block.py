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

    Example:
        >>> Text("one\\ntwo").text.splitlines()
        ['one', 'two']
    """

    text: str
    extra: Mapping[str, JsonValue] = field(default=EMPTY, kw_only=True)


@dataclass(frozen=True, slots=True)
class Image:
    """A picture: base64 text and its media type, e.g. `image/png`.

    Args:
        data: base64 text.
        mime_type: its media type.
        extra: further wire fields, kept as they came.

    Example:
        >>> Image("aGk=", "image/png").mime_type
        'image/png'
    """

    data: str
    mime_type: str
    extra: Mapping[str, JsonValue] = field(default=EMPTY, kw_only=True)


@dataclass(frozen=True, slots=True)
class Audio:
    """A sound: base64 text and its media type, e.g. `audio/wav`.

    Args:
        data: base64 text.
        mime_type: its media type.
        extra: further wire fields, kept as they came.

    Example:
        >>> Audio("aGk=", "audio/wav").data
        'aGk='
    """

    data: str
    mime_type: str
    extra: Mapping[str, JsonValue] = field(default=EMPTY, kw_only=True)


@dataclass(frozen=True, slots=True)
class ResourceLink:
    """A pointer to something that can be read elsewhere; nothing is fetched because of it.

    Args:
        uri: where it can be read.
        name: for programs.
        title, description: for people.
        mime_type: its media type, where known.
        size: in bytes, where known.
        extra: further wire fields, kept as they came.

    Example:
        >>> ResourceLink("file:///notes.txt", "notes", size=12).size
        12
    """

    uri: str
    name: str
    title: str | None = None
    description: str | None = None
    mime_type: str | None = None
    size: int | None = None
    extra: Mapping[str, JsonValue] = field(default=EMPTY, kw_only=True)


@dataclass(frozen=True, slots=True)
class EmbeddedResource:
    """A resource carried whole: either `text` or `blob` (base64).

    Args:
        uri: where it comes from.
        text: its text, or None.
        blob: its bytes as base64, or None.
        mime_type: its media type, where known.
        extra: further wire fields, kept as they came.
        resource_extra: further wire fields of the resource itself (`_meta`, ...), as they came.

    Example:
        >>> EmbeddedResource("note://1", text="bread").text
        'bread'
    """

    uri: str
    text: str | None = None
    blob: str | None = None
    mime_type: str | None = None
    extra: Mapping[str, JsonValue] = field(default=EMPTY, kw_only=True)
    resource_extra: Mapping[str, JsonValue] = field(default=EMPTY, kw_only=True)


@dataclass(frozen=True, slots=True)
class Other:
    """A block of a kind that Toolroll does not know, kept as it came.

    Args:
        raw: the block as JSON.

    Example:
        >>> Other({"type": "hologram", "seed": 7}).raw["seed"]
        7
    """

    raw: JsonObject


Content: TypeAlias = Text | Image | Audio | ResourceLink | EmbeddedResource | Other
"""One block of a result."""
