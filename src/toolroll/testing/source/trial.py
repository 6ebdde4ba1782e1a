"""What a check of a source works with: a system in some state, and the source, opened."""

import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import TypeVar

import anyio

from toolroll.content import JsonObject, JsonValue, Text, ToolResult
from toolroll.outcome import Outcome
from toolroll.sources import Discovery, SourceError, ToolSource
from toolroll.testing.census import Census, take_census
from toolroll.testing.exam import ExamLimits, NotApplicable, Sitting, SourceExam, SystemState
from toolroll.testing.judging import (
    ENDS,
    PromiseBroken,
    described,
    is_cancellation,
    is_our_end,
    leaves_of,
    within,
)
from toolroll.testing.keeping import Kept
from toolroll.testing.polling import until
from toolroll.toolkit import Toolkit
from toolroll.tools import CallContext, ToolCall, ToolDefinition

T = TypeVar("T")

_LOG = logging.getLogger("toolroll.testing")
_SHOWN = 200
_LISTING: tuple[SystemState, ...] = ("working", "slow", "huge")
"""States in which the system tells its tools."""

CONTEXT: CallContext[object] = CallContext()


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
    async def desk(self, state: SystemState = "working") -> AsyncGenerator["Desk"]:
        """The source over a system in a state, opened; its tools are those of a working system."""
        stored = {} if state in _LISTING else await self.catalog()
        async with self.sitting(state) as sitting, self.over(sitting) as desk:
            desk.definitions.update(stored or _by_name(await desk.discover()))
            yield desk

    async def ask_in(self, state: SystemState, ask: Callable[["Desk"], Awaitable[T]]) -> T | None:
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
    async def over(self, sitting: Sitting) -> AsyncGenerator["Desk"]:
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

    def bounded(self, what: str) -> AbstractContextManager[None]:
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
        raise AssertionError  # pragma: no cover  # `bounded` raised

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
        raise AssertionError  # pragma: no cover  # `bounded` raised

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
        raise AssertionError  # pragma: no cover  # `bounded` raised

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
            raise PromiseBroken(f"{definition.name!r}: {_not_ours(error)}") from error
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
            raise PromiseBroken(_not_ours(error)) from error
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
            raise PromiseBroken(f"discover(): {_not_ours(error)}") from error
        return None

    @asynccontextmanager
    async def begun(self) -> AsyncGenerator["Running"]:
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
    async def blocked(self) -> AsyncGenerator["Running"]:
        """A call of `blocking` that the system works at while the block runs."""
        beside = self.works_at()
        async with self.begun() as running:
            await self.arrived(running, beside)
            yield running

    async def falls_idle(self) -> bool:
        """Wait until the system works at no call of `blocking`; whether that came in time."""
        return await until(lambda: not self.works_at(), self.limits.prompt)

    async def arrived(self, running: "Running", beside: int = 0) -> None:
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
            return f"failed: {self.error}" if _is_ours(self.error) else described(self.error)
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


def strings_of(result: ToolResult) -> list[str]:
    """Every text of a result: its text blocks, and every string of its data."""
    texts = [block.text for block in result.content if isinstance(block, Text)]
    return [*texts, *_strings([result.data])]


def _strings(values: Iterable[JsonValue]) -> Iterable[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            yield from _strings(value.values())
        elif isinstance(value, (list, tuple)):
            yield from _strings(value)


def shown(value: object) -> str:
    """A value in an explanation, cut."""
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _by_name(discovery: Discovery) -> dict[str, ToolDefinition]:
    return {definition.name: definition for definition in discovery.definitions}


def _not_ours(error: BaseException) -> str:
    return f"{described(error)}; a source raises SourceError and nothing else"


def _is_ours(error: BaseException) -> bool:
    return isinstance(error, SourceError)


async def _given_up(kept: Kept[T]) -> None:
    try:
        await kept.leave()
    except Exception as error:  # what is examined has been judged already
        _LOG.debug("clearing up after a check: %r", error)
