"""Who speaks in a message, and what: read whatever stands there.

Providers refuse a whole request for a role or a content they do not know. What a host keeps beside
that (events of its own, roles of another provider, texts where lists belong) still says something.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import cast

from toolroll.content import JsonObject, JsonValue
from toolroll.outcome import Note
from toolroll.providers.json_form import text_at
from toolroll.providers.reading import call_text
from toolroll.providers.turn import Part, Role, Turn

_MODEL = frozenset({"assistant", "model", "ai", "bot", "chatbot", "gpt", "agent"})
_SYSTEM = frozenset({"system", "developer"})
_NO_NAME = re.compile(r"[\s<|\\/>]")
_LONGEST_NAME = 64


def mapping(value: JsonObject, what: str) -> JsonObject:
    """The value, which is a mapping.

    Raises:
        TypeError: it is none, as the objects of SDKs are.

    Example:
        >>> mapping({"role": "user"}, "messages[0]")
        {'role': 'user'}
    """
    if not isinstance(cast("object", value), Mapping):
        raise TypeError(
            f"{what} is a {type(value).__name__}, not a mapping; give what its "
            "model_dump(by_alias=True, exclude_none=True) gives"
        )
    return value


def speaker_of(
    message: JsonObject, taken: Collection[str], *, model: str, by_content: str = ""
) -> str:
    """The role of a message, as its provider takes it.

    Args:
        message: of a history.
        taken: roles the provider takes.
        model: what it calls the model.
        by_content: role of who alone says such things; "" where anybody may say them.

    Returns:
        The role itself where the provider takes it. Else who says such things, or whom the name
        means; the user where neither says anything.

    Example:
        >>> taken = ("user", "model")
        >>> for role in ("assistant", "phase", "User", None):
        ...     print(speaker_of({"role": role}, taken, model="model"))
        model
        user
        user
        user
    """
    said = message.get("role")
    if isinstance(said, str) and said in taken:
        return said
    meant = said.strip().lower() if isinstance(said, str) else ""
    if by_content or meant in taken:
        return by_content or meant
    if meant in _MODEL:
        return model
    return "system" if meant in _SYSTEM and "system" in taken else "user"


def parts_of(held: JsonValue, as_part: Callable[[str], JsonObject]) -> Iterator[JsonObject]:
    """The parts of a content, whatever stands there; an empty one for what says nothing.

    Args:
        held: the content.
        as_part: a text -> the part that says it.

    Example:
        >>> list(parts_of(["a", {"text": "b"}, 5], lambda text: {"text": text}))
        [{'text': 'a'}, {'text': 'b'}, {'text': '5'}]
    """
    for each in held if isinstance(held, (list, tuple)) else (held,):
        if isinstance(each, Mapping):
            yield cast("JsonObject", each)
        elif each is None or each == "":
            yield {}
        else:
            yield as_part(each if isinstance(each, str) else call_text(cast("JsonValue", each)))


def words_in(part: JsonObject) -> str | None:
    """What a part says that is a text, whatever stands in it; None where it says nothing.

    Example:
        >>> words_in({"text": "a"}), words_in({"text": {"value": "b"}}), words_in({"text": None})
        ('a', '{"value":"b"}', None)
    """
    if not part:
        return None
    said = part.get("text", part)
    return said if said is None or isinstance(said, str) else call_text(said)


def fitting_name(name: str) -> str:
    """The name of a speaker as OpenAI takes it.

    Source: error text "does not match the pattern '^[^\\s<|\\\\/>]+$'".

    Example:
        >>> fitting_name("Ann Lee")
        'Ann_Lee'
    """
    return _NO_NAME.sub("_", name)[:_LONGEST_NAME]


class Fitting:
    """One message while it is made fitting, with what is told of it.

    Example:
        >>> fitting = Fitting({"role": "phase", "content": "two"}, 3)
        >>> fitting.put("role", "user", "the role 'phase' is no role")
        >>> fitting.message, [note.subject for note in fitting.notes]
        ({'role': 'user', 'content': 'two'}, ['messages[3]'])
    """

    def __init__(self, message: JsonObject, index: int) -> None:
        self.message = message
        self.notes: list[Note] = []
        self._index, self._where = index, f"messages[{index}]"

    def put(self, field: str, value: JsonValue, reason: str) -> None:
        """Change a field, and tell of it."""
        self.message = {**self.message, field: value}
        self.notes.append(Note("repaired", self._where, reason))

    def speak_as(self, role: str) -> None:
        """Give the message its role."""
        if role != self.message.get("role"):
            said = text_at(self.message, "role")
            known = f"{said!r} is no role of this provider" if said else "a message needs a role"
            self.put("role", role, f"{known}: it is said as {role!r} now")

    def say(self, field: str, parts: list[JsonValue], *, plain: bool = False) -> None:
        """Give the message its parts where it has others.

        Args:
            field: that holds them.
            parts: as the provider takes them.
            plain: an empty text stands where there are none.
        """
        said: JsonValue = parts or ("" if plain else [])
        if said != self.message.get(field):
            self.put(field, said, f"its {field} had a form that the provider refuses")

    def turn(self, role: Role, parts: tuple[Part, ...], provider: str) -> Turn:
        """The turn that this message alone is, of its provider."""
        return Turn(
            role=role,
            parts=parts,
            index=self._index,
            raw=(self.message,),
            provider=provider,
            notes=tuple(self.notes),
        )
