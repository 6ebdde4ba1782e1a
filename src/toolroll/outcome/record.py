"""The small records of an outcome as JSON."""

from toolroll.content import JsonValue
from toolroll.outcome.approval import ApprovalRequest
from toolroll.outcome.issue import Issue, Note, Repair


def issue_to_json(issue: Issue) -> dict[str, JsonValue]:
    """Write an issue; empty fields are left out.

    Example:
        >>> issue_to_json(Issue("/n", "must be integer", keyword="type"))
        {'pointer': '/n', 'problem': 'must be integer', 'keyword': 'type'}
    """
    written: dict[str, JsonValue] = {"pointer": issue.pointer, "problem": issue.problem}
    if issue.missing:
        written["missing"] = list(issue.missing)
    if issue.keyword:
        written["keyword"] = issue.keyword
    return written


def repair_to_json(repair: Repair) -> dict[str, JsonValue]:
    """Write a repair; empty fields are left out.

    Example:
        >>> repair_to_json(Repair("drop_null", "/n"))
        {'kind': 'drop_null', 'pointer': '/n'}
    """
    written: dict[str, JsonValue] = {"kind": repair.kind, "pointer": repair.pointer}
    if repair.at is not None:
        written["at"] = repair.at
    if repair.was:
        written["was"] = repair.was
    return written


def note_to_json(note: Note) -> dict[str, JsonValue]:
    """Write a note; an empty source is left out.

    Example:
        >>> note_to_json(Note("cut", "note_write", "too long"))
        {'kind': 'cut', 'subject': 'note_write', 'reason': 'too long'}
    """
    written: dict[str, JsonValue] = {
        "kind": note.kind,
        "subject": note.subject,
        "reason": note.reason,
    }
    return {**written, "source": note.source} if note.source else written


def request_to_json(request: ApprovalRequest) -> dict[str, JsonValue]:
    """Write an approval request whole.

    Example:
        >>> asked = ApprovalRequest(id="a1", tool="note_delete", source="notes", input={"id": 3})
        >>> request_to_json(asked)["input"]
        {'id': 3}
    """
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
