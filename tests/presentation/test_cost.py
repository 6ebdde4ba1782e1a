"""What a list of tools costs."""

import pytest

from toolroll.presentation import cost
from toolroll.toolkit.protocol import ListedTool, Listing
from toolroll.tools.definition import ToolDefinition


def tool(name: str, description: str) -> ToolDefinition:
    return ToolDefinition(name=name, description=description, input_schema={"type": "object"})


@pytest.mark.rule("search-cost-adds-up")
def test_cost_adds_up_and_names_the_largest() -> None:
    tools = [tool("a", "Short."), tool("b", "A longer one. " * 20), tool("c", "Middle. " * 3)]
    whole = cost(tools, largest=2)
    each = [cost([one]) for one in tools]
    assert whole.tools == 3
    assert whole.bytes == sum(one.bytes for one in each)
    assert whole.tokens_estimate == sum(one.tokens_estimate for one in each)
    assert [one.name for one in whole.largest] == ["b", "c"]


@pytest.mark.rule("search-cost-adds-up")
def test_bytes_are_of_utf_8_and_of_what_a_request_carries() -> None:
    assert cost([tool("a", "é")]).bytes == cost([tool("a", "ee")]).bytes
    rich = ToolDefinition(
        name="a",
        description="x",
        input_schema={"type": "object"},
        snippet="never sent",
        tags=("t",),
    )
    assert cost([rich]) == cost([tool("a", "x")])


@pytest.mark.rule("search-cost-adds-up")
def test_a_listing_costs_what_its_tools_cost() -> None:
    listed = ListedTool(definition=tool("a", "One."))
    assert cost(Listing(tools=(listed,))) == cost([listed]) == cost([tool("a", "One.")])
    assert cost([]).largest == ()
