"""What a call costs through the public door, and the share of each of its steps.

The floor is what nobody can do without: pydantic-core reads and checks the JSON text and calls the
function, which is awaited. Ours reads the text of the model, finds the tool, checks, holds to the
deadline, runs in a context of its own, turns the value into a result, holds that to its limit, and
makes the outcome.

Short batches of everything alternate, those of other libraries (see `bench.peers`) in processes of
their own beside the same floors. The least of many short batches is what the code costs on an idle
machine, so figures of one run compare by their `min`.
"""

import asyncio
import json
from collections.abc import Callable
from typing import Annotated, Any, Literal, cast

from pydantic import Field

from bench.figure import report
from bench.peers.floor import BARE, FLOOR, Call, floors, microseconds
from bench.peers.process import all_running
from bench.peers.subject import SCHEMA, TEXT, typed_function
from toolroll import Behavior, CallContext, LocalToolkit, ToolCall, define_tool, tool
from toolroll.schema import ReadInput
from toolroll.tools.deadline import run_within
from toolroll.tools.definition import ToolDefinition
from toolroll.tools.ending import answered
from toolroll.tools.hints import Hints
from toolroll.tools.intake import take_input
from toolroll.tools.isolation import in_own_context
from toolroll.tools.largeness import cap
from toolroll.tools.soundness import all_ascii

CALLS, ROUNDS = 100, 120


async def with_context(
    context: CallContext[Any],  # noqa: ARG001
    query: str,
    limit: Annotated[int, Field(ge=1, le=100)],
    tags: list[str],
    sort: Literal["name", "date", "size"] | None = None,
) -> str:
    """Find the items that match a query."""
    return f"{query}:{limit}:{len(tags)}:{sort}"


async def by_schema(input: dict[str, Any]) -> str:
    """The same by plain JSON Schema."""
    return f"{input['query']}:{input['limit']}:{len(input['tags'])}:{input['sort']}"


find_items = typed_function()
definition = ToolDefinition(
    name="by_schema", description="Find.", input_schema=SCHEMA, hints=Hints.of_effect("read")
)
kit = LocalToolkit(
    "bench",
    tool(effect="read")(find_items),
    tool(effect="read", name="unlimited", behavior=Behavior(timeout=None))(find_items),
    tool(effect="read")(with_context),
    define_tool(definition, by_schema),
)
context = CallContext()


def through_the_door(name: str) -> Call:
    """A call of one tool from text to outcome."""

    async def call(text: str) -> object:
        return await kit.call(ToolCall.of_text("c1", name, text), context)

    return call


OURS = "call, function"
WHOLE = {
    OURS: through_the_door("find_items"),
    "call, function that takes the context": through_the_door("with_context"),
    "call, JSON Schema": through_the_door("by_schema"),
    "call, function, no deadline": through_the_door("unlimited"),
}


def steps() -> dict[str, Callable[[], object]]:
    """The steps of one call that can be measured alone and end at once."""
    made = kit.snapshot(context).tools["find_items"]
    call = ToolCall.of_text("c1", "find_items", TEXT)
    read = cast("ReadInput", take_input(call, made.reader, made.behavior, "find_items"))
    result = made.writer.write("quarterly report:20:2:date")

    def hold() -> None:
        if all_ascii(result):
            cap(result, 200_000, "fail")

    return {
        "read the text": lambda: ToolCall.of_text("c1", "find_items", TEXT),
        "check and bind": lambda: take_input(call, made.reader, made.behavior, "find_items"),
        "result": lambda: made.writer.write("quarterly report:20:2:date"),
        "result held to its limit": hold,
        "outcome": lambda: answered(result, call, read, 0.0),
    }


def runs() -> dict[str, Call]:
    """The run of the function itself, bare, in a context of its own, and within the deadline."""
    made = kit.snapshot(context).tools["find_items"]
    bound = json.loads(TEXT)
    handler = cast("Callable[..., Any]", made.handler)
    return {
        "the function itself": lambda _: handler(bound, None),
        "context of its own": lambda _: in_own_context(handler(bound, None)),
        "deadline": lambda _: run_within(handler(bound, None), 60.0, 0.0),
    }


def awaited(step: Callable[[], object]) -> Call:
    """A step as what can be measured like a call."""

    async def run(_: str) -> None:
        step()

    return run


async def _nothing(_: str) -> None: ...


async def measure() -> None:
    """Measure all in turns, then print."""
    parts = {"nothing": _nothing, **runs(), **{name: awaited(f) for name, f in steps().items()}}
    subjects = {**floors(), **WHOLE, **parts}
    times: dict[str, list[float]] = {name: [] for name in subjects}
    others: dict[str, list[dict[str, float]]] = {}
    with all_running() as children:
        for batch in range(ROUNDS + 1):
            for name, subject in subjects.items():
                spent = await microseconds(subject, CALLS)
                if batch:  # the first warms up
                    times[name].append(spent)
            for peer, child in children.items():
                answer = child.ask(do="call", calls=CALLS)
                if batch:
                    others.setdefault(peer.name, []).append(answer)
    for name in (BARE, FLOOR, *WHOLE):
        report(name, "one call", "us", times[name])
    for name in WHOLE:
        _ratios("", name, {key: min(values) for key, values in times.items()})
    for peer, answers in others.items():
        labels = [label for label in answers[0] if label not in (BARE, FLOOR)]
        for label in labels:
            report(f"{peer}, {label}", "one call", "us", [one[label] for one in answers])
            least = {key: min(one[key] for one in answers) for key in answers[0]}
            _ratios(f"{peer}, ", label, least)
    _shares({name: min(values) for name, values in times.items()})


def _ratios(prefix: str, name: str, least: dict[str, float]) -> None:
    for floor in (FLOOR, BARE):
        if floor in least:
            report(f"{prefix}{name}", f"times {floor}", "x", [least[name] / least[floor]])


def _shares(least: dict[str, float]) -> None:
    """The share of each step in a whole call; what is left is finding the tool and its gates."""
    whole, nothing = least[OURS], least["nothing"]
    shares = {name: least[name] - nothing for name in steps()}
    function, isolated, within = (least[name] for name in runs())
    shares["the function itself"] = function
    shares["context of its own"] = isolated - function
    shares["deadline"] = within - isolated
    shares["finding the tool, gates, the rest"] = whole - sum(shares.values())
    for name, spent in shares.items():
        report(f"step: {name}", "share of a call", "%", [100 * max(spent, 0.0) / whole])


if __name__ == "__main__":
    asyncio.run(measure())
