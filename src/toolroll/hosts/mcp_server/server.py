"""The server itself: which method gives which result, in either era. It knows no transport.

Source: MCP 2026-07-28, basic/versioning, server/discover, server/tools and
basic/patterns/subscriptions; MCP 2025-11-25, basic/lifecycle.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Generic, TypeAlias, cast

import anyio

from toolroll.content import JsonObject, JsonValue
from toolroll.hosts.mcp_server.calling import Caller, call_tool
from toolroll.hosts.mcp_server.exchange import Incoming
from toolroll.hosts.mcp_server.info import RequestInfo
from toolroll.hosts.mcp_server.option import Changes, ServerOptions
from toolroll.hosts.mcp_server.page import ToolPages
from toolroll.hosts.mcp_server.rejection import Rejection, bad_params, no_method, overloaded
from toolroll.hosts.mcp_server.state import StateSigner
from toolroll.protocol import (
    ACKNOWLEDGED,
    DISCOVER,
    INITIALIZE,
    INTERNAL_ERROR,
    LIST_CHANGED,
    SERVER_INFO_KEY,
    SUBSCRIPTION_KEY,
    VERSIONS,
    Implementation,
    ServerWords,
    acknowledged_filter,
    agree_version,
    complete_result,
    features_of,
    wants_tools,
    write_discover_result,
    write_initialize_result,
)
from toolroll.toolkit.protocol import Toolkit
from toolroll.tools.context import App_co, CallContext

_LOG = logging.getLogger("toolroll.mcp_server")

MakeContext: TypeAlias = Callable[[RequestInfo], CallContext[App_co]]
"""Makes the context of a call from what is known of its request. The host's own object, and who it
is for, come from here."""


class McpServer(Generic[App_co]):
    """Answers requests with results. One for each served toolkit.

    Args:
        kit: what is served.
        name, version: what the server says of itself.
        context: makes the context of each request.
        options: see `ServerOptions`.
    """

    __slots__ = ("_caller", "_context", "_info", "_subscriptions", "calls", "closing", "options")

    def __init__(
        self,
        kit: Toolkit[App_co],
        *,
        name: str,
        version: str,
        context: MakeContext[App_co] | None = None,
        options: ServerOptions | None = None,
    ) -> None:
        self.options = options or ServerOptions()
        self.calls = 0
        self.closing: anyio.Event | None = None
        self._context = context
        self._subscriptions = 0
        self._info = _implementation(name, version, self.options)
        limits = self.options.limits
        self._caller = Caller(
            kit=kit,
            name=name,
            options=self.options,
            pages=ToolPages(),
            signer=StateSigner(
                self.options.state_keys, seconds=self.options.ask_seconds, limit=limits.state
            ),
        )

    async def answer(self, incoming: Incoming) -> dict[str, JsonValue]:
        """The result of one request.

        Raises:
            Rejection: there is an error instead of a result. Whatever else goes wrong inside is
                logged and leaves as an internal error that says nothing.
        """
        try:
            if incoming.modern:
                return self._named(await self._answer_modern(incoming))
            return await self._answer_legacy(incoming)
        except Rejection:
            raise
        except Exception as error:
            _LOG.exception("answering %s failed", incoming.request.method)
            raise Rejection(INTERNAL_ERROR, "Internal error") from error

    def close(self) -> None:
        """End the open subscriptions: the server is going away."""
        if self.closing is not None:
            self.closing.set()

    async def _answer_modern(self, incoming: Incoming) -> dict[str, JsonValue]:
        match incoming.request.method:
            case "tools/call":
                return await self._call(incoming)
            case "tools/list":
                return self._list(incoming)
            case method if method == DISCOVER:
                return self._discover()
            case "subscriptions/listen" if self.options.changes is not None:
                return await self._listen(incoming, self.options.changes)
            case method:
                raise no_method(method)

    async def _answer_legacy(self, incoming: Incoming) -> dict[str, JsonValue]:
        match incoming.request.method:
            case "tools/call":
                return await self._call(incoming)
            case "tools/list":
                return self._list(incoming)
            case "ping":
                return {}
            case method if method == INITIALIZE:
                return self._initialize(incoming)
            case "logging/setLevel":
                return self._set_level(incoming)
            case method:
                raise no_method(method)

    async def _call(self, incoming: Incoming) -> dict[str, JsonValue]:
        if self.calls >= self.options.limits.calls:
            raise overloaded()
        self.calls += 1
        try:
            return await call_tool(self._caller, incoming, self._context_of(incoming.info))
        finally:
            self.calls -= 1

    def _list(self, incoming: Incoming) -> dict[str, JsonValue]:
        listing = self._caller.kit.listing(self._context_of(incoming.info))
        page = self._caller.pages.page(
            listing,
            incoming.request.params.get("cursor"),
            size=self.options.page_size,
            version=incoming.version,
        )
        written: dict[str, JsonValue] = {"tools": page.tools}
        if page.cursor is not None:
            written["nextCursor"] = page.cursor
        if incoming.modern:
            written["ttlMs"], written["cacheScope"] = self._ttl_ms, self.options.cache_scope
        return complete_result(written, version=incoming.version)

    def _discover(self) -> dict[str, JsonValue]:
        words = self._words(VERSIONS, changes=self.options.changes is not None)
        return write_discover_result(words, ttl_ms=self._ttl_ms, scope=self.options.cache_scope)

    def _initialize(self, incoming: Incoming) -> dict[str, JsonValue]:
        version = agree_version(incoming.request.params.get("protocolVersion"))
        # Without sessions there is no HTTP stream on which a legacy client could hear of a change.
        changes = self.options.changes is not None and incoming.info.transport == "stdio"
        written = write_initialize_result(self._words((version,), changes=changes))
        return {**written, "serverInfo": _told(self._info, version)}

    def _set_level(self, incoming: Incoming) -> dict[str, JsonValue]:
        """Taken from clients that send it anyway; this server sends no log messages."""
        if not isinstance(incoming.request.params.get("level"), str):
            raise bad_params("'level' must be a text")
        return {}

    async def _listen(self, incoming: Incoming, changes: Changes) -> dict[str, JsonValue]:
        """Tell of changes until the client goes or the server closes."""
        wanted = incoming.request.params.get("notifications")
        if not isinstance(wanted, Mapping):
            raise bad_params("'notifications' must be an object")
        if self._subscriptions >= self.options.limits.subscriptions:
            raise overloaded()
        tools = wants_tools(incoming.request.params)
        meta: JsonObject = {SUBSCRIPTION_KEY: incoming.request.id}
        honoured = acknowledged_filter(tools=tools)
        tell: JsonObject = {"_meta": meta}
        self.closing = closing = self.closing or anyio.Event()
        self._subscriptions += 1
        try:
            async with changes() as stream, anyio.create_task_group() as tasks:
                incoming.exchange.notify(ACKNOWLEDGED, {**tell, "notifications": honoured})

                async def forward() -> None:
                    async for _ in stream:
                        incoming.exchange.notify(LIST_CHANGED, tell)
                    tasks.cancel_scope.cancel()

                async def end() -> None:
                    await closing.wait()
                    tasks.cancel_scope.cancel()

                tasks.start_soon(end)
                if tools:
                    tasks.start_soon(forward)
        finally:
            self._subscriptions -= 1
        return complete_result(tell)

    def _context_of(self, info: RequestInfo) -> CallContext[App_co]:
        if self._context is None:
            made = cast("CallContext[App_co]", CallContext())
        else:
            made = self._context(info)
        if (made.principal is None and info.principal is not None) or (
            info.trace and not made.trace
        ):
            made = replace(
                made,
                principal=made.principal or info.principal,
                trace=made.trace or info.trace,
            )
        return made

    def _words(self, versions: tuple[str, ...], *, changes: bool) -> ServerWords:
        return ServerWords(
            versions=versions,
            capabilities={"tools": {"listChanged": True} if changes else {}},
            info=Implementation.from_json(self._info),
            instructions=self.options.instructions,
        )

    def _named(self, result: dict[str, JsonValue]) -> dict[str, JsonValue]:
        """The result with the server's name, which every stateless answer carries."""
        meta = cast("JsonObject", result.get("_meta") or {})
        result["_meta"] = {**meta, SERVER_INFO_KEY: self._info}
        return result

    @property
    def _ttl_ms(self) -> int:
        return max(0, round(self.options.ttl * 1000))


def _implementation(name: str, version: str, options: ServerOptions) -> JsonObject:
    said = Implementation(
        name=name,
        version=version,
        title=options.title,
        description=options.description,
        website=options.website_url,
    ).to_json()
    return {**said, "icons": list(options.icons)} if options.icons else said


def _told(info: JsonObject, version: str) -> JsonObject:
    """What a version lets a server say of itself."""
    features = features_of(version)
    keys = {"name", "version"}
    if features.titles:
        keys.add("title")
    if features.icons:
        keys |= {"description", "websiteUrl", "icons"}
    return {key: value for key, value in info.items() if key in keys}
