"""Calls from public reports, read as those who reported them expect."""

import json
from pathlib import Path

import pytest

from toolroll.repair import read_arguments, read_calls

DATA = Path(__file__).parent.parent / "data"


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
