"""The part that runs in a peer's environment: python -m bench.peers.child DISTRIBUTION

It answers requests, one JSON text a line, until its input ends.
"""

import asyncio
import gc
import json
import logging
import sys
import time
from pathlib import Path
from typing import Any

from bench.peers.floor import floors, microseconds
from bench.peers.library import CALLS, LISTINGS, functions_for


async def serve(library: str) -> None:
    """Answer what is asked of a library."""
    base = floors()
    calls = {label: call async for label, call in CALLS[library]()}
    for line in sys.stdin:
        request = json.loads(line)
        if request["do"] == "call":
            answer: Any = await _batches({**base, **calls}, request["calls"])
        elif request["do"] == "define":
            answer = await _defined(library, request["count"])
        else:
            answer = _memory(library, request["count"])
        print(json.dumps(answer), flush=True)


async def _batches(subjects: dict[str, Any], calls: int) -> dict[str, float]:
    found: dict[str, float] = {}
    for label, call in subjects.items():
        few = await microseconds(call, max(calls // 20, 1))
        found[label] = await microseconds(call, calls if few < 100 else max(calls // 10, 1))
    return found


async def _defined(library: str, count: int) -> dict[str, float]:
    made = functions_for(library, count)
    begun = time.process_time()
    listing = LISTINGS[library](made)
    spent = time.process_time() - begun
    text = json.dumps(await listing(), separators=(",", ":"))
    return {"ms": spent * 1e3, "bytes": len(text) / count}


def _memory(library: str, count: int) -> float:
    made = functions_for(library, count)
    LISTINGS[library](made[:1])
    gc.collect()
    before = resident()
    kept = LISTINGS[library](made)
    gc.collect()
    grown = resident() - before
    del kept
    return grown


def resident() -> float:
    """Resident memory of this process, MiB (Linux)."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4096 / 2**20


if __name__ == "__main__":
    logging.disable(logging.ERROR)
    asyncio.run(serve(sys.argv[1]))
