"""Outcomes: flags, JSON, what a model reads."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolroll.content import Image, Text, ToolResult
from toolroll.outcome import (
    CODES,
    Aborted,
    Answer,
    ApprovalRequest,
    BadOutcome,
    Failed,
    InvalidInput,
    Issue,
    NeedsApproval,
    Outcome,
    Refusal,
    Refused,
    Repair,
    TimedOut,
    ToolrollError,
    Unavailable,
    UnwrapError,
    failure_form,
    issue_lines,
    kernel_form,
    one_line,
    outcome_from_json,
    rows_of,
)

REQUEST = ApprovalRequest(id="a", tool="t", source="s", input={"n": 1}, digest="d", effect="write")


def every_kind() -> list[Outcome]:
    shared = {"call_id": "c1", "duration": 0.5, "repairs": (Repair("drop_null", "/a"),)}
    return [
        Answer(result=ToolResult(content=(Text("hi"),), data={"a": 1}), **shared),
        InvalidInput(
            code="bad-arguments",
            message="m",
            issues=(Issue("/a", "p", ("b",), "required"),),
            **shared,
        ),
        Refused(code="rev-conflict", message="m", lines=("revision\t7",), **shared),
        NeedsApproval(code="needs-approval", message="m", request=REQUEST, **shared),
        Failed(code="tool-error", message="m", result=ToolResult(is_error=True), **shared),
        TimedOut(code="timed-out", message="m", limit=2.0, **shared),
        Aborted(code="aborted", message="m", **shared),
        Unavailable(code="unavailable", message="m", retry_after=3.0, **shared),
    ]


@pytest.mark.rule("outcome-json-round-trip")
@pytest.mark.parametrize("outcome", every_kind(), ids=lambda outcome: outcome.kind)
def test_every_kind_reads_back_from_its_json(outcome: Outcome) -> None:
    assert outcome_from_json(outcome.to_json()) == outcome


def test_the_kinds_are_the_eight_of_the_union() -> None:
    kinds = [outcome.kind for outcome in every_kind()]
    assert kinds == [
        "ok",
        "invalid_input",
        "refused",
        "needs_approval",
        "failed",
        "timeout",
        "aborted",
        "unavailable",
    ]


@pytest.mark.rule("outcome-code-decides-flags")
@pytest.mark.parametrize("code", sorted(CODES))
def test_flags_come_from_the_table_unless_given(code: str) -> None:
    row = CODES[code]
    outcome = Failed(code=code, message="m")
    assert (outcome.retryable, outcome.may_have_run) == (row.retryable, row.may_have_run)
    told = Failed(
        code=code, message="m", retryable=not row.retryable, may_have_run=not row.may_have_run
    )
    assert (told.retryable, told.may_have_run) == (not row.retryable, not row.may_have_run)


@pytest.mark.rule("outcome-cause-never-told")
def test_the_cause_is_for_the_host_only() -> None:
    outcome = Failed(
        code="handler-error", message="it failed", cause=ValueError("password=hunter2")
    )
    assert "hunter2" not in str(outcome.to_json())
    assert "hunter2" not in repr(outcome)
    assert outcome.for_model() == [Text("it failed")]
    assert isinstance(outcome.cause, ValueError)


@pytest.mark.rule("outcome-unwrap")
def test_unwrap_gives_the_result_or_raises() -> None:
    answer, *bad = every_kind()
    assert answer.unwrap().data == {"a": 1}
    for outcome in bad:
        expected = Refusal if isinstance(outcome, Refused) else UnwrapError
        with pytest.raises(expected):
            outcome.unwrap()
    with pytest.raises(Refusal) as raised:
        Refused(code="rev-conflict", message="m", lines=("a\tb",)).unwrap()
    assert (raised.value.code, raised.value.lines) == ("rev-conflict", ("a\tb",))


@pytest.mark.rule("outcome-text-or-data")
def test_a_model_reads_text_or_data_never_both() -> None:
    picture = Image("aGk=", "image/png")
    both = ToolResult(content=(Text("two"), picture), data={"n": 2})
    assert both.for_model() == [Text("two"), picture]
    data_only = ToolResult(content=(picture,), data={"n": "é"})
    assert data_only.for_model() == [Text('{"n":"é"}'), picture]
    assert ToolResult().for_model() == []


@pytest.mark.rule("lines-wording")
def test_issues_as_lines_name_the_place() -> None:
    issues = [
        Issue("", 'unknown property "wrod"; takes word, mode', keyword="additionalProperties"),
        Issue("", "must have required properties word", ("word",), "required"),
        Issue("/mode", "must be one of plain, loud", keyword="enum"),
        Issue("/mode", "must be one of plain, loud", keyword="enum"),
    ]
    assert issue_lines(issues) == [
        'Invalid arguments: unknown property "wrod"; takes word, mode',
        "Invalid arguments at /: must have required properties word",
        "Invalid arguments at /mode: must be one of plain, loud",
    ]
    assert (
        one_line(issues[1:3])
        == "input: must have required properties word; mode: must be one of plain, loud"
    )
    assert issue_lines([]) == ["Invalid arguments"]


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
_SECONDS = st.floats(0, 1e6)
_SHARED = {
    "call_id": st.text(),
    "duration": _SECONDS,
    "repairs": st.lists(
        st.builds(Repair, st.text(), st.text(), st.none() | st.integers(0), st.text()), max_size=2
    ).map(tuple),
}
_BAD = {
    **_SHARED,
    "code": st.text() | st.sampled_from(sorted(CODES)),
    "message": st.text(),
    "retryable": st.booleans(),
    "may_have_run": st.booleans(),
    "retry_after": st.none() | _SECONDS,
}
_RESULTS = st.builds(
    ToolResult,
    content=st.lists(st.builds(Text, st.text()), max_size=2).map(tuple),
    data=_JSON,
    is_error=st.booleans(),
)
_ISSUES = st.builds(Issue, st.text(), st.text(), st.lists(st.text()).map(tuple), st.text())
_REQUESTS = st.builds(
    ApprovalRequest,
    id=st.text(),
    tool=st.text(),
    source=st.text(),
    input=st.dictionaries(st.text(), _JSON, max_size=2),
    asked=st.none() | _SECONDS,
)
_OUTCOMES: st.SearchStrategy[Outcome] = st.one_of(
    st.builds(Answer, result=_RESULTS, **_SHARED),
    st.builds(InvalidInput, issues=st.lists(_ISSUES, max_size=2).map(tuple), **_BAD),
    st.builds(Refused, lines=st.lists(st.text(), max_size=2).map(tuple), **_BAD),
    st.builds(NeedsApproval, request=_REQUESTS, **_BAD),
    st.builds(Failed, result=st.none() | _RESULTS, **_BAD),
    st.builds(TimedOut, limit=st.none() | _SECONDS, **_BAD),
    st.builds(Aborted, **_BAD),
    st.builds(Unavailable, **_BAD),
)


@pytest.mark.rule("outcome-json-round-trip")
@given(_OUTCOMES)
def test_any_outcome_reads_back_from_the_text_of_its_json(outcome: Outcome) -> None:
    assert outcome_from_json(json.loads(json.dumps(outcome.to_json()))) == outcome
    assert outcome.ok or outcome.lines_for_model()


@pytest.mark.rule("outcome-other-forms")
def test_the_kernel_s_form_of_every_kind() -> None:
    forms = [kernel_form(outcome) for outcome in every_kind()]
    assert forms[0] == {
        "ok": True,
        "callId": "c1",
        "durationMs": 500.0,
        "output": {"a": 1},
        "summary": "hi",
    }
    assert [form.get("kind") for form in forms[1:]] == [
        "invalid_input",
        "failed",
        "failed",
        "failed",
        "timeout",
        "aborted",
        "failed",
    ]
    assert forms[1]["error"] == "Invalid arguments: a: p"
    named = kernel_form(every_kind()[1], "note_write")
    assert named["error"] == "Invalid arguments for note_write: a: p"
    assert kernel_form(Answer(result=ToolResult(content=(Text("t"),))))["output"] == "t"
    assert kernel_form(Answer(result=ToolResult()))["summary"] == ""


@pytest.mark.rule("outcome-other-forms")
def test_the_failure_form_has_the_reason_s_name() -> None:
    assert [form and form["code"] for form in map(failure_form, every_kind())] == [
        None,
        "InvalidInputError",
        "rev-conflict",
        "needs-approval",
        "tool-error",
        "timed-out",
        "aborted",
        "UnavailableError",
    ]
    failure = failure_form(Failed(code="call-failed", message="no such book"))
    assert failure == {"code": "CallFailedError", "message": "no such book", "retryable": False}


def _places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    yield path
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _places(item, (*path, key))
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _places(item, (*path, index))


def _put(value: Any, path: tuple[str | int, ...], other: Any) -> Any:
    if not path:
        return other
    fresh = copy.deepcopy(value)
    holder = fresh
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = other
    return fresh


@pytest.mark.rule("outcome-json-no-outcome")
@pytest.mark.parametrize("outcome", every_kind(), ids=lambda outcome: outcome.kind)
def test_json_that_is_no_outcome_is_refused_and_never_half_read(outcome: Outcome) -> None:
    written = json.loads(json.dumps(outcome.to_json()))
    refused = 0
    for path in _places(written):
        for other in (None, True, -1, 10**400, "", [], {}, [1], {"a": 1}):
            try:
                back = outcome_from_json(_put(written, path, other))
            except ToolrollError:
                refused += 1
                continue
            assert outcome_from_json(json.loads(json.dumps(back.to_json()))) == back
            back.for_model()
            kernel_form(back, "t")
            if isinstance(back, BadOutcome):
                rows_of(back)
    assert refused
