"""The steps of the demo, one after the other; `demo.py` starts them."""

import os
import secrets
import socket
import sys
import tempfile
import tomllib
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import anyio
import uvicorn
from loans import make_app
from mcp import Client
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from toolroll import CallContext, ToolCall, search
from toolroll.content import JsonObject
from toolroll.gateway import Config, Gateway, open_gateway, read_config
from toolroll.gateway.serving import address_of, bound_socket
from toolroll.hosts.mcp_server import ServerOptions, mcp_app
from toolroll.hosts.terminal import TerminalApprovals
from toolroll.outcome import BadOutcome, Outcome

HERE = Path(__file__).parent
WITHIN = 60.0
out = Console(highlight=False)


async def run(answer: bool | None, serve: str | None) -> None:
    """Start what is needed, show every step, clean up.

    Raises:
        ConfigError: the address to serve at is none, or cannot be had.
    """
    listening = None if serve is None else bound_socket(*address_of(serve))
    os.environ["LOANS_TOKEN"] = token = secrets.token_urlsafe(16)
    with tempfile.TemporaryDirectory(prefix="toolroll-demo-") as folder:
        os.environ["NOTEBOOK"] = str(Path(folder, "notebook.db"))
        async with served(make_app(token)) as loans:
            config = configured(loans, str(Path(folder, "journal.db")))
            approvals = TerminalApprovals(answer=asked(answer))
            async with open_gateway(config, HERE, approvals=approvals) as gateway:
                if listening is None:
                    with anyio.fail_after(WITHIN * 10):
                        await show(gateway)
                else:
                    await go_on(gateway, listening)


def configured(loans: str, journal: str) -> Config:
    """The `toolroll.toml` beside this file, with the address of the API that was just started."""
    table = tomllib.loads((HERE / "toolroll.toml").read_text(encoding="utf-8"))
    table["sources"]["loans"]["base_url"] = loans
    table["store"] = {"path": journal}
    return read_config(table, "toolroll.toml")


def asked(answer: bool | None) -> bool | None:
    """Ask where a person sits at a terminal; elsewhere the answer is no unless it was given."""
    return answer if answer is not None or sys.stdin.isatty() else False


async def show(gateway: Gateway) -> None:
    """Every step of the road, one after the other."""
    heading("1. The tools: where from, what they do, what the policy says")
    show_tools(gateway)

    heading("2. A write, and a read of what it wrote")
    await call(gateway, "note_write", {"title": "shopping", "text": "bread, tea"})
    await call(gateway, "note_read", {"title": "shopping"})
    await call(gateway, "clock__get_current_time", {"timezone": "UTC"})

    heading("3. A wrong input: what the model reads")
    await call(gateway, "note_write", {"titel": "shopping", "text": 5, "revision": "soon"})

    heading("4. A near miss: put right where only one reading is possible, and said so")
    await call(gateway, "loans__list_loans", {"Member": "ana"})

    heading("5. A refusal with advice: somebody was faster")
    await call(gateway, "note_write", {"title": "shopping", "text": "only tea"})

    heading("6. A blocked tool looks like one that is not there")
    await call(gateway, "note_delete", {"title": "shopping", "revision": 1})

    heading("7. A write that needs a person's yes (--yes or --no answers beforehand)")
    lend = {"body": {"book": "sea", "member": "ana"}}
    if (await call(gateway, "loans__create_loan", lend)).ok:  # a yes is for one call
        await call(gateway, "loans__create_loan", lend)

    heading("8. The same tools as two: search, and call what was found")
    found = search(gateway.workspace.kit)
    outcome = await found.call(
        ToolCall.of("tool_search", {"query": "which time is it", "limit": 2}), CallContext()
    )
    show_outcome("tool_search", {"query": "which time is it"}, outcome)

    heading("9. Served over MCP, used by the official client")
    await serve_and_use(gateway)

    heading("10. What was journalled")
    await show_journal(gateway)


def heading(text: str) -> None:
    """A line between two steps."""
    out.print(f"\n[bold cyan]{text}[/]")


def show_tools(gateway: Gateway) -> None:
    """The tools as a table, then what was left out."""
    rows = Table(box=None, pad_edge=False)
    for column in ("tool", "source", "effect", "decision", "bytes"):
        rows.add_column(column, justify="right" if column == "bytes" else "left")
    listing = gateway.kit.listing(CallContext())
    for tool in listing.tools:
        effect = tool.definition.hints.effect or "unknown"
        size = len(str(tool.definition.input_schema)) + len(tool.definition.description)
        rows.add_row(tool.name, tool.source, effect, tool.decision, f"{size:,}")
    out.print(rows)
    for note in (gateway.report + listing.report).notes:
        out.print(f"[dim]{note.kind} {escape(note.subject)}: {escape(note.reason)}[/]")


async def call(gateway: Gateway, name: str, arguments: JsonObject) -> Outcome:
    """One call through the gateway, shown."""
    outcome = await gateway.kit.call(ToolCall.of(name, arguments), CallContext())
    show_outcome(name, arguments, outcome)
    return outcome


def show_outcome(name: str, arguments: JsonObject, outcome: Outcome) -> None:
    """The call, then what a model reads."""
    style = "green" if outcome.ok else "yellow"
    out.print(f"[bold]{name}[/] [dim]{escape(str(arguments))}[/]")
    for repair in outcome.repairs:
        out.print(
            f"  [magenta]repaired[/] {repair.kind} {escape(repair.pointer)} "
            f"[dim]{escape(repair.was)}[/]"
        )
    code = f" {outcome.code}" if isinstance(outcome, BadOutcome) else ""
    for block in outcome.for_model():
        text = getattr(block, "text", type(block).__name__)
        out.print(f"  [{style}]{outcome.kind}{code}[/] {escape(text[:600])}")


async def serve_and_use(gateway: Gateway) -> None:
    """Serve on loopback; the official Python client lists and calls."""
    app = mcp_app(gateway.kit, name="library", version="1.0", options=ServerOptions())
    async with served(app) as address, Client(f"{address}/mcp") as client:
        listed = await client.list_tools()
        out.print(f"  {len(listed.tools)} tools: {', '.join(tool.name for tool in listed.tools)}")
        result = await client.call_tool("note_read", {"title": "shopping"})
        out.print(f"  note_read: {escape(str(result.structured_content))}")


async def show_journal(gateway: Gateway) -> None:
    """What is on record of all these calls."""
    rows = Table(box=None, pad_edge=False)
    for column in ("event", "tool", "outcome", "code", "ms", "input digest"):
        rows.add_column(column)
    page = await gateway.journal.read(limit=100, oldest_first=True)
    for record in (entry.record for entry in page.entries):
        spent = "" if record.duration is None else f"{record.duration * 1000:.1f}"
        rows.add_row(
            record.event, record.tool, record.outcome, record.code, spent, record.digest[:12]
        )
    out.print(rows)


async def go_on(gateway: Gateway, listening: socket.socket) -> None:
    """Serve until Ctrl-C."""
    options = ServerOptions(changes=gateway.workspace.kit.changes)
    app = mcp_app(gateway.kit, name="library", version="1.0", options=options)
    show_tools(gateway)
    async with served(app, listening) as where:
        out.print(f"\nserving MCP at [bold]{where}/mcp[/] (Ctrl-C ends). Connect a client, e.g.:")
        out.print(f"  toolroll list {where}/mcp")
        out.print(f"  claude mcp add --transport http library {where}/mcp")
        await anyio.sleep_forever()


@asynccontextmanager
async def served(app: object, listening: socket.socket | None = None) -> AsyncGenerator[str]:
    """Run an ASGI application, on loopback if not told where, for the length of the block."""
    listening = listening or bound_socket("127.0.0.1", 0)
    server = _Server(uvicorn.Config(app, log_level="warning", lifespan="off"))  # type: ignore[arg-type]
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(server.serve, [listening])
        with anyio.fail_after(WITHIN):
            while not server.started:  # noqa: ASYNC110  # uvicorn has no event for it
                await anyio.sleep(0.01)
        host, port = listening.getsockname()[:2]
        try:
            yield f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
        finally:
            server.should_exit = True


class _Server(uvicorn.Server):
    """A server that leaves signals alone: Ctrl-C ends the demo, which ends its servers."""

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        yield
