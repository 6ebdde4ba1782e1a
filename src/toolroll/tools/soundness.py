"""What a handler answers, held to what can be written: JSON, known blocks, encodable text."""

from dataclasses import replace
from typing import cast, get_args

from toolroll.content import Content, Text, ToolResult, compact_json, result_to_json
from toolroll.outcome import OutcomeError

_BLOCKS = get_args(Content)


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


def sound(result: ToolResult) -> tuple[ToolResult, int]:
    """The result a handler made itself, if it can be written as JSON, and the size of its data.

    Raises:
        OutcomeError: `invalid-result`: a block of no kind, a value that is no JSON.
    """
    try:
        data = "" if result.data is None else compact_json(result.data)
        data.encode()
        if result.content != () or result.meta:
            result = replace(result, content=tuple(map(_encodable, result.content)))
            compact_json(result_to_json(replace(result, data=None))).encode()
    except (TypeError, ValueError, RecursionError, AttributeError) as error:
        raise OutcomeError(
            "failed",
            "invalid-result",
            "The tool ran, but its result cannot be used: it is no JSON.",
            detail=f"{type(error).__name__}: {error}",
        ) from error
    return result, len(data)


def _encodable(block: Content) -> Content:
    if not isinstance(cast("object", block), _BLOCKS):
        raise TypeError(f"{type(block).__name__} is no content block")
    if not isinstance(block, Text):
        return block
    clean = encodable(block.text)
    return block if clean is block.text else replace(block, text=clean)
