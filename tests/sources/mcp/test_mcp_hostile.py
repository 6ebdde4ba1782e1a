"""Over HTTP: servers that mean harm, or count as if they did."""

import pytest

from tests.sources.mcp.asking import call, source
from tests.sources.mcp.scripted import (
    event,
    modern,
    progress,
    response,
    result,
    serving,
    stream,
    text,
)
from toolroll.tools.context import CallContext, Progress

pytestmark = pytest.mark.anyio

ENDLESS = 10**400
"""An integer that JSON can say and no float can hold."""


@pytest.mark.rule("mcp-client-odd-numbers")
async def test_numbers_beyond_every_float_spoil_no_call_and_no_listing() -> None:
    script = modern()
    listed = {"tools": [], "ttlMs": ENDLESS, "resultType": "complete"}
    script.on("tools/list", lambda call: result(call, listed))
    script.on(
        "tools/call",
        lambda call: stream(
            event(progress(call, ENDLESS)),
            event(progress(call, 1, total=ENDLESS, message="half")),
            event(response(call, text("ok"))),
        ),
    )
    heard: list[Progress] = []
    with serving(script):
        async with source(script.url) as client:
            assert (await client.discover()).ttl is not None
            answer = await call(client, context=CallContext(on_progress=heard.append))
    assert answer.text == "ok"
    assert heard == [Progress("half", 1, None)]
