"""Words for explanations, and the texts of a result."""

from collections.abc import Iterable, Mapping

from toolroll.content import JsonValue, Text, ToolResult
from toolroll.testing.judging import described

_SHOWN = 200


def strings_of(result: ToolResult) -> list[str]:
    """Every text of a result: its text blocks, and every string of its data."""
    texts = [block.text for block in result.content if isinstance(block, Text)]
    return [*texts, *_strings([result.data])]


def _strings(values: Iterable[JsonValue]) -> Iterable[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            yield from _strings(value.values())
        elif isinstance(value, (list, tuple)):
            yield from _strings(value)


def shown(value: object) -> str:
    """A value in an explanation, cut."""
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def not_ours(error: BaseException) -> str:
    """Why an error is none that a source may raise."""
    return f"{described(error)}; a source raises SourceError and nothing else"
