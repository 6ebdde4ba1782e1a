"""Ids of calls."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolroll.repair import ID_RULES, CallIds, IdProvider, normalize_call_id, split_call_ids

PROVIDERS: list[IdProvider] = ["openai_chat", "openai_responses", "anthropic", "mistral", "gemini"]


@pytest.mark.rule("call-id-normalized")
@pytest.mark.parametrize(
    ("id", "normal"),
    [
        ("call_" + "a" * 70, "call_" + "a" * 43 + "_ea3bc561"),
        ("x" * 65, "x" * 48 + "_a8be2078"),
        (" ab ", "ab"),
        ("\ufeffab\n", "ab"),
        ("y" * 64, "y" * 64),
    ],
)
def test_an_id_is_trimmed_and_a_long_one_shortened(id: str, normal: str) -> None:
    assert normalize_call_id(id) == normal
    assert normalize_call_id(normal) == normal


@pytest.mark.rule("call-id-normalized")
@pytest.mark.parametrize("blank", [None, "", "  "])
def test_a_blank_id_is_made_up_another_one_each_time(blank: str | None) -> None:
    first, second = normalize_call_id(blank), normalize_call_id(blank, "mine_")
    assert re.fullmatch("call_pk_[0-9a-z]{8}", first)
    assert re.fullmatch("mine_[0-9a-z]{8}", second)
    assert normalize_call_id(blank) != first


@pytest.mark.rule("call-id-fits-the-provider")
@pytest.mark.parametrize(
    ("provider", "id", "pattern"),
    [
        ("openai_chat", "toolu_" + "q" * 37, "toolu_q{25}_[0-9a-f]{8}"),
        ("openai_responses", "x" * 65, "x{55}_[0-9a-f]{8}"),
        ("anthropic", "call.1/é", "call_1___[0-9a-f]{8}"),
        ("anthropic", "z" * 100, "z{55}_[0-9a-f]{8}"),
        ("mistral", "call_1", "[0-9a-zA-Z]{9}"),
        ("mistral", "51-Qx/7zz_a", "[0-9a-zA-Z]{9}"),
        ("gemini", "any thing/" * 20, re.escape("any thing/" * 20)),
    ],
)
def test_an_id_is_made_to_fit(provider: IdProvider, id: str, pattern: str) -> None:
    fitted = CallIds(provider).fit(id)
    assert re.fullmatch(pattern, fitted)
    assert ID_RULES[provider].accepts(fitted)


@pytest.mark.rule("call-id-fits-the-provider")
@pytest.mark.parametrize(
    ("provider", "id"),
    [
        ("openai_chat", "call_" + "a" * 35),
        ("openai_responses", "fc_" + "a" * 61),
        ("anthropic", "toolu_01A-b"),
        ("mistral", "a1B2c3D4e"),
        ("gemini", "x"),
    ],
)
def test_an_id_that_fits_stays(provider: IdProvider, id: str) -> None:
    assert CallIds(provider).fit(f" {id} ") == id


@pytest.mark.rule("call-id-fits-the-provider")
def test_a_blank_id_takes_what_stands_for_it() -> None:
    ids = CallIds("openai_chat")
    assert ids.fit("", blank="call_0_0") == ids.fit(None, blank="call_0_0") == "call_0_0"
    assert ids.fit("call_0_0") != "call_0_0"  # another call that is really called so
    assert CallIds("gemini").fit(None) == ""
    with pytest.raises(ValueError, match="blank"):
        ids.fit(" ")
    with pytest.raises(ValueError, match="openai_chat, openai_responses"):
        CallIds("nobody")  # pyright: ignore[reportArgumentType]


@pytest.mark.rule("call-id-pairs-stay")
@given(st.sampled_from(PROVIDERS), st.lists(st.text(min_size=1).filter(str.strip), max_size=12))
def test_different_ids_stay_different_and_the_same_stay_the_same(
    provider: IdProvider, names: list[str]
) -> None:
    once, again = CallIds(provider), CallIds(provider)
    fitted = {name.strip().strip("\ufeff"): once.fit(name, blank="b") for name in names}
    assert len(set(fitted.values())) == len(fitted)
    assert all(ID_RULES[provider].accepts(id) for id in fitted.values())
    assert [again.fit(name, blank="b") for name in names] == [
        once.fit(name, blank="b") for name in names
    ]


@pytest.mark.rule("call-id-pairs-stay")
def test_an_id_that_is_taken_by_a_made_one_gives_way() -> None:
    ids = CallIds("anthropic")
    made = ids.fit("a.b")
    assert made == "a_b_2e7336dc"
    other = ids.fit(made)
    assert other != made
    assert ids.fit("a.b") == made
    assert ids.fit(made) == other


@pytest.mark.rule("call-id-split")
def test_ids_of_split_calls_are_distinct_and_bounded() -> None:
    assert split_call_ids("c1", 3) == ["c1", "c1_2", "c1_3"]
    assert split_call_ids("c1", 3, taken={"c1", "c1_2"}) == ["c1", "c1_3", "c1_4"]
    assert split_call_ids("c1", 1) == ["c1"]
    assert split_call_ids("c1", 0) == []
    long = split_call_ids("x" * 64, 5)
    assert len(set(long)) == 5
    assert max(map(len, long)) <= 64
