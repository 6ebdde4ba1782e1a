"""What a server knows of a request before any tool runs."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from toolroll.content import JsonObject
from toolroll.tools.context import Principal

_NO_HEADERS: Mapping[str, str] = {}
_NOTHING: JsonObject = {}
_BEARER = "bearer "


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestInfo:
    """One request, as far as the host may build a context on it.

    Args:
        transport: `stdio` or `http`.
        method: of MCP, e.g. `tools/call`.
        version: the protocol version it is answered in.
        client: what the client says of itself (`name`, `version`, ...). Never a proof of anything.
        capabilities: what the client says it can do.
        meta: `_meta` of the request, as it came.
        headers: of HTTP, names in lower case; empty on stdio. The first of several of one name.
        principal: who `authorize` said it is; None where nobody was asked.
        trace: W3C trace context of `_meta` (`traceparent`, `tracestate`, `baggage`).

    Source: MCP 2026-07-28, basic, "_meta".

    Example:
        >>> from toolroll import CallContext
        >>> def context(request):
        ...     return CallContext(principal=request.principal)
        >>> request = RequestInfo(
        ...     transport="http",
        ...     method="tools/call",
        ...     version="2026-07-28",
        ...     principal=Principal(id="ada"),
        ... )
        >>> context(request).principal.id
        'ada'
    """

    transport: Literal["stdio", "http"]
    method: str
    version: str
    client: JsonObject = field(default_factory=lambda: _NOTHING)
    capabilities: JsonObject = field(default_factory=lambda: _NOTHING)
    meta: JsonObject = field(default_factory=lambda: _NOTHING)
    headers: Mapping[str, str] = field(default_factory=lambda: _NO_HEADERS)
    principal: Principal | None = None
    trace: Mapping[str, str] = field(default_factory=lambda: _NO_HEADERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestHead:
    """The head of an HTTP request: all that `authorize` sees. The body has not been read.

    Args:
        method: of HTTP, upper case.
        path: as the server routed it.
        headers: names in lower case; the first of several of one name.
        client: address of the other side, "" where unknown.

    Example:
        >>> head = RequestHead(method="POST", path="/mcp", headers={"authorization": "Bearer abc"})
        >>> def authorize(head):
        ...     return Principal(id="ada") if head.bearer == "abc" else Denied()
        >>> authorize(head).id
        'ada'
    """

    method: str
    path: str
    headers: Mapping[str, str]
    client: str = ""

    @property
    def bearer(self) -> str | None:
        """The token of `Authorization: Bearer ...`, None where there is none.

        Example:
            >>> head = RequestHead(method="POST", path="/", headers={"authorization": "Bearer x"})
            >>> head.bearer
            'x'
        """
        value = self.headers.get("authorization", "")
        if value[: len(_BEARER)].lower() != _BEARER:
            return None
        return value[len(_BEARER) :].strip() or None


@dataclass(frozen=True, slots=True, kw_only=True)
class Denied:
    """The answer of `authorize` to somebody who may not come in.

    Args:
        status: 401 (who are you?) or 403 (not you, or not with this scope).
        challenge: value of `WWW-Authenticate`; with 401 there must be one.
        reason: one sentence for the client; say nothing that helps to guess.

    Source: MCP 2026-07-28, basic/authorization, "Error Handling"; RFC 6750 §3.

    Example:
        >>> Denied(challenge='Bearer realm="notes"').status
        401
    """

    status: Literal[401, 403] = 401
    challenge: str = "Bearer"
    reason: str = "This server needs a valid access token."


Authorize: TypeAlias = Callable[[RequestHead], Awaitable[Principal | Denied]]
"""Says who a request is for, from its head. An exception lets nobody in: the answer is 500."""
