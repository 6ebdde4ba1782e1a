"""From the body of an HTTP request to its answer, in either era.

Source: MCP 2026-07-28 and 2025-11-25, basic/transports, "Sending Messages to the Server".
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, cast

import anyio

from toolroll.content import JsonObject, JsonValue
from toolroll.hosts.mcp_server.envelope import check_envelope, speaks_modern
from toolroll.hosts.mcp_server.exchange import Incoming
from toolroll.hosts.mcp_server.http.head import TurnedAway
from toolroll.hosts.mcp_server.http.reply import HttpReply
from toolroll.hosts.mcp_server.http.session import Session, SessionSigner
from toolroll.hosts.mcp_server.http.visit import HttpExchange, Visit
from toolroll.hosts.mcp_server.info import RequestInfo
from toolroll.hosts.mcp_server.pending import Pending
from toolroll.hosts.mcp_server.reading import read_json
from toolroll.hosts.mcp_server.rejection import (
    Rejection,
    header_mismatch,
    no_message,
    unsupported_version,
)
from toolroll.hosts.mcp_server.server import McpServer
from toolroll.protocol import (
    CANCELLED,
    INITIALIZE,
    INTERNAL_ERROR,
    INVALID_REQUEST,
    PARSE_ERROR,
    SESSION_HEADER,
    VERSION_HEADER,
    ErrorResponse,
    Malformed,
    MessageId,
    Notification,
    Request,
    RequestMeta,
    Response,
    agree_version,
    encode_message,
    era_of,
    features_of,
    read_message,
    read_request_meta,
    write_response,
)
from toolroll.tools.context import App_co

_LOG = logging.getLogger("toolroll.mcp_server")
_NOTHING: JsonObject = {}
_UNNAMED = "2025-03-26"
"""The version of a request that names none (MCP 2025-11-25, "Protocol Version Header")."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """What goes out: messages as JSON, with the status and headers that go along."""

    message: JsonObject
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()


class Dispatcher(Generic[App_co]):
    """Answers the messages that come over HTTP.

    Args:
        server: what answers.
    """

    def __init__(self, server: McpServer[App_co]) -> None:
        self._server = server
        self._signed = server.options.sessions == "signed"
        self._sessions = SessionSigner(server.options.state_keys)
        self._pending: Pending[tuple[str, MessageId]] = Pending(server.options.ask_seconds)
        self._running: dict[tuple[str, MessageId], list[anyio.CancelScope]] = {}

    async def take(self, visit: Visit, body: bytes) -> None:
        """Answer one HTTP request.

        Raises:
            TurnedAway: there is nothing to answer as a message.
        """
        parsed = read_json(body, self._server.options.limits.depth)
        if isinstance(parsed, Rejection):
            raise TurnedAway.by(parsed)
        session = self._session_of(visit)
        if isinstance(parsed, list):
            await self._take_batch(visit, session, parsed)
            return
        match read_message(parsed):
            case Request() as request:
                await self._take_request(visit, session, request)
            case Notification() as notification:
                self._take_notification(visit, session, notification)
                await visit.accept()
            case Response() | ErrorResponse() as answer:
                self._take_answer(visit, session, answer)
                await visit.accept()
            case Malformed(id=id, reason=reason):
                raise TurnedAway.by(no_message(reason), id)

    def _session_of(self, visit: Visit) -> Session | None:
        """The session a legacy client says it is in. Without `sessions`, ids are passed over."""
        id = visit.header(SESSION_HEADER) if self._signed else None
        if id is None or era_of(visit.header(VERSION_HEADER)) == "modern":
            return None
        session = self._sessions.read(id, visit.principal)
        if session is None:
            raise TurnedAway(404, "There is no such session; begin another with initialize.")
        return session

    async def _take_request(self, visit: Visit, session: Session | None, request: Request) -> None:
        meta = read_request_meta(request.params)
        modern = speaks_modern(request, meta, visit.header(VERSION_HEADER))
        headers = visit.head.request.headers
        rejection = check_envelope(request, meta, headers) if modern else None
        if modern and visit.head.repeated is not None:
            rejection = header_mismatch(f"{visit.head.repeated} stands more than once")
        if rejection is not None:
            raise TurnedAway.by(rejection, request.id)
        scope = anyio.CancelScope()
        # In the stateless era a closed stream is a cancelled request, in the others it is not.
        reply = self._reply(visit, scope if modern else None)
        incoming = self._incoming(visit, session, request, meta, reply)
        key = (session.id, request.id) if session is not None else None
        scopes = self._running.setdefault(key, []) if key is not None else []
        scopes.append(scope)
        answer: Outgoing | None = None
        try:
            with scope:
                answer = await self._answer(visit, incoming)
            cast("HttpExchange", incoming.exchange).close()
            if answer is None:
                await reply.abandon()
            else:
                data = _encode(answer.message, request.id)
                await reply.finish(data, answer.status, answer.headers)
        finally:
            scopes.remove(scope)
            if key is not None and not scopes:
                self._running.pop(key, None)
            await reply.end()

    async def _take_batch(
        self, visit: Visit, session: Session | None, raw: Sequence[JsonValue]
    ) -> None:
        version = self._legacy_version(visit, session)
        limit = self._server.options.limits.batch
        if era_of(visit.header(VERSION_HEADER)) == "modern" or not features_of(version).batches:
            raise TurnedAway.by(no_message("a batch is not allowed in this version"))
        if not raw or len(raw) > limit:
            raise TurnedAway.by(no_message(f"a batch holds 1 to {limit} messages"))
        messages = [read_message(each) for each in raw]
        answers: list[JsonObject] = []
        reply = self._reply(visit, None)

        async def answer(request: Request) -> None:
            meta = read_request_meta(request.params)
            incoming = self._incoming(visit, session, request, meta, reply)
            answers.append((await self._answer(visit, incoming)).message)

        try:
            async with anyio.create_task_group() as tasks:
                for message in messages:
                    match message:
                        case Request():
                            tasks.start_soon(answer, message)
                        case Notification():
                            self._take_notification(visit, session, message)
                        case Response() | ErrorResponse():
                            self._take_answer(visit, session, message)
                        case Malformed(id=id, reason=reason):
                            answers.append(no_message(reason).answer(id))
            if answers:
                await reply.finish(_encode(answers, None))
            else:
                await visit.accept()
        finally:
            await reply.end()

    async def _answer(self, visit: Visit, incoming: Incoming) -> Outgoing:
        request = incoming.request
        try:
            result = await self._server.answer(incoming)
        except Rejection as rejection:
            retry = rejection.retry_after
            return Outgoing(
                message=rejection.answer(request.id),
                status=_status_of(rejection, modern=incoming.modern),
                headers=() if retry is None else (("retry-after", str(retry)),),
            )
        headers: tuple[tuple[str, str], ...] = ()
        if self._signed and request.method == INITIALIZE and not incoming.modern:
            info = incoming.info
            begun = self._sessions.begin(info.version, info.capabilities, visit.principal)
            headers = ((SESSION_HEADER.lower(), begun.id),)
        return Outgoing(message=write_response(request.id, result), headers=headers)

    def _incoming(
        self,
        visit: Visit,
        session: Session | None,
        request: Request,
        meta: RequestMeta,
        reply: HttpReply,
    ) -> Incoming:
        headers = visit.head.request.headers
        modern = speaks_modern(request, meta, visit.header(VERSION_HEADER))
        client, capabilities = meta.client_info or _NOTHING, meta.capabilities or _NOTHING
        version = meta.version or ""
        if not modern:
            version = self._legacy_version(visit, session)
            capabilities = session.capabilities if session is not None else _NOTHING
            if request.method == INITIALIZE:
                version = agree_version(request.params.get("protocolVersion"))
                client = _object(request.params.get("clientInfo"))
                capabilities = _object(request.params.get("capabilities"))
        info = RequestInfo(
            transport="http",
            method=request.method,
            version=version,
            client=client,
            capabilities=capabilities,
            meta=meta.raw,
            headers=headers,
            principal=visit.principal,
            trace=meta.trace,
        )
        exchange = HttpExchange(self._pending, reply, session)
        return Incoming(request=request, meta=meta, info=info, exchange=exchange)

    def _legacy_version(self, visit: Visit, session: Session | None) -> str:
        named = visit.header(VERSION_HEADER)
        if named is not None and era_of(named) == "legacy":
            return named
        return session.version if session is not None else _UNNAMED

    def _reply(self, visit: Visit, scope: anyio.CancelScope | None) -> HttpReply:
        return HttpReply(
            visit.receive,
            visit.send,
            takes_json=visit.head.takes_json,
            takes_events=visit.head.takes_events,
            keep_alive=self._server.options.keep_alive,
            on_gone=scope.cancel if scope is not None else None,
        )

    def _take_notification(
        self, visit: Visit, session: Session | None, notification: Notification
    ) -> None:
        named = visit.header(VERSION_HEADER)
        if named is not None and era_of(named) is None:
            raise TurnedAway.by(unsupported_version(named))
        id = notification.params.get("requestId")
        # Only a signed session says whose request it is: anybody can guess an id.
        if session is None or notification.method != CANCELLED or not isinstance(id, (str, int)):
            return
        for scope in self._running.get((session.id, id), ()):
            scope.cancel()

    def _take_answer(
        self, visit: Visit, session: Session | None, answer: Response | ErrorResponse
    ) -> None:
        if era_of(visit.header(VERSION_HEADER)) == "modern":
            raise TurnedAway.by(no_message("this server sends no requests, so it takes no answers"))
        if session is not None and answer.id is not None:
            self._pending.take((session.id, answer.id), answer)


def _status_of(rejection: Rejection, *, modern: bool) -> int:
    """Legacy clients read 404 as the end of a session and expect errors with 200."""
    if modern or rejection.status >= 500 or rejection.code in (PARSE_ERROR, INVALID_REQUEST):
        return rejection.status
    return 200


def _encode(message: JsonObject | list[JsonObject], id: MessageId | None) -> bytes:
    try:
        return encode_message(message)
    except (TypeError, ValueError):
        _LOG.exception("an answer is no JSON and is not sent")
        return encode_message(Rejection(INTERNAL_ERROR, "Internal error").answer(id))


def _object(value: JsonValue) -> JsonObject:
    return cast("JsonObject", value) if isinstance(value, Mapping) else _NOTHING
