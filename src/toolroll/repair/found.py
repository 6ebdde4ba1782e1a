"""The objects found in one text: empty and equal ones beside others do not count."""

import json
from typing import TypeAlias

from toolroll.content import JsonValue

Root: TypeAlias = tuple[JsonValue, int, bool]
"""An object, array or scalar that stood in the text: its value, its offset, whether it is cut."""


class Found:
    """Objects in the order of the text.

    Args:
        roots: those that count: different from each other, none empty but a cut one.
        empty: the first empty one, where no other came before it.
        count: how many there were, equal and empty ones included.
    """

    __slots__ = ("_seen", "count", "empty", "roots")

    def __init__(self) -> None:
        self.roots: list[Root] = []
        self.empty: Root | None = None
        self.count = 0
        self._seen: set[str] | None = None  # the objects so far, as text, when there are several

    def take(self, value: JsonValue, at: int, *, same: bool = False) -> tuple[str, int] | None:
        """Take one that is whole.

        Args:
            value: the object or array.
            at: where it begins.
            same: it is known to be the same as the one before.

        Returns:
            The kind and the place of the repair, if one is left out for it.
        """
        self.count += 1
        root = (value, at, False)
        if not value:
            if self.roots:
                return "empty_object", at
            if self.empty is not None:
                return "same_object", at
            self.empty = root
            return None
        if same or not self._is_new(value):
            return "same_object", at
        before = self.empty if not self.roots else None
        self.roots.append(root)
        return ("empty_object", before[1]) if before is not None else None

    def _is_new(self, value: JsonValue) -> bool:
        """Whether no object before is the same, to the types of its numbers."""
        if not self.roots:
            return True
        if self._seen is None:
            self._seen = {json.dumps(self.roots[0][0], sort_keys=True)}
        before = len(self._seen)
        self._seen.add(json.dumps(value, sort_keys=True))
        return len(self._seen) > before
