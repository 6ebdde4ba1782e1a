"""Our source over stdio sits the exam, over processes that it starts."""

import os
import signal
import sys
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.sources.mcp.local_server import alive
from toolroll.sources import Timeouts
from toolroll.sources.address import own_address
from toolroll.sources.mcp import McpOptions, mcp_stdio
from toolroll.sources.mcp.command import credentials_of
from toolroll.testing import (
    ExamLimits,
    ExamTools,
    NotApplicable,
    Planted,
    Sitting,
    SourceExam,
    SystemState,
    check_source,
    source_checks,
)
from toolroll.testing.polling import until

pytestmark = [pytest.mark.anyio, pytest.mark.rule("exam-own-sources-pass")]

HERE = Path(__file__).parent
SECRET, INTERNAL = "sk-planted-0123456789", "db-7.planted.internal:5432"
TOOLS = ExamTools(failing_says="no such account")
LIMITS = {
    "slow": Timeouts(connect=60, idle=0.5),
    "unreachable": Timeouts(connect=0.5),
}


class Log:
    """What a local server keeps of what it does."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.touch()

    def lines(self) -> list[str]:
        return self.path.read_text().splitlines()

    def running(self) -> int:
        """Calls that the last process works at."""
        lines = self.lines()
        last = max((at for at, line in enumerate(lines) if line.startswith("begun")), default=0)
        signs = [line[:1] for line in lines[last:]]
        return signs.count("+") - signs.count("-")

    async def kill(self) -> None:
        """End the last process as a crash does."""
        begun = [line.split()[1] for line in self.lines() if line.startswith("begun")]
        process = int(begun[-1])
        os.kill(process, signal.SIGKILL)
        assert await until(lambda: not alive(process), 60)

    async def change(self) -> None:
        """Let the last process offer one tool more."""
        begun = [line.split()[1] for line in self.lines() if line.startswith("begun")]
        os.kill(int(begun[-1]), signal.SIGUSR1)

    async def revive(self) -> None:
        """The source starts a server again by itself."""


def exam_of(folder: Path, command: Callable[[SystemState, Path], Sequence[str]]) -> SourceExam:
    numbers = iter(range(1_000_000))

    @asynccontextmanager
    async def exam(state: SystemState, /) -> AsyncGenerator[Sitting]:
        if state == "unauthorized":
            raise NotApplicable("a local server is not asked with credentials")
        log = Log(folder / f"log-{next(numbers)}")
        source = mcp_stdio(
            "exam",
            [sys.executable, *command(state, log.path)],
            env={"EXAM_TOKEN": SECRET},
            timeouts=LIMITS.get(state, Timeouts(connect=60)),
        )
        yield Sitting(
            source=source.with_options(McpOptions(message_bytes=1_000_000, grace=0.5, probe=60)),
            tools=TOOLS,
            planted=Planted(secrets=(SECRET,), addresses=(INTERNAL, str(HERE))),
            running=log.running,
            drop=log.kill,
            kill=log.kill,
            revive=log.revive,
            change=log.change,
            patience=1.0,
        )

    return exam


@pytest.fixture
def exam_limits() -> ExamLimits:
    return ExamLimits(step=60, prompt=60, check=240)


@pytest.mark.parametrize("era", ["modern", "legacy"])
async def test_a_source_of_ours_over_stdio_keeps_the_promise(
    era: str, source_check: Any, tmp_path: Path
) -> None:
    def command(state: SystemState, log: Path) -> Sequence[str]:
        return [str(HERE / "stdio_server.py"), era, state, str(log)]

    await source_check(exam_of(tmp_path, command))


OF_REAL_SERVERS = (
    "listing-repeats",
    "text-arrives-exactly",
    "calls-at-once-keep-apart",
    "works-after-failures",
    "failing-tells-why",
    "unknown-tool-is-an-error",
    "crash-ends-running-calls",
    "works-when-the-system-is-back",
    "cancellation-reaches-the-system",
    "closing-amid-calls-leaves-nothing",
)
"""Promises that rest on what a server does; a real one takes most of a second to start."""


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["ours", "official"])
async def test_it_keeps_promises_over_servers_made_with_libraries(
    engine: str, tmp_path: Path, exam_limits: ExamLimits
) -> None:
    def command(state: SystemState, log: Path) -> Sequence[str]:
        return [str(HERE / "stdio_program.py"), engine, str(log)]

    checks = [check for check in source_checks() if check.name in OF_REAL_SERVERS]
    exam = exam_of(tmp_path, command)
    report = await check_source(exam, checks=checks, limits=exam_limits, subject=engine)
    assert len(report.passed) == len(OF_REAL_SERVERS), str(report)


@pytest.mark.rule("mcp-client-no-secrets")
@pytest.mark.parametrize(
    ("words", "given", "hidden"),
    [
        ((), None, set[str]()),
        ((), {"API_TOKEN": "t-12345678", "MODE": "production"}, {"t-12345678"}),
        ((), {"API_TOKEN": "short", "KEY_FILE": "/etc/keys/one.pem"}, set[str]()),
        (("--api-key", "k-12345678", "-v"), None, {"k-12345678"}),
        (("--token=t-12345678",), None, {"t-12345678"}),
        (("--token", "--verbose-mode"), None, set[str]()),
        (("--secret",), None, set[str]()),
        (("token", "not-an-option"), None, set[str]()),
    ],
)
def test_what_a_local_server_is_started_with_and_may_not_repeat(
    words: Sequence[str], given: dict[str, str] | None, hidden: set[str]
) -> None:
    assert credentials_of(words, given) == hidden


@pytest.mark.rule("mcp-client-no-secrets")
@pytest.mark.parametrize(
    ("host", "said", "shown"),
    [
        ("api.test", "no https://api.test/x, api.test", "no [address]/x, [address]"),
        ("mcp:8000", "the mcp at mcp:8000, http://mcp/", "the mcp at [address], [address]/"),
        ("[::1]:80", "from [::1]:80", "from [address]"),
        ("api.test", "no HTTPS://API.TEST/x, Api.Test", "no [address]/x, [address]"),
        ("", "anything at all", "anything at all"),
    ],
)
def test_the_address_that_is_asked_is_taken_out_of_words(host: str, said: str, shown: str) -> None:
    assert own_address(host).mask(said) == shown
    assert own_address(host).masked({"at": [said, 1]}) == {"at": [shown, 1]}
