"""The scripts people and CI run: they parse, and setup does what is needed and no more."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
SHELL_SCRIPTS = sorted(
    path
    for folder in ("scripts", ".ci")
    for path in (ROOT / folder).iterdir()
    if path.is_file() and path.read_bytes().startswith(b"#!")
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the scripts are for POSIX shells")

# Stands in for uv: makes an environment by linking a Python, and notes what it was asked for.
FAKE_UV = """#!/bin/sh
echo "$@" >>"$UV_LOG"
if [ "$1" = venv ]; then mkdir -p "$5/bin" && ln -s "$4" "$5/bin/python"; fi
"""


class Checkout:
    """A copy of what scripts/setup reads, with a uv that installs nothing."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.log = root / "uv.log"
        (root / "scripts").mkdir()
        shutil.copy(ROOT / "scripts" / "setup", root / "scripts")
        shutil.copy(ROOT / "pyproject.toml", root)
        (root / "bin").mkdir()
        (root / "bin" / "uv").write_text(FAKE_UV, encoding="utf-8")
        (root / "bin" / "uv").chmod(0o755)

    def setup(self, *arguments: str, python: str = sys.executable) -> tuple[int, str, list[str]]:
        """Run it from another folder: exit code, output, the commands uv was given."""
        self.log.unlink(missing_ok=True)
        done = subprocess.run(
            ["sh", str(self.root / "scripts" / "setup"), *arguments],
            cwd="/",
            env={
                "PATH": f"{self.root / 'bin'}:{os.environ['PATH']}",
                "UV_LOG": str(self.log),
                "TOOLROLL_PYTHON": python,
            },
            capture_output=True,
            text=True,
            check=False,
        )
        asked = self.log.read_text("utf-8").splitlines() if self.log.exists() else []
        return done.returncode, done.stdout + done.stderr, asked

    def edit(self, old: str, new: str) -> None:
        """Change pyproject.toml."""
        path = self.root / "pyproject.toml"
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


@pytest.mark.parametrize("path", SHELL_SCRIPTS, ids=lambda path: path.name)
def test_a_script_can_be_run_and_parses(path: Path) -> None:
    assert os.access(path, os.X_OK)
    shell = "bash" if path.read_text("utf-8").startswith("#!/usr/bin/env bash") else "sh"
    assert subprocess.run([shell, "-n", str(path)], check=False).returncode == 0


@pytest.mark.rule("repository-setup-is-idempotent")
def test_setup_makes_an_environment_once_and_says_so(checkout: Checkout) -> None:
    code, output, asked = checkout.setup()
    assert (code, len(asked)) == (0, 2), output
    assert asked[1].endswith("--editable .[all] --group dev")
    assert ".venv is ready" in output
    assert checkout.setup() == (0, "", [])


@pytest.mark.rule("repository-setup-is-idempotent")
def test_setup_installs_again_when_what_is_asked_for_changes(checkout: Checkout) -> None:
    checkout.setup()
    checkout.edit("line-length = 100", "line-length = 99")
    assert checkout.setup() == (0, "", [])
    checkout.edit('"anyio>=', '"anyio>=4,>=')
    code, _, asked = checkout.setup()
    assert (code, len(asked)) == (0, 1)


@pytest.mark.rule("repository-setup-is-idempotent")
def test_setup_for_a_run_is_part_of_setup_for_development(checkout: Checkout) -> None:
    _, _, asked = checkout.setup("run")
    assert asked[1].endswith("--editable .[all] --group demo")
    assert checkout.setup("run") == (0, "", [])
    _, _, asked = checkout.setup("dev")
    assert len(asked) == 1
    assert checkout.setup("run") == (0, "", [])


@pytest.mark.rule("repository-setup-is-idempotent")
def test_setup_makes_an_environment_anew_whose_python_has_gone(checkout: Checkout) -> None:
    checkout.setup()
    (checkout.root / ".venv" / "bin" / "python").unlink()
    code, output, asked = checkout.setup()
    assert (code, len(asked)) == (0, 2), output
    assert "making it anew" in output


@pytest.mark.rule("repository-setup-explains")
def test_setup_names_what_is_missing(checkout: Checkout) -> None:
    for _ in ("without an environment", "with one"):
        code, output, asked = checkout.setup(python="/no/such/python")
        assert (code, asked) == (1, [])
        assert output.splitlines() == [
            "setup: TOOLROLL_PYTHON=/no/such/python is not a Python of version 3.11 or newer"
        ]
        checkout.setup()
    code, output, _ = checkout.setup("everything")
    assert code == 2
    assert "use run or dev" in output
