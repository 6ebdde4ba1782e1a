"""Versions, eras and what they can say."""

import pytest

from toolroll.protocol import LEGACY, MODERN, agree_version, era_of, features_of


@pytest.mark.rule("mcp-wire-versions")
def test_each_version_belongs_to_one_era() -> None:
    assert era_of(MODERN) == "modern"
    assert {era_of(version) for version in LEGACY} == {"legacy"}
    assert [era_of(other) for other in ("1900-01-01", "", None, 7)] == [None] * 4


@pytest.mark.rule("mcp-wire-versions")
def test_a_legacy_server_agrees_to_what_it_knows() -> None:
    assert agree_version("2024-11-05") == "2024-11-05"
    assert agree_version(MODERN) == "2025-11-25"
    assert agree_version({"not": "a version"}) == "2025-11-25"


def test_batches_ended_and_structured_content_began_with_2025_06_18() -> None:
    assert [features_of(version).batches for version in LEGACY] == [False, False, True, True]
    assert [features_of(version).titles for version in LEGACY] == [True, True, False, False]
