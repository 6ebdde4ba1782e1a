"""Running the application with uvicorn."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

import anyio

from toolroll.hosts.mcp_server.ending import on_signal
from toolroll.hosts.mcp_server.http.app import McpApp, require_asyncio
from toolroll.outcome import ConfigError, MissingExtra
from toolroll.tools.context import App_co

if TYPE_CHECKING:
    import socket

_END_SECONDS = 2.0
"""How long calls that were cancelled may take to clean up."""


def require_uvicorn() -> None:
    """Say so where uvicorn is missing, before anything is begun.

    Raises:
        MissingExtra: uvicorn is not installed.
    """
    try:
        import uvicorn  # noqa: F401, PLC0415  # pyright: ignore[reportUnusedImport]
    except ImportError:
        raise MissingExtra("serve", "serving over HTTP") from None


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

    Example:
        >>> from toolroll import LocalToolkit
        >>> from toolroll.hosts.mcp_server import mcp_app
        >>> app = mcp_app(LocalToolkit("notes"), name="notes", version="1.0")
        >>> serve = partial(serve_http, app, port=8000)
        >>> # asyncio.run(serve()) returns after a signal
    """
    require_uvicorn()
    require_asyncio()
    import uvicorn  # noqa: PLC0415  # the extra `serve`

    class Server(uvicorn.Server):
        """Ends subscriptions first, and waits for what it cancels; the signals are ours."""

        @contextmanager
        def capture_signals(self) -> Generator[None]:
            yield

        async def shutdown(self, sockets: "list[socket.socket] | None" = None) -> None:
            app.close()
            await super().shutdown(sockets)
            if self.server_state.tasks:  # cancelled, but not through with it
                await asyncio.wait(set(self.server_state.tasks), timeout=_END_SECONDS)

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

    def end() -> None:
        server.force_exit = server.should_exit  # the second time
        server.should_exit = True

    could_listen = True
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(partial(on_signal, end, most=2))
        try:
            await server.serve(sockets)
        except SystemExit:  # uvicorn's way to say that it could not listen
            could_listen = False
        tasks.cancel_scope.cancel()
    if not could_listen:
        raise ConfigError(f"cannot listen on {host}:{port}.")
