"""The package root and the façades: lazy, light, and the same objects whoever imports what."""

import subprocess
import sys
from pathlib import Path

import pytest

import toolroll
from scripts.api import FACADE, SNAPSHOT, facade_text, snapshot_text

ROOT = Path(__file__).parent.parent.parent

_LOADED = """
import sys
before = set(sys.modules)
import toolroll
dir(toolroll)
for name in sorted(set(sys.modules) - before):
    print(name.partition(".")[0])
"""

# Every public name of every façade as first imported, then again when every module is loaded.
_SAME = """
import importlib, pkgutil, types, sys
import toolroll
seen = {}
def note(module):
    for name in getattr(module, "__all__", ()):
        seen[module.__name__, name] = getattr(module, name)
note(toolroll)
modules = [found for found in pkgutil.walk_packages(toolroll.__path__, "toolroll.")
           if not found.name.endswith("__main__")]
for found in modules:
    if found.ispkg:
        note(importlib.import_module(found.name))
for found in modules:
    importlib.import_module(found.name)
for (place, name), before in seen.items():
    after = getattr(sys.modules[place], name)
    if after is not before:
        print(f"{place}.{name} was {before!r}, became {after!r}")
    elif isinstance(after, types.ModuleType):
        print(f"{place}.{name} is a module, not what is promised")
print(len(seen), "names")
"""


def _run(code: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.rule("repository-import-is-light")
def test_importing_the_root_loads_the_standard_library_only() -> None:
    loaded = set(_run(_LOADED)) - {"toolroll"}
    assert loaded <= sys.stdlib_module_names


@pytest.mark.rule("repository-names-are-stable")
def test_a_promised_name_is_the_same_object_before_and_after_every_import() -> None:
    *changed, count = _run(_SAME)
    assert changed == []
    assert int(count.split()[0]) > len(toolroll.__all__)


@pytest.mark.rule("repository-names-are-stable")
@pytest.mark.parametrize("name", toolroll.__all__)
def test_a_promised_name_is_found_in_the_root(name: str) -> None:
    assert getattr(toolroll, name) is not None
    assert name in dir(toolroll)


def test_a_name_that_is_not_promised_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'no_such_name'"):
        toolroll.no_such_name  # noqa: B018  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]


@pytest.mark.rule("repository-names-are-stable")
def test_the_root_shows_type_checkers_every_name_of_its_table() -> None:
    source = FACADE.read_text(encoding="utf-8")
    assert facade_text(source) == source, "run scripts/api --write"


@pytest.mark.rule("repository-public-surface-is-recorded")
def test_the_public_surface_is_as_recorded() -> None:
    assert snapshot_text() == SNAPSHOT.read_text(encoding="utf-8"), (
        "the public surface has changed; if that is meant, run scripts/api --write"
    )
