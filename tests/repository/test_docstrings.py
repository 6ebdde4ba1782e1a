"""The examples in docstrings run, and the reference of the core is complete."""

import dataclasses
import doctest
import importlib
import inspect
import pkgutil
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


def public_names() -> Iterator[tuple[str, object]]:
    for path in MODULES[1:]:
        module = importlib.import_module(path)
        package = path.removeprefix("toolroll.")
        if not hasattr(module, "__path__"):
            continue
        for name in getattr(module, "__all__", ()):
            found: object = getattr(module, name)
            if inspect.isclass(found) or inspect.isfunction(found):
                yield f"{package}.{name}", found


@pytest.mark.rule("repository-reference-complete")
@pytest.mark.parametrize(
    ("name", "found"), [pytest.param(*pair, id=pair[0]) for pair in public_names()]
)
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
