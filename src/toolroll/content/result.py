"""What a tool answers: blocks for the model, data for programs."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from toolroll.content.block import Content, Text
from toolroll.content.json_text import compact_json
from toolroll.content.json_value import EMPTY, JsonValue
from toolroll.content.open_form import open_form


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The answer of one run.

    Args:
        content: blocks in the order the model reads them.
        data: the same facts as one JSON value, for programs; None where there is none.
        is_error: the tool ran and says that it failed. It becomes `Failed(code="tool-error")`.
        meta: wire metadata (`_meta`), kept as it came.

    Example:
        >>> ToolResult(content=(Text("2 notes"),), data={"count": 2}).text
        '2 notes'
    """

    content: tuple[Content, ...] = ()
    data: JsonValue = None
    is_error: bool = False
    meta: Mapping[str, JsonValue] = field(default=EMPTY, kw_only=True)

    @property
    def text(self) -> str:
        """The text blocks joined by newlines; other blocks are passed over."""
        return "\n".join(block.text for block in self.content if isinstance(block, Text))

    def for_model(self) -> list[Content]:
        """The blocks a model reads: text *or* data, never both.

        A text block stands for the data. Without one, the data is written as compact JSON before
        the other blocks.
        """
        if self.data is None or any(isinstance(block, Text) for block in self.content):
            return list(self.content)
        return [Text(compact_json(self.data)), *self.content]


_Text = open_form(Text)
_ToolResult = open_form(ToolResult)


def text_result(text: str) -> ToolResult:
    """The result of one text, made quickly.

    Example:
        >>> text_result("2 notes") == ToolResult((Text("2 notes"),))
        True
    """
    block = _Text()
    block.text = text
    block.extra = EMPTY
    block.__class__ = Text
    result = _ToolResult()
    result.content = (block,)
    result.data = None
    result.is_error = False
    result.meta = EMPTY
    result.__class__ = ToolResult
    return result
