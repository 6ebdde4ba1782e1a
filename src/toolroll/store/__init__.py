"""Where journals, approvals and catalogs are kept: in memory, or in a database.

The in-memory ones need nothing but the standard library; `open_store` loads the database when it is
called.
"""

from toolroll.store.entry import JournalEntry, JournalFilter, JournalPage, ReadableJournal
from toolroll.store.fault import ApprovalStateError, JournalOrderError, StoreError
from toolroll.store.memory import MemoryApprovals, MemoryCatalogs, MemoryJournal
from toolroll.store.opening import open_store
from toolroll.store.question import StoredApproval
from toolroll.store.redaction import redact_input, redact_text

__all__ = [
    "ApprovalStateError",
    "JournalEntry",
    "JournalFilter",
    "JournalOrderError",
    "JournalPage",
    "MemoryApprovals",
    "MemoryCatalogs",
    "MemoryJournal",
    "ReadableJournal",
    "StoreError",
    "StoredApproval",
    "open_store",
    "redact_input",
    "redact_text",
]
