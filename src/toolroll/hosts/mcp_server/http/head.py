"""What is decided from the head of an HTTP request, before a byte of its body is read.

Source: MCP 2026-07-28, basic/transports/streamable-http, "Security & Endpoint" and "Sending
Messages"; RFC 9110 §7.2 (Host), §12.5.1 (Accept), §15.5.20 (421); RFC 6454 (Origin).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

from toolroll.content import JsonObject
from toolroll.hosts.mcp_server.info import RequestHead
from toolroll.hosts.mcp_server.option import ServerOptions
from toolroll.hosts.mcp_server.rejection import Rejection, no_message
from toolroll.protocol import (
    EVENT_TYPE,
    JSON_TYPE,
    METHOD_HEADER,
    NAME_HEADER,
    PARAM_PREFIX,
    VERSION_HEADER,
    MessageId,
)

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
_ROUTING = frozenset({VERSION_HEADER.lower(), METHOD_HEADER.lower(), NAME_HEADER.lower()})
_ONCE = frozenset({"authorization", "content-length", "content-type", "host", "origin"})


class TurnedAway(Exception):  # an answer, not a fault of this program
    """Raised while a request is looked at; becomes an HTTP answer.

    Args:
        status: of HTTP.
        reason: one sentence.
        headers: more headers, names in lower case.
        body: of the answer, as JSON; None writes the reason as an error without an id.
    """

    def __init__(
        self,
        status: int,
        reason: str,
        headers: tuple[tuple[str, str], ...] = (),
        *,
        body: JsonObject | None = None,
    ) -> None:
        super().__init__(status, reason)
        self.status, self.reason, self.headers = status, reason, headers
        self.body = no_message(reason).answer(None) if body is None else body

    @staticmethod
    def by(rejection: Rejection, id: MessageId | None = None) -> "TurnedAway":
        """The HTTP answer that carries an error."""
        return TurnedAway(rejection.status, rejection.message, body=rejection.answer(id))


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The head of a request that may go on.

    Args:
        request: for `authorize`.
        repeated: an MCP header that came more than once, None for none.
        takes_json, takes_events: kinds of answer the client accepts.
    """

    request: RequestHead
    repeated: str | None
    takes_json: bool
    takes_events: bool


def read_head(
    method: str,
    path: str,
    raw: Iterable[tuple[bytes, bytes]],
    options: ServerOptions,
    *,
    client: str = "",
) -> Head:
    """Check the head of a request.

    Args:
        method: of HTTP.
        path: as it was routed.
        raw: header lines as ASGI has them, names in lower case.
        options: of the server.
        client: address of the other side.

    Raises:
        TurnedAway: too many headers, a host or an origin that is not allowed, a method or a type
            that is not taken.
    """
    headers, repeated = _headers(raw, options.limits.headers)
    _check_host(headers.get("host"), options.allowed_hosts)
    _check_origin(headers.get("origin"), options.allowed_origins)
    if method != "POST":
        raise TurnedAway(405, "This endpoint takes POST alone.", (("allow", "POST"),))
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != JSON_TYPE:
        raise TurnedAway(415, f"The body must be {JSON_TYPE}.")
    if headers.get("content-encoding", "identity").lower() != "identity":
        raise TurnedAway(415, "The body must not be compressed.")
    takes_json, takes_events = _accepts(headers.get("accept"))
    if not takes_json and not takes_events:
        raise TurnedAway(406, f"The answer is {JSON_TYPE} or {EVENT_TYPE}; accept both.")
    return Head(
        request=RequestHead(method=method, path=path, headers=headers, client=client),
        repeated=repeated,
        takes_json=takes_json,
        takes_events=takes_events,
    )


def _headers(
    raw: Iterable[tuple[bytes, bytes]], limit: int
) -> tuple[Mapping[str, str], str | None]:
    """The first header of each name, and an MCP header that came twice.

    Two readers of a repeated header may each take another one, so those that decide are not taken.
    """
    headers: dict[str, str] = {}
    repeated, size = None, 0
    for raw_name, raw_value in raw:
        size += len(raw_name) + len(raw_value)
        name = raw_name.decode("latin-1").lower()
        if name not in headers:
            headers[name] = raw_value.decode("latin-1").strip(" \t")
        elif name in _ROUTING or name.startswith(PARAM_PREFIX.lower()):
            repeated = name
        elif name in _ONCE:
            raise TurnedAway(400, f"The header {name} stands twice.")
    if size > limit:
        raise TurnedAway(431, f"The headers have more than {limit} bytes.")
    return headers, repeated


def _check_host(host: str | None, allowed: tuple[str, ...] | None) -> None:
    if allowed is not None and "*" in allowed:
        return
    if not host:
        raise TurnedAway(400, "The header Host is missing.")
    host = host.lower()
    name = _without_port(host)
    if allowed is None:
        if name in _LOOPBACK:
            return
    elif any(each.lower() in (host, name) for each in allowed):
        return
    raise TurnedAway(421, "This server does not answer under that host.")


def _check_origin(origin: str | None, allowed: tuple[str, ...] | None) -> None:
    if origin is None or (allowed is not None and "*" in allowed):
        return
    origin = origin.lower()
    if allowed is not None:
        if origin in (each.lower() for each in allowed):
            return
    else:
        try:
            parts = urlsplit(origin)
        except ValueError:
            parts = None
        if (
            parts is not None
            and parts.scheme in ("http", "https")
            and _without_port(parts.netloc) in _LOOPBACK
        ):
            return
    raise TurnedAway(403, "Requests of that origin are not allowed.")


def _without_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdigit() and not (":" in name and name[-1] != "]") else host


@lru_cache(maxsize=64)
def _accepts(accept: str | None) -> tuple[bool, bool]:
    """Whether JSON and whether events are accepted; without the header everything is."""
    if accept is None:
        return True, True
    kinds = {kind for kind in map(_wanted, accept.lower().split(",")) if kind}
    anything = "*/*" in kinds
    takes_json = anything or bool(kinds & {JSON_TYPE, "application/*"})
    return takes_json, anything or bool(kinds & {EVENT_TYPE, "text/*"})


def _wanted(item: str) -> str:
    """A media range, or "" for one that is explicitly not wanted."""
    kind, *parameters = item.split(";")
    weights = (each.strip()[2:] for each in parameters if each.strip().startswith("q="))
    try:
        refused = any(float(weight) == 0 for weight in weights)
    except ValueError:
        refused = False
    return "" if refused else kind.strip()
