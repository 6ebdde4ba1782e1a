"""`toolroll serve`."""

from toolroll.cli import exit_code
from toolroll.cli.console import print_report, say
from toolroll.cli.target import Target
from toolroll.gateway.serving import address_of, serve_http_gateway, serve_stdio_gateway


async def serve(target: Target, address: str | None) -> int:
    """Serve over HTTP at an address, or over standard input and output without one."""
    where = None if address is None else address_of(address)
    async with target.open() as gateway:
        print_report(gateway.report)
        if where is None:
            await serve_stdio_gateway(gateway, target.config)
            return exit_code.OK
        host, port = where
        say(f"serving MCP at http://{host}:{port}/mcp (Ctrl-C ends)")
        await serve_http_gateway(gateway, target.config, host, port)
    return exit_code.OK
