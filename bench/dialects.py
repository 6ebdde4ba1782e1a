"""How long it takes to put the schemas of real tools into each provider's dialect.

    python -m bench.dialects

The schemas are real ones (the first 1,000 of the corpora) where TOOLROLL_CORPORA names their folder
or it stands beside the project; else made ones. A plain deep copy is measured in turns with the
dialects: the least that a new schema can cost.
"""

import copy
import gzip
import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from bench.figure import report
from toolroll import dialects

ROUNDS = 7
COUNT = 1_000
NAMES = ("openai", "openai_strict", "anthropic", "anthropic_strict", "gemini", "gemini_openapi3")
BESIDE = Path(__file__).parent.parent.parent / "shared" / "data"

Work = Callable[[Any], object]


def real() -> Iterator[Any]:
    """Input schemas of MCP servers and of function-calling tests."""
    folder = Path(os.environ.get("TOOLROLL_CORPORA") or BESIDE)
    for path in sorted(folder.glob("mcp-tool-lists/*.json.gz")):
        yield from (
            tool["inputSchema"] for tool in json.loads(gzip.decompress(path.read_bytes()))["tools"]
        )
    for path in folder.glob("bfcl/tools.json.gz"):
        yield from (tool["inputSchema"] for tool in json.loads(gzip.decompress(path.read_bytes())))


def made() -> Iterator[Any]:
    """Schemas of four to eleven properties with what tools usually say of them."""
    kinds: list[Any] = [
        {"type": "string", "description": "What to look for."},
        {"type": "integer", "minimum": 1, "maximum": 50, "default": 10},
        {"type": ["string", "null"]},
        {"type": "array", "items": {"type": "string"}},
        {"type": "string", "enum": ["asc", "desc"]},
        {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
        {"anyOf": [{"type": "string"}, {"type": "null"}]},
    ]
    for number in range(COUNT):
        names = [f"p{place}" for place in range(4 + number % 8)]
        properties = {
            name: kinds[(number + place) % len(kinds)] for place, name in enumerate(names)
        }
        yield {"type": "object", "properties": properties, "required": names[:2]}


def milliseconds(work: Work, schemas: list[Any]) -> float:
    """Time of the processor for all the schemas once; a busy machine spoils it less than a
    clock."""
    begun = time.process_time()
    for schema in schemas:
        work(schema)
    return (time.process_time() - begun) * 1_000


def main() -> None:
    """Measure and report."""
    schemas = list(real())[:COUNT]
    kind = "real"
    if len(schemas) < COUNT:
        schemas, kind = list(made()), "made"
    works: dict[str, Work] = {"deep copy (floor)": copy.deepcopy}
    works |= {name: getattr(dialects, name).adapt for name in NAMES}
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(ROUNDS):
        for name, work in works.items():
            times[name].append(milliseconds(work, schemas))
    for name, values in times.items():
        report(name, f"{COUNT:,} {kind} schemas", "CPU ms", values)
    whole = [sum(times[name][at] for name in NAMES) for at in range(ROUNDS)]
    report("all six", f"{COUNT:,} {kind} schemas", "CPU ms", whole)


if __name__ == "__main__":
    main()
