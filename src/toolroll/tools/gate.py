"""What stands between a call and its run: values that a tool carries, read by the runner."""

import dataclasses
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from toolroll.ports.approvals import Approvals
from toolroll.ports.journal import Journal
from toolroll.tools.call import ToolCall
from toolroll.tools.context import CallContext

Decision: TypeAlias = Literal["allow", "approve", "block"]
"""What a policy says of a tool for one caller. A blocked tool looks like none at all."""

AnyContext: TypeAlias = CallContext[Any]
Availability: TypeAlias = Callable[[AnyContext], bool]
Decider: TypeAlias = Callable[[AnyContext], Decision]
Limit: TypeAlias = Callable[[ToolCall, AnyContext], AbstractAsyncContextManager[None]]

_STRICTNESS: dict[Decision, int] = {"allow": 0, "approve": 1, "block": 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class Gates:
    """The gates of one tool, in the order the runner passes them.

    Args:
        available: every one must say True for the tool to exist for this caller.
        always: the decision for every caller.
        decide: decisions that depend on the caller; with `always`, the strictest counts.
        approvals: asks a person; None leaves the asking to the host (`NeedsApproval`).
        journal: records the call.
        limits: entered, in order, just before the run and left after it (a queue, a rate).
        keep_input: the journal keeps the input itself, not only its digest.

    Example:
        >>> Gates(always="approve").decision(CallContext())
        'approve'
    """

    available: tuple[Availability, ...] = ()
    always: Decision = "allow"
    decide: tuple[Decider, ...] = ()
    approvals: Approvals | None = None
    journal: Journal | None = None
    limits: tuple[Limit, ...] = ()
    keep_input: bool = False

    def decision(self, context: AnyContext) -> Decision:
        """The strictest decision for this caller."""
        if not self.decide:
            return self.always
        said: list[Decision] = [self.always, *(decide(context) for decide in self.decide)]
        return max(said, key=_STRICTNESS.__getitem__)

    @property
    def ask_who_calls(self) -> bool:
        """Whether what they say depends on the caller."""
        return bool(self.available or self.decide)

    def open_to(self, context: AnyContext) -> bool:
        """Whether the tool is there at all for this caller, whatever a policy says."""
        return all(available(context) for available in self.available)

    def and_available(self, *available: Availability) -> "Gates":
        """These gates with more conditions."""
        return dataclasses.replace(self, available=(*self.available, *available))

    def and_decide(self, *decide: Decider) -> "Gates":
        """These gates with more deciders."""
        return dataclasses.replace(self, decide=(*self.decide, *decide))

    def and_limit(self, *limits: Limit) -> "Gates":
        """These gates with more limits, inside those that are there."""
        return dataclasses.replace(self, limits=(*self.limits, *limits))
