"""What a source of tools is, and how it fails."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias, cast, runtime_checkable

from toolroll.content import JsonObject, ToolResult
from toolroll.outcome import OutcomeError, Report
from toolroll.outcome.codes import CODES
from toolroll.tools.context import CallContext
from toolroll.tools.definition import ToolDefinition

SourceReason: TypeAlias = Literal[
    "authentication",
    "not-found",
    "invalid-input",
    "call-failed",
    "unavailable",
    "timed-out",
    "idle-timed-out",
    "invalid-response",
    "result-too-large",
    "outcome-unknown",
    "unsupported",
    "source-error",
]
"""Why a source could not answer; each is a code of the table of codes."""

_FOR_THE_MODEL = frozenset({"invalid-input", "call-failed", "result-too-large"})
"""The reasons whose description is written for the model; others may hold an address."""

_OF_A_LIMIT: dict[SourceReason, str] = {
    "timed-out": "The tool did not finish within its total limit of {:g} seconds.",
    "idle-timed-out": "The tool was silent for longer than its idle limit of {:g} seconds.",
}
"""What a model reads where the limit that was met is known."""


class SourceError(OutcomeError):
    """A source could not list or call; a toolkit turns it into the outcome of the same code.

    Args:
        source: the source's name.
        reason: why.
        description: what happened. A model reads it only for `invalid-input`, `call-failed` and
            `result-too-large`; for the others it reads the code's own sentence.
        may_have_run: whether the other side may have acted; None for the code's own value.
        retry_after: seconds after which another try may work.
        limit: seconds of the limit that was met, for `timed-out` and `idle-timed-out`.

    Example:
        >>> error = SourceError("loans", "unavailable", "connect 10.0.0.7:443")
        >>> error.message, error.retryable
        ('The system behind the tool is not available now. Try again later.', True)
    """

    def __init__(
        self,
        source: str,
        reason: SourceReason,
        description: str = "",
        *,
        retryable: bool | None = None,
        may_have_run: bool | None = None,
        retry_after: float | None = None,
        limit: float | None = None,
    ) -> None:
        row = CODES[reason]
        told = description if reason in _FOR_THE_MODEL and description else row.sentence
        if limit is not None and reason in _OF_A_LIMIT:
            told = _OF_A_LIMIT[reason].format(limit)
        kind = cast("Literal['failed', 'timeout', 'aborted', 'unavailable']", row.kind)
        OutcomeError.__init__(
            self,
            kind,
            reason,
            told,
            detail=f"{source}: {description}" if description else source,
            retryable=row.retryable if retryable is None else retryable,
            may_have_run=row.may_have_run if may_have_run is None else may_have_run,
            retry_after=retry_after,
            limit=limit,
        )
        self.source = source
        self.reason: SourceReason = reason
        self.description = description


@dataclass(frozen=True, slots=True, kw_only=True)
class Discovery:
    """What a source offers now.

    Args:
        definitions: the tools that can be used, in the source's order.
        report: what was left out and why (`Note(kind="skipped", ...)`).
        ttl: seconds the listing may be kept; None where the source did not say.

    Example:
        >>> from toolroll.outcome import Note
        >>> note_read = ToolDefinition(
        ...     name="note_read", description="Reads a note.", input_schema={"type": "object"}
        ... )
        >>> left_out = Note("skipped", "note-burn", "its schema is no object", "notes")
        >>> found = Discovery(definitions=(note_read,), report=Report.of([left_out]), ttl=300.0)
        >>> [definition.name for definition in found.definitions], found.report.notes[0].reason
        (['note_read'], 'its schema is no object')
    """

    definitions: tuple[ToolDefinition, ...]
    report: Report = Report()
    ttl: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeouts:
    """Limits of a source, in seconds.

    Args:
        connect: to reach the other side, or to start it.
        idle: without a sign of life; progress counts as one.
        total: for one call or one listing, whatever happens.

    Example:
        >>> from toolroll.sources.mcp import mcp_http
        >>> patient = Timeouts(idle=300, total=3600)
        >>> source = mcp_http("reports", "https://mcp.example/mcp", timeouts=patient)
    """

    connect: float = 30.0
    idle: float = 60.0
    total: float = 300.0


class ToolSource(Protocol):
    """Where tools live. `discover` and `call` raise `SourceError`, nothing else.

    Its methods may be called from any task, in any order. One that has `__aenter__` is opened
    before it is used; `opened(source)` is a block for any source, with or without.

    Example:
        >>> from toolroll import CallContext, ToolCall, run_sync
        >>> from toolroll.content import Text
        >>> from toolroll.sources import as_toolkit
        >>> class Library:
        ...     name = "library"
        ...     async def discover(self, context=None, /):
        ...         book = ToolDefinition(
        ...             name="book_find",
        ...             description="Finds a book.",
        ...             input_schema={"type": "object"},
        ...         )
        ...         return Discovery(definitions=(book,))
        ...     async def call(self, definition, input, context, /):
        ...         return ToolResult((Text(f"{input['title']} is on shelf 4."),))
        ...     async def aclose(self):
        ...         pass
        >>> library = Library()
        >>> kit = as_toolkit(library, run_sync(library.discover).definitions)
        >>> outcome = run_sync(kit.call, ToolCall.of("book_find", {"title": "Emma"}), CallContext())
        >>> outcome.unwrap().text
        'Emma is on shelf 4.'
    """

    @property
    def name(self) -> str:
        """`^[a-z][a-z0-9_-]{0,31}$` without `__`."""
        ...

    async def discover(self, context: CallContext[object] | None = None, /) -> Discovery:
        """Ask the other side what it offers now."""
        ...

    async def call(
        self, definition: ToolDefinition, input: JsonObject, context: CallContext[object], /
    ) -> ToolResult:
        """Run one tool; the input is sent as given. A failure that the tool itself reports comes
        back as `ToolResult(is_error=True)`.
        """
        ...

    async def aclose(self) -> None:
        """Let go of everything; calling it twice is fine."""
        ...


@runtime_checkable
class Watchable(Protocol):
    """A source that says when its tools change; not every `ToolSource` is one.

    Example:
        >>> from toolroll.sources import Watchable
        >>> from toolroll.sources.mcp import mcp_http
        >>> isinstance(mcp_http("loans", "https://mcp.example/mcp"), Watchable)
        True
    """

    def changes(
        self, context: CallContext[object] | None = None, /
    ) -> AbstractAsyncContextManager[AsyncIterator[None]]:
        """Changes from now on, as long as the block: after each step `discover` has something new.

        The iterator ends where the other side does not tell of changes.
        """
        ...
