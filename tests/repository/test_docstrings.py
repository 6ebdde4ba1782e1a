"""The examples in docstrings run, and the reference is complete."""

import ast
import dataclasses
import doctest
import importlib
import inspect
import pkgutil
import textwrap
from collections.abc import Iterator
from types import FunctionType

import pytest

import toolroll

MODULES = [
    "toolroll",
    *(
        found.name
        for found in pkgutil.walk_packages(toolroll.__path__, "toolroll.")
        if not found.name.endswith("__main__")
    ),
]


@pytest.mark.rule("repository-examples-run")
@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_run(name: str) -> None:
    module = importlib.import_module(name)
    failed, _ = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert failed == 0


PACKAGES = [name for name in MODULES[1:] if hasattr(importlib.import_module(name), "__path__")]


def public_names() -> Iterator[tuple[str, type | FunctionType]]:
    for package in PACKAGES:
        module = importlib.import_module(package)
        for name in getattr(module, "__all__", ()):
            found: object = getattr(module, name)
            if inspect.isclass(found) or inspect.isfunction(found):
                yield f"{package.removeprefix('toolroll.')}.{name}", found


NAMES = [pytest.param(*pair, id=pair[0]) for pair in public_names()]


@pytest.mark.rule("repository-reference-complete")
@pytest.mark.parametrize(("name", "found"), NAMES)
def test_a_public_name_says_its_purpose_its_arguments_and_an_example(
    name: str, found: type | FunctionType
) -> None:
    said = inspect.getdoc(found) or ""

    assert said.splitlines()[0].strip(), name
    assert ">>> " in said, f"{name} has no example"
    if inspect.isfunction(found):
        takes = len(inspect.signature(found).parameters) > 1
    else:
        takes = dataclasses.is_dataclass(found) and bool(dataclasses.fields(found))
    assert not takes or "Args:" in said, f"{name} does not say what it takes"


@pytest.mark.rule("repository-reference-complete")
@pytest.mark.parametrize(("name", "found"), NAMES)
def test_a_public_name_says_what_it_raises(name: str, found: type | FunctionType) -> None:
    unsaid = [
        f"{name}{place}: {error}"
        for place, said, errors in raising_parts(found)
        for error in sorted(errors)
        if error not in said
    ]
    assert unsaid == []


def raising_parts(found: type | FunctionType) -> Iterator[tuple[str, str, set[str]]]:
    """What callers call: its place, what its docstring says, and the errors it raises by name."""
    (written,) = ast.parse(textwrap.dedent(inspect.getsource(found))).body
    said = ast.get_docstring(written) or ""  # type: ignore[arg-type]
    if not isinstance(written, ast.ClassDef):
        yield "", said, set(raised(written))
        return
    for part in written.body:
        if not isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if part.name in ("__init__", "__post_init__"):
            yield "", said, set(raised(part))
        elif not part.name.startswith("_"):
            yield f".{part.name}", ast.get_docstring(part) or "", set(raised(part))


def raised(part: ast.AST) -> Iterator[str]:
    """Names of the errors that the statements of a function raise; not those of inner functions."""
    for node in ast.iter_child_nodes(part):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            continue
        if isinstance(node, ast.Raise) and node.exc is not None:
            error = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            if isinstance(error, ast.Name) and error.id[0].isupper():
                yield error.id
        yield from raised(node)
