"""Cleaning of texts that others wrote and a model will read: names, descriptions, schemas.

Text that nobody sees can carry instructions to a model past the person who approves. What has no
business in a description goes, and the answer says what went.

Sources: Unicode Technical Standard 51 (emoji: joiner, tag and presentation sequences), Unicode
Technical Report 36 (security), the standardised and ideographic variation sequences.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from toolroll.text.character import BIDI, JOINER, SELECTOR, SEPARATOR, SURROGATE
from toolroll.text.line import join_surrogates
from toolroll.text.terminal import remove_escapes

REMOVALS: Mapping[str, str] = {
    "escape": "terminal escape sequences",
    "control": "control characters (C0 but tab and line feed, DEL, C1)",
    "bidi": "marks that change the direction of text",
    "tag": "Unicode tag characters, an invisible copy of ASCII; kept in the flag of a region",
    "selector": "variation selectors that select nothing; kept behind a character with variants",
    "joiner": "zero-width joiners and non-joiners; kept where they join letters or emoji",
    "invisible": "zero-width spaces, fillers, soft hyphens and other characters without a shape",
    "surrogate": "halves of a surrogate pair, which no UTF-8 can hold; U+FFFD stands for each",
    "separator": "line and paragraph separators; a line feed stands for each",
}
"""What `clean_text` takes out: kind and meaning. The docs print this table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleaned:
    """A cleaned text.

    Args:
        text: what is left.
        removed: how many of each kind of `REMOVALS` went; empty when nothing did.

    Example:
        >>> clean_text("safe\\u202e").removed
        {'bidi': 1}
    """

    text: str
    removed: Mapping[str, int] = field(default_factory=dict[str, int])

    @property
    def summary(self) -> str:
        r"""What went, in words for a report; "" when nothing did.

        Example:
            >>> clean_text("a\u202eb\u200bc\u200b").summary
            'removed 1 bidi, 2 invisible'
        """
        return (
            "removed " + ", ".join(f"{n} {kind}" for kind, n in self.removed.items())
            if self.removed
            else ""
        )


_LINE_END = re.compile("\r\n?")
_INVISIBLE = (
    "\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b\\u2060-\\u2065\\u3164\\ufeff\\uffa0"
    "\\ufff0-\\ufffb\\U0001bca0-\\U0001bca3\\U0001d173-\\U0001d17a"
)
_TAG = "\\U000e0000-\\U000e00ff"
# A region's flag: a black flag, 3 to 6 tag letters or digits, the cancel tag (UTS 51, ED-14a).
_FLAG = "(?<=\\U0001f3f4)[\\U000e0030-\\U000e0039\\U000e0061-\\U000e007a]{3,6}\\U000e007f"

_SUSPECT = re.compile(
    f"(?P<flag>{_FLAG})|(?P<control>[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f])|(?P<bidi>[{BIDI}])"
    f"|(?P<tag>[{_TAG}])|(?P<selector>[{SELECTOR}])|(?P<joiner>[{JOINER}])"
    f"|(?P<invisible>[{_INVISIBLE}\\U000e01f0-\\U000e0fff])|(?P<separator>[{SEPARATOR}])"
)
_SURROGATES = re.compile(f"[{SURROGATE}]")
_UNCLEAN = re.compile(
    f"[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f{BIDI}{SELECTOR}{JOINER}{SEPARATOR}{SURROGATE}{_INVISIBLE}"
    "\\U000e0000-\\U000e0fff]"
)


def clean_text(text: str) -> Cleaned:
    r"""Take out of a text what a person does not see and a model may read.

    Line ends become LF; visible characters, tabs and line feeds are never touched. The time is
    linear in the length of the text.

    Args:
        text: a description, a title, a name or any other text of a definition.

    Returns:
        The text, and how many of each kind went.

    Example:
        >>> cleaned = clean_text("Reads a file.\U000e0061\U000e0062\u200b")
        >>> cleaned.text, dict(cleaned.removed)
        ('Reads a file.', {'tag': 2, 'invisible': 1})
    """
    if _UNCLEAN.search(text) is None:
        return Cleaned(text=text)
    counts = dict.fromkeys(REMOVALS, 0)
    text = _LINE_END.sub("\n", text)
    text, counts["escape"] = remove_escapes(text)
    halves = len(_SURROGATES.findall(text))
    if halves:
        joined = join_surrogates(text)
        counts["surrogate"] = halves - 2 * (len(text) - len(joined))
        text = joined
    text = _SUSPECT.sub(_decide(text, counts), text)
    return Cleaned(text=text, removed={kind: count for kind, count in counts.items() if count})


def _decide(text: str, counts: dict[str, int]) -> Callable[[re.Match[str]], str]:
    def decide(found: re.Match[str]) -> str:
        kind = found.lastgroup or ""
        character, at = found.group(), found.start()
        if kind == "flag":
            return character
        if kind == "selector" and _selects(text, at):
            return character
        if kind == "joiner" and _joins(text, at):
            return character
        counts[kind] += 1
        return "\n" if kind == "separator" else ""

    return decide


def _selects(text: str, at: int) -> bool:
    """Does the selector at this place stand behind a character that has variants?"""
    selector = text[at]
    base = text[at - 1] if at else ""
    if not base:
        return False
    if "\u180b" <= selector <= "\u180f":
        return "\u1820" <= base <= "\u18aa"
    if selector >= "\U000e0100":
        return _is_ideograph(base)
    if selector >= "\ufe0e":  # text or emoji presentation
        return base in "#*0123456789\u203c\u2049\u303d\u3030" or unicodedata.category(base) in (
            "So",
            "Sm",
            "Sk",
        )
    return _is_ideograph(base) or unicodedata.category(base) == "Sm" or "\u1000" <= base <= "\u109f"


def _joins(text: str, at: int) -> bool:
    """Does the joiner at this place stand between letters of a script that needs it, or emoji?"""
    before = text[at - 1] if at else ""
    after = text[at + 1] if at + 1 < len(text) else ""
    if before == "\ufe0f" and at > 1:
        before = text[at - 2]
    if not before:
        return False
    if _is_joining_letter(before):
        # Behind a vowel sign or virama it also stands at the end of a word.
        return _is_joining_letter(after) or unicodedata.category(before) in ("Mn", "Mc")
    return bool(after) and _is_pictograph(before) and _is_pictograph(after)


def _is_joining_letter(character: str) -> bool:
    """A letter or mark of the scripts from Hebrew to Vedic, or of their later blocks."""
    if not (
        "\u0590" <= character < "\u1d00"
        or "\ua800" <= character < "\uac00"
        or "\ufb1d" <= character < "\ufe00"
        or "\ufe70" <= character < "\ufeff"
        or "\U00010a00" <= character < "\U00012000"
    ):
        return False
    return unicodedata.category(character)[0] in "LM"


def _is_pictograph(character: str) -> bool:
    return unicodedata.category(character) in ("So", "Sk", "Sm")


def _is_ideograph(character: str) -> bool:
    return (
        "\u3400" <= character <= "\u9fff"
        or "\uf900" <= character <= "\ufaff"
        or "\U00020000" <= character < "\U00040000"
    )
