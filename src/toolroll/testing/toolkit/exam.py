"""What an exam of a toolkit needs beside the toolkit, and what its checks work with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import anyio

from toolroll.content import JsonObject
from toolroll.outcome import Outcome
from toolroll.ports.journal import JournalRecord
from toolroll.testing.exam import ExamLimits, NotApplicable
from toolroll.testing.judging import ENDS, PromiseBroken, described, is_our_end, within
from toolroll.testing.polling import until
from toolroll.toolkit import Listing, Toolkit
from toolroll.tools import CallContext, ToolCall

_NO_SAMPLES: Mapping[str, JsonObject] = {}
_EVERYBODY: CallContext[Any] = CallContext()


class ListJournal:
    """A journal for tests: it keeps its records in a list.

    Example:
        >>> import asyncio
        >>> journal = ListJournal()
        >>> record = JournalRecord(event="begun", call_id="c1", time=0.0, tool="note_read")
        >>> asyncio.run(journal.write(record))
        >>> journal.records[0].tool
        'note_read'
    """

    def __init__(self) -> None:
        self.records: list[JournalRecord] = []

    async def write(self, record: JournalRecord, /) -> None:
        """Keep a record."""
        self.records.append(record)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolkitExam:
    """What is tried on a toolkit. What is left out makes promises not applicable.

    Args:
        context: whose listing and calls are examined.
        samples: by tool name, an input that the tool answers. These calls run, some of them often.
        blocked: names that this caller must never see.
        blocking: a tool that never answers; it is called with its sample, or with `{}`.
        journal: the one that the toolkit writes to.

    Example:
        >>> import anyio
        >>> from toolroll import LocalToolkit, tool
        >>> from toolroll.testing import check_toolkit
        >>> @tool(effect="read")
        ... def note_read(number: int) -> str:
        ...     '''Read a note.'''
        ...     return "bread, tea"
        >>> exam = ToolkitExam(samples={"note_read": {"number": 1}})
        >>> anyio.run(check_toolkit, LocalToolkit("notes", note_read), exam).ok
        True
    """

    context: CallContext[Any] = _EVERYBODY
    samples: Mapping[str, JsonObject] = field(default_factory=lambda: _NO_SAMPLES)
    blocked: Sequence[str] = ()
    blocking: str = ""
    journal: ListJournal | None = None


class ToolkitTrial:
    """One check of one toolkit.

    Args:
        kit: what is examined.
        exam: what is tried.
        limits: of everything that is awaited.
    """

    def __init__(self, kit: Toolkit[Any], exam: ToolkitExam, limits: ExamLimits) -> None:
        self.kit, self.exam, self.limits = kit, exam, limits
        self._before = 0 if exam.journal is None else len(exam.journal.records)

    def listing(self) -> Listing:
        """What the caller may use."""
        return self.kit.listing(self.exam.context)

    async def call(self, call: ToolCall, context: CallContext[Any] | None = None) -> Outcome:
        """Run a call to its outcome, which must come.

        Raises:
            PromiseBroken: something was raised, or no outcome came in time.
        """
        with within(self.limits.step, f"a call of {call.name!r}"):
            try:
                return await self.kit.call(call, context or self.exam.context)
            except BaseException as error:
                if isinstance(error, ENDS) or is_our_end(error):
                    raise
                raise PromiseBroken(f"a call of {call.name!r}: {described(error)}") from error

    def samples(self) -> list[ToolCall]:
        """A call for each sample but that of the blocking tool."""
        calls = [
            ToolCall.of(name, input, id=f"sample-{number}")
            for number, (name, input) in enumerate(self.exam.samples.items(), 1)
            if name != self.exam.blocking
        ]
        if not calls:
            raise NotApplicable("the exam gives no samples")
        return calls

    def blocking(self) -> ToolCall:
        """A call that is never answered."""
        name = self.exam.blocking
        if not name:
            raise NotApplicable("the exam names no blocking tool")
        return ToolCall.of(name, self.exam.samples.get(name, {}), id="blocking")

    def journal(self) -> ListJournal:
        """The journal that the toolkit writes to."""
        if self.exam.journal is None:
            raise NotApplicable("the exam gives no journal")
        return self.exam.journal

    async def settle(self) -> None:
        """Give a running call the time to arrive at its tool; a journal tells that it did."""
        if self.exam.journal is None:
            await anyio.sleep(self.limits.settle)
        else:
            await until(self._is_running, self.limits.step)

    def _is_running(self) -> bool:
        events = [record.event for record in self.journal().records[self._before :]]
        return events.count("begun") > events.count("finished")
