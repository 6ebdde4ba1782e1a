"""Messages among the items of responses as the API takes them: roles, contents.

Source: error texts "Invalid value: 'text'. Supported values are: 'input_text', 'input_image',
'output_text', 'refusal', ...", "Invalid value: 'input_text'. Supported values are: 'output_text'
and 'refusal'".
"""

from collections.abc import Iterator, Mapping

from toolroll.content import JsonObject, JsonValue
from toolroll.providers.json_form import object_at, objects_at, text_at
from toolroll.providers.speaking import Fitting, parts_of, speaker_of, words_in

_ROLES = ("system", "developer", "user", "assistant")
_TEXTS = frozenset({"text", "input_text", "output_text", ""})
"""Types of texts, whoever speaks; and of a text that says none."""


def fitted(item: JsonObject, index: int) -> Fitting:
    """The item; a message with a role and a content that the API knows.

    Example:
        >>> fitted({"role": "model", "content": [{"type": "text", "text": "hi"}]}, 0).message
        {'role': 'assistant', 'content': [{'type': 'output_text', 'text': 'hi'}]}
    """
    fitting = Fitting(item, index)
    if item.get("type") not in (None, "", "message"):
        return fitting
    parts = objects_at(item, "content")
    said = "assistant" if any(part.get("type") == "output_text" for part in parts) else ""
    role = speaker_of(item, _ROLES, model="assistant", by_content=said)
    fitting.speak_as(role)
    held = item.get("content")
    if held is not None and not isinstance(held, str):
        fitting.say("content", list(fitting_parts(held, role)), plain=True)
    return fitting


def fitting_parts(held: JsonValue, role: str) -> Iterator[JsonValue]:
    """The parts of a content, as the API takes them from the role."""
    own = "output_text" if role == "assistant" else "input_text"
    for part in parts_of(held, lambda text: {"type": own, "text": text}):
        kind = text_at(part, "type")
        if kind == "refusal" and own == "input_text":
            yield {"type": own, "text": text_at(part, "refusal")}
        elif kind == "image_url" and isinstance(part.get("image_url"), Mapping):
            image = object_at(part, "image_url")
            yield {"type": "input_image", "detail": "auto", "image_url": text_at(image, "url")}
        elif kind not in _TEXTS:
            yield part
        elif (text := words_in(part)) is not None:
            kept: JsonObject = part if part.get("text") == text else {}
            yield {**kept, "type": own, "text": text}
