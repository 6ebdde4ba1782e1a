"""HTTP+SSE, the transport of 2024-11-05: answers come on a stream of their own.

The stream belongs to one question: it is opened, a session is begun, the question is asked, and all
of it ends. So no stream outlives the task that opened it; the price is that such a server keeps
nothing from one call to the next.

Source: MCP 2024-11-05, basic/transports, "HTTP with SSE".
"""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace

from toolroll.content import JsonObject
from toolroll.ports.http import HttpError
from toolroll.protocol import (
    EVENT_TYPE,
    INITIALIZE,
    INITIALIZED,
    JSON_TYPE,
    LEGACY,
    MessageId,
    Notification,
    Request,
    Response,
    encode_message,
    read_initialize_result,
    write_initialize_params,
    write_notification,
)
from toolroll.sources.mcp.courier import Courier, Opened
from toolroll.sources.mcp.event import Event, EventReader
from toolroll.sources.mcp.failure import SAYS_NOTHING, status_failure, too_large
from toolroll.sources.mcp.handshake import agreed
from toolroll.sources.mcp.listening import Listening
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
    waiting_messages,
)
from toolroll.sources.mcp.session import CALL, CLIENT, Ask, Session
from toolroll.sources.source import SourceError

_JSON_BODY = (("Content-Type", JSON_TYPE),)
_VERSION = LEGACY[-1]
_SESSION = Session(era="legacy", version=_VERSION, oldest=True)
_ACCEPTED = range(200, 300)


class OldestExchange:
    """Asks over HTTP+SSE, a session for each question.

    Args:
        source: the source's name.
        courier: sends.
        options: limits.
    """

    def __init__(self, source: str, courier: Courier, options: McpOptions) -> None:
        self._source, self._courier, self._options = source, courier, options

    async def begun(self, ask: Ask, id: MessageId, faults: list[str]) -> Session | None:
        """Find out whether the server speaks this way; None, with a fault, where it does not."""
        try:
            async with self._talking(ask, id) as talk:
                return talk.session
        except (HttpError, LostAnswer) as error:
            faults.append(f"GET: {type(error).__name__} {error}".rstrip())
        except _RefusedError as error:
            if error.reply.status in SAYS_NOTHING or error.reply.status >= 500:
                raise self._failure(ask, error) from error
            faults.append(str(error))
        except TooLarge as error:
            raise too_large(self._source, self._options.message_bytes) from error
        return None

    async def ask(self, ask: Ask, id: MessageId) -> Answered:
        """Ask one question in a session of its own.

        Raises:
            SourceError: the server refused, or the answer cannot be used.
            LostAnswer, HttpError: there is none.
        """
        try:
            async with self._talking(ask, f"begin-{id}") as talk:
                if ask.method == CALL:
                    ask.watch.sent = True
                return await talk.ask(ask, id)
        except _RefusedError as error:
            raise self._failure(ask, error) from error
        except TooLarge as error:
            raise too_large(self._source, self._options.message_bytes) from error

    async def listen(self, listening: Listening, id: MessageId) -> None:
        """Hear of changes in a session of its own, until its stream ends.

        Raises:
            SourceError: the server refused.
            LostAnswer, HttpError: the stream broke.
        """
        try:
            async with self._talking(listening, id, listening.watch.touch) as talk:
                listening.opened()
                await talk.listen(listening, id)
        except _RefusedError as error:
            raise self._failure(listening, error) from error
        except TooLarge as error:
            raise too_large(self._source, self._options.message_bytes) from error

    def _failure(self, ask: Ask, error: "_RefusedError") -> SourceError:
        return status_failure(
            self._source,
            error.reply.status,
            str(error),
            retry_after=error.reply.retry_after,
            repeatable=ask.watch.repeatable,
        )

    @asynccontextmanager
    async def _talking(
        self, ask: Ask, first: MessageId, alive: Callable[[], None] | None = None
    ) -> AsyncGenerator["_Talk"]:
        """Open the stream and begin a session."""
        async with self._courier.open("GET", (("Accept", EVENT_TYPE),), None, ask) as opened:
            if not is_stream(opened.answer):
                raise _RefusedError("GET", await read_refusal(opened))
            reader = EventReader(self._options.message_bytes)
            async with aclosing(read_events(opened.answer, reader, alive=alive)) as events:
                talk = _Talk(self._courier, opened, events, ask)
                talk.session = await self._begun(talk, ask, first)
                yield talk

    async def _begun(self, talk: "_Talk", ask: Ask, id: MessageId) -> Session:
        params = write_initialize_params(
            CLIENT, version=_VERSION, questions=self._options.questions
        )
        reply = await talk.ask(ask.like(INITIALIZE, params), id)
        if not isinstance(reply.message, Response):
            raise _RefusedError(INITIALIZE, reply)
        session = agreed(self._source, read_initialize_result(reply.message.result))
        await talk.post(write_notification(INITIALIZED))
        return replace(session, oldest=True)


class _RefusedError(Exception):
    """The server does not speak this way, or refused."""

    def __init__(self, what: str, reply: Answered) -> None:
        super().__init__(f"{what}: HTTP {reply.status} {reply.words}".rstrip())
        self.reply = reply


class _Talk:
    """One stream and the address that takes what belongs to it."""

    def __init__(
        self, courier: Courier, opened: Opened, events: AsyncGenerator[Event], ask: Ask
    ) -> None:
        self._courier, self._opened, self._events, self._ask = courier, opened, events, ask
        self._source = courier.source
        self._address: str | None = None
        self.session = _SESSION

    async def ask(self, ask: Ask, id: MessageId) -> Answered:
        """Send a question and hear the stream until its answer."""
        await self._post(ask.encoded(self._source, _SESSION, id))
        async for event in self._events:
            for message in waiting_messages(event):
                if isinstance(message, Notification):
                    ask.hear(message, id)
                elif isinstance(message, Request):
                    await self.post(await ask.answer(message))
                elif (found := own_answer([message], id)) is not None:
                    return answered(self._opened, found, event.data)
        raise LostAnswer

    async def listen(self, ask: Ask, id: MessageId) -> None:
        """Hear the stream to its end."""
        async for event in self._events:
            for message in waiting_messages(event):
                if isinstance(message, Notification):
                    ask.hear(message, id)
                elif isinstance(message, Request):
                    await self.post(await ask.answer(message))

    async def post(self, message: JsonObject) -> None:
        """Send a message to the address that the stream named first."""
        await self._post(encode_message(message))

    async def _post(self, body: bytes) -> None:
        address = self._address = self._address or await self._named()
        async with self._courier.open("POST", _JSON_BODY, body, self._ask, url=address) as sent:
            if sent.answer.status not in _ACCEPTED:
                raise _RefusedError("POST", await read_refusal(sent))

    async def _named(self) -> str:
        async for event in self._events:
            if event.kind == "endpoint":
                return self._courier.same_origin(event.data.decode("utf-8", "replace").strip())
        raise LostAnswer
