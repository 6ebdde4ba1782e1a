"""Reference servers that others wrote, as they are installed: listed, called, and in one kit."""

import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any, Literal

import pytest

from tests.counterparts.node import node, server, serving
from toolroll import (
    Answer,
    CallContext,
    Policy,
    Rule,
    ToolCall,
    ToolDefinition,
    ToolResult,
    Workspace,
)
from toolroll.content import EmbeddedResource, Image, JsonObject, ResourceLink, Text
from toolroll.sources import Timeouts
from toolroll.sources.mcp import McpOptions, McpSource, mcp_http, mcp_stdio
from toolroll.tools.context import Progress, Question, Reply

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.counterparts,
    pytest.mark.rule("live-servers", "mcp-client-real-servers"),
]

PATIENT = Timeouts(connect=120, idle=60, total=120)
Era = Literal["auto", "legacy"]
NOTHING: CallContext[Any] = CallContext()


class Live:
    """A source that is open, and what it listed."""

    def __init__(self, source: McpSource, tools: dict[str, ToolDefinition]) -> None:
        self.source, self.tools = source, tools

    async def call(
        self, name: str, context: CallContext[Any] = NOTHING, /, **input: Any
    ) -> ToolResult:
        return await self.source.call(self.tools[name], input, context)


async def listed(source: McpSource, *, version: str) -> Live:
    """List an open source; it must have agreed on this version."""
    found = await source.discover()
    assert found.report.notes == ()
    assert source.server is not None
    assert version in source.server.versions
    return Live(source, {each.name: each for each in found.definitions})


def local(name: str, *command: str, era: Era = "auto", **env: str) -> McpSource:
    made = mcp_stdio(name, [*command], env=env, timeouts=PATIENT)
    return made.with_options(McpOptions(era=era, questions=True, probe=60))


def everything(era: Era = "auto") -> McpSource:
    return local("everything", node(), server("everything"), "stdio", era=era)


def filesystem(folder: Path) -> McpSource:
    return local("files", node(), server("filesystem"), str(folder))


def memory(folder: Path) -> McpSource:
    file = str(folder / "memory.jsonl")
    return local("memory", node(), server("memory"), MEMORY_FILE_PATH=file)


def git(folder: Path, era: Era = "auto") -> McpSource:
    return local("git", sys.executable, "-m", "mcp_server_git", "-r", str(folder), era=era)


def clock(era: Era = "auto") -> McpSource:
    return local(
        "clock", sys.executable, "-m", "mcp_server_time", "--local-timezone", "UTC", era=era
    )


def repository(folder: Path) -> Path:
    folder.mkdir()
    subprocess.run(["git", "init", "-q", "-b", "main", str(folder)], check=True)
    (folder / "new.txt").write_text("new\n")
    return folder


@pytest.fixture(scope="module", params=["streamableHttp", "sse"])
def address(request: pytest.FixtureRequest) -> Generator[tuple[str, str]]:
    """The address of server-everything over one of its transports, and its version there."""
    command = [node(), server("everything"), str(request.param)]
    with serving(command, {"PORT": "0"}) as port:
        if request.param == "sse":
            yield f"http://127.0.0.1:{port}/sse", "2024-11-05"
        else:
            yield f"http://127.0.0.1:{port}/mcp", "2025-11-25"


async def fill(question: Question) -> Reply:
    """Fill in the one field that must be."""
    assert question.message
    return Reply("accept", {"name": "Ada"})


async def works(live: Live) -> None:
    """Whatever server-everything can show a client of tools."""
    echo = await live.call("echo", message="héllo 世界")
    assert echo.text == "Echo: héllo 世界"
    assert (await live.call("get-sum", a=2, b=3)).text == "The sum of 2 and 3 is 5."
    weather = await live.call("get-structured-content", location="Chicago")
    assert weather.data == {
        "temperature": 36,
        "conditions": "Light rain / drizzle",
        "humidity": 82,
    }
    assert weather.content == ()
    picture = await live.call("get-tiny-image")
    assert any(isinstance(block, Image) for block in picture.content)
    links = await live.call("get-resource-links", count=2)
    assert sum(isinstance(block, ResourceLink) for block in links.content) == 2
    resource = await live.call("get-resource-reference", resourceType="Text", resourceId=1)
    assert any(isinstance(block, EmbeddedResource) for block in resource.content)
    wrong = await live.call("get-sum", a="two", b=3)
    assert wrong.is_error
    heard: list[Progress] = []
    hears: CallContext[Any] = CallContext(on_progress=heard.append)
    await live.call("trigger-long-running-operation", hears, duration=0.2, steps=2)
    assert heard == [Progress("", 1, 2), Progress("", 2, 2)]


@pytest.mark.parametrize("era", ["auto", "legacy"])
async def test_everything_works_over_stdio(era: Era) -> None:
    async with everything(era) as source:
        live = await listed(source, version="2025-11-25")
        await works(live)
        asked = await live.call("trigger-elicitation-request", CallContext(on_ask=fill))
        assert "Ada" in asked.text


async def test_everything_works_over_http(address: tuple[str, str]) -> None:
    url, version = address
    source = mcp_http("everything", url, timeouts=PATIENT)
    async with source.with_options(McpOptions(questions=version != "2024-11-05")) as source:
        live = await listed(source, version=version)
        await works(live)
        if version != "2024-11-05":
            asked = await live.call("trigger-elicitation-request", CallContext(on_ask=fill))
            assert "Ada" in asked.text


async def test_files_are_written_read_and_kept_inside(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "secret.txt").write_text("not for the model")
    async with filesystem(inside) as source:
        live = await listed(source, version="2025-11-25")
        path = str(inside / "note.txt")
        assert not (await live.call("write_file", path=path, content="one\ntwo\n")).is_error
        assert (inside / "note.txt").read_text() == "one\ntwo\n"
        read = await live.call("read_text_file", path=path)
        assert read.data == {"content": "one\ntwo\n"}
        outside = await live.call("read_text_file", path=str(tmp_path / "secret.txt"))
        assert outside.is_error
        assert "not for the model" not in outside.text


async def test_a_memory_is_kept_from_one_process_to_the_next(tmp_path: Path) -> None:
    ada: JsonObject = {"name": "Ada", "entityType": "person", "observations": ["counts"]}
    async with memory(tmp_path) as source:
        live = await listed(source, version="2025-11-25")
        await live.call("create_entities", entities=[ada])
    async with memory(tmp_path) as source:
        live = await listed(source, version="2025-11-25")
        found: Any = (await live.call("search_nodes", query="counts")).data
        assert [each["name"] for each in found["entities"]] == ["Ada"]


@pytest.mark.parametrize("era", ["auto", "legacy"])
async def test_a_repository_is_read_and_added_to(tmp_path: Path, era: Era) -> None:
    folder = repository(tmp_path / "repository")
    async with git(folder, era) as source:
        live = await listed(source, version="2026-07-28" if era == "auto" else "2025-11-25")
        status = await live.call("git_status", repo_path=str(folder))
        assert "new.txt" in status.text
        await live.call("git_add", repo_path=str(folder), files=["new.txt"])
        staged = await live.call("git_diff_staged", repo_path=str(folder))
        assert "+new" in staged.text
        elsewhere = await live.call("git_status", repo_path=str(tmp_path))
        assert elsewhere.is_error


@pytest.mark.parametrize("era", ["auto", "legacy"])
async def test_a_clock_tells_the_time(era: Era) -> None:
    async with clock(era) as source:
        live = await listed(source, version="2026-07-28" if era == "auto" else "2025-11-25")
        now: Any = (await live.call("get_current_time", timezone="Europe/Madrid")).data
        assert now["timezone"] == "Europe/Madrid"
        assert (await live.call("get_current_time", timezone="Nowhere/Here")).is_error


async def test_they_all_work_in_one_kit(tmp_path: Path) -> None:
    inside, folder = tmp_path / "inside", repository(tmp_path / "repository")
    inside.mkdir()
    sources = [everything(), filesystem(inside), memory(tmp_path), git(folder), clock()]
    policy = Policy([Rule("allow"), Rule("block", source="git", tools=("git_reset",))])
    async with Workspace(sources, policy, discover_within=120) as workspace:
        kit = workspace.kit
        names = {each.definition.name for each in kit.listing(NOTHING).tools}
        assert "git__git_reset" not in names

        async def run(name: str, input: JsonObject) -> ToolResult:
            assert name in names
            outcome = await kit.call(ToolCall.of(name, input), NOTHING)
            assert isinstance(outcome, Answer), outcome
            return outcome.result

        assert (await run("everything__echo", {"message": "hi"})).content == (Text("Echo: hi"),)
        path = str(inside / "a.txt")
        await run("files__write_file", {"path": path, "content": "x"})
        assert (inside / "a.txt").read_text() == "x"
        assert (await run("memory__read_graph", {})).data == {"entities": [], "relations": []}
        status = await run("git__git_status", {"repo_path": str(folder)})
        assert "new.txt" in status.text
        converted: Any = (
            await run(
                "clock__convert_time",
                {"source_timezone": "UTC", "time": "12:00", "target_timezone": "Asia/Tokyo"},
            )
        ).data
        assert converted["time_difference"] == "+9.0h"
        wrong = await kit.call(ToolCall.of("everything__get-sum", {"a": "two"}), NOTHING)
        assert wrong.to_json()["kind"] == "invalid_input"
