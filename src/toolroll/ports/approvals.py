"""Where a person's yes or no comes from."""

from typing import Literal, Protocol, TypeAlias

from toolroll.outcome import ApprovalRequest

ApprovalAnswer: TypeAlias = Literal["approved", "denied", "expired", "pending", "nobody"]
"""`pending`: asked, no answer yet; the call ends as `NeedsApproval` and may be made again later.
`nobody`: nobody can be asked; the call is refused."""


class Approvals(Protocol):
    """Asks whether a call may run. An `approved` is used up by the call it was given for."""

    async def ask(self, request: ApprovalRequest, /) -> ApprovalAnswer:
        """Ask, or look up the stored answer."""
        ...
