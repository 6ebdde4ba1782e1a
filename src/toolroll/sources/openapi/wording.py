"""The words of a document: said once, and cut where that was asked for."""

import re

_LINK = re.compile(r"!?\[([^\[\]]{0,300})\]\([^()\s]{1,2000}(?:[ \n]\"[^\"\n]{0,300}\")?\)")
_END = re.compile(r"(?<!\be\.g)(?<!\bi\.e)(?<!\betc)[.!?][\"'`*)]{0,3}(?=\s)|\n\s{0,9}\n")
_WORD = re.compile(r"[^\W_]+")
_SMALL = frozenset(
    {"a", "all", "an", "and", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"}
)


def shortened(text: str, most: int) -> str:
    """A text of at most `most` characters: its first whole sentences where one fits.

    The addresses of Markdown links go first; their words stay. A text whose first sentence is too
    long, or far too short to be all there is, ends within a sentence, with an ellipsis.

    Example:
        >>> shortened("The page. See [paging](https://docs.test/paging), please. More.", 24)
        'The page.'
        >>> shortened("The names of all branches of this repository.", 24)
        'The names of all…'
    """
    text = _LINK.sub(r"\1", text)
    if len(text) <= most:
        return text
    ends = [found.end() for found in _END.finditer(text, 0, most + 1) if found.end() <= most]
    if ends and ends[-1] * 3 >= most:
        return text[: ends[-1]].rstrip()
    words = text[:most].rpartition(" ")[0].rstrip()
    return f"{words if len(words) * 2 >= most else text[: most - 1].rstrip()}…"


def restates(described: str, summary: str) -> bool:
    """Whether the first sentence of a description has every word of its summary.

    Example:
        >>> restates("Lists all branches of a repository. Sorted.", "List branches of a repository")
        True
    """
    if described.startswith(summary):
        return True
    end = _END.search(described, 0, 1000)
    words = _stems(summary)
    return bool(words) and words <= _stems(described[: end.end() if end else 1000])


def _stems(text: str) -> set[str]:
    words = {word.lower() for word in _WORD.findall(text)} - _SMALL
    return {word.removesuffix("s") for word in words}
