"""With pytest: one test for each promise, skipped or failed with its reason."""

import subprocess
import sys
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from toolroll.testing import source_checks, toolkit_checks

ROOT = Path(__file__).parent.parent.parent
PLUGIN = "toolroll.testing.plugin"

_TESTS = """
import pytest
from tests.testing.faulty import exam_of
from toolroll.testing import ExamLimits, ToolkitExam
from toolroll.toolkit import LocalToolkit

@pytest.fixture
def anyio_backend():
    return "asyncio"

@pytest.fixture
def exam_limits():
    return ExamLimits(step=60, prompt=60, check=600, settle=0.05, calls=3)

@pytest.mark.anyio
async def test_source(source_check):
    await source_check(exam_of("{fault}", drop=None))

@pytest.mark.anyio
async def test_toolkit(toolkit_check):
    await toolkit_check(LocalToolkit("empty"), ToolkitExam())
"""


def run_pytest(folder: Path, text: str, *options: str) -> "subprocess.CompletedProcess[str]":
    file = folder / "test_exam.py"
    file.write_text(text)
    command = [sys.executable, "-m", "pytest", "-p", PLUGIN, "-p", "no:cacheprovider", "-rs"]
    settings = ["-c", str(folder / "none.ini"), "--rootdir", str(folder), *options]
    (folder / "none.ini").write_text("[pytest]\naddopts =\n")
    return subprocess.run(
        [*command, *settings, str(file)],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT), "PATH": "", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.rule("exam-plugin-makes-tests")
def test_there_is_one_test_for_each_promise(tmp_path: Path) -> None:
    done = run_pytest(tmp_path, _TESTS.format(fault=""), "--collect-only", "-q")
    names = [line.partition("::")[2] for line in done.stdout.splitlines() if "::" in line]
    assert names == [
        *(f"test_source[{check.name}]" for check in source_checks()),
        *(f"test_toolkit[{check.name}]" for check in toolkit_checks()),
    ], done.stdout + done.stderr


@pytest.mark.rule("exam-plugin-makes-tests")
def test_a_broken_promise_fails_and_one_that_does_not_apply_is_skipped(tmp_path: Path) -> None:
    done = run_pytest(
        tmp_path, _TESTS.format(fault="unreachable-call"), "-k", "unre or drop or unknown-tool"
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "test_source[unreachable-call]" in done.stdout
    assert "a source raises SourceError and nothing else" in done.stdout
    assert "KeyError: 'what?'" in done.stdout
    assert 'raise KeyError("what?")' in done.stdout
    assert "the exam cannot break a connection (Sitting.drop)" in done.stdout
    assert "1 failed" in done.stdout


@pytest.mark.rule("exam-plugin-comes-by-itself")
def test_the_entry_point_is_the_plugin_under_its_own_name() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        entries = tomllib.load(file)["project"]["entry-points"]["pytest11"]
    assert entries == {PLUGIN: PLUGIN}
    plugin = EntryPoint(PLUGIN, entries[PLUGIN], "pytest11").load()
    assert plugin.__name__ == PLUGIN


@pytest.mark.rule("exam-plugin-comes-by-itself")
def test_exams_do_without_pytest_and_the_plugin_loads_little() -> None:
    code = (
        "import sys, toolroll.testing as t; [getattr(t, n) for n in t.__all__]; "
        "assert 'pytest' not in sys.modules, 'pytest'"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
    code = (
        f"import sys, {PLUGIN}; "
        "print([n for n in ('anyio', 'pydantic', 'jsonschema_rs') if n in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, cwd=ROOT, capture_output=True, text=True
    )
    assert done.stdout.strip() == "[]"
