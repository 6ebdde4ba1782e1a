"""Our own sources sit the exam, over real systems on loopback, in every state."""

from collections.abc import AsyncGenerator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any

import pytest

from tests.testing import http_api, mcp_systems, old_mcp
from tests.testing.relay import LoopThread, Relay
from tests.testing.stage import INTERNAL, SAID, SECRET, Serving, Stage
from toolroll.sources import Timeouts, ToolSource
from toolroll.sources.http import http_source
from toolroll.sources.mcp import McpOptions, mcp_http
from toolroll.sources.openapi import read_operations
from toolroll.testing import (
    ExamLimits,
    ExamTools,
    Planted,
    Sitting,
    SourceExam,
    SystemState,
)

pytestmark = pytest.mark.anyio

HEADERS = {"Authorization": f"Bearer {SECRET}"}
PATIENCE = 1.0
Make = Callable[[str, SystemState], ToolSource]


def body_of(text: str) -> Any:
    return {"body": {"text": text}}


IN_BODY = ExamTools(echo_input=body_of, failing_says=SAID)
AS_IS = ExamTools(failing_says=SAID)


def operations_source(url: str, state: SystemState) -> ToolSource:
    seconds = 0.5 if state == "slow" else 60
    return http_source("exam", url, http_api.OPERATIONS, headers=HEADERS, timeout=seconds)


def openapi_source(url: str, state: SystemState) -> ToolSource:
    reading = read_operations(http_api.DOCUMENT)
    assert reading.skipped == ()
    seconds = 0.5 if state == "slow" else 60
    return http_source("exam", url, reading.operations, headers=HEADERS, timeout=seconds)


def mcp(era: Any) -> Make:
    def make(url: str, state: SystemState) -> ToolSource:
        limits = Timeouts(connect=60, idle=0.5 if state == "slow" else 60)
        source = mcp_http("exam", f"{url}/mcp", headers=HEADERS, timeouts=limits)
        return source.with_options(McpOptions(era=era, message_bytes=1_000_000))

    return make


SYSTEMS: dict[str, Callable[[], Serving]] = {
    "api": lambda: Serving(http_api.api),
    "ours": lambda: Serving(mcp_systems.ours()),
    "official": lambda: Serving(mcp_systems.official(), lifespan=True),
    "2025-11-25": lambda: Serving(old_mcp.sessions("2025-11-25", streams=True)),
    "2025-06-18": lambda: Serving(old_mcp.sessions("2025-06-18")),
    "2025-03-26": lambda: Serving(old_mcp.sessions("2025-03-26", streams=True)),
    "2024-11-05": lambda: Serving(old_mcp.oldest(), endless=False),
}

SUBJECTS: dict[str, tuple[str, Make, ExamTools]] = {
    "http": ("api", operations_source, IN_BODY),
    "openapi": ("api", openapi_source, IN_BODY),
    "mcp-modern": ("ours", mcp("auto"), AS_IS),
    "mcp-sessions": ("ours", mcp("legacy"), AS_IS),
    "mcp-2025-11-25": ("2025-11-25", mcp("auto"), AS_IS),
    "mcp-2025-06-18": ("2025-06-18", mcp("auto"), AS_IS),
    "mcp-2025-03-26": ("2025-03-26", mcp("auto"), AS_IS),
    "mcp-http-sse": ("2024-11-05", mcp("auto"), AS_IS),
    "mcp-official-modern": ("official", mcp("auto"), AS_IS),
    "mcp-official-sessions": ("official", mcp("legacy"), AS_IS),
}


@pytest.fixture(scope="module")
def systems() -> Iterator[LoopThread]:
    thread = LoopThread()
    yield thread
    thread.close()


@pytest.fixture(scope="module")
def stages() -> Iterator[Callable[[str], Stage]]:
    """The systems that run, each started when it is first asked for."""
    running: dict[str, Serving] = {}

    def stage(name: str) -> Stage:
        if name not in running:
            # Made where no event loop runs: a test's own would choose what the server's locks are.
            with ThreadPoolExecutor(1) as elsewhere:
                serving = elsewhere.submit(SYSTEMS[name]).result()
            serving.__enter__()
            running[name] = serving
        return running[name].stage

    yield stage
    for serving in running.values():
        serving.__exit__()


def exam_of(subject: str, stages: Callable[[str], Stage], systems: LoopThread) -> SourceExam:
    """The exam of one subject."""
    system, make, tools = SUBJECTS[subject]
    stage = stages(system)

    @asynccontextmanager
    async def exam(state: SystemState, /) -> AsyncGenerator[Sitting]:
        path, situation = stage.begin(state)
        relay = Relay(systems, stage.port)
        relay.open()
        situation.address = f"127.0.0.1:{relay.port}"
        if state == "unreachable":
            await relay.kill()
        try:
            yield Sitting(
                source=make(f"http://{situation.address}{path}", state),
                tools=tools,
                planted=Planted(secrets=(SECRET,), addresses=(situation.address, INTERNAL)),
                running=lambda: situation.running,
                drop=relay.drop,
                kill=relay.kill,
                revive=relay.revive,
                patience=PATIENCE,
            )
        finally:
            relay.close()

    return exam


@pytest.fixture
def exam_limits() -> ExamLimits:
    return ExamLimits(step=60, prompt=60, check=240)


@pytest.mark.rule("exam-own-sources-pass")
@pytest.mark.parametrize("subject", SUBJECTS)
async def test_a_source_of_ours_over_http_keeps_the_promise(
    subject: str, source_check: Any, stages: Any, systems: LoopThread
) -> None:
    await source_check(exam_of(subject, stages, systems))
