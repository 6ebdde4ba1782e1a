"""What is printed: data on standard output, all else on standard error.

Colour only on a terminal and not with `NO_COLOR`. Foreign text is cleaned before it is shown.
"""

import json
import sys
from functools import cache

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from toolroll.content import Audio, Content, Image, JsonValue, Text, content_to_json
from toolroll.outcome import Note, Report
from toolroll.text import json_for_terminal, sanitize_line, sanitize_text

_PIECE = 32_768

_UNBOUNDED = 1_000_000
"""Columns where nobody looks: a line of a pipe is never broken."""


class _Console(Console):
    """A console that leaves a reader who went away to the command; rich would end the process."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


@cache
def console() -> Console:
    """Standard output."""
    return _Console(highlight=False, width=None if sys.stdout.isatty() else _UNBOUNDED)


@cache
def error_console() -> Console:
    """Standard error."""
    width = None if sys.stderr.isatty() else _UNBOUNDED
    return _Console(stderr=True, highlight=False, width=width)


def print_json(value: JsonValue) -> None:
    """Print a JSON value, indented; hidden characters, and those the output cannot say, escaped."""
    text = json.dumps(value, indent=2, ensure_ascii=not _says_everything(sys.stdout.encoding))
    write_out(f"{json_for_terminal(text)}\n")


def _says_everything(encoding: str | None) -> bool:
    """Whether an encoding has all characters; a stream in memory has none and takes them all."""
    return encoding is None or encoding.lower().replace("_", "-").startswith("utf")


def write_out(text: str) -> None:
    """Write to standard output, piece by piece.

    One large write to a pipe whose reader goes away in the middle ends without an error in
    CPython; the next piece gets it.

    Raises:
        BrokenPipeError: the reader is gone.
    """
    for begin in range(0, len(text), _PIECE):
        sys.stdout.write(text[begin : begin + _PIECE])
        sys.stdout.flush()


def print_blocks(blocks: list[Content]) -> None:
    """Print what a model would read; pictures and sounds are told of on standard error."""
    media = 0
    for block in blocks:
        match block:
            case Text(text=text):
                write_out(f"{sanitize_text(text)}\n")
            case Image() | Audio():
                media += 1
            case other:
                print_json(content_to_json(other))
    if media:
        say(f"{media} picture(s) or sound(s) are not shown; use --json")


def say(message: str) -> None:
    """Tell something that is not data."""
    error_console().print(escape(sanitize_text(message)), style="dim")


def print_report(report: Report) -> None:
    """Tell what was left out or changed, a line each."""
    for note in report.notes:
        error_console().print(_note_line(note))


def _note_line(note: Note) -> str:
    subject = (
        f"{note.source}/{note.subject}"
        if note.source and note.source != note.subject
        else note.subject
    )
    return f"[yellow]{note.kind}[/] {clean(subject)}: [dim]{clean(note.reason)}[/]"


def clean(text: str) -> str:
    """A foreign text as one line that no terminal and no markup acts on."""
    return escape(sanitize_line(text))


def table(*columns: str) -> Table:
    """A table in the house style."""
    made = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        # A name is never cut: it is what is typed next.
        made.add_column(
            column,
            overflow="fold",
            no_wrap=column not in ("description", "type"),
            justify="right" if column == "bytes" else "left",
        )
    return made
