"""The navigation of the documentation."""

from scripts.site import SECTIONS, navigation


def test_pages_come_in_their_sections_and_missing_ones_are_left_out() -> None:
    assert navigation(["why.md", "index.md"], []) == [{"Start": ["index.md", "why.md"]}]


def test_a_page_that_no_section_names_is_not_lost() -> None:
    there = ["index.md", "new.md", "reference/codes.md", "decisions/0001-a.md"]
    assert navigation(there, ["toolroll.outcome"]) == [
        {"Start": ["index.md"]},
        {"More": ["new.md"]},
        {
            "Reference": [
                "reference/codes.md",
                {"toolroll.outcome": "reference/api/toolroll.outcome.md"},
            ]
        },
        {"Decisions": ["decisions/0001-a.md"]},
    ]


def test_no_page_is_named_twice() -> None:
    named = [page for pages in SECTIONS.values() for page in pages]
    assert len(named) == len(set(named))
