"""The command, in this process: what it prints where, and how it ends."""

import io
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from toolroll.cli import console, exit_code
from toolroll.cli.running import run

TOOLS = '''
from toolroll import CallContext, Refusal, ToolResult, tool
from toolroll.content import Image, Text


@tool(effect="read")
def add(a: int, b: int = 1) -> int:
    """Add two numbers.

    Args:
        a: the first.
        b: the second.
    """
    return a + b


@tool(effect="write")
def tag(title: str, tags: list[str], ratio: float = 0.5, loud: bool = False, more: dict[str, int] = {}) -> str:
    """Tag something."""
    return repr((title, tags, ratio, loud, more))


@tool(effect="write")
def refuse() -> str:
    """Refuse."""
    raise Refusal("not-today", "Not today.", ["try\\ttomorrow"])


@tool(effect="read")
def fail() -> str:
    """Fail."""
    raise ValueError("secret=hunter2")


@tool(effect="read")
def picture() -> ToolResult:
    """Show \\x1b[31m\\u202ered."""
    return ToolResult(content=(Text("a\\x1b[31mb\\u202ec"), Image("aGk=", "image/png")))


@tool(effect="read")
async def slow() -> str:
    """Take long."""
    import anyio
    await anyio.sleep(30)
    return "done"
'''


@dataclass
class Ran:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def tools(tmp_path: Path) -> str:
    path = tmp_path / "my_tools.py"
    path.write_text(TOOLS, encoding="utf-8")
    return str(path)


@pytest.fixture
def command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Any:
    monkeypatch.chdir(tmp_path)

    def run_it(*arguments: str, stdin: str = "") -> Ran:
        console.console.cache_clear()
        console.error_console.cache_clear()
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        code = run(arguments)
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return run_it


@pytest.mark.rule("cli-over-one-source")
def test_list_shows_name_source_effect_decision_and_size(command: Any, tools: str) -> None:
    ran = command("list", tools)
    assert ran.code == exit_code.OK
    header, first, *_ = ran.out.splitlines()
    assert header.split() == ["tool", "source", "effect", "decision", "bytes", "description"]
    assert first.split()[:4] == ["add", "my_tools", "read", "allow"]
    assert "6 tools" in ran.err


@pytest.mark.rule("cli-data-on-stdout")
def test_json_is_all_there_is_on_standard_output(command: Any, tools: str) -> None:
    listed = command("list", tools, "--json").json
    assert [row["name"] for row in listed["tools"]] == [
        "add",
        "tag",
        "refuse",
        "fail",
        "picture",
        "slow",
    ]
    assert listed["tools"][0]["definition"]["inputSchema"]["required"] == ["a"]
    assert command("show", tools, "add", "--json").json["definition"]["name"] == "add"
    assert command("search", tools, "add numbers", "--json").json["tools"][0]["name"] == "add"
    assert command("check", tools, "--json").json["tools"] == 6
    assert command("call", tools, "add", "a=2", "--json").json["result"] == {
        "content": [],
        "data": 3,
    }
    refused = command("call", tools, "refuse", "--json")
    assert (refused.code, refused.json["code"]) == (exit_code.REFUSED, "not-today")


@pytest.mark.rule("cli-exit-codes")
@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["call", "TOOLS", "add", "a=2", "b=3"], exit_code.OK, ""),
        (["call", "TOOLS", "fail"], exit_code.BAD_OUTCOME, "fail failed."),
        (["call", "TOOLS", "slow", "--timeout", "0.05"], exit_code.BAD_OUTCOME, "did not finish"),
        (
            ["call", "TOOLS", "add", "a=two"],
            exit_code.USAGE,
            "Invalid arguments at /a: must be integer",
        ),
        (["call", "TOOLS", "refuse"], exit_code.REFUSED, "try tomorrow"),
        (["call", "TOOLS", "ad"], exit_code.REFUSED, "Did you mean add?"),
        (["show", "TOOLS", "ad"], exit_code.REFUSED, "Did you mean add?"),
        (["list", "missing.py"], exit_code.CONFIG, "there is no such file"),
        (["list", "http://127.0.0.1:9/mcp"], exit_code.UNAVAILABLE, "server:"),
        (["list", "--", "no-such-command-here"], exit_code.UNAVAILABLE, "was not found"),
    ],
)
def test_the_exit_code_tells_how_it_ended(
    command: Any, tools: str, arguments: Sequence[str], code: int, says: str
) -> None:
    ran = command(*(tools if word == "TOOLS" else word for word in arguments))
    assert ran.code == code
    assert says in ran.err
    if code != exit_code.OK:
        assert ran.out == ""
    assert "Traceback" not in ran.err


@pytest.mark.rule("cli-messages")
@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["list"], exit_code.CONFIG, "Name a source"),
        (["list", "nonsense"], exit_code.CONFIG, "'nonsense' is no source"),
        (["list", "TOOLS", "--"], exit_code.USAGE, "a command must follow --"),
        (["list", "TOOLS", "--", "x"], exit_code.CONFIG, "not both"),
        (["list", "-c", "missing.toml"], exit_code.CONFIG, "missing.toml: cannot be read"),
        (["call", "TOOLS"], exit_code.USAGE, "name a TOOL"),
        (["call", "TOOLS", "add", "a"], exit_code.USAGE, "write key=value"),
        (["call", "TOOLS", "add", "a:=x"], exit_code.USAGE, "must be JSON"),
        (["call", "TOOLS", "add", "--json", "{x"], exit_code.USAGE, "must be JSON"),
        (["call", "TOOLS", "add", "a=1", "--json", '{"a": 1}'], exit_code.USAGE, "not both"),
        (
            ["call", "TOOLS", "add", "--timeout", "nan"],
            exit_code.USAGE,
            "--timeout: must be a number",
        ),
        (
            ["show", "TOOLS", "add", "tag"],
            exit_code.USAGE,
            "show one TOOL; there is 'tag' after it",
        ),
        (["list", "TOOLS", "-c", "x.toml"], exit_code.CONFIG, "a configuration with -c, not both"),
        (["list", "TOOLS", "--base-url", "http://h"], exit_code.CONFIG, "goes with an OpenAPI"),
        (["list", "--base-url", "http://h"], exit_code.CONFIG, "in a toolroll.toml write base_url"),
        (["list", "C:\\my\\t.py:kit"], exit_code.CONFIG, "t.py: there is no such file"),
        (["serve", "TOOLS"], exit_code.USAGE, "either --stdio or --http"),
        (["serve", "TOOLS", "--http", "somewhere"], exit_code.CONFIG, "write HOST:PORT"),
        (["nope"], exit_code.USAGE, "No such command"),
        (["show", "TOOLS", "add", "--view", "nope"], exit_code.USAGE, "'nope' is not one of"),
    ],
)
def test_a_wrong_command_line_says_what_to_do(
    command: Any, tools: str, arguments: Sequence[str], code: int, says: str
) -> None:
    ran = command(*(tools if word == "TOOLS" else word for word in arguments))
    assert ran.code == code
    assert says in ran.err
    assert ran.out == ""


@pytest.mark.rule("cli-arguments")
def test_words_are_read_by_the_schema(command: Any, tools: str) -> None:
    words = ["title=7", "tags=a", "tags=b,c", "ratio=2", "loud=true", 'more={"x":1}']
    ran = command("call", tools, "tag", *words)
    assert ran.out == "('7', ['a', 'b,c'], 2.0, True, {'x': 1})\n"
    ran = command("call", tools, "tag", 'title:="t"', 'tags=["x"]')
    assert ran.out == "('t', ['x'], 0.5, False, {})\n"


@pytest.mark.rule("cli-arguments")
def test_the_arguments_may_be_json_or_come_from_standard_input(command: Any, tools: str) -> None:
    assert command("call", tools, "add", "--json", '{"a": 5}').json["result"]["data"] == 6
    assert (
        command("call", tools, "add", "--json", "-", stdin='{"a": 6}').json["result"]["data"] == 7
    )
    assert command("call", tools, "add", "--json", "a=7").json["result"]["data"] == 8


@pytest.mark.rule("cli-foreign-text")
@pytest.mark.rule("cli-no-colour")
def test_what_tools_wrote_is_cleaned_and_nothing_is_coloured(command: Any, tools: str) -> None:
    ran = command("call", tools, "picture")
    assert ran.out == "abc\n"
    assert "1 picture(s)" in ran.err
    for arguments in (("list", tools), ("show", tools, "picture"), ("search", tools, "show")):
        shown = command(*arguments)
        assert "\x1b" not in shown.out + shown.err
        assert "\u202e" not in shown.out + shown.err
    assert "hunter2" in command("call", tools, "fail").err  # the person at the terminal is the host


@pytest.mark.parametrize(
    "view",
    [
        "verbatim",
        "slim",
        "openai",
        "openai-strict",
        "anthropic",
        "anthropic-strict",
        "gemini",
        "gemini-openapi3",
    ],
)
def test_every_view_of_a_schema_is_shown(command: Any, tools: str, view: str) -> None:
    schema = command("show", tools, "add", "--view", view, "--json").json["definition"][
        "inputSchema"
    ]
    assert set(schema["properties"]) == {"a", "b"}


CHECKED = """
from toolroll import Behavior, Hints, ToolDefinition, define_tool

def made(name, description, properties, run, **behavior):
    schema = {"type": "object", "properties": properties}
    return define_tool(
        ToolDefinition(name=name, description=description, input_schema=schema,
                       hints=Hints.of_effect("read")),
        run, behavior=Behavior(open=True, **behavior),
    )

lazy = made("lazy", "Runs late.", {}, "broken_module_of_check:run")
lost = made("lost", "Runs never.", {}, "toolroll:no_such_function")
silent = made("silent", "", {"a": {"enum": ["x", 1]}}, lambda input: "")
"""


@pytest.mark.rule("cli-check")
def test_check_shows_warnings_and_imports_late_handlers(
    command: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my_tools.py").write_text(CHECKED, encoding="utf-8")
    (tmp_path / "broken_module_of_check.py").write_text("raise RuntimeError('broken')")
    monkeypatch.syspath_prepend(str(tmp_path))

    ran = command("check", str(tmp_path / "my_tools.py"), "--json")

    assert ran.code == exit_code.BAD_OUTCOME
    found = {
        (row["tool"], row["severity"], row["pointer"], row["fault"].partition(" cannot be")[0])
        for row in ran.json["findings"]
    }
    assert found == {
        ("lazy", "error", "", "'broken_module_of_check:run'"),
        ("lost", "error", "", "'toolroll:no_such_function'"),
        ("silent", "warning", "", "there is no description"),
        (
            "silent",
            "warning",
            "/properties/a",
            "has no single type, so a short view cannot show it",
        ),
        ("silent", "warning", "/properties/a", "property 'a' has no description"),
    }


def test_check_finds_what_is_unwise(command: Any, tools: str) -> None:
    ran = command("check", tools)
    assert ran.code == exit_code.OK
    assert "warning" in ran.out
    assert "property 'title' has no description" in ran.out


CONFIG = """
[sources.mine]
python = "my_tools.py"

[policy]
undecided = "block"

[[policy.rules]]
decision = "allow"
tools = ["add"]

[[policy.rules]]
decision = "approve"
tools = ["tag"]

[presentation]
mode = "{mode}"

[store]
path = "journal.db"
"""


def configured(tmp_path: Path, mode: str = "all") -> None:
    (tmp_path / "my_tools.py").write_text(TOOLS, encoding="utf-8")
    (tmp_path / "toolroll.toml").write_text(CONFIG.replace("{mode}", mode), encoding="utf-8")


@pytest.mark.rule("cli-over-a-file")
def test_the_nearest_file_upwards_is_used(
    command: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configured(tmp_path)
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    monkeypatch.chdir(deep)
    assert [row["name"] for row in command("list", "--json").json["tools"]] == ["add", "tag"]
    assert command("call", "add", "a=1").out == "2\n"
    assert (tmp_path / "journal.db").is_file()
    elsewhere = tmp_path / "other"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    assert command("call", "add", "a=1", "-c", str(tmp_path / "toolroll.toml")).out == "2\n"


@pytest.mark.rule("cli-over-a-file")
def test_the_presentation_is_what_is_listed_and_search_looks_behind_it(
    command: Any, tmp_path: Path
) -> None:
    configured(tmp_path, "search")
    assert [row["name"] for row in command("list", "--json").json["tools"]] == [
        "tool_search",
        "tool_call",
    ]
    assert command("search", "add", "--json").json["tools"][0]["name"] == "add"
    called = command("call", "tool_call", "name=add", 'input={"a": 1}', "--json").json
    assert called["result"]["data"] == 2


@pytest.mark.rule("cli-approval")
def test_approval_is_answered_beforehand_or_refused_without_a_terminal(
    command: Any, tmp_path: Path
) -> None:
    configured(tmp_path)
    arguments = ("call", "tag", "title=x", "tags=y")
    yes = command(*arguments, "--yes")
    assert (yes.code, yes.out) == (exit_code.OK, "('x', ['y'], 0.5, False, {})\n")
    assert "tag (write)" in yes.err
    assert command(*arguments, "--no").code == exit_code.REFUSED
    nobody = command(*arguments)
    assert nobody.code == exit_code.REFUSED
    assert "nobody can be asked" in nobody.err


def test_help_says_what_each_command_does(command: Any) -> None:
    ran = command("--help")
    for name in ("list", "show", "call", "search", "check", "serve"):
        assert f"\n  {name} " in ran.out
        assert "Usage: toolroll" in command(name, "--help").out
    assert "Exit codes: 0" in ran.out
    assert command("--version").out.startswith("toolroll, version ")


@pytest.mark.parametrize("name", ["list", "call"])
def test_each_example_of_a_help_has_a_line_of_its_own(command: Any, name: str) -> None:
    lines = command(name, "--help").out.splitlines()
    assert len([line for line in lines if line.startswith(f"  toolroll {name}")]) >= 3


@pytest.mark.rule("cli-messages")
def test_serving_over_http_without_its_token_claims_nothing_before_it_says_so(
    command: Any, tools: str, tmp_path: Path
) -> None:
    config = tmp_path / "toolroll.toml"
    config.write_text(
        '[sources.mine]\npython = "my_tools.py"\n[policy]\nundecided = "allow"\n'
        '[serve]\ntoken = { env = "NOT_SET_HERE" }\n'
    )
    ran = command("serve", "--http", "127.0.0.1:0")
    assert (ran.code, ran.out) == (exit_code.CONFIG, "")
    assert ran.err.splitlines() == [
        "toolroll: serve.token: the environment variable NOT_SET_HERE is not set."
    ]


@pytest.mark.rule("cli-messages")
def test_serving_over_http_without_its_extra_claims_nothing_before_it_says_so(
    command: Any, tools: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)  # what an import finds where it is missing
    ran = command("serve", tools, "--http", "127.0.0.1:0")
    assert (ran.code, ran.out) == (exit_code.CONFIG, "")
    assert ran.err.splitlines() == [
        "toolroll: serving over HTTP needs the extra 'serve': pip install 'toolroll[serve]'"
    ]
