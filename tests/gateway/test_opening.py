"""Opening a gateway: Python sources, documents, and who is asked."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.sources.loopback import Api, Reply, serving
from toolroll import CallContext, DefinitionError, ToolCall, Unavailable
from toolroll.gateway import load_python, name_of, open_gateway, read_config
from toolroll.gateway.serving import address_of
from toolroll.outcome import ConfigError

CONTEXT: CallContext[Any] = CallContext()
ONE = '''
from toolroll import LocalToolkit, tool

@tool(effect="read")
def one() -> int:
    """Say one."""
    return 1

@tool(effect="read")
def two() -> int:
    """Say two."""
    return 2

again = one
'''


def names(kit: Any) -> list[str]:
    return [listed.name for listed in kit.listing(CONTEXT).tools]


@pytest.mark.rule("gateway-python-sources")
def test_loose_tools_are_put_together_in_order(tmp_path: Path) -> None:
    (tmp_path / "My-Tools 2.py").write_text(ONE)
    kit = load_python("My-Tools 2.py", tmp_path)
    assert names(kit) == ["one", "two"]
    assert kit.listing(CONTEXT).tools[0].source == "my-tools_2"
    assert names(load_python("My-Tools 2.py:two", tmp_path, "x")) == ["two"]


@pytest.mark.rule("gateway-python-sources")
def test_a_toolkit_in_the_file_is_taken_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        ONE + "\nkit = LocalToolkit('mine', two)\nother = LocalToolkit('other', one)\n"
    )
    assert names(load_python("a.py", tmp_path)) == ["two"]
    assert names(load_python("a.py:other", tmp_path)) == ["one"]


@pytest.mark.rule("gateway-python-sources")
def test_a_module_is_found_beside_the_file_and_two_files_of_one_name_are_two(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder, number in (("a", 1), ("b", 2)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "tools.py").write_text(
            ONE.replace("return 1", f"return {number * 10}")
        )
    kits = [load_python("tools.py", tmp_path / folder) for folder in ("a", "b")]
    values = [kit.snapshot(CONTEXT).tools["one"]() for kit in kits]  # type: ignore[attr-defined]
    assert values == [10, 20]
    package = tmp_path / "some_package_of_tools"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "ops.py").write_text(ONE)
    assert names(load_python("some_package_of_tools.ops:two", tmp_path)) == ["two"]


@pytest.mark.rule("gateway-python-sources")
@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        (None, ConfigError, "there is no such file"),
        ("x = (", ConfigError, "SyntaxError"),
        ("1 / 0", ConfigError, "ZeroDivisionError"),
        ("x = 1", ConfigError, "no tools in it"),
        (ONE.replace("def one() -> int", "def one(*args) -> int"), DefinitionError, "args"),
    ],
)
def test_a_mistake_names_the_file(
    tmp_path: Path, text: str | None, error: type[Exception], says: str
) -> None:
    path = tmp_path / "wrong.py"
    if text is not None:
        path.write_text(text)
    with pytest.raises(error) as raised:
        load_python("wrong.py", tmp_path)
    assert "wrong.py" in str(raised.value)
    assert says in str(raised.value)
    for place, what in (
        ("wrong.py:nope", "wrong.py"),
        ("no_such_module_at_all:x", "no_such_module_at_all"),
    ):
        with pytest.raises((ConfigError, DefinitionError), match=what):
            load_python(place, tmp_path)


@pytest.mark.parametrize(
    ("place", "name"),
    [
        ("my_tools.py", "my_tools"),
        ("a/b/My Tools.py", "my_tools"),
        ("package.ops", "ops"),
        ("9lives.py", "tools_9lives"),
        ("__x__.py", "x"),
        ("C:\\my\\Own Tools.py", "own_tools"),
        ("x" * 50 + ".py", "x" * 32),
    ],
)
def test_a_source_name_is_made_of_a_place(place: str, name: str) -> None:
    assert name_of(place) == name


@pytest.mark.anyio
@pytest.mark.rule("gateway-document-decides-nothing")
async def test_a_document_from_a_file_needs_a_base_url(tmp_path: Path) -> None:
    document = {
        "openapi": "3.1.0",
        "info": {"title": "t", "version": "1"},
        "servers": [{"url": "http://169.254.169.254/latest"}],
        "paths": {"/a": {"get": {"operationId": "a", "responses": {}}}},
    }
    (tmp_path / "doc.json").write_text(json.dumps(document))
    config = read_config(
        {"sources": {"s": {"openapi": "doc.json"}}, "policy": {"undecided": "allow"}}, "f"
    )
    with pytest.raises(
        ConfigError, match=r"sources\.s: .* give base_url .* lists: http://169\.254"
    ):
        async with open_gateway(config, tmp_path):
            pass


@pytest.mark.anyio
@pytest.mark.rule("gateway-document-decides-nothing")
@pytest.mark.parametrize(
    "servers",
    [[], [{"url": "http://127.0.0.1:9/v1"}], [{"url": "/v1"}], [{"url": "https://{region}.test"}]],
    ids=["none", "absolute", "relative", "variable"],
)
async def test_tools_that_are_only_shown_need_no_base_url_and_cannot_be_called(
    servers: Any, tmp_path: Path
) -> None:
    elsewhere = {"operationId": "b", "servers": [{"url": "https://other.test"}]}
    document = {
        "openapi": "3.1.0",
        "servers": servers,
        "paths": {"/a": {"get": {"operationId": "a"}}, "/b": {"get": elsewhere}},
    }
    (tmp_path / "doc.json").write_text(json.dumps(document))
    config = read_config(
        {"sources": {"s": {"openapi": "doc.json"}}, "policy": {"undecided": "allow"}}, "f"
    )
    async with open_gateway(config, tmp_path, sends=False) as gateway:
        listing = gateway.kit.listing(CallContext())
        outcome = await gateway.kit.call(ToolCall.of("s__a", {}), CallContext())
    assert [tool.name for tool in listing.tools] == ["s__a"]
    assert isinstance(outcome, Unavailable)
    lives, note = gateway.report.of_kind("warning")
    assert lives.reason == "it lives at https://other.test"
    assert note.source == "s"
    assert note.reason.startswith("no call can be sent: give base_url (--base-url")
    (skipped,) = gateway.report.of_kind("skipped")
    assert "https://other.test" in skipped.reason


@pytest.mark.anyio
@pytest.mark.rule("gateway-document-decides-nothing")
@pytest.mark.parametrize("sends", [True, False])
async def test_a_server_that_cannot_be_read_as_an_address_costs_no_document(
    sends: bool, tmp_path: Path
) -> None:
    document = {
        "openapi": "3.1.0",
        "servers": [{"url": "http://[odd"}, {"url": "/v1"}],
        "paths": {"/a": {"get": {"operationId": "a"}}},
    }
    with serving(Api(lambda _: Reply(body=json.dumps(document).encode()))) as api:
        config = read_config(
            {
                "sources": {"s": {"openapi": f"{api.url}/openapi.json"}},
                "policy": {"undecided": "allow"},
            },
            "f",
        )
        async with open_gateway(config, tmp_path, sends=sends) as gateway:
            assert (await gateway.kit.call(ToolCall.of("s__a", {}), CallContext())).ok
    assert [got.path for got in api.got] == ["/openapi.json", "/v1/a"]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("doc.json", "{", "is no JSON"),
        ("doc.json", '{"a":' * 100_000, "is nested too deep"),
        ("doc.yaml", "a: [", "is no YAML"),
        ("doc.yaml", "- a", "must be an object, got list"),
        ("doc.json", None, "cannot be read"),
    ],
)
async def test_a_document_that_cannot_be_used_is_named(
    tmp_path: Path, name: str, text: str | None, says: str
) -> None:
    if text is not None:
        (tmp_path / name).write_text(text)
    config = read_config(
        {"sources": {"s": {"openapi": name}}, "policy": {"undecided": "allow"}}, "f"
    )
    with pytest.raises(ConfigError) as raised:
        async with open_gateway(config, tmp_path):
            pass
    assert name in str(raised.value)
    assert says in str(raised.value)


@pytest.mark.anyio
@pytest.mark.rule("gateway-file-checked")
@pytest.mark.parametrize(
    ("source", "says"),
    [
        ({"url": "ftp://x"}, "sources.s.url: an MCP server's address begins with http://"),
        ({"url": "http://127.0.0.1:1/mcp", "headers": {"a b": "x"}}, "sources.s.headers: 'a b'"),
        ({"command": [""]}, "sources.s.command: name the program to run"),
        ({"command": ["x"], "env": {"A=B": "x"}}, "sources.s.env: 'A=B' is no name"),
        ({"command": ["x"], "cwd": "nowhere"}, "sources.s.cwd: there is no folder"),
        ({"openapi": "doc.json", "base_url": "h"}, "sources.s.base_url 'h' cannot be used"),
        (
            {"openapi": "doc.json", "base_url": "http://h", "headers": {"a b": "x"}},
            "sources.s.headers: 'a b'",
        ),
        ({"openapi": "a\0b.json"}, "cannot be read"),
    ],
)
async def test_a_source_that_cannot_be_made_is_named(
    tmp_path: Path, source: dict[str, Any], says: str
) -> None:
    (tmp_path / "doc.json").write_text('{"openapi": "3.1.0", "paths": {}}')
    config = read_config({"sources": {"s": source}}, "f")
    with pytest.raises(ConfigError) as raised:
        async with open_gateway(config, tmp_path):
            pass
    assert says in str(raised.value)


@pytest.mark.anyio
async def test_nobody_is_asked_where_the_file_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(ONE)
    table = {
        "sources": {"a": {"python": "a.py"}},
        "policy": {"undecided": "approve"},
        "approvals": {"ask": "nobody"},
    }
    async with open_gateway(read_config(table, "f"), tmp_path) as gateway:
        outcome = await gateway.kit.call(ToolCall.of("one"), CONTEXT)
        assert (outcome.kind, outcome.code) == ("refused", "nobody-to-ask")  # type: ignore[union-attr]
        page = await gateway.journal.read()
    assert [entry.record.event for entry in page.entries] == ["answered", "asked"]


@pytest.mark.anyio
async def test_a_tool_that_no_rule_speaks_of_is_left_out_with_a_note(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(ONE)
    table = {
        "sources": {"a": {"python": "a.py"}},
        "policy": {"rules": [{"decision": "allow", "tools": ["one"]}]},
    }
    async with open_gateway(read_config(table, "f"), tmp_path) as gateway:
        listing = gateway.kit.listing(CONTEXT)
    assert [listed.name for listed in listing.tools] == ["one"]
    assert [(note.kind, note.subject) for note in listing.report.notes] == [("skipped", "two")]


@pytest.mark.parametrize("text", ["", "x", ":80", "a:b", "a:99999", "1.2.3.4", "::1:80", "[::1]"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="HOST:PORT"):
        address_of(text)
