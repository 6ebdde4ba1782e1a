"""Local servers tell of changes of their tools beside their calls."""

from typing import Any

import anyio
import pytest

from tests.sources.mcp.asking import AMPLE, call, failing
from tests.sources.mcp.local_server import BOTH
from tests.sources.mcp.test_mcp_change import over, silent, step
from toolroll.sources.mcp import McpOptions

pytestmark = [pytest.mark.anyio, pytest.mark.rule("mcp-client-changes-stdio")]

SOON = McpOptions(grace=0.3, probe=60, relisten=0.01)


@BOTH
@pytest.mark.parametrize("how", ["tells", "tells, legacy"])
async def test_changes_are_heard_beside_calls(local: Any, seen: Any, how: str) -> None:
    async with local(how, options=SOON) as client:
        async with client.changes() as changes:
            assert (await call(client, {"text": "a"})).text == "a"
            await silent(changes)
            assert (await call(client, {"change": True})).text == "ok"
            await step(changes)
            await silent(changes)
        assert (await call(client, {"change": True})).text == "ok"
    listened = [each["id"] for each in seen() if each.get("method") == "subscriptions/listen"]
    cancelled = [each for each in seen() if each.get("method") == "notifications/cancelled"]
    assert [each["params"]["requestId"] for each in cancelled] == listened
    assert len(listened) == (1 if how == "tells" else 0)


@BOTH
@pytest.mark.parametrize("how", ["tells", "tells, legacy"])
async def test_a_change_is_heard_while_nobody_calls(local: Any, how: str) -> None:
    """The listener reads when nobody else does."""
    async with local(how, options=SOON) as client:
        await client.discover()
        async with client.changes() as changes, anyio.create_task_group() as tasks:
            tasks.start_soon(call, client, {"change": True, "hang": True})
            await step(changes)
            tasks.cancel_scope.cancel()


@pytest.mark.parametrize("how", ["tells", "tells, legacy"])
async def test_a_new_process_is_listened_to_again(local: Any, pids: Any, how: str) -> None:
    async with local(how, options=SOON) as client, client.changes() as changes:
        await failing(client, arguments={"die": True})
        await step(changes)
        with anyio.fail_after(AMPLE.total):
            while not (await call(client, {"change": True})).text:
                pass
        await step(changes)
    assert len(pids()) == 2


async def test_a_server_that_ends_the_subscription_is_asked_again(local: Any, seen: Any) -> None:
    async with local("tells", options=SOON) as client, client.changes() as changes:
        await call(client, {"end": True})
        await step(changes)
        await call(client, {"change": True})
        await step(changes)
    listened = [each["id"] for each in seen() if each.get("method") == "subscriptions/listen"]
    assert len(set(listened)) == 2


@pytest.mark.rule("mcp-client-changes-not-told")
@pytest.mark.parametrize("how", ["is modern", "is legacy"])
async def test_a_local_server_that_does_not_declare_it_ends_the_iterator(
    local: Any, seen: Any, how: str
) -> None:
    async with local(how, options=SOON) as client:
        async with client.changes() as changes:
            await over(changes)
        assert (await call(client)).text == "ok"
    assert "subscriptions/listen" not in [each.get("method") for each in seen()]


@BOTH
@pytest.mark.parametrize("how", ["tells", "tells, legacy"])
async def test_closing_a_local_source_ends_the_iterator(local: Any, how: str) -> None:
    client = local(how, options=SOON)
    async with client.changes() as changes, anyio.create_task_group() as tasks:
        tasks.start_soon(client.aclose)
        await over(changes)


@pytest.mark.rule("mcp-client-kept")
async def test_a_change_heard_with_a_call_makes_a_kept_list_stale(local: Any, seen: Any) -> None:
    async with local("tells", options=SOON) as client:
        await client.discover()
        await client.discover()
        assert [each.get("method") for each in seen()].count("tools/list") == 1
        await call(client, {"change": True})
        await client.discover()
    assert [each.get("method") for each in seen()].count("tools/list") == 2
