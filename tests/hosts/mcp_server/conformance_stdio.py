"""The fixture of the conformance suite over stdio, for the official client."""

import sys
from functools import partial
from pathlib import Path

if __name__ == "__main__":  # run as a script, from anywhere
    sys.path.insert(0, str(Path(__file__).parents[3]))

import anyio

from tests.hosts.mcp_server.conformance_server import make_kit
from toolroll.hosts.mcp_server import ServerOptions, serve_stdio

if __name__ == "__main__":
    kit, _ = make_kit()
    options = ServerOptions(changes=kit.changes)
    anyio.run(partial(serve_stdio, kit, name="conformance", version="1", options=options))
