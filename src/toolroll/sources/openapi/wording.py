"""The words of a document: said once, without addresses, and cut where that was asked for."""

import re
from collections import Counter

from toolroll.content import JsonValue
from toolroll.outcome import Note
from toolroll.sources.openapi.document import Document, as_object, as_text
from toolroll.sources.openapi.link import folded, without_addresses
from toolroll.text import clean_text

_END = re.compile(r"(?<!\be\.g)(?<!\bi\.e)(?<!\betc)[.!?][\"'`*)]{0,3}(?=\s)|\n\s{0,9}\n")
_WORD = re.compile(r"[^\W_]+")
_SMALL = frozenset(
    {"a", "all", "an", "and", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"}
)


class Wording:
    """How the words of one document become those of its tools.

    Args:
        document: whose summaries are names that a text may point to.
        limit: most characters of a description, None for all.
        links: addresses of links stay, and sentences that only point to a page.
    """

    def __init__(self, document: Document, *, limit: int | None, links: bool) -> None:
        self._limit = limit
        self._links = links
        self._summaries = frozenset[str]() if links else _summaries(document)
        self.removed: Counter[str] = Counter()
        """What was taken out of texts that nobody sees, by kind."""
        self._cut = 0
        self._pointers: Counter[str] = Counter()

    def text(self, said: JsonValue) -> str:
        """A title or description without what nobody sees and, unless asked for, addresses."""
        cleaned = clean_text(as_text(said))
        self.removed.update(cleaned.removed)
        text = cleaned.text.strip()
        if not self._links:
            text = without_addresses(text, self._summaries, self._pointers)
        if self._limit is None:
            return text
        short = shortened(text, self._limit)
        self._cut += len(short) < len(text)
        return short

    def notes(self) -> list[Note]:
        """What the texts do without."""
        notes: list[Note] = []
        if links := self._pointers["links"]:
            what = f"addresses taken out: {links:,}"
            if sentences := self._pointers["sentences"]:
                what += f"; sentences left out that only point to a page: {sentences:,}"
            notes.append(Note("cut", "links", f"{what}; links=True keeps them"))
        if self._cut:
            notes.append(Note("cut", "descriptions", f"{self._cut:,} are cut, as was asked for"))
        return notes


def _summaries(document: Document) -> frozenset[str]:
    """The summaries of all operations, as `folded` writes them: names of other tools."""
    found = {
        folded(as_text((as_object(operation) or {}).get("summary")))
        for item in (as_object(document.raw.get("paths")) or {}).values()
        for operation in (as_object(item) or {}).values()
    }
    return frozenset(found - {""})


def shortened(text: str, most: int) -> str:
    """A text of at most `most` characters: its first whole sentences where one fits.

    A text whose first sentence is too long, or far too short to be all there is, ends within a
    sentence, with an ellipsis.

    Example:
        >>> shortened("The page. See paging, please. More.", 24)
        'The page.'
        >>> shortened("The names of all branches of this repository.", 24)
        'The names of all…'
    """
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
