"""The small records of an outcome as JSON."""

from toolroll.content import JsonValue
from toolroll.outcome.approval import ApprovalRequest
from toolroll.outcome.issue import Issue, Note, Repair


def issue_to_json(issue: Issue) -> dict[str, JsonValue]:
    """Write an issue; empty fields are left out."""
    written: dict[str, JsonValue] = {"pointer": issue.pointer, "problem": issue.problem}
    if issue.missing:
        written["missing"] = list(issue.missing)
    if issue.keyword:
        written["keyword"] = issue.keyword
    return written


def repair_to_json(repair: Repair) -> dict[str, JsonValue]:
    """Write a repair; empty fields are left out."""
    written: dict[str, JsonValue] = {"kind": repair.kind, "pointer": repair.pointer}
    if repair.at is not None:
        written["at"] = repair.at
    if repair.was:
        written["was"] = repair.was
    return written


def note_to_json(note: Note) -> dict[str, JsonValue]:
    """Write a note; an empty source is left out."""
    written: dict[str, JsonValue] = {
        "kind": note.kind,
        "subject": note.subject,
        "reason": note.reason,
    }
    return {**written, "source": note.source} if note.source else written


def request_to_json(request: ApprovalRequest) -> dict[str, JsonValue]:
    """Write an approval request whole."""
    return {
        "id": request.id,
        "tool": request.tool,
        "source": request.source,
        "input": request.input,
        "principal": request.principal,
        "digest": request.digest,
        "fingerprint": request.fingerprint,
        "asked": request.asked,
        "expires": request.expires,
        "effect": request.effect,
    }
