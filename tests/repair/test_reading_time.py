"""Hostile texts of any kind take time linear in their length, and end within the limits."""

import pytest

from tests.text.slowdown import slowdown
from toolroll.repair import ReadingRules, read_arguments, read_calls

HOSTILE = [
    ("", "{"),
    ("", "["),
    ("", "}"),
    ("", '"'),
    ("", "\\"),
    ("", "{}"),
    ("", '{"a":1}'),
    ("", "{]"),
    ("", "```"),
    ("", "`` "),
    ("", "x{"),
    ("", "/*"),
    ("", "\n"),
    ("", "\ufeff"),
    ("", "a"),
    ("", "1"),
    ('{"a": "', "\\"),
    ('{"a": "', '\\"'),
    ('{"a": "', "\\'"),
    ('{"a": "', "\\u00e9"),
    ('{"a": "', "\\ud83d"),
    ('{"a": "', "\n"),
    ("{'a': '", "\\x41"),
    ("{'a': '", '"'),
    ("{'a': '", "\\'"),
    ("{'a': \"", '\\"'),
    ("{", "a"),
    ('{"a": ', "-"),
    ('{"a": ', "1"),
    ('{"a": ', "1_"),
    ('{"a": 1', "/**/"),
    ('{"a": 1', "//\n"),
    ('{"a": 1', "\u00a0"),
    ("{", '"a" '),
    ("{", "'a': None,"),
    ("{", "a: 1,"),
    ("{", '"a": 1 '),
    ("{", '"a": "x" \n'),
    ("[", "[],"),
    ("[", "1 ,"),
    ("[", "{},"),
    ('{"a": 1}', "}"),
    ('{"a": 1}', ",}"),
    ('{"a": 1} ', "x `"),
    ('{"a": 1', ",}"),
    ("{a: 1, ", "/* */"),
    ("{'a': '", "\\n"),
    ("{", '"a": "\n",'),
    ('{"a": 1 ', '"b": 2 '),
    ("x", "<"),
    ('"', "{"),
    ('"', "\\\\u00e9"),
]


@pytest.mark.rule("args-linear-time", "args-never-raises")
@pytest.mark.parametrize(("head", "unit"), HOSTILE, ids=ascii)
def test_a_hostile_text_takes_linear_time(head: str, unit: str) -> None:
    short, long = head + unit * (20_000 // len(unit)), head + unit * (160_000 // len(unit))
    # 8 times the length: a quadratic reading would take 64 times.
    assert slowdown(read_arguments, short, long) < 24
    assert slowdown(read_calls, short + "}", long + "}") < 24


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.rule("args-linear-time", "args-never-raises")
@pytest.mark.parametrize(
    "unit", ["{", "[", "}", '"', "\\", '\\"', "\\u00e9", "{}", '{"a', "\n"], ids=ascii
)
@pytest.mark.parametrize("head", ["", '{"a": "', "["])
def test_ten_million_hostile_characters_are_read(head: str, unit: str) -> None:
    text = head + unit * (10_000_000 // len(unit))
    assert "longer than" in read_arguments(text).problem
    read = read_arguments(text, ReadingRules(size=len(text), heal_unicode=True))
    assert "longer than" not in read.problem
