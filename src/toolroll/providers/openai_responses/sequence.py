"""What the numbers of a stream's events say: one came again, or one is missing.

Source: OpenAI API reference, responses streaming events (`sequence_number`). Some servers number
nothing, all events alike, or in steps of their own: nothing is said of those.
"""

from typing import Literal, TypeAlias

from toolroll.content import JsonObject
from toolroll.providers.json_form import object_at, text_at, whole_at

Standing: TypeAlias = Literal["next", "again", "behind_gap"]

_TRUSTED = 2
"""So many steps of one before a number is believed."""


class Sequence:
    """The numbers so far.

    Example:
        >>> told = Sequence()
        >>> said = [{"sequence_number": number, "delta": "a"} for number in (0, 1, 2, 2, 3, 5)]
        >>> [told.take(event) for event in said]
        ['next', 'next', 'next', 'again', 'next', 'behind_gap']
    """

    __slots__ = ("_last", "_off", "_steps", "_told")

    def __init__(self) -> None:
        self._told: dict[int, int] = {}
        self._last = 0
        self._steps = 0
        self._off = False

    def take(self, event: JsonObject) -> Standing:
        """Where the next event stands."""
        number = whole_at(event, "sequence_number")
        if number is None or self._off:
            return "next"
        mark = hash(
            (
                *(text_at(event, key) for key in ("type", "delta", "item_id")),
                whole_at(event, "output_index"),
                text_at(object_at(event, "item"), "id"),
            )
        )
        trusted = self._steps >= _TRUSTED
        if number in self._told:
            if trusted and self._told[number] == mark:
                return "again"
            self._off = True
            return "next"
        step = number - self._last if self._told else 1
        self._told[number], self._last = mark, number
        if step == 1:
            self._steps += 1
        elif not trusted or step < 0:
            self._off = True
        else:
            return "behind_gap"
        return "next"
