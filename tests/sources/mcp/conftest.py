"""Local scripted servers for the tests of MCP sources."""

import gc
import json
import logging
import sys
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import anyio
import pytest

from tests.sources.mcp.asking import AMPLE
from tests.sources.mcp.local_server import FAST, SERVER
from toolroll.sources.mcp import McpOptions, McpSource
from toolroll.sources.mcp.command import environment_of
from toolroll.sources.mcp.option import Settings
from toolroll.sources.mcp.process import ServerProcess
from toolroll.sources.mcp.stdio import StdioWire
from toolroll.sources.source import Timeouts
from toolroll.testing.census import Census, left_over, take_census

PATIENCE = 60.0


@pytest.fixture
def waiting(request: pytest.FixtureRequest) -> str:
    """How pipes are read: under one selector, or with threads as on Windows (see `BOTH`)."""
    return str(getattr(request, "param", "selector"))


@pytest.fixture
def started() -> list[int]:
    """The processes that `local` started, without those that they started."""
    return []


@pytest.fixture
def local(tmp_path: Path, waiting: str, started: list[int]) -> Any:
    """`local("is modern")` makes a source of a scripted server."""

    def make(
        how: str,
        *,
        options: McpOptions = FAST,
        timeouts: Timeouts = AMPLE,
        trust: bool = False,
        **env: str,
    ) -> McpSource:
        environment = environment_of(
            {"SEEN": str(tmp_path / "seen"), "PIDS": str(tmp_path / "pids"), **env}
        )

        def start(log: logging.Logger) -> ServerProcess:
            words = [sys.executable, str(SERVER), how]
            process = ServerProcess(words, environment, None, log, threads=waiting == "threads")
            started.append(process.pid)
            return process

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
    """`pids()` gives the processes that were started and say so, with those that they started."""
    return lambda: [int(line) for line in (tmp_path / "pids").read_text().splitlines()]


@pytest.fixture
async def counted(anyio_backend: str) -> AsyncGenerator[None]:
    """What was alive before a test, and nothing else, is alive after it."""
    before = take_census()
    yield
    gc.collect()
    messengers = {
        ("task", str(task.id)): "of the test runner"
        for task in anyio.get_running_tasks()
        if getattr(task.coro, "__name__", "") == "_call_in_runner_task"
    }
    expected = Census({**before.living, **messengers})
    left = await left_over(expected, expected, within=PATIENCE)
    assert not left, f"left alive: {', '.join(left)}"


@pytest.fixture(autouse=True)
def nothing_is_left(request: pytest.FixtureRequest) -> None:
    """No process, task, thread, socket or pipe outlives an asynchronous test."""
    if "anyio_backend" in request.fixturenames:
        request.getfixturevalue("counted")
