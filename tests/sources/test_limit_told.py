"""The limit of a source that was met is told: to the model in the message, to programs in `limit`."""

import threading
from typing import Any

import anyio
import pytest

from tests.sources.mcp.asking import hurry, source
from tests.sources.mcp.scripted import Call, Reply, event, modern, progress, serving
from toolroll import CallContext, TimedOut, ToolCall, ToolResult
from toolroll.content import JsonObject
from toolroll.sources import Discovery, SourceError, as_toolkit
from toolroll.sources.http import Operation, RequestTemplate, http_source
from toolroll.sources.source import SourceReason
from toolroll.tools import ToolDefinition

pytestmark = pytest.mark.anyio

ECHO = ToolDefinition(name="echo", description="", input_schema={"type": "object"})


class Late:
    """A source whose limit was met."""

    name = "late"

    def __init__(self, reason: SourceReason, limit: float | None) -> None:
        self._reason: SourceReason = reason
        self._limit = limit

    async def discover(self, context: CallContext[object] | None = None, /) -> Discovery:
        return Discovery(definitions=(ECHO,))

    async def call(
        self, definition: ToolDefinition, input: JsonObject, context: CallContext[object], /
    ) -> ToolResult:
        raise SourceError(self.name, self._reason, "at 10.0.0.7:443", limit=self._limit)

    async def aclose(self) -> None:
        """Nothing is held."""


async def outcome_of(source: Any) -> TimedOut:
    kit = as_toolkit(source, [ECHO])
    outcome = await kit.call(ToolCall.of("echo"), CallContext())
    assert isinstance(outcome, TimedOut)
    return outcome


@pytest.mark.rule("source-limit-told")
@pytest.mark.parametrize(
    ("reason", "limit", "message"),
    [
        ("timed-out", 1.5, "The tool did not finish within its total limit of 1.5 seconds."),
        ("idle-timed-out", 60, "The tool was silent for longer than its idle limit of 60 seconds."),
        ("timed-out", None, "The tool did not finish in time."),
    ],
)
async def test_the_message_names_the_limit_and_nothing_of_the_description(
    reason: SourceReason, limit: float | None, message: str
) -> None:
    outcome = await outcome_of(Late(reason, limit))
    assert (outcome.message, outcome.limit) == (message, limit)


@pytest.mark.rule("source-limit-told")
async def test_an_http_source_tells_its_limit() -> None:
    class Silent:
        def send(self, request: Any, /) -> Any:
            return self

        async def __aenter__(self) -> None:
            await anyio.sleep_forever()

        async def __aexit__(self, *_: object) -> None: ...

        async def aclose(self) -> None: ...

    operation = Operation(definition=ECHO, request=RequestTemplate.of("GET", "/echo"))
    made = http_source("silent", "https://api.test", [operation], client=Silent(), timeout=0.05)
    assert (await outcome_of(made)).limit == 0.05


@pytest.mark.rule("source-limit-told")
async def test_an_mcp_source_tells_which_of_its_limits_was_met_and_not_the_callers() -> None:
    ended = threading.Event()

    def restless(call: Call) -> Reply:
        def pieces() -> Any:
            for step in range(1, 1000):
                yield event(progress(call, step))
                ended.wait(0.02)
                if ended.is_set():
                    return

        return Reply(body=pieces(), kind="text/event-stream")

    with serving(modern().on("tools/call", restless)) as script:
        async with source(script.url) as client:
            await client.discover()
            hurry(client, total=0.3)
            outcome = await outcome_of(client)
            assert (
                outcome.message == "The tool did not finish within its total limit of 0.3 seconds."
            )
            until = anyio.current_time() + 0.1
            with pytest.raises(SourceError) as caught:
                await client.call(ECHO, {}, CallContext(deadline=until))
            assert (caught.value.limit, caught.value.message) == (
                None,
                "The tool did not finish in time.",
            )
        ended.set()
