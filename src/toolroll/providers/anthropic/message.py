"""Messages of Anthropic as the API takes them: roles, contents.

Source: Anthropic API reference, messages; error texts "messages.0.role: Input should be 'user' or
'assistant'", "messages.0.content: Input should be a valid list".
"""

from collections.abc import Iterator

from toolroll.content import JsonObject, JsonValue
from toolroll.providers.json_form import objects_at, text_at
from toolroll.providers.speaking import Fitting, parts_of, speaker_of, words_in

_ROLES = ("user", "assistant", "system")
SERVED = ("server_tool_use", "mcp_tool_use")
"""Blocks that use a tool which the provider runs."""

OF_MODEL = ("tool_use", *SERVED, "thinking", "redacted_thinking")
"""Blocks that the model alone has, beside results of what it used."""

_TEXTS = frozenset({"input_text", "output_text", ""})
"""Types of texts elsewhere; and of a text that says none."""


def fitted(message: JsonObject, index: int) -> Fitting:
    """The message with a role and a content that the API knows.

    Example:
        >>> fitted({"role": "model", "content": {"text": "hi"}}, 0).message
        {'role': 'assistant', 'content': [{'type': 'text', 'text': 'hi'}]}
    """
    fitting = Fitting(message, index)
    blocks = objects_at(message, "content")
    said = "assistant" if any(text_at(block, "type") in OF_MODEL for block in blocks) else ""
    fitting.speak_as(speaker_of(message, _ROLES, model="assistant", by_content=said))
    held = message.get("content")
    if held is not None and not isinstance(held, str):
        fitting.say("content", list(fitting_blocks(held)))
    return fitting


def _text(text: str) -> JsonObject:
    return {"type": "text", "text": text}


def fitting_blocks(held: JsonValue) -> Iterator[JsonValue]:
    """The blocks of a content, as the API takes them; an empty one for what says nothing."""
    for block in parts_of(held, _text):
        kind, text = text_at(block, "type"), words_in(block)
        if kind not in (*_TEXTS, "text") or (kind, block.get("text")) == ("text", text):
            yield block
        else:
            yield {} if text is None else _text(text)  # who writes an empty one tells of it
