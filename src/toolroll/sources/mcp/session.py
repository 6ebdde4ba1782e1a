"""One question to a server, its session, its answer."""

import logging
from dataclasses import dataclass

from toolroll._version import __version__
from toolroll.content import JsonObject, JsonValue
from toolroll.protocol import (
    ELICIT,
    LIST_CHANGED,
    METHOD_NOT_FOUND,
    MODERN,
    PROGRESS_METHOD,
    Era,
    ErrorResponse,
    Implementation,
    Mark,
    MessageId,
    Notification,
    Request,
    RequestMeta,
    Response,
    ServerWords,
    client_capabilities,
    encode_message,
    read_progress,
    read_question,
    tells_changes,
    token_of_progress,
    write_error,
    write_reply,
    write_request,
    write_request_meta,
    write_response,
)
from toolroll.sources.address import without_addresses
from toolroll.sources.mcp.failure import line_of, words_of
from toolroll.sources.mcp.watch import Watch
from toolroll.sources.secret import Secrets
from toolroll.sources.source import SourceError
from toolroll.toolkit.news import News
from toolroll.tools.context import CallContext, Progress, Question, Reply

CLIENT = Implementation(name="toolroll", version=__version__)
"""Who asks."""

LONGEST_PROGRESS = 2000
"""Most characters of a progress message that are passed on."""

CALL = "tools/call"
LIST = "tools/list"

_MESSAGE = "notifications/message"
_PING = "ping"
_NO_SECRETS = Secrets(())


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """What was agreed with a server.

    Args:
        era: how it is spoken to.
        version: of the protocol.
        id: of the session over HTTP, None where the server keeps none.
        words: what it said of itself.
        oldest: it is spoken to over HTTP+SSE, with a session for each question.
    """

    era: Era
    version: str
    id: str | None = None
    words: ServerWords | None = None
    oldest: bool = False

    @property
    def tells_changes(self) -> bool:
        """The server declared that it tells of changes of its tools."""
        return self.words is not None and tells_changes(self.words.capabilities)


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """An answer, the session it came in, what must not be shown of it, and its size in bytes."""

    session: Session
    answer: Response | ErrorResponse
    secrets: Secrets = _NO_SECRETS
    size: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """The source that asks: where it logs what a server says, and tells that tools changed."""

    log: logging.Logger
    news: News


class Ask:
    """One question to a server.

    Args:
        method: of the protocol.
        params: without `_meta`.
        context: of the call it belongs to.
        watch: its limits of time.
        source: whose it is.
        marks: of the tool that is called.
    """

    __slots__ = (
        "_last",
        "_log",
        "context",
        "host",
        "marks",
        "method",
        "params",
        "secrets",
        "source",
        "watch",
    )

    def __init__(
        self,
        method: str,
        params: JsonObject,
        context: CallContext[object],
        watch: Watch,
        source: Asker,
        marks: tuple[Mark, ...] = (),
    ) -> None:
        self.method, self.params, self.context, self.watch = method, params, context, watch
        self.source, self.marks = source, marks
        self._log = source.log
        self._last: float | None = None
        self.secrets = _NO_SECRETS  # this and the next are set by the wire: what must not be told
        self.host: str | None = None

    def like(self, method: str, params: JsonObject) -> "Ask":
        """Another question on behalf of the same caller, within the same limits."""
        asked = Ask(method, params, self.context, self.watch, self.source)
        asked.secrets, asked.host = self.secrets, self.host
        return asked

    def encoded(self, source: str, session: Session, id: MessageId) -> bytes:
        """The message as it is sent.

        Raises:
            SourceError: the input is no JSON.
        """
        try:
            return encode_message(self.request(session, id))
        except (TypeError, ValueError) as error:
            words = f"The input is not JSON: {error}"
            raise SourceError(source, "invalid-input", words) from error

    def request(self, session: Session, id: MessageId) -> dict[str, JsonValue]:
        """The message, as the session's era has it."""
        modern = session.era == "modern"
        meta = write_request_meta(
            RequestMeta(
                version=MODERN if modern else None,
                client_info=CLIENT.to_json() if modern else None,
                capabilities=client_capabilities(questions=self.context.has_ask)
                if modern
                else None,
                progress_token=id if self.method == CALL else None,
                trace=self.context.trace,
            )
        )
        params = {**self.params, "_meta": meta} if meta else self.params
        return write_request(id, self.method, params)

    def hear(self, message: Notification, id: MessageId) -> None:
        """Take a notification that came before the answer: each is a sign of life."""
        if message.method == PROGRESS_METHOD:
            if str(token_of_progress(message.params)) == str(id):
                self.watch.touch()
                self._progressed(message.params)
        elif message.method == _MESSAGE:
            self.watch.touch()
            if self._log.isEnabledFor(logging.DEBUG):
                said = (message.params.get(key, "") for key in ("level", "data"))
                words = [words_of(str(one), self.secrets) for one in said]
                self._log.debug("server says (%s): %s", *words)
        elif message.method == LIST_CHANGED:
            self.source.news.tell()
        else:
            self._log.debug("notification %s", words_of(message.method, self.secrets))

    def _progressed(self, params: JsonObject) -> None:
        step, listener = read_progress(params), self.context.on_progress
        if step is None or step.progress is None or listener is None:
            return
        if self._last is not None and step.progress <= self._last:
            return
        self._last = step.progress
        try:
            line = line_of(step.message, self.secrets)[: 2 * LONGEST_PROGRESS]
            words = line if self.host is None else without_addresses(line, self.host)
            listener(Progress(words[:LONGEST_PROGRESS], step.progress, step.total))
        except Exception:  # logged; a listener never fails a call
            self._log.exception("a progress listener failed; the call goes on")

    async def answer(self, request: Request) -> dict[str, JsonValue]:
        """What to answer to a request of a legacy server in the middle of its answer.

        A form goes to the person; for the rest see `answer_to`.
        """
        question = read_question({"method": request.method, "params": request.params})
        if question is None or not self.context.has_ask:
            return answer_to(request)
        return write_response(request.id, write_reply(await self.consult(question)))

    async def consult(self, question: Question) -> Reply:
        """Ask the person; a host that fails to is one that gave no answer."""
        with self.watch.paused():
            try:
                return await self.context.ask(question)
            except Exception:  # logged; the server is told "cancel"
                self._log.exception("the host failed to ask a person; the answer is cancel")
                return Reply("cancel")


def answer_to(request: Request) -> dict[str, JsonValue]:
    """What to answer to a request of a legacy server when nobody can be asked: a ping is answered,
    a question is cancelled, and nothing else was declared.

    Example:
        >>> answer_to(Request(id=1, method="ping"))
        {'jsonrpc': '2.0', 'id': 1, 'result': {}}
    """
    if request.method == _PING:
        return write_response(request.id, {})
    if request.method == ELICIT:
        return write_response(request.id, write_reply(Reply("cancel")))
    return write_error(request.id, METHOD_NOT_FOUND, "Method not found")
