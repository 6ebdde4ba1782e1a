"""Refusals as tab-separated rows: the text form for hosts that print, and its reader.

Source: the context tools contract, "refusal text": one row for code and message, then one row for
each line of advice.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from toolroll.outcome.error import REFUSED
from toolroll.outcome.issue import Issue
from toolroll.outcome.union import BadOutcome, InvalidInput, Refused

_BREAKS_AND_TABS = re.compile(r"[\t\r\n]+")
_BREAKS = re.compile(r"[\r\n]+")
_MARK = "refused"


@dataclass(frozen=True, slots=True)
class ParsedRefusal:
    """What `parse_refusal_body` read.

    Args:
        code, message: of the first row.
        lines: the advice, a row each.

    Example:
        >>> parse_refusal_body("refused\\tgone\\tIt is gone.")
        ParsedRefusal(code='gone', message='It is gone.', lines=())
    """

    code: str
    message: str
    lines: tuple[str, ...]


def field(value: object) -> str:
    """Make a value safe for one field of a row: each run of tabs and line breaks becomes a space.

    Example:
        >>> field("a\\tb\\r\\nc")
        'a b c'
    """
    return _BREAKS_AND_TABS.sub(" ", str(value))


def _filled(value: str, instead: str) -> str:
    """A field that may not be blank, or the row would not read back."""
    written = field(value)
    return written if written.strip() else instead


def refusal_rows(code: str, message: str, lines: Iterable[str] = ()) -> str:
    """Write a refusal without the mark in front; advice keeps its tabs.

    Example:
        >>> refusal_rows("c", "m", ["x\\ty"])
        'c\\tm\\nx\\ty'

    Args:
        code: kebab-case; `refused` if blank.
        message: the sentence; that of `refused` if blank.
        lines: advice, a row each.
    """
    return "\n".join(
        (
            f"{_filled(code, _MARK)}\t{_filled(message, REFUSED)}",
            *(_BREAKS.sub(" ", line) for line in lines),
        )
    )


def refusal_body(code: str, message: str, lines: Iterable[str] = ()) -> str:
    """Write a refusal with `refused` as its first field.

    Example:
        >>> refusal_body("a\\tb", "m\\r\\nn", ["x\\ty\\nz"])
        'refused\\ta b\\tm n\\nx\\ty z'

    Args:
        code: kebab-case; `refused` if blank.
        message: the sentence; that of `refused` if blank.
        lines: advice, a row each.
    """
    return f"{_MARK}\t{refusal_rows(code, message, lines)}"


def parse_refusal_body(text: str) -> ParsedRefusal | None:
    """Read what either writer wrote; None for other text.

    Without the mark any row of two fields reads as a refusal: a known ambiguity of the form.

    Args:
        text: any text.

    Example:
        >>> parse_refusal_body("gone\\tIt is gone.\\nread it again").lines
        ('read it again',)
        >>> parse_refusal_body("hello") is None
        True
    """
    rows = [row for row in text.split("\n") if row.strip()]
    if not rows:
        return None
    parts = rows[0].split("\t")
    if parts[0] == _MARK:
        parts = parts[1:]
    if len(parts) < 2 or not parts[0] or not parts[1]:  # code and message
        return None
    return ParsedRefusal(parts[0], parts[1], tuple(rows[1:]))


def rows_of(outcome: BadOutcome, fields: Sequence[str] = ()) -> str:
    """Write a bad outcome in the row form.

    Args:
        outcome: any bad outcome; bad arguments are told by their first issue.
        fields: the tool's properties in declared order, for the advice of bad arguments.

    Example:
        >>> rows_of(InvalidInput(code="bad-arguments", message="It has to be n."), ["n"])
        'refused\\tbad-arguments\\tIt has to be n.\\nfields\\tn'
    """
    if isinstance(outcome, InvalidInput):
        message = field_message(outcome.issues[0]) if outcome.issues else outcome.message
        return refusal_body(outcome.code, message, ["\t".join(("fields", *map(field, fields)))])
    return refusal_body(
        outcome.code, outcome.message, outcome.lines if isinstance(outcome, Refused) else ()
    )


def field_message(issue: Issue) -> str:
    """One issue as a sentence about a field: the path stands in front unless the field's name is a
    word of the problem already.

    Example:
        >>> field_message(Issue("/title", "too small"))
        'title: too small'
        >>> field_message(Issue("/text", "it needs text"))
        'it needs text'
        >>> field_message(Issue("/text", "context missing"))
        'text: context missing'
    """
    path = [part.replace("~1", "/").replace("~0", "~") for part in issue.pointer.split("/")[1:]]
    if not path:
        return issue.problem
    if re.search(rf"(^|[^\w-]){re.escape(path[-1])}(?![\w-])", issue.problem):
        return issue.problem
    return f"{'.'.join(path)}: {issue.problem}"
