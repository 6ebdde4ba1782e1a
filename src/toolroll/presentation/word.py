"""Text as search terms: names in any style, folded letters, English endings.

A *word* is what stands between separators and changes of case: `createIssue`, `create-issue`,
`create.issue` and `CREATE_ISSUE` have the same two. A *term* is a word without its ending.
"""

import re
import unicodedata

_RUN = re.compile(r"[^\W_]+")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_VOWEL = re.compile(r"[aeiouy]")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")
"""Kana and Han, which write no spaces between words."""

_FILLERS = """
    a about all also am an and any are as at be been but by can could did do does for from had
    has have how i if in into is it its just like me my need of on or our please shall should
    so some than that the their them then there these they this those to us want was we were
    what when where which who will with would you your
"""
FILLERS = frozenset(_FILLERS.split())
"""English words that say nothing of a tool, except in its name (`turn_on`)."""


def fold(text: str) -> str:
    """Take off accents and width, keep the case: `Crème ①` becomes `Creme 1`."""
    if text.isascii():
        return text
    spread = unicodedata.normalize("NFKD", text)
    return unicodedata.normalize("NFC", "".join(c for c in spread if not unicodedata.combining(c)))


def words_of_run(run: str) -> tuple[str, ...]:
    """The words of letters and digits that stand together, and the run as one word.

    Args:
        run: folded letters and digits without a separator between.

    Example:
        >>> words_of_run("createIssue"), words_of_run("HTTPServer2"), words_of_run("plain")
        (('create', 'issue', 'createissue'), ('http', 'server', '2', 'httpserver2'), ('plain',))
    """
    if not run.isascii():
        return tuple(_words_beyond_ascii(run))
    parts = [part.lower() for part in _PART.findall(run)]
    return (*parts, run.lower()) if len(parts) > 1 else (run.lower(),)


def _words_beyond_ascii(run: str) -> list[str]:
    """Kana and Han give pairs of neighbours; anything else is one word, camel case apart."""
    found: list[str] = []
    end = 0
    for match in _UNSPACED.finditer(run):
        found.extend(_cased(run[end : match.start()]))
        text = match.group()
        found.extend([text] if len(text) == 1 else [text[i : i + 2] for i in range(len(text) - 1)])
        end = match.end()
    found.extend(_cased(run[end:]))
    return found


def _cased(run: str) -> list[str]:
    parts: list[str] = []
    start = 0
    for at in range(1, len(run)):
        if (run[at - 1].islower() and run[at].isupper()) or run[at - 1].isdigit() != run[
            at
        ].isdigit():
            parts.append(run[start:at].casefold())
            start = at
    parts.append(run[start:].casefold())
    whole = run.casefold()
    return [part for part in ([*parts, whole] if len(parts) > 1 else [whole]) if part]


def runs(text: str) -> list[str]:
    """The runs of letters and digits of a text, folded, in order."""
    return _RUN.findall(fold(text))


def words(text: str) -> list[str]:
    """The words of a text in order.

    Example:
        >>> words("list_issues for GitHub")
        ['list', 'issues', 'for', 'git', 'hub', 'github']
    """
    return [word for run in runs(text) for word in words_of_run(run)]


def spelled(text: str) -> str:
    """A name without style, to compare two spellings.

    Example:
        >>> spelled("createIssue") == spelled("create-issue") == spelled("Create Issue")
        True
    """
    return "".join(runs(text)).casefold()


def stem(word: str) -> str:
    """Take an English ending off.

    Example:
        >>> [stem(word) for word in ("repositories", "created", "create", "listing", "string")]
        ['repository', 'creat', 'creat', 'list', 'string']
    """
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    if word.endswith("ies"):
        word = word[:-3] + "y"
    elif word.endswith("s") and word[-2] not in "su":
        word = word[:-1]
    for ending in ("ing", "ed"):
        if (
            word.endswith(ending)
            and len(word) - len(ending) > 2
            and _VOWEL.search(word[: -len(ending)])
        ):
            word = word[: -len(ending)]
            if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            break
    return word[:-1] if len(word) > 3 and word.endswith("e") else word
