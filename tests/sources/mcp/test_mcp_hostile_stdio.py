"""Over stdio: servers that mean harm, or count as if they did."""

import os
import sys
import warnings
from dataclasses import replace
from typing import Any

import anyio
import pytest

from tests.sources.mcp.asking import AMPLE, call, failing, looking
from tests.sources.mcp.local_server import FAST
from toolroll.outcome import ConfigError
from toolroll.sources.mcp import McpOptions, McpSource, mcp_stdio
from toolroll.sources.source import SourceError
from toolroll.tools.context import CallContext, Progress

pytestmark = pytest.mark.anyio

POSIX = pytest.mark.skipif(os.name != "posix", reason="Windows has no sh, and takes any text")

SERVER = """
import json, os, sys
def write(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\\n")
def answer(request, result):
    write({"id": request["id"], "result": {"resultType": "complete", **result}})
    sys.stdout.flush()
def called(request):
    answer(request, {"content": [{"type": "text", "text": "ok"}]})
CODE
for line in sys.stdin:
    request = json.loads(line)
    if request["method"] == "server/discover":
        answer(request, {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}})
    elif request["method"] == "tools/call":
        called(request)
    elif request["method"] == "subscriptions/listen":
        refused(request)
"""
TALKS = """
honest = called
def called(request):
    token = request["params"]["_meta"]["progressToken"]
    for step in range(30_000):
        params = {"progressToken": token, "progress": step}
        write({"method": "notifications/progress", "params": params})
    honest(request)
"""
ODD_ID = r"""
def called(request):
    sys.stdout.buffer.write(b'{"id": "\xff\xfe", "x": "' + b"x" * 9000 + b'"}\n')
    sys.stdout.flush()
"""

TELLS = """
print("using", os.environ["API_TOKEN"])
print("using", os.environ["API_TOKEN"], file=sys.stderr, flush=True)
def called(request):
    said = {"level": "info", "data": "using " + os.environ["API_TOKEN"]}
    write({"method": "notifications/message", "params": said})
    write({"method": "notifications/" + os.environ["API_TOKEN"]})
    sys.stdout.flush()
    os._exit(1)
"""
TELLS_BEFORE = """
def answer(request, result, honest=answer):
    if request["method"] == "server/discover":
        result["instructions"] = "using " + os.environ["API_TOKEN"]
        result["capabilities"]["tools"]["listChanged"] = True
        if LATE:
            initialize = json.loads(sys.stdin.readline())
            write({"id": initialize["id"], "error": {"code": -32601, "message": "no"}})
    honest(request, result)
def called(request):
    answer(request, {"content": []})
def refused(request):
    fault = {"code": -32603, "message": "using " + os.environ["API_TOKEN"]}
    write({"id": request["id"], "error": fault})
    sys.stdout.flush()
"""
SAYS_WHO = """
def called(request):
    answer(request, {"content": [{"type": "text", "text": str(os.getpid())}]})
"""
TOKEN = "tok-4711/abcDEF+ghi"


def local(code: str = "", *, options: McpOptions = FAST, **given: Any) -> McpSource:
    """A modern server of this process's Python; `code` may define `called` anew."""
    words = [sys.executable, "-c", SERVER.replace("CODE", code)]
    return mcp_stdio("demo", words, timeouts=AMPLE, **given).with_options(options)


@pytest.mark.rule("mcp-client-time-to-end")
async def test_other_tasks_run_while_a_server_floods_its_output() -> None:
    heard: list[Progress] = []
    async with local(TALKS) as client, looking(lambda: len(heard)) as seen:
        assert (await call(client, context=CallContext(on_progress=heard.append))).text == "ok"
    assert len(seen) > 5


@pytest.mark.rule("mcp-client-bounded")
async def test_an_id_that_is_no_text_in_a_message_beyond_the_limit_is_passed_over() -> None:
    async with local(ODD_ID, options=replace(FAST, message_bytes=4096)) as client:
        assert (await failing(client)).reason == "result-too-large"


@POSIX
@pytest.mark.rule("mcp-client-stdio-dead")
async def test_a_server_that_is_gone_before_it_is_asked_is_told_with_its_exit_code() -> None:
    async with mcp_stdio("demo", ["sh", "-c", "exit 7"], timeouts=AMPLE) as client:
        with pytest.raises(SourceError, match="exit code 7"):
            await client.discover()


@pytest.mark.rule("mcp-client-stdio-command")
@pytest.mark.parametrize(
    "given",
    [
        {"env": {"A": "x\0y"}},
        {"env": {"A=B": "x"}},
        {"env": {"": "x"}},
        {"env": {"PORT": 8080}},
        pytest.param({"env": {"A": "\ud800"}}, marks=POSIX),
        {"cwd": "a\0b"},
    ],
    ids=str,
)
def test_surroundings_that_no_process_can_have_are_refused_at_once(given: Any) -> None:
    with pytest.raises(ConfigError):
        mcp_stdio("demo", ["server"], **given)


@pytest.mark.rule("mcp-client-no-secrets")
async def test_a_credential_of_a_local_server_is_neither_logged_nor_told(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("DEBUG")
    async with local(TELLS, env={"API_TOKEN": TOKEN}) as client:
        told = (await failing(client)).description
    assert told.count("using [hidden]") == 2
    assert caplog.text.count("using [hidden]") == 3
    assert "notification notifications/[hidden]" in caplog.text
    assert TOKEN not in told + caplog.text


@pytest.mark.rule("mcp-client-no-secrets")
@pytest.mark.parametrize("late", [False, True])
async def test_a_credential_of_a_local_server_is_not_told_before_any_call(late: bool) -> None:
    options = replace(FAST, probe=0 if late else 60)
    code = TELLS_BEFORE.replace("LATE", str(late))
    async with local(code, options=options, env={"API_TOKEN": TOKEN}) as client:
        assert (await call(client)).content == ()
        assert client.server is not None
        assert client.server.instructions == "using [hidden]"
        with pytest.raises(SourceError) as told:
            async with client.changes():
                pass
        assert told.value.description.endswith("using [hidden]")


@pytest.mark.rule("mcp-client-stdio-fork")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
def test_a_fork_leaves_the_server_alone_and_gets_one_of_its_own() -> None:
    client = local(SAYS_WHO)

    async def who() -> str:
        return (await call(client)).text

    async def who_then_close() -> str:
        async with client:
            return await who()

    first = anyio.run(who)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of forks while there are threads: none of them is needed
        child = os.fork()
    if child == 0:
        status = 1
        try:
            status = int(anyio.run(who_then_close) == first)
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0
    assert anyio.run(who_then_close) == first
