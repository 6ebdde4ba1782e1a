"""The table of rules and the tests that claim them."""

from pathlib import Path

import pytest

from tests.conftest import CLAIMS
from tests.requirements import RulesError, load_rules, unclaimed_rules, unknown_claims


@pytest.mark.rule("repository-rules-have-tests")
def test_every_rule_is_claimed_by_a_test(request: pytest.FixtureRequest) -> None:
    config = request.config
    if config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        pytest.skip("only a run of the whole suite can tell which rules no test claims")
    assert not unclaimed_rules(config.stash[CLAIMS], load_rules())


@pytest.mark.rule("repository-rules-have-tests")
def test_an_unclaimed_rule_and_an_unknown_claim_are_both_named() -> None:
    rules = {"a-rule": "It holds.", "b-rule": "It holds too."}
    claims = {"a-rule": ["test_a"], "c-rule": ["test_c"]}
    assert unclaimed_rules(claims, rules) == ["b-rule: It holds too."]
    assert unknown_claims(claims, rules) == [
        "c-rule: no file of tests/rules has it; claimed by test_c"
    ]


@pytest.mark.rule("repository-rule-ids-are-unique")
@pytest.mark.parametrize(
    ("files", "fault"),
    [
        ({"a.toml": 'x-y = "One."', "b.toml": 'x-y = "Two."'}, "another file"),
        ({"a.toml": 'X_Y = "One."'}, "kebab-case"),
        ({"a.toml": 'x-y = " "'}, "sentence"),
        ({"a.toml": '[x-y]\nz = "One."'}, "sentence"),
        ({"a.toml": "x-y ="}, "not TOML"),
    ],
    ids=["twice", "case", "blank", "nested", "broken"],
)
def test_a_rule_file_that_breaks_the_form_is_refused(
    tmp_path: Path, files: dict[str, str], fault: str
) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(RulesError, match=fault):
        load_rules(tmp_path)
