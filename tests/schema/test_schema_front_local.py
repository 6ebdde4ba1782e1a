"""Types that are defined in functions and classes, where every annotation is a text."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import BaseModel
from typing_extensions import TypedDict

from toolroll import CallContext, LocalToolkit, ToolCall, run_sync, tool
from toolroll.outcome import DefinitionError
from toolroll.tools import Tool

if TYPE_CHECKING:
    from nowhere import App  # type: ignore[import-not-found]


def made(function: Callable[..., object], takes: type | None = None) -> Tool[Any, ..., object]:
    return tool(effect="read", name="t", description="Try.", takes=takes)(function)


def answer(made: Tool[Any, ..., object], arguments: dict[str, Any]) -> Any:
    kit = LocalToolkit[Any]("kit", made)
    return run_sync(kit.call, ToolCall.of("t", arguments), CallContext()).unwrap().data


@pytest.mark.rule("schema-front-local")
def test_fields_of_inner_types_name_their_neighbours() -> None:
    class Model(BaseModel):
        n: int

    @dataclasses.dataclass
    class Data:
        m: Model
        more: list[Data] = dataclasses.field(default_factory=list)

    class Words(TypedDict):
        d: Data

    def run(a: Model, b: Data | None = None, c: list[Words] = []) -> Words:  # noqa: B006
        assert b is not None
        return {"d": Data(m=a, more=[b, *(item["d"] for item in c)])}

    def run_one(one: Data) -> int:
        return one.m.n

    def one(n: int) -> dict[str, Any]:
        return {"m": {"n": n}, "more": []}

    given = {"a": {"n": 1}, "b": one(2), "c": [{"d": one(3)}]}
    assert answer(made(run), given) == {"d": {"m": {"n": 1}, "more": [one(2), one(3)]}}
    refused = made(run).reader.read({"a": {"n": 1}, "b": {"m": {"n": "x"}}}, repair="off")
    assert [issue.pointer for issue in refused.issues] == ["/b/m/n"]  # type: ignore[union-attr]
    assert answer(made(run_one, takes=Data), one(4)) == 4


@pytest.mark.rule("schema-front-local")
def test_what_is_returned_of_inner_types_is_checked_too() -> None:
    class Model(BaseModel):
        n: int

    @dataclasses.dataclass
    class Data:
        m: Model

    def run(wrong: bool) -> list[Data]:
        return [Data(Model(n=1)), {"m": 5} if wrong else {"m": {"n": 2}}]  # type: ignore[list-item]

    ready = made(run)
    assert answer(ready, {"wrong": False}) == [{"m": {"n": 1}}, {"m": {"n": 2}}]
    kit = LocalToolkit[Any]("kit", ready)
    outcome = run_sync(kit.call, ToolCall.of("t", {"wrong": True}), CallContext())
    assert outcome.to_json()["code"] == "invalid-result"


@pytest.mark.rule("schema-front-local")
def test_names_of_every_function_around_are_known_while_it_runs() -> None:
    class Outer(BaseModel):
        n: int

    def make() -> Tool[Any, ..., object]:
        @dataclasses.dataclass
        class Inner:
            o: Outer

        def run(a: Inner, b: Outer) -> int:
            return a.o.n + b.n

        return made(run)

    assert answer(make(), {"a": {"o": {"n": 1}}, "b": {"n": 2}}) == 3


class Shop:
    class Item(BaseModel):
        n: int

    @dataclasses.dataclass
    class Order:
        item: Shop.Item

    def list(self, item: Item, order: Order) -> int:
        return item.n + order.item.n

    def total(self, items: list[int], item: Item) -> int:
        return sum(items) + item.n

    @classmethod
    def of_class(cls, item: Item) -> int:
        return item.n

    @staticmethod
    @tool(effect="read", name="t", description="Try.")
    def early(item: Item) -> int:
        return item.n

    @staticmethod
    def static(item: Item) -> int:
        return item.n

    def __call__(self, item: Item) -> int:
        return item.n


class SmallShop(Shop):
    """Its methods stand in the class above it."""


@pytest.mark.rule("schema-front-local")
def test_a_method_names_types_of_its_class() -> None:
    for shop in (Shop(), SmallShop()):
        both = {"item": {"n": 1}, "order": {"item": {"n": 2}}}
        assert answer(made(shop.list), both) == 3
        assert answer(made(shop.total), {"items": [1, 2], "item": {"n": 3}}) == 6
        for run in (shop.of_class, shop.static, shop, functools.partial(shop.of_class)):
            assert answer(made(run), {"item": {"n": 4}}) == 4
    assert answer(Shop.early, {"item": {"n": 5}}) == 5


@pytest.mark.rule("schema-front-local")
def test_a_name_that_is_gone_or_never_was_is_told() -> None:
    def around() -> Callable[..., object]:
        class Gone(BaseModel):
            n: int

        @dataclasses.dataclass
        class Holds:
            app: App

        def run(a: Gone) -> int:
            return a.n

        def run_two(n: int, a: Holds) -> int:
            return n

        with pytest.raises(DefinitionError, match=r"'a' .* names 'App', .* TYPE_CHECKING"):
            made(run_two)
        return run

    with pytest.raises(DefinitionError, match=r"'Gone' .* not in a function that has ended"):
        made(around())


@pytest.mark.rule("schema-front-context")
def test_a_context_at_another_place_is_told_to_move() -> None:
    def run(a: int, context: CallContext[App]) -> int:
        return a

    def run_quoted(a: int, context: "CallContext[App]") -> int:  # noqa: UP037
        return a

    def run_first(context: CallContext[App], a: int) -> int:
        return a

    def run_other(a: int, app: App) -> int:
        return a

    def run_inner(a: int, context: Any) -> int:
        return a

    run_inner.__annotations__["context"] = CallContext["App"]

    for function in (run, run_quoted, run_inner):
        with pytest.raises(DefinitionError, match=r"'context' is .*; move it to the front"):
            made(function)
    assert answer(made(run_first), {"a": 1}) == 1
    run_first.__annotations__["context"] = CallContext["App"]
    assert answer(made(run_first), {"a": 1}) == 1
    with pytest.raises(DefinitionError, match="'app' has an annotation that cannot be resolved"):
        made(run_other)
