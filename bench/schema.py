"""Reading inputs and making tools: microseconds a read, milliseconds for many functions, bytes.

`pydantic-core` is the floor of a read (text in, keyword arguments out), `pydantic TypeAdapter` that
of making schemas. Reads run in batches that alternate, so that ratios hold on a busy machine; other
libraries (see `bench.peers`) define the same functions in turns with ours.
"""

import gc
import json
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any, cast

from pydantic import TypeAdapter
from pydantic_core import to_json

from bench.figure import report
from bench.peers.child import resident
from bench.peers.process import all_running, peers, running
from bench.peers.subject import SCHEMA, functions, typed_function
from toolroll import CallContext, LocalToolkit, tool
from toolroll.schema import function_front, lint, schema_reader, slim

READS, BATCHES = 2_000, 15
FEW, MANY, ROUNDS, SAMPLE = 500, 10_000, 5, 1_000

GOOD = {"query": "quarterly report", "limit": 20, "tags": ["finance", "2026"], "sort": "date"}
SHORT = {"query": "quarterly report", "limit": 20, "tags": ["finance", "2026"]}
MENDED = {"query": "quarterly report", "limit": "20", "tags": ["finance", "2026"], "sort": None}
BAD = {"query": "quarterly report", "limit": 2000, "tags": ["finance", 7], "sort": "size_"}


def microseconds(call: Callable[..., object], value: object) -> float:
    """Time of one read."""
    begun = time.perf_counter()
    for _ in range(READS):
        call(value)
    return (time.perf_counter() - begun) / READS * 1e6


def reads() -> None:
    """One input, read by types and by JSON Schema."""
    by_type = function_front(typed_function()).reader
    by_schema = schema_reader(SCHEMA)
    adapter: TypeAdapter[Any] = TypeAdapter(cast("Any", typed_function()))
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


def defined(made: list[Callable[..., object]]) -> tuple[float, LocalToolkit[None]]:
    """Milliseconds of a core to make tools and a toolkit of functions, through the public door."""
    begun = time.process_time()
    kit = LocalToolkit("bench", *(tool(effect="read")(function) for function in made))
    return (time.process_time() - begun) * 1e3, kit


def listed(kit: LocalToolkit[None]) -> str:
    """The list a model is given, in the short view."""
    entries = [
        {
            "name": one.name,
            "description": one.definition.description,
            "inputSchema": slim(one.definition.input_schema),
        }
        for one in kit.listing(CallContext()).tools
    ]
    return json.dumps(entries, separators=(",", ":"))


def making() -> None:
    """Functions to tools, ours and pydantic's in turns with the other libraries."""
    ours: list[float] = []
    theirs: list[float] = []
    views: list[float] = []
    lints: list[float] = []
    others: dict[str, list[dict[str, float]]] = {}
    text = ""
    defined(functions(1))
    with all_running() as children:
        for _ in range(ROUNDS):
            few = functions(FEW)
            spent, kit = defined(few)
            ours.append(spent)
            begun = time.process_time()
            for function in few:
                TypeAdapter(cast("Any", function)).json_schema()
            theirs.append((time.process_time() - begun) * 1e3)
            begun = time.process_time()
            text = listed(kit)
            views.append((time.process_time() - begun) * 1e3)
            begun = time.process_time()
            for one in kit.listing(CallContext()).tools[:100]:
                lint(one.definition.input_schema)
            lints.append((time.process_time() - begun) * 1e4)
            for peer, child in children.items():
                others.setdefault(peer.name, []).append(child.ask(do="define", count=FEW))
    report("toolroll", f"{FEW} functions to tools", "ms", ours)
    report("pydantic TypeAdapter", f"{FEW} functions to JSON Schema", "ms", theirs)
    for name, answers in others.items():
        report(name, f"{FEW} functions to tools", "ms", [one["ms"] for one in answers])
    report("toolroll", f"list of {FEW} tools, short view", "ms", views)
    report("toolroll", "bytes a tool, short view", "bytes", [len(text) / FEW])
    for name, answers in others.items():
        report(name, "bytes a tool", "bytes", [answers[0]["bytes"]])
    report("toolroll", "lint, a tool", "us", lints)


def growing() -> None:
    """Whether many tools cost as much each as few, and what they take in memory."""
    each: dict[int, list[float]] = {}
    for _ in range(2):
        for count in (FEW, MANY):
            each.setdefault(count, []).append(defined(functions(count))[0] * 1e3 / count)
    for count, values in each.items():
        report("toolroll", f"a tool, of {count:,}", "us", values)
    report(
        "toolroll", f"a tool of {MANY:,} to one of {FEW}", "x", [min(each[MANY]) / min(each[FEW])]
    )
    report("toolroll", f"memory of {MANY:,} tools", "MiB", [_own_memory(MANY)])
    for peer in peers():
        with running(peer) as child:
            taken = child.ask(do="memory", count=SAMPLE) * MANY / SAMPLE
        report(peer.name, f"memory of {MANY:,} tools, from {SAMPLE}", "MiB", [taken])


def _own_memory(count: int) -> float:
    """Of tools and toolkit in a fresh process; the functions are there before."""
    code = f"from bench.schema import grown; print(grown({count}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    return float(done.stdout)


def grown(count: int) -> float:
    """How much resident memory so many tools take, MiB."""
    made = functions(count)
    defined(made[:1])
    gc.collect()
    before = resident()
    _, kit = defined(made)
    kit.listing(CallContext())
    gc.collect()
    return resident() - before


if __name__ == "__main__":
    reads()
    making()
    growing()
