"""An HTTP server in a process of its own, for tests: run it with a port."""

import sys
from pathlib import Path

if __name__ == "__main__":  # run as a script, from anywhere
    sys.path.insert(0, str(Path(__file__).parents[3]))

import anyio

from tests.hosts.mcp_server.kits import TableKit, echo
from tests.hosts.mcp_server.stdio_program import forever
from toolroll.hosts.mcp_server import ServerOptions, mcp_app, serve_http
from toolroll.toolkit.live import LiveToolkit


async def main(port: int) -> None:
    """Serve until a signal."""
    kit: LiveToolkit[object] = LiveToolkit(TableKit({"echo": echo, "forever": forever}))
    options = ServerOptions(changes=kit.changes)
    app = mcp_app(kit, name="program", version="1.0", options=options)
    await serve_http(app, port=port, grace=1)


if __name__ == "__main__":
    anyio.run(main, int(sys.argv[1]))
