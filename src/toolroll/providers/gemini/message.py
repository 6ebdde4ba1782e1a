"""Contents of Gemini as the API takes them: roles, parts.

Source: Gemini API reference, `Content`; error texts "Please use a valid role: user, model",
"required oneof field 'data' must have one initialized field".
"""

from toolroll.content import JsonObject, JsonValue
from toolroll.providers.json_form import objects_at
from toolroll.providers.speaking import Fitting, parts_of, speaker_of, words_in

_ROLES = ("user", "model", "function", "tool", "system")
_MODEL = ("functionCall", "function_call", "executableCode", "thought")
"""Fields of parts that the model alone has."""


def fitted(content: JsonObject, index: int) -> Fitting:
    """The content with a role that the API knows, where it has one, and with parts.

    Example:
        >>> fitted({"role": "assistant", "parts": ["hi"]}, 0).message
        {'role': 'model', 'parts': [{'text': 'hi'}]}
    """
    fitting = Fitting(content, index)
    said = any(field in part for part in objects_at(content, "parts") for field in _MODEL)
    role = speaker_of(content, _ROLES, model="model", by_content="model" if said else "")
    if content.get("role") is not None or role != "user":  # the user's may stand without one
        fitting.speak_as(role)
    held = content.get("parts")
    if held is None and content.get("content"):
        held = content.get("content")
        rest = {key: each for key, each in fitting.message.items() if key != "content"}
        fitting.message = rest
    if held is not None:
        fitting.say("parts", [_fitting(part) for part in parts_of(held, _text)])
    return fitting


def _text(text: str) -> JsonObject:
    return {"text": text}


def _fitting(part: JsonObject) -> JsonValue:
    """The part; a text of other providers, which say its type or more than words, as a text."""
    if part.get("text") is None:
        return {} if part.keys() <= {"type", "text"} else part
    text = words_in(part)
    if text is None or ("type" not in part and text == part.get("text")):
        return part
    return _text(text)
