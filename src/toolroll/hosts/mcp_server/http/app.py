"""A toolkit as an ASGI application: one endpoint, every version, nothing stored.

Source: ASGI 3.0; MCP 2026-07-28, basic/transports/streamable-http.
"""

import asyncio
import logging
from typing import Generic

from toolroll.hosts.mcp_server.http.asgi import BodyReader, Disconnected, Receive, Scope, Send
from toolroll.hosts.mcp_server.http.dispatch import Dispatcher
from toolroll.hosts.mcp_server.http.head import Head, TurnedAway, read_head
from toolroll.hosts.mcp_server.http.visit import Visit
from toolroll.hosts.mcp_server.info import Denied
from toolroll.hosts.mcp_server.option import ServerOptions
from toolroll.hosts.mcp_server.server import MakeContext, McpServer
from toolroll.outcome import ConfigError
from toolroll.protocol import encode_message
from toolroll.toolkit.protocol import Toolkit
from toolroll.tools.context import App_co, Principal

_LOG = logging.getLogger("toolroll.mcp_server")


def mcp_app(
    kit: Toolkit[App_co],
    *,
    name: str,
    version: str,
    context: MakeContext[App_co] | None = None,
    options: ServerOptions | None = None,
) -> "McpApp[App_co]":
    """Make an ASGI application that serves a toolkit.

    It runs under any ASGI server on asyncio, alone or mounted in another application; `serve_http`
    runs it with uvicorn. By default it answers on this machine's loopback only: see
    `ServerOptions.allowed_hosts`, `allowed_origins` and `authorize` before it is put anywhere else.

    Args:
        kit: the tools.
        name: the server, as clients show it.
        version: its own, as clients show it.
        context: makes the context of each request; without it an empty one.
        options: see `ServerOptions`.

    Example:
        >>> from toolroll import LocalToolkit
        >>> app = mcp_app(LocalToolkit("notes"), name="notes", version="1.0")
        >>> app.options.path  # `uvicorn module:app` serves it there
        '/mcp'
    """
    return McpApp(McpServer(kit, name=name, version=version, context=context, options=options))


class McpApp(Generic[App_co]):
    """The application; made by `mcp_app`.

    Example:
        >>> from toolroll import LocalToolkit
        >>> app = mcp_app(LocalToolkit("notes"), name="notes", version="1.0")
        >>> isinstance(app, McpApp), app.options.cache_scope
        (True, 'private')
        >>> app.close()
    """

    def __init__(self, server: McpServer[App_co]) -> None:
        self._server, self._options = server, server.options
        self._dispatcher = Dispatcher(server)
        self._bodies = BodyReader(server.options.limits)
        self._requests = 0

    @property
    def options(self) -> ServerOptions:
        """The options it was made with."""
        return self._options

    def close(self) -> None:
        """End open subscriptions with their result, so that the server can stop."""
        self._server.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection of ASGI."""
        kind = scope["type"]
        if kind == "http":
            await self._serve(scope, receive, send)
        elif kind == "lifespan":
            await self._live(receive, send)
        elif kind == "websocket":
            await send({"type": "websocket.close", "code": 1000})

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                await send({"type": "lifespan.startup.complete"})
            else:
                self.close()
                await send({"type": "lifespan.shutdown.complete"})
                return

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        require_asyncio()
        if not self._is_ours(scope):
            await _send_text(send, 404, "Not Found")
            return
        if self._requests >= self._options.limits.requests:
            await _turn_away(send, TurnedAway(503, "Too many requests.", (("retry-after", "1"),)))
            return
        self._requests += 1
        try:
            client = scope.get("client")
            head = read_head(
                scope["method"],
                scope["path"],
                scope["headers"],
                self._options,
                client=client[0] if client else "",
            )
            principal = await self._authorize(head)
            announced = head.request.headers.get("content-length")
            body = await self._bodies.read(receive, announced)
            visit = Visit(head=head, principal=principal, receive=receive, send=send)
            await self._dispatcher.take(visit, body)
        except TurnedAway as away:
            await _turn_away(send, away)
        except Disconnected:
            pass
        finally:
            self._requests -= 1

    def _is_ours(self, scope: Scope) -> bool:
        """Whether the path is the endpoint: alone, or where another application mounted it."""
        if self._options.path is None:
            return True
        path, root = str(scope["path"]), str(scope.get("root_path", ""))
        local = path.removeprefix(root) if root else path
        return self._options.path in (path, local) or (bool(root) and local in ("", "/"))

    async def _authorize(self, head: Head) -> Principal | None:
        if self._options.authorize is None:
            return None
        try:
            found = await self._options.authorize(head.request)
        except Exception as error:
            _LOG.exception("authorize failed; the request is not let in")
            raise TurnedAway(500, "Internal error.") from error
        if isinstance(found, Denied):
            challenge = (("www-authenticate", found.challenge),) if found.challenge else ()
            raise TurnedAway(found.status, found.reason, challenge)
        return found


async def _turn_away(send: Send, away: TurnedAway) -> None:
    body = encode_message(away.body)
    raw = [(name.encode(), value.encode("latin-1", "replace")) for name, value in away.headers]
    raw += [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": away.status, "headers": raw})
    await send({"type": "http.response.body", "body": body})


async def _send_text(send: Send, status: int, text: str) -> None:
    body = text.encode()
    raw = [(b"content-type", b"text/plain"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": body})


def require_asyncio() -> None:
    """Make sure that asyncio runs here.

    Raises:
        ConfigError: it does not.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        raise ConfigError(
            "the MCP server over HTTP runs on asyncio; stdio runs on trio too."
        ) from None
