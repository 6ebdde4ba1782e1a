"""What goes wrong with a store."""

from toolroll.outcome import ToolrollError


class StoreError(ToolrollError):
    """The store could not keep or find something; the message says what and what to do.

    What was to be kept is not kept, unless the message says it may be.

    Example:
        >>> from toolroll import run_sync
        >>> from toolroll.store import MemoryApprovals
        >>> try:
        ...     run_sync(MemoryApprovals().approve, "a1")
        ... except StoreError as error:
        ...     print(error)
        there is no approval 'a1'.
    """


class JournalOrderError(StoreError):
    """A finish without a begin, or a second one.

    Example:
        >>> from toolroll import run_sync
        >>> from toolroll.ports import JournalRecord
        >>> from toolroll.store import MemoryJournal
        >>> finished = JournalRecord(event="finished", call_id="c1", time=0.0, tool="note_read")
        >>> try:
        ...     run_sync(MemoryJournal().write, finished)
        ... except JournalOrderError as error:
        ...     print(error)
        a finish of note_read (call 'c1') without an open begin: every begin has exactly one finish.
    """


class ApprovalStateError(StoreError):
    """An answer to a question that is not open: unknown, answered, used or expired.

    Example:
        >>> from toolroll import run_sync
        >>> from toolroll.store import MemoryApprovals
        >>> try:
        ...     run_sync(MemoryApprovals().deny, "a1")
        ... except ApprovalStateError as error:
        ...     print(error)
        there is no approval 'a1'.
    """
