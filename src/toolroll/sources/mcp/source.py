"""An MCP server as a source of tools."""

import dataclasses
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Self, TypeAlias

import anyio

from toolroll.content import JsonObject, ToolResult
from toolroll.protocol import (
    HEADER_MISMATCH,
    ErrorResponse,
    Mark,
    ServerWords,
    mark_headers,
)
from toolroll.sources.mcp.answer import AnswerReader
from toolroll.sources.mcp.listener import Listener
from toolroll.sources.mcp.listing import Lister, PageOfTools
from toolroll.sources.mcp.marking import MarkBook
from toolroll.sources.mcp.option import McpOptions, Settings
from toolroll.sources.mcp.round import next_params, wants_input
from toolroll.sources.mcp.session import CALL, LIST, Ask, Asker, Heard
from toolroll.sources.mcp.shelf import Shelf
from toolroll.sources.mcp.watch import Watch
from toolroll.sources.mcp.wire import Wire
from toolroll.sources.running import RunningCalls
from toolroll.sources.source import Discovery, SourceError
from toolroll.toolkit.news import News
from toolroll.tools.context import CallContext
from toolroll.tools.definition import ToolDefinition

MakeWire: TypeAlias = Callable[[Settings, Asker], Wire]
"""Makes the way to a server, of the settings of a source and of the source itself."""

_NO_CONTEXT: CallContext[object] = CallContext()


class McpSource:
    """A source of tools that speaks MCP; made by `mcp_http` and `mcp_stdio`.

    It is used at once or in an `async with` block, from any task and, one after the other, from any
    event loop. It begins with the first use and keeps its session or process until `aclose`.

    Example:
        >>> from toolroll import run_sync
        >>> from toolroll.sources.mcp import mcp_http
        >>> loans = mcp_http("loans", "https://mcp.example/mcp")
        >>> loans.name, loans.server
        ('loans', None)
        >>> run_sync(loans.aclose)
    """

    def __init__(self, settings: Settings, make: MakeWire, *, host: str = "") -> None:
        self.name = settings.name
        self._settings, self._make, self._host = settings, make, host
        log, self._news = logging.getLogger(f"toolroll.mcp.{settings.name}"), News()
        self._asker = Asker(log=log, news=self._news)
        self._wire = wire = make(settings, self._asker)
        self._running = RunningCalls()
        self._reader = AnswerReader(settings, host, log)
        self._lister = Lister(settings, mirrors=wire.mirrors, log=log)
        self._shelf = Shelf(self._news, settings.options.sessions)
        self._book = MarkBook(number_marks=settings.options.number_marks)

    def with_options(self, options: McpOptions) -> "McpSource":
        """The same source, not yet used, with other options.

        Example:
            >>> from toolroll.sources.mcp import McpOptions, mcp_http
            >>> source = mcp_http("loans", "https://mcp.example/mcp")
            >>> source.with_options(McpOptions(era="modern", pages=10)).name
            'loans'
        """
        settings = dataclasses.replace(self._settings, options=options)
        return McpSource(settings, self._make, host=self._host)

    @property
    def server(self) -> ServerWords | None:
        """What the server said of itself, None before the first use. Never proof of anything."""
        return self._wire.words

    async def __aenter__(self) -> Self:
        """Open; nothing is contacted."""
        await self._wire.open()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close."""
        await self.aclose()

    async def aclose(self) -> None:
        """Let go of session, connections or process; further uses fail until it is opened again.

        Calls that run end as errors, within `grace` seconds.
        """
        self._wire.shut()
        self._shelf.clear()
        await self._running.end(self._settings.options.grace)
        await self._wire.aclose()

    async def discover(self, context: CallContext[object] | None = None, /) -> Discovery:
        """Ask the server for its tools, every page.

        A list that the server gave a life (`ttlMs`) is not asked for again before its end, or
        before word of a change; its `ttl` is what is left of it.

        Raises:
            SourceError: the list could not be had whole.
        """
        given = context or _NO_CONTEXT
        if (kept := self._shelf.take(self._wire.owner_of(given))) is not None:
            return kept
        watch = self._watch(given, repeatable=True, harmless=True)
        with watch.scope, self._running.one(watch.close):
            return await self._listed(given, watch)
        raise watch.failure()

    @asynccontextmanager
    async def changes(
        self, context: CallContext[object] | None = None, /
    ) -> AsyncGenerator[AsyncIterator[None]]:
        """Changes of the list of tools from now on: after each step, `discover` has something new.

        The block listens to the server and is left with an open iterator. A stream that ends is
        opened again, and what may have been missed is one more step. The iterator ends when the
        server does not tell of changes, which costs nothing further, or the source is closed.

        Raises:
            SourceError: the server could not be asked at the beginning; later, from the iterator,
                that it refuses to tell.

        Example:
            async with source.changes() as changes:
                async for _ in changes:
                    found = await source.discover()
                    live.swap(as_toolkit(source, found.definitions))
        """
        failure: BaseException | None = None
        with self._news.feed() as feed:
            given = context or _NO_CONTEXT
            listener = Listener(self._wire, self._settings, self._asker, given, feed)
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(listener.run, self._running)
                try:
                    await listener.settled.wait()
                    feed.check()
                    yield feed
                except (Exception, KeyboardInterrupt, SystemExit) as error:
                    failure = error  # it leaves as it is, not in a group
                tasks.cancel_scope.cancel()
        if failure is not None:
            raise failure

    async def call(
        self, definition: ToolDefinition, input: JsonObject, context: CallContext[object], /
    ) -> ToolResult:
        """Run one tool; the input is sent as given.

        Raises:
            SourceError: there is no result.
        """
        hints = definition.hints
        repeatable = self._settings.trust and bool(hints.read_only or hints.idempotent)
        watch = self._watch(context, repeatable=repeatable, harmless=False)
        with watch.scope, self._running.one(watch.close):
            return await self._called(definition, input, context, watch)
        raise watch.failure()

    def _watch(self, context: CallContext[object], *, repeatable: bool, harmless: bool) -> Watch:
        return Watch(
            self.name,
            self._settings.timeouts,
            context.deadline,
            repeatable=repeatable,
            harmless=harmless,
        )

    async def _listed(self, context: CallContext[object], watch: Watch) -> Discovery:
        heard = self._news.count

        async def page(params: JsonObject) -> PageOfTools:
            heard = await self._wire.ask(Ask(LIST, params, context, watch, self._asker))
            result = self._reader.result_of(heard)
            if wants_input(result):
                raise SourceError(self.name, "invalid-response", "tools/list wants input")
            modern = heard.session.era == "modern"
            return PageOfTools(result=result, size=heard.size, modern=modern)

        discovery = await self._lister.read(page)
        if self._settings.options.caching:
            self._shelf.put(self._wire.owner_of(context), discovery, heard=heard)
        return discovery

    async def _called(
        self,
        definition: ToolDefinition,
        input: JsonObject,
        context: CallContext[object],
        watch: Watch,
    ) -> ToolResult:
        first: JsonObject = {"name": definition.name, "arguments": dict(input)}
        params = first
        for _ in range(self._settings.options.rounds + 1):
            ask = Ask(CALL, params, context, watch, self._asker, self._marks(definition))
            heard = await self._wire.ask(ask)
            if _is_mismatch(heard) and await self._has_newer(definition, input, ask):
                again = Ask(CALL, params, context, watch, self._asker, self._marks(definition))
                heard = await self._wire.ask(again)
            result = self._reader.result_of(heard)
            if heard.session.era != "modern" or not wants_input(result):
                return self._reader.tool_result(definition, result)
            params = await next_params(self.name, first, result, ask)
        rounds = self._settings.options.rounds
        raise SourceError(self.name, "unsupported", f"input was asked for more than {rounds} times")

    def _marks(self, definition: ToolDefinition) -> tuple[Mark, ...]:
        return self._book.of(definition) if self._wire.mirrors else ()

    async def _has_newer(self, definition: ToolDefinition, input: JsonObject, ask: Ask) -> bool:
        """List again after headers were refused; whether the call would send others now."""
        sent = mark_headers(ask.marks, input)
        listed = await self._listed(ask.context, ask.watch)
        newer = next((each for each in listed.definitions if each.name == definition.name), None)
        if newer is None:
            raise SourceError(self.name, "not-found", "the server no longer lists the tool")
        self._book.renew(definition, newer)
        try:
            return mark_headers(self._book.of(definition), input) != sent
        except ValueError:
            return True  # sending says what is wrong with the input


def _is_mismatch(heard: Heard) -> bool:
    """Headers are checked in the modern era alone; before it the code meant nothing."""
    modern, answer = heard.session.era == "modern", heard.answer
    return modern and isinstance(answer, ErrorResponse) and answer.code == HEADER_MISMATCH
