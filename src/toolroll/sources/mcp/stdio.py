"""An MCP server as a local process: started when it is needed, begun, asked, and started again.

Source: MCP 2026-07-28, basic/transports/stdio; MCP 2025-11-25, basic/lifecycle, "Shutdown".
"""

import itertools
import logging
import math
import time
from collections.abc import Callable

import anyio
from anyio.lowlevel import RunVar

from toolroll.content import JsonObject
from toolroll.protocol import (
    CANCELLED,
    DISCOVER,
    INITIALIZE,
    INITIALIZED,
    LEGACY,
    METHOD_NOT_FOUND,
    Era,
    ErrorResponse,
    Response,
    ServerWords,
    read_initialize_result,
    write_cancelled,
    write_initialize_params,
    write_notification,
)
from toolroll.sources.mcp.connection import Connection
from toolroll.sources.mcp.disclosure import disclosed
from toolroll.sources.mcp.failure import error_failure, lost_failure, words_of
from toolroll.sources.mcp.handshake import MODERN_SESSION, agreed, discovered
from toolroll.sources.mcp.listening import Listening, NotToldError
from toolroll.sources.mcp.option import Settings
from toolroll.sources.mcp.pending import ElsewhereError, EndedError, Pending
from toolroll.sources.mcp.process import ServerProcess
from toolroll.sources.mcp.session import CALL, CLIENT, Ask, Asker, Heard, Session
from toolroll.sources.secret import Secrets
from toolroll.sources.source import SourceError
from toolroll.tools.context import CallContext

_BEFORE = Session(era="legacy", version=LEGACY[0])
_NO_SECRETS = Secrets(())
_numbers = itertools.count()


class StdioWire:
    """The way to one local server.

    Args:
        start: starts the process; its error output goes to this log.
        settings: of the source.
        asker: the source.
        secrets: what the server may not repeat.
    """

    mirrors = False

    def __init__(
        self,
        start: Callable[[logging.Logger], ServerProcess],
        settings: Settings,
        asker: Asker,
        secrets: Secrets = _NO_SECRETS,
    ) -> None:
        self._secrets, self._asker = secrets, asker
        self._start, self._settings, self._log = start, settings, asker.log
        self._source, self._options = settings.name, settings.options
        self._life: _Life | None = None
        self._era: Era | None = None
        self._died_unasked = False
        self._ids = itertools.count(1)
        self._locks: RunVar[anyio.Lock] = RunVar(f"toolroll-mcp-stdio-{next(_numbers)}")
        self._closed = False
        self.words: ServerWords | None = None

    async def open(self) -> None:
        """Make ready to be used; nothing is started."""
        self._closed = False

    async def ask(self, ask: Ask, /) -> Heard:
        """Ask. A server that is gone is started again, once for each question.

        A question that was not written whole is asked again; one whose answer is lost only where
        that does no harm.
        """
        again = False
        while True:
            life = await self._ready(ask)
            assert life.session is not None  # noqa: S101 (`_ready` saw to it)
            try:
                return await self._asked(life.connection, life.session, ask)
            except EndedError as error:
                if again or (error.sent and not ask.watch.repeatable):
                    raise self._gone(ask, error) from error
                again = True

    async def listen(self, listening: Listening, /) -> None:
        """Hear of changes until the server ends them, or itself."""
        listening.quiet = math.inf  # a process that is gone is noticed
        life = await self._ready(listening)
        connection, session, id = life.connection, life.session, next(self._ids)
        if session is None or not session.tells_changes:
            raise NotToldError
        modern = session.era == "modern"
        try:
            if modern:
                pending = connection.begin(listening, session, id)
            else:
                pending = connection.attend(listening, id)
                listening.opened()
            try:
                answer = disclosed(await connection.wait(pending), self._secrets)
            finally:
                self._leave(connection, pending, told=modern)
        except EndedError as error:
            raise self._gone(listening, error) from error
        if isinstance(answer, ErrorResponse):
            if answer.code == METHOD_NOT_FOUND:
                raise NotToldError
            raise error_failure(self._source, answer)

    def owner_of(self, context: CallContext[object], /) -> tuple[str, str]:
        """All callers share one process."""
        return "", ""

    def shut(self) -> None:
        """Let no further question begin."""
        self._closed = True

    async def aclose(self) -> None:
        """End the server within twice `grace` seconds, killed if need be."""
        self._closed = True
        life, self._life = self._own_life(), None
        if life is not None:
            with anyio.CancelScope(shield=True):
                await life.connection.aclose(self._options.grace)

    async def _asked(self, connection: Connection, session: Session, ask: Ask) -> Heard:
        id = next(self._ids)
        pending = connection.begin(ask, session, id)
        try:
            answer = await connection.wait(pending)
            answer = disclosed(answer, self._secrets)
            return Heard(session=session, answer=answer, secrets=self._secrets, size=pending.size)
        finally:
            if ask.method == CALL and connection.is_out(pending):
                ask.watch.sent = True
            self._leave(connection, pending, told=True)

    def _leave(self, connection: Connection, pending: Pending, *, told: bool) -> None:
        """Nobody waits any more; the server is told where it still works on it."""
        connection.forget(pending)
        if told and pending.answer is None and connection.ended is None:
            params = write_cancelled(pending.id, "the caller gave up")
            _send(connection, write_notification(CANCELLED, params), self._log)

    def _gone(self, ask: Ask, error: EndedError) -> SourceError:
        if error.sent and ask.method == CALL:
            return lost_failure(self._source, str(error))
        return SourceError(self._source, "unavailable", str(error))

    # --- beginning

    async def _ready(self, ask: Ask) -> "_Life":
        ask.secrets = self._secrets
        life = self._own_life()
        if life is not None and life.usable and not self._closed:
            return life
        with ask.watch.connecting():
            async with self._lock():
                if self._closed:
                    raise SourceError(
                        self._source, "unavailable", "the source is closed", retryable=False
                    )
                try:
                    return await self._begun(ask)
                except EndedError:
                    self._log.info("the server ended at the beginning; it is started once more")
                try:
                    return await self._begun(ask)
                except EndedError as error:
                    raise SourceError(self._source, "unavailable", str(error)) from error

    async def _begun(self, ask: Ask) -> "_Life":
        """Start the server if it does not run, and agree with it on how to speak.

        Another caller may have begun and given up: then this one goes on where it stopped.
        """
        life = self._life
        if life is None or life.connection.ended is not None:
            if life is not None:
                life.connection.kill("it ended before")
            self._life = life = _Life(self._connected())
        if life.session is None:
            try:
                session = await self._agreed(life, ask)
                life.begun(session)
            except ElsewhereError:
                raise
            except EndedError:
                # It may have been the question that it did not know: next time it is not asked.
                self._died_unasked = life.initializing is None
                life.connection.kill("it ended at the beginning")
                raise
            except SourceError:
                life.connection.kill("there is no way to speak with it")
                raise
            finally:
                late = time.monotonic() - life.connection.started >= self._settings.timeouts.connect
                if life.session is None and (late or ask.watch.connect_met):
                    life.connection.kill("it was not ready in time")
            if self._era is not None:
                self._asker.news.tell()  # another process may have other tools
            self._era, self._died_unasked = session.era, False
            self.words = session.words or self.words
        return life

    def _own_life(self) -> "_Life | None":
        """The server, if there is one; in a fork none: there another one is started."""
        if self._life is not None and self._life.connection.forked:
            self._life = None
        return self._life

    def _connected(self) -> Connection:
        try:
            process = self._start(self._log)
        except OSError as error:
            words = f"the server could not be started: {error}"
            raise SourceError(self._source, "unavailable", words) from error
        return Connection(self._source, process, self._options.message_bytes, self._log)

    async def _agreed(self, life: "_Life", ask: Ask) -> Session:
        """Begin the way that worked last; where it does not work, the other way."""
        faults: list[str] = []
        for way in self._ways():
            if way == "modern":
                session = await self._discovered(life, ask, faults)
            else:
                session = await self._initialized(life, ask, faults)
            if session is not None:
                return session
        if life.probing is not None and life.probing.answer is not None:
            late = discovered(self._source, disclosed(life.probing.answer, self._secrets))
            if isinstance(late, Session):
                return late  # it took its time to start, and longer than its answer was waited for
        if life.unknown_method and life.initializing is not None:
            return MODERN_SESSION  # it knows neither beginning, as nothing but a modern server may
        raise SourceError(self._source, "unavailable", "; then: ".join(faults))

    def _ways(self) -> list[Era]:
        wanted = self._options.era
        if wanted != "auto":
            return [wanted]
        legacy_first = self._era == "legacy" or self._died_unasked
        return ["legacy", "modern"] if legacy_first else ["modern", "legacy"]

    async def _discovered(self, life: "_Life", ask: Ask, faults: list[str]) -> Session | None:
        """The session of a modern server; silence counts as none."""
        connection = life.connection
        if life.probing is None:
            probe, id = ask.like(DISCOVER, {}), next(self._ids)
            life.probing = connection.begin(probe, MODERN_SESSION, id)
            life.probed = time.monotonic()
        limit = min(self._options.probe, self._settings.timeouts.connect / 2)
        answer: Response | ErrorResponse | None = life.probing.answer
        with anyio.move_on_after(max(limit - (time.monotonic() - life.probed), 0.0)):
            answer = await connection.wait(life.probing)
        if answer is None:
            faults.append(f"{DISCOVER}: no answer within {limit:g} s")
            return None
        answer = disclosed(answer, self._secrets)
        found = discovered(self._source, answer)
        if isinstance(found, Session):
            return found
        life.unknown_method = isinstance(answer, ErrorResponse) and answer.code == METHOD_NOT_FOUND
        faults.append(found.words)
        return None

    async def _initialized(self, life: "_Life", ask: Ask, faults: list[str]) -> Session | None:
        if life.initializing is None:
            params = write_initialize_params(CLIENT, questions=self._options.questions)
            request, id = ask.like(INITIALIZE, params), next(self._ids)
            life.initializing = life.connection.begin(request, _BEFORE, id)
        answer = disclosed(await life.connection.wait(life.initializing), self._secrets)
        if isinstance(answer, Response):
            session = agreed(self._source, read_initialize_result(answer.result))
            life.connection.send(write_notification(INITIALIZED))
            return session
        life.unknown_method &= answer.code == METHOD_NOT_FOUND
        faults.append(f"{INITIALIZE}: error {answer.code} {words_of(answer.message)}")
        return None

    def _lock(self) -> anyio.Lock:
        lock = self._locks.get(None) or anyio.Lock()
        self._locks.set(lock)
        return lock


class _Life:
    """One process from its start to its end, and how far the beginning went."""

    __slots__ = ("connection", "initializing", "probed", "probing", "session", "unknown_method")

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.session: Session | None = None
        self.probing: Pending | None = None
        self.probed = 0.0
        self.initializing: Pending | None = None
        self.unknown_method = False

    def begun(self, session: Session) -> None:
        """What was asked to begin is settled; late answers to it are passed over."""
        self.session = session
        for asked in (self.probing, self.initializing):
            if asked is not None:
                self.connection.forget(asked)

    @property
    def usable(self) -> bool:
        return self.session is not None and self.connection.ended is None


def _send(connection: Connection, message: JsonObject, log: logging.Logger) -> None:
    try:
        connection.send(message)
    except SourceError as error:
        log.debug("not told: %s", error.description)
