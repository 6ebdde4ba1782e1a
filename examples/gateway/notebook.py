"""A notebook in SQLite as four tools. Writes cannot lose: they carry the revision they have seen.

The file is named by the environment variable NOTEBOOK; without it, `notebook.db` in this folder.
"""

import os
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from toolroll import LocalToolkit, Refusal, tool
from toolroll.tools.conventions import DRY_RUN_PREVIEW, or_note

_TABLES = """
create table if not exists note (
    id integer primary key,
    title text not null unique,
    text text not null,
    revision integer not null
)
"""


class Note(TypedDict):
    """One note."""

    title: str
    text: str
    revision: int


@contextmanager
def _notebook() -> Generator[sqlite3.Connection]:
    path = Path(os.environ.get("NOTEBOOK") or Path(__file__).with_name("notebook.db"))
    with closing(sqlite3.connect(path, timeout=10)) as connection:
        with connection:
            connection.execute(_TABLES)
        with connection:  # commits at the end, rolls back when something is raised
            yield connection


def _revision_of(connection: sqlite3.Connection, title: str) -> int:
    row = connection.execute("select revision from note where title = ?", (title,)).fetchone()
    return int(row[0]) if row else 0


Title = Annotated[str, Field(min_length=1, max_length=80, description="The note's title.")]
Revision = Annotated[
    int, Field(ge=0, description="The revision you have read; 0 for a note that is not there yet.")
]


@tool(effect="read")
def note_list() -> list[str]:
    """List the notes: a row each, with title and revision."""
    with _notebook() as connection:
        rows = connection.execute("select title, revision from note order by title").fetchall()
    return or_note([f"note\t{title}\t{revision}" for title, revision in rows], "no notes yet")


@tool(effect="read")
def note_read(title: Title) -> Note:
    """Read one note."""
    with _notebook() as connection:
        row = connection.execute(
            "select title, text, revision from note where title = ?", (title,)
        ).fetchone()
        if row is None:
            raise Refusal("no-such-note", f"There is no note {title!r}.", _titles(connection))
    return Note(title=row[0], text=row[1], revision=row[2])


@tool(effect="write")
def note_write(
    title: Title,
    text: Annotated[str, Field(max_length=4000, description="The whole new text.")],
    revision: Revision = 0,
    dry_run: Annotated[bool, Field(description=DRY_RUN_PREVIEW)] = False,
) -> list[str]:
    """Write one note: a new one, or the whole text of one that you have read."""
    with _notebook() as connection:
        # One transaction that writes from its start: nobody gets between the look and the write.
        connection.execute("begin immediate")
        current = _revision_of(connection, title)
        if current != revision:
            raise Refusal(
                "rev-conflict",
                f"The note {title!r} is at revision {current}, not {revision}. "
                "Read it and decide again.",
                [f"revision\t{current}"],
            )
        if dry_run:
            return [f"preview\t{title}\t{revision + 1}"]
        connection.execute(
            "insert into note (title, text, revision) values (?, ?, ?) "
            "on conflict (title) do update set text = excluded.text, revision = excluded.revision",
            (title, text, revision + 1),
        )
    return [f"written\t{title}\t{revision + 1}"]


@tool(effect="destructive")
def note_delete(title: Title, revision: Revision) -> list[str]:
    """Delete one note for good."""
    with _notebook() as connection:
        connection.execute("begin immediate")
        current = _revision_of(connection, title)
        if current == 0:
            raise Refusal("no-such-note", f"There is no note {title!r}.", _titles(connection))
        if current != revision:
            raise Refusal(
                "rev-conflict",
                f"The note {title!r} is at revision {current}, not {revision}.",
                [f"revision\t{current}"],
            )
        connection.execute("delete from note where title = ?", (title,))
    return [f"deleted\t{title}"]


def _titles(connection: sqlite3.Connection) -> list[str]:
    rows = connection.execute("select title from note order by title limit 20").fetchall()
    return ["\t".join(("notes", *(row[0] for row in rows)))] if rows else []


kit = LocalToolkit("notes", note_list, note_read, note_write, note_delete)
