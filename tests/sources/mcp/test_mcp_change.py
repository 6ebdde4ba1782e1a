"""Over HTTP: hearing of changes of the list of tools, and how long a list is kept."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import anyio
import pytest

from tests.sources.loopback import nobody
from tests.sources.mcp.asking import call, source
from tests.sources.mcp.radio import (
    PATIENCE,
    Radio,
    legacy_telling,
    notification,
    telling,
)
from tests.sources.mcp.scripted import (
    TOOL,
    Call,
    Reply,
    Script,
    error,
    event,
    modern,
    response,
    result,
    serving,
    stream,
    text,
)
from toolroll.protocol import LIST_CHANGED
from toolroll.sources import SourceError
from toolroll.sources.mcp import McpOptions, McpSource
from toolroll.testing.cutting import cut
from toolroll.tools.context import CallContext, Principal

pytestmark = pytest.mark.anyio

SOON = McpOptions(relisten=0.01, grace=0.3)


def listener(url: str, **options: Any) -> McpSource:
    """A source that opens its stream again soon."""
    given = {"relisten": 0.01, "grace": 0.3, **options}
    return source(url).with_options(McpOptions(**given))


async def step(changes: AsyncIterator[None]) -> None:
    """One step, which must come."""
    with anyio.fail_after(PATIENCE):
        await anext(changes)


async def silent(changes: AsyncIterator[None]) -> None:
    """No step comes for a moment."""
    with anyio.move_on_after(0.2) as scope:
        await anext(changes)
    assert scope.cancelled_caught


async def over(changes: AsyncIterator[None]) -> None:
    """There is no further step."""
    with anyio.fail_after(PATIENCE), pytest.raises(StopAsyncIteration):
        await anext(changes)


# --- modern


@pytest.mark.rule("mcp-client-changes")
async def test_a_modern_server_tells_of_changes_once_it_has_agreed() -> None:
    radio = Radio()
    with serving(telling(radio)) as script:
        async with listener(script.url) as client, anyio.create_task_group() as tasks:
            streams: list[Any] = []

            async def agree() -> None:
                streams.append(await radio.listening())

            tasks.start_soon(agree)
            async with client.changes() as changes:
                [open_stream] = streams
                await silent(changes)
                open_stream.change()
                open_stream.raw(b": a comment\r\rid: 7\n")
                await step(changes)
                open_stream.change()
                await step(changes)
                open_stream.say(notification(LIST_CHANGED, "of-another"))
                await silent(changes)  # and the wait that was given up hurts nobody
                open_stream.say(notification(LIST_CHANGED))
                await step(changes)
            assert await open_stream.left()
    [asked] = script.of("subscriptions/listen")
    assert asked.headers["mcp-method"] == "subscriptions/listen"
    assert asked.params["notifications"] == {"toolsListChanged": True}
    assert "notifications/cancelled" not in script.methods


@pytest.mark.rule("mcp-client-changes-again")
@pytest.mark.parametrize("how", ["ends", "result"])
async def test_a_stream_that_ends_is_opened_again_and_counts_as_a_change(how: str) -> None:
    radio = Radio()
    with serving(telling(radio)) as script:
        async with listener(script.url) as client, anyio.create_task_group() as tasks:

            async def run() -> None:
                for _ in range(3):
                    opened = await radio.listening()
                    if how == "result":
                        opened.say(response(opened.call, {"resultType": "complete"}))
                    opened.end()
                last = await radio.listening()
                last.change()

            tasks.start_soon(run)
            async with client.changes() as changes:
                await step(changes)
                with anyio.fail_after(PATIENCE):
                    while len(radio.all) < 4:
                        await anext(changes)
    assert len({each.call.id for each in radio.all}) == 4


@pytest.mark.rule("mcp-client-changes-again")
async def test_a_server_that_was_away_is_listened_to_again() -> None:
    radio = Radio()
    answers: list[Callable[[Call], Reply]] = [
        lambda call: Reply(status=503, body=b"later"),
        lambda call: error(call, -32603, "not now"),
        lambda call: Reply(body=b"<html>", kind="text/html"),
        radio,
    ]
    script = telling(radio)
    with serving(script):
        async with listener(script.url) as client, anyio.create_task_group() as tasks:

            async def run() -> None:
                first = await radio.listening()
                script.on("subscriptions/listen", *answers)
                first.end()
                await radio.listening()

            tasks.start_soon(run)
            async with client.changes() as changes:
                await step(changes)
    assert len(script.of("subscriptions/listen")) == 5


@pytest.mark.rule("mcp-client-changes-again")
async def test_a_stream_without_a_sign_of_life_is_opened_again() -> None:
    radio = Radio(pings=False, agrees=True)
    with serving(telling(radio)) as script:
        async with listener(script.url, quiet=0.2) as client, client.changes() as changes:
            await step(changes)
        for each in radio.all:
            each.end()  # it does not notice by itself that nobody listens
    assert len(radio.all) >= 2


@pytest.mark.rule("mcp-client-changes-not-told")
@pytest.mark.parametrize("capabilities", [{}, {"tools": {}}, {"tools": {"listChanged": "yes"}}])
async def test_a_server_that_does_not_declare_it_is_not_asked(capabilities: Any) -> None:
    with serving(telling(Radio(), capabilities=capabilities)) as script:
        async with listener(script.url) as client, client.changes() as changes:
            await over(changes)
    assert script.methods == ["server/discover"]


@pytest.mark.rule("mcp-client-changes-not-told")
async def test_a_server_that_agrees_to_less_or_does_not_know_it_ends_the_iterator() -> None:
    radio = Radio()
    with serving(telling(radio)) as script:
        async with listener(script.url) as client, anyio.create_task_group() as tasks:

            async def run() -> None:
                opened = await radio.stream()
                opened.acknowledge(promptsListChanged=True)

            tasks.start_soon(run)
            async with client.changes() as changes:
                await over(changes)
            script.on("subscriptions/listen", lambda call: error(call, -32601, "what?", status=404))
            async with client.changes() as changes:
                await over(changes)
    assert len(script.of("subscriptions/listen")) == 2


@pytest.mark.rule("mcp-client-changes-refused")
async def test_a_refusal_is_raised_as_it_is() -> None:
    radio = Radio()
    script = telling(radio)
    with serving(script):
        async with listener(script.url) as client, anyio.create_task_group() as tasks:
            script.on("subscriptions/listen", lambda call: Reply(status=401))
            with pytest.raises(SourceError) as caught:
                async with client.changes():
                    pass
            assert caught.value.reason == "authentication"
            script.on("subscriptions/listen", radio, lambda call: Reply(status=403))

            async def run() -> None:
                (await radio.listening()).end()

            tasks.start_soon(run)
            async with client.changes() as changes:
                with anyio.fail_after(PATIENCE), pytest.raises(SourceError) as later:
                    await anext(changes)
            assert later.value.reason == "authentication"
    with nobody() as url, pytest.raises(SourceError) as unreachable:
        async with listener(f"{url}/mcp").changes():
            pass
    assert unreachable.value.retryable


@pytest.mark.rule("mcp-client-changes")
async def test_what_the_block_raises_leaves_as_it_is_and_the_stream_goes() -> None:
    radio = Radio()
    with serving(telling(radio)) as script:
        async with listener(script.url) as client, anyio.create_task_group() as tasks:
            tasks.start_soon(radio.listening)
            with pytest.raises(KeyError):
                async with client.changes():
                    raise KeyError
            assert await radio.all[0].left()


@pytest.mark.rule("mcp-client-changes")
async def test_closing_the_source_from_another_task_ends_the_iterator() -> None:
    radio = Radio()
    with serving(telling(radio)) as script:
        client = listener(script.url)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(radio.listening)
            async with client.changes() as changes, anyio.create_task_group() as others:
                others.start_soon(client.aclose)
                await over(changes)
            assert await radio.all[0].left()
        with pytest.raises(SourceError, match="not available"):
            async with client.changes():
                pass


@pytest.mark.rule("mcp-client-changes")
async def test_calls_go_on_beside_the_stream_and_each_listener_hears() -> None:
    radio = Radio()
    with serving(telling(radio)) as script:
        async with listener(script.url) as client, anyio.create_task_group() as tasks:

            async def run() -> None:
                for _ in range(2):
                    await radio.listening()

            tasks.start_soon(run)
            async with client.changes() as one, client.changes() as two:
                assert (await call(client)).text == "ok"
                radio.all[0].change()
                await step(one)
                await step(two)


@pytest.mark.rule("mcp-client-changes")
@pytest.mark.parametrize("era", ["modern", "legacy"])
async def test_listening_may_be_cut_short_wherever_it_waits(era: str) -> None:
    radio = Radio(agrees=era == "modern")
    with serving(telling(radio) if era == "modern" else legacy_telling(radio)) as script:
        async with listener(script.url) as client:

            async def listen() -> None:
                async with client.changes() as changes:
                    with anyio.move_on_after(0.05):
                        await anext(changes)

            waits = 1
            while await cut(listen, waits):
                waits += 1
            assert waits > 2
        for each in radio.all:
            assert await each.left()


# --- legacy


@pytest.mark.rule("mcp-client-changes-legacy")
@pytest.mark.parametrize("version", ["2025-11-25", "2025-06-18", "2025-03-26"])
async def test_a_legacy_server_tells_on_the_stream_of_a_get(version: str) -> None:
    radio = Radio()
    with serving(legacy_telling(radio, version=version)) as script:
        async with listener(script.url) as client:
            async with client.changes() as changes:
                opened = await radio.stream()
                assert opened.call.session == "s1"
                opened.say({"jsonrpc": "2.0", "id": "p", "method": "ping"})
                opened.say(notification(LIST_CHANGED))
                await step(changes)
                opened.end()
                await radio.stream()
                await step(changes)
            assert await radio.all[1].left()
    assert {"jsonrpc": "2.0", "id": "p", "result": {}} in [each.message for each in script.seen]
    assert "subscriptions/listen" not in script.methods


@pytest.mark.rule("mcp-client-changes-legacy")
async def test_a_legacy_server_without_a_stream_tells_in_the_answer_to_a_call() -> None:
    script = legacy_telling(lambda call: Reply(status=405))
    changed = notification(LIST_CHANGED)
    script.on("tools/call", lambda call: stream(event(changed), event(response(call, text("ok")))))
    with serving(script):
        async with listener(script.url) as client, client.changes() as changes:
            await silent(changes)
            assert (await call(client)).text == "ok"
            await step(changes)
    assert len(script.of("GET")) == 1


@pytest.mark.rule("mcp-client-changes-legacy", "mcp-client-session-again")
async def test_a_session_that_is_over_is_begun_again_by_the_listener_too() -> None:
    radio = Radio()

    def get(call: Call) -> Reply:
        return Reply(status=404) if call.session == "s1" else radio(call)

    with serving(legacy_telling(get)) as script:
        async with listener(script.url) as client, client.changes() as changes:
            opened = await radio.stream()
            assert opened.call.session == "s2"
            await step(changes)
    assert len(script.of("initialize")) == 2


@pytest.mark.rule("mcp-client-changes-legacy")
async def test_a_stream_that_is_taken_is_tried_again() -> None:
    radio = Radio()
    script = legacy_telling(radio)
    script.on("GET", lambda call: Reply(status=409), lambda call: Reply(status=409), radio)
    with serving(script):
        async with listener(script.url) as client, client.changes() as changes:
            (await radio.stream()).say(notification(LIST_CHANGED))
            await step(changes)


# --- how long a list is kept


def _counting(*lists: dict[str, Any]) -> Script:
    """A modern server whose list is another with each question."""
    answers = [
        (lambda call, given=given: result(call, {"resultType": "complete", **given}))
        for given in lists
    ]
    return modern().on("tools/list", *answers)


ONE = {"tools": [{**TOOL, "name": "one"}], "ttlMs": 3_600_000}
TWO = {"tools": [{**TOOL, "name": "two"}], "ttlMs": 3_600_000}


async def names(client: McpSource, context: CallContext[Any] | None = None) -> list[str]:
    return [each.name for each in (await client.discover(context)).definitions]


@pytest.mark.rule("mcp-client-kept")
async def test_a_list_is_kept_as_long_as_its_server_said() -> None:
    with serving(_counting(ONE, {**TWO, "ttlMs": 30}, ONE)) as script:
        async with listener(script.url) as client:
            first, second = await client.discover(), await client.discover()
            assert first.definitions == second.definitions
            assert 3600 >= (first.ttl or 0) > (second.ttl or 0) > 3000
            assert len(script.of("tools/list")) == 1
            await client.aclose()
            await client.__aenter__()
            assert await names(client) == ["two"]
            with anyio.fail_after(PATIENCE):
                while await names(client) == ["two"]:
                    await anyio.sleep(0.01)
    assert len(script.of("tools/list")) == 3


@pytest.mark.rule("mcp-client-kept")
@pytest.mark.parametrize("given", [{}, {"ttlMs": 0}, {"ttlMs": -5}])
async def test_a_list_without_a_life_is_not_kept(given: dict[str, Any]) -> None:
    with serving(_counting({"tools": [], **given})) as script:
        async with listener(script.url) as client:
            await client.discover()
            await client.discover()
    assert len(script.of("tools/list")) == 2


@pytest.mark.rule("mcp-client-kept")
async def test_who_wants_it_asks_each_time() -> None:
    with serving(_counting(ONE, TWO)) as script:
        async with listener(script.url, caching=False) as client:
            assert [await names(client), await names(client)] == [["one"], ["two"]]


@pytest.mark.rule("mcp-client-kept")
async def test_word_of_a_change_makes_a_kept_list_stale_at_once() -> None:
    radio = Radio()
    script = telling(radio)
    script.answers["tools/list"] = _counting(ONE, TWO).answers["tools/list"]
    with serving(script):
        async with listener(script.url) as client, anyio.create_task_group() as tasks:
            tasks.start_soon(radio.listening)
            async with client.changes() as changes:
                assert [await names(client), await names(client)] == [["one"], ["one"]]
                radio.all[0].change()
                await step(changes)
                assert [await names(client), await names(client)] == [["two"], ["two"]]


@pytest.mark.rule("mcp-client-kept")
async def test_a_change_while_the_list_is_read_makes_it_stale() -> None:
    radio = Radio()
    script = telling(radio)
    changed = notification(LIST_CHANGED)
    first = {"resultType": "complete", **ONE}
    script.on(
        "tools/list",
        lambda call: stream(event(changed), event(response(call, first))),
        lambda call: result(call, {"resultType": "complete", **TWO}),
    )
    with serving(script):
        async with listener(script.url) as client:
            assert [await names(client), await names(client)] == [["one"], ["two"]]


@pytest.mark.rule("mcp-client-kept")
async def test_lists_of_different_users_are_kept_apart() -> None:
    def listed(call: Call) -> Reply:
        return result(
            call,
            {
                "resultType": "complete",
                "tools": [{**TOOL, "name": call.headers["authorization"]}],
                "ttlMs": 3_600_000,
                "cacheScope": "private",
            },
        )

    def headers(context: CallContext[object], *, refresh: bool) -> dict[str, str]:
        assert context.principal is not None
        return {"Authorization": context.principal.id}

    ada, bob = (CallContext(principal=Principal(id=each)) for each in ("ada", "bob"))
    with serving(modern().on("tools/list", listed)) as script:
        async with source(script.url, headers=headers) as client:
            for _ in range(2):
                assert (await names(client, ada), await names(client, bob)) == (["ada"], ["bob"])
    assert len(script.of("tools/list")) == 2
