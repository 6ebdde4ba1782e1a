"""The row form of refusals."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolroll import CallContext, LocalToolkit, Refusal, ToolCall, run_sync, tool
from toolroll.outcome import (
    CODES,
    InvalidInput,
    Issue,
    ParsedRefusal,
    Refused,
    field,
    field_message,
    parse_refusal_body,
    refusal_body,
    refusal_rows,
    rows_of,
)


@pytest.mark.rule("refusal-body-form")
def test_fields_lose_tabs_and_breaks_and_advice_keeps_tabs() -> None:
    assert refusal_body("a\tb", "m\r\nn", ["x\ty\nz"]) == "refused\ta b\tm n\nx\ty z"
    assert refusal_rows("c", "m") == "c\tm"
    assert field("a\t\r\n\tb") == "a b"
    assert field(7) == "7"


@pytest.mark.rule("refusal-body-reads-back")
@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("refused\tc\tm\n\nadvice", ParsedRefusal("c", "m", ("advice",))),
        ("c\tm", ParsedRefusal("c", "m", ())),
        ("note\twritten", ParsedRefusal("note", "written", ())),
        ("hello", None),
        ("", None),
        ("  \n ", None),
        ("refused\tc", None),
        ("refused\t\tm", None),
        ("refused\tc\tm\textra\nx\ty", ParsedRefusal("c", "m", ("x\ty",))),
    ],
)
def test_the_body_of_a_refusal_is_parsed(text: str, parsed: ParsedRefusal | None) -> None:
    assert parse_refusal_body(text) == parsed


@pytest.mark.rule("refusal-blank")
@pytest.mark.parametrize("blank", ["", "  ", "\t\n"])
def test_a_blank_code_or_message_is_filled_and_reads_back(blank: str) -> None:
    sentence = CODES["refused"].sentence
    assert parse_refusal_body(refusal_body(blank, blank)) == ParsedRefusal("refused", sentence, ())
    assert parse_refusal_body(refusal_body("c", blank)) == ParsedRefusal("c", sentence, ())
    assert parse_refusal_body(refusal_rows("c", blank)) == ParsedRefusal("c", sentence, ())
    assert parse_refusal_body(refusal_body(blank, "m")) == ParsedRefusal("refused", "m", ())


@pytest.mark.rule("refusal-blank")
@pytest.mark.parametrize("blank", ["", " \n"])
def test_a_refusal_that_says_nothing_is_still_one(blank: str) -> None:
    @tool(effect="write")
    def refuse() -> str:
        """Refuse."""
        raise Refusal(blank, blank, ["revision\t7"])

    outcome = run_sync(LocalToolkit("t", refuse).call, ToolCall.of("refuse"), CallContext())
    assert isinstance(outcome, Refused)
    assert (outcome.code, outcome.message) == ("refused", CODES["refused"].sentence)
    assert parse_refusal_body(rows_of(outcome)) == ParsedRefusal(
        outcome.code, outcome.message, outcome.lines
    )


_WORD = (
    st.text(min_size=1)
    .map(lambda text: " ".join(text.split()))
    .filter(lambda text: text and text == field(text) and text != "refused" and "\n" not in text)
)


@given(_WORD, _WORD, st.lists(_WORD.filter(str.strip), max_size=3))
def test_what_is_written_reads_back(code: str, message: str, lines: list[str]) -> None:
    lines = [line.replace("\n", " ") for line in lines]
    for write in (refusal_body, refusal_rows):
        assert parse_refusal_body(write(code, message, lines)) == ParsedRefusal(
            code, message, tuple(lines)
        )


@pytest.mark.rule("refusal-field-message")
@pytest.mark.parametrize(
    ("pointer", "problem", "message"),
    [
        ("/title", "Too small", "title: Too small"),
        ("/text", "note_write needs text", "note_write needs text"),
        ("/text", "context missing", "text: context missing"),
        ("/text", "re-text it", "text: re-text it"),
        ("/a/b", "must be integer", "a.b: must be integer"),
        ("", "must be object", "must be object"),
    ],
)
def test_a_path_stands_in_front_unless_its_name_is_a_word(
    pointer: str, problem: str, message: str
) -> None:
    assert field_message(Issue(pointer, problem)) == message


def test_bad_arguments_advise_the_fields_in_order() -> None:
    outcome = InvalidInput(
        code="bad-arguments", message="m", issues=(Issue("/text", "note_write needs text"),)
    )
    body = rows_of(outcome, ["text", "revision", "dry_run"])
    assert body == "refused\tbad-arguments\tnote_write needs text\nfields\ttext\trevision\tdry_run"
    refused = Refused(code="unknown-tool", message="no such tool", lines=("tools\tnote_write",))
    assert rows_of(refused) == "refused\tunknown-tool\tno such tool\ntools\tnote_write"
