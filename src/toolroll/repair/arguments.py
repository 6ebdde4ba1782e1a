"""How the arguments text of a model was read."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from toolroll.content import JsonValue
from toolroll.outcome import Repair

ArgumentsStatus: TypeAlias = Literal[
    "complete", "repaired", "concatenated", "truncated", "malformed"
]
"""`complete`: strict JSON. `repaired`: whole after repairs. `concatenated`: several different
objects stood there. `truncated`: cut off. `malformed`: not readable without guessing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arguments:
    """The arguments of a call: the value, and how it was read.

    Args:
        value: the value; an object, or whatever other JSON stood there. `{}` for a blank text,
            `null` and a malformed one.
        status: see `ArgumentsStatus`.
        partial: JSON pointers of values that are cut: a prefix of what was meant.
        repairs: what was put right in the text, in order of place.
        dropped: other objects that stood in the same text (`concatenated`), in order.
        problem: why it is malformed, with line and column; "" otherwise.

    Example:
        >>> from toolroll.repair import read_arguments
        >>> arguments = read_arguments('{"path": "a.txt", "text": "hel')
        >>> arguments.value
        {'path': 'a.txt', 'text': 'hel'}
        >>> arguments.status, arguments.complete, arguments.partial
        ('truncated', False, ('/text',))
    """

    value: JsonValue
    status: ArgumentsStatus = "complete"
    partial: tuple[str, ...] = ()
    repairs: tuple[Repair, ...] = ()
    dropped: tuple[JsonValue, ...] = ()
    problem: str = ""

    @property
    def complete(self) -> bool:
        """Nothing is missing: the text was whole, or whole after repairs."""
        return self.status in ("complete", "repaired")
