"""The damaged texts of the comparison page: how many are read rightly, and how many wrongly."""

import anyio
import pytest

from bench import damage
from bench.repair import MARKS, call_all_texts, judge_all
from toolroll.repair import read_arguments


@pytest.mark.rule("args-damage-marks")
def test_damaged_texts_are_read_rightly_and_hardly_wrong_in_silence() -> None:
    cases = damage.corpus()
    alone, _ = judge_all(damage, [read_arguments(text) for _, text, _, _ in cases])
    checked, by_kind = judge_all(damage, anyio.run(call_all_texts, damage))
    assert sum(alone.values()) == sum(checked.values()) == 2_000
    assert set(alone) <= set(MARKS)
    assert alone["right"] >= 1_900
    assert checked["right"] >= 1_900
    assert checked["wrong in silence"] <= 20
    silent = {kind for kind, marks in by_kind.items() if marks["wrong in silence"]}
    assert silent == {"valid JSON: escapes escaped"}  # it may have been meant
    assert by_kind["valid JSON: in an object more"]["refused"] > 0
