"""The journal's records of one call."""

import asyncio
import hashlib
import logging
import time
from typing import cast

import anyio

from toolroll.content import JsonObject, canonical_json
from toolroll.ports.journal import Journal, JournalEvent, JournalRecord
from toolroll.schema.plain import fresh
from toolroll.tools.call import ToolCall
from toolroll.tools.gate import AnyContext
from toolroll.tools.tool import AnyTool

_LOG = logging.getLogger("toolroll.tools")
_BEGIN_WITHIN = 5.0
"""Seconds a journal has for a begin; after them the call is not run."""

_FINISH_WITHIN = 5.0
"""Seconds a journal has for a finish; the caller may be cancelled and waits for it."""


def digest_of(value: JsonObject) -> str:
    """SHA-256 of the canonical JSON of an input, hex."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()


def ends_the_caller(error: BaseException) -> bool:
    """Whether an exception is the end of the caller's task or process, and goes through.

    A cancellation that nobody asked for (asyncio) and any other `BaseException` are failures of
    whoever raised them.
    """
    if isinstance(error, GeneratorExit):  # also where no event loop runs any more
        return True
    cancelled = anyio.get_cancelled_exc_class()
    waiting = [error]
    while waiting:  # not by recursion: a group may be nested deeper than Python calls
        found = waiting.pop()
        if isinstance(found, BaseExceptionGroup):
            waiting.extend(cast("BaseExceptionGroup[BaseException]", found).exceptions)
        elif isinstance(found, asyncio.CancelledError) and cancelled is asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling() > 0:
                return True
        elif isinstance(found, KeyboardInterrupt | SystemExit | GeneratorExit | cancelled):
            return True
    return False


class Recorder:
    """Writes the records of one call into its journal."""

    __slots__ = ("_call", "_context", "_digest", "_input", "_journal", "_tool")

    def __init__(
        self,
        journal: Journal,
        tool: AnyTool,
        call: ToolCall,
        context: AnyContext,
        value: JsonObject | None,
    ) -> None:
        self._journal, self._tool, self._call, self._context = journal, tool, call, context
        self._digest = "" if value is None else digest_of(value)
        # A copy: the handler may change what it gets before the record is read.
        self._input = fresh(value) if tool.gates.keep_input else None

    @staticmethod
    def of(
        tool: AnyTool, call: ToolCall, context: AnyContext, value: JsonObject | None
    ) -> "Recorder | None":
        """A recorder where the tool carries a journal, else None."""
        journal = tool.gates.journal
        return None if journal is None else Recorder(journal, tool, call, context, value)

    async def begin(self) -> None:
        """Write `begun`; what the journal raises comes out and the run does not start.

        Raises:
            TimeoutError: the journal did not take it in time.
        """
        with anyio.fail_after(_BEGIN_WITHIN, shield=True):
            await self._journal.write(self._record("begun"))

    async def finish(self, outcome: str, code: str, duration: float) -> None:
        """Write `finished`, also while the caller is being cancelled; a failure is logged."""
        await self._kept(self._record("finished", outcome=outcome, code=code, duration=duration))

    async def note(self, event: JournalEvent, outcome: str = "", code: str = "") -> None:
        """Write `decided`, `asked` or `answered`; a failure is logged."""
        await self._kept(self._record(event, outcome=outcome, code=code))

    async def _kept(self, record: JournalRecord) -> None:
        with anyio.CancelScope(shield=True), anyio.move_on_after(_FINISH_WITHIN) as scope:
            try:
                await self._journal.write(record)
            except BaseException as error:
                if ends_the_caller(error):
                    raise
                _LOG.exception("the journal failed at %s of %s", record.event, record.tool)
        if scope.cancelled_caught:
            _LOG.error("the journal did not take %s of %s in time", record.event, record.tool)

    def _record(
        self,
        event: JournalEvent,
        *,
        outcome: str = "",
        code: str = "",
        duration: float | None = None,
    ) -> JournalRecord:
        principal = self._context.principal
        return JournalRecord(
            event=event,
            call_id=self._call.id,
            time=time.time(),
            tool=self._tool.name,
            source=self._tool.source,
            parent=self._context.parent,
            principal=principal.id if principal else "",
            tenant=principal.tenant if principal else "",
            fingerprint=self._tool.definition.fingerprint,
            digest=self._digest,
            outcome=outcome,
            code=code,
            duration=duration,
            input=self._input if event == "begun" else None,
        )
