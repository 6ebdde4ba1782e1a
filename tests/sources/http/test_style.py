"""Values in paths, queries and headers, beside an independent reader of RFC 6570."""

from typing import Any
from urllib.parse import parse_qsl, unquote

import pytest
import uritemplate
from hypothesis import example, given
from hypothesis import strategies as st

from toolroll.content import JsonValue
from toolroll.sources.http.place import Style
from toolroll.sources.http.style import (
    UnfitError,
    flat,
    header_text,
    is_json,
    path_text,
    query_texts,
    scalar_text,
)

texts = st.text(st.characters(codec="utf-8"), min_size=1, max_size=6)
keys = st.text("abcdefgh_-.~ %&=,;/?#[]é", min_size=1, max_size=4)
scalars = texts | st.integers(-9, 999)
lists = st.lists(scalars, min_size=1, max_size=4)
objects = st.dictionaries(keys, scalars, min_size=1, max_size=4)
values = scalars | lists | objects

# What `uritemplate` expands with, for each of our styles.
OPERATORS: list[tuple[str, Style, str]] = [
    ("path", "simple", ""),
    ("path", "label", "."),
    ("path", "matrix", ";"),
    ("query", "form", "?"),
]


@pytest.mark.rule("http-styles-follow-rfc-6570")
@pytest.mark.parametrize(("location", "style", "operator"), OPERATORS)
@pytest.mark.parametrize("explode", [False, True])
@given(value=values)
@example(value={"R": 100, "G": 200, "B": 150})
@example(value=["blue", "black", "brown"])
@example(value="a/b?c#d%2e")
def test_every_style_is_written_as_rfc_6570_says(
    location: str, style: Style, operator: str, explode: bool, value: JsonValue
) -> None:
    template = uritemplate.URITemplate(f"{{{operator}color{'*' if explode else ''}}}")
    said = template.expand(color=_for_oracle(value))
    if location == "path":
        assert path_text("color", value, style, explode=explode) == said
    else:
        assert "?" + "&".join(query_texts("color", value, style, explode=explode)) == said


def _for_oracle(value: JsonValue) -> Any:
    if isinstance(value, dict):
        # The oracle sorts mappings; a list of pairs keeps its order.
        return [(key, str(item)) for key, item in value.items()]
    return [str(item) for item in value] if isinstance(value, list) else str(value)


@pytest.mark.rule("http-styles-follow-openapi")
@pytest.mark.parametrize(
    ("style", "explode", "value", "said"),
    [
        ("spaceDelimited", False, ["blue", "black"], ["color=blue%20black"]),
        ("spaceDelimited", False, {"R": 100, "G": 200}, ["color=R%20100%20G%20200"]),
        ("pipeDelimited", False, ["blue", "black"], ["color=blue%7Cblack"]),
        ("pipeDelimited", False, {"R": 100, "G": 200}, ["color=R%7C100%7CG%7C200"]),
        ("deepObject", True, {"R": 100, "G": 200}, ["color%5BR%5D=100", "color%5BG%5D=200"]),
        ("form", True, "", ["color="]),
        ("form", True, [], []),
        ("form", True, {}, []),
        ("form", True, True, ["color=true"]),
        ("form", False, ["a,b", "c"], ["color=a%2Cb,c"]),
        ("form", True, {"a": None, "b": 1}, ["b=1"]),
    ],
)
def test_what_rfc_6570_has_no_words_for_is_written_as_openapi_says(
    style: Style, explode: bool, value: JsonValue, said: list[str]
) -> None:
    assert query_texts("color", value, style, explode=explode) == said


@pytest.mark.rule("http-allow-reserved")
def test_allow_reserved_keeps_what_cannot_end_a_value() -> None:
    written = query_texts(
        "u", "https://a.test/x?y=1&z=#[+] %2F", "form", explode=True, allow_reserved=True
    )
    assert written == ["u=https://a.test/x?y%3D1%26z%3D%23%5B%2B%5D%20%252F"]
    assert parse_qsl(written[0]) == [("u", "https://a.test/x?y=1&z=#[+] %2F")]


@given(value=texts, explode=st.booleans(), style=st.sampled_from(["simple", "label", "matrix"]))
@pytest.mark.rule("http-path-value-stays-in-segment")
def test_a_path_value_is_unreserved_or_encoded(value: str, explode: bool, style: Style) -> None:
    written = path_text("n", value, style, explode=explode)
    assert not set(written) & set("/?#\\ \r\n\0")
    assert unquote(written).endswith(value)


@given(value=values, explode=st.booleans())
@pytest.mark.rule("http-query-value-stays-in-place")
def test_a_query_is_read_back_as_it_was_meant(value: JsonValue, explode: bool) -> None:
    pairs = parse_qsl(
        "&".join(query_texts("n", value, "form", explode=explode)), keep_blank_values=True
    )
    parts = flat(value)
    if explode and not isinstance(parts, str):
        assert pairs == [item if isinstance(item, tuple) else ("n", item) for item in parts]
    else:
        assert [name for name, _ in pairs] == ["n"]


@pytest.mark.rule("http-scalar-values")
@pytest.mark.parametrize(
    ("value", "said"),
    [
        (5.0, "5"),
        (0.1, "0.1"),
        (1e300, "1e+300"),
        (-0.0, "0"),
        (10**400, "1" + "0" * 400),
        ("", ""),
    ],
)
def test_numbers_are_written_as_json_readers_know_them(value: JsonValue, said: str) -> None:
    assert scalar_text(value) == said


@pytest.mark.rule("http-scalar-values")
@pytest.mark.parametrize(
    "value",
    [None, float("nan"), float("inf"), "\ud800", 10**5000, {"a": {}}, {"a": []}, [[1]], [None]],
    ids=["null", "nan", "inf", "half", "digits", "object", "list", "nested", "null-item"],
)
def test_what_no_style_can_say_is_unfit(value: JsonValue) -> None:
    with pytest.raises(UnfitError):
        flat(value)


@pytest.mark.rule("http-header-value-stays-in-header")
@pytest.mark.parametrize(
    ("value", "explode", "said"),
    [
        ("a b", False, "a b"),
        (["a", "b"], False, "a,b"),
        ({"R": 1, "G": 2}, False, "R,1,G,2"),
        ({"R": 1, "G": 2}, True, "R=1,G=2"),
        ("a,b", False, "a,b"),
        (True, False, "true"),
        ([], False, ""),
    ],
)
def test_headers_are_written_without_percent_encoding(
    value: JsonValue, explode: bool, said: str
) -> None:
    assert header_text(value, explode=explode) == said


@pytest.mark.rule("http-header-value-stays-in-header")
@pytest.mark.parametrize(
    "value",
    ["a\r\nX-Evil: 1", "a\nb", "a\0", "é", "\x7f", " a", "a\t", ["a,b"], ["a", ""], {"k\n": 1}],
    ids=repr,
)
def test_a_value_that_would_not_arrive_as_it_is_is_unfit_for_a_header(value: JsonValue) -> None:
    with pytest.raises(UnfitError):
        header_text(value, explode=False)


def test_json_types_are_known_by_their_ending() -> None:
    assert all(map(is_json, ["application/json", "Application/JSON; charset=x", "a/b+json"]))
    assert not any(map(is_json, ["text/plain", "application/jsonl", ""]))
