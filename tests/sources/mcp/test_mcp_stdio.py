"""Local servers: begun, asked, dead, hanging, noisy, and ended with all they started."""

import gc
import json
import logging
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from tests.sources.mcp.asking import call, failing, hurry, tool
from tests.sources.mcp.local_server import BOTH, FAST, HASTY, SERVER, alive, gone
from toolroll.content import Text
from toolroll.outcome import ConfigError
from toolroll.sources.adoption import as_toolkit
from toolroll.sources.mcp import mcp_stdio
from toolroll.sources.mcp.line import Line, LineReader
from toolroll.sources.source import SourceError, Timeouts
from toolroll.testing.polling import until
from toolroll.tools.behavior import Behavior
from toolroll.tools.call import ToolCall
from toolroll.tools.context import CallContext, Question
from toolroll.tools.context import Reply as Answer
from toolroll.tools.hints import Hints

pytestmark = pytest.mark.anyio

# --- lines


@pytest.mark.rule("mcp-client-stdio-lines")
def test_chunks_are_not_lines() -> None:
    reader = LineReader()
    whole = '{"t":"café"}\r\n\n{"b":1}\n{"c":2}'.encode()
    lines = [line for at in range(len(whole)) for line in reader.feed(whole[at : at + 1])]
    assert [line.data.decode() for line in [*lines, *reader.end()]] == [
        '{"t":"café"}',
        '{"b":1}',
        '{"c":2}',
    ]
    assert reader.end() == []


@pytest.mark.rule("mcp-client-bounded")
def test_a_line_that_is_too_long_keeps_its_head_and_tail() -> None:
    reader = LineReader(limit=10_000)
    for _ in range(1000):
        assert reader.feed(b"x" * 1000) == []
    [line, after] = reader.feed(b'"id":5}\nnext\n')
    assert line.cut
    assert line.length == 1_000_007
    assert line.data.startswith(b"xxx")
    assert line.data.endswith(b'"id":5}')
    assert len(line.data) < 10_000
    assert after == Line(b"next", 4)


@pytest.mark.rule("mcp-client-stdio-lines")
@BOTH
async def test_a_banner_does_not_kill_the_connection(
    local: Any, caplog: pytest.LogCaptureFixture
) -> None:
    async with local("is noisy") as client:
        assert (await call(client)).text == "ok"
    noise = [record for record in caplog.records if "passed over" in record.getMessage()]
    assert len(noise) == 2
    assert "Server v1 starting" in caplog.text


# --- eras


@pytest.mark.rule("mcp-client-stdio-eras")
@pytest.mark.parametrize(
    ("how", "methods"),
    [
        ("is modern", ["server/discover", "tools/call"]),
        ("is legacy", ["server/discover", "initialize", "notifications/initialized", "tools/call"]),
        ("is silent", ["server/discover", "initialize", "notifications/initialized", "tools/call"]),
        (
            "dies on probe",
            ["server/discover", "initialize", "notifications/initialized", "tools/call"],
        ),
    ],
)
async def test_the_era_of_a_local_server_is_found_out(
    local: Any, seen: Any, how: str, methods: list[str]
) -> None:
    async with local(how, options=HASTY if how == "is silent" else FAST) as client:
        assert (await call(client)).text == "ok"
        assert [message["method"] for message in seen()] == methods
        assert (await call(client)).text == "ok"
    assert [message["method"] for message in seen()] == [*methods, "tools/call"]
    meta = seen()[-1]["params"]["_meta"]
    assert ("io.modelcontextprotocol/protocolVersion" in meta) is (how == "is modern")


@pytest.mark.rule("mcp-client-stdio-eras")
async def test_a_modern_server_that_was_slow_to_say_so_is_modern(local: Any, seen: Any) -> None:
    async with local("is modern alone", options=replace(FAST, probe=0)) as client:
        assert (await call(client)).text == "ok"
    methods = [message["method"] for message in seen()]
    assert methods == ["server/discover", "initialize", "tools/call"]


@pytest.mark.rule("mcp-client-era-pinned")
async def test_a_pinned_era_counts_for_local_servers_too(local: Any, seen: Any) -> None:
    async with local("is modern", options=replace(FAST, era="legacy")) as client:
        await call(client)
    assert next(message["method"] for message in seen()) == "initialize"
    async with local("is legacy", options=replace(FAST, era="modern")) as client:
        assert (await failing(client)).reason == "unavailable"


# --- death and silence


@pytest.mark.rule("mcp-client-stdio-dead")
@pytest.mark.parametrize(
    ("how", "says"),
    [
        ("dies on call", "exit code 3"),
        ("killed on call", "exit code -9"),
        ("closes output on call", "closed its output"),
    ],
)
@BOTH
async def test_a_server_that_ends_fails_its_calls_at_once(local: Any, how: str, says: str) -> None:
    async with local(how, timeouts=Timeouts(connect=60, idle=3600, total=3600)) as client:
        await client.discover()
        for _ in range(2):
            failure = await failing(client)
            assert (failure.reason, failure.retryable, failure.may_have_run) == (
                "outcome-unknown",
                False,
                True,
            )
            assert says in failure.description
            assert "hunter2" not in failure.message


@pytest.mark.rule("mcp-client-stdio-dead")
@BOTH
async def test_all_who_wait_are_told_and_the_next_call_starts_it_again(
    local: Any, pids: Any, seen: Any
) -> None:
    failures: list[SourceError] = []
    patient = Timeouts(connect=60, idle=60, total=60)
    async with local("is modern", timeouts=patient) as client:
        await client.discover()

        async def one(arguments: dict[str, Any]) -> None:
            failures.append(await failing(client, arguments=arguments))

        async with anyio.create_task_group() as tasks:
            for _ in range(3):
                tasks.start_soon(one, {"hang": True})
            # What begins first is up to the event loop: a server that is dead would be begun anew.
            assert await until(
                lambda: [message["method"] for message in seen()].count("tools/call") == 3, 30
            )
            tasks.start_soon(one, {"die": True})
        assert [failure.reason for failure in failures] == ["outcome-unknown"] * 4
        assert (await call(client, {"text": "again"})).text == "again"
    assert len(pids()) == 2


@pytest.mark.rule("mcp-client-stdio-dead", "mcp-client-lost-answer")
async def test_a_call_that_does_no_harm_is_made_again_once(local: Any, pids: Any) -> None:
    reads = tool(hints=Hints(read_only=True))
    async with local("is modern", trust=True) as client:
        assert (
            await failing(client, arguments={"die": True}, tool=reads)
        ).reason == "outcome-unknown"
    assert len(pids()) == 2
    async with local("is modern") as client:
        assert (
            await failing(client, arguments={"die": True}, tool=reads)
        ).reason == "outcome-unknown"
    assert len(pids()) == 3


@pytest.mark.rule("mcp-client-stdio-dead")
@BOTH
async def test_a_server_that_died_between_calls_is_started_again(local: Any, pids: Any) -> None:
    async with local("is legacy") as client:
        await call(client)
        os.kill(pids()[0], 9)
        assert gone(pids())
        assert (await call(client)).text == "ok"
    assert len(pids()) == 2


@pytest.mark.rule("mcp-client-stdio-dead")
async def test_a_server_that_no_longer_reads_fails_what_it_did_not_get(local: Any) -> None:
    async with local("closes input on call") as client:
        await client.discover()
        hurry(client, idle=1)
        first = await failing(client)
        assert first.reason in ("idle-timed-out", "outcome-unknown")
        second = await failing(client)
        assert second.source == "demo"


@pytest.mark.rule("mcp-client-stdio-hangs", "mcp-client-limits")
@pytest.mark.parametrize("how", ["hangs", "says only noise"])
@BOTH
async def test_a_server_that_is_not_ready_in_time_is_gone(
    local: Any, started: list[int], how: str
) -> None:
    limits = Timeouts(connect=0.8, idle=3600, total=3600)
    async with local(how, options=HASTY, timeouts=limits) as client:
        failure = await failing(client)
        assert (failure.reason, failure.may_have_run) == ("unavailable", False)
        assert "connect" in failure.description
        assert len(started) == 1
        assert gone(started)


@pytest.mark.rule("mcp-client-stdio-hangs")
async def test_a_caller_who_gives_up_does_not_start_a_slow_server_again(
    local: Any, started: list[int], tmp_path: Path
) -> None:
    ready = tmp_path / "ready"
    async with local("is slow", READY=str(ready)) as client:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(call, client)
            assert await until(lambda: len(started) == 1, 60)
            tasks.cancel_scope.cancel()
        ready.touch()
        assert (await call(client)).text == "ok"
    assert len(started) == 1


@pytest.mark.rule("mcp-client-stdio-command")
async def test_a_command_that_is_not_there_says_where_it_was_looked_for() -> None:
    for command in ("no-such-program --flag", ["/no/such/program"]):
        async with mcp_stdio("demo", command, env={"PATH": "/nowhere"}) as client:
            failure = await failing(client)
        assert (failure.reason, failure.retryable) == ("unavailable", False)
        assert "/no" in failure.description
        assert "no" not in failure.message.split("now")[0] or "/no" not in failure.message


@pytest.mark.rule("mcp-client-stdio-command")
async def test_a_program_that_cannot_be_started_is_unavailable(tmp_path: Path) -> None:
    program = tmp_path / "server"
    program.write_text("no program")
    program.chmod(0o755)
    async with mcp_stdio("demo", [str(program)]) as client:
        assert (await failing(client)).reason == "unavailable"


@pytest.mark.rule("mcp-client-stdio-command")
def test_a_command_that_is_none_is_refused_at_once() -> None:
    for command in ("", [], "a 'b", ["", "x"], ["a\0b"]):
        with pytest.raises(ConfigError):
            mcp_stdio("demo", command)


# --- many calls, cancelling, limits


@pytest.mark.rule("mcp-client-stdio-together")
@BOTH
async def test_many_calls_are_answered_each_by_its_id(local: Any) -> None:
    answers: dict[int, str] = {}
    async with local("is modern") as client:

        async def one(number: int) -> None:
            answers[number] = (await call(client, {"text": str(number)})).text

        async with anyio.create_task_group() as tasks:
            for number in range(60):
                tasks.start_soon(one, number)
    assert answers == {number: str(number) for number in range(60)}


@pytest.mark.rule(
    "mcp-client-cancel-reaches-server", "mcp-client-stdio-together", "mcp-client-row-cancel"
)
@BOTH
async def test_a_call_that_times_out_is_cancelled_and_its_late_answer_ignored(
    local: Any, seen: Any
) -> None:
    async with local("is legacy") as client:
        await client.discover()
        hurry(client, idle=0.5)
        failure = await failing(client, arguments={"late": True})
        assert failure.reason == "idle-timed-out"
        assert failure.may_have_run
        hurry(client)
        assert (await call(client, {"text": "second"})).text == "second"
    calls = [message["id"] for message in seen() if message["method"] == "tools/call"]
    [told] = [message for message in seen() if message["method"] == "notifications/cancelled"]
    assert told["params"]["requestId"] == calls[0]


@pytest.mark.rule("mcp-client-stdio-together")
async def test_cancelling_the_one_who_reads_costs_no_other(local: Any, tmp_path: Path) -> None:
    answers: list[str] = []
    cancelled = tmp_path / "cancelled"
    async with local("is modern") as client:
        await client.discover()

        async def one(number: int) -> None:
            answers.append((await call(client, {"text": str(number)})).text)

        scope = anyio.CancelScope()
        async with anyio.create_task_group() as tasks:

            async def reader() -> None:
                with scope:
                    await call(client, {"until": str(cancelled)})

            tasks.start_soon(reader)
            await anyio.wait_all_tasks_blocked()
            for number in range(4):
                tasks.start_soon(one, number)
            await anyio.wait_all_tasks_blocked()
            scope.cancel()
            cancelled.touch()
        assert scope.cancelled_caught
    assert sorted(answers) == ["0", "1", "2", "3"]


@pytest.mark.rule("mcp-client-limits")
async def test_reports_for_ever_meet_the_total_limit(local: Any) -> None:
    async with local("reports for ever") as client:
        await client.discover()
        hurry(client, total=1.5)
        failure = await failing(client)
    assert failure.reason == "timed-out"
    assert "total" in failure.description


# --- floods


@pytest.mark.rule("mcp-client-stdio-errors")
@BOTH
async def test_error_output_never_blocks_and_goes_to_the_log(
    local: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "toolroll.mcp.demo")
    async with local("floods errors") as client:
        assert (await call(client)).text == "ok"
    lines = [
        record.getMessage() for record in caplog.records if record.getMessage().startswith("eee")
    ]
    assert 1 < len(lines) <= 3000
    assert max(map(len, lines)) <= 1000


@pytest.mark.rule("mcp-client-stdio-errors")
@BOTH
async def test_a_server_that_talks_while_nobody_calls_never_waits(
    local: Any, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    caplog.set_level(logging.INFO, "toolroll.mcp.demo")
    called, said = tmp_path / "called", tmp_path / "said"
    async with local("chats", CALLED=str(called), SAID=str(said)) as client:
        await client.discover()
        called.touch()
        assert await until(said.exists, 60)
        assert await until(lambda: caplog.messages.count("e" * 999) == 5000, 60)
    assert await until(lambda: caplog.messages[-1] == "the end", 60)
    assert caplog.messages.count("e" * 999) == 5000


@pytest.mark.rule("mcp-client-stdio-errors")
@BOTH
async def test_last_words_without_a_line_end_are_told(local: Any) -> None:
    async with local("dies with a word") as client:
        await client.discover()
        failure = await failing(client)
        assert "no memory left" in failure.description
        assert "no memory left" not in failure.message


@pytest.mark.rule("mcp-client-stdio-lines")
async def test_a_flood_of_noise_is_passed_over(
    local: Any, caplog: pytest.LogCaptureFixture
) -> None:
    async with local("floods output") as client:
        assert (await call(client)).text == "ok"
    assert len([each for each in caplog.records if "passed over" in each.getMessage()]) <= 10


@pytest.mark.rule("mcp-client-bounded")
@BOTH
async def test_a_huge_answer_fails_its_call_alone(local: Any) -> None:
    limited = replace(FAST, message_bytes=1_000_000)
    async with local("is huge", options=limited) as client:
        assert len((await client.discover()).definitions) == 1
        failure = await failing(client)
        assert failure.reason == "result-too-large"
        assert len((await client.discover()).definitions) == 1


@pytest.mark.rule("mcp-client-bounded")
async def test_an_endless_line_meets_a_limit_and_no_memory_is_filled(local: Any) -> None:
    limited = replace(FAST, message_bytes=100_000)
    async with local("goes on and on", options=limited) as client:
        await client.discover()
        hurry(client, idle=1)
        assert (await failing(client)).reason == "idle-timed-out"


@pytest.mark.rule("mcp-client-bounded")
@BOTH
async def test_a_large_question_to_a_server_that_talks_first_is_no_deadlock(local: Any) -> None:
    async with local("floods output") as client:
        await client.discover()
        assert (
            await call(client, {"text": "y" * 150_000, "more": "z" * 3_000_000})
        ).text.startswith("yyy")


# --- questions, environment


@pytest.mark.rule("mcp-client-answers-requests")
async def test_a_local_legacy_server_pings_and_asks(local: Any) -> None:
    async def ask(question: Question) -> Answer:
        return Answer("accept", {"name": "Ada"})

    async with local("asks", options=replace(FAST, questions=True)) as client:
        asked = json.loads((await call(client, context=CallContext(on_ask=ask))).text)
        assert [each["result"] for each in asked] == [
            {},
            {"action": "accept", "content": {"name": "Ada"}},
        ]
        asked = json.loads((await call(client)).text)
        assert [each["result"] for each in asked] == [{}, {"action": "cancel"}]


@pytest.mark.rule("mcp-client-stdio-environment")
async def test_a_local_server_gets_a_small_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-ours")
    monkeypatch.setenv("LANG", "() { :; }")
    command = [sys.executable, str(SERVER), "is modern"]
    async with mcp_stdio("demo", command, env={"GIVEN": "x"}, cwd=tmp_path) as client:
        got = json.loads((await call(client, {"environment": True})).text)
    assert "OPENAI_API_KEY" not in got
    assert "LANG" not in got
    assert got["GIVEN"] == "x"
    assert got["PATH"] == os.environ["PATH"]
    assert got["cwd"] == str(tmp_path)


# --- ending


@pytest.mark.rule("mcp-client-stdio-group")
@pytest.mark.parametrize("how", ["is modern", "leaves a child", "is stubborn"])
@BOTH
async def test_nothing_is_left_after_closing(local: Any, pids: Any, how: str) -> None:
    async with local(how) as client:
        assert (await call(client)).text == "ok"
        started = pids()
        assert all(map(alive, started))
    assert gone(started)


@pytest.mark.rule("mcp-client-stdio-group")
async def test_nothing_is_left_when_the_caller_is_cancelled(
    local: Any, pids: Any, seen: Any
) -> None:
    begun = anyio.Event()

    async def use() -> None:
        async with local("leaves a child") as client:
            await client.discover()
            begun.set()
            await call(client, {"hang": True})

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(use)
        await begun.wait()
        assert await until(lambda: seen()[-1]["method"] == "tools/call", 60)
        tasks.cancel_scope.cancel()
    assert len(pids()) == 2
    assert gone(pids())


@pytest.mark.rule("mcp-client-stdio-group")
async def test_a_source_that_is_forgotten_takes_its_process_along(local: Any, pids: Any) -> None:
    client = local("leaves a child")
    assert (await call(client)).text == "ok"
    assert all(map(alive, pids()))
    del client
    gc.collect()
    assert gone(pids())


@pytest.mark.rule("mcp-client-stdio-group")
def test_a_program_that_ends_takes_its_servers_along(tmp_path: Path) -> None:
    kept = tmp_path / "pids"
    code = """
import anyio, sys
from toolroll.sources.mcp import mcp_stdio
async def main():
    command = [sys.executable, sys.argv[1], "is stubborn"]
    await mcp_stdio("demo", command, env={"PIDS": sys.argv[2]}).discover()
    exec(sys.argv[3])
anyio.run(main)
"""
    for end in ("pass", "raise KeyboardInterrupt", "sys.exit(3)"):
        words = [sys.executable, "-c", code, str(SERVER), str(kept), end]
        ran = subprocess.run(words, capture_output=True, check=False)
        assert ran.returncode in (0, 1, 3, 130, -2), ran.stderr.decode()
        started = [int(line) for line in kept.read_text().splitlines()]
        assert len(started) >= 2
        assert gone(started)


# --- life


@pytest.mark.rule("mcp-client-lifecycle")
async def test_local_sources_open_and_close_in_any_task_and_order(local: Any) -> None:
    a, b = local("is modern"), local("is modern")
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(a.__aenter__)
        tasks.start_soon(call, b)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(a.aclose)
    assert (await call(b)).text == "ok"
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(b.aclose)
    assert "closed" in (await failing(b)).description
    async with b:
        assert (await call(b)).text == "ok"


@pytest.mark.rule("mcp-client-lifecycle")
@BOTH
async def test_closing_while_calls_wait_ends_them(local: Any, seen: Any) -> None:
    failures: list[SourceError] = []
    client = local("is modern")
    await client.discover()

    async def one() -> None:
        failures.append(await failing(client, arguments={"hang": True}))

    async with anyio.create_task_group() as tasks:
        for _ in range(3):
            tasks.start_soon(one)
        assert await until(lambda: str(seen()).count("'tools/call'") == 3, 60)
        await client.aclose()
    assert [failure.reason for failure in failures] == ["outcome-unknown"] * 3
    assert "closed" in failures[0].description


@pytest.mark.rule("mcp-client-stdio-threads")
@BOTH
async def test_a_local_source_becomes_a_toolkit(local: Any) -> None:
    async with local("is modern") as client:
        kit = as_toolkit(client, (await client.discover()).definitions)
        outcome = await kit.call(ToolCall.of("echo", {"text": "hi"}), CallContext())
    assert outcome.for_model() == [Text("hi")]


@pytest.mark.rule("mcp-client-lifecycle")
def test_one_source_serves_several_event_loops_one_after_the_other(local: Any, pids: Any) -> None:
    client = local("is legacy")

    async def once(words: str) -> str:
        return (await call(client, {"text": words})).text

    assert anyio.run(once, "one", backend="asyncio") == "one"
    assert anyio.run(once, "two", backend="asyncio") == "two"
    assert anyio.run(once, "three", backend="trio") == "three"
    anyio.run(client.aclose)
    assert len(pids()) == 1
    assert gone(pids())


@BOTH
@pytest.mark.rule("mcp-client-cancel-reaches-server", "mcp-client-limits")
async def test_a_toolkits_own_limit_reaches_a_local_server(local: Any, seen: Any) -> None:
    async with local("is modern") as client:
        await client.discover()
        kit = as_toolkit(client, [tool()], behavior=Behavior(timeout=0.3))
        outcome = await kit.call(ToolCall.of("echo", {"hang": True}), CallContext())
        assert outcome.kind == "timeout"
        patient = as_toolkit(client, [tool()])
        assert (await patient.call(ToolCall.of("echo", {"text": "on"}), CallContext())).ok
    assert [message["method"] for message in seen()][-2:] == [
        "notifications/cancelled",
        "tools/call",
    ]


@BOTH
@pytest.mark.rule("mcp-client-stdio-together", "mcp-client-answers-requests")
async def test_asking_a_person_holds_nobody_else_up(local: Any, tmp_path: Path) -> None:
    answered, asked = anyio.Event(), anyio.Event()
    answers: list[str] = []

    async def ask(question: Question) -> Answer:
        asked.set()
        await answered.wait()
        return Answer("accept", {"name": "Ada"})

    options = replace(FAST, questions=True)
    async with local("is legacy", options=options, ASKED=str(tmp_path / "asked")) as client:
        await client.discover()

        async def asking() -> None:
            context = CallContext(on_ask=ask)
            answers.append((await call(client, {"ask": True}, context=context)).text)

        async def other() -> None:
            answers.append((await call(client, {"text": "other"})).text)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(asking)
            await asked.wait()
            for _ in range(3):
                tasks.start_soon(other)
            assert await until(lambda: len(answers) == 3, 60)
            answered.set()
    assert answers[:3] == ["other"] * 3
    assert "Ada" in answers[3]


@pytest.mark.rule("mcp-client-stdio-eras", "mcp-client-era-kept")
async def test_a_server_that_could_not_start_is_not_taken_for_legacy(
    local: Any, tmp_path: Path
) -> None:
    async with local("is broken at first", ONCE=str(tmp_path / "once")) as client:
        assert (await call(client)).text == "ok"
        assert client.server is not None
        assert client.server.versions == ("2026-07-28",)


@pytest.mark.rule("mcp-client-stdio-eras", "mcp-client-era-kept")
async def test_a_local_server_that_becomes_modern_is_found_out_again(local: Any) -> None:
    client = local("is modern alone")
    client._wire._era = "legacy"  # what was known of it before an upgrade
    async with client:
        assert (await call(client)).text == "ok"
