"""A source that keeps every promise over a system in this process, and ways to break each one."""

import socket
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any, Self

import anyio

from toolroll.content import JsonObject, Text, ToolResult
from toolroll.sources import Discovery, SourceError
from toolroll.testing import Planted, Sitting, SystemState
from toolroll.toolkit.news import News, NewsFeed
from toolroll.tools import CallContext, ToolDefinition

SECRET = "sk-planted-4711"
NAN = float("nan")
ADDRESS = "10.1.2.3:4444"
REASONS: dict[SystemState, Any] = {
    "unauthorized": "authentication",
    "unavailable": "unavailable",
    "unreachable": "unavailable",
}


def definition(name: str, **properties: object) -> ToolDefinition:
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return ToolDefinition(name=name, description=f"Does {name}.", input_schema=schema)  # type: ignore[arg-type]


TOOLS = (
    definition("echo", text={"type": "string"}),
    definition("failing"),
    definition("blocking"),
)


class Work:
    """One call that the system works at."""

    def __init__(self) -> None:
        self.broken, self.why = anyio.Event(), ""

    def end(self, why: str) -> None:
        self.why = why
        self.broken.set()


class System:
    """What the source asks; in this process, with connections that can break."""

    def __init__(self, state: SystemState) -> None:
        self.state: SystemState = state
        self.works: list[Work] = []
        self.stale = self.grown = False
        self.news = News()

    @property
    def running(self) -> int:
        return len(self.works)

    async def drop(self) -> None:
        self.stale = not self.works
        for work in self.works:
            work.end("outcome-unknown")

    async def kill(self) -> None:
        self.state = "unreachable"
        await self.drop()
        self.stale = False

    async def revive(self) -> None:
        self.state = "working"

    async def change(self) -> None:
        self.grown = True
        self.news.tell()


@dataclass
class Faults:
    """Where the source misbehaves, by the name of the promise that it breaks."""

    name: str = ""

    def __call__(self, *names: str) -> bool:
        return self.name in names


class GoodSource:
    """A source that keeps every promise, but for one fault."""

    def __init__(self, system: System, fault: str = "") -> None:
        self.system, self.fault = system, Faults(fault)
        self.name = "Not A Name" if fault == "name-fits" else "demo"
        self.tasks: Any = None
        self.listings = self.in_flight = 0
        self.known: list[ToolDefinition] = []
        self.lines: list[socket.socket] = []
        self.closed = self.poisoned = self.cut = False
        self.works: list[Work] = []
        self.feeds: list[NewsFeed] = []

    def __repr__(self) -> str:
        token = SECRET if self.fault("no-secret-is-printed") else "..."
        return f"GoodSource(token={token!r})"

    async def __aenter__(self) -> Self:
        if self.fault("any-task"):
            self.tasks = await anyio.create_task_group().__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        fault, amid = self.fault, bool(self.works)
        if self.tasks is not None:
            tasks, self.tasks = self.tasks, None
            await tasks.__aexit__(None, None, None)
        if fault("closing-twice") and self.closed:
            raise RuntimeError("closed already")
        if fault("closing-unused") and not (self.lines or self.feeds):
            raise RuntimeError("nothing to close")
        self.closed = True
        if not fault("closing-ends-listening"):
            for feed in self.feeds:
                feed.end()
        if not (fault("closing-ends-running-calls") and self.listings):
            for work in self.works:
                work.end("unavailable")
        if fault("closing-leaves-nothing") and not (amid or self.cut or self.feeds):
            KEPT.extend(socket.socketpair())
        if fault("closing-amid-calls-leaves-nothing") and amid and self.listings:
            stop = threading.Event()
            thread = threading.Thread(target=stop.wait, daemon=True)
            thread.start()
            STOPS.append(stop.set)
        for line in self.lines:
            line.close()

    def _error(self, reason: Any, words: str = "", **more: Any) -> SourceError:
        name = "else" if self.fault("failures-name-the-source") else self.name
        return SourceError(name, reason, f"{words} at {ADDRESS} with {SECRET}", **more)

    async def discover(self, context: CallContext[object] | None = None, /) -> Discovery:
        fault, state = self.fault, self.system.state
        await anyio.lowlevel.checkpoint()
        if fault(f"{state}-listing"):
            raise self._error("source-error")
        if state in REASONS:
            raise self._error(REASONS[state])
        self.listings += 1
        tools = list(TOOLS)
        if fault("listing-names-differ"):
            tools.append(tools[1])
        if fault("listing-repeats") and self.listings % 2 == 0:
            tools.reverse()
        if fault("listing-is-data"):
            bad: Any = {"type": "object", "properties": {"x": {"default": NAN}}}
            tools.append(replace(TOOLS[1], name="odd", input_schema=bad))
        if fault("toolkit-refuses-wrong-input"):
            tools[0] = replace(TOOLS[0], input_schema={"type": "object"})
        if fault("assembles"):
            tools += [definition("a.b"), definition("a_b")]
        if fault("no-secret-reaches-a-model"):
            tools[1] = replace(TOOLS[1], description=f"Uses {SECRET}.")
        if self.system.grown:
            tools.append(definition("grown"))
        self.known = tools
        return Discovery(definitions=tuple(tools))

    @asynccontextmanager
    async def changes(
        self, context: CallContext[object] | None = None, /
    ) -> AsyncGenerator[AsyncIterator[None]]:
        news = News() if self.fault("changes-are-told") else self.system.news
        with news.feed() as feed:
            self.feeds.append(feed)
            yield feed

    async def call(
        self, definition: ToolDefinition, input: JsonObject, context: CallContext[object], /
    ) -> ToolResult:
        fault = self.fault
        if fault("closed-is-not-stuck") and self.closed:
            raise RuntimeError("the source is closed")
        if not self.lines:
            self.lines.extend(socket.socketpair())
            KEPT.extend(self.lines)  # for those who never close it
        self.in_flight += 1
        try:
            return await self._called(definition, input, context)
        except anyio.get_cancelled_exc_class():
            self.cut = True
            raise
        finally:
            self.in_flight -= 1

    async def _called(
        self, definition: ToolDefinition, input: JsonObject, context: CallContext[object]
    ) -> ToolResult:
        fault, state = self.fault, self.system.state
        if self.poisoned:
            raise self._error("source-error", "nothing works any more")
        await anyio.lowlevel.checkpoint()
        if fault(f"{state}-call"):
            raise KeyError("what?") if state == "unreachable" else self._error("unsupported")
        if state in REASONS:
            self.poisoned = fault("works-when-the-system-is-back")
            raise self._error(REASONS[state])
        if fault("idle-drop-costs-nothing") and self.system.stale:
            raise self._error("outcome-unknown")
        if (
            fault("stored-definitions-run")
            and state != "slow"
            and definition.name == "echo"
            and self.in_flight == 1
            and not any(definition is each for each in self.known)
        ):
            raise self._error("not-found")
        match definition.name:
            case "echo":
                return await self._echo(input)
            case "failing":
                return self._fail(context)
            case "blocking":
                return await self._block()
            case _:
                if fault("unknown-tool-is-an-error"):
                    raise KeyError(definition.name)
                raise self._error("not-found", "no such tool")

    async def _echo(self, input: JsonObject) -> ToolResult:
        fault, text = self.fault, str(input["text"])
        await anyio.lowlevel.checkpoint()
        if self.system.state == "slow":
            if fault("silence-is-given-up"):
                await anyio.sleep_forever()
            raise self._error("timed-out")
        if self.system.state == "huge":
            if fault("huge-answer-is-bounded"):
                return ToolResult((Text("x" * 300_000),))
            raise self._error("result-too-large")
        if fault("input-is-left-alone"):
            input.pop("text")  # type: ignore[attr-defined]
        if fault("echo-answers") and text == "ping":
            return ToolResult((Text("pong"),))
        if fault("text-arrives-exactly"):
            text = text.strip()
        if fault("calls-at-once-keep-apart"):
            self.latest = text
            await anyio.sleep(0.001)
            text = self.latest
        if fault("cancelled-anywhere"):
            try:
                await anyio.lowlevel.checkpoint()
            except BaseException:
                self.poisoned = True
                raise
        if fault("result-is-data"):
            return ToolResult((Text(text),), data={1: "one"})
        return ToolResult((Text(text),))

    def _fail(self, context: CallContext[object]) -> ToolResult:
        fault = self.fault
        if fault("works-after-failures"):
            self.poisoned = True
        if fault("toolkit-never-raises") and context.call_id:
            raise SystemExit("it failed")
        if fault("failing-is-reported"):
            raise SourceError(self.name, "call-failed", "no such account", retryable=True)
        words = "it failed" if fault("failing-tells-why") else "no such account"
        where = f" at {ADDRESS}" if fault("no-address-reaches-a-model") else ""
        return ToolResult((Text(words + where),), is_error=True)

    async def _block(self) -> ToolResult:
        fault, work = self.fault, Work()
        if fault("closing-ends-a-beginning") and not self.listings:
            for _ in range(20):  # on its way, and known to nobody
                await anyio.lowlevel.checkpoint()
        elif self.closed:
            raise self._error("unavailable", "the source was closed")
        self.works.append(work)
        self.system.works.append(work)
        try:
            while not work.broken.is_set():
                await work.broken.wait()
                if fault("crash-ends-running-calls") and self.system.state == "unreachable":
                    await anyio.sleep_forever()
        except anyio.get_cancelled_exc_class():
            if fault("cancelled-call-costs-no-other"):
                for other in self.works:
                    other.end("source-error")
            if fault("cancelled-call-stops") and not self.closed:
                self._forget(work)
                raise self._error("source-error", "gave up") from None
            if fault("cancellation-reaches-the-system"):
                self.works.remove(work)
                raise
            self._forget(work)
            raise
        self._forget(work)
        if fault("drop-costs-one-call") and not self.closed and self.system.state == "working":
            self.poisoned = True
        if fault("lost-answer-may-have-run"):
            raise self._error("unavailable")
        raise self._error(work.why)

    def _forget(self, work: Work) -> None:
        with suppress(ValueError):
            self.works.remove(work)
        with suppress(ValueError):
            self.system.works.remove(work)


class SilentSource(GoodSource):
    """One that has no way to tell of changes."""

    changes: Any = None


KEPT: list[socket.socket] = []
STOPS: list[Callable[[], None]] = []


def clear_up() -> None:
    """Let go of what a faulty source left on purpose."""
    while KEPT:
        KEPT.pop().close()
    while STOPS:
        STOPS.pop()()


def exam_of(fault: str = "", *, kind: type[GoodSource] = GoodSource, **changed: Any) -> Any:
    """An exam of a source with this fault."""

    @asynccontextmanager
    async def demo_exam(state: SystemState, /) -> AsyncGenerator[Sitting]:
        system = System(state)
        tools = replace(Sitting(source=None).tools, failing_says="no such account")  # type: ignore[arg-type]
        yield replace(
            Sitting(
                source=kind(system, fault),
                tools=tools,
                planted=Planted(secrets=(SECRET,), addresses=(ADDRESS,)),
                running=lambda: system.running,
                drop=system.drop,
                kill=system.kill,
                revive=system.revive,
                change=system.change,
                patience=0.1,
            ),
            **changed,
        )

    return demo_exam
