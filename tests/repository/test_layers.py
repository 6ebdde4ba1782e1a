"""The layers: what may import what, and that the check would see a breach."""

import ast
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
SOURCE = ROOT / "src" / "toolroll"

PURE = (
    "text",
    "content",
    "outcome",
    "schema",
    "dialects",
    "repair",
    "ports",
    "tools",
    "toolkit",
    "providers",
    "protocol",
)
REQUIRED = {
    "anyio",
    "docstring_parser",
    "jsonschema_rs",
    "pydantic",
    "pydantic_core",
    "typing_extensions",
}


def _imported_roots(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


@pytest.mark.rule("repository-pure-layers-are-pure")
@pytest.mark.parametrize("layer", [name for name in PURE if (SOURCE / name).is_dir()])
def test_a_pure_layer_imports_required_dependencies_alone(layer: str) -> None:
    allowed = sys.stdlib_module_names | REQUIRED | {"toolroll"}
    foreign = {
        f"{path.relative_to(SOURCE)}: {name}"
        for path in (SOURCE / layer).rglob("*.py")
        for name in _imported_roots(path)
        if name not in allowed
    }
    assert foreign == set()


def _lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).with_name("lint-imports")
    return subprocess.run(
        [str(program), "--no-cache", "--no-logo"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.rule("repository-layers-hold")
def test_planted_breaches_are_seen_by_the_contracts(tmp_path: Path) -> None:
    shutil.copytree(SOURCE, tmp_path / "toolroll", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    plants = {
        "text/planted_up.py": "from toolroll.outcome import Issue\n",
        "ports/planted_root.py": "from toolroll import Answer\n",
        "tools/planted_foreign.py": "import httpx2\n",
        "content/planted_one.py": "import toolroll.content.planted_two\n",
        "content/planted_two.py": "import toolroll.content.planted_one\n",
    }
    for place, text in plants.items():
        (tmp_path / "toolroll" / place).write_text(text, encoding="utf-8")
    done = _lint_imports(tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr
    with (ROOT / "pyproject.toml").open("rb") as file:
        contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    verdicts = {line for line in done.stdout.splitlines() if line.endswith(("KEPT", "BROKEN"))}
    assert verdicts == {f"{contract['name']} BROKEN" for contract in contracts}


@pytest.mark.rule("repository-layers-hold")
def test_a_package_that_no_layer_names_is_seen(tmp_path: Path) -> None:
    shutil.copytree(SOURCE, tmp_path / "toolroll", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "toolroll" / "planted").mkdir()
    (tmp_path / "toolroll" / "planted" / "__init__.py").touch()
    done = _lint_imports(tmp_path)
    assert done.returncode == 1
    assert "planted" in done.stdout
