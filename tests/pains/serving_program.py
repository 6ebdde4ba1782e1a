"""One tool defined and served over stdio, as small as it gets; run it as a script."""

import sys
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
    """Name the modules that are loaded."""
    return sorted(sys.modules)


if __name__ == "__main__":
    kit = LocalToolkit("pains", greet, loaded)
    anyio.run(partial(serve_stdio, kit, name="pains", version="1"))
