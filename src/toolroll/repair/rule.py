"""How far reading goes: the limits, and what may be put right in strings."""

from dataclasses import dataclass

DEEPEST = 500
"""No limit on depth may be higher: what comes after the reading (writing, checks) is recursive."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingRules:
    r"""The limits of one reading.

    Args:
        depth: how many objects and arrays may stand inside each other, 1 to 500.
        size: how long the text may be, in code points.
        objects: how many objects may stand side by side in one text.
        repairs: how many repairs are listed; beyond that only the first of each further kind.
        heal_unicode: read a literal `\uXXXX` that is left in a string value as that character. Off,
            because in valid JSON it may be meant: source code and patterns hold such escapes.

    Raises:
        ValueError: a limit is out of its range.

    Example:
        >>> ReadingRules(depth=20).size
        5000000
    """

    depth: int = 256
    size: int = 5_000_000
    objects: int = 1_000
    repairs: int = 100
    heal_unicode: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.depth <= DEEPEST:
            raise ValueError(f"depth must be 1 to {DEEPEST}, got {self.depth}")
        if min(self.size, self.objects, self.repairs) < 1:
            raise ValueError("size, objects and repairs must be at least 1")


DEFAULT_RULES = ReadingRules()
"""Depth 256, 5,000,000 code points, 1,000 objects, 100 repairs, strings as they are."""


def may_be_beyond(text: str, rules: ReadingRules) -> bool:
    """Tell whether a text is longer than the limit, or may be nested deeper.

    Example:
        >>> may_be_beyond("[[]]", ReadingRules(depth=1)), may_be_beyond("[[]]", ReadingRules())
        (True, False)
    """
    return len(text) > rules.size or text.count("{") + text.count("[") > rules.depth
