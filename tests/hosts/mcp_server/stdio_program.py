"""A stdio server in a process of its own, for tests.

Run it with the name of an event loop, and the seconds that calls get after the end of input.
"""

import os
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

if __name__ == "__main__":  # run as a script, from anywhere
    sys.path.insert(0, str(Path(__file__).parents[3]))

import anyio

from tests.hosts.mcp_server.kits import TableKit, echo, text
from toolroll.hosts.mcp_server import ServerOptions, serve_stdio
from toolroll.outcome import Outcome
from toolroll.tools.call import ToolCall
from toolroll.tools.context import CallContext

Context = CallContext[object]


async def noisy(call: ToolCall, context: Context) -> Outcome:
    """Print in every way there is."""
    print("hello from print")
    sys.stdout.write("hello from write, unflushed")
    os.write(1, b"hello from the descriptor\n")
    subprocess.run([sys.executable, "-c", "print('hello from a child')"], check=True)
    return text("quiet")


async def greedy(call: ToolCall, context: Context) -> Outcome:
    """Read the standard input in every way there is."""
    child = subprocess.run(["cat"], check=True, capture_output=True)
    return text(repr((os.read(0, 10), sys.stdin.readline(), child.stdout)))


async def forever(call: ToolCall, context: Context) -> Outcome:
    """Never end."""
    print("forever began", file=sys.stderr, flush=True)
    try:
        await anyio.sleep_forever()
    finally:
        print("forever was cancelled", file=sys.stderr, flush=True)
    raise AssertionError


async def stubborn(call: ToolCall, context: Context) -> Outcome:
    """Block a thread that cannot be ended."""
    await anyio.to_thread.run_sync(_sleep, abandon_on_cancel=True)
    return text("woke up")


def _sleep() -> None:
    print("stubborn began", file=sys.stderr, flush=True)
    time.sleep(3600)


async def modules(call: ToolCall, context: Context) -> Outcome:
    """Say which modules are loaded."""
    return text(" ".join(sorted({name.partition(".")[0] for name in sys.modules})))


KIT = TableKit(
    {
        "echo": echo,
        "noisy": noisy,
        "greedy": greedy,
        "forever": forever,
        "stubborn": stubborn,
        "modules": modules,
    }
)


def main() -> None:
    """Serve until the client is done."""
    print("hello before the serving", end="")
    options = ServerOptions(drain=float(sys.argv[2]))
    serve = partial(serve_stdio, KIT, name="program", version="1.0", options=options)
    anyio.run(serve, backend=sys.argv[1])


if __name__ == "__main__":
    main()
