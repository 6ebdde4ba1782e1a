"""Cases from reports of users, where a schema decides them."""

import json
from pathlib import Path
from typing import Any

import pytest

from toolroll.outcome import issue_lines
from toolroll.schema import ReadInput, RejectedInput, object_schema, schema_reader, slim

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent.parent / "data" / "pains" / "cases.jsonl")
    .read_text("utf-8")
    .splitlines()
]


def cases(op: str) -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in CASES if case["input"]["op"] == op]


@pytest.mark.parametrize("case", cases("validate"))
def test_arguments_are_taken_mended_or_refused(case) -> None:
    given, expected = case["input"], case["expected"]
    reader = schema_reader(given["schema"], authored=given["origin"] == "local")

    got = reader.read(given["args"])

    if "value" in expected:
        assert isinstance(got, ReadInput)
        assert json.dumps(got.value) == json.dumps(expected["value"])
        for wanted, repair in zip(expected.get("repairs", []), got.repairs, strict=False):
            assert (repair.kind, repair.pointer, repair.was) == (
                wanted["kind"],
                wanted["at"],
                wanted.get("from", ""),
            )
        if "repairs" in expected:
            assert len(got.repairs) == len(expected["repairs"])
        return
    assert isinstance(got, RejectedInput)
    text = "\n".join(issue_lines(got.issues))
    assert all(word in text for word in expected.get("says", []))
    assert [issue.pointer for issue in got.issues] == expected.get(
        "at", [issue.pointer for issue in got.issues]
    )


@pytest.mark.rule("slim-keeps-six")
@pytest.mark.parametrize(
    "case", [case for case in cases("view_each") if "slim" in case.values[0]["input"]["views"]]
)
def test_the_short_view_keeps_what_the_tool_needs(case) -> None:
    view = slim(case["input"]["schema"])

    assert list(view["properties"]) == case["expected"]["properties_in_every_view"]
    assert view["required"] == case["expected"]["required_in_every_view"]


@pytest.mark.rule("schema-import-forms")
@pytest.mark.parametrize("case", cases("import_schema_many"))
def test_every_way_to_say_no_parameters_is_read(case) -> None:
    got = [object_schema(schema) for schema in case["input"]["schemas"]]

    assert got == case["expected"]["schemas"]
    assert all(slim(schema) == {"type": "object"} for schema in got)
