"""The answer to one HTTP request: a message, a stream that brings it, or a refusal."""

from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass

from toolroll.ports.http import HttpAnswer
from toolroll.protocol import (
    EVENT_TYPE,
    SESSION_HEADER,
    ErrorResponse,
    Malformed,
    Message,
    MessageId,
    Notification,
    Request,
    Response,
    parse_messages,
)
from toolroll.sources.mcp.courier import Opened
from toolroll.sources.mcp.disclosure import disclosed
from toolroll.sources.mcp.event import Event, EventReader, EventTooLong
from toolroll.sources.mcp.failure import read_retry_after, words_of
from toolroll.sources.secret import Secrets
from toolroll.sources.source import SourceError

_REFUSAL_BYTES = 64 * 1024
_OK = 200


class LostAnswer(Exception):
    """The stream ended without the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What came back.

    Args:
        status: of the answer.
        message: the answer, None where the status is all there is.
        words: of a refusal that is no message, for the host.
        secrets: what must not be shown of the message.
        session_id: that the server gave.
        retry_after: seconds, where it said so.
        size: of the message, in bytes.
    """

    status: int
    message: Response | ErrorResponse | None = None
    words: str = ""
    secrets: Secrets
    session_id: str | None = None
    retry_after: float | None = None
    size: int = 0


class TooLarge(Exception):
    """A body is larger than it may be."""


async def read_body(answer: HttpAnswer, most: int) -> bytes:
    """A body of at most `most` bytes.

    Raises:
        TooLarge: it has more; no more than that was read.
    """
    content = bytearray()
    async for chunk in answer.chunks:
        content += chunk
        if len(content) > most:
            raise TooLarge
    return bytes(content)


async def read_events(
    answer: HttpAnswer, reader: EventReader, *, alive: Callable[[], None] | None = None
) -> AsyncGenerator[Event]:
    """The events of a stream as they come.

    Args:
        answer: the stream.
        reader: of its events.
        alive: called whenever anything came, a comment too.

    Raises:
        TooLarge: one has more bytes than it may have.
    """
    async for chunk in answer.chunks:
        if alive is not None:
            alive()
        try:
            events = reader.feed(chunk)
        except EventTooLong as error:
            raise TooLarge from error
        for event in events:
            yield event


def is_stream(answer: HttpAnswer) -> bool:
    """Whether the body is a stream of events."""
    kind = (answer.header("content-type") or "").partition(";")[0].strip().lower()
    return answer.status == _OK and kind == EVENT_TYPE


async def read_refusal(opened: Opened) -> Answered:
    """An answer that is no success: its JSON-RPC error if it has one, else its words."""
    try:
        body = await read_body(opened.answer, _REFUSAL_BYTES)
    except TooLarge:
        body = b""
    message = next((read for read in parse_messages(body) if isinstance(read, ErrorResponse)), None)
    is_page = "html" in (opened.answer.header("content-type") or "")
    message = disclosed(message, opened.secrets) if message else None
    text = body.decode("utf-8", "replace")
    text = "" if message or is_page else words_of(text, opened.secrets)
    return Answered(
        status=opened.answer.status,
        message=message,
        words=message.message if isinstance(message, ErrorResponse) else text,
        secrets=opened.secrets,
        retry_after=read_retry_after(opened.answer.header("retry-after")),
    )


async def read_single(source: str, opened: Opened, id: MessageId, most: int) -> Answered:
    """The one message of a body that is no stream.

    Raises:
        SourceError: it is no answer to this request.
        TooLarge: it has more than `most` bytes.
    """
    body = await read_body(opened.answer, most)
    found = own_answer(parse_messages(body), id)
    if found is None:
        kind = words_of(opened.answer.header("content-type") or "without a type", opened.secrets)
        words = f"HTTP {opened.answer.status} ({kind}) brought no answer to the request"
        raise SourceError(source, "invalid-response", words)
    return answered(opened, found, body)


def own_answer(messages: list[Message], id: MessageId) -> Response | ErrorResponse | None:
    """The answer to a request among messages. An id of another type counts; so does an error
    without one, because nobody else asked.
    """
    for message in messages:
        if isinstance(message, (Response, ErrorResponse)) and (
            message.id is None or str(message.id) == str(id)
        ):
            return message
    return None


def answered(opened: Opened, message: Response | ErrorResponse, raw: bytes) -> Answered:
    """An answer, with our own credentials hidden in what it says."""
    return Answered(
        status=opened.answer.status,
        message=disclosed(message, opened.secrets, raw),
        secrets=opened.secrets,
        session_id=opened.answer.header(SESSION_HEADER.lower()),
        size=len(raw),
    )


def waiting_messages(event: Event) -> list[Request | Notification | Response | ErrorResponse]:
    """The messages of an event; what is none is passed over."""
    if event.kind != "message":
        return []
    return [read for read in parse_messages(event.data) if not isinstance(read, Malformed)]
