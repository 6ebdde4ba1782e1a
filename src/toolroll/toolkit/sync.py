"""The door for code that is not async: one event loop in one thread."""

from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Generic, TypeVar, TypeVarTuple, Unpack

import anyio.from_thread

from toolroll.outcome import Outcome
from toolroll.toolkit.batch import call_all
from toolroll.toolkit.protocol import App_contra, Listing, Toolkit
from toolroll.tools.call import ToolCall
from toolroll.tools.context import CallContext

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class BlockingToolkit(Generic[App_contra]):
    """A toolkit whose calls block; made by `blocking`.

    Args:
        kit: whose calls run in the loop.
        portal: the way into it.

    Example:
        >>> from toolroll import LocalToolkit
        >>> with blocking(LocalToolkit("none")) as kit:
        ...     kit.listing(CallContext()).tools
        ()
    """

    __slots__ = ("_kit", "_portal")

    def __init__(self, kit: Toolkit[App_contra], portal: anyio.from_thread.BlockingPortal) -> None:
        self._kit, self._portal = kit, portal

    def listing(self, context: CallContext[App_contra]) -> Listing:
        """The tools this caller may use."""
        return self._kit.listing(context)

    def call(self, call: ToolCall, context: CallContext[App_contra]) -> Outcome:
        """Run one tool to its outcome."""
        return self._portal.call(self._kit.call, call, context)

    def call_all(
        self, calls: Sequence[ToolCall], context: CallContext[App_contra], *, limit: int = 8
    ) -> list[Outcome]:
        """Run the calls of one turn; see `toolroll.call_all`."""

        async def run() -> list[Outcome]:
            return await call_all(self._kit, calls, context, limit=limit)

        return self._portal.call(run)


@contextmanager
def blocking(kit: Toolkit[App_contra]) -> Generator[BlockingToolkit[App_contra]]:
    """Use a toolkit from code that is not async, also while an event loop runs in this thread.

    One thread with one event loop lives as long as the `with` block; all calls run there.

    Example:
        >>> from toolroll import CallContext, LocalToolkit, ToolCall, blocking
        >>> with blocking(LocalToolkit("empty")) as kit:
        ...     kit.call(ToolCall.of("nothing"), CallContext()).code
        'unknown-tool'
    """
    with anyio.from_thread.start_blocking_portal() as portal:
        yield BlockingToolkit(kit, portal)


def run_sync(function: Callable[[Unpack[Ts]], Awaitable[T]], *args: *Ts) -> T:
    """Run one coroutine function to its end in an event loop of its own, in a thread of its own.

    Works inside a running event loop, which waits.

    Args:
        function: the coroutine function.
        args: what it gets.

    Example:
        >>> from toolroll import CallContext, LocalToolkit, ToolCall
        >>> run_sync(LocalToolkit("none").call, ToolCall.of("ghost"), CallContext()).code
        'unknown-tool'
    """
    with anyio.from_thread.start_blocking_portal() as portal:
        return portal.call(function, *args)
