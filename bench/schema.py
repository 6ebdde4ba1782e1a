"""Reading inputs and making schemas: microseconds a read, milliseconds for many functions, bytes.

`pydantic-core` is the floor of a read (text in, keyword arguments out), `pydantic TypeAdapter` that
of making schemas. Reads run in batches that alternate, so that ratios hold on a busy machine.
"""

import json
import time
from collections.abc import Callable
from typing import Annotated, Any, Literal, Optional, cast

from pydantic import Field, TypeAdapter
from pydantic_core import to_json

from bench.figure import report
from toolroll.schema import Front, function_front, lint, schema_reader, slim

READS, BATCHES = 2_000, 15
FUNCTIONS, MANY, ROUNDS = 500, 10_000, 5

GOOD = {"query": "quarterly report", "limit": 20, "tags": ["finance", "2026"], "sort": "date"}
SHORT = {"query": "quarterly report", "limit": 20, "tags": ["finance", "2026"]}
MENDED = {"query": "quarterly report", "limit": "20", "tags": ["finance", "2026"], "sort": None}
BAD = {"query": "quarterly report", "limit": 2000, "tags": ["finance", 7], "sort": "size_"}
SCHEMA = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "description": "What to look for"},
        "limit": {"type": "integer", "minimum": 1, "maximum": 100},
        "tags": {"type": "array", "items": {"type": "string"}},
        "sort": {"type": "string", "enum": ["name", "date", "size"]},
    },
    "required": ["query", "limit", "tags"],
    "additionalProperties": False,
}
VERBS = ("create", "list", "get", "update", "delete", "search", "export", "import", "archive")
NOUNS = ("invoice", "customer", "ticket", "repository", "issue", "comment", "order", "shipment")


async def find_items(
    query: Annotated[str, Field(description="What to look for")],
    limit: Annotated[int, Field(ge=1, le=100)],
    tags: list[str],
    sort: Literal["name", "date", "size"] | None = None,
) -> str:
    """Find the items that match a query.

    Args:
        limit: How many at most
        tags: Tags that each item must have
        sort: The order
    """
    return f"{query}:{limit}:{len(tags)}:{sort}"


def functions(count: int) -> list[Callable[..., object]]:
    """Functions of four parameters with docstrings, each with annotations of its own."""
    names: dict[str, Any] = {"Annotated": Annotated, "Field": Field, "Literal": Literal}
    names["Optional"] = Optional
    made: list[Callable[..., object]] = []
    for number in range(count):
        verb, noun = VERBS[number % len(VERBS)], NOUNS[number // len(VERBS) % len(NOUNS)]
        source = f'''async def {verb}_{noun}_{number}(
    name: str,
    limit: Annotated[int, Field(ge=1, le=100)],
    tags: list[str],
    sort: Optional[Literal["name", "date", "size"]] = None,
) -> str:
    """{verb.capitalize()} {noun} number {number} of the workspace.

    Args:
        name: The name of the {noun}
        limit: How many at most
        tags: Tags that each {noun} must have
        sort: The order
    """
    return ""
'''
        exec(source, names)
        made.append(names[f"{verb}_{noun}_{number}"])
    return made


def listed(name: str, front: Front) -> str:
    """A tool as a model's list holds it, in the short view."""
    entry = {
        "name": name,
        "description": front.description,
        "inputSchema": slim(front.input_schema),
    }
    return json.dumps(entry, separators=(",", ":"))


def microseconds(call: Callable[..., object], value: object) -> float:
    begun = time.perf_counter()
    for _ in range(READS):
        call(value)
    return (time.perf_counter() - begun) / READS * 1e6


def reads() -> None:
    by_type = function_front(find_items).reader
    by_schema = schema_reader(SCHEMA)
    adapter: TypeAdapter[Any] = TypeAdapter(cast("Any", find_items))
    floor = adapter.validator.validate_json

    def bare(text: object) -> None:
        """Checks and binds; the coroutine that the call makes is not awaited."""
        floor(cast("bytes", text)).close()

    subjects: list[tuple[str, str, Callable[..., object], object]] = [
        (
            "pydantic-core",
            "validate_json, arguments",
            bare,
            to_json(GOOD),
        ),
        ("function", "read, all sent", by_type.read, GOOD),
        ("function", "read, default filled", by_type.read, SHORT),
        ("function", "read, two repairs", by_type.read, MENDED),
        ("function", "read, three faults", by_type.read, BAD),
        ("JSON Schema", "read, all sent", by_schema.read, GOOD),
        ("JSON Schema", "read, two repairs", by_schema.read, MENDED),
        ("JSON Schema", "read, three faults", by_schema.read, BAD),
    ]
    taken: list[list[float]] = [[] for _ in subjects]
    for _ in range(BATCHES):
        for place, (_, _, call, value) in enumerate(subjects):
            taken[place].append(microseconds(call, value))
    for (subject, measure, _, _), values in zip(subjects, taken, strict=True):
        report(subject, measure, "us", values)


def making() -> None:
    ours: list[float] = []
    theirs: list[float] = []
    views: list[float] = []
    lints: list[float] = []
    few = functions(FUNCTIONS)
    function_front(few[0])
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        fronts = [function_front(function) for function in few]
        built = time.perf_counter()
        for function in few:
            TypeAdapter(cast("Any", function)).json_schema()
        adapted = time.perf_counter()
        for front in fronts:
            slim(front.input_schema)
        shown = time.perf_counter()
        for front in fronts[:100]:
            lint(front.input_schema)
        linted = time.perf_counter()
        ours.append((built - begun) * 1e3)
        theirs.append((adapted - built) * 1e3)
        views.append((shown - adapted) * 1e3)
        lints.append((linted - shown) * 1e4)
    report("toolroll", f"{FUNCTIONS} functions to tools", "ms", ours)
    report("pydantic TypeAdapter", f"{FUNCTIONS} functions to JSON Schema", "ms", theirs)
    report("toolroll", f"{FUNCTIONS} short views", "ms", views)
    report("toolroll", "lint, a tool", "us", lints)
    texts = [listed(function.__name__, function_front(function)) for function in few]
    report("toolroll", "bytes a tool, short view", "bytes", [sum(map(len, texts)) / len(texts)])
    many = functions(MANY)
    begun = time.perf_counter()
    for function in many:
        function_front(function)
    report("toolroll", f"{MANY} functions to tools", "ms", [(time.perf_counter() - begun) * 1e3])


if __name__ == "__main__":
    reads()
    making()
