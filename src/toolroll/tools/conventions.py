"""Conventions that tools share, so that models meet the same words everywhere.

Writes that cannot lose: a tool takes the `revision` it has seen and refuses, in the same step as
the write, when the thing has another one by now. With `dry_run` it checks everything and writes
nothing; a dry run is a preview, not a safety measure: approval is asked all the same.
"""

from collections.abc import Sequence, Sized
from typing import Final, cast

from toolroll.schema.marker import BlankIsAbsent, Required
from toolroll.text import sanitize_line

REVISION_FIELD: Final = "revision"
"""Name of the parameter that carries the revision the caller has seen."""

DRY_RUN_FIELD: Final = "dry_run"
"""Name of the parameter that asks for a preview."""

DRY_RUN_PREVIEW: Final = (
    "Check everything and write nothing. A call that would be refused is refused here too."
)
"""Description for that parameter."""


def or_note(lines: Sequence[str], note: str) -> list[str]:
    r"""The lines, or one row `note<TAB>NOTE` where there are none.

    Example:
        >>> or_note([], "no notes yet"), or_note(["a"], "no notes yet")
        (['note\tno notes yet'], ['a'])
    """
    return list(lines) or [f"note\t{sanitize_line(note)}"]


def length_of(value: object) -> int:
    """Length of a text in code points, or of a list; 0 for anything else.

    For messages that say how long an input is. Code points are what `maxLength` counts (JSON
    Schema 2020-12, validation, 6.3.1).

    Example:
        >>> length_of("abc"), length_of([1, 2]), length_of(7), length_of(None)
        (3, 2, 0, 0)
    """
    return len(cast("Sized", value)) if isinstance(value, str | list | tuple) else 0


__all__ = [
    "DRY_RUN_FIELD",
    "DRY_RUN_PREVIEW",
    "REVISION_FIELD",
    "BlankIsAbsent",
    "Required",
    "length_of",
    "or_note",
]
