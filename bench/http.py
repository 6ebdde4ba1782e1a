"""What a call of an HTTP operation costs beside the bare client, over this machine's loopback.

A server in a process of its own answers every request with the same JSON. Batches alternate: the
bare `httpx2` client reads the answer as JSON; ours takes a model's text through the public door
(reads it, checks it, fills the request, sends it, reads and masks the answer) over the same client,
and over its own connections. Both figures are the client's: processor time, and time on the clock.

    python -m bench.http
"""

import asyncio
import gc
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable

import httpx2

from bench.figure import report
from toolroll import CallContext, ToolCall, Toolkit
from toolroll.outcome import Outcome
from toolroll.sources import as_toolkit
from toolroll.sources.http import Operation, RequestTemplate, http_source
from toolroll.tools.definition import ToolDefinition

CALLS, BATCHES = 400, 15
ANSWER = json.dumps({"items": [{"id": n, "title": f"Note {n}", "open": True} for n in range(20)]})
SERVER = """
import asyncio, sys
BODY = sys.argv[1].encode()
HEAD = b"HTTP/1.1 200 OK\\r\\ncontent-type: application/json\\r\\ncontent-length: "
HEAD += b"%d\\r\\n\\r\\n" % len(BODY)
class Server(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport, self.held = transport, b""
    def data_received(self, data):
        self.held += data
        while (end := self.held.find(b"\\r\\n\\r\\n")) >= 0:
            self.held = self.held[end + 4:]
            self.transport.write(HEAD + BODY)
async def main():
    server = await asyncio.get_running_loop().create_server(Server, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()
asyncio.run(main())
"""
OPERATION = Operation(
    definition=ToolDefinition(
        name="note_list",
        description="Lists notes.",
        input_schema={
            "type": "object",
            "properties": {
                "owner": {"type": "string"},
                "words": {"type": "string"},
                "page": {"type": "integer", "minimum": 1},
            },
            "required": ["owner"],
            "additionalProperties": False,
        },
    ),
    request=RequestTemplate.of("GET", "/users/{owner}/notes", query=["words", "page"]),
)
TEXT = '{"owner": "ada", "words": "quarterly report", "page": 2}'
HEADERS = {"Authorization": "Bearer an-example-token-0123456789"}


async def bare(client: httpx2.AsyncClient, url: str) -> object:
    """What a program without us does."""
    answer = await client.get(
        f"{url}/users/ada/notes", params={"words": "quarterly report", "page": 2}
    )
    answer.raise_for_status()
    return answer.json()


async def ours(kit: Toolkit[object]) -> Outcome:
    """The same through the public door."""
    outcome = await kit.call(ToolCall.of_text("c1", "note_list", TEXT), CallContext())
    assert outcome.ok, outcome
    return outcome


async def batch(once: Callable[[], Awaitable[object]]) -> tuple[float, float]:
    """Microseconds of one call: of the processor, and on the clock."""
    gc.collect()
    processor, clock = time.process_time(), time.perf_counter()
    for _ in range(CALLS):
        await once()
    spent = time.process_time() - processor, time.perf_counter() - clock
    return spent[0] / CALLS * 1e6, spent[1] / CALLS * 1e6


async def measure(url: str) -> None:
    """Alternate batches of the bare client and of ours, and report both and their ratio."""
    async with (
        httpx2.AsyncClient(headers=HEADERS) as client,
        httpx2.AsyncClient(headers=HEADERS) as other,
        http_source("shared", url, [OPERATION], client=other) as shared,
        http_source("own", url, [OPERATION], headers=HEADERS) as own,
    ):
        definitions = (await shared.discover()).definitions
        kits = {
            "over the caller's client": as_toolkit(shared, definitions),
            "over our own connections": as_toolkit(own, definitions),
        }
        subjects: dict[str, Callable[[], Awaitable[object]]] = {"bare": lambda: bare(client, url)}
        for name, kit in kits.items():
            subjects[name] = lambda kit=kit: ours(kit)
        spent: dict[str, list[tuple[float, float]]] = {name: [] for name in subjects}
        for number in range(BATCHES + 1):
            for name, once in subjects.items():
                took = await batch(once)
                if number:
                    spent[name].append(took)
    for name, rounds in spent.items():
        for place, what in enumerate(("processor", "clock")):
            report(name, f"one call, {what}", "µs", [one[place] for one in rounds])
            if name != "bare":
                ratios = [a[place] / b[place] for a, b in zip(rounds, spent["bare"], strict=True)]
                report(name, f"beside the bare client, {what}", "times", ratios)
                print(f"{name}, {what}: {statistics.median(ratios):.2f} times the bare client")


def main() -> None:
    """Start the server, measure, and end it."""
    with subprocess.Popen(
        [sys.executable, "-c", SERVER, ANSWER], stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout is not None
            asyncio.run(measure(f"http://127.0.0.1:{server.stdout.readline().strip()}"))
        finally:
            server.terminate()


if __name__ == "__main__":
    main()
