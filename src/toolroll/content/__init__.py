"""Content of results: blocks, data and their JSON form."""

from toolroll.content.block import (
    Audio,
    Content,
    EmbeddedResource,
    Image,
    Other,
    ResourceLink,
    Text,
)
from toolroll.content.json_text import canonical_json, compact_json
from toolroll.content.json_value import JsonObject, JsonScalar, JsonValue
from toolroll.content.result import ToolResult
from toolroll.content.wire import (
    content_from_json,
    content_to_json,
    result_from_json,
    result_to_json,
)

__all__ = [
    "Audio",
    "Content",
    "EmbeddedResource",
    "Image",
    "JsonObject",
    "JsonScalar",
    "JsonValue",
    "Other",
    "ResourceLink",
    "Text",
    "ToolResult",
    "canonical_json",
    "compact_json",
    "content_from_json",
    "content_to_json",
    "result_from_json",
    "result_to_json",
]
