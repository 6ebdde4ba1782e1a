"""What an exam of a source needs: the source, over a real system in a state that is asked for."""

import math
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from toolroll.content import JsonObject
from toolroll.outcome import ConfigError
from toolroll.sources import ToolSource

SystemState: TypeAlias = Literal[
    "working", "unauthorized", "unavailable", "unreachable", "slow", "huge"
]
"""What the system behind the source is like.

- `working`: it answers.
- `unauthorized`: it refuses the source's credentials.
- `unavailable`: it says that it is down or too busy.
- `unreachable`: it is not there.
- `slow`: it takes calls of `echo` and never answers them; the source's own limit is
  `Sitting.patience` seconds.
- `huge`: it answers `echo` without end, or with far more than `Sitting.limit` characters.
"""

_NO_INPUT: JsonObject = {}


class NotApplicable(Exception):  # an answer, not a fault
    """Raised by an exam that cannot bring its system into a state; says why.

    Example:
        >>> from contextlib import asynccontextmanager
        >>> import anyio
        >>> from toolroll.testing import check_source, source_checks
        >>> @asynccontextmanager
        ... async def loans_exam(state, /):
        ...     raise NotApplicable(f"the loans are never {state}")
        ...     yield
        >>> report = anyio.run(lambda: check_source(loans_exam, checks=source_checks()[:1]))
        >>> report.not_applicable[0].reason
        'the loans are never working'
    """


def _echo_input(text: str) -> JsonObject:
    return {"text": text}


@dataclass(frozen=True, slots=True, kw_only=True)
class ExamTools:
    """The three tools that the system has, as the source lists them.

    Args:
        echo: answers with the text it is given, a required string of its input.
        failing: runs and reports that it failed.
        blocking: takes a call and never answers.
        echo_input: makes the input of `echo` from a text.
        failing_input, blocking_input: the inputs of the other two.
        failing_says: words of `failing` that a model must read; "" for none.

    Example:
        >>> tools = ExamTools(echo="repeat", echo_input=lambda text: {"words": text})
        >>> tools.echo, tools.echo_input("hello")
        ('repeat', {'words': 'hello'})
    """

    echo: str = "echo"
    failing: str = "failing"
    blocking: str = "blocking"
    echo_input: Callable[[str], JsonObject] = _echo_input
    failing_input: JsonObject = field(default_factory=lambda: _NO_INPUT)
    blocking_input: JsonObject = field(default_factory=lambda: _NO_INPUT)
    failing_says: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """What must never reach a model; the exam puts it wherever the system can say something.

    Args:
        secrets: credentials, in every form the system may repeat them in.
        addresses: hosts, ports and paths of the system.

    Example:
        >>> planted = Planted(secrets=("lib-key-4711",), addresses=("10.0.0.7", ":8080"))
    """

    secrets: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """A source over a system, ready to be examined. What is None makes promises not applicable.

    Args:
        source: fresh and not opened; the exam opens and closes it.
        tools: what the system has.
        planted: what must never reach a model.
        running: how many calls of `blocking` the system is working at now.
        drop: breaks every connection to the system, as a network does.
        kill: ends the system, as a crash does.
        revive: brings a killed system back, at the same address.
        change: changes the tools of the system, for a source that is `Watchable`.
        patience: in the state `slow`, seconds after which the source gives up by itself.
        limit: most characters of an answer that the source lets through.

    Example:
        >>> from toolroll.sources.mcp import mcp_http
        >>> source = mcp_http("loans", "https://mcp.example/mcp", headers={"X-Key": "lib-key-4711"})
        >>> planted = Planted(secrets=("lib-key-4711",))
        >>> sitting = Sitting(source=source, planted=planted)
    """

    source: ToolSource
    tools: ExamTools = ExamTools()
    planted: Planted = Planted()
    running: Callable[[], int] | None = None
    drop: Callable[[], Awaitable[None]] | None = None
    kill: Callable[[], Awaitable[None]] | None = None
    revive: Callable[[], Awaitable[None]] | None = None
    change: Callable[[], Awaitable[None]] | None = None
    patience: float | None = None
    limit: int = 200_000


class SourceExam(Protocol):
    """Brings a system into a state and gives a source over it; usually an async generator.

    Example:
        >>> from contextlib import asynccontextmanager
        >>> from toolroll.sources.mcp import mcp_http
        >>> @asynccontextmanager
        ... async def loans_exam(state, /):
        ...     if state in ("slow", "huge"):
        ...         raise NotApplicable("the loans never answer so")
        ...     yield Sitting(source=mcp_http("loans", f"https://{state}.example/mcp"))
        >>> exam: SourceExam = loans_exam
    """

    def __call__(self, state: SystemState, /) -> AbstractAsyncContextManager[Sitting]:
        """The system is there while the block runs, and gone after it.

        Raises:
            NotApplicable: the system knows no such state.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ExamLimits:
    """How long an exam waits, in seconds, and how much it does. Everything it awaits is bounded.

    Args:
        step: for one call, one listing, one opening or closing, one start of the system.
        prompt: within which a call has ended that was cancelled, closed, dropped or killed.
        check: for one promise as a whole.
        settle: that a call gets to arrive at a system that cannot tell (`Sitting.running`,
            `ToolkitExam.journal`).
        calls: how many calls are made at once.
        cancels: most places of one call at which it is cancelled.

    Raises:
        ConfigError: a limit that is not positive.

    Example:
        >>> ExamLimits(step=30).prompt
        3.0
        >>> ExamLimits(calls=0)
        Traceback (most recent call last):
            ...
        toolroll.outcome.error.ConfigError: calls is 0; it must be positive and finite.
    """

    step: float = 10.0
    prompt: float = 3.0
    check: float = 60.0
    settle: float = 0.2
    calls: int = 50
    cancels: int = 100

    def __post_init__(self) -> None:
        """Refuse limits that nothing could keep."""
        given: Mapping[str, float] = {
            "step": self.step,
            "prompt": self.prompt,
            "check": self.check,
            "settle": self.settle,
            "calls": self.calls,
            "cancels": self.cancels,
        }
        for name, value in given.items():
            if not (value > 0 and math.isfinite(value)):
                raise ConfigError(f"{name} is {value!r}; it must be positive and finite.")
