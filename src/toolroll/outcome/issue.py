"""What is wrong with an input, what was put right, and what was left out: three small records."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Issue:
    """One fault of an input.

    Args:
        pointer: JSON pointer (RFC 6901) of the place; "" is the root.
        problem: the fault in words, without the place, e.g. `must be integer`.
        missing: names of required properties that are absent, when that is the fault.
        keyword: the schema keyword that failed (`type`, `required`, ...), "" where there is none.

    Example:
        >>> Issue("/a~1b", "must be integer").pointer
        '/a~1b'
    """

    pointer: str
    problem: str
    missing: tuple[str, ...] = ()
    keyword: str = ""


@dataclass(frozen=True, slots=True)
class Repair:
    """One thing that was put right on the way from the model's text to the checked input.

    Args:
        kind: what was done, from the table in the docs, e.g. `closed_string`, `drop_null`.
        pointer: JSON pointer of the value, "" where the text itself was repaired.
        at: offset in the text, in code points; None for a repair by schema.
        was: what stood there before, where that helps (the old key of a `rename_key`).

    Example:
        >>> Repair("rename_key", "/page_size", was="pageSize").was
        'pageSize'
    """

    kind: str
    pointer: str = ""
    at: int | None = None
    was: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """One thing a person should know: left out, renamed, lost, cut, blocked.

    Args:
        kind: `skipped`, `renamed`, `lost`, `cut`, `blocked`, `warning`, ...
        subject: what it is about: a tool, an operation, a file key.
        reason: why, in one sentence.
        source: the source it came from, "" where there is none.

    Example:
        >>> Note("skipped", "get_page", "its name is taken", "wiki").subject
        'get_page'
    """

    kind: str
    subject: str
    reason: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """All notes of one step; reports add up.

    Args:
        notes: in the order they were made.

    Example:
        >>> cut, skipped = Note("cut", "a", "too long"), Note("skipped", "b", "no name")
        >>> both = Report((cut,)) + Report((skipped,))
        >>> [note.subject for note in both.of_kind("skipped")]
        ['b']
    """

    notes: tuple[Note, ...] = ()

    def __add__(self, other: "Report") -> "Report":
        return Report(self.notes + other.notes) if other.notes else self

    def __bool__(self) -> bool:
        return bool(self.notes)

    def of_kind(self, *kinds: str) -> tuple[Note, ...]:
        """The notes of these kinds, in order."""
        return tuple(note for note in self.notes if note.kind in kinds)

    @staticmethod
    def of(notes: Iterable[Note]) -> "Report":
        """A report of these notes."""
        return Report(tuple(notes))
