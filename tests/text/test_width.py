"""Cells of a terminal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolroll.text import cell_width, cut_to_width


@pytest.mark.rule("text-width-in-cells")
@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("", 0),
        ("abc", 3),
        ("日本", 4),
        ("ｆｕｌｌ", 8),
        ("e\u0301", 1),
        ("a\u200bb", 2),
        ("😀", 2),
        ("한글", 4),
        ("\u1112\u1161\u11ab", 2),
        ("tab\t", 3),
        ("soft\u00adhyphen", 11),
    ],
)
def test_a_text_takes_as_many_cells_as_it_is_drawn_in(text: str, cells: int) -> None:
    assert cell_width(text) == cells


@pytest.mark.rule("text-width-in-cells")
@pytest.mark.parametrize(
    ("text", "cells", "mark", "cut"),
    [
        ("abcdef", 6, "…", "abcdef"),
        ("abcdefg", 6, "…", "abcde…"),
        ("日本語です", 6, "…", "日本…"),
        ("日本語です", 5, "…", "日本…"),
        ("日本", 1, "...", ""),
        ("abc", 2, "...", "ab"),
        ("abc", 0, "…", ""),
        ("e\u0301e\u0301e\u0301", 2, "…", "e\u0301…"),
    ],
)
def test_a_cut_keeps_to_its_cells(text: str, cells: int, mark: str, cut: str) -> None:
    assert cut_to_width(text, cells, mark=mark) == cut


@pytest.mark.rule("text-width-in-cells")
@given(st.text(), st.integers(0, 30))
def test_no_cut_is_wider_than_asked(text: str, cells: int) -> None:
    cut = cut_to_width(text, cells)
    assert cell_width(cut) <= cells
    assert cut == text or text.startswith(cut.removesuffix("…"))
