"""The library served over stdio; run it as a script."""

import sys
from functools import partial
from pathlib import Path

if __name__ == "__main__":  # run as a script, from anywhere
    sys.path.insert(0, str(Path(__file__).parents[2]))

import anyio

from tests.doors.library import KIT
from toolroll.hosts.mcp_server import serve_stdio

if __name__ == "__main__":
    anyio.run(partial(serve_stdio, KIT, name="doors", version="1"))
