"""What OpenAPI 3.2 brought."""

import json
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.sources.openapi.specimen import document, get, pairs, posting, properties, reason, sent
from tests.sources.openapi.specimen import tool as made
from toolroll.content import JsonObject
from toolroll.outcome import DefinitionError
from toolroll.sources.http import Operation, Place, RequestTemplate
from toolroll.sources.openapi import read_operations

FORM = "application/x-www-form-urlencoded"


def tool(raw: JsonObject) -> Operation:
    return made({**raw, "openapi": "3.2.0"})


def whole_query(media_type: str, schema: Any = None, **media: Any) -> dict[str, Any]:
    described = {"schema": schema or {"type": "object"}, **media}
    return {"name": "all", "in": "querystring", "content": {media_type: described}}


@pytest.mark.rule("openapi-versions")
def test_a_query_reads_and_sends_a_body() -> None:
    body = {"content": {"application/json": {"schema": {"type": "object"}}}}
    operation = tool(get(method="query", requestBody=body))
    request = sent(operation, body={"words": "a"})
    assert (request.method, request.content) == ("QUERY", b'{"words":"a"}')
    assert operation.definition.hints.read_only is True


@pytest.mark.rule("openapi-versions")
def test_a_method_of_its_own_is_sent_in_its_own_spelling_or_skipped() -> None:
    raw = document({"/x": {"additionalOperations": {"COPY": {"operationId": "a"}, "copy": {}}}})
    reading = read_operations(raw)
    assert [(one.name, one.request.method) for one in reading.operations] == [("a", "COPY")]
    assert reading.operations[0].definition.hints.read_only is None
    assert [(one.method, "upper case" in one.reason) for one in reading.skipped] == [("copy", True)]


@pytest.mark.rule("openapi-whole-query")
@pytest.mark.parametrize(
    ("media_type", "value", "query"),
    [
        (FORM, {"a": "1 2&b", "c": ["x", "y"], "n": None}, "a=1+2%26b&c=x&c=y"),
        (FORM, {"a": {"b": 1}}, "a=%7B%22b%22%3A1%7D"),
        ("application/json", {"a": [1, "&"]}, "%7B%22a%22%3A%5B1%2C%22%26%22%5D%7D"),
        ("text/plain", "a=b#c", "a%3Db%23c"),
    ],
)
def test_the_whole_query_is_written_as_its_media_type(
    media_type: str, value: Any, query: str
) -> None:
    operation = tool(
        get(whole_query(media_type, {"type": "string"} if media_type == "text/plain" else None))
    )
    assert operation.request.places[0].location == "querystring"
    assert Operation.from_json(json.loads(json.dumps(operation.to_json()))) == operation
    assert urlsplit(sent(operation, all=value).url).query == query
    assert urlsplit(sent(operation).url).query == ""


@pytest.mark.rule("openapi-whole-query")
@pytest.mark.parametrize(
    ("parameters", "path", "said"),
    [
        ([whole_query(FORM), {"name": "q", "in": "query"}], "/x", "there is more"),
        ([whole_query(FORM), {**whole_query(FORM), "name": "b"}], "/x", "there is more"),
        ([whole_query(FORM)], "/x?a=1", "there is more"),
        ([{**whole_query("text/xml"), "required": True}], "/x", "text/xml"),
        ([{**whole_query(FORM, {"type": "array"}), "required": True}], "/x", "no object"),
        ([{**whole_query(FORM, encoding={"a": {}}), "required": True}], "/x", "encodings"),
    ],
)
def test_a_whole_query_that_cannot_be_sent_as_said_skips_its_operation(
    parameters: list[Any], path: str, said: str
) -> None:
    assert said in reason(get(*parameters, path=path))


@pytest.mark.rule("openapi-whole-query")
def test_a_template_with_a_whole_query_says_how_it_is_written() -> None:
    with pytest.raises(DefinitionError, match="needs a media type"):
        RequestTemplate(method="GET", path="/x", places=(Place(key="a", location="querystring"),))


@pytest.mark.rule("openapi-local-references")
def test_a_reference_by_the_documents_own_address_is_local() -> None:
    raw = get({"$ref": "https://a.test/api.json#/components/parameters/Q"})
    raw["components"] = {"parameters": {"Q": {"name": "q", "in": "query"}}}
    assert "not in this document" in reason(raw)
    operation = tool({**raw, "$self": "https://a.test/api.json"})
    assert pairs(sent(operation, q="a")) == [("q", "a")]


@pytest.mark.rule("openapi-local-references")
def test_media_types_and_path_items_may_be_components() -> None:
    raw = document(
        {"/x": {"$ref": "#/components/pathItems/X"}},
        version="3.2.0",
        components={
            "pathItems": {
                "X": {
                    "post": {
                        "operationId": "op",
                        "requestBody": {
                            "content": {"application/json": {"$ref": "#/components/mediaTypes/M"}}
                        },
                    }
                }
            },
            "mediaTypes": {"M": {"schema": {"type": "array"}}},
        },
    )
    assert properties(tool(raw))["body"] == {"type": "array"}


@pytest.mark.rule("openapi-body-kinds")
@pytest.mark.parametrize(
    ("media_type", "media"),
    [
        ("application/jsonl", {"itemSchema": {"type": "object"}}),
        ("text/event-stream", {"itemSchema": {"type": "object"}}),
        ("multipart/mixed", {"itemSchema": {}, "itemEncoding": {}}),
        ("multipart/form-data", {"schema": {"type": "array"}, "prefixEncoding": [{}]}),
    ],
)
def test_a_body_in_sequence_skips_its_operation(media_type: str, media: Any) -> None:
    assert f"{media_type} in sequence" in reason(posting(media_type, media, version="3.2.0"))


def test_an_answer_in_sequence_is_asked_for_and_has_no_output_schema() -> None:
    lines = {"application/jsonl": {"itemSchema": {"type": "object"}}}
    operation = tool(get(responses={"200": {"content": lines}}))
    assert operation.request.accept == "application/jsonl, */*;q=0.5"
    assert operation.definition.output_schema is None
