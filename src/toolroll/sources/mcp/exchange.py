"""One question over Streamable HTTP: sent once, heard to its end, cancelled where it is given up.

Modern: one POST; closing its stream cancels. Legacy: one POST whose stream may be resumed by a GET
from the last event on; giving up is told by a notification.

Sources: MCP 2026-07-28, basic/transports/streamable-http; MCP 2025-11-25, basic/transports,
"Resumability and Redelivery".
"""

import logging
import re
from contextlib import aclosing
from dataclasses import dataclass

import anyio

from toolroll.content import JsonObject
from toolroll.ports.http import HttpBrokenError, HttpError
from toolroll.protocol import (
    ACCEPT,
    CANCELLED,
    EVENT_TYPE,
    INITIALIZE,
    JSON_TYPE,
    LAST_EVENT_HEADER,
    SESSION_HEADER,
    VERSION_HEADER,
    MessageId,
    Notification,
    Request,
    encode_message,
    features_of,
    mark_headers,
    request_headers,
    write_cancelled,
    write_notification,
)
from toolroll.sources.mcp.courier import Courier, Opened
from toolroll.sources.mcp.event import EventReader
from toolroll.sources.mcp.failure import too_large
from toolroll.sources.mcp.option import McpOptions
from toolroll.sources.mcp.reply import (
    Answered,
    LostAnswer,
    TooLarge,
    answered,
    is_stream,
    own_answer,
    read_events,
    read_refusal,
    read_single,
    waiting_messages,
)
from toolroll.sources.mcp.session import CALL, Ask, Session
from toolroll.sources.mcp.watch import Watch
from toolroll.sources.source import SourceError, Timeouts

_JSON_BODY = (("Content-Type", JSON_TYPE), ("Accept", ACCEPT))
_ODD_LOGGED = 10
_RESUMES = 5
_RESUME_DELAY = 1.0
_ACCEPTED = range(200, 300)

SENDABLE = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")
"""What a server said that can be sent back in a header, by every client."""


@dataclass(slots=True, kw_only=True)
class _Trail:
    """How far the stream of one answer was heard."""

    last_id: str | None = None
    retry: float = _RESUME_DELAY
    tries: int = 0


class Exchange:
    """Asks over HTTP.

    Args:
        source: the source's name.
        courier: sends.
        options: limits.
        log: where what is passed over is said.
    """

    def __init__(
        self, source: str, courier: Courier, options: McpOptions, log: logging.Logger
    ) -> None:
        self._source, self._courier, self._options, self._log = source, courier, options, log
        self._odd = 0

    async def ask(self, session: Session, ask: Ask, id: MessageId) -> Answered:
        """Send one request and hear its answer.

        Raises:
            SourceError: the answer cannot be used.
            LostAnswer, HttpError: there is none.
        """
        message = ask.encoded(self._source, session, id)
        headers = self.headers_of(session, ask)
        trail = _Trail()
        if ask.method == CALL:
            ask.watch.sent = True
        try:
            reply = await self._first(session, ask, id, (headers, message), trail)
            while reply is None:
                reply = await self._resumed(session, ask, id, trail)
        except (LostAnswer, HttpError):
            raise
        except BaseException as error:
            if session.era == "legacy" and ask.method == CALL:
                await self._cancel(session, ask, id)
            if isinstance(error, TooLarge):
                raise too_large(self._source, self._options.message_bytes) from error
            raise
        else:
            return reply

    async def notify(self, session: Session, ask: Ask, method: str, params: JsonObject) -> None:
        """Send a notification; a refusal is only logged."""
        message = write_notification(method, params or None)
        await self._post(session, ask, encode_message(message), method)

    async def end(self, session: Session, ask: Ask) -> None:
        """Tell the server that a session is over; it may not care."""
        headers = (*session_headers(session), ("Accept", ACCEPT))
        async with self._courier.open("DELETE", headers, None, ask) as opened:
            self._log.debug("session ended: HTTP %d", opened.answer.status)

    async def _first(
        self,
        session: Session,
        ask: Ask,
        id: MessageId,
        request: tuple[tuple[tuple[str, str], ...], bytes],
        trail: _Trail,
    ) -> Answered | None:
        headers, body = request
        try:
            async with self._courier.open("POST", headers, body, ask) as opened:
                return await self._read(opened, session, ask, id, trail)
        except HttpBrokenError:
            if trail.last_id is None:
                raise
            return None

    async def _resumed(
        self, session: Session, ask: Ask, id: MessageId, trail: _Trail
    ) -> Answered | None:
        """Go on where the stream broke off; only a legacy server with event ids can."""
        trail.tries += 1
        resumable = session.era == "legacy" and SENDABLE.fullmatch(trail.last_id or "")
        if not resumable or trail.last_id is None or trail.tries > _RESUMES:
            raise LostAnswer
        await anyio.sleep(trail.retry)
        headers = (
            *session_headers(session),
            ("Accept", EVENT_TYPE),
            (LAST_EVENT_HEADER, trail.last_id),
        )
        try:
            async with self._courier.open("GET", headers, None, ask) as opened:
                if not is_stream(opened.answer):
                    raise LostAnswer
                return await self._read(opened, session, ask, id, trail)
        except HttpError:
            return None

    async def _read(
        self, opened: Opened, session: Session, ask: Ask, id: MessageId, trail: _Trail
    ) -> Answered | None:
        if opened.answer.status not in _ACCEPTED:
            return await read_refusal(opened)
        if not is_stream(opened.answer):
            return await read_single(self._source, opened, id, self._options.message_bytes)
        reader = EventReader(self._options.message_bytes)
        reader.id = trail.last_id
        async with aclosing(read_events(opened.answer, reader)) as events:
            async for event in events:
                trail.tries = 0
                for message in waiting_messages(event):
                    if isinstance(message, Notification):
                        ask.hear(message, id)
                    elif isinstance(message, Request):
                        await self.serve(message, session, ask)
                    elif (found := own_answer([message], id)) is not None:
                        return answered(opened, found, event.data)
                trail.last_id = reader.id
        trail.last_id = reader.id
        if reader.retry is not None:
            trail.retry = reader.retry / 1000
        return None

    async def serve(self, request: Request, session: Session, ask: Ask) -> None:
        """Answer what a legacy server asks in the middle of its answer."""
        if session.era != "legacy":
            self._odd += 1
            if self._odd <= _ODD_LOGGED:
                self._log.warning("a modern server sent a request; it is passed over")
            return
        body = encode_message(await ask.answer(request))
        await self._post(session, ask, body, f"the answer to {request.method}")

    async def _post(self, session: Session, ask: Ask, body: bytes, what: str) -> None:
        headers = (*_JSON_BODY, *session_headers(session))
        try:
            async with self._courier.open("POST", headers, body, ask) as opened:
                if opened.answer.status not in _ACCEPTED:
                    self._log.warning("HTTP %d for %s", opened.answer.status, what)
        except HttpError as error:
            self._log.warning("%s was not sent: %s", what, error)

    async def _cancel(self, session: Session, ask: Ask, id: MessageId) -> None:
        params, grace = write_cancelled(id, "the caller gave up"), self._options.grace
        limits = Timeouts(connect=grace, idle=grace, total=grace)
        watch = Watch(self._source, limits, None, repeatable=False)
        last = Ask("", {}, ask.context, watch, ask.source)
        with anyio.move_on_after(grace, shield=True):
            try:
                await self.notify(session, last, CANCELLED, params)
            except SourceError as error:
                self._log.warning("the cancellation was not sent: %s", error.description)

    def headers_of(self, session: Session, ask: Ask) -> tuple[tuple[str, str], ...]:
        """The headers of a question, without the host's.

        Raises:
            SourceError: a marked argument fits no header.
        """
        if session.era == "legacy":
            first = ask.method == INITIALIZE
            return _JSON_BODY if first else (*_JSON_BODY, *session_headers(session))
        try:
            marked = mark_headers(ask.marks, _arguments(ask))
        except ValueError as error:
            raise SourceError(self._source, "invalid-input", f"{error}.") from error
        return (
            *_JSON_BODY,
            *request_headers(ask.method, ask.params, session.version),
            *marked,
        )


def session_headers(session: Session) -> tuple[tuple[str, str], ...]:
    """What goes with every request of a legacy session but the first."""
    headers: list[tuple[str, str]] = []
    if session.id is not None:
        headers.append((SESSION_HEADER, session.id))
    if features_of(session.version).version_header:
        headers.append((VERSION_HEADER, session.version))
    return tuple(headers)


def _arguments(ask: Ask) -> JsonObject:
    arguments = ask.params.get("arguments")
    return arguments if isinstance(arguments, dict) else {}
