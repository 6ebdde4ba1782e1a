"""Policies: which rule counts, and why."""

import pytest

from toolroll.assembly import Policy, Rule
from toolroll.outcome import DefinitionError
from toolroll.tools.context import Principal
from toolroll.tools.gate import Decision
from toolroll.tools.hints import Hints

READ = Hints(read_only=True)
SILENT = Hints()


def decide(policy: Policy, source: str, tool: str, hints: Hints = SILENT) -> Decision | None:
    return policy.explain(source, tool, hints).decision


@pytest.mark.rule("policy-block-wins")
def test_block_wins_over_a_later_and_more_specific_allow() -> None:
    policy = Policy(
        [Rule("block", source="*", tools=("purge*",)), Rule("allow", "db", ("purge-table",))]
    )
    assert decide(policy, "db", "purge-table") == "block"
    assert policy.explain("db", "purge-table", SILENT).number == 1


@pytest.mark.rule("policy-specific-wins")
@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ([Rule("allow"), Rule("approve", "db")], "approve"),
        ([Rule("approve"), Rule("allow", "db")], "allow"),
        ([Rule("allow", "db", ("*",)), Rule("approve", "db", ("count*",))], "approve"),
        ([Rule("approve", "db", ("count*",)), Rule("allow", "db", ("count_rows",))], "allow"),
        ([Rule("allow", "db", ("count_rows",)), Rule("approve", "db", ("count_rows",))], "approve"),
        ([Rule("approve", "db", ("count_rows",)), Rule("allow", "db", ("count_rows",))], "approve"),
        ([Rule("allow", "*", ("count_rows",)), Rule("approve", "db")], "approve"),
    ],
)
def test_the_most_specific_counts_and_between_equals_approve(
    rules: list[Rule], expected: Decision
) -> None:
    assert decide(Policy(rules), "db", "count_rows") == expected


@pytest.mark.rule("policy-unless")
def test_unless_makes_exceptions() -> None:
    policy = Policy([Rule("allow", "db", unless=("drop*",))], undecided="approve")
    assert decide(policy, "db", "count") == "allow"
    assert decide(policy, "db", "drop_all") == "approve"


@pytest.mark.rule("policy-hints-tighten")
def test_a_claim_loosens_only_where_it_is_trusted() -> None:
    policy = Policy([Rule("allow", hints={"read_only": True})], undecided="approve")
    assert policy.explain("x", "peek", READ).decision == "approve"
    assert policy.explain("x", "peek", READ, trusted=True).decision == "allow"
    assert policy.explain("x", "peek", SILENT, trusted=True).decision == "approve"


@pytest.mark.rule("policy-hints-tighten")
def test_a_claim_that_tightens_counts_from_anybody_and_silence_counts_as_danger() -> None:
    policy = Policy([Rule("allow"), Rule("block", hints={"destructive": True})])
    assert policy.explain("x", "zap", Hints(destructive=True)).decision == "block"
    assert policy.explain("x", "unknown", SILENT).decision == "block"
    assert policy.explain("x", "tame", Hints(destructive=False)).decision == "block"
    assert policy.explain("x", "tame", Hints(destructive=False), trusted=True).decision == "allow"


@pytest.mark.rule("policy-unmatched-reported")
def test_a_rule_that_matches_nothing_is_reported() -> None:
    policy = Policy([Rule("allow"), Rule("block", "db", ("purge",))])
    (note,) = policy.unmatched([("db", "count")])
    assert (note.kind, note.subject) == ("warning", "rule 2")
    assert "block db/purge" in note.reason
    assert policy.unmatched([("db", "purge")]) == []


@pytest.mark.rule("policy-principal")
def test_rules_may_depend_on_who_calls() -> None:
    policy = Policy(
        [Rule("allow", principal="group:ops*"), Rule("block", principal="eve")], undecided="approve"
    )

    def for_(principal: Principal | None) -> Decision | None:
        return policy.explain("x", "t", SILENT, principal=principal).decision

    assert for_(None) == "approve"
    assert for_(Principal(id="ana")) == "approve"
    assert for_(Principal(id="ana", groups=("ops-eu",))) == "allow"
    assert for_(Principal(id="eve", groups=("ops-eu",))) == "block"
    assert policy.depends_on_principal


@pytest.mark.rule("policy-model-name")
def test_a_pattern_may_be_written_for_the_model_s_name() -> None:
    policy = Policy([Rule("block", tools=("db__purge-table",))], undecided="allow")
    assert decide(policy, "db", "purge-table") == "block"
    assert decide(policy, "wiki", "purge-table") == "allow"


def test_a_star_is_any_text_and_all_else_is_itself() -> None:
    policy = Policy([Rule("block", tools=("a.b", "c[1]", "d*e*f", ""))], undecided="allow")
    blocked = [
        tool
        for tool in ("a.b", "axb", "c[1]", "c1", "def", "dxxeyyf", "dxf", "")
        if decide(policy, "s", tool) == "block"
    ]
    assert blocked == ["a.b", "c[1]", "def", "dxxeyyf", ""]


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Rule("alow"), "'alow' is no decision"),
        (lambda: Rule("allow", tools="x"), "write ('x',)"),
        (lambda: Rule("allow", unless="x"), "tuple of patterns"),
        (lambda: Rule("allow", hints={"readOnly": True}), "'readOnly' is no hint"),
        (lambda: Rule("allow", hints=Hints(read_only=True)), 'write e.g. {"read_only": True}'),  # type: ignore[arg-type]
        (lambda: Policy([], undecided="perhaps"), "'perhaps' is no decision"),
    ],
)
def test_a_wrong_rule_raises_and_says_the_mend(make: object, says: str) -> None:
    with pytest.raises(DefinitionError) as raised:
        make()  # type: ignore[operator]
    assert says in str(raised.value)
