"""Real processes: local servers of others and our own, and what an import loads."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import anyio

from tests.hosts.mcp_server.harness import call, modern, text_of
from tests.pains.case import Case
from tests.pains.making import NOBODY, definition, says_all, told
from tests.sources.mcp.scripted import modern as modern_script
from tests.sources.mcp.scripted import serving
from toolroll import Behavior, ToolCall
from toolroll.outcome import Outcome
from toolroll.sources import Timeouts, as_toolkit
from toolroll.sources.mcp import McpOptions, McpSource, mcp_http, mcp_stdio

ROOT = Path(__file__).parents[2]
SERVER = ROOT / "tests" / "sources" / "mcp" / "scripted_stdio.py"
OURS = Path(__file__).with_name("serving_program.py")

PATIENCE = 3
"""A busy machine may take so many times as long; the faults that the cases show take a minute."""

ECHO = definition("echo", {"type": "object"})
BACKENDS = ("asyncio", "trio")


# --- local servers of others


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How a scripted server behaves, and with which arguments it is called.

    Args:
        how: the server's first argument.
        arguments: of the first call.
    """

    how: str
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])


MANNERS: Mapping[str, Manner] = {
    "answers initialize and tools/list; on the first tools/call exits with code 3": Manner(
        how="dies on call"
    ),
    "reads one line, then sleeps for an hour": Manner(how="hangs"),
    "records every line; answers tools/call after 2 s": Manner(
        how="is legacy", arguments={"seconds": 2, "text": "late"}
    ),
    "sends progress every 0.3 s and never answers": Manner(how="reports for ever"),
    "works, ignores SIGTERM and end of stdin": Manner(how="is stubborn"),
}
"""Every server as the cases word it."""


async def stdio_server(case: Case, folder: Path) -> None:
    """Calls to a local server with bad manners."""
    given, wanted = case.given, case.wanted
    manner = MANNERS[given["script"]]
    source = _source(given, folder, manner.how)
    if "connect_timeout" not in given:
        await source.discover()
    began = time.monotonic()
    outcomes = [
        await _called(source, given, manner.arguments) for _ in range(given.get("calls", 1))
    ]
    took = time.monotonic() - began
    if given.get("then_call_again"):
        outcomes.append(await _called(source, {}, {"text": "own"}))
        assert wanted["late_answer"] == "ignored"
        assert told(outcomes[-1]) == "own"
    alive = [pid for pid in _pids(folder) if _is_alive(pid)]
    closing = time.monotonic()
    await source.aclose()
    closed = time.monotonic() - closing
    _check_local(case, folder, outcomes, took)
    if "closed_within_seconds" in wanted:
        assert given["close"] is True
        assert closed < wanted["closed_within_seconds"] * PATIENCE
        assert len(alive) == 2, "the server and what it started"
        assert _left_of(alive, seconds=3) == wanted["alive_after_3s"]


def _source(given: Any, folder: Path, how: str) -> McpSource:
    timeouts = Timeouts(
        connect=given.get("connect_timeout", 20),
        idle=given.get("idle_timeout", 60),
        total=given.get("total_timeout", 60),
    )
    env = {"SEEN": str(folder / "seen"), "PIDS": str(folder / "pids")}
    source = mcp_stdio("pains", [sys.executable, str(SERVER), how], env=env, timeouts=timeouts)
    return source.with_options(McpOptions(grace=given.get("grace", 0.5)))


async def _called(source: McpSource, given: Any, arguments: Mapping[str, Any]) -> Outcome:
    behavior = Behavior(timeout=given.get("timeout", 60))
    kit = as_toolkit(source, [ECHO], behavior=behavior)
    return await kit.call(ToolCall.of("echo", dict(arguments)), NOBODY)


def _check_local(case: Case, folder: Path, outcomes: Sequence[Outcome], took: float) -> None:
    wanted = case.wanted
    kinds = [outcome.kind for outcome in outcomes]
    assert kinds == wanted.get("outcomes", ["ok"] * len(kinds)), outcomes
    if "within_seconds" in wanted:
        assert took < wanted["within_seconds"] * PATIENCE
    if "child_alive" in wanted:
        assert bool(_left_of(_pids(folder), seconds=3)) is wanted["child_alive"]
    assert says_all(told(outcomes[0]), wanted.get("says", ()))
    if "server_saw" in wanted:
        assert wanted["server_saw"] == "notifications/cancelled with the id of the first call"
        seen = [json.loads(line) for line in (folder / "seen").read_text().splitlines()]
        first = next(message for message in seen if message["method"] == "tools/call")
        (cancelled,) = (one for one in seen if one["method"] == "notifications/cancelled")
        assert cancelled["params"]["requestId"] == first["id"]


def _pids(folder: Path) -> list[int]:
    return [int(line) for line in (folder / "pids").read_text().splitlines()]


def _is_alive(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return "Z" not in stat.rpartition(")")[2].split()[0]


def _left_of(pids: Iterable[int], *, seconds: float) -> list[int]:
    """The processes that are still there after some seconds; none is waited for longer."""
    until = time.monotonic() + seconds
    left = [pid for pid in pids if _is_alive(pid)]
    while left and time.monotonic() < until:
        left = [pid for pid in left if _is_alive(pid)]
    return left


# --- our own server


class _Served:
    """Our server in a process: asked line by line."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(OURS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def ask(self, message: Mapping[str, Any]) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def end(self) -> tuple[bytes, bytes]:
        """What it still wrote, and its standard error."""
        return self._process.communicate(timeout=20)


def serve_stdio(case: Case) -> None:
    """A tool of ours prints while it is served."""
    assert case.given["tool"] == "prints 'hello' with print() and returns 1"
    assert case.wanted["stdout_lines"] == "only JSON-RPC"
    served = _Served()
    answer = served.ask(modern(1, "tools/call", call("greet")))
    out, errors = served.end()
    assert (answer["jsonrpc"], answer["id"], text_of(answer)) == ("2.0", 1, "1")
    assert ("error" if answer["result"].get("isError") else "ok") == case.wanted["outcome"]
    assert out == b""
    assert case.wanted["stderr_has"] in errors.decode()


# --- what an import loads

_IMPORT = """
import sys, time
before, began = set(sys.modules), time.process_time()
import toolroll
took = (time.process_time() - began) * 1000
loaded = {name.partition(".")[0] for name in set(sys.modules) - before} - {"toolroll"}
print(took, *sorted(loaded - sys.stdlib_module_names))
"""


def import_check(case: Case) -> None:
    """What an import loads, and how long it takes.

    Time is that of the process alone, which a busy machine hardly changes; of some tries the
    quickest counts.
    """
    checks: Mapping[str, Callable[[Case], None]] = {
        "import the core package": _check_import,
        "define one tool and serve it on stdio": _check_serving,
    }
    checks[case.given["statement"]](case)


def _check_import(case: Case) -> None:
    times: list[float] = []
    for _ in range(5):
        done = subprocess.run(
            [sys.executable, "-c", _IMPORT], cwd=ROOT, capture_output=True, text=True, check=True
        )
        took, *third_party = done.stdout.split()
        assert third_party == case.wanted["third_party_modules_loaded"]
        times.append(float(took))
    assert min(times) < case.wanted["milliseconds_below"]


def _check_serving(case: Case) -> None:
    times: list[float] = []
    for _ in range(3):
        served = _Served()
        assert text_of(served.ask(modern(1, "tools/call", call("greet")))) == "1"
        times.append(float(text_of(served.ask(modern(2, "tools/call", call("spent"))))))
        loaded = text_of(served.ask(modern(3, "tools/call", call("loaded")))).split()
        served.end()
        assert not set(loaded) & set(case.wanted["modules_not_loaded"])
        assert "toolroll" in loaded
    assert min(times) < case.wanted["first_answer_milliseconds_below"]


# --- tasks and event loops


def lifecycle(case: Case, folder: Path) -> None:
    """Opened, used and closed in any task and order, and in one event loop after another."""
    steps = case.given["steps"]
    lives: Mapping[str, Callable[[Case, Path, str], None]] = {
        "open a in task 1": _in_tasks,
        "asyncio.run: open, call": _in_loops,
    }
    for backend in BACKENDS:
        lives[steps[0]](case, folder, backend)


def _local(folder: Path) -> McpSource:
    return _source({}, folder, "is modern")


def _in_tasks(case: Case, folder: Path, backend: str) -> None:
    assert case.wanted["errors"] == []  # an error would be raised here
    sources = {"a": _local(folder), "b": _local(folder)}
    kinds: list[str] = []

    async def take(step: str) -> None:
        what, which = step.split()[:2]
        source = sources[which]
        if what == "open":
            await source.__aenter__()
            await source.discover()
        elif what == "close":
            await source.aclose()
        else:
            kinds.append((await _called(source, {}, {})).kind)

    async def work(steps: Any) -> None:
        async with steps:
            async for step, done in steps:
                await take(step)
                done.set()

    async def main() -> None:
        senders: dict[str, Any] = {}
        async with anyio.create_task_group() as tasks:
            for number in ("1", "2"):
                sender, receiver = anyio.create_memory_object_stream[Any](1)
                senders[number] = sender
                tasks.start_soon(work, receiver)
            for step in case.given["steps"]:
                done = anyio.Event()
                await senders[step[-1] if step[-1] in senders else "2"].send((step, done))
                await done.wait()
            for sender in senders.values():
                sender.close()

    anyio.run(main, backend=backend)
    assert kinds == [case.wanted["call_b"]]


def _in_loops(case: Case, folder: Path, backend: str) -> None:
    assert case.wanted["errors"] == []
    assert len(case.given["steps"]) == 2
    with serving(modern_script()) as script:
        for source in (_local(folder), mcp_http("pains", script.url)):
            run = partial(_called, source, {}, {})
            outcomes = [anyio.run(run, backend=backend) for _ in case.given["steps"]]
            anyio.run(source.aclose, backend=backend)
            assert [outcome.kind for outcome in outcomes] == case.wanted["outcomes"]
