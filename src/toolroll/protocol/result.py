"""Results of `tools/call` and outcomes, as MCP has them.

Source: MCP 2026-07-28, server/tools, "Tool Result", and basic, "Results".
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from toolroll.content import (
    Audio,
    Content,
    EmbeddedResource,
    JsonObject,
    JsonValue,
    Other,
    ResourceLink,
    Text,
    ToolResult,
    compact_json,
    content_from_json,
    content_to_json,
)
from toolroll.outcome import Answer, Outcome
from toolroll.protocol.field import as_object, list_of, object_of
from toolroll.protocol.meta import SERVER_INFO_KEY
from toolroll.protocol.version import MODERN, features_of

ResultType: TypeAlias = Literal["complete", "input_required"]
"""The kinds of result of the core protocol."""

UNKNOWN_FIELDS = "toolroll/unknownFields"
"""Key of a result's `meta`: what a server sent beside the fields that the protocol has."""

_COMPLETE: ResultType = "complete"
_LINK_FIELDS = {"name": str, "title": str, "description": str, "mimeType": str, "size": int}
_RESOURCE_FIELDS = {"mimeType": str, "text": str, "blob": str}
_FIELDS = frozenset({"_meta", "content", "isError", "resultType", "structuredContent"})


def result_type_of(result: JsonObject) -> ResultType | None:
    """The type of a result, `complete` where it does not say; None for one that must be refused.

    Example:
        >>> result_type_of({}), result_type_of({"resultType": "weird"})
        ('complete', None)
    """
    match result.get("resultType", _COMPLETE):
        case "complete":
            return "complete"
        case "input_required":
            return "input_required"
        case _:
            return None


def write_result(
    result: ToolResult, *, structured: bool = False, version: str = MODERN
) -> dict[str, JsonValue]:
    """Write what a tool answered.

    Args:
        result: the answer.
        structured: the tool declares an output schema, so the data goes along as
            `structuredContent`, where the version can say it. The blocks repeat it for clients
            that do not read it.
        version: of the protocol; blocks it does not know become text.

    Example:
        >>> write_result(ToolResult(data={"n": 1}), structured=True)["structuredContent"]
        {'n': 1}
    """
    features = features_of(version)
    written: dict[str, JsonValue] = {
        "content": [content_to_json(_known_block(block, version)) for block in result.for_model()]
    }
    fits = features.any_data or (features.titles and isinstance(result.data, Mapping))
    if structured and fits and not result.is_error and result.data is not None:
        written["structuredContent"] = result.data
    if result.is_error:
        written["isError"] = True
    if result.meta:
        written["_meta"] = dict(result.meta)
    return complete_result(written, version=version)


def write_outcome(
    outcome: Outcome, *, structured: bool = False, version: str = MODERN
) -> dict[str, JsonValue]:
    """Write an outcome as a result: every bad one is `isError` with what the model reads.

    Args:
        outcome: what the call came to.
        structured: the data go into `structuredContent` too.
        version: of the protocol that the client speaks.

    Example:
        >>> from toolroll.outcome import Refused
        >>> written = write_outcome(Refused(code="refused", message="not today"))
        >>> written["isError"], written["content"]
        (True, [{'type': 'text', 'text': 'not today'}])
    """
    if isinstance(outcome, Answer):
        return write_result(outcome.result, structured=structured, version=version)
    blocks = tuple(outcome.for_model())
    return write_result(ToolResult(content=blocks, is_error=True), version=version)


def complete_result(result: JsonObject, *, version: str = MODERN) -> dict[str, JsonValue]:
    """A result with `resultType: complete`, where the version has it.

    Args:
        result: not changed.
        version: of the protocol that the client speaks.

    Example:
        >>> complete_result({"tools": []}), complete_result({}, version="2025-11-25")
        ({'resultType': 'complete', 'tools': []}, {})
    """
    head = {"resultType": _COMPLETE} if features_of(version).result_type else {}
    return {**head, **result}


def read_result(result: JsonObject) -> ToolResult:
    r"""Read what a tool answered; never fails, unknown blocks are kept as `Other`.

    Structured content becomes the data. Text that merely repeats it is dropped, so that a model
    reads the facts once; text that says something else stays, behind the data as text. Fields that
    the protocol does not have are kept in `meta`, under `UNKNOWN_FIELDS`; the server's name, which
    goes with every modern answer, is left out.

    Example:
        >>> text = {"type": "text", "text": '{"t": 21}'}
        >>> read_result({"content": [text], "structuredContent": {"t": 21}})
        ToolResult(content=(), data={'t': 21}, is_error=False, meta={})
    """
    blocks = tuple(
        _stray(item) if (block := as_object(item)) is None else content_from_json(block)
        for item in list_of(result.get("content"))
    )
    data = result.get("structuredContent")
    is_error = result.get("isError") is True
    if data is not None and not is_error:
        blocks = _beside(data, blocks)
    return ToolResult(
        content=blocks,
        data=data,
        is_error=is_error,
        meta=_meta_of(result),
    )


def _meta_of(result: JsonObject) -> JsonObject:
    meta, unknown = object_of(result, "_meta"), result.keys() - _FIELDS
    if not unknown and SERVER_INFO_KEY not in meta:
        return meta
    kept = {key: value for key, value in meta.items() if key != SERVER_INFO_KEY}
    if unknown:
        kept[UNKNOWN_FIELDS] = {key: result[key] for key in result if key in unknown}
    return kept


def _beside(data: JsonValue, blocks: Sequence[Content]) -> tuple[Content, ...]:
    """The blocks that say something else than the data; with text among them, the data leads."""
    texts = [block.text for block in blocks if isinstance(block, Text)]
    if _repeat(data, texts):
        return tuple(block for block in blocks if not isinstance(block, Text))
    return (Text(compact_json(data)), *blocks)


def _repeat(data: JsonValue, texts: Sequence[str]) -> bool:
    """Whether texts are the data again: as JSON, as its words, or item by item.

    A server that must send an object often wraps a value as `{"result": value}`; its text is then
    the value alone.
    """
    values = [data]
    wrapper = as_object(data)
    if wrapper is not None and len(wrapper) == 1:
        values.extend(wrapper.values())
    said = [text for text in texts if text.strip()]
    return not said or any(
        (len(said) == 1 and _says(said[0], value))
        or (isinstance(value, list) and _says_each(said, value))
        for value in values
    )


def _says_each(texts: Sequence[str], values: Sequence[JsonValue]) -> bool:
    return len(texts) == len(values) and all(map(_says, texts, values))


def _says(text: str, value: JsonValue) -> bool:
    if isinstance(value, str) and text.strip() == value.strip():
        return True
    try:
        return bool(json.loads(text) == value)
    except (ValueError, RecursionError):
        return False


def _known_block(block: Content, version: str) -> Content:
    """The block itself, or a text in its place where the version has no such block."""
    features = features_of(version)
    if isinstance(block, ResourceLink) and not features.titles:
        return Text(" ".join(filter(None, (block.name, f"<{block.uri}>", block.description))))
    if isinstance(block, Audio) and not features.audio:
        return Text(f"[audio {block.mime_type}, {len(block.data) * 3 // 4} bytes]")
    if isinstance(block, Other):
        return Text(compact_json(block.raw))
    if isinstance(block, ResourceLink) and block.extra:
        return replace(block, extra=_of_kind(block.extra, _LINK_FIELDS))
    if isinstance(block, EmbeddedResource) and block.resource_extra:
        return replace(block, resource_extra=_of_kind(block.resource_extra, _RESOURCE_FIELDS))
    return block


def _of_kind(extra: JsonObject, fields: Mapping[str, type]) -> JsonObject:
    """Without fields of the block that are of another kind: a client would refuse all for one."""
    return {
        key: value
        for key, value in extra.items()
        if key not in fields or type(value) is fields[key]
    }


def _stray(item: JsonValue) -> Content:
    return Text(item) if isinstance(item, str) else Other({"value": item})
