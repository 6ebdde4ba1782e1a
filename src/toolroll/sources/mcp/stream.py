"""The streams of Streamable HTTP that tell of changes.

Modern: the stream that answers `subscriptions/listen`. Legacy: the stream of a GET.

Sources: MCP 2026-07-28, basic/patterns/subscriptions; MCP 2025-11-25, basic/transports, "Listening
for Messages from the Server".
"""

from contextlib import aclosing

import anyio

from toolroll.protocol import EVENT_TYPE, MessageId, Notification, Request
from toolroll.sources.mcp.courier import Courier, Opened
from toolroll.sources.mcp.event import EventReader
from toolroll.sources.mcp.exchange import Exchange, session_headers
from toolroll.sources.mcp.failure import too_large
from toolroll.sources.mcp.listening import Listening
from toolroll.sources.mcp.option import McpOptions
from toolroll.sources.mcp.reply import (
    Answered,
    TooLarge,
    is_stream,
    own_answer,
    read_events,
    read_refusal,
    read_single,
    waiting_messages,
)
from toolroll.sources.mcp.session import Session

_ACCEPTED = range(200, 300)
_TAKEN = 409
_NO_STREAM = frozenset({400, 404, 405, 406, 501})
"""What a legacy server that has no such stream answers; 405 is what it should."""


class NewsStream:
    """Hears of changes over HTTP.

    Args:
        courier: sends.
        exchange: what questions are asked with.
        options: limits.
    """

    def __init__(self, courier: Courier, exchange: Exchange, options: McpOptions) -> None:
        self._courier, self._exchange, self._options = courier, exchange, options

    async def subscribe(
        self, session: Session, listening: Listening, id: MessageId
    ) -> Answered | None:
        """Ask a modern server; how it refused, None where the stream ended.

        Raises:
            NotToldError: it agreed to less.
            SourceError: it said something that cannot be used.
            HttpError: the stream broke.
        """
        body = listening.encoded(self._courier.source, session, id)
        headers = self._exchange.headers_of(session, listening)
        async with self._courier.open("POST", headers, body, listening) as opened:
            if opened.answer.status not in _ACCEPTED:
                return await read_refusal(opened)
            try:
                if is_stream(opened.answer):
                    return await self._heard(opened, session, listening, id)
                most = self._options.message_bytes
                return await read_single(self._courier.source, opened, id, most)
            except TooLarge as error:
                raise too_large(self._courier.source, self._options.message_bytes) from error

    async def attend(
        self, session: Session, listening: Listening, id: MessageId
    ) -> Answered | None:
        """Open the stream of a legacy server; how it refused, None where the stream ended.

        A server without one may still tell of changes in the answers to calls: then this waits
        until it is cancelled.
        """
        headers = (*session_headers(session), ("Accept", EVENT_TYPE))
        listening.asked()
        async with self._courier.open("GET", headers, None, listening) as opened:
            if is_stream(opened.answer):
                listening.opened()
                try:
                    return await self._heard(opened, session, listening, id)
                except TooLarge as error:
                    raise too_large(self._courier.source, self._options.message_bytes) from error
            reply = await read_refusal(opened)
        if reply.status == _TAKEN:
            return None
        if reply.status not in _NO_STREAM or (reply.status == 404 and session.id is not None):
            return reply
        listening.asked(for_ever=True)
        return await anyio.sleep_forever()

    async def _heard(
        self, opened: Opened, session: Session, listening: Listening, id: MessageId
    ) -> Answered | None:
        reader = EventReader(self._options.message_bytes)
        events = read_events(opened.answer, reader, alive=listening.watch.touch)
        async with aclosing(events):
            async for event in events:
                for message in waiting_messages(event):
                    if isinstance(message, Notification):
                        listening.hear(message, id)
                    elif isinstance(message, Request):
                        await self._exchange.serve(message, session, listening)
                    elif own_answer([message], id) is not None:
                        return None
        return None
