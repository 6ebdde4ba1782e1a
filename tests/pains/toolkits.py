"""Names and toolkits: a written name found or refused, several sources as one, rules over them."""

from typing import Any

import pytest

from tests.pains.case import Case
from tests.pains.making import (
    EMPTY,
    NOBODY,
    NotingSource,
    check_failure,
    definition,
    noting_kit,
    noting_tool,
)
from toolroll import CallContext, LocalToolkit, Policy, Rule, ToolCall, Workspace, assemble
from toolroll.assembly import SourceMember
from toolroll.content import JsonObject
from toolroll.outcome import Refused
from toolroll.sources import SourceError, Trust, as_toolkit
from toolroll.tools import Hints, model_name

ALL = Policy([Rule("allow")])


async def resolve_tool(case: Case) -> None:
    """A name as a model wrote it -> a tool, or a refusal that helps."""
    given, wanted = case.given, case.wanted
    got: list[JsonObject] = []
    blocked = given.get("blocked", [])
    names = [*given["tools"], *blocked]
    kit = assemble(
        [LocalToolkit("pains", *(noting_tool(name, EMPTY, got) for name in names))],
        Policy([Rule("allow"), *(Rule("block", tools=(name,)) for name in blocked)]),
    )
    outcome = await kit.call(ToolCall.of(given["name"]), NOBODY)
    check_failure(outcome, wanted)
    assert isinstance(outcome, Refused)
    assert outcome.lines == ("\t".join(("tools", *wanted["lists"])),)
    assert bool(got) is wanted.get("ran", False)


def model_names(case: Case) -> None:
    """Names that are too long for a provider."""
    wanted = case.wanted
    assert "first 8 hex of SHA-256 of source + NUL + tool" in wanted["note"]
    names = [model_name(source, tool) for source, tool in case.given["tools"]]
    assert names == wanted["names"]
    assert max(map(len, names)) <= wanted["max_length"]
    assert (len(set(names)) == len(names)) is wanted["distinct"]


async def assemble_sources(case: Case) -> None:
    """Two sources with a tool of one name."""
    given, wanted = case.given, case.wanted
    sources = [
        NotingSource(name, map(definition, tools)) for name, tools in given["sources"].items()
    ]
    kit = assemble([(source, source.definitions) for source in sources], ALL)
    assert [listed.name for listed in kit.listing(NOBODY).tools] == wanted["names"]
    assert (await kit.call(ToolCall.of(given["call"]), NOBODY)).ok
    assert [[source.name, sent] for source in sources for sent, _ in source.sent] == [
        wanted["called"]
    ]


async def call_through(case: Case) -> None:
    """Property names that are words of Python."""
    name, kit, arrived = noting_kit(case.given["source_schema"], "imported", [])
    assert (await kit.call(ToolCall.of(name, case.given["args"]), NOBODY)).ok
    assert list(arrived) == [case.wanted["sent"]]


async def discover_all(case: Case) -> None:
    """Several sources, one of which is down."""
    wanted = case.wanted
    members = [
        SourceMember(
            source=NotingSource(
                said["name"], map(definition, said.get("tools", [])), fault=said.get("fails", "")
            ),
            required=said.get("required", False),
        )
        for said in case.given["sources"]
    ]
    workspace = Workspace(members, ALL)
    if wanted["raised"]:
        with pytest.raises(SourceError) as caught:
            await workspace.__aenter__()
        assert all(word in str(caught.value) for word in wanted["says"])
        return
    async with workspace:
        assert [listed.name for listed in workspace.kit.listing(NOBODY).tools] == wanted["tools"]
        absent = [note.subject for note in workspace.report.of_kind("unavailable")]
        assert absent == wanted["unavailable"]


def decide(case: Case) -> None:
    """What a policy decides for each tool."""
    given, wanted = case.given, case.wanted
    trusted = given.get("trust_hints", [])
    by_source: dict[str, list[Any]] = {}
    for source, name, *hints in given["tools"]:
        said = Hints.from_json(hints[0]) if hints else Hints()
        by_source.setdefault(source, []).append(definition(name, hints=said))
    sources = [NotingSource(name, found) for name, found in by_source.items()]
    kit = assemble(
        [
            as_toolkit(source, source.definitions, trust=Trust(hints=source.name in trusted))
            for source in sources
        ],
        Policy(map(_rule, given["rules"]), given.get("undecided")),
    )
    listing = kit.listing(CallContext())
    decisions: dict[str, str] = {listed.name: listed.decision for listed in listing.tools}
    for note in listing.report.of_kind("blocked"):
        decisions[model_name(note.source, note.subject)] = "block"
    assert decisions == wanted["decisions"]
    idle = [note.subject for note in listing.report.of_kind("warning")]
    assert idle == wanted.get("unmatched_rules", idle)


def _rule(said: dict[str, Any]) -> Rule:
    """A rule of the cases: `source/tool`, or `*` for everything."""
    source, _, tool = said["match"].partition("/")
    hints = {"read_only": True} if said.get("when") == {"readOnly": True} else None
    return Rule(said["decision"], source=source, tools=(tool or "*",), hints=hints)
