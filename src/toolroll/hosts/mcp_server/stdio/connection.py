"""One stdio client: messages in, messages out, and the calls that run between.

Source: MCP 2026-07-28, basic/transports/stdio; MCP 2025-11-25, basic/lifecycle and
basic/utilities/cancellation; JSON-RPC 2.0, section 6 (batches).
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeAlias, cast

import anyio
from anyio import TASK_STATUS_IGNORED
from anyio.abc import TaskGroup, TaskStatus
from anyio.lowlevel import checkpoint

from toolroll.content import JsonObject, JsonValue
from toolroll.hosts.mcp_server.envelope import check_envelope, speaks_modern
from toolroll.hosts.mcp_server.exchange import Incoming
from toolroll.hosts.mcp_server.info import RequestInfo
from toolroll.hosts.mcp_server.option import Changes
from toolroll.hosts.mcp_server.pending import Pending
from toolroll.hosts.mcp_server.reading import read_json
from toolroll.hosts.mcp_server.rejection import Rejection, no_message, overloaded
from toolroll.hosts.mcp_server.server import McpServer
from toolroll.hosts.mcp_server.stdio.line import TooLong
from toolroll.protocol import (
    CANCELLED,
    INITIALIZE,
    INITIALIZED,
    INTERNAL_ERROR,
    LEGACY,
    LIST_CHANGED,
    LISTEN,
    ErrorResponse,
    Malformed,
    Message,
    MessageId,
    Notification,
    Request,
    RequestMeta,
    Response,
    agree_version,
    encode_message,
    features_of,
    read_message,
    read_request_meta,
    write_notification,
    write_response,
)
from toolroll.tools.context import App_co

_LOG = logging.getLogger("toolroll.mcp_server")
_NOTHING: JsonObject = {}
_TAKES_TIME = frozenset({"tools/call", LISTEN})
"""Methods that get a task of their own; the others are answered in place."""
_MOMENTS = 20
"""Turns of the event loop that a call over the limit waits for another to end."""

Deliver: TypeAlias = Callable[[JsonObject | None], None]
"""Gets the answer of one request; None where there is none, because it was cancelled."""


@dataclass(frozen=True, slots=True)
class _Client:
    """What `initialize` told of the client, and the version that was agreed."""

    version: str = LEGACY[0]
    info: JsonObject = field(default_factory=lambda: _NOTHING)
    capabilities: JsonObject = field(default_factory=lambda: _NOTHING)


class Connection(Generic[App_co]):
    """Reads the messages of one client and answers each.

    Args:
        server: what answers.
        put: sends a line; never blocks, keeps the order.
        backlog: how many bytes the client has not taken yet.
        tasks: where calls run.
    """

    def __init__(
        self,
        server: McpServer[App_co],
        put: Callable[[bytes], None],
        backlog: Callable[[], int],
        tasks: TaskGroup,
    ) -> None:
        self._server, self._put, self._backlog, self._tasks = server, put, backlog, tasks
        self._limits = server.options.limits
        self._client = _Client()
        self._running: dict[MessageId, list[anyio.CancelScope]] = {}
        self._open = 0
        self._idle = anyio.Event()
        self._pending: Pending[MessageId] = Pending(server.options.ask_seconds)
        self._sent = 0
        self._tells_changes = False

    async def take(self, line: bytes | TooLong) -> None:
        """Handle one line. Never raises for what stands in it."""
        if isinstance(line, TooLong):
            self._deliver(no_message("the message is too large").answer(None))
            return
        parsed = read_json(line, self._limits.depth)
        if isinstance(parsed, Rejection):
            self._deliver(parsed.answer(None))
        elif isinstance(parsed, list):
            await self._take_batch(parsed)
        else:
            await self._take_message(read_message(parsed), self._deliver)

    async def finish(self, seconds: float) -> None:
        """The client sends no more: end subscriptions, give calls so long to end by themselves."""
        self._server.close()
        if self._open:
            self._idle = anyio.Event()
            with anyio.move_on_after(seconds):
                await self._idle.wait()

    def notify(self, method: str, params: JsonObject) -> None:
        """Send a notification, unless the client is far behind in reading."""
        if self._backlog() < self._limits.backlog:
            self._send(write_notification(method, params))

    async def request(self, method: str, params: JsonObject) -> JsonObject | None:
        """Send a request of our own; its result, or None for an error or silence."""
        self._sent += 1
        id = f"toolroll-{self._sent}"
        return await self._pending.ask(id, id, self._send, method, params)

    async def _take_batch(self, raw: Sequence[JsonValue]) -> None:
        if not features_of(self._client.version).batches or not raw:
            self._deliver(no_message("a batch is not allowed here").answer(None))
            return
        if len(raw) > self._limits.batch:
            reason = f"a batch holds at most {self._limits.batch} messages"
            self._deliver(no_message(reason).answer(None))
            return
        messages = [read_message(each) for each in raw]
        left = sum(isinstance(each, (Request, Malformed)) for each in messages)
        answers: list[JsonObject] = []

        def deliver(answer: JsonObject | None) -> None:
            nonlocal left
            left -= 1
            if answer is not None:
                answers.append(answer)
            if not left and answers:
                self._send(answers)

        for message in messages:
            await self._take_message(message, deliver)

    async def _take_message(self, message: Message, deliver: Deliver) -> None:
        match message:
            case Request():
                await self._take_request(message, deliver)
            case Notification():
                await self._take_notification(message)
            case Response() | ErrorResponse():
                self._take_answer(message)
            case Malformed(id=id, reason=reason):
                deliver(no_message(reason).answer(id))

    async def _take_request(self, request: Request, deliver: Deliver) -> None:
        meta = read_request_meta(request.params)
        modern = speaks_modern(request, meta, None)
        rejection = check_envelope(request, meta, None) if modern else None
        if rejection is None and request.method in _TAKES_TIME and not await self._has_room():
            rejection = overloaded()
        if rejection is not None:
            deliver(rejection.answer(request.id))
            return
        if not modern and request.method == INITIALIZE:
            self._client = _read_client(request.params)
        incoming = Incoming(
            request=request,
            meta=meta,
            info=self._info(request, meta, modern=modern),
            exchange=_StdioExchange(self, can_request=not modern),
        )
        if request.method in _TAKES_TIME:
            self._open += 1
            # Known before its task begins: the client may cancel it in the same breath.
            scope = anyio.CancelScope()
            self._running.setdefault(request.id, []).append(scope)
            self._tasks.start_soon(self._answer_later, incoming, deliver, scope)
        else:
            deliver(await self._answer(incoming))

    async def _has_room(self) -> bool:
        """Whether one more call may run; a burst of quick ones gets a moment to end."""
        for _ in range(_MOMENTS):
            if self._open < self._limits.calls_per_connection:
                return True
            await checkpoint()
        return self._open < self._limits.calls_per_connection

    def _info(self, request: Request, meta: RequestMeta, *, modern: bool) -> RequestInfo:
        client = self._client
        return RequestInfo(
            transport="stdio",
            method=request.method,
            version=(meta.version or "") if modern else client.version,
            client=(meta.client_info or _NOTHING) if modern else client.info,
            capabilities=(meta.capabilities or _NOTHING) if modern else client.capabilities,
            meta=meta.raw,
            trace=meta.trace,
        )

    async def _answer_later(
        self, incoming: Incoming, deliver: Deliver, scope: anyio.CancelScope
    ) -> None:
        """Answer in a task that the client can cancel; several may carry one id."""
        id = incoming.request.id
        answer: JsonObject | None = None
        try:
            with scope:
                answer = await self._answer(incoming)
        finally:
            cast("_StdioExchange[App_co]", incoming.exchange).close()
            self._running[id].remove(scope)
            if not self._running[id]:
                del self._running[id]
            self._open -= 1
            if not self._open:
                self._idle.set()
        deliver(answer)

    async def _answer(self, incoming: Incoming) -> JsonObject:
        try:
            return write_response(incoming.request.id, await self._server.answer(incoming))
        except Rejection as rejection:
            return rejection.answer(incoming.request.id)

    async def _take_notification(self, notification: Notification) -> None:
        if notification.method == CANCELLED:
            id = notification.params.get("requestId")
            if isinstance(id, (str, int)) and not isinstance(id, bool):
                for scope in self._running.get(id, ()):
                    scope.cancel()
        elif notification.method == INITIALIZED:
            await self._begin_to_tell_changes()

    def _take_answer(self, answer: Response | ErrorResponse) -> None:
        if answer.id is not None:
            self._pending.take(answer.id, answer)

    async def _begin_to_tell_changes(self) -> None:
        if self._server.options.changes is not None and not self._tells_changes:
            self._tells_changes = True
            await self._tasks.start(self._tell_changes, self._server.options.changes)

    async def _tell_changes(
        self, changes: Changes, *, task_status: TaskStatus[None] = TASK_STATUS_IGNORED
    ) -> None:
        is_open = False
        try:
            async with changes() as stream:
                is_open = True
                task_status.started()
                async for _ in stream:
                    self.notify(LIST_CHANGED, _NOTHING)
        except Exception:
            _LOG.exception("hearing of changes of the toolkit failed; the calls go on")
            if not is_open:
                task_status.started()

    def _deliver(self, answer: JsonObject | None) -> None:
        if answer is not None:
            self._send(answer)

    def _send(self, message: JsonObject | list[JsonObject]) -> None:
        try:
            line = encode_message(message)
        except (TypeError, ValueError):
            _LOG.exception("a message is no JSON and is not sent")
            id = None if isinstance(message, list) else message.get("id")
            told = Rejection(INTERNAL_ERROR, "Internal error")
            line = encode_message(told.answer(cast("MessageId | None", id)))
        self._put(_on_one_line(line) + b"\n")


class _StdioExchange(Generic[App_co]):
    """The way back to the client while one request is answered; silent after the answer."""

    __slots__ = ("_connection", "_open", "can_request")

    def __init__(self, connection: Connection[App_co], *, can_request: bool) -> None:
        self._connection, self._open, self.can_request = connection, True, can_request

    def close(self) -> None:
        """The request has its answer."""
        self._open = False

    def notify(self, method: str, params: JsonObject, /) -> None:
        """Send a notification while the request is open."""
        if self._open:
            self._connection.notify(method, params)

    async def request(self, method: str, params: JsonObject, /) -> JsonObject | None:
        """Ask the client and wait."""
        return await self._connection.request(method, params) if self._open else None


def _on_one_line(line: bytes) -> bytes:
    """The line without the characters at which some readers of lines break: Unicode has three that
    JSON leaves as they are.
    """
    if b"\xe2\x80" in line:
        line = line.replace(b"\xe2\x80\xa8", b"\\u2028").replace(b"\xe2\x80\xa9", b"\\u2029")
    return line.replace(b"\xc2\x85", b"\\u0085") if b"\xc2\x85" in line else line


def _read_client(params: JsonObject) -> _Client:
    info, capabilities = params.get("clientInfo"), params.get("capabilities")
    return _Client(
        version=agree_version(params.get("protocolVersion")),
        info=cast("JsonObject", info) if isinstance(info, dict) else _NOTHING,
        capabilities=cast("JsonObject", capabilities)
        if isinstance(capabilities, dict)
        else _NOTHING,
    )
