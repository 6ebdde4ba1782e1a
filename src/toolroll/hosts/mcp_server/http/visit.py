"""One HTTP request that was let in, and the way back to its client while it is answered."""

import secrets
from dataclasses import dataclass

from toolroll.content import JsonObject
from toolroll.hosts.mcp_server.http.asgi import Receive, Send
from toolroll.hosts.mcp_server.http.head import Head
from toolroll.hosts.mcp_server.http.reply import HttpReply
from toolroll.hosts.mcp_server.http.session import Session
from toolroll.hosts.mcp_server.pending import Pending
from toolroll.protocol import MessageId, write_notification
from toolroll.tools.context import Principal


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One HTTP request that was let in.

    Args:
        head: of it.
        principal: who it is for.
        receive, send: of ASGI.
    """

    head: Head
    principal: Principal | None
    receive: Receive
    send: Send

    def header(self, name: str) -> str | None:
        """A header of it."""
        return self.head.request.headers.get(name.lower())

    async def accept(self) -> None:
        """Answer 202 without a body: taken, nothing to say."""
        await self.send({"type": "http.response.start", "status": 202, "headers": []})
        await self.send({"type": "http.response.body", "body": b""})


class HttpExchange:
    """The way back to the client while one request is answered; silent after the answer."""

    __slots__ = ("_open", "_pending", "_reply", "_session")

    def __init__(
        self, pending: Pending[tuple[str, MessageId]], reply: HttpReply, session: Session | None
    ) -> None:
        self._pending, self._reply, self._session = pending, reply, session
        self._open = True

    def close(self) -> None:
        """The request has its answer."""
        self._open = False

    @property
    def can_request(self) -> bool:
        """Only a client with a session can be asked, and only on a stream."""
        return self._session is not None and self._reply.takes_events

    def notify(self, method: str, params: JsonObject, /) -> None:
        """Send a notification while the request is open."""
        if self._open:
            self._reply.tell(write_notification(method, params))

    async def request(self, method: str, params: JsonObject, /) -> JsonObject | None:
        """Ask the client on the stream and wait; the answer comes with another HTTP request."""
        if self._session is None or not self._open:
            return None
        id = secrets.token_urlsafe(16)
        key = (self._session.id, id)
        return await self._pending.ask(key, id, self._reply.tell, method, params)
