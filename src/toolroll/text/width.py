"""How many cells of a terminal a text takes.

Source: Unicode Standard Annex 11, East Asian Width: wide and fullwidth characters take two cells.
"""

import unicodedata

_ZERO_CATEGORIES = frozenset({"Mn", "Me", "Cf", "Cc", "Zl", "Zp"})
_SOFT_HYPHEN = "\u00ad"


def cell_width(text: str) -> int:
    r"""Count the cells of a text in a terminal: wide characters take two, combining ones none.

    Characters are counted one by one: an emoji made of several joined ones counts as all of them,
    as most terminals draw it.

    Example:
        >>> cell_width("abc"), cell_width("日本"), cell_width("e\u0301")
        (3, 4, 1)
    """
    if text.isascii() and text.isprintable():
        return len(text)
    return sum(map(_cells, text))


def cut_to_width(text: str, cells: int, *, mark: str = "…") -> str:
    """Cut a text so that it takes at most this many cells; what was cut is shown by the mark.

    Args:
        text: one line.
        cells: the room, in terminal cells.
        mark: what stands for the rest; left out where there is no room for it.

    Example:
        >>> cut_to_width("日本語です", 6)
        '日本…'
    """
    if cell_width(text) <= cells:
        return text
    room = cells - cell_width(mark)
    if room < 0:
        room, mark = cells, ""
    used = 0
    for end, character in enumerate(text):
        used += _cells(character)
        if used > room:
            return text[:end] + mark
    return text


def _cells(character: str) -> int:
    if character.isascii():
        return 1 if character.isprintable() else 0
    if unicodedata.east_asian_width(character) in "WF":
        return 2
    if unicodedata.category(character) in _ZERO_CATEGORIES and character != _SOFT_HYPHEN:
        return 0
    # The middle and last letters of a Hangul syllable are drawn into the cells of the first.
    return 0 if "\u1160" <= character <= "\u11ff" else 1
