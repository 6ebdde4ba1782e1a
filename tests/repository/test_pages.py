"""What a reader sees: examples that run, outputs as printed, a short README, no strays."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.fences import odd_fences, program_of
from scripts.printed import ROOT, commands, pages, renewed

PAGES = pages()


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.rule("repository-examples-run")
@pytest.mark.parametrize(
    "path", [path for path in PAGES if program_of(path.read_text("utf-8")).strip()], ids=_name
)
def test_the_examples_of_a_page_run(path: Path, tmp_path: Path) -> None:
    # Not by its own name: a `http.py` would hide a module of the standard library.
    program = tmp_path / f"page_{path.stem.replace('-', '_')}.py"
    program.write_text(program_of(path.read_text(encoding="utf-8")), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "error", str(program)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONUTF8": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, f"{_name(path)}, lines as in the page:\n{done.stderr}"


@pytest.mark.rule("repository-examples-run")
@pytest.mark.parametrize("path", PAGES, ids=_name)
def test_every_fence_is_one_the_documentation_shows_as_code(path: Path) -> None:
    assert odd_fences(path.read_text(encoding="utf-8")) == []


@pytest.mark.rule("repository-examples-run")
def test_fences_become_one_program_with_the_lines_of_the_page() -> None:
    page = "# Page\n\n```python\na = 1\n```\n\n1. Then\n   ```python\n   b = a\n   ```\n"
    page += "\n```python\n# not run here: needs a key\nask()\n```\n\n```sh\nls\n```\n"
    assert program_of(page) == "\n\n\na = 1\n\n\n\n\nb = a\n"
    assert odd_fences(page) == []
    assert odd_fences("```python no-run\nask()\n```\n") == ["python no-run"]


@pytest.mark.rule("repository-printed-output-is-current")
@pytest.mark.parametrize(
    "path", [path for path in PAGES if [*commands(path.read_text("utf-8"))]], ids=_name
)
def test_what_programs_print_is_in_the_page_as_they_print_it(path: Path) -> None:
    page = path.read_text(encoding="utf-8")
    assert renewed(page) == page, "run scripts/docs --write"


@pytest.mark.rule("repository-printed-output-is-current")
def test_a_stale_output_is_written_anew_in_a_fence_and_in_markdown() -> None:
    fence = "<!-- printed by: python -c 'print(1)' -->\n```text\nold\n```\nafter\n"
    assert renewed(fence) == fence.replace("old", "1")
    rows = "<!-- printed by: python -c 'print(1)' -->\n\nold\n\n<!-- /printed -->\nafter\n"
    assert renewed(rows) == rows.replace("old", "1")


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) < 200


def _tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("not a git checkout: what belongs to the repository cannot be told")
    return [ROOT / name for name in listed.stdout.split("\0") if name]


@pytest.mark.rule("repository-names-no-machine")
def test_no_file_names_a_registry_or_a_path_of_a_machine() -> None:
    dot = r"\."
    hosts = [f"pypi{dot}org", f"pythonhosted{dot}org", f"npmjs{dot}(?:org|com)", f"crates{dot}io"]
    folders = [rf"(?<![\w.:/-])/{name}/" for name in ("work", "root")]
    pattern = re.compile("|".join(hosts + folders))
    found = [
        f"{_name(path)}: {line.strip()[:120]}"
        for path in _tracked()
        if path.is_file()
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines()
        if pattern.search(line)
    ]
    assert found == []
