"""Functions that choose by the type of their first argument, as tools."""

import functools
from typing import Any

import pytest

from toolroll import CallContext, DefinitionError, LocalToolkit, ToolCall, run_sync, tool


@functools.singledispatch
def say(value: int | str, mark: str = "!") -> str:
    """Say it."""
    return f"{value}{mark}"


@say.register
def _(value: int, mark: str = "!") -> str:
    return f"number {value}{mark}"


@pytest.mark.rule("define-singledispatch")
@pytest.mark.parametrize(
    "function",
    [say, functools.partial(say, mark="!")],
    ids=["function", "partial"],
)
def test_the_form_that_fits_the_first_argument_runs(function: Any) -> None:
    made = tool(effect="read", name="say", description="Say it.")(function)
    kit = LocalToolkit[Any]("kit", made)

    def said(**given: Any) -> str:
        return run_sync(kit.call, ToolCall.of("say", given), CallContext()).unwrap().text

    assert said(value=1) == "number 1!"
    assert said(value="a", mark="?") == "a?"


@functools.singledispatch
def count(value: int | str = 3) -> str:
    """Count it."""
    return f"{value}"


@count.register
def _(value: int = 3) -> str:
    return f"number {value}"


@pytest.mark.rule("define-singledispatch")
def test_a_first_argument_that_is_left_out_is_its_default() -> None:
    kit = LocalToolkit[Any]("kit", tool(effect="read", name="count")(count))
    outcome = run_sync(kit.call, ToolCall.of("count", {}), CallContext())
    assert outcome.unwrap().text == "number 3"


@pytest.mark.rule("define-singledispatch")
def test_a_first_argument_fixed_by_name_is_refused() -> None:
    with pytest.raises(DefinitionError, match="'value' can be given by name only"):
        tool(effect="read", name="say")(functools.partial(say, value=1))
