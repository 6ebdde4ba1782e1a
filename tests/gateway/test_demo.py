"""The demo: every step, and nothing left behind."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

DEMO = Path(__file__).parents[2] / "examples" / "gateway" / "demo.py"


def run(
    *arguments: str, tmp_path: Path, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(DEMO), *arguments],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path), "COLUMNS": "200", **(env or {})},
    )


@pytest.mark.rule("gateway-demo")
@pytest.mark.parametrize(
    ("answer", "outcome"),
    [("--yes", '"book":"sea"'), ("--no", "refused approval-denied"), ("", "approval-denied")],
)
def test_the_demo_shows_every_step_and_cleans_up(answer: str, outcome: str, tmp_path: Path) -> None:
    ran = run(*filter(None, [answer]), tmp_path=tmp_path)
    assert ran.returncode == 0, ran.stderr
    for step in range(1, 11):
        assert f"\n{step}. " in ran.stdout
    for shown in (
        "clock__get_current_time  clock",
        "repaired rename_key /member Member",
        "refused rev-conflict",
        "refused unknown-tool",
        "9 tools: note_list",
        outcome,
    ):
        assert shown in ran.stdout
    assert not list(tmp_path.iterdir())
    assert "Traceback" not in ran.stderr


@pytest.mark.rule("gateway-demo")
@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_while_it_loads_ends_it_quietly(tmp_path: Path) -> None:
    # A library whose loading is when the person presses the keys.
    (tmp_path / "uvicorn.py").write_text("import signal\nsignal.raise_signal(signal.SIGINT)\n")
    ran = run(tmp_path=tmp_path, env={"PYTHONPATH": str(tmp_path)})
    assert (ran.returncode, ran.stderr) == (130, "")
    assert ran.stdout == "\nstopped; nothing is left running\n"


@pytest.mark.rule("gateway-demo")
@pytest.mark.parametrize(
    ("address", "says"),
    [("somewhere", "write HOST:PORT"), ("192.0.2.1:80", "cannot listen at 192.0.2.1:80")],
)
def test_an_address_that_cannot_be_served_at_is_told_in_one_line(
    address: str, says: str, tmp_path: Path
) -> None:
    ran = run("--serve", address, tmp_path=tmp_path)
    assert ran.returncode == 2
    assert says in ran.stderr.splitlines()[-1]
    assert "Traceback" not in ran.stderr


@pytest.mark.rule("gateway-demo")
@pytest.mark.usefixtures("interruptible")
def test_it_goes_on_serving_until_ctrl_c_and_leaves_nothing(tmp_path: Path) -> None:
    with (
        subprocess.Popen(
            [sys.executable, str(DEMO), "--serve", "127.0.0.1:0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            env={**os.environ, "TMPDIR": str(tmp_path), "COLUMNS": "200", "PYTHONUNBUFFERED": "1"},
        ) as process,
        _ended(process),
    ):
        assert process.stdout is not None
        shown = ""
        for line in process.stdout:
            shown += line
            if found := re.search(r"toolroll list (http://\S+)", line):
                break
        else:
            pytest.fail(f"it did not serve: {shown}")
        listed = subprocess.run(
            [sys.executable, "-m", "toolroll.cli", "list", found[1], "--json"],
            capture_output=True,
            text=True,
            check=False,
        )
        assert '"note_list"' in listed.stdout, listed.stderr
        children = _children_of(process.pid)
        assert children  # the clock
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
    assert not [child for child in children if Path(f"/proc/{child}").exists()]
    assert not list(tmp_path.iterdir())


@contextmanager
def _ended(process: subprocess.Popen[str]) -> Generator[None]:
    """Whatever a failing test leaves, the process ends with it."""
    try:
        yield
    finally:
        process.kill()


def _children_of(process: int) -> list[str]:
    found = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(process)], capture_output=True, text=True, check=False
    )
    return found.stdout.split()
