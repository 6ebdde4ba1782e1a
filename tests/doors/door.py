"""What a door is, and what it cannot carry."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from tests.doors.place import Places
from tests.doors.trial import Arrival, Trial

Enter: TypeAlias = Callable[[Trial, Places], Awaitable[Arrival]]
"""Makes the call of a trial through a door."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Projection:
    """What comes through a door instead, and why.

    Args:
        reason: why the door cannot carry it.
        applies: to which trials.
        rewrite: from what comes through every other door to what comes through this one; None
            where the call cannot even be made.
    """

    reason: str
    applies: Callable[[Trial], bool]
    rewrite: Callable[[Trial, Arrival], Arrival] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """One way to a toolkit.

    Args:
        name: of the door.
        enter: makes a call.
        projections: in order; each works on what the one before it left.
        shows_models: what a model reads comes through too.
    """

    name: str
    enter: Enter
    projections: tuple[Projection, ...] = ()
    shows_models: bool = True

    def takes(self, trial: Trial) -> bool:
        """Whether the call can be made at all."""
        return all(one.rewrite is not None for one in self.projections if one.applies(trial))

    def expected(self, trial: Trial) -> Arrival:
        """What must come through."""
        arrival = Arrival(trial.outcome, trial.told)
        for projection in self.projections:
            if projection.rewrite is not None and projection.applies(trial):
                arrival = projection.rewrite(trial, arrival)
        return arrival if self.shows_models else replace(arrival, told=None)
