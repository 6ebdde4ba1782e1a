"""What a person is shown when a call needs a yes."""

from dataclasses import dataclass, field

from toolroll.content import JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalRequest:
    """One question: may this call run, with exactly this input?

    Args:
        id: the same whenever the same call is made again: a digest of the call's id, tool, source,
            principal and its tenant, input and fingerprint.
        tool: the name the model used.
        source: where the tool comes from.
        input: the checked input that will run.
        principal: id of who the call is for, "" where unknown.
        digest: SHA-256 of the canonical input, hex.
        fingerprint: of the definition, so that a changed tool needs a new answer.
        asked, expires: seconds since the epoch; None where the host keeps no time.
        effect: `read`, `write`, `destructive` or "" (unknown): for the person who is asked.

    Example:
        >>> asked = ApprovalRequest(id="a1", tool="note_delete", source="notes", input={"id": 3})
        >>> asked.tool, asked.input
        ('note_delete', {'id': 3})
    """

    id: str
    tool: str
    source: str
    input: JsonObject
    principal: str = ""
    digest: str = ""
    fingerprint: str = ""
    asked: float | None = None
    expires: float | None = None
    effect: str = field(default="", compare=False)
