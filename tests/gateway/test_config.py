"""`toolroll.toml`: what it takes, and how it is told what is wrong."""

import json
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from toolroll.gateway import Config, config_schema, find_config, load_config, policy_of, read_config
from toolroll.gateway.secret import resolve
from toolroll.outcome import ConfigError

ROOT = Path(__file__).parents[2]
EVERYTHING = """
[sources.notes]
python = "notebook.py"

[sources.clock]
command = ["mcp-server-time"]
env = { TZ = "UTC", KEY = { env = "KEY" } }
cwd = "."
required = true

[sources.tracker]
url = "https://mcp.example.org/mcp"
headers = { Authorization = { env = "TOKEN", prefix = "Bearer " }, X-Team = "a" }
trust_hints = true

[sources.loans]
openapi = "loans.json"
base_url = "https://api.example.org"
select = { tags = ["loans"], methods = ["get"], paths = ["/loans/*"], operations = ["x"] }
description_limit = 100
links = true
limits = { connect = 1, idle = 2.5, total = 3, characters = 1000, large = "cut" }

[policy]
undecided = "block"

[[policy.rules]]
decision = "allow"
source = "*"
tools = ["list_*"]
unless = ["list_secrets"]
hints = { read_only = true }
principal = "group:staff"

[presentation]
mode = "search"
limit = 7

[store]
path = "toolroll.db"
keep_inputs = true

[approvals]
ask = "store"
expires = 60

[serve]
name = "tools"
token = { command = ["printf", "x"] }
principal = "staff"
allowed_hosts = ["tools.example.org"]
allowed_origins = ["https://tools.example.org"]
"""


def faults(text: str) -> list[str]:
    with pytest.raises(ConfigError) as raised:
        read_config(tomllib.loads(text), "toolroll.toml")
    return str(raised.value).splitlines()


@pytest.mark.rule("gateway-schema-published")
def test_a_whole_file_is_read_and_fits_its_published_schema() -> None:
    table = tomllib.loads(EVERYTHING)
    config = read_config(table, "toolroll.toml")
    assert [source.kind for source in config.sources.values()] == [
        "python",
        "command",
        "url",
        "openapi",
    ]
    (rule,) = policy_of(config).rules
    assert (rule.decision, rule.unless, rule.hints) == (
        "allow",
        ("list_secrets",),
        {"read_only": True},
    )
    published = json.loads(
        (ROOT / "docs/reference/toolroll.schema.json").read_text(encoding="utf-8")
    )
    assert published == config_schema()
    jsonschema.validate(table, published)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"presentation": {"limit": 50}}, published)
    assert Config() == read_config({}, "x")


@pytest.mark.rule("gateway-file-checked")
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("nme = 1", "nme: unknown key; known here: $schema, sources, policy, presentation, store,"),
        ("[sources.Bad]\npython = 'x.py'", "sources.Bad: is no source name"),
        ("[sources.a__b]\npython = 'x.py'", "sources.a__b: a source's name cannot hold '__'"),
        (
            "[sources.a]\npython = 3",
            "sources.a.python: must be a text, got 3; write it in quotes.",
        ),
        (
            "[sources.a]\nopenapi = 'x'\nbasurl = 'y'",
            "sources.a.basurl: unknown key; known here: python,",
        ),
        (
            "[sources.a]",
            "sources.a: give exactly one of 'python', 'command', 'url', 'openapi'; there is none.",
        ),
        ("[sources.a]\nurl = 'x'\nopenapi = 'y'", "there is url and openapi."),
        (
            "[sources.a]\npython = 'x'\nheaders = { A = 'b' }",
            "sources.a: 'headers' does not go with 'python'.",
        ),
        ("[store]\npath = 'postgresql://u:p@h/d'", "store: 'path' is a SQLite file; PostgreSQL is"),
        ("[store]\npath = 2026-01-01", 'store.path: must be a text, got "2026-01-01"; write it in'),
        (
            "[sources.a]\nurl = 'x'\nheaders = { A = { command = [] } }",
            "sources.a.headers.A.command: must be a list with something in it.",
        ),
        ("[sources.a]\ncommand = []", "sources.a.command: "),
        (
            "[sources.a]\ncommand = 'x'",
            "sources.a.command: must be a list; write it in [ ].",
        ),
        (
            "[sources.a]\nurl = 'x'\nheaders = { A = {} }",
            "sources.a.headers.A: give either 'env' or 'command'.",
        ),
        (
            "[sources.a]\nurl = 'x'\nlimits = { idle = 0 }",
            "sources.a.limits.idle: must be greater than 0, got 0.",
        ),
        (
            "[[policy.rules]]\ndecision = 'alow'",
            "policy.rules.0.decision: must be 'allow', 'approve' or 'block'",
        ),
        (
            "[[policy.rules]]\ndecision = 'allow'\nhints = { readOnly = true }",
            "policy.rules.0.hints.readOnly",
        ),
        (
            "[presentation]\nlimit = 50",
            "presentation.limit: must be less than or equal to 20, got 50.",
        ),
        (
            "[store]\nkeep_inputs = 'yes'",
            """store.keep_inputs: must be true or false, got "yes"; without quotes.""",
        ),
        ("sources = 5", "sources: must be a table, got 5; write key = value under its heading"),
    ],
)
def test_each_fault_names_file_key_and_mend(text: str, says: str) -> None:
    (fault,) = faults(text)
    assert fault.startswith("toolroll.toml: ")
    assert says in fault


@pytest.mark.rule("gateway-file-checked")
def test_all_faults_are_told_at_once() -> None:
    assert len(faults("nme = 1\n[store]\npth = 'x'\n[presentation]\nmode = 'some'")) == 3


@pytest.mark.rule("gateway-file-checked")
@pytest.mark.parametrize(
    ("data", "says"),
    [
        (None, "cannot be read"),
        (b"a = [", "is no TOML"),
        (b"\xff\xfe", "is not UTF-8 text (byte 0)"),
    ],
)
def test_a_file_that_cannot_be_used_is_named(tmp_path: Path, data: bytes | None, says: str) -> None:
    path = tmp_path / "toolroll.toml"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(ConfigError) as raised:
        load_config(path)
    assert str(path) in str(raised.value)
    assert says in str(raised.value)


@pytest.mark.rule("gateway-no-credentials-in-file")
@pytest.mark.parametrize("header", ["Authorization", "COOKIE", "x-api-key"])
def test_a_credential_in_the_file_is_an_error_that_does_not_repeat_it(header: str) -> None:
    (fault,) = faults(f"[sources.a]\nurl = 'x'\nheaders = {{ {header} = 'hunter2' }}")
    assert "holds a credential" in fault
    assert "hunter2" not in fault


@pytest.mark.rule("gateway-no-credentials-in-file")
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[serve]\ntoken = 'hunter2'", 'serve.token: must be a table; write { env = "NAME" }'),
        (
            "[sources.a]\nurl = 'x'\nheaders = 'hunter2'",
            "sources.a.headers: must be a table; write",
        ),
        ("[sources.a]\nurl = 'x'\nheaders = { A = ['hunter2'] }", "sources.a.headers.A: must be a"),
        (
            "[sources.a]\ncommand = 'x --key hunter2'",
            "sources.a.command: must be a list; write it in [ ]",
        ),
        (
            "[sources.a]\ncommand = ['x']\nenv = ['hunter2']",
            "sources.a.env: must be a table; write",
        ),
    ],
)
def test_what_stands_where_a_credential_may_is_not_repeated(text: str, says: str) -> None:
    (fault,) = faults(text)
    assert says in fault
    assert "hunter2" not in fault


@pytest.mark.rule("gateway-file-checked")
def test_a_file_may_begin_with_the_mark_that_editors_write(tmp_path: Path) -> None:
    path = tmp_path / "toolroll.toml"
    path.write_text("[presentation]\nlimit = 7\n", encoding="utf-8-sig")
    assert load_config(path).presentation.limit == 7


@pytest.mark.rule("gateway-no-credentials-in-file")
def test_values_come_from_the_environment_or_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    def secret(**table: Any) -> Any:
        config = read_config({"sources": {"a": {"url": "x", "headers": {"A": table}}}}, "f")
        return config.sources["a"].headers["A"]

    monkeypatch.setenv("THE_TOKEN", "hunter2")
    assert resolve(secret(env="THE_TOKEN", prefix="Bearer "), "f") == "Bearer hunter2"
    assert resolve(secret(command=["printf", "one\\ntwo\\n"]), "f") == "one"
    assert resolve("plain", "f") == "plain"
    for wrong, says in (
        (secret(env="NOT_SET_HERE"), "NOT_SET_HERE is not set"),
        (secret(command=["no-such-command-here"]), "did not answer"),
        (secret(command=["sh", "-c", "echo hunter2; exit 3"]), "ended with 3"),
        (secret(command=["true"]), "printed no value"),
    ):
        with pytest.raises(ConfigError) as raised:
            resolve(wrong, "f: sources.a.headers.A")
        assert says in str(raised.value)
        assert str(raised.value).startswith("f: sources.a.headers.A: ")
        assert "hunter2" not in str(raised.value)


@pytest.mark.rule("gateway-finds-file")
def test_the_nearest_file_upwards_is_found(tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    assert find_config(deep) is None or tmp_path not in (find_config(deep) or Path()).parents
    (tmp_path / "toolroll.toml").write_text("")
    assert find_config(deep) == tmp_path / "toolroll.toml"
    (deep.parent / "toolroll.toml").write_text("")
    assert find_config(deep) == deep.parent / "toolroll.toml"
