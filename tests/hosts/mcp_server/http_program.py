"""An HTTP server in a process of its own, for tests: its first line is the port it listens on."""

import socket
import sys
from pathlib import Path

if __name__ == "__main__":  # run as a script, from anywhere
    sys.path.insert(0, str(Path(__file__).parents[3]))

import anyio

from tests.hosts.mcp_server.kits import TableKit, echo
from tests.hosts.mcp_server.stdio_program import forever
from toolroll.hosts.mcp_server import ServerOptions, mcp_app, serve_http
from toolroll.toolkit.live import LiveToolkit


async def main() -> None:
    """Serve until a signal."""
    kit: LiveToolkit[object] = LiveToolkit(TableKit({"echo": echo, "forever": forever}))
    options = ServerOptions(changes=kit.changes)
    app = mcp_app(kit, name="program", version="1.0", options=options)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        print(listening.getsockname()[1], flush=True)
        await serve_http(app, sockets=[listening], grace=1)


if __name__ == "__main__":
    anyio.run(main)
