"""What a call came to, in one closed union, with its codes, records and errors."""

from toolroll.outcome.approval import ApprovalRequest
from toolroll.outcome.codes import CODES, Code
from toolroll.outcome.error import (
    CodedError,
    ConfigError,
    DefinitionError,
    MissingExtra,
    NameClash,
    OutcomeError,
    OutcomeKind,
    Refusal,
    ToolrollError,
)
from toolroll.outcome.forms import failure_form, kernel_form
from toolroll.outcome.issue import Issue, Note, Repair, Report
from toolroll.outcome.lines import issue_line, issue_lines, one_line
from toolroll.outcome.reading import outcome_from_json
from toolroll.outcome.record import issue_to_json, note_to_json, repair_to_json, request_to_json
from toolroll.outcome.rows import (
    ParsedRefusal,
    field,
    field_message,
    parse_refusal_body,
    refusal_body,
    refusal_rows,
    rows_of,
)
from toolroll.outcome.union import (
    Aborted,
    Answer,
    BadOutcome,
    Failed,
    InvalidInput,
    NeedsApproval,
    Outcome,
    Refused,
    TimedOut,
    Unavailable,
    UnwrapError,
)

__all__ = [
    "CODES",
    "Aborted",
    "Answer",
    "ApprovalRequest",
    "BadOutcome",
    "Code",
    "CodedError",
    "ConfigError",
    "DefinitionError",
    "Failed",
    "InvalidInput",
    "Issue",
    "MissingExtra",
    "NameClash",
    "NeedsApproval",
    "Note",
    "Outcome",
    "OutcomeError",
    "OutcomeKind",
    "ParsedRefusal",
    "Refusal",
    "Refused",
    "Repair",
    "Report",
    "TimedOut",
    "ToolrollError",
    "Unavailable",
    "UnwrapError",
    "failure_form",
    "field",
    "field_message",
    "issue_line",
    "issue_lines",
    "issue_to_json",
    "kernel_form",
    "note_to_json",
    "one_line",
    "outcome_from_json",
    "parse_refusal_body",
    "refusal_body",
    "refusal_rows",
    "repair_to_json",
    "request_to_json",
    "rows_of",
]
