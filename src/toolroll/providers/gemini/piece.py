"""Arguments that Gemini streams in pieces, each with the path of its place.

Source: Gemini API reference, `PartialArg.jsonPath` (RFC 9535).
"""

import itertools
import re
from typing import cast

from toolroll.content import JsonObject, JsonValue
from toolroll.providers.json_form import text_at
from toolroll.schema.plain import copied

_STEP = re.compile(r"""\.([^.\[\]]+)|\[(\d{1,6})\]|\[(?:'([^']*)'|"([^"]*)")\]""")
_VALUES = ("stringValue", "numberValue", "boolValue", "nullValue")
_MOST_ITEMS = 10_000
_MOST_STEPS = 100


class PiecedArguments:
    """The arguments of one call while they arrive.

    Example:
        >>> arguments = PiecedArguments({})
        >>> arguments.add({"jsonPath": "$.city", "stringValue": "Bo", "willContinue": True})
        >>> arguments.add({"jsonPath": "$.city", "stringValue": "ston"})
        >>> arguments.value()
        {'city': 'Boston'}
    """

    __slots__ = ("_path", "_rest", "_value")

    def __init__(self, begun: JsonObject) -> None:
        self._value = cast("dict[str, JsonValue]", copied({**begun}))
        self._path = ""
        self._rest: list[str] = []

    def add(self, piece: JsonObject) -> None:
        """Take the next piece."""
        path = text_at(piece, "jsonPath") or text_at(piece, "json_path")
        value = _value(piece)
        if isinstance(value, str) and path == self._path:
            self._rest.append(value)  # joined once: a text may come in very many pieces
            return
        self._join()
        _set(self._value, path, value)
        self._path = path if isinstance(value, str) else ""

    def value(self) -> dict[str, JsonValue]:
        """All that came. It grows on with the next piece."""
        self._join()
        return self._value

    def _join(self) -> None:
        if self._rest:
            _set(self._value, self._path, "".join(self._rest))
            self._rest = []


def _set(arguments: dict[str, JsonValue], path: str, value: JsonValue) -> None:
    """Put a value where its path leads; a text that goes on is joined."""
    steps = _steps(path)
    if not steps:
        return
    holder: dict[str, JsonValue] | list[JsonValue] = arguments
    for step, after in itertools.pairwise(steps):
        fresh: JsonValue = [] if isinstance(after, int) else {}
        held = _held(holder, step)
        inner = held if isinstance(held, (dict, list)) else fresh
        _put(holder, step, inner)
        holder = inner
    before = _held(holder, steps[-1])
    if isinstance(before, str) and isinstance(value, str):
        value = before + value
    _put(holder, steps[-1], value)


def _steps(path: str) -> list[str | int]:
    steps: list[str | int] = []
    for name, index, single, double in _STEP.findall(path)[:_MOST_STEPS]:
        steps.append(int(index) if index else name or single or double)
    return steps


def _held(holder: dict[str, JsonValue] | list[JsonValue], step: str | int) -> JsonValue:
    if isinstance(holder, dict):
        return holder.get(str(step))
    return holder[step] if isinstance(step, int) and step < len(holder) else None


def _put(holder: dict[str, JsonValue] | list[JsonValue], step: str | int, value: JsonValue) -> None:
    if isinstance(holder, dict):
        holder[str(step)] = value
    elif isinstance(step, int) and step < _MOST_ITEMS:
        holder.extend([None] * (step + 1 - len(holder)))
        holder[step] = value


def _value(piece: JsonObject) -> JsonValue:
    for key in _VALUES:
        snake = re.sub("V", "_v", key)
        if key in piece or snake in piece:
            value = piece.get(key, piece.get(snake))
            if key == "nullValue":
                return None
            whole = isinstance(value, float) and value.is_integer()
            return int(cast("float", value)) if whole else value
    return ""
