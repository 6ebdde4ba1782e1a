"""Many tools presented as two: one that finds, one that calls.

Source of the contract: `tool_search({query, limit?}) -> {tools, matched, available}` and
`tool_call({name, input})`; both are transparent: what is found and called is governed as if it
were called directly.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

from toolroll.content import JsonObject, JsonValue, ToolResult
from toolroll.outcome import Answer, DefinitionError, InvalidInput, Outcome
from toolroll.presentation.index import SearchIndex
from toolroll.repair.arguments import Arguments
from toolroll.schema import schema_reader
from toolroll.schema.reading import ReadInput
from toolroll.toolkit.derived import DerivedToolkit
from toolroll.toolkit.protocol import App_contra, Toolkit
from toolroll.toolkit.snapshot import Snapshot, SnapshotToolkit, visible
from toolroll.tools.behavior import Behavior
from toolroll.tools.call import ToolCall
from toolroll.tools.definition import ToolDefinition
from toolroll.tools.gate import AnyContext
from toolroll.tools.hints import Hints
from toolroll.tools.intake import not_whole, take_input
from toolroll.tools.tool import presenting

MAX_FOUND = 20
"""Most tools one search answers."""

_KEPT_INDEXES = 8
"""Indexes kept for callers who see different tools."""

_WHOLE = Behavior()
_CUT_TOO = Behavior(accepts_partial=True)
"""A cut call goes on to its tool, which alone says whether it takes cut arguments."""

_SEARCH_INPUT: JsonObject = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "description": "What the tool should do, in a few words."},
        "limit": {
            "type": "integer",
            "description": f"Most tools to show, at most {MAX_FOUND}.",
        },
    },
    "required": ["query"],
    "additionalProperties": False,
}
_CALL_INPUT: JsonObject = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": "A name that tool_search found."},
        "input": {"type": "object", "description": "The input, by the tool's inputSchema."},
    },
    "required": ["name"],
    "additionalProperties": False,
}


def search(kit: Toolkit[App_contra], *, limit: int = 5) -> DerivedToolkit[App_contra]:
    """Present a toolkit of any size as `tool_search` and `tool_call`.

    A tool that is blocked or not available is neither found nor callable; one that needs approval
    is asked about with its own input.

    Args:
        kit: the tools to find.
        limit: how many a search shows unless the model says otherwise; 1 to 20.

    Raises:
        DefinitionError: the limit is out of its range.

    Example:
        >>> from toolroll import CallContext, LocalToolkit, search
        >>> kit = search(LocalToolkit("empty"))
        >>> [tool.name for tool in kit.listing(CallContext()).tools]
        ['tool_search', 'tool_call']
    """
    if not 1 <= limit <= MAX_FOUND:
        raise DefinitionError(f"limit of search is {limit}; it must be 1 to {MAX_FOUND}.")

    def presented(snapshots: Sequence[Snapshot]) -> Snapshot:
        finder = _Finder(snapshots[0], limit)
        return Snapshot(
            (
                presenting(_definition_of_search(len(snapshots[0].tools)), finder.find),
                presenting(_definition_of_call(), finder.call, behavior=Behavior()),
            ),
            snapshots[0].report,
        )

    return DerivedToolkit(presented, kit)


def _definition_of_search(count: int) -> ToolDefinition:
    return ToolDefinition(
        name="tool_search",
        description=(
            f"Find tools among the {count} that can be called with tool_call. Answers the best "
            "matches with description and inputSchema; an empty query lists them in order."
        ),
        input_schema=_SEARCH_INPUT,
        hints=Hints.of_effect("read"),
    )


def _definition_of_call() -> ToolDefinition:
    return ToolDefinition(
        name="tool_call",
        description="Call a tool that tool_search found, with an input that fits its inputSchema.",
        input_schema=_CALL_INPUT,
    )


class _Fixed(SnapshotToolkit[Any]):
    """The tools of one snapshot."""

    __slots__ = ("_snapshot",)

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def snapshot(self, context: AnyContext, /) -> Snapshot:
        return self._snapshot


class _Finder:
    """Finds in and calls one snapshot."""

    def __init__(self, snapshot: Snapshot, limit: int) -> None:
        self._snapshot, self._limit = snapshot, limit
        self._kit = _Fixed(snapshot)
        self._indexes: OrderedDict[tuple[str, ...], SearchIndex] = OrderedDict()
        self._find_reader = schema_reader(_SEARCH_INPUT)
        self._call_reader = schema_reader(_CALL_INPUT)

    async def find(self, call: ToolCall, context: AnyContext) -> Outcome:
        read = take_input(call, self._find_reader, _WHOLE, call.name)
        if isinstance(read, InvalidInput):
            return read
        wanted = read.value.get("limit")
        limit = wanted if isinstance(wanted, int) else self._limit
        found = self._index(context).search(
            cast("str", read.value["query"]), max(1, min(limit, MAX_FOUND))
        )
        tools: list[JsonValue] = [
            {
                "name": definition.name,
                "description": definition.description,
                "inputSchema": definition.input_schema,
            }
            for definition in found.tools
        ]
        data: JsonObject = {"tools": tools, "matched": found.matched, "available": found.available}
        return Answer(result=ToolResult(data=data), call_id=call.id, repairs=read.repairs)

    async def call(self, call: ToolCall, context: AnyContext) -> Outcome:
        read = take_input(call, self._call_reader, _CUT_TOO, call.name)
        cut = call.arguments.status == "truncated"
        if isinstance(read, InvalidInput):
            return not_whole(call, "truncated-arguments") if cut else read
        if "/name" in call.arguments.partial:
            return not_whole(call, "truncated-arguments")
        inner = ToolCall(
            id=f"{call.id}/1",
            name=cast("str", read.value["name"]),
            arguments=_inner(call.arguments, read),
            finish=call.finish,
        )
        outcome = await self._kit.call(inner, context.child(call.id))
        return replace(outcome, call_id=call.id)

    def _index(self, context: AnyContext) -> SearchIndex:
        names = tuple(visible(self._snapshot, context))
        index = self._indexes.get(names)
        if index is None:
            index = SearchIndex([self._snapshot.tools[name].definition for name in names])
            self._indexes[names] = index
            if len(self._indexes) > _KEPT_INDEXES:
                self._indexes.popitem(last=False)
        else:
            self._indexes.move_to_end(names)
        return index


def _inner(arguments: Arguments, read: ReadInput) -> Arguments:
    """The arguments of the tool that is called; places are told as places of its own input."""
    return Arguments(
        value=read.value.get("input", {}),
        status=arguments.status,
        partial=tuple(map(_in_input, arguments.partial)),
        repairs=tuple(
            replace(repair, pointer=_in_input(repair.pointer)) for repair in read.repairs
        ),
    )


def _in_input(pointer: str) -> str:
    return pointer.removeprefix("/input")
