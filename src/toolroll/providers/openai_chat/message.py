"""Messages of chat completions as the API takes them: roles, contents, names.

Source: error texts "Invalid value: 'phase'. Supported values are: 'system', 'assistant', 'user',
'function', 'tool', and 'developer'", "Invalid type for 'messages[0].content': expected one of a
string or array of objects", "empty array. Expected an array with minimum length 1".
"""

from collections.abc import Iterator

from toolroll.content import JsonObject, JsonValue
from toolroll.providers.json_form import text_at
from toolroll.providers.speaking import Fitting, fitting_name, parts_of, speaker_of, words_in

_ROLES = ("system", "developer", "user", "assistant", "tool", "function")
_FIELDS = {"tool_calls": "assistant", "function_call": "assistant", "tool_call_id": "tool"}
"""Field -> who alone has it."""

_TEXTS = frozenset({"input_text", "output_text", ""})
"""Types of texts elsewhere; and of a text that says none."""


def fitted(message: JsonObject, index: int) -> Fitting:
    """The message with a role and a content that the API knows.

    Example:
        >>> fitted({"role": "phase", "content": ["two", 2]}, 0).message["content"]
        [{'type': 'text', 'text': 'two'}, {'type': 'text', 'text': '2'}]
    """
    fitting = Fitting(message, index)
    said = next((role for field, role in _FIELDS.items() if message.get(field)), "")
    role = speaker_of(message, _ROLES, model="assistant", by_content=said)
    fitting.speak_as(role)
    held = message.get("content")
    if held is not None and not isinstance(held, str):
        fitting.say("content", list(_fitting_parts(held, role)), plain=True)
    name = text_at(message, "name")
    if role not in ("tool", "function") and name != fitting_name(name):
        fitting.put("name", fitting_name(name), f"the API does not take the name {name!r}")
    return fitting


def text_part(text: str) -> JsonObject:
    """A part that says a text."""
    return {"type": "text", "text": text}


def _fitting_parts(held: JsonValue, role: str) -> Iterator[JsonValue]:
    for part in parts_of(held, text_part):
        kind = text_at(part, "type")
        if kind == "refusal" and role != "assistant":
            yield text_part(text_at(part, "refusal"))
        elif kind not in (*_TEXTS, "text"):
            yield part
        elif (text := words_in(part)) is not None:
            yield part if (kind, part.get("text")) == ("text", text) else text_part(text)
