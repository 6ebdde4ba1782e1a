"""Real processes: local servers of others and our own, and what an import loads."""

import json
import subprocess
import sys
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread

from tests.clock import Clock
from tests.hosts.mcp_server.harness import call, modern, text_of
from tests.pains.case import Case
from tests.pains.making import NOBODY, definition, says_all, told
from tests.sources.mcp.scripted import modern as modern_script
from tests.sources.mcp.scripted import serving
from toolroll import Behavior, ToolCall
from toolroll.outcome import Outcome
from toolroll.ports import HttpAnswer, HttpRequest
from toolroll.sources import Timeouts, as_toolkit
from toolroll.sources.mcp import McpOptions, McpSource, mcp_http, mcp_stdio
from toolroll.testing.polling import until

ROOT = Path(__file__).parents[2]
SERVER = ROOT / "tests" / "sources" / "mcp" / "scripted_stdio.py"
OURS = Path(__file__).with_name("serving_program.py")

AN_HOUR = 3600.0
"""Where a case says within how many seconds something is over, nothing but what it shows ends it: by
every other limit it would last an hour, and the test's own limit ends it long before."""

ECHO = definition("echo", {"type": "object"})
BACKENDS = ("asyncio", "trio")


# --- local servers of others


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How a scripted server behaves, and with which arguments it is called.

    Args:
        how: the server's first argument; "" for one that is played in this process.
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
        # The 2 s of the case are as long as it takes to be told that nobody waits any more.
        how="is legacy",
        arguments={"late": True, "text": "late"},
    ),
    "sends progress every 0.3 s and never answers": Manner(how=""),
    "works, ignores SIGTERM and end of stdin": Manner(how="is stubborn"),
}
"""Every server as the cases word it."""


async def stdio_server(case: Case, folder: Path) -> None:
    """Calls to a local server with bad manners."""
    given, wanted = case.given, case.wanted
    manner = MANNERS[given["script"]]
    if not manner.how:
        await anyio.to_thread.run_sync(_reporting_for_ever, case)
        return
    source = _source(given, folder, manner.how)
    if "connect_timeout" not in given:
        await source.discover()
    outcomes = [
        await _called(source, given, manner.arguments) for _ in range(given.get("calls", 1))
    ]
    if given.get("then_call_again"):
        outcomes.append(await _called(source, {}, {"text": "own"}))
        assert wanted["late_answer"] == "ignored"
        assert told(outcomes[-1]) == "own"
    closes = "closed_within_seconds" in wanted
    pids = [int(line) for line in (folder / "pids").read_text().splitlines()] if closes else []
    assert all(map(_is_alive, pids))
    await source.aclose()
    _check_local(case, folder, outcomes)
    if closes:
        assert given["close"] is True
        assert wanted["closed_within_seconds"] < AN_HOUR  # neither ends by itself
        assert len(pids) == 2, "the server and what it started"
        await until(lambda: not any(map(_is_alive, pids)), AN_HOUR)
        assert wanted["alive_after_3s"] == []


def _source(given: Any, folder: Path, how: str) -> McpSource:
    timeouts = Timeouts(connect=given.get("connect_timeout", AN_HOUR), idle=AN_HOUR, total=AN_HOUR)
    env = {"SEEN": str(folder / "seen"), "PIDS": str(folder / "pids")}
    # The folder at the end tells it from servers of other tests.
    command = [sys.executable, str(SERVER), how, str(folder)]
    source = mcp_stdio("pains", command, env=env, timeouts=timeouts)
    return source.with_options(McpOptions(grace=given.get("grace", 0.5)))


async def _called(source: McpSource, given: Any, arguments: Mapping[str, Any]) -> Outcome:
    # Four times the case's: the call must have reached the server by then.
    behavior = Behavior(timeout=4 * given.get("timeout", AN_HOUR))
    kit = as_toolkit(source, [ECHO], behavior=behavior)
    return await kit.call(ToolCall.of("echo", dict(arguments)), NOBODY)


def _check_local(case: Case, folder: Path, outcomes: Sequence[Outcome]) -> None:
    wanted = case.wanted
    kinds = [outcome.kind for outcome in outcomes]
    assert kinds == wanted.get("outcomes", ["ok"] * len(kinds)), outcomes
    assert wanted.get("within_seconds", 0) < AN_HOUR
    if "child_alive" in wanted:
        assert bool(_run_with(str(folder))) is wanted["child_alive"]
    if "server_saw" in wanted:
        assert wanted["server_saw"] == "notifications/cancelled with the id of the first call"
        seen = [json.loads(line) for line in (folder / "seen").read_text().splitlines()]
        first = next(message for message in seen if message["method"] == "tools/call")
        (cancelled,) = (one for one in seen if one["method"] == "notifications/cancelled")
        assert cancelled["params"]["requestId"] == first["id"]


def _reporting_for_ever(case: Case) -> None:
    """Progress without an end, in the seconds of the case on a clock that nothing else moves."""
    given, wanted = case.given, case.wanted
    timeouts = Timeouts(idle=given["idle_timeout"], total=given["total_timeout"])
    for backend in BACKENDS:
        clock = Clock(backend)
        clock.jump_when_idle()
        source = mcp_http("pains", "https://far.test/mcp", client=_Reporting(), timeouts=timeouts)
        name, options = clock.backend
        run = partial(_called, source, given, {})
        outcome = anyio.run(run, backend=name, backend_options=options)
        assert [outcome.kind] == wanted["outcomes"]
        assert says_all(told(outcome), wanted["says"])
        assert clock.now() < wanted["within_seconds"]


class _Reporting:
    """A transport to a server that reports a step of a call every 0.3 s."""

    @asynccontextmanager
    async def send(self, request: HttpRequest, /) -> AsyncGenerator[HttpAnswer]:
        message = json.loads(request.content or b"{}")
        kind = "text/event-stream" if message["method"] == "tools/call" else "application/json"
        async with aclosing(self._answer(message)) as chunks:
            yield HttpAnswer(status=200, headers=(("content-type", kind),), chunks=chunks)

    async def _answer(self, message: Any) -> AsyncGenerator[bytes]:
        if message["method"] != "tools/call":
            modern = {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}
            result = {**modern, "resultType": "complete"}
            yield json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode()
            return
        for step in count(1):
            await anyio.sleep(0.3)
            told = {"progressToken": message["params"]["_meta"]["progressToken"], "progress": step}
            event = {"jsonrpc": "2.0", "method": "notifications/progress", "params": told}
            yield f"data: {json.dumps(event)}\n\n".encode()

    async def aclose(self) -> None:
        """Nothing is held."""


def _run_with(word: str) -> list[str]:
    """The command lines of running processes that have a word in them; a zombie has none."""
    lines: list[str] = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            lines.append(path.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace"))
    return [line for line in lines if word in line]


def _is_alive(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return "Z" not in stat.rpartition(")")[2].split()[0]


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
        return self._process.communicate()


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

    Time is that of the process alone, and the quickest of some tries counts: importing the core
    takes less than a fiftieth of what is allowed, so that no busy machine comes near it.
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
    served = _Served()
    assert text_of(served.ask(modern(1, "tools/call", call("greet")))) == "1"
    loaded = text_of(served.ask(modern(2, "tools/call", call("loaded")))).split()
    served.end()
    assert not set(loaded) & set(case.wanted["modules_not_loaded"])
    assert "toolroll" in loaded
    # Time goes into loading, and a busy machine changes it: a module is counted as a millisecond,
    # which is twice what it takes.
    assert len(loaded) < case.wanted["first_answer_milliseconds_below"]


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
