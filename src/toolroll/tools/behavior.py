"""How a tool wants to be run. Defaults are the safe ones."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from toolroll.content import JsonObject
from toolroll.outcome import DefinitionError
from toolroll.schema.reading import RepairMode


@dataclass(frozen=True, slots=True, kw_only=True)
class Behavior:
    """How a tool is run.

    Args:
        timeout: seconds for the whole run; None for no limit.
        idle_timeout: seconds without progress; None for no limit.
        blocking: a sync handler runs in a worker thread; False runs it in place (quick ones).
        needs_approval: a person must say yes; or a function of the checked input that tells.
        concurrency_safe: may run beside itself and other safe tools in `call_all`.
        terminal: its answer is the run's output, and ends it; `Offer.terminal` tells a loop.
        accepts_partial: runs also when the arguments were cut off.
        repair: what is put right before the check is final.
        open: objects of its input may take keys they do not name, where a model or schema says so;
            otherwise that is an error of the definition.
        clamp: too long or too large values are cut to the schema's bounds before the check.
        limit: most characters of a result's text and data; None for no limit.
        large: what happens above `limit`: `fail`, or `cut` to head and tail.
        show_errors: the text of an unexpected exception reaches the model.

    Raises:
        DefinitionError: a limit that is none.

    Example:
        >>> Behavior(timeout=5, needs_approval=True).timeout
        5
    """

    timeout: float | None = 60.0
    idle_timeout: float | None = None
    blocking: bool = True
    needs_approval: bool | Callable[[JsonObject], bool] = False
    concurrency_safe: bool = False
    terminal: bool = False
    accepts_partial: bool = False
    repair: RepairMode = "schema"
    open: bool = False
    clamp: bool = False
    limit: int | None = None
    large: Literal["fail", "cut"] = "fail"
    show_errors: bool = False

    def __post_init__(self) -> None:
        for name in ("timeout", "idle_timeout"):
            seconds: float | None = getattr(self, name)
            if seconds is not None and not (seconds > 0 and math.isfinite(seconds)):
                raise DefinitionError(
                    f"{name} is {seconds!r}; it must be a number of seconds above 0, or None."
                )
        if self.limit is not None and self.limit < 1:
            raise DefinitionError(f"limit is {self.limit!r}; it must be at least 1, or None.")
