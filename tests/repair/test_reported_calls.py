"""Calls from public reports, read as those who reported them expect."""

import json
from pathlib import Path

import pytest

from toolroll.repair import CallIds, read_arguments, read_calls, split_call_ids

DATA = Path(__file__).parent.parent / "data"
PAINS = [
    json.loads(line) for line in (DATA / "pains" / "cases.jsonl").read_text("utf-8").splitlines()
]
SAME = {"single_quotes": "python_literal"}  # the cases call every habit of Python that


def cases(*operations: str) -> list[object]:
    found = [case for case in PAINS if case["input"]["op"] in operations]
    assert found
    return [pytest.param(case, id=case["id"]) for case in found]


@pytest.mark.rule("args-reported-calls")
@pytest.mark.parametrize("case", cases("parse_args"))
def test_a_reported_text_is_read_as_expected(case: dict[str, object]) -> None:
    given, expected = case["input"], case["expected"]
    assert isinstance(given, dict)
    assert isinstance(expected, dict)
    read = read_arguments(given["raw"])
    for way in expected.get("any_of", [expected]):
        if "outcome" in way and read.status == "malformed":
            return
        if read.value == way.get("value"):
            break
    else:
        pytest.fail(f"read as {read}")
    if "repairs" in expected:
        told = dict.fromkeys(SAME.get(repair.kind, repair.kind) for repair in read.repairs)
        assert list(told) == expected["repairs"]
    if "report" in expected:
        assert (read.status, list(read.partial)) == (expected["report"], expected["partial"])


@pytest.mark.rule("args-reported-calls", "call-id-split")
@pytest.mark.parametrize("case", cases("split_calls"))
def test_a_reported_text_of_several_calls_comes_apart(case: dict[str, object]) -> None:
    given, expected = case["input"], case["expected"]
    assert isinstance(given, dict)
    assert isinstance(expected, dict)
    call = given["call"]
    found = read_calls(call["arguments"])
    assert [one.value for one in found] == [one["arguments"] for one in expected["calls"]]
    ids = split_call_ids(call["id"], len(found))
    assert ids[0] == call["id"]
    assert len(set(ids)) == len(found)
    assert ids == split_call_ids(call["id"], len(found))


@pytest.mark.rule("args-reported-calls", "call-id-pairs-stay")
@pytest.mark.parametrize("case", cases("normalize_history_ids"))
def test_the_ids_of_a_reported_history_fit_and_stay_in_pairs(case: dict[str, object]) -> None:
    given, expected = case["input"], case["expected"]
    assert isinstance(given, dict)
    assert isinstance(expected, dict)
    asked, *results = given["messages"]
    blanks = [f"call_0_{place}" for place in range(len(asked["calls"]))]

    def fitted() -> list[str]:
        ids = CallIds(given["provider"].replace("-", "_"))
        calls = [ids.fit(c["id"], blank=b) for c, b in zip(asked["calls"], blanks, strict=True)]
        answers = [ids.fit(r["id"], blank=b) for r, b in zip(results, blanks, strict=True)]
        assert calls == answers
        return calls

    calls = fitted()
    assert calls == fitted()
    assert len(set(calls)) == len(calls)
    if "first_id" in expected:
        assert calls[0] == expected["first_id"]
        assert max(map(len, calls)) <= expected["max_length"]


@pytest.mark.rule("args-reported-calls")
@pytest.mark.parametrize(
    "case",
    [
        case
        for case in json.loads((DATA / "malformed-calls" / "calls.json").read_text())
        if "input" in case
    ],
    ids=lambda case: f"{case['kind']}, {case['source'].rpartition('/')[2]}",
)
def test_the_calls_of_public_reports_are_read_as_wanted(case: dict[str, object]) -> None:
    text, want = case["input"], case["want"]
    assert text is None or isinstance(text, str)
    read = read_arguments(text)
    if isinstance(want, dict) and "schema" not in case:
        assert (read.value, read.complete) == (want, True)
    elif isinstance(want, str) and want.startswith("AMBIGUOUS"):
        assert read.status == "concatenated"
        assert len(read_calls(text)) == len(read.dropped) + 1 > 1
    elif isinstance(want, str) and "finish_reason" not in case:
        assert (want[:9], read.status) == ("TRUNCATED", "truncated")
    else:  # needs the schema or the reason why the model stopped: the text itself is fine
        assert (read.status, read.repairs) == ("complete", ())
