"""Cases from reports about other OpenAPI importers, run against ours."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.sources.openapi.specimen import BASE, document, form, pairs
from toolroll.schema.reading import RejectedInput
from toolroll.sources.http import Operation, fill
from toolroll.sources.openapi import OpenApiReading, read_operations

CASES = Path(__file__).parents[2] / "data" / "pains" / "cases.jsonl"


def cases(op: str) -> list[Any]:
    read = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    return [pytest.param(case, id=case["id"]) for case in read if case["input"].get("op") == op]


def matches(reading: OpenApiReading, expected: dict[str, Any]) -> bool:
    """Whether a reading is what a case expects of its tools and of what is left out."""
    if "skipped" in expected:
        wanted = expected["skipped"]
        if len(wanted) != len(reading.skipped):
            return False
        for one, skipped in zip(wanted, reading.skipped, strict=True):
            fits = one.get("method", skipped.method) == skipped.method
            if not fits or one["path"] != skipped.path or one["reason_has"] not in skipped.reason:
                return False
    names = [operation.name for operation in reading.operations]
    return expected.get("tools", names) == names


@pytest.mark.rule("openapi-item-by-item")
@pytest.mark.parametrize("case", cases("openapi_import"))
def test_a_document_of_a_report_is_imported_as_expected(case: Any) -> None:
    reading = read_operations(case["input"]["document"])
    expected = case["expected"]
    assert any(matches(reading, one) for one in expected.get("any_of", [expected]))
    by_name = {operation.name: operation for operation in reading.operations}
    for name, path in expected.get("path_of", {}).items():
        assert by_name[name].request.path == path
    if "input" in expected:
        schema: Any = dict(reading.operations[0].definition.input_schema)
        assert list(schema.pop("$defs")) == expected["defs"]
        assert schema == {**expected["input"], "additionalProperties": False}
    if "sendForm" in by_name:
        request: Any = fill(by_name["sendForm"].request, BASE, {"body": {"a": "1"}})
        assert form(request) == [("a", "1")]
        assert dict(request.headers)["Content-Type"] == "application/x-www-form-urlencoded"


def operation_of(said: Any) -> Operation:
    body = {"content": {"application/json": {"schema": said["body"]}}} if "body" in said else None
    operation = {"operationId": "op", "parameters": said["parameters"]}
    operation |= {"requestBody": body} if body else {}
    raw = document({said["path"]: {said["method"].lower(): operation}})
    reading = read_operations(raw)
    assert not reading.skipped
    return reading.operations[0]


@pytest.mark.rule("openapi-parameters-sent")
@pytest.mark.parametrize("case", cases("openapi_request"))
def test_a_request_of_a_report_is_sent_as_expected(case: Any) -> None:
    operation, expected = operation_of(case["input"]["operation"]), case["expected"]
    base = case["input"].get("base", "https://api.test")
    request: Any = fill(operation.request, base, case["input"]["args"])
    if expected.get("outcome") == "invalid_input":
        assert isinstance(request, RejectedInput)
        # A property that the tool does not have is a fault of the whole input, named in its text.
        (issue,) = request.issues
        assert issue.pointer in expected["at"] or f'"{expected["at"][0][1:]}"' in issue.problem
        return
    assert not isinstance(request, RejectedInput), request
    if "path" in expected:
        assert urlsplit(request.url).path == expected["path"]
    if "query" in expected:
        assert [list(pair) for pair in pairs(request)] == expected["query"]
    if "json" in expected:
        assert json.loads(request.content) == expected["json"]
