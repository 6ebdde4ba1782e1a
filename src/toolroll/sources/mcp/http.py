"""An MCP server over HTTP: which era it is of, its sessions, and what is sent again.

Source: MCP 2026-07-28, basic/versioning and basic/transports/streamable-http, "Backward
Compatibility"; MCP 2025-11-25, basic/transports, "Session Management".
"""

import itertools
from dataclasses import replace
from typing import Literal, TypeAlias

import anyio
from anyio.lowlevel import RunVar

from toolroll.ports.http import HttpBrokenError, HttpError
from toolroll.protocol import (
    DISCOVER,
    HEADER_MISMATCH,
    INITIALIZE,
    INITIALIZED,
    INVALID_REQUEST,
    LEGACY,
    METHOD_NOT_FOUND,
    UNSUPPORTED_VERSION,
    ErrorResponse,
    Response,
    ServerWords,
    read_initialize_result,
    write_initialize_params,
)
from toolroll.sources.mcp.courier import Courier
from toolroll.sources.mcp.exchange import SENDABLE, Exchange
from toolroll.sources.mcp.failure import (
    SAYS_NOTHING,
    error_failure,
    lost_failure,
    status_failure,
)
from toolroll.sources.mcp.handshake import MODERN_SESSION, agreed, discovered
from toolroll.sources.mcp.listening import Listening, NotToldError
from toolroll.sources.mcp.oldest import OldestExchange
from toolroll.sources.mcp.option import Settings
from toolroll.sources.mcp.reply import Answered, LostAnswer
from toolroll.sources.mcp.seat import Seat, Seats
from toolroll.sources.mcp.session import CALL, CLIENT, Ask, Asker, Heard, Session
from toolroll.sources.mcp.stream import NewsStream
from toolroll.sources.mcp.watch import Watch
from toolroll.sources.source import SourceError
from toolroll.tools.context import CallContext, Principal

Spoken: TypeAlias = Literal["modern", "legacy", "oldest"]
"""How a server is spoken to; `oldest` is HTTP+SSE."""

_BEFORE = Session(era="legacy", version=LEGACY[0])
_CLIENT_FAULT = range(400, 500)
_NO_SESSION = -32000
"""What some legacy servers answer to a request without a session."""

_NOT_MODERN = frozenset({UNSUPPORTED_VERSION, INVALID_REQUEST, METHOD_NOT_FOUND, _NO_SESSION})
_GONE = 404
_numbers = itertools.count()


class HttpWire:
    """The way to one server over HTTP.

    Args:
        courier: sends requests.
        settings: of the source.
        asker: the source.
    """

    mirrors = True

    def __init__(self, courier: Courier, settings: Settings, asker: Asker) -> None:
        self._courier, self._settings, self._asker = courier, settings, asker
        self._source, self._options = settings.name, settings.options
        self._exchange = Exchange(self._source, courier, self._options, asker.log)
        self._news = NewsStream(courier, self._exchange, self._options)
        self._oldest = OldestExchange(self._source, courier, self._options)
        self._spoken: Spoken | None = None
        self._seats = Seats(self._options.sessions, self._options.session_idle)
        self._ids = itertools.count(1)
        self._locks: RunVar[anyio.Lock] = RunVar(f"toolroll-mcp-{next(_numbers)}")
        self._closed = False
        self.words: ServerWords | None = None

    async def open(self) -> None:
        """Make ready to be used; nothing is contacted."""
        self._closed = False

    async def ask(self, ask: Ask, /) -> Heard:
        """Ask, in a session that is begun if need be.

        A session that ended is begun again once. A lost answer is asked for again once, where
        that does no harm.
        """
        session = await self._session(ask)
        reply = await self._replied(session, ask)
        if _is_over(session, reply):
            session = await self._session(ask, instead_of=session)
            reply = await self._replied(session, ask)
        return self._heard(session, ask, reply)

    async def _replied(self, session: Session, ask: Ask) -> Answered:
        resent = False
        with self._seats.used(self.owner_of(ask.context)):
            while True:
                try:
                    return await self._once(session, ask)
                except (LostAnswer, HttpError) as error:
                    if not isinstance(error, (LostAnswer, HttpBrokenError)):
                        raise self._unreachable(error) from error
                    if resent or not ask.watch.repeatable:
                        raise self._lost(ask, error) from error
                    resent = True

    async def listen(self, listening: Listening, /) -> None:
        """Hear of changes until the stream that tells of them ends."""
        session = await self._session(listening)
        if not session.tells_changes:
            raise NotToldError
        try:
            with self._seats.used(self.owner_of(listening.context)):
                reply = await self._listened(session, listening, next(self._ids))
        except (LostAnswer, HttpError) as error:
            raise self._unreachable(error) from error
        if reply is None:
            return
        message = reply.message
        if isinstance(message, ErrorResponse) and message.code == METHOD_NOT_FOUND:
            raise NotToldError
        if _is_over(session, reply):
            await self._session(listening, instead_of=session)
            return
        heard = self._heard(session, listening, reply)
        if isinstance(heard.answer, ErrorResponse):
            raise error_failure(self._source, heard.answer)

    def owner_of(self, context: CallContext[object], /) -> tuple[str, str]:
        """The caller where headers differ from user to user; all share what is kept otherwise."""
        person = context.principal
        if not self._courier.personal or person is None:
            return "", ""
        return person.tenant, person.id

    def shut(self) -> None:
        """Let no further question begin."""
        self._closed = True

    async def aclose(self) -> None:
        """End the sessions, within `grace` seconds, and close connections of our own."""
        self._closed = True
        await self._end_all(self._seats.take_all())
        with anyio.CancelScope(shield=True):
            await self._courier.aclose()

    async def _once(self, session: Session, ask: Ask) -> Answered:
        number = next(self._ids)
        if session.oldest:
            return await self._oldest.ask(ask, number)
        return await self._exchange.ask(session, ask, number)

    async def _listened(self, session: Session, listening: Listening, id: int) -> Answered | None:
        if session.oldest:
            return await self._oldest.listen(listening, id)
        if session.era == "modern":
            return await self._news.subscribe(session, listening, id)
        return await self._news.attend(session, listening, id)

    def _heard(self, session: Session, ask: Ask, reply: Answered) -> Heard:
        status, message = reply.status, reply.message
        meant = message is not None and status not in SAYS_NOTHING and status < 500
        if message is not None and meant and not (session.id is not None and status == _GONE):
            return Heard(session=session, answer=message, secrets=reply.secrets, size=reply.size)
        raise status_failure(
            self._source,
            status,
            reply.words,
            retry_after=reply.retry_after,
            repeatable=ask.watch.repeatable,
        )

    # --- sessions

    async def _session(self, ask: Ask, *, instead_of: Session | None = None) -> Session:
        """The session of this caller; begun by one of those who need it, for all of them."""
        key = self.owner_of(ask.context)
        session = self._seats.get(key)
        if session is not None and session is not instead_of and not self._closed:
            return session
        with ask.watch.connecting():
            async with self._lock():
                if self._closed:
                    raise SourceError(
                        self._source, "unavailable", "the source is closed", retryable=False
                    )
                session = self._seats.get(key)
                if session is None or session is instead_of:
                    self._forget(key, instead_of)
                    await self._end_all(self._seats.take_spare(room=1))
                    session = await self._begun(ask)
                    self._keep(key, session, ask.context.principal)
                    if instead_of is not None:
                        self._asker.news.tell()  # who begins again may have other tools
                return session

    def _lock(self) -> anyio.Lock:
        lock = self._locks.get(None) or anyio.Lock()
        self._locks.set(lock)
        return lock

    def _forget(self, key: tuple[str, str], session: Session | None) -> None:
        if session is None:
            return
        self._seats.forget(key)
        if session.era == "modern":
            self._spoken = None  # what was known of the era did not hold

    def _keep(self, key: tuple[str, str], session: Session, person: Principal | None) -> None:
        self._seats.keep(key, session, person)
        self._spoken = "oldest" if session.oldest else session.era
        self.words = session.words or self.words

    async def _end_all(self, seats: list[Seat]) -> None:
        """Tell the server that sessions are over, within `grace` seconds."""
        with anyio.move_on_after(self._options.grace, shield=True):
            async with anyio.create_task_group() as tasks:
                for seat in seats:
                    if seat.session.id is not None:
                        tasks.start_soon(self._end, seat)

    async def _end(self, seat: Seat) -> None:
        context: CallContext[object] = CallContext(principal=seat.person)
        watch = Watch(self._source, self._settings.timeouts, None, repeatable=False)
        try:
            await self._exchange.end(seat.session, Ask("", {}, context, watch, self._asker))
        except (HttpError, SourceError) as error:
            self._asker.log.debug("a session was not ended: %s", error)

    # --- finding out the era

    async def _begun(self, ask: Ask) -> Session:
        """Begin the way that worked last; where it does not work, find out again."""
        faults: list[str] = []
        perhaps_modern = False
        for way in self._ways():
            session = None
            if way == "modern":
                session, perhaps_modern = await self._discovered(ask, faults)
            elif way == "legacy":
                session = await self._initialized(ask, faults)
            else:
                session = await self._oldest.begun(ask, next(self._ids), faults)
            if session is not None:
                return session
        if perhaps_modern and self._options.era == "auto":
            return replace(MODERN_SESSION)
        raise SourceError(self._source, "unavailable", "; then: ".join(faults))

    def _ways(self) -> list[Spoken]:
        wanted = self._options.era
        ways: list[Spoken] = ["modern", "legacy", "oldest"]
        if wanted != "auto":
            ways = ["modern"] if wanted == "modern" else ["legacy", "oldest"]
        return sorted(ways, key=lambda way: way != self._spoken)

    async def _discovered(self, ask: Ask, faults: list[str]) -> tuple[Session | None, bool]:
        """The session of a modern server; else None, and whether it may be one after all."""
        reply = await self._tried(MODERN_SESSION, ask.like(DISCOVER, {}))
        message = reply.message
        if not isinstance(message, Response):
            self._refuse(reply)
        if message is None:
            faults.append(_words_of(DISCOVER, reply))
            return None, False
        found = discovered(self._source, message)
        if isinstance(found, Session):
            return found, True
        faults.append(found.words)
        # A modern server says so of a method it does not have; but it must have this one.
        unknown = isinstance(message, ErrorResponse) and message.code == METHOD_NOT_FOUND
        return None, unknown and reply.status == _GONE

    async def _initialized(self, ask: Ask, faults: list[str]) -> Session | None:
        params = write_initialize_params(CLIENT, questions=self._options.questions)
        reply = await self._tried(_BEFORE, ask.like(INITIALIZE, params))
        if not isinstance(reply.message, Response):
            self._refuse(reply)
            faults.append(_words_of(INITIALIZE, reply))
            return None
        session = agreed(self._source, read_initialize_result(reply.message.result))
        id = reply.session_id or None
        if id is not None and not SENDABLE.fullmatch(id):
            words = "the id of its session has characters that no header holds"
            raise SourceError(self._source, "invalid-response", words, may_have_run=False)
        session = replace(session, id=id)
        await self._exchange.notify(session, ask, INITIALIZED, {})
        return session

    async def _tried(self, session: Session, ask: Ask) -> Answered:
        """Ask something that may be asked twice."""
        try:
            try:
                return await self._exchange.ask(session, ask, next(self._ids))
            except (HttpBrokenError, LostAnswer):
                return await self._exchange.ask(session, ask, next(self._ids))
        except (HttpError, LostAnswer) as error:
            raise self._unreachable(error) from error

    def _refuse(self, reply: Answered) -> None:
        """Raise for a refusal that says nothing about the era."""
        if reply.status in SAYS_NOTHING or reply.status >= 500:
            raise status_failure(
                self._source,
                reply.status,
                reply.words,
                retry_after=reply.retry_after,
                repeatable=True,
            )
        if 300 <= reply.status < 400:
            words = f"HTTP {reply.status}: a redirect that is not followed"
            raise SourceError(self._source, "invalid-response", words, may_have_run=False)

    # --- failures

    def _unreachable(self, error: Exception) -> SourceError:
        return SourceError(self._source, "unavailable", f"{type(error).__name__}: {error}"[:500])

    def _lost(self, ask: Ask, error: Exception) -> SourceError:
        words = str(error) or "the stream ended without the answer"
        if ask.method == CALL:
            return lost_failure(self._source, words[:500])
        return self._unreachable(error)


def _is_over(session: Session, reply: Answered) -> bool:
    """Whether a refusal means that another session may do."""
    if session.era == "legacy":
        return session.id is not None and reply.status == _GONE
    message = reply.message
    if isinstance(message, ErrorResponse):
        return message.code in _NOT_MODERN and message.code != HEADER_MISMATCH
    return message is None and reply.status in _CLIENT_FAULT and reply.status not in SAYS_NOTHING


def _words_of(method: str, reply: Answered) -> str:
    code = f", error {reply.message.code}" if isinstance(reply.message, ErrorResponse) else ""
    return f"{method}: HTTP {reply.status}{code} {reply.words}".rstrip()
