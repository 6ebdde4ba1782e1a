"""What a handler answers, held to what can be written: JSON, known blocks, encodable text."""

import json
from dataclasses import replace
from typing import cast, get_args

from toolroll.content import Content, JsonValue, Text, ToolResult, compact_json, result_to_json
from toolroll.outcome import OutcomeError
from toolroll.schema.limit import DEFAULT_LIMITS
from toolroll.schema.plain import fresh, is_plain
from toolroll.schema.writer import own_data

_BLOCKS = get_args(Content)
_DEPTH = DEFAULT_LIMITS.value_depth


def encodable(text: str) -> str:
    r"""The text, with `\ufffd` for halves of surrogate pairs, which no encoding can write.

    Example:
        >>> encodable("a\ud800b")
        'a\ufffdb'
    """
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def all_ascii(result: ToolResult) -> bool:
    """Whether all texts are plain ASCII, as most are: then nothing in them can be unencodable."""
    for block in result.content:
        if block.__class__ is not Text:
            return False
        text = cast("Text", block).text
        if text.__class__ is not str or not text.isascii():
            return False
    return True


def sound(
    result: ToolResult, *, counted: bool, handed_over: bool = False
) -> tuple[ToolResult, int | None]:
    """The result a handler made itself, if it can be written as JSON, with data of its own: the
    handler may go on with what it gave.

    Args:
        result: what came back.
        counted: the size of its data will be asked for.
        handed_over: its data is nobody else's, as that of an answer read by a source; no copy is
            made.

    Returns:
        The result, and characters of its data as compact JSON where they were counted.

    Raises:
        OutcomeError: `invalid-result`: a block of no kind, a value that is no JSON.
    """
    content, meta = result.content, result.meta
    try:
        if handed_over:
            data, size = result.data, _size(result.data)
        else:
            data, size = _owned(result.data, counted=counted)
        if content != () or meta:
            content = tuple(map(_encodable, content))
            compact_json(result_to_json(replace(result, content=content, data=None))).encode()
    except (TypeError, ValueError, RecursionError, AttributeError) as error:
        raise OutcomeError(
            "failed",
            "invalid-result",
            "The tool ran, but its result cannot be used: it is no JSON.",
            detail=f"{type(error).__name__}: {error}",
        ) from error
    return ToolResult(content, data, result.is_error, meta=fresh(meta)), size


def _size(data: JsonValue) -> int:
    text = "" if data is None else compact_json(data)
    text.encode()
    return len(text)


def _owned(data: JsonValue, *, counted: bool) -> tuple[JsonValue, int | None]:
    if data is None:
        return None, 0
    if not counted and is_plain(data, _DEPTH):
        return own_data(data), None
    text = compact_json(data)
    text.encode()
    return json.loads(text), len(text)  # written already, it is read faster than it is copied


def _encodable(block: Content) -> Content:
    if not isinstance(cast("object", block), _BLOCKS):
        raise TypeError(f"{type(block).__name__} is no content block")
    if not isinstance(block, Text):
        return block
    clean = encodable(block.text)
    return block if clean is block.text else replace(block, text=clean)
