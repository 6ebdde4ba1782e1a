"""Where a person's yes or no comes from."""

from typing import Literal, Protocol, TypeAlias

from toolroll.outcome import ApprovalRequest

ApprovalAnswer: TypeAlias = Literal["approved", "denied", "expired", "pending", "nobody"]
"""`pending`: asked, no answer yet; the call ends as `NeedsApproval` and may be made again later.
`nobody`: nobody can be asked; the call is refused."""


class Approvals(Protocol):
    """Asks whether a call may run. An `approved` is used up by the call it was given for.

    Example:
        >>> class Nobody:
        ...     async def ask(self, request, /):
        ...         return "nobody"
        >>> from toolroll import run_sync
        >>> question = ApprovalRequest(id="a1", tool="note_burn", source="notes", input={})
        >>> run_sync(Nobody().ask, question)
        'nobody'
    """

    async def ask(self, request: ApprovalRequest, /) -> ApprovalAnswer:
        """Ask, or look up the stored answer."""
        ...
