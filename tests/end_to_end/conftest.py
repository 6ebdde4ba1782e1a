"""Real systems on loopback: the loans of a library over HTTP, a clock over stdio."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples" / "gateway"
TOKEN = "t0ken-of-the-library"

_SERVER = """
import socket, sys, uvicorn
sys.path.insert(0, sys.argv[1])
from loans import make_app
listening = socket.create_server(("127.0.0.1", 0))
print(listening.getsockname()[1], flush=True)
uvicorn.Server(uvicorn.Config(make_app(sys.argv[2]), log_level="warning")).run([listening])
"""


@pytest.fixture(scope="module")
def loans_address() -> Iterator[str]:
    """The address of the loans API, in a process of its own."""
    command = [sys.executable, "-c", _SERVER, str(EXAMPLES), TOKEN]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
        finally:
            process.kill()


@pytest.fixture(scope="module")
def clock_address() -> Iterator[str]:
    """A clock of ours as an MCP server over HTTP, served by the command."""
    tools = Path(__file__).with_name("clock_tools.py")
    command = [sys.executable, "-m", "toolroll.cli", "serve", str(tools), "--http", "127.0.0.1:0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            for line in process.stderr:
                if "http://" in line:
                    yield line[line.index("http://") :].split()[0]
                    break
        finally:
            process.kill()
