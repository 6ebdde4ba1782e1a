"""Headers: values, the mirror of a request, and marked arguments."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.shared import inbound

from toolroll.protocol import (
    Mark,
    check_mark_headers,
    decode_value,
    encode_value,
    find_marks,
    mark_headers,
    request_headers,
)


def _schema(**properties: object) -> dict[str, object]:
    return {"type": "object", "properties": properties}


@pytest.mark.rule("mcp-wire-header-value")
@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("us-west1", "us-west1"),
        ("two words", "two words"),
        ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
        (" padded ", "=?base64?IHBhZGRlZCA=?="),
        ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
        ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
        ("tab\there", "=?base64?dGFiCWhlcmU=?="),
        ("", ""),
    ],
)
def test_a_text_becomes_a_safe_header_value(text: str, header: str) -> None:
    assert encode_value(text) == header
    assert decode_value(header) == text


@pytest.mark.rule("mcp-wire-header-value")
@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_every_text_survives_and_the_official_reader_agrees(text: str) -> None:
    header = encode_value(text)
    assert header.isascii()
    assert "\n" not in header
    assert "\r" not in header
    assert decode_value(header) == text == inbound.decode_header_value(header)


@pytest.mark.rule("mcp-wire-header-value")
def test_a_value_that_only_claims_to_be_encoded_is_refused() -> None:
    assert [decode_value(f"=?base64?{body}?=") for body in ("*", "YQ", "/w==")] == [None] * 3
    assert decode_value("=?base64?=") == "=?base64?="


@pytest.mark.rule("mcp-wire-request-headers")
def test_a_request_is_mirrored_in_its_headers() -> None:
    headers = dict(request_headers("tools/call", {"name": "löschen"}, "2026-07-28"))
    assert headers == {
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "tools/call",
        "Mcp-Name": "=?base64?bMO2c2NoZW4=?=",
    }
    assert "Mcp-Name" not in dict(request_headers("tools/list", {}, "2026-07-28"))
    assert (
        dict(request_headers("resources/read", {"uri": "a:b"}, "2026-07-28"))["Mcp-Name"] == "a:b"
    )


MARKED = {"type": "string", "x-mcp-header": "Region"}


@pytest.mark.rule("mcp-wire-mark-places")
def test_marks_are_found_in_order_and_at_depth() -> None:
    inner = {"type": "object", "properties": {"id": {"type": "integer", "x-mcp-header": "Id"}}}
    reading = find_marks(_schema(region=MARKED, of=inner))
    assert reading.faults == ()
    assert [(mark.header, mark.path) for mark in reading.marks] == [
        ("Mcp-Param-Region", ("region",)),
        ("Mcp-Param-Id", ("of", "id")),
    ]


@pytest.mark.rule("mcp-wire-mark-places")
@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "x-mcp-header": "Root"},
        _schema(a={"type": "array", "items": MARKED}),
        _schema(a={"anyOf": [MARKED]}),
        _schema(a={"not": MARKED}),
        {"type": "object", "if": {"properties": {"a": MARKED}}},
        {"type": "object", "allOf": [{"properties": {"a": MARKED}}]},
        {"type": "object", "$defs": {"a": MARKED}},
        {"type": "object", "patternProperties": {"a": MARKED}},
        {"type": "object", "additionalProperties": MARKED},
        _schema(a={"type": "string", "x-mcp-header": ""}),
        _schema(a={"type": "string", "x-mcp-header": "two words"}),
        _schema(a={"type": "string", "x-mcp-header": 7}),
        _schema(a={"type": "object", "x-mcp-header": "A"}),
        _schema(a={"type": ["string", "null"], "x-mcp-header": "A"}),
        _schema(a={"x-mcp-header": "A"}),
        _schema(a=MARKED, b={"type": "integer", "x-mcp-header": "REGION"}),
    ],
)
def test_a_mark_out_of_place_is_a_fault_and_the_official_check_agrees(
    schema: dict[str, object],
) -> None:
    assert len(find_marks(schema).faults) >= 1
    assert inbound.find_invalid_x_mcp_header(schema) is not None


@pytest.mark.rule("mcp-wire-mark-places")
def test_a_property_or_data_of_that_name_is_no_mark() -> None:
    schema = {
        "type": "object",
        "properties": {"x-mcp-header": {"type": "string"}},
        "default": {"x-mcp-header": "A"},
        "examples": [{"x-mcp-header": "A"}],
    }
    reading = find_marks(schema)
    assert (reading.marks, reading.faults) == ((), ())


@pytest.mark.rule("mcp-wire-mark-number")
def test_a_number_may_be_marked_only_when_asked_for() -> None:
    schema = _schema(price={"type": "number", "x-mcp-header": "Price"})
    assert len(find_marks(schema).faults) == 1
    reading = find_marks(schema, number_marks=True)
    assert reading.faults == ()
    assert mark_headers(reading.marks, {"price": 2.5}) == (("Mcp-Param-Price", "2.5"),)


MARKS = [
    Mark(name="S", path=("s",), kind="string"),
    Mark(name="I", path=("i",), kind="integer"),
    Mark(name="B", path=("o", "b"), kind="boolean"),
]


@pytest.mark.rule("mcp-wire-mark-headers")
def test_marked_arguments_travel_and_absent_ones_do_not() -> None:
    sent = mark_headers(MARKS, {"s": "ü", "i": -7, "o": {"b": False}})
    assert sent == (
        ("Mcp-Param-S", "=?base64?w7w=?="),
        ("Mcp-Param-I", "-7"),
        ("Mcp-Param-B", "false"),
    )
    assert mark_headers(MARKS, {"s": None, "o": "no object"}) == ()
    assert mark_headers(MARKS, {"i": 5.0}) == (("Mcp-Param-I", "5"),)


@pytest.mark.rule("mcp-wire-mark-headers")
@pytest.mark.parametrize("value", [2**53, -(2**53), 1e300, 10**400])
def test_an_integer_out_of_range_is_refused_by_name(value: float) -> None:
    with pytest.raises(ValueError, match=r"^i must be"):
        mark_headers(MARKS, {"i": value})


@pytest.mark.rule("mcp-wire-mark-check")
def test_headers_of_a_call_must_agree_with_its_arguments() -> None:
    arguments = {"s": "ü", "i": 42, "o": {"b": True}}
    sent = {name.lower(): value for name, value in mark_headers(MARKS, arguments)}
    assert check_mark_headers(MARKS, arguments, sent) is None
    assert check_mark_headers(MARKS, arguments, {**sent, "mcp-param-i": "42.0"}) is None
    assert check_mark_headers(MARKS, arguments, {**sent, "mcp-param-i": "43"}) == (
        "Mcp-Param-I differs from the argument"
    )
    assert check_mark_headers(MARKS, arguments, {**sent, "mcp-param-i": "nan"}) is not None
    assert check_mark_headers(MARKS, arguments, {**sent, "mcp-param-s": "=?base64?*?="}) is not None
    assert check_mark_headers(MARKS, arguments, {}) == "Mcp-Param-S is missing"
    assert check_mark_headers(MARKS, {"i": 42}, sent) == "Mcp-Param-S stands for no argument"


@pytest.mark.rule("mcp-wire-mark-headers")
@given(
    st.fixed_dictionaries(
        {},
        optional={
            "s": st.text(alphabet=st.characters(exclude_categories=["Cs"])) | st.none(),
            "i": st.integers(-(2**53) + 1, 2**53 - 1) | st.none(),
            "o": st.fixed_dictionaries({}, optional={"b": st.booleans()}),
        },
    )
)
def test_what_one_side_sends_the_other_side_accepts(arguments: dict[str, object]) -> None:
    headers = {name.lower(): value for name, value in mark_headers(MARKS, arguments)}
    assert check_mark_headers(MARKS, arguments, headers) is None
