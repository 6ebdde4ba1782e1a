"""The tables of the store, for SQLite and PostgreSQL alike.

JSON is kept as text: what was written is what is read, byte by byte, on both.
A change here needs a migration (`migrations/versions`) and a new `HEAD`.
"""

from sqlalchemy import (
    BigInteger,
    Column,
    Double,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    literal_column,
)

HEAD = "1"
"""The newest migration this code knows."""

VERSION_TABLE = "toolroll_version"

_BIG = BigInteger().with_variant(Integer(), "sqlite")
"""In SQLite only INTEGER is the row's own number."""

metadata = MetaData()


def _text(name: str) -> Column[str]:
    return Column(name, Text, nullable=False, server_default="")


journal = Table(
    "toolroll_journal",
    metadata,
    Column("number", _BIG, primary_key=True, autoincrement=True),
    Column("event", Text, nullable=False),
    Column("call_id", Text, nullable=False),
    Column("time", Double, nullable=False),
    Column("tool", Text, nullable=False),
    _text("source"),
    _text("parent"),
    _text("principal"),
    _text("tenant"),
    _text("fingerprint"),
    _text("digest"),
    _text("outcome"),
    _text("code"),
    Column("duration", Double),
    Column("input", Text),
    Column("domain", Text),
    Column("owner", BigInteger),
    Column("run", BigInteger),
    Column("open", Integer),
)
"""Every record. `owner` and `run` are the same in a begin and its finish; `open` is 1 in a begin
without one, and the finish takes it away: so there is one of each."""

IS_OPEN = journal.c.open == literal_column("1")
IS_UNKNOWN = journal.c.outcome == literal_column("'unknown'")
"""Literals, not parameters: only so does SQLite use the indexes below."""

Index("toolroll_journal_time", journal.c.time)
for _name, _those in (("open", IS_OPEN), ("unknown", IS_UNKNOWN)):
    # Few rows at any time, so that a call costs no more however many there were.
    Index(
        f"toolroll_journal_{_name}",
        journal.c.owner,
        journal.c.run,
        sqlite_where=_those,
        postgresql_where=_those,
    )

owner = Table(
    "toolroll_owner",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    _text("machine"),
    Column("process", BigInteger, nullable=False),
    _text("started"),
    Column("beat", Double, nullable=False),
)
"""Processes with begins of their own, and when each was last heard of."""

approval = Table(
    "toolroll_approval",
    metadata,
    Column("binding", Text, primary_key=True),
    Column("status", Text, nullable=False),
    Column("request", Text, nullable=False),
    Column("asked", Double, nullable=False),
    Column("expires", Double, nullable=False),
    _text("answered_by"),
    Column("answered", Double),
)
"""Questions, by what they are about."""

approval_id = Table(
    "toolroll_approval_id",
    metadata,
    Column("id", Text, primary_key=True),
    Column("binding", Text, nullable=False),
)
"""The ids that name a question."""

Index("toolroll_approval_id_binding", approval_id.c.binding)

catalog = Table(
    "toolroll_catalog",
    metadata,
    Column("source", Text, primary_key=True),
    _text("origin"),
    Column("tools", Text, nullable=False),
    Column("saved", Double, nullable=False),
)
"""The definitions of each source, as JSON."""
