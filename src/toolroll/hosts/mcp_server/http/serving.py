"""Running the application with uvicorn."""

import logging
from typing import TYPE_CHECKING

from toolroll.hosts.mcp_server.http.app import McpApp
from toolroll.outcome import ConfigError, MissingExtra
from toolroll.tools.context import App_co

if TYPE_CHECKING:
    import socket

_LOG = logging.getLogger("toolroll.mcp_server")


async def serve_http(
    app: McpApp[App_co],
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    sockets: "list[socket.socket] | None" = None,
    grace: float = 5.0,
) -> None:
    """Serve an application over HTTP until a signal ends it.

    A termination or interrupt signal ends it: no new requests are taken, subscriptions get their
    end, calls that run get `grace` seconds and are then cancelled.

    Args:
        app: made by `mcp_app`.
        host: where to listen. Behind another name than the loopback's, `allowed_hosts` says
            which names are meant.
        port: of TCP.
        sockets: already bound ones, instead of `host` and `port`.
        grace: seconds for calls that run.

    Raises:
        MissingExtra: uvicorn is not installed.
        ConfigError: not on asyncio, or the address cannot be had.
    """
    try:
        import uvicorn  # noqa: PLC0415  # the extra `serve`
    except ImportError:
        raise MissingExtra("serve", "serving over HTTP") from None

    class Server(uvicorn.Server):
        async def shutdown(self, sockets: "list[socket.socket] | None" = None) -> None:
            app.close()  # an open subscription would hold up the end
            await super().shutdown(sockets)

    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        access_log=False,
        log_config=None,
        lifespan="off",
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=max(1, round(grace)),
        h11_max_incomplete_event_size=app.options.limits.headers,
    )
    server = Server(config)
    try:
        await server.serve(sockets)
    except SystemExit as error:  # uvicorn's way to say that it could not listen
        raise ConfigError(f"cannot listen on {host}:{port}.") from error
