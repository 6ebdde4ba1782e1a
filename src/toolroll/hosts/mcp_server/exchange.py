"""One request on its way through the server, and the way back to its client meanwhile."""

from dataclasses import dataclass
from typing import Protocol

from toolroll.content import JsonObject
from toolroll.hosts.mcp_server.info import RequestInfo
from toolroll.protocol import Request, RequestMeta, era_of


class Exchange(Protocol):
    """What a transport lends to a request while it is answered."""

    @property
    def can_request(self) -> bool:
        """Whether requests of our own reach the client and their answers come back."""
        ...

    def notify(self, method: str, params: JsonObject, /) -> None:
        """Send a notification that belongs to the request; never blocks, never raises."""
        ...

    async def request(self, method: str, params: JsonObject, /) -> JsonObject | None:
        """Send a request of our own and wait for its result; None for an error or silence."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """One request and all that is known of it.

    Args:
        request: the message.
        meta: its `_meta`, read.
        info: what the host's context is built on.
        exchange: the way back.
    """

    request: Request
    meta: RequestMeta
    info: RequestInfo
    exchange: Exchange

    @property
    def version(self) -> str:
        """The protocol version it is answered in."""
        return self.info.version

    @property
    def modern(self) -> bool:
        """It describes itself: no handshake, no session."""
        return era_of(self.info.version) == "modern"
