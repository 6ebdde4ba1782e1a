"""One tool defined and served over stdio, as small as it gets; run it as a script."""

import sys
import time
from functools import partial

import anyio

from toolroll import LocalToolkit, tool
from toolroll.hosts.mcp_server import serve_stdio


@tool(effect="read")
def greet() -> int:
    """Greet, on the standard output of all places."""
    print("hello")
    return 1


@tool(effect="read")
def loaded() -> list[str]:
    """Name the packages that are loaded."""
    return sorted({name.partition(".")[0] for name in sys.modules})


@tool(effect="read")
def spent() -> float:
    """Tell how many milliseconds this process has worked."""
    return time.process_time() * 1000


if __name__ == "__main__":
    kit = LocalToolkit("pains", greet, loaded, spent)
    anyio.run(partial(serve_stdio, kit, name="pains", version="1"))
