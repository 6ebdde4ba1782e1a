"""Records as columns, and back."""

import math
from dataclasses import dataclass
from operator import attrgetter
from typing import Literal, TypeAlias, cast

from sqlalchemy import RowMapping

from toolroll.ports.journal import JournalEvent, JournalRecord
from toolroll.store.cleaning import (
    LONGEST_TEXT,
    TEXTS,
    Redact,
    kept_domain,
    kept_input,
    read_object,
    storable,
)
from toolroll.store.entry import JournalEntry

Value: TypeAlias = str | float | int | None
Columns: TypeAlias = dict[str, Value]
Role: TypeAlias = Literal["begin", "finish", "other"]

UNKNOWN = "unknown"
"""Outcome of a begin whose end was lost."""

NAMES = ("event", "call_id", "time", *TEXTS[2:], "duration", "input", "domain")
"""The columns of `Row.values`, in the order of the table."""

_texts_of = attrgetter(*TEXTS)
_ROLES: dict[JournalEvent, Role] = {"begun": "begin", "finished": "finish"}


@dataclass(frozen=True, slots=True)
class Row:
    """A record as the values of its columns (`NAMES`); `run` is of the begin it belongs to."""

    role: Role
    values: tuple[Value, ...]
    run: int | None = None

    @property
    def columns(self) -> Columns:
        """The values by their names."""
        return dict(zip(NAMES, self.values, strict=True))

    def of(self, run: int) -> "Row":
        """The same row, of a run."""
        return Row(self.role, self.values, run)


def row_of(record: JournalRecord, redact: Redact | None) -> Row:
    """A record as it is kept.

    Raises:
        StoreError: its input or domain is no JSON.
    """
    texts = cast("tuple[str, ...]", _texts_of(record))
    together = "".join(texts)
    if len(together) > LONGEST_TEXT or not together.isascii() or "\0" in together:
        texts = tuple(map(storable, texts))
    time = record.time if math.isfinite(record.time) else 0.0
    given, domain = kept_input(record, redact), kept_domain(record)
    values = (*texts[:2], time, *texts[2:], record.duration, given, domain)
    return Row(_ROLES.get(record.event, "other"), values)


def entry_of(row: RowMapping) -> JournalEntry:
    """A kept row as an entry."""
    texts = {name: str(row[name]) for name in TEXTS[1:]}
    owner, run = row["owner"], row["run"]
    record = JournalRecord(
        event=cast("JournalEvent", row["event"]),
        time=cast("float", row["time"]),
        duration=cast("float | None", row["duration"]),
        input=read_object(row["input"]),
        domain=read_object(row["domain"]) or {},
        **texts,
    )
    return JournalEntry(
        number=cast("int", row["number"]),
        record=record,
        run="" if run is None else f"{owner}-{run}",
    )


def ended(begun: Columns, now: float, outcome: str, code: str) -> Columns:
    """The finish of a begin whose own never came."""
    end: Columns = {"event": "finished", "time": now, "outcome": outcome, "code": code}
    return {**{name: begun[name] for name in TEXTS}, **end}
