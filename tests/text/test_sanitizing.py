"""Lines and texts for a terminal or a log."""

import json
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.text.slowdown import slowdown
from toolroll.text import join_surrogates, json_for_terminal, sanitize_line, sanitize_text
from toolroll.text.character import BIDI, CONTROL, FORMAT, SEPARATOR

ANY_TEXT = st.text(st.characters(exclude_categories=()))
ESCAPES = st.lists(
    st.sampled_from(
        ["\x1b", "\x9b", "]", "[", "31", ";", "m", "\x07", "\x9c", "\\", "x", " ", "\n"]
    )
).map("".join)


@pytest.mark.rule("text-line-is-one-safe-line")
@pytest.mark.parametrize(
    ("value", "line"),
    [
        ("a\x1b]0;evil\x07b\x1b[31mc\nd\u2028e\u202ef\x85g\x9b1mh", "abc d e f gh"),
        (42, "42"),
        (None, "None"),
        ("  a   b\t\tc  ", "a b c"),
        ("a\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\b", "alinkb"),
        ("a\x1b]0;title\x9cb", "ab"),
        ("a\x1b]0;never closed", "aever closed"),
        ("\x1b[38;5;196mred\x1b[0m", "red"),
        ("\x1b[38:2::255:0:0mred", "red"),
        ("soft\u00adhyphen zero\u200bwidth", "soft hyphen zero width"),
        ("a\u00a0b", "a\u00a0b"),
        ("plain", "plain"),
        ("", ""),
    ],
)
def test_a_line_is_safe_to_show(value: object, line: str) -> None:
    assert sanitize_line(value) == line


@pytest.mark.rule("text-line-is-one-safe-line")
@given(ANY_TEXT | ESCAPES)
def test_no_line_holds_a_character_that_acts(text: str) -> None:
    line = sanitize_line(text)
    assert not {unicodedata.category(c) for c in line} & {"Cc", "Cf", "Zl", "Zp", "Cs"}
    assert "  " not in line
    assert line == line.strip()
    assert sanitize_line(line) == line


@pytest.mark.rule("text-line-is-one-safe-line")
def test_the_classes_hold_every_character_of_their_categories() -> None:
    inside = re.compile(f"[{CONTROL}{FORMAT}{SEPARATOR}]")
    for code in range(0x110000):
        category = unicodedata.category(chr(code))
        if category in ("Cc", "Cf", "Zl", "Zp"):
            assert inside.match(chr(code)), hex(code)
        elif inside.match(chr(code)):
            assert category == "Cn", hex(code)  # assigned in a later Unicode than this Python's


@pytest.mark.rule("text-lines-are-safe")
@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("a\r\nb\rc\nd", "a\nb\nc\nd"),
        ("\x1b[1mbold\x1b[0m\tand tab", "bold\tand tab"),
        ("a\x00b\x07c\x7fd\x85e", "abcde"),
        ("rtl\u202eevil\u2066x\u061cy\u200ez", "rtlevilxyz"),
        ("a\u2028b\u2029c", "a b c"),
        ("👨\u200d👩 می\u200cخواهم", "👨\u200d👩 می\u200cخواهم"),
        ("  spaces   stay ", "  spaces   stay "),
        (7, "7"),
    ],
)
def test_a_text_keeps_its_lines_and_loses_what_acts(value: object, text: str) -> None:
    assert sanitize_text(value) == text


@pytest.mark.rule("text-lines-are-safe")
@given(ANY_TEXT | ESCAPES)
def test_no_text_holds_an_escape_or_a_direction_mark(text: str) -> None:
    safe = sanitize_text(text)
    assert re.search(f"[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f{BIDI}\u2028\u2029]", safe) is None
    assert sanitize_text(safe) == safe


@pytest.mark.rule("text-cleaning-is-linear")
@pytest.mark.parametrize(
    "unit",
    ["\x1b]", "\x1b[", "\x1b[1;", "\x9b", "\x1b]\x1b[", "\x1b;;;;", "\x1b]0;x\x07", "  ", "\u202e"],
    ids=ascii,
)
def test_hostile_lines_take_linear_time(unit: str) -> None:
    assert slowdown(sanitize_line, unit * 20_000, unit * 160_000) < 24  # 8 times the length
    assert slowdown(sanitize_text, unit * 20_000, unit * 160_000) < 24


@pytest.mark.rule("text-cleaning-is-linear")
def test_an_unclosed_command_loses_its_escape_and_shows_the_rest() -> None:
    assert sanitize_line("\x1b]" * 100_000) == " ".join("]" * 100_000)


@pytest.mark.rule("text-json-for-a-terminal")
@given(st.text() | st.lists(st.text()) | st.dictionaries(st.text(), st.text()))
def test_json_for_a_terminal_reads_back_the_same_and_acts_on_nothing(value: object) -> None:
    written = json_for_terminal(json.dumps(value, ensure_ascii=False))
    assert json.loads(written) == value
    assert re.search(f"[\\x00-\\x1f\\x7f-\\x9f{BIDI}\u2028\u2029]", written) is None


@pytest.mark.rule("text-json-for-a-terminal")
def test_json_for_a_terminal_can_be_encoded_and_keeps_letters() -> None:
    written = json_for_terminal('{"a": "é\x9b1m\u202e\ud800日"}')
    assert written == '{"a": "é\\u009b1m\\u202e\\ud800日"}'
    written.encode()


@pytest.mark.rule("text-halves-of-pairs")
def test_halves_of_pairs_are_joined_or_replaced() -> None:
    assert join_surrogates("\ud83d\ude00\ud83dx\ude00") == "\U0001f600\ufffdx\ufffd"
    assert sanitize_line("\ud83d\ude00 \ud83d") == "\U0001f600 \ufffd"
    assert sanitize_text("\ud83d\n\ude00") == "\ufffd\n\ufffd"
