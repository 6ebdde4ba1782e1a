r"""What a description says of other pages: the words of its links stay, their addresses go.

An address costs a model a hundred characters and leads it nowhere: no tool here opens it. A
sentence that only points to a page says nothing without it.

Source: CommonMark 0.31, "Links" (inline links) and "Code spans"; RFC 2606 for `example.` names.
"""

import re
from collections import Counter
from collections.abc import Collection

_LINK = re.compile(
    r"(?P<code>```[^`]{0,2000}```|`[^`\n]{0,300}`)"
    r"|!?\[(?P<words>[^\[\]\n]{0,200}(?:\n[^\[\]\n]{1,200})?)\]"
    r"\((?!https?://(?:www\.)?example\.)(?=[^()\s]{0,200}[/#.:@])"
    r"[^()\s]{1,2000}(?:\([^()\s]{0,200}\)[^()\s]{0,200})?(?:[ \n]\"[^\"\n]{0,300}\")?\)"
    r"|<a\s[^<>]{0,2000}>(?P<html>[^<>]{1,300})</a>",
    re.IGNORECASE,
)

_ONE = "[\"'“*_]{0,3}\x01[^\x01\x02]{1,400}\x02[.]?[\"'”*_]{0,3}"
_ARTICLE = r"(?:(?:the|our|this|these|its|following)\s+){0,2}"
_OF = (
    r"(?:\s+(?:in|on|of|from)\s+(?:the\s+|our\s+)?(?:[A-Z][\w-]{0,40}\s+){0,4}"
    r"(?:documentation|docs|guides?|pages?|site|website|blog))?"
    r"(?:\s+(?:documentation|docs|guides?|pages?|sections?|articles?|reference))?"
)
_LINKS = f"{_ARTICLE}{_ONE}{_OF}(?:(?:,?\\s+(?:and|or)|,)\\s+{_ARTICLE}{_ONE}{_OF}){{0,6}}"
_TOPIC = "(?:[^.!?\n\x01\x02]|\n(?![ \t]*[\n>*-])){0,160}?"
_MORE = r"(?:more|further|additional|detailed)\s+(?:information|details|info)\b"
_SEE = r",?\s*(?:please\s+)?(?:see(?:\s+also)?|refer\s+to|check(?:\s+out)?|visit|read)\s*:?\s+"
_AHEAD = (
    f"(?:For\\s+{_MORE}{_TOPIC}{_SEE}"
    r"|(?:To\s+learn|Learn|Read|Find\s+out)\s+more"
    f"(?:{_SEE}|\\s+(?:about|on|at|in|from)\\s+{_TOPIC}(?:{_SEE})?|:\\s+)"
    r"|(?:Please\s+)?(?:See(?:\s+also)?|Refer\s+to):?\s+)"
)
_BARE = "[\"'*_]{0,3}\x01(?:Learn|Read|See|Find out) more[^\x01\x02]{0,100}\x02[\"'*_]{0,3}"
_END = (
    r"(?:\.(?=\s|\Z)|(?<=\.[\"'”])|(?<=\.\x02)"
    r"|(?=[ \t]{0,9}(?:\n[ \t]{0,9}[\n>#*-]|\n?\Z)))"
)
_POINTER = re.compile(
    "(?:\\A|(?<=\n)|(?<=[.!?])|(?<=[.!?][\"'”)*_\x02]))[ \t\n]{0,9}"
    f"(?:{_AHEAD}{_LINKS}(?:\\s+for\\s+{_MORE}{_TOPIC})?|{_BARE}){_END}"
)
"""A sentence that says nothing but where more is to be read; its links stand in marks."""

_MARKED = re.compile("\x01([^\x01\x02]*)\x02")


def without_addresses(text: str, kept: Collection[str], removed: Counter[str]) -> str:
    """A text whose links are their words; sentences that only point to a page are left out.

    What stands in code is not touched, nor a link whose address is an example. A text that is
    nothing but such sentences keeps them.

    Args:
        text: cleaned of control characters.
        kept: what `folded` makes of words that say something as the name of a link, such as the
            summaries of other operations.
        removed: counts what goes: `links` and `sentences`.

    Example:
        >>> gone = Counter()
        >>> said = "The [page](https://a.test/page). For more, see `[a](b.md)`. See [A](/a)."
        >>> without_addresses(said, (), gone), dict(gone)
        ('The page. For more, see `[a](b.md)`.', {'links': 2, 'sentences': 1})
    """
    if "](" not in text and "</a>" not in text:
        return text
    marked = _LINK.sub(_words, text)
    links = marked.count("\x01")
    if not links:
        return text
    sentences = 0

    def said(found: re.Match[str]) -> str:
        nonlocal sentences
        if any(folded(words) in kept for words in _MARKED.findall(found[0])):
            return found[0]
        sentences += 1
        return ""

    short = _POINTER.sub(said, marked)
    if not short.strip():
        short, sentences = marked, 0
    removed["links"] += links
    removed["sentences"] += sentences
    return _MARKED.sub(r"\1", short).strip()


def folded(words: str) -> str:
    """Words as they are compared: without case, quotes and line breaks."""
    return " ".join(words.split()).strip("\"'`.").casefold()


def _words(found: re.Match[str]) -> str:
    words = found["words"] or found["html"]
    if found["code"] is not None or not words or not words.strip():
        return found[0]
    return f"\x01{words}\x02"
