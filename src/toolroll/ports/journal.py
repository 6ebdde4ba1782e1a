"""Where calls are recorded."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from toolroll.content import JsonObject, JsonValue

JournalEvent: TypeAlias = Literal["decided", "asked", "answered", "begun", "finished"]

_NOTHING: JsonObject = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalRecord:
    """One line of a journal.

    Args:
        event: `decided` (a policy said no), `asked` and `answered` (approval), `begun` (before the
            run), `finished` (exactly one for each `begun`).
        call_id, parent: ids of the call and of the one it belongs to.
        time: seconds since the epoch.
        tool, source: what is called and where it lives.
        principal, tenant: who it is for, "" where unknown.
        fingerprint: of the definition.
        digest: SHA-256 of the canonical input, hex.
        outcome, code: in `finished`: outcome kind and code; `unknown` where the end was lost. In
            `answered`: `approved`, `denied` or `expired`.
        duration: in `finished`: seconds of the run.
        input: the input itself, only where the host asked for it.
        domain: the application's own checkpoint and receipt.

    Example:
        >>> begun = JournalRecord(event="begun", call_id="c1", time=1790000000.0, tool="note_read")
        >>> begun.event, begun.tool, begun.outcome
        ('begun', 'note_read', '')
    """

    event: JournalEvent
    call_id: str
    time: float
    tool: str
    source: str = ""
    parent: str = ""
    principal: str = ""
    tenant: str = ""
    fingerprint: str = ""
    digest: str = ""
    outcome: str = ""
    code: str = ""
    duration: float | None = None
    input: JsonObject | None = None
    domain: Mapping[str, JsonValue] = field(default_factory=lambda: _NOTHING)


class Journal(Protocol):
    """Records what happens. `write` returns when the record is kept.

    A `write` that raises at `begun` stops the call; at `finished` it is logged and changes nothing.

    Example:
        >>> from toolroll import CallContext, LocalToolkit, Policy, Rule, ToolCall
        >>> from toolroll import assemble, run_sync, tool
        >>> class Printed:
        ...     async def write(self, record, /):
        ...         print(record.event, record.tool, record.outcome)
        >>> @tool(effect="read")
        ... def note_count() -> int:
        ...     '''Say how many notes there are.'''
        ...     return 2
        >>> policy = Policy([Rule("allow")])
        >>> kit = assemble([LocalToolkit("notes", note_count)], policy, journal=Printed())
        >>> outcome = run_sync(kit.call, ToolCall.of("note_count", {}), CallContext())
        begun note_count
        finished note_count ok
    """

    async def write(self, record: JournalRecord, /) -> None:
        """Keep a record."""
        ...
