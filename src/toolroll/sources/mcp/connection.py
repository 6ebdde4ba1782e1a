"""One life of a local server: its process, what was sent, and who waits for what.

There is no reading task. Whoever waits for an answer reads for all: it takes what came, hands each
message to the one it belongs to, and when it has its own answer, another goes on. So nothing runs
between calls, no task outlives its caller, and opening and closing belong to no task.
"""

import logging
import re
import time
from collections.abc import Callable

import anyio
from anyio.lowlevel import EventLoopToken, current_token

from toolroll.content import JsonObject
from toolroll.protocol import (
    CANCELLED,
    ELICIT,
    LIST_CHANGED,
    LISTEN,
    PROGRESS_METHOD,
    ErrorResponse,
    Malformed,
    Message,
    MessageId,
    Notification,
    Request,
    Response,
    encode_message,
    parse_messages,
    subscription_of,
    token_of_progress,
)
from toolroll.sources.mcp.failure import too_large, words_of
from toolroll.sources.mcp.line import Line, LineReader
from toolroll.sources.mcp.pending import ElsewhereError, EndedError, Pending
from toolroll.sources.mcp.process import ServerProcess
from toolroll.sources.mcp.session import CALL, Ask, Session, answer_to
from toolroll.sources.source import SourceError

_TURN = 0.02
"""Seconds after which a turn takes no further chunk: a server that floods its output leaves others
their time.
"""
_LOOK_AGAIN = 0.25
_NOISE_LOGGED = 10
_EXIT_WAIT = 0.5
_MOST_WAITING = 1000
_BEFORE, _MESSAGE = b"\xef\xbb\xbf \t\r", (b"{", b"[")
"""What may stand before a message, and how one begins."""

_ID = re.compile(rb'"id"\s*:\s*("[^"\\]{1,200}"|-?\d{1,20})')


class Connection:
    """Speaks with one process.

    Args:
        source: the source's name.
        process: just started.
        message_bytes: most bytes of one message.
        log: of the source.
    """

    def __init__(
        self, source: str, process: ServerProcess, message_bytes: int, log: logging.Logger
    ) -> None:
        self._source, self._process, self._most, self._log = source, process, message_bytes, log
        self._lines = LineReader(message_bytes)
        self._pending: dict[str, Pending] = {}
        self._out = bytearray()
        self._queued = self._written = 0
        self._reading: EventLoopToken | None = None
        self._noise: list[str] = []
        self._noises = 0
        self._heard_last_words = False
        self.started = time.monotonic()
        self.ended: str | None = None

    @property
    def story(self) -> str:
        """What is known of the process, for the host: how it ended, what it said last."""
        code = self._process.exit_code
        said = f"exit code {code}" if code is not None else ""
        if self._noise:
            said += f"; {self._noises} lines of output were no messages, first: {self._noise[0]!r}"
        if last := [*self._process.errors.last]:
            said += f"; it said: {' | '.join(last)}"
        return said.lstrip("; ")[:2000]

    @property
    def forked(self) -> bool:
        """The server belongs to the process that this one was forked from."""
        return self._process.forked

    @property
    def _why(self) -> str:
        return f"{self.ended}; {self.story}".rstrip("; ")

    # --- asking

    def send(self, message: JsonObject) -> None:
        """Write a message, now as far as there is room, the rest with the next turn.

        Raises:
            SourceError: too much is waiting to be written.
        """
        self._write(encode_message(message))

    def _write(self, message: bytes) -> None:
        line = message + b"\n"
        if len(self._out) > self._most:
            words = f"the server does not read: {len(self._out):,} bytes wait to be written"
            raise SourceError(self._source, "unavailable", words)
        self._out += line
        self._queued += len(line)
        self._flush()

    def begin(self, ask: Ask, session: Session, id: MessageId) -> Pending:
        """Send a request whose answer `wait` brings.

        Raises:
            EndedError: the server is gone already.
            SourceError: it does not read.
        """
        if self._process.exit_code is not None:
            self._turn_over()
            self._end("the server ended")
        if self.ended is not None:
            self._hear_last_words()
            raise EndedError(self._why, sent=False)
        self._write(ask.encoded(self._source, session, id))
        pending = self._pending[str(id)] = Pending(ask, id, self._queued)
        return pending

    def attend(self, ask: Ask, id: MessageId) -> Pending:
        """Wait for what the server says unasked; `wait` then ends with the server alone."""
        pending = self._pending[str(id)] = Pending(ask, id, self._queued)
        return pending

    async def wait(self, pending: Pending) -> Response | ErrorResponse:
        """The answer of a request. A wait that is cancelled may be taken up again.

        Raises:
            EndedError: the server is gone.
            SourceError: the answer is larger than a message may be.
        """
        try:
            while True:
                while pending.inbox:
                    self._pass_on()  # a person may be asked, and the others do not wait for that
                    await self._take(pending, pending.inbox.popleft())
                if pending.answer is not None:
                    return pending.answer
                if pending.too_large:
                    raise too_large(self._source, self._most)
                if self.ended is not None:
                    await self._process.exited(_EXIT_WAIT)
                    self._hear_last_words()
                    raise EndedError(self._why, sent=self.is_out(pending))
                await self._turn(pending)
        finally:
            self._pass_on()

    def is_out(self, pending: Pending) -> bool:
        """Whether the whole request was written."""
        return self._written >= pending.end

    def forget(self, pending: Pending) -> None:
        """Nobody waits for this answer any more; a late one is passed over."""
        self._pending.pop(str(pending.id), None)

    # --- ending

    async def aclose(self, grace: float) -> None:
        """End the server: its input ends, then it is told, then it is killed."""
        self._end("the source was closed")
        self._process.pipes.close_input()
        if not await self._gone(grace):
            self._process.tell_to_end()
            await self._gone(grace)
        self.kill("the source was closed")

    def kill(self, why: str) -> None:
        """End the server and all it started, now."""
        self._end(why)
        self._turn_over()
        self._process.kill()

    async def _gone(self, within: float) -> bool:
        """Wait for the end of the process; what it says on the way is not in its way."""
        until = time.monotonic() + within
        while not await self._process.exited(min(0.05, max(0.0, until - time.monotonic()))):
            self._turn_over()
            if time.monotonic() >= until:
                return False
        return True

    def _end(self, why: str) -> None:
        self.ended = self.ended or why
        for pending in self._pending.values():
            pending.call()

    def _hear_last_words(self) -> None:
        if not self._heard_last_words:
            self._heard_last_words = True
            self._process.errors.catch_up()

    # --- the reader, whoever it is

    async def _turn(self, pending: Pending) -> None:
        """Read for all, or wait for the one who does."""
        here = current_token()
        if self._reading is not None:
            if self._reading != here:
                raise ElsewhereError(self._source)
            pending.wake = anyio.Event()
            await pending.wake.wait()
            return
        self._reading = here
        try:
            with anyio.move_on_after(_LOOK_AGAIN):
                await self._process.pipes.wait()
        finally:
            self._reading = None
        gone = self._process.exit_code is not None  # before reading: what it wrote is read first
        more = self._turn_over()
        if gone and not more and not pending.settled:
            self._end("the server ended")

    def _pass_on(self) -> None:
        """Let another one read, if nobody does."""
        if self._reading is None:
            for pending in self._pending.values():
                if pending.wake is not None and not pending.wake.is_set():
                    pending.wake.set()
                    return

    def _turn_over(self) -> bool:
        """Take what can be taken, one chunk at least, and write what can be written, without
        waiting and not for long; whether there may be more.
        """
        until, more, late = time.monotonic() + _TURN, True, False
        while more and not late:
            chunk = self._process.pipes.read_output()
            more = bool(chunk)
            if chunk:
                self._route_all(self._lines.feed(chunk))
            elif chunk is None and self.ended is None:
                self._route_all(self._lines.end())
                self._end("the server closed its output")
            late = time.monotonic() >= until
        self._flush()
        return more

    def _flush(self) -> None:
        try:
            while self._out:
                written = self._process.pipes.write_input(bytes(self._out[: 64 * 1024]))
                del self._out[:written]
                self._written += written
                if not written:
                    return
        except (OSError, ValueError):
            self._out.clear()
            self._end("the server closed its input")

    # --- to whom a message belongs

    def _route_all(self, lines: list[Line]) -> None:
        for line in lines:
            if line.cut:
                self._too_large(line)
            elif not line.data.lstrip(_BEFORE).startswith(_MESSAGE):
                if line.data.strip():
                    self._noised(line, "it is no JSON object")
            else:
                for message in parse_messages(line.data):
                    self._route(message, line)

    def _route(self, message: Message, line: Line) -> None:
        match message:
            case Response() | ErrorResponse():
                pending = self._pending.get(str(message.id))
                if pending is None or pending.answer is not None:
                    self._log.debug("a late or unknown answer is passed over")
                    return
                pending.answer, pending.size = message, line.length
                pending.call()
            case Notification():
                self._notify(message)
            case Request():
                self._serve(message)
            case Malformed():
                self._noised(line, message.reason)

    def _notify(self, message: Notification) -> None:
        if message.method == PROGRESS_METHOD:
            pending = self._pending.get(str(token_of_progress(message.params)))
        elif (subscription := subscription_of(message.params)) is not None:
            pending = self._pending.get(str(subscription))
        elif message.method == CANCELLED:
            self._cancelled(message)
            return
        elif message.method == LIST_CHANGED:
            pending = next(iter(self._pending.values()), None)
        else:
            pending = self._only(lambda _: True)
        if pending is None:
            self._log.debug("notification %s", words_of(message.method, self._process.secrets))
            return
        if message.method == LIST_CHANGED and pending.ask.method != LISTEN:
            pending.ask.hear(message, pending.id)  # nobody has to wait for it
        elif len(pending.inbox) < _MOST_WAITING:
            pending.inbox.append(message)
            pending.call()

    def _cancelled(self, message: Notification) -> None:
        """The server ends what it was asked to go on telling; nothing else is for it to end."""
        pending = self._pending.get(str(message.params.get("requestId")))
        if pending is not None and pending.ask.method == LISTEN:
            pending.answer = Response(id=pending.id, result={})
            pending.call()

    def _serve(self, request: Request) -> None:
        asker = None
        if request.method == ELICIT:
            asker = self._only(lambda each: each.ask.method == CALL and each.ask.context.has_ask)
        if asker is None or len(asker.inbox) >= _MOST_WAITING:
            self._reply(answer_to(request))
            return
        asker.inbox.append(request)
        asker.call()

    def _only(self, fits: Callable[[Pending], bool]) -> Pending | None:
        """The one who waits, where there is just one of this kind."""
        waiting = (each for each in self._pending.values() if each.ask.method != LISTEN)
        found = [pending for pending in waiting if fits(pending)]
        return found[0] if len(found) == 1 else None

    async def _take(self, pending: Pending, message: Notification | Request) -> None:
        if isinstance(message, Notification):
            pending.ask.hear(message, pending.id)
        else:
            self._reply(await pending.ask.answer(message))

    def _reply(self, message: JsonObject) -> None:
        """Answer the server; one that does not read its answers goes without."""
        try:
            self.send(message)
        except SourceError as error:
            self._log.debug("not answered: %s", error.description)

    def _noised(self, line: Line, reason: str) -> None:
        self._noises += 1
        if self._noises <= _NOISE_LOGGED:
            words = words_of(line.data.decode("utf-8", "replace"), self._process.secrets)[:200]
            self._noise.append(words)
            self._log.warning("output that is no message is passed over (%s): %s", reason, words)

    def _too_large(self, line: Line) -> None:
        """A message beyond the limit: the call it answers fails, if that can be told."""
        self._log.warning("a message of %d bytes is passed over", line.length)
        ids = (found.decode("utf-8", "replace").strip('"') for found in _ID.findall(line.data))
        named = [self._pending.get(id) for id in ids]
        pending = next(filter(None, named), None) or self._only(lambda _: True)
        if pending is not None:
            pending.too_large = True
            pending.call()
