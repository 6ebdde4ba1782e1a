"""The demo: every step, and nothing left behind."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

DEMO = Path(__file__).parents[2] / "examples" / "gateway" / "demo.py"


def run(*arguments: str, tmp_path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(DEMO), *arguments],
        capture_output=True,
        text=True,
        timeout=55,
        check=False,
        stdin=subprocess.DEVNULL,
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path), "COLUMNS": "200"},
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
