"""The server in a process of its own: what only a real process shows."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import pytest

from tests.hosts.mcp_server.harness import Message, call, modern, text_of
from tests.hosts.mcp_server.kits import TableKit, echo
from toolroll.hosts.mcp_server import serve_stdio
from toolroll.hosts.mcp_server.stdio.standard import standard_streams
from toolroll.outcome import ConfigError

PROGRAM = str(Path(__file__).with_name("stdio_program.py"))
# What is printed unbuffered before the serving is gone already; nobody can help that.
ENVIRONMENT = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
LOOPS = pytest.mark.parametrize("loop", ["asyncio", "trio"])


class Process:
    """A server, spoken to line by line."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process, self.stdin, self.stdout = process, process.stdin, process.stdout

    def ask(self, message: Message) -> Message:
        self.send(message)
        line = self.stdout.readline()
        assert line, self.errors()
        answer = json.loads(line)
        assert isinstance(answer, dict)
        return answer

    def send(self, message: Message) -> None:
        self.stdin.write(json.dumps(message).encode() + b"\n")
        self.stdin.flush()

    def errors(self) -> str:
        assert self.process.stderr is not None
        return self.process.stderr.read().decode()

    def wait_for(self, words: str) -> None:
        """Read the standard error up to a line."""
        assert self.process.stderr is not None
        before = b""
        while not before.endswith(f"{words}\n".encode()):
            line = self.process.stderr.readline()
            assert line, before
            before += line

    def end(self) -> tuple[bytes, str]:
        """Close the input; what was still written, and the standard error."""
        out, err = self.process.communicate()
        assert self.process.returncode == 0, err
        return out, err.decode()


@contextmanager
def program(loop: str, *, drain: float = 3600) -> Generator[Process]:
    with subprocess.Popen(
        [sys.executable, PROGRAM, loop, str(drain)],
        env=ENVIRONMENT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            yield Process(process)
        finally:
            process.kill()


@LOOPS
@pytest.mark.rule("mcp-server-stdio-clean-output")
def test_prints_of_tools_and_their_children_do_not_break_the_wire(loop: str) -> None:
    with program(loop) as server:
        assert text_of(server.ask(modern(1, "tools/call", call("noisy")))) == "quiet"
        assert text_of(server.ask(modern(2, "tools/call", call("echo", {"text": "x"})))) == "x"
        out, err = server.end()
    assert out == b""
    for said in ("print", "write, unflushed", "the descriptor", "a child"):
        assert f"hello from {said}" in err
    assert "hello before the serving" in err


@LOOPS
@pytest.mark.rule("mcp-server-stdio-clean-input")
def test_a_tool_that_reads_the_input_takes_no_message_away(loop: str) -> None:
    with program(loop) as server:
        server.send(modern(1, "tools/call", call("greedy")))
        server.send(modern(2, "tools/call", call("echo", {"text": "x"})))
        answers = [json.loads(server.stdout.readline()) for _ in range(2)]
        texts = {answer["id"]: text_of(answer) for answer in answers}
        assert texts == {1: "(b'', '', b'')", 2: "x"}
        server.end()


@LOOPS
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.rule("mcp-server-stdio-ends-on-signal")
def test_a_signal_ends_the_server_at_once_and_cleanly(loop: str, number: int) -> None:
    with program(loop) as server:
        server.send(modern(1, "tools/call", call("forever")))
        server.wait_for("forever began")
        server.process.send_signal(number)
        assert server.process.wait() == 0  # an hour before it would end by itself
        errors = server.errors()
    assert "forever was cancelled" in errors
    assert "Traceback" not in errors


@pytest.mark.rule("mcp-server-stdio-ends-on-signal")
def test_a_second_signal_ends_a_process_that_a_thread_holds_up() -> None:
    with program("asyncio") as server:
        server.send(modern(1, "tools/call", call("stubborn")))
        server.wait_for("stubborn began")
        while server.process.poll() is None:
            server.process.send_signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                server.process.wait(0.1)
        assert server.process.returncode == -signal.SIGTERM


@LOOPS
@pytest.mark.rule("mcp-server-end")
def test_the_end_of_input_ends_the_process_while_a_call_runs(loop: str) -> None:
    with program(loop, drain=0.05) as server:
        server.send(modern(1, "tools/call", call("forever")))
        server.wait_for("forever began")
        out, err = server.end()
    assert out == b""
    assert "forever was cancelled" in err


@pytest.mark.rule("mcp-server-stdio-reader-gone")
def test_a_closed_output_ends_the_process_without_a_word() -> None:
    with program("asyncio") as server:
        server.ask(modern(1, "tools/call", call("echo")))
        server.stdout.close()
        server.send(modern(2, "tools/call", call("echo")))
        assert server.process.wait() == 0
        assert "Traceback" not in server.errors()


@pytest.mark.rule("mcp-server-drain")
def test_messages_from_a_file_are_answered_into_a_file(tmp_path: Path) -> None:
    (tmp_path / "in").write_text(
        "\n".join(json.dumps(modern(n, "tools/call", call("echo"))) for n in range(1000))
    )
    with (tmp_path / "in").open("rb") as source, (tmp_path / "out").open("wb") as target:
        done = subprocess.run(
            [sys.executable, PROGRAM, "asyncio", "3600"],
            env=ENVIRONMENT,
            stdin=source,
            stdout=target,
            check=False,
        )
    assert done.returncode == 0
    ids = {json.loads(line)["id"] for line in (tmp_path / "out").read_text().splitlines()}
    assert ids == set(range(1000))


@pytest.mark.rule("mcp-server-stdio-light")
def test_a_stdio_server_loads_no_web_stack() -> None:
    with program("asyncio") as server:
        loaded = set(text_of(server.ask(modern(1, "tools/call", call("modules")))).split())
        server.end()
    assert "toolroll" in loaded
    heavy = {"uvicorn", "starlette", "httpx", "httpx2", "authlib", "redis", "cryptography", "mcp"}
    assert not loaded & heavy


@pytest.mark.anyio
@pytest.mark.rule("mcp-server-stdio-once")
async def test_two_servers_of_one_process_cannot_both_have_the_streams() -> None:
    serve = partial(serve_stdio, TableKit({"echo": echo}), name="two", version="1")
    with standard_streams(), pytest.raises(ConfigError, match="another stdio server"):
        await serve()
