"""The examples in docstrings run."""

import doctest
import importlib
import pkgutil

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
