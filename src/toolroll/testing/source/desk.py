"""An opened source, and every question that a check asks of it."""

import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from types import TracebackType

import anyio

from toolroll.content import JsonObject, ToolResult
from toolroll.outcome import Outcome
from toolroll.sources import Discovery, SourceError, ToolSource
from toolroll.testing.census import Census
from toolroll.testing.exam import ExamLimits, Sitting
from toolroll.testing.judging import ENDS, Bound, PromiseBroken, described, is_our_end, within
from toolroll.testing.keeping import Kept
from toolroll.testing.polling import until
from toolroll.testing.source.running import CONTEXT, Running
from toolroll.testing.source.words import not_ours, shown, strings_of
from toolroll.toolkit import Toolkit
from toolroll.tools import CallContext, ToolCall, ToolDefinition

_LOG = logging.getLogger("toolroll.testing")


class Opened:
    """A source from its opening to its closing, both in one task.

    Args:
        source: what is opened.
    """

    def __init__(self, source: ToolSource) -> None:
        self._source = source
        self.closings = 1
        """How often it is closed."""

    async def __aenter__(self) -> ToolSource:
        enter = getattr(self._source, "__aenter__", None)
        if enter is not None:
            await enter()
        return self._source

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for _ in range(self.closings):
            await self._source.aclose()


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """An opened source and what is asked of it, every question bounded.

    Args:
        sitting: the source and its system.
        limits: of everything that is awaited.
        before: what was alive before the source was opened.
        opened: the source from its opening to its closing.
        kept: holds it open.
        definitions: the tools by name.
        unopened: why the source could not be opened.
    """

    sitting: Sitting
    limits: ExamLimits
    before: Census
    opened: Opened
    kept: Kept[ToolSource]
    definitions: dict[str, ToolDefinition] = field(default_factory=dict[str, ToolDefinition])
    unopened: SourceError | None = None

    @property
    def source(self) -> ToolSource:
        """What is examined."""
        return self.sitting.source

    def bounded(self, what: str) -> Bound:
        """A step that may take `ExamLimits.step` seconds."""
        return within(self.limits.step, what)

    def definition(self, name: str) -> ToolDefinition:
        """The definition of a tool."""
        if name not in self.definitions:
            raise PromiseBroken(f"no tool {name!r} is listed; there are: {[*self.definitions]}")
        return self.definitions[name]

    async def discover(self) -> Discovery:
        """Ask for the tools."""
        self._require()
        with self.bounded("discover()"):
            return await self.source.discover(CONTEXT)

    async def call(
        self,
        definition: ToolDefinition,
        input: JsonObject,
        *,
        seconds: float | None = None,
    ) -> ToolResult:
        """Call a tool."""
        self._require()
        with within(seconds or self.limits.step, f"a call of {definition.name!r}"):
            return await self.source.call(definition, input, CONTEXT)

    async def echo(self, text: str = "ping") -> ToolResult:
        """Call `echo`."""
        tools = self.sitting.tools
        return await self.call(self.definition(tools.echo), tools.echo_input(text))

    async def echoes(self, text: str, when: str) -> None:
        """Call `echo`, which must answer with its text.

        Args:
            text: to send.
            when: is said in front of what is wrong.
        """
        try:
            result = await self.echo(text)
        except (PromiseBroken, SourceError) as error:
            raise PromiseBroken(f"{when}: {error}") from error
        if result.is_error or text not in strings_of(result):
            raise PromiseBroken(f"{when}: {text!r} was sent, {shown(result)} came back")

    async def answers(self, when: str) -> None:
        """Call `echo`, which must answer, whatever it says.

        Args:
            when: is said in front of what is wrong.
        """
        try:
            result = await self.echo()
        except (PromiseBroken, SourceError) as error:
            raise PromiseBroken(f"{when}: {error}") from error
        if result.is_error:
            raise PromiseBroken(f"{when}: {shown(result)} came back")

    async def outcome(
        self, kit: Toolkit[object], call: ToolCall, context: CallContext[object] = CONTEXT
    ) -> Outcome | BaseException:
        """Call a tool through a toolkit: its outcome, or whatever was raised."""
        with self.bounded(f"a call of {call.name!r} through a toolkit"):
            try:
                return await kit.call(call, context)
            except BaseException as error:
                if isinstance(error, ENDS) or is_our_end(error):
                    raise
                return error

    async def attempt(
        self, definition: ToolDefinition, input: JsonObject
    ) -> ToolResult | Exception:
        """Call a tool: its result, or whatever was raised."""
        try:
            return await self.call(definition, input)
        except Exception as error:
            return error

    async def failing(self) -> ToolResult | SourceError:
        """Call `failing`; how it failed."""
        tools = self.sitting.tools
        return await self.trouble(self.definition(tools.failing), tools.failing_input)

    async def trouble(
        self, definition: ToolDefinition, input: JsonObject
    ) -> ToolResult | SourceError:
        """Call a tool that must fail: the source's error, or what the tool reported."""
        try:
            result = await self.call(definition, input)
        except SourceError as error:
            return error
        except PromiseBroken:
            raise
        except Exception as error:
            raise PromiseBroken(f"{definition.name!r}: {not_ours(error)}") from error
        if not result.is_error:
            raise PromiseBroken(f"{definition.name!r} answered: {shown(result)}")
        return result

    async def failure(self, *, seconds: float | None = None) -> SourceError:
        """Call `echo`, which must fail as an error of the source.

        Args:
            seconds: that it may take; None for those of a step.
        """
        tools = self.sitting.tools
        definition, input = self.definition(tools.echo), tools.echo_input("ping")
        try:
            result = await self.call(definition, input, seconds=seconds)
        except SourceError as error:
            return error
        except PromiseBroken:
            raise
        except Exception as error:
            raise PromiseBroken(not_ours(error)) from error
        raise PromiseBroken(f"a call answered: {shown(result)}")

    async def listing_failure(self) -> SourceError | None:
        """Ask for the tools; how that failed, None where the source answers without its system."""
        try:
            await self.discover()
        except SourceError as error:
            return error
        except PromiseBroken:
            raise
        except Exception as error:
            raise PromiseBroken(f"discover(): {not_ours(error)}") from error
        return None

    @asynccontextmanager
    async def begun(self) -> AsyncGenerator[Running]:
        """A call of `blocking` that begins with the block; it is cancelled with its end."""
        tools = self.sitting.tools
        definition = self.definition(tools.blocking)
        running = Running(self.limits)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(running.run, self.source, definition, tools.blocking_input)
            await running.begun.wait()
            try:
                yield running
            finally:
                running.cancel()

    @asynccontextmanager
    async def blocked(self) -> AsyncGenerator[Running]:
        """A call of `blocking` that the system works at while the block runs."""
        beside = self.works_at()
        async with self.begun() as running:
            await self.arrived(running, beside)
            yield running

    async def falls_idle(self) -> bool:
        """Wait until the system works at no call of `blocking`; whether that came in time."""
        return await until(lambda: not self.works_at(), self.limits.prompt)

    async def arrived(self, running: Running, beside: int = 0) -> None:
        """Wait until the system works at one call of `blocking`, beside some others."""
        tells = self.sitting.running is not None

        def is_there() -> bool:
            return not running.is_running or (tells and self.works_at() > beside)

        there = await until(is_there, self.limits.step if tells else self.limits.settle)
        if not running.is_running:
            raise PromiseBroken(f"a call that is never answered {running.words}")
        if tells and not there:
            raise PromiseBroken("a call of the blocking tool never arrived at the system")

    def works_at(self) -> int:
        """How many calls of `blocking` the system works at; 0 where it does not tell."""
        return 0 if self.sitting.running is None else self.sitting.running()

    def _require(self) -> None:
        if self.unopened is not None:
            raise self.unopened

    async def close(self) -> None:
        """Close the source, where it was opened."""
        try:
            await self.kept.leave()
        except PromiseBroken:
            raise
        except Exception as error:
            raise PromiseBroken(f"closing: {described(error)}") from error

    async def clear_up(self) -> None:
        """Close once more, whatever comes of it: a source may have opened itself again."""
        with self.bounded("closing again"):
            try:
                await self.source.aclose()
            except Exception as error:
                _LOG.debug("clearing up after a check: %r", error)
