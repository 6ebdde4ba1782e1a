"""`toolroll serve`."""

from toolroll.cli import exit_code
from toolroll.cli.console import print_report, say
from toolroll.cli.target import Target
from toolroll.gateway.serving import (
    address_of,
    bound_socket,
    http_app_of,
    serve_stdio_gateway,
)
from toolroll.hosts.mcp_server.http.serving import require_uvicorn, serve_http


async def serve(target: Target, address: str | None) -> int:
    """Serve over HTTP at an address, or over standard input and output without one."""
    where = None if address is None else address_of(address)
    if where is not None:
        require_uvicorn()
    async with target.open(sends=True) as gateway:
        print_report(gateway.report)
        if where is None:
            await serve_stdio_gateway(gateway, target.config)
            return exit_code.OK
        app = http_app_of(gateway, target.config)
        with bound_socket(*where) as listening:
            host, port = listening.getsockname()[:2]
            shown = f"[{host}]" if ":" in host else host
            say(f"serving MCP at http://{shown}:{port}/mcp (Ctrl-C ends)")
            await serve_http(app, sockets=[listening])
    return exit_code.OK
