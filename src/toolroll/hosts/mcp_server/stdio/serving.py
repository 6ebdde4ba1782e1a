"""Serving a toolkit over the standard streams of the process."""

from functools import partial

import anyio

from toolroll.hosts.mcp_server.ending import on_signal
from toolroll.hosts.mcp_server.option import ServerOptions
from toolroll.hosts.mcp_server.server import MakeContext, McpServer
from toolroll.hosts.mcp_server.stdio.connection import Connection
from toolroll.hosts.mcp_server.stdio.line import LineCutter
from toolroll.hosts.mcp_server.stdio.standard import standard_streams
from toolroll.hosts.mcp_server.stdio.wire import PipeOutlet, read_all
from toolroll.toolkit.protocol import Toolkit
from toolroll.tools.context import App_co

_FLUSH_SECONDS = 1.0


async def serve_stdio(
    kit: Toolkit[App_co],
    *,
    name: str,
    version: str,
    context: MakeContext[App_co] | None = None,
    options: ServerOptions | None = None,
) -> None:
    """Serve a toolkit to the program that started this process, until it closes its end.

    Speaks the stateless protocol and the versions with a handshake, message by message. Runs on
    asyncio and trio.

    While it serves, whatever prints prints to the standard error, and nothing else in the process
    reads the standard input. A termination or interrupt signal ends it at once: running calls are
    cancelled and the function returns; a second signal ends the process the usual way.

    Args:
        kit: the tools.
        name: the server, as clients show it.
        version: its own, as clients show it.
        context: makes the context of each request; without it an empty one.
        options: see `ServerOptions`.

    Raises:
        ConfigError: another server of this process has the standard streams, or they are closed.

    Example:
        >>> from functools import partial
        >>> from toolroll import LocalToolkit
        >>> serve = partial(serve_stdio, LocalToolkit("notes"), name="notes", version="1.0")
        >>> # anyio.run(serve) returns when the client closes its end
    """
    server = McpServer(kit, name=name, version=version, context=context, options=options)
    with standard_streams() as wire:
        await serve_descriptors(server, wire.read, wire.write)


async def serve_descriptors(server: McpServer[App_co], read: int, write: int) -> None:
    """Serve one client over two descriptors until the end of `read`.

    Args:
        server: what answers.
        read: descriptor of a pipe, a socket, a terminal or a file; it stays open.
        write: likewise.
    """
    limits = server.options.limits
    outlet, cutter = PipeOutlet(write), LineCutter(limits.message)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(outlet.run)
        tasks.start_soon(partial(on_signal, tasks.cancel_scope.cancel, most=1))
        tasks.start_soon(_end_when_gone, outlet, tasks.cancel_scope)
        connection = Connection(server, outlet.put, lambda: outlet.backlog, tasks)

        async def take(chunk: bytes) -> None:
            for line in cutter.feed(chunk):
                await connection.take(line)
                await outlet.ease(limits.backlog)

        await read_all(read, take)
        for line in cutter.close():
            await connection.take(line)
        await connection.finish(server.options.drain)
        tasks.cancel_scope.cancel()
    with anyio.CancelScope(shield=True):
        await outlet.flush(_FLUSH_SECONDS)


async def _end_when_gone(outlet: PipeOutlet, scope: anyio.CancelScope) -> None:
    """Cancel the scope when nobody reads any more."""
    await outlet.broken.wait()
    scope.cancel()
