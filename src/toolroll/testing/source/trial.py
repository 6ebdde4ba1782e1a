"""What a check of a source works with: a system in some state, and the source over it."""

import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TypeVar

import anyio

from toolroll.sources import Discovery, SourceError
from toolroll.testing.census import take_census
from toolroll.testing.exam import ExamLimits, NotApplicable, Sitting, SourceExam, SystemState
from toolroll.testing.judging import leaves_of
from toolroll.testing.keeping import Kept
from toolroll.testing.source.desk import Desk, Opened
from toolroll.tools import ToolDefinition

T = TypeVar("T")

_LOG = logging.getLogger("toolroll.testing")
_LISTING: tuple[SystemState, ...] = ("working", "huge")
"""States in which the system is asked for its tools; a slow one's source may be out of patience."""


class Trial:
    """One check of one source.

    Args:
        exam: gives the systems.
        limits: of everything that is awaited.
    """

    def __init__(self, exam: SourceExam, limits: ExamLimits) -> None:
        self.exam, self.limits = exam, limits

    @asynccontextmanager
    async def sitting(self, state: SystemState) -> AsyncGenerator[Sitting]:
        """The system in a state, and the source over it, not opened."""
        kept = Kept(self.exam(state), f"the system, {state},", self.limits.step)
        async with anyio.create_task_group() as tasks:
            sitting = await tasks.start(kept.run)
            try:
                yield sitting
            except BaseException:
                await _given_up(kept)  # what was found matters more
                raise
            await kept.leave()

    @asynccontextmanager
    async def desk(self, state: SystemState = "working") -> AsyncGenerator[Desk]:
        """The source over a system in a state, opened; its tools are those of a working system."""
        stored = {} if state in _LISTING else await self.catalog()
        async with self.sitting(state) as sitting, self.over(sitting) as desk:
            desk.definitions.update(stored or _by_name(await desk.discover()))
            yield desk

    async def ask_in(self, state: SystemState, ask: Callable[[Desk], Awaitable[T]]) -> T | None:
        """Ask a source over a system in a state; None where the system knows no such state."""
        try:
            async with self.desk(state) as desk:
                return await ask(desk)
        except Exception as error:
            if any(isinstance(leaf, NotApplicable) for leaf in leaves_of(error)):
                return None
            raise

    async def catalog(self) -> dict[str, ToolDefinition]:
        """The tools as a working system lists them."""
        async with self.sitting("working") as sitting, self.over(sitting) as desk:
            return _by_name(await desk.discover())

    @asynccontextmanager
    async def over(self, sitting: Sitting) -> AsyncGenerator[Desk]:
        """The source of a sitting, opened; no tools are asked for."""
        before = take_census()
        opened = Opened(sitting.source)
        kept = Kept(opened, "the source", self.limits.step)
        desk = Desk(sitting=sitting, limits=self.limits, before=before, opened=opened, kept=kept)
        async with anyio.create_task_group() as tasks:
            try:
                await tasks.start(kept.run)
            except SourceError as error:
                # A source may ask its system when it is opened; then every call fails so.
                desk = replace(desk, unopened=error)
            try:
                yield desk
            finally:
                await _given_up(kept)  # how a source closes is judged by checks of its own


def _by_name(discovery: Discovery) -> dict[str, ToolDefinition]:
    return {definition.name: definition for definition in discovery.definitions}


async def _given_up(kept: Kept[T]) -> None:
    try:
        await kept.leave()
    except Exception as error:  # what is examined has been judged already
        _LOG.debug("clearing up after a check: %r", error)
