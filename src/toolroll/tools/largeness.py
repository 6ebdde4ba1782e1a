"""The cap of a result: how much text and data may go back to a model."""

import dataclasses
from typing import Literal

from toolroll.content import Content, Text, ToolResult, compact_json
from toolroll.outcome import OutcomeError


def size_of(result: ToolResult, data: int | None = None) -> int:
    """Characters of all texts and of the data as compact JSON (`data` if known); not of media."""
    size = 0
    for block in result.content:
        if isinstance(block, Text):
            size += len(block.text)
    if data is None:
        data = 0 if result.data is None else len(compact_json(result.data))
    return size + data


def cap(
    result: ToolResult, limit: int, large: Literal["fail", "cut"], data: int | None = None
) -> ToolResult:
    """Hold a result to `limit` characters of text and data. Media is never cut.

    Args:
        result: the result.
        limit: most characters.
        large: what happens above it.
        data: characters of its data as compact JSON, where they have been counted already.

    Raises:
        OutcomeError: `result-too-large`, with `large="fail"`.

    Example:
        >>> cap(ToolResult(content=(Text("x" * 900),)), 200, "cut").text[:3]
        'xxx'
    """
    size = size_of(result, data)
    if size <= limit:
        return result
    if large == "fail":
        raise OutcomeError(
            "failed",
            "result-too-large",
            f"The result has {size:,} characters, the limit is {limit:,}. Ask for less.",
        )
    return _cut(result, limit)


def _cut(result: ToolResult, limit: int) -> ToolResult:
    """Keep the text within the limit; data that does not fit becomes text, then head and tail."""
    left = limit
    blocks: list[Content] = []
    for block in result.for_model():
        if not isinstance(block, Text):
            blocks.append(block)
        elif left > 0:
            shown = head_and_tail(block.text, left)
            blocks.append(Text(shown, extra=block.extra))
            left -= len(block.text)
    data = (
        result.data if result.data is not None and len(compact_json(result.data)) <= limit else None
    )
    return dataclasses.replace(result, content=tuple(blocks), data=data)


def head_and_tail(text: str, limit: int) -> str:
    """The text, or its head and tail with a line between that says what was left out."""
    if len(text) <= limit:
        return text
    return ends_within(text, text, f"{len(text):,} characters", limit)


def ends_within(head: str, tail: str, size: str, limit: int) -> str:
    """The beginning of `head`, a line that says the whole size, and the end of `tail`."""
    notice = f"\n[... {size}, the middle is left out; ask for less ...]\n"
    room = max(limit - len(notice), 0)
    first = room * 2 // 3
    last = room - first
    return head[:first] + notice + (tail[-last:] if last else "")
