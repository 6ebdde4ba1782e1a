"""Local scripted servers for the tests of MCP sources."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.sources.mcp.asking import QUICK
from tests.sources.mcp.local_server import FAST, SERVER
from toolroll.sources.mcp import McpOptions, McpSource
from toolroll.sources.mcp.command import environment_of
from toolroll.sources.mcp.option import Settings
from toolroll.sources.mcp.process import ServerProcess
from toolroll.sources.mcp.stdio import StdioWire
from toolroll.sources.source import Timeouts


@pytest.fixture
def waiting(request: pytest.FixtureRequest) -> str:
    """How pipes are read: under one selector, or with threads as on Windows (see `BOTH`)."""
    return str(getattr(request, "param", "selector"))


@pytest.fixture
def local(tmp_path: Path, waiting: str) -> Any:
    """`local("is modern")` makes a source of a scripted server."""

    def make(
        how: str,
        *,
        options: McpOptions = FAST,
        timeouts: Timeouts = QUICK,
        trust: bool = False,
        **env: str,
    ) -> McpSource:
        environment = environment_of(
            {"SEEN": str(tmp_path / "seen"), "PIDS": str(tmp_path / "pids"), **env}
        )

        def start() -> ServerProcess:
            words = [sys.executable, str(SERVER), how]
            return ServerProcess(words, environment, None, threads=waiting == "threads")

        settings = Settings(
            name="demo",
            timeouts=timeouts,
            limit=200_000,
            large="fail",
            trust=trust,
            options=options,
        )
        return McpSource(settings, lambda given, asker: StdioWire(start, given, asker))

    return make


@pytest.fixture
def seen(tmp_path: Path) -> Any:
    """`seen()` gives the messages the server read."""
    return lambda: [json.loads(line) for line in (tmp_path / "seen").read_text().splitlines()]


@pytest.fixture
def pids(tmp_path: Path) -> Any:
    """`pids()` gives the processes that were started."""
    return lambda: [int(line) for line in (tmp_path / "pids").read_text().splitlines()]
