"""What a source promises that says when its tools change; the others are not asked."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

import anyio

from toolroll.sources import SourceError, Watchable
from toolroll.testing.census import take_census
from toolroll.testing.exam import NotApplicable
from toolroll.testing.judging import (
    PromiseBroken,
    described,
    is_cancellation,
    is_our_end,
    within,
)
from toolroll.testing.source.check import SourceCheck
from toolroll.testing.source.closing import nothing_is_left
from toolroll.testing.source.desk import Desk
from toolroll.testing.source.running import CONTEXT
from toolroll.testing.source.trial import Trial


class _Listener:
    """One who listens for changes, in one task from beginning to end."""

    def __init__(self, source: Watchable) -> None:
        self._source, self._scope = source, anyio.CancelScope()
        self.settled, self.ended = anyio.Event(), anyio.Event()
        self.heard = anyio.Event()
        self.is_open = False
        self.error: BaseException | None = None

    async def run(self) -> None:
        """Listen."""
        try:
            with self._scope:
                async with self._source.changes(CONTEXT) as changes:
                    self.is_open = True
                    self.settled.set()
                    async for _ in changes:
                        self.heard.set()
        except BaseException as error:
            if is_our_end(error) or not (isinstance(error, Exception) or is_cancellation(error)):
                raise
            self.error = error
        finally:
            self.ended.set()
            self.settled.set()
            self.heard.set()

    def cancel(self) -> None:
        """Stop listening."""
        self._scope.cancel()

    def check(self) -> None:
        """It still listens.

        Raises:
            PromiseBroken: it does not.
        """
        if self.error is not None:
            raise PromiseBroken(f"listening for changes: {described(self.error)}")
        if self.ended.is_set():
            raise PromiseBroken("listening for changes ended although nobody ended it")


@asynccontextmanager
async def _listening(desk: Desk) -> AsyncGenerator[_Listener]:
    """Somebody listens while the block runs."""
    source = desk.source
    if not isinstance(source, Watchable):
        raise NotApplicable("the source has no changes(), so it is no toolroll.sources.Watchable")
    listener = _Listener(source)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(listener.run)
        try:
            with desk.bounded("beginning to listen for changes"):
                await listener.settled.wait()
            yield listener
        finally:
            listener.cancel()


async def _are_told(trial: Trial) -> None:
    async with trial.desk() as desk:
        before = await _tools(desk)
        async with _listening(desk) as listener:
            change = desk.sitting.change
            if change is None:
                raise NotApplicable("the exam has no way to change the system's tools")
            listener.check()
            await change()
            await _hears_of_it(desk, listener, lambda: _differs(desk, before))
            listener.cancel()
            with within(desk.limits.prompt, "after it was cancelled, the end of listening"):
                await listener.ended.wait()
            if listener.error is not None:
                raise PromiseBroken(f"listening was cancelled, and {described(listener.error)}")


async def _hears_of_it(
    desk: Desk, listener: _Listener, is_there: Callable[[], Awaitable[bool]]
) -> None:
    """Wait for a step after which the change is there; there may be steps that mean nothing."""
    with desk.bounded("after the tools changed, a step after which the listing is another one"):
        while True:
            await listener.heard.wait()
            listener.check()
            listener.heard = anyio.Event()
            if await is_there():
                return


async def _differs(desk: Desk, before: set[str]) -> bool:
    return await _tools(desk) != before


async def _tools(desk: Desk) -> set[str]:
    # Not their fingerprints: a definition that cannot be stored breaks another promise.
    return {repr(definition) for definition in (await desk.discover()).definitions}


async def _ends_with_closing(trial: Trial) -> None:
    async with trial.desk() as desk:
        async with _listening(desk) as listener:
            if listener.is_open and listener.ended.is_set():
                raise NotApplicable("the system does not tell of changes")
            listener.check()
            used = take_census()
            await desk.close()
            with within(desk.limits.prompt, "after the source was closed, the end of listening"):
                await listener.ended.wait()
            if not isinstance(listener.error, SourceError | None):
                raise PromiseBroken(f"after closing, listening: {described(listener.error)}")
        await nothing_is_left(desk, used)


CHECKS = (
    SourceCheck(
        name="changes-are-told",
        promise="Who listens hears when the tools change, and a listing then has the change.",
        run=_are_told,
    ),
    SourceCheck(
        name="closing-ends-listening",
        promise="Closing ends who listens for changes, at once, and leaves nothing.",
        run=_ends_with_closing,
    ),
)
