"""The life of one approval request, without any storage.

    asked -> pending -> approved -> used (by the one call it was given for)
                     -> denied
                     -> expired (nobody answered in time, or the yes was not used in time)

A question is about one exact call: tool, source, principal, definition and input. Ids of calls
change when a call is made again, so several ids may name one question. A question that was used or
has expired is asked anew when the call is made again.
"""

import hashlib
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from toolroll.content import JsonValue, canonical_json
from toolroll.outcome import ApprovalRequest
from toolroll.ports.approvals import ApprovalAnswer
from toolroll.store.fault import ApprovalStateError

ApprovalStatus: TypeAlias = Literal["pending", "approved", "denied", "used", "expired"]

DEFAULT_LIFETIME = 3600.0
"""Seconds a question waits for its answer, and a yes for its call."""

MOST_PENDING = 1_000
"""Open questions; above it nobody can be asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredApproval:
    """One question and what became of it.

    Args:
        request: as it was asked; its `expires` is the end of what comes next: the answer, or the
            use of a yes.
        status: where it stands.
        answered_by, answered: who said yes or no, and when (seconds since the epoch).

    Example:
        >>> from toolroll import run_sync
        >>> from toolroll.store import MemoryApprovals
        >>> burn = ApprovalRequest(id="a1", tool="note_burn", source="notes", input={"id": 3})
        >>> async def main():
        ...     approvals = MemoryApprovals()
        ...     await approvals.ask(burn)
        ...     return await approvals.deny("a1", by="ben")
        >>> denied = run_sync(main)
        >>> denied.status, denied.answered_by
        ('denied', 'ben')
    """

    request: ApprovalRequest
    status: ApprovalStatus = "pending"
    answered_by: str = ""
    answered: float | None = None


def binding_of(request: ApprovalRequest) -> str:
    """A digest of everything an answer is for: tool, source, principal, definition and input."""
    bound: dict[str, JsonValue] = {
        "tool": request.tool,
        "source": request.source,
        "principal": request.principal,
        "digest": request.digest,
        "fingerprint": request.fingerprint,
        "input": request.input,
    }
    return hashlib.sha256(canonical_json(bound).encode()).hexdigest()


def ask_first(request: ApprovalRequest, now: float, lifetime: float) -> StoredApproval:
    """A new question; a lifetime of the request's own counts if it is shorter."""
    end = now + lifetime
    expires = end if request.expires is None else min(request.expires, end)
    return StoredApproval(request=replace(request, asked=now, expires=expires))


def ask_again(
    held: StoredApproval, request: ApprovalRequest, now: float, lifetime: float
) -> tuple[ApprovalAnswer, StoredApproval]:
    """The answer to a call whose question is known, and what is held from now on.

    Args:
        held: the question of the same binding.
        request: the call that asks now; its id may be another.
        now: seconds since the epoch.
        lifetime: seconds, for a question that begins anew.
    """
    current = at(held, now)
    match current.status:
        case "approved":
            return "approved", replace(current, status="used")
        case "pending" | "denied":
            return current.status, current
        case "expired" if held.status != "expired":
            return "expired", current
        case "expired" | "used":
            return "pending", ask_first(request, now, lifetime)


def at(held: StoredApproval, now: float) -> StoredApproval:
    """The question as it stands at a time: what is over is `expired`."""
    end = held.request.expires
    over = held.status in ("pending", "approved", "denied") and end is not None and end <= now
    return replace(held, status="expired") if over else held


def answer(
    held: StoredApproval, *, yes: bool, by: str, now: float, lifetime: float
) -> StoredApproval:
    """The question with its answer; a yes has a lifetime of its own.

    Raises:
        ApprovalStateError: it is not open any more.
    """
    current = at(held, now)
    if current.status != "pending":
        raise ApprovalStateError(
            f"approval {held.request.id} is {current.status} already; only an open one is answered."
        )
    return StoredApproval(
        request=replace(held.request, expires=now + lifetime),
        status="approved" if yes else "denied",
        answered_by=by,
        answered=now,
    )
