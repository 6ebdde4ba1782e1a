"""Check the built wheel as a user gets it: installed into an empty environment with each extra.

In each, every public package and every name it exports must load, or raise `MissingExtra` for an
extra that is not installed; a module inside one may ask for a package that is not installed. With
all extras every module must load, and the examples of the README must run.
"""

import json
import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from scripts.fences import program_of  # noqa: E402

UV = Path(sys.executable).with_name("uv")

PROBE = """
import importlib, json, pathlib, pkgutil, sys
import toolroll
from toolroll.outcome import MissingExtra
installed = set(json.loads(sys.argv[1]))
assert "site-packages" in toolroll.__file__, toolroll.__file__
assert pathlib.Path(toolroll.__file__).with_name("py.typed").exists(), "no py.typed"
faults, loaded, missing = [], 0, set()
def attempt(what, load, public):
    global loaded
    try:
        value = load()
    except MissingExtra as error:
        missing.add(error.extra)
        if error.extra in installed or f"pip install 'toolroll[{error.extra}]'" not in str(error):
            faults.append(f"{what}: {error}")
    except ModuleNotFoundError as error:
        missed = (error.name or "toolroll").partition(".")[0]
        if missed == "pytest":
            return None  # the plug-in is loaded by pytest itself
        inside = missed == "toolroll"
        if public or inside or "all" in installed:
            faults.append(f"{what}: {error}")
    except Exception as error:
        faults.append(f"{what}: {type(error).__name__}: {error}")
    else:
        loaded += 1
        return value
def visit(package):
    for name in getattr(package, "__all__", ()):
        attempt(f"{package.__name__}.{name}", lambda: getattr(package, name), True)
    for found in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        if found.name.endswith("__main__"):
            continue
        public = found.ispkg and not found.name.rpartition(".")[2].startswith("_")
        module = attempt(found.name, lambda: importlib.import_module(found.name), public)
        if found.ispkg and module is not None:
            visit(module)
visit(toolroll)
print("\\n".join(faults), file=sys.stderr)
print(f"{loaded} modules and names; asks for: {', '.join(sorted(missing)) or 'nothing more'}")
sys.exit(bool(faults))
"""


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command; end with its output where it fails."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**os.environ, "PYTHONUTF8": "1", "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        print(done.stdout + done.stderr, file=sys.stderr)
        print(f"wheel: failed: {' '.join(str(part) for part in command)[:200]}", file=sys.stderr)
        sys.exit(1)
    return done.stdout.strip()


def reach(extra: str, extras: dict[str, list[str]]) -> set[str]:
    """The extra and those it brings."""
    found = {extra} if extra else set[str]()
    for asked in extras.get(extra, ()):
        if asked.startswith("toolroll["):
            inner = asked.removeprefix("toolroll[").rstrip("]").split(",")
            found = found.union(*(reach(name.strip(), extras) for name in inner))
    return found


def command_of(python: Path) -> str:
    """What the installed command says: its version, or which extra it needs."""
    done = subprocess.run(
        [str(python.with_name("toolroll")), "--version"],
        capture_output=True,
        text=True,
        check=False,
    )
    says = (done.stdout + done.stderr).strip()
    if "Traceback" in says or (done.returncode and "pip install" not in says):
        print(says, file=sys.stderr)
        sys.exit("wheel: the command breaks")
    return says.splitlines()[-1] if says else "nothing"


def main() -> None:
    """Build, install and probe."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        project = tomllib.load(file)["project"]
    extras: dict[str, list[str]] = project["optional-dependencies"]
    with tempfile.TemporaryDirectory() as name:
        there = Path(name)
        run(UV, "build", "--quiet", "--wheel", "--out-dir", there, ROOT, cwd=there)
        (wheel,) = there.glob("*.whl")
        print(f"wheel: {wheel.name}, {wheel.stat().st_size // 1024} KiB")
        (there / "probe.py").write_text(PROBE, encoding="utf-8")
        for extra in ["", *extras]:
            venv = there / f"with-{extra or 'nothing'}"
            python = venv / "bin" / "python"
            run(UV, "venv", "--quiet", "--python", sys.executable, venv, cwd=there)
            target = f"{wheel}[{extra}]" if extra else str(wheel)
            run(UV, "pip", "install", "--quiet", "--python", python, target, cwd=there)
            installed = json.dumps(sorted(reach(extra, extras)))
            found = run(python, "-W", "error", there / "probe.py", installed, cwd=there)
            says = command_of(python) if "scripts" in project else "no command"
            print(f"wheel: {extra or 'no extra'}: {found}; command: {says}")
        python = there / "with-all" / "bin" / "python"
        run(UV, "pip", "install", "--quiet", "--python", python, "mcp-server-time", cwd=there)
        readme = there / "readme.py"
        readme.write_text(program_of((ROOT / "README.md").read_text("utf-8")), encoding="utf-8")
        run(python, "-W", "error", readme, cwd=there)
        print("wheel: the examples of the README run")


if __name__ == "__main__":
    main()
