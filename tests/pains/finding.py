"""Tools found by words."""

from typing import Any

from tests.pains.case import Case
from tests.pains.making import NOBODY, NotingSource, definition
from toolroll import Policy, Rule, ToolCall, assemble, search
from toolroll.presentation import SearchIndex


async def find(case: Case) -> None:
    """The best tools for a query: in the index, and through the search that models see."""
    given, wanted = case.given, case.wanted
    by_source: dict[str, list[Any]] = {}
    for source, name, description in given["tools"]:
        by_source.setdefault(source, []).append(definition(name, description=description))
    sources = [NotingSource(name, found) for name, found in by_source.items()]
    kit = assemble([(one, one.definitions) for one in sources], Policy([Rule("allow")]))
    listing = kit.listing(NOBODY)

    answer = SearchIndex(listing.tools).search(given["query"], given["limit"])
    _check([listed.origin for listed in answer.tools], answer.available, wanted)

    query = {"query": given["query"], "limit": given["limit"]}
    outcome = await search(kit).call(ToolCall.of("tool_search", query), NOBODY)
    found: Any = outcome.unwrap().data
    origins = {listed.name: listed.origin for listed in listing.tools}
    _check([origins[each["name"]] for each in found["tools"]], found["available"], wanted)


def _check(names: list[str], available: int, wanted: Any) -> None:
    assert names == wanted.get("names", names)
    assert set(names) == set(wanted.get("names_as_set", names))
    assert len(set(names)) == len(names)
    assert available == wanted.get("available", available)
