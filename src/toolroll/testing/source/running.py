"""A call that is not answered, and how it ends."""

import anyio

from toolroll.content import JsonObject, ToolResult
from toolroll.sources import SourceError, ToolSource
from toolroll.testing.exam import ExamLimits
from toolroll.testing.judging import (
    PromiseBroken,
    described,
    is_cancellation,
    is_our_end,
    within,
)
from toolroll.testing.source.words import shown
from toolroll.tools import CallContext, ToolDefinition

CONTEXT: CallContext[object] = CallContext()
"""What calls are made with."""


class Running:
    """A call that is not answered, and how it ends."""

    def __init__(self, limits: ExamLimits) -> None:
        self._limits = limits
        self._scope, self._ended = anyio.CancelScope(), anyio.Event()
        self.begun = anyio.Event()
        self.result: ToolResult | None = None
        self.error: BaseException | None = None

    @property
    def is_running(self) -> bool:
        """It has not ended."""
        return not self._ended.is_set()

    @property
    def words(self) -> str:
        """How it ended."""
        if self.error is not None:
            return (
                f"failed: {self.error}"
                if isinstance(self.error, SourceError)
                else described(self.error)
            )
        return "was cancelled" if self.result is None else f"answered: {shown(self.result)}"

    async def run(self, source: ToolSource, definition: ToolDefinition, input: JsonObject) -> None:
        """Make the call."""
        try:
            with self._scope:
                self.begun.set()
                self.result = await source.call(definition, input, CONTEXT)
        except BaseException as error:
            if is_our_end(error) or not (isinstance(error, Exception) or is_cancellation(error)):
                raise
            self.error = error
        finally:
            self._ended.set()

    def cancel(self) -> None:
        """Cancel it."""
        self._scope.cancel()

    async def end(self, after: str) -> None:
        """Wait until it has ended, as promptly as it must.

        Args:
            after: what should have ended it.
        """
        with within(self._limits.prompt, f"after {after}, the end of the running call"):
            await self._ended.wait()

    async def failure(self, after: str) -> SourceError:
        """The error of the source that it must end with."""
        await self.end(after)
        if not isinstance(self.error, SourceError):
            raise PromiseBroken(f"after {after} the running call {self.words}")
        return self.error
