"""Protocols of what lives outside, and their records: no implementation."""

from toolroll.ports.approvals import ApprovalAnswer, Approvals
from toolroll.ports.http import (
    HttpAnswer,
    HttpBrokenError,
    HttpConnectError,
    HttpError,
    HttpRequest,
    HttpTransport,
)
from toolroll.ports.journal import Journal, JournalEvent, JournalRecord

__all__ = [
    "ApprovalAnswer",
    "Approvals",
    "HttpAnswer",
    "HttpBrokenError",
    "HttpConnectError",
    "HttpError",
    "HttpRequest",
    "HttpTransport",
    "Journal",
    "JournalEvent",
    "JournalRecord",
]
