"""Reading a large OpenAPI document: seconds and memory beside the bare parse, and what comes of it.

    OPENAPI_DOC=api.github.com.json python -m bench.openapi

The document is JSON, e.g. GitHub's REST description of the package `@octokit/openapi`. Without one
a made-up document of 1,200 operations is read. Each round is a process of its own; its time is
processor time, which a busy machine does not spoil.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.figure import report
from toolroll.schema import JsonSchema, slim
from toolroll.sources.http.fill import Filler
from toolroll.sources.openapi import OpenApiReading, read_operations

ROUNDS = 3
FILLS = 2_000
LARGE = 12_000


def made_up(count: int = 1_200) -> dict[str, Any]:
    """A document with shared parameters, shared bodies and one recursive schema."""
    node = {
        "type": "object",
        "properties": {
            "name": {"type": "string", "nullable": True, "description": "The name. " * 8},
            "kids": {"type": "array", "items": {"$ref": "#/components/schemas/Node"}},
        },
        "required": ["name"],
    }
    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Node"}}}}
    owner = {"name": "owner", "in": "path", "required": True, "schema": {"type": "string"}}
    paths = {
        f"/{{owner}}/things{n}": {
            method: {
                "operationId": f"{method}_thing{n}",
                "summary": f"Does {method} with thing {n}.",
                "parameters": [
                    {"$ref": "#/components/parameters/Owner"},
                    {"name": "page", "in": "query", "schema": {"type": "integer", "minimum": 1}},
                ],
                **({"requestBody": body} if method == "post" else {}),
                "responses": {"200": body},
            }
            for method in ("get", "post", "delete")
        }
        for n in range(count // 3)
    }
    components = {"schemas": {"Node": node}, "parameters": {"Owner": owner}}
    return {"openapi": "3.0.3", "info": {}, "paths": paths, "components": components}


def memory_mib() -> float:
    """Memory held now; the greatest so far where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return pages * resource.getpagesize() / 2**20


def sizes(
    reading: OpenApiReading, view: Callable[[JsonSchema], JsonSchema] = lambda schema: schema
) -> list[int]:
    """Bytes of each tool as a request carries it: name, description and input schema."""
    shown = (
        {
            "name": operation.name,
            "description": operation.definition.description,
            "inputSchema": view(operation.definition.input_schema),
        }
        for operation in reading.operations
    )
    return [len(json.dumps(tool, separators=(",", ":"))) for tool in shown]


def child(path: str, *, output_schemas: bool, limit: int | None) -> None:
    """One round, in a fresh process; prints its figures as JSON."""
    started = time.process_time()
    document = json.loads(Path(path).read_text(encoding="utf-8"))
    parse, base = time.process_time() - started, memory_mib()
    started = time.process_time()
    reading = read_operations(document, output_schemas=output_schemas, description_limit=limit)
    read, held = time.process_time() - started, memory_mib()
    fillers = [Filler(one.request, "https://api.test") for one in reading.operations]
    started = time.process_time()
    for n in range(FILLS):
        fillers[n % len(fillers)].fill({"owner": "a/b", "page": 1}, frozenset())
    filled = (time.process_time() - started) / FILLS
    size, slimmed = sizes(reading), sizes(reading, slim)
    named = sum("characters as a tool" in note.reason for note in reading.report.notes)
    print(
        json.dumps(
            {
                "parse": parse,
                "read": read,
                "memory": held - base,
                "fill": filled * 1e6,
                "tools": len(size),
                "skipped": len(reading.skipped),
                "list": sum(size) / 1e6,
                "slim": sum(slimmed) / 1e6,
                "largest": max(size) / 1e3,
                "large": sum(one > LARGE for one in size),
                "named": named,
            }
        )
    )


def measure(path: str, subject: str, *options: int) -> None:
    command = [sys.executable, "-m", "bench.openapi", "--child", path, *map(str, options)]
    rounds: list[dict[str, float]] = []
    for _ in range(ROUNDS):
        ran = subprocess.run(command, capture_output=True, text=True, check=True)
        rounds.append(json.loads(ran.stdout.splitlines()[-1]))
    units = {
        "parse": ("the bare parse", "s"),
        "read": ("reading its operations", "s"),
        "memory": ("memory above the parse", "MiB"),
        "fill": ("filling one request", "µs"),
        "tools": ("tools", "tools"),
        "skipped": ("skipped", "operations"),
        "list": ("list of tools", "MB"),
        "slim": ("list of tools, slim view", "MB"),
        "largest": ("largest tool", "kB"),
        "large": ("tools above 12 kB", "tools"),
        "named": ("tools named in the report as large", "tools"),
    }
    for key, (what, unit) in units.items():
        report(subject, what, unit, [one[key] for one in rounds])


def main() -> None:
    """Measure the named document, or a made-up one."""
    if sys.argv[1:2] == ["--child"]:
        limit = int(sys.argv[4]) or None
        child(sys.argv[2], output_schemas=sys.argv[3] == "1", limit=limit)
        return
    path = os.environ.get("OPENAPI_DOC")
    with tempfile.TemporaryDirectory() as folder:
        if not path:
            made = Path(folder) / "made-up.json"
            made.write_text(json.dumps(made_up()), encoding="utf-8")
            path = str(made)
        measure(path, "inputs only", 0, 0)
        measure(path, "inputs only, descriptions of 100", 0, 100)
        measure(path, "with output schemas", 1, 0)


if __name__ == "__main__":
    main()
