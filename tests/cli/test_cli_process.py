"""The command as a process of its own: signals, pipes, terminals, servers on this machine."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from toolroll.cli import exit_code

ROOT = Path(__file__).parents[2]
LOANS = ROOT / "examples" / "gateway"
COMMAND = [sys.executable, "-m", "toolroll.cli"]
CLOCK = ["--", sys.executable, "-m", "mcp_server_time", "--local-timezone", "UTC"]
TOOLS = '''
import sys
from toolroll import CallContext, tool

@tool(effect="read")
def shout(times: int = 1) -> str:
    """Shout."""
    return "\\n".join(["hey"] * times)

@tool(effect="write")
async def wait(context: CallContext) -> str:
    """Wait."""
    import anyio
    context.progress("waiting", 1, 2)
    await anyio.sleep(60)
    return "done"
'''


@pytest.fixture
def tools(tmp_path: Path) -> str:
    path = tmp_path / "shout.py"
    path.write_text(TOOLS, encoding="utf-8")
    return str(path)


def run(
    *arguments: str, env: dict[str, str] | None = None, **more: Any
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **(env or {})},
        **more,
    )


@contextmanager
def loans_api() -> Generator[tuple[str, str]]:
    """The loans of a library over HTTP; gives address and token."""
    token = "t0ken-of-the-test"
    code = (
        "import sys, socket, uvicorn\n"
        f"sys.path.insert(0, {str(LOANS)!r})\n"
        "from loans import make_app\n"
        "s = socket.create_server(('127.0.0.1', 0)); print(s.getsockname()[1], flush=True)\n"
        f"uvicorn.Server(uvicorn.Config(make_app({token!r}), log_level='warning')).run([s])\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}", token
        finally:
            process.kill()


@pytest.mark.rule("cli-over-one-source")
def test_an_mcp_server_started_by_the_command() -> None:
    listed = run("list", "--json", *CLOCK)
    names = [tool["origin"] for tool in json.loads(listed.stdout)["tools"]]
    assert names == ["get_current_time", "convert_time"]
    called = run("call", "get_current_time", "timezone=UTC", *CLOCK)
    assert (called.returncode, json.loads(called.stdout)["timezone"]) == (0, "UTC")


@pytest.mark.rule("cli-over-one-source")
@pytest.mark.rule("gateway-document-decides-nothing")
def test_an_openapi_document_by_file_and_by_address(tmp_path: Path) -> None:
    with loans_api() as (address, token):
        document = str(LOANS / "loans.openapi.json")
        names = ["list_loans", "create_loan", "return_loan", "renew_loan"]
        for command in (["list"], ["show", "list_loans"], ["search", "loans"], ["check"]):
            shown = run(command[0], document, *command[1:])
            assert shown.returncode == exit_code.OK, shown.stderr
            assert all(name in shown.stdout for name in names) or command != ["list"]
        assert "give base_url (--base-url on the command line)" in run("list", document).stderr
        for command in (["call", "list_loans"], ["serve", "--stdio"]):
            refused = run(command[0], document, *command[1:])
            assert refused.returncode == exit_code.CONFIG
            assert "nothing says where requests are sent: give base_url" in refused.stderr
            assert "(--base-url on the command line); the document lists: " in refused.stderr
        for place in ((document, "--base-url", address), (f"{address}/openapi.json",)):
            listed = run("list", *place, "--json")
            assert [tool["origin"] for tool in json.loads(listed.stdout)["tools"]] == names, (
                listed.stderr
            )
        denied = run("call", f"{address}/openapi.json", "list_loans")
        assert denied.returncode == exit_code.BAD_OUTCOME
        assert denied.stderr.count("credentials") == 1
        config = tmp_path / "toolroll.toml"
        config.write_text(
            f'[sources.loans]\nopenapi = "{address}/openapi.json"\n'
            'headers = { Authorization = { env = "LOANS", prefix = "Bearer " } }\n'
            '[policy]\nundecided = "allow"\n'
        )
        env = {"LOANS": token}
        lend = run(
            "call",
            "create_loan",
            "-c",
            str(config),
            "--json",
            '{"body": {"book": "sea", "member": "ana"}}',
            env=env,
        )
        assert json.loads(lend.stdout)["result"]["data"]["book"] == "sea", lend.stderr
        twice = run(
            "call",
            "create_loan",
            'body:={"book": "sea", "member": "bo"}',
            "-c",
            str(config),
            env=env,
        )
        assert twice.returncode == exit_code.BAD_OUTCOME
        told = twice.stderr.splitlines()
        assert len(told) == 1  # told once, in one line
        assert "'sea' is lent until" in told[0]
        assert token not in lend.stdout + lend.stderr + twice.stdout + twice.stderr


@contextmanager
def served(tools: str, *more: str) -> Generator[tuple[str, subprocess.Popen[str]]]:
    with subprocess.Popen(
        [*COMMAND, "serve", tools, "--http", "127.0.0.1:0", *more],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stderr is not None
            for line in process.stderr:
                if found := re.search(r"http://\S+/mcp", line):
                    yield found[0], process
                    break
        finally:
            process.kill()


@pytest.mark.rule("cli-serves")
@pytest.mark.rule("cli-over-one-source")
def test_what_is_served_over_http_is_a_source_again(tools: str) -> None:
    with served(tools) as (address, process):
        called = run("call", address, "shout", "times=2")
        assert (called.returncode, called.stdout) == (0, "hey\nhey\n"), called.stderr
        process.send_signal(signal.SIGINT)
        assert process.wait() in (0, exit_code.INTERRUPTED)
    assert not _alive_with(tools)


@pytest.mark.rule("cli-serves")
def test_what_is_served_over_stdio_is_a_source_again(tools: str) -> None:
    called = run("call", "shout", "--", *COMMAND, "serve", tools, "--stdio")
    assert (called.returncode, called.stdout) == (0, "hey\n"), called.stderr


@pytest.mark.rule("cli-interrupt")
@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("over_stdio", [False, True])
def test_ctrl_c_ends_quietly_and_leaves_nothing_running(
    tools: str, tmp_path: Path, over_stdio: bool
) -> None:
    started = tmp_path / "started"
    os.mkfifo(started)  # who opens one end waits for the other
    Path(tools).write_text(
        TOOLS.replace(
            "    context.progress",
            f"    open({str(started)!r}, 'w').write('x')\n    context.progress",
        ),
        encoding="utf-8",
    )
    where = ["wait", "--", *COMMAND, "serve", tools, "--stdio"] if over_stdio else [tools, "wait"]
    with subprocess.Popen(
        [*COMMAND, "call", *where],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert started.read_text() == "x"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert process.returncode == exit_code.INTERRUPTED
    assert (out, err.strip()) == ("", "toolroll: interrupted")
    assert not _alive_with(tools)


def _alive_with(text: str) -> list[str]:
    found: list[str] = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            continue
        if text in line:
            found.append(line)
    return found


@pytest.mark.rule("cli-closed-pipe")
def test_a_reader_that_goes_away_ends_the_command_quietly(tools: str) -> None:
    with subprocess.Popen(
        [*COMMAND, "call", tools, "shout", "times=2000000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(4)
        process.stdout.close()
        err = process.stderr.read()
        assert process.wait() == exit_code.CLOSED_PIPE
    assert err == b""


@pytest.mark.rule("cli-closed-pipe")
@pytest.mark.parametrize(
    "words",
    [
        "list TOOLS",
        "show TOOLS shout",
        "search TOOLS shout",
        "check TOOLS",
        "--help",
        "list --help",
    ],
)
def test_a_reader_that_is_gone_before_the_first_line_is_no_error_either(
    tools: str, words: str
) -> None:
    with subprocess.Popen(
        [*COMMAND, *words.replace("TOOLS", tools).split()],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        err = process.stderr.read()
        assert process.wait() == exit_code.CLOSED_PIPE
    assert "a tool ended the process" not in err
    assert "Traceback" not in err


@pytest.mark.rule("cli-interrupt")
@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_while_the_command_loads_ends_quietly_too(tools: str, tmp_path: Path) -> None:
    # A library whose loading is when the person presses the keys.
    Path(tmp_path, "rich").mkdir()
    Path(tmp_path, "rich", "__init__.py").write_text(
        "import signal\nsignal.raise_signal(signal.SIGINT)\n"
    )
    ran = run("list", tools, env={"PYTHONPATH": str(tmp_path)})
    assert (ran.returncode, ran.stdout) == (exit_code.INTERRUPTED, "")
    assert ran.stderr == "toolroll: interrupted\n"


@pytest.mark.rule("cli-full-disk")
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("words", ["list TOOLS", "call TOOLS shout", "config-schema", "--help"])
def test_output_that_finds_no_space_is_told_in_one_line(tools: str, words: str) -> None:
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(
            [*COMMAND, *words.replace("TOOLS", tools).split()],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert ran.returncode == exit_code.BAD_OUTCOME
    assert ran.stderr.splitlines() == ["toolroll: cannot write: No space left on device"]


@pytest.mark.rule("cli-encoding")
def test_what_an_encoding_cannot_say_is_escaped(tmp_path: Path) -> None:
    path = tmp_path / "cafe.py"
    path.write_text(
        "from toolroll import tool\n@tool(effect='read')\n"
        "def order() -> str:\n    'Order a café \u2013 or two.'\n    return 'café'\n",
        encoding="utf-8",
    )
    env = {"PYTHONIOENCODING": "ascii"}
    assert "Order a caf\\xe9 \\u2013 or two." in run("list", str(path), env=env).stdout
    assert run("call", str(path), "order", env=env).stdout == "caf\\xe9\n"
    outcome = json.loads(run("call", str(path), "order", "--json", env=env).stdout)
    assert outcome["result"]["content"] == [{"type": "text", "text": "café"}]


def on_a_terminal(*arguments: str, env: dict[str, str], typed: bytes = b"") -> tuple[int, str]:
    """Run with a pseudo-terminal on all three streams."""
    ours, theirs = pty.openpty()
    try:
        with subprocess.Popen(
            [*COMMAND, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**{name: os.environ[name] for name in os.environ if name != "NO_COLOR"}, **env},
        ) as process:
            os.close(theirs)
            if typed:
                os.write(ours, typed)
            shown = b""
            while True:
                try:
                    chunk = os.read(ours, 65536)
                except OSError:  # the other end is closed
                    break
                if not chunk:
                    break
                shown += chunk
            code = process.wait()
    finally:
        os.close(ours)
    return code, shown.decode("utf-8", "replace")


@pytest.mark.rule("cli-no-colour")
def test_colour_is_for_terminals_and_not_with_no_color(tools: str) -> None:
    base = {"TERM": "xterm-256color", "COLUMNS": "120"}
    assert "\x1b[" in on_a_terminal("list", tools, env=base)[1]
    assert "\x1b[3" not in on_a_terminal("list", tools, env={**base, "NO_COLOR": "1"})[1]


@pytest.mark.rule("cli-approval")
@pytest.mark.parametrize(("typed", "code"), [(b"y\n", exit_code.OK), (b"n\n", exit_code.REFUSED)])
def test_a_person_at_the_terminal_is_asked(
    tools: str, tmp_path: Path, typed: bytes, code: int
) -> None:
    config = tmp_path / "toolroll.toml"
    config.write_text('[sources.mine]\npython = "shout.py"\n[policy]\nundecided = "approve"\n')
    ended, shown = on_a_terminal(
        "call", "shout", "-c", str(config), env={"TERM": "xterm"}, typed=typed
    )
    assert ended == code, shown
    assert "run it? [y/N]" in shown
    assert ("hey" in shown.split("run it?")[1]) == (code == exit_code.OK)


NOISY = """
import os, sys
from toolroll import tool

print("loading")
os.write(1, b"from below\\n")

@tool(effect="read")
def noisy() -> int:
    \"\"\"Print and answer.\"\"\"
    print("running")
    os.write(1, b"from below\\n")
    return 7

@tool(effect="read")
def ends() -> int:
    \"\"\"End the process.\"\"\"
    raise SystemExit(9)
"""


@pytest.mark.rule("cli-data-on-stdout")
def test_what_tools_print_is_not_on_standard_output(tmp_path: Path) -> None:
    path = tmp_path / "noisy.py"
    path.write_text(NOISY)
    for arguments in (("list", str(path)), ("call", str(path), "noisy"), ("check", str(path))):
        ran = run(*arguments, "--json")
        json.loads(ran.stdout)
        assert "loading" in ran.stderr
        assert "from below" in ran.stderr
    assert run("call", str(path), "noisy").stdout == "7\n"
    served = run("call", "noisy", "--", *COMMAND, "serve", str(path), "--stdio")
    assert (served.returncode, served.stdout) == (0, "7\n"), served.stderr


@pytest.mark.rule("cli-exit-codes")
def test_a_tool_or_a_file_that_ends_the_process_is_told(tmp_path: Path) -> None:
    path = tmp_path / "noisy.py"
    path.write_text(NOISY)
    ran = run("call", str(path), "ends")
    assert (ran.returncode, "a tool ended the process: 9" in ran.stderr) == (
        exit_code.BAD_OUTCOME,
        True,
    )
    path.write_text("raise SystemExit(7)")
    ran = run("list", str(path))
    assert (ran.returncode, "SystemExit: 7" in ran.stderr) == (exit_code.CONFIG, True)


@pytest.mark.rule("cli-exit-codes")
def test_a_handler_that_ignores_its_end_does_not_hold_the_command_up(tmp_path: Path) -> None:
    path = tmp_path / "stuck.py"
    path.write_text(
        "import time\nfrom toolroll import tool\n@tool(effect='read')\n"
        "def stuck() -> None:\n    'Sleep.'\n    time.sleep(3600)\n"
    )
    ran = run("call", str(path), "stuck", "--timeout", "0.2")
    assert ran.returncode == exit_code.BAD_OUTCOME


@pytest.mark.rule("cli-exit-codes")
def test_closed_streams_and_deep_values_are_no_traceback(tools: str, tmp_path: Path) -> None:
    deep = "[" * 100_000
    for arguments, code in (
        (("call", tools, "shout", f"times:={deep}"), exit_code.USAGE),
        (("call", tools, "shout", "--json", '{"times": ' + deep), exit_code.USAGE),
        (("call", tools, "x" * 5_000), exit_code.USAGE),
    ):
        ran = run(*arguments)
        assert ran.returncode in (code, exit_code.REFUSED), ran.stderr
        assert "Traceback" not in ran.stderr
        assert len(ran.stderr) < 1_500
    config = tmp_path / "toolroll.toml"
    config.write_text("a = " + "[" * 100_000)
    assert run("list", "-c", str(config)).returncode == exit_code.CONFIG
    line = f"{sys.executable} -m toolroll.cli call {tools} shout"
    for closed in (">&-", "2>&-", "<&-"):
        ran = subprocess.run(
            ["/bin/sh", "-c", f"{line} {closed}"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == exit_code.OK, (closed, ran.stderr)
        assert "Traceback" not in ran.stderr
