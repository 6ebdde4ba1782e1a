"""What goes wrong with a store."""

from toolroll.outcome import ToolrollError


class StoreError(ToolrollError):
    """The store could not keep or find something; the message says what and what to do.

    What was to be kept is not kept, unless the message says it may be.
    """


class JournalOrderError(StoreError):
    """A finish without a begin, or a second one."""


class ApprovalStateError(StoreError):
    """An answer to a question that is not open: unknown, answered, used or expired."""
