"""What a model reads of a bad outcome: lines, without what nobody sees."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolroll.content import Text
from toolroll.outcome import Failed, InvalidInput, Issue, Outcome, Refused

HOSTILE = "red \x1b[31m\u202etext\x07"


@pytest.mark.rule("outcome-lines-shown")
@pytest.mark.parametrize(
    ("outcome", "lines"),
    [
        (
            Refused(code="no", message=f"{HOSTILE}\nnot today", lines=("due\t7\r\n8", "\x1b[0m")),
            ["red text not today", "due\t7 8"],
        ),
        (
            InvalidInput(
                code="bad-arguments", message="-", issues=(Issue("/a\x1b[31m", "must\nbe 3"),)
            ),
            ["Invalid arguments at /a: must be 3"],
        ),
        (Failed(code="call-failed", message=f"{HOSTILE}\ntwo"), ["red text", "two"]),
        (Failed(code="call-failed", message="\x07"), ["call-failed"]),
        (Refused(code="no", message="\u202e"), ["no"]),
    ],
)
def test_words_of_others_are_shown_without_what_nobody_sees(
    outcome: Outcome, lines: list[str]
) -> None:
    assert outcome.for_model() == [Text("\n".join(lines))]


@pytest.mark.rule("outcome-lines-shown")
def test_spaces_of_a_value_stay_so_that_a_model_can_send_it() -> None:
    issue = Issue("/a", 'must be one of "x  y", "z"')
    outcome = InvalidInput(code="bad-arguments", message="-", issues=(issue,))
    assert outcome.lines_for_model() == ['Invalid arguments at /a: must be one of "x  y", "z"']


@pytest.mark.rule("outcome-lines-shown")
@given(st.text(), st.lists(st.text()))
def test_a_refusal_is_a_line_for_its_sentence_and_each_advice_at_most(
    message: str, lines: list[str]
) -> None:
    refused = Refused(code="no", message=message, lines=tuple(lines))
    shown = refused.lines_for_model()
    assert 1 <= len(shown) <= 1 + len(lines)
    assert not any("\n" in line or "\x1b" in line for line in shown)
    assert refused.to_json()["message"] == message
