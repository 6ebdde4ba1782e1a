"""What a call costs through the public door, against the floor, and the share of each step.

The floor is what nobody can do without: pydantic-core reads and checks the JSON text and calls the
function, which is awaited. Batches of both alternate in one process, so that the ratio holds on a
busy machine. Ours reads the text of the model, finds the tool, checks, holds to the deadline, runs,
turns the value into a result and the result into an outcome.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from bench.figure import report
from toolroll import Behavior, CallContext, LocalToolkit, ToolCall, define_tool, tool
from toolroll.tools.definition import ToolDefinition
from toolroll.tools.hints import Hints

CALLS, BATCHES = 5_000, 11
TEXT = '{"query": "quarterly report", "limit": 20, "tags": ["a", "b"], "sort": "name"}'
SCHEMA = {
    "type": "object",
    "properties": {
        "query": {"type": "string"},
        "limit": {"type": "integer", "minimum": 1, "maximum": 100},
        "tags": {"type": "array", "items": {"type": "string"}},
        "sort": {"enum": ["name", "date", "size"]},
    },
    "required": ["query"],
    "additionalProperties": False,
}


async def find_items(
    query: str,
    limit: Annotated[int, Field(ge=1, le=100)] = 20,
    tags: list[str] = [],  # noqa: B006
    sort: Literal["name", "date", "size"] | None = None,
) -> str:
    """Find items."""
    return f"{query}:{limit}:{len(tags)}:{sort}"


async def find_by_schema(input: dict[str, object]) -> str:
    """The same by plain JSON Schema."""
    return f"{input['query']}:{input['limit']}:{len(input['tags'])}:{input['sort']}"  # type: ignore[arg-type]


made = tool(effect="read")(find_items)
by_schema = define_tool(
    ToolDefinition(
        name="find_by_schema",
        description="Find.",
        input_schema=SCHEMA,
        hints=Hints.of_effect("read"),
    ),
    find_by_schema,
)
kit = LocalToolkit("bench", made, by_schema)
free = LocalToolkit("free", tool(effect="read", behavior=Behavior(timeout=None))(find_items))
context = CallContext()
floor = TypeAdapter(find_items).validator  # pyright: ignore[reportArgumentType]  # functions work
call = ToolCall.of_text("c1", "find_items", TEXT)
read = made.reader.read(call.arguments.value)


async def _floor() -> object:
    return await floor.validate_json(TEXT)


async def _typed() -> object:
    return await kit.call(ToolCall.of_text("c1", "find_items", TEXT), context)


async def _schema() -> object:
    return await kit.call(ToolCall.of_text("c1", "find_by_schema", TEXT), context)


async def _no_limit() -> object:
    return await free.call(ToolCall.of_text("c1", "find_items", TEXT), context)


async def _read_text() -> object:
    return ToolCall.of_text("c1", "find_items", TEXT)


async def _check() -> object:
    return made.reader.read(call.arguments.value)


async def _run() -> object:
    return await find_items(**read.bound)  # type: ignore[union-attr,arg-type]


async def _write() -> object:
    return made.writer.write("quarterly report:20:2:name")


WHOLE: dict[str, Callable[[], Awaitable[object]]] = {
    "floor: pydantic-core validate_json + await": _floor,
    "call, function": _typed,
    "call, JSON Schema": _schema,
    "call, function, no deadline": _no_limit,
}
STEPS: dict[str, Callable[[], Awaitable[object]]] = {
    "step: read the text": _read_text,
    "step: check and bind": _check,
    "step: the function itself": _run,
    "step: result": _write,
}


async def _batch(subject: Callable[[], Awaitable[object]]) -> float:
    begun = time.perf_counter()
    for _ in range(CALLS):
        await subject()
    return (time.perf_counter() - begun) / CALLS * 1e6


async def _measure() -> None:
    times: dict[str, list[float]] = {name: [] for name in (*WHOLE, *STEPS)}
    for batch in range(BATCHES + 1):
        for name, subject in {**WHOLE, **STEPS}.items():
            spent = await _batch(subject)
            if batch:  # the first warms up
                times[name].append(spent)
    base = times["floor: pydantic-core validate_json + await"]
    for name, values in times.items():
        report(name, "one call", "us", values)
    for name in list(WHOLE)[1:]:
        ratios = [ours / bare for ours, bare in zip(times[name], base, strict=True)]
        report(name, "ratio to the floor", "x", ratios)


def main() -> None:
    """Measure on asyncio."""
    asyncio.run(_measure())


if __name__ == "__main__":
    main()
