"""What is really sent: parameters and bodies as the document says, or not at all."""

import json
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.sources.openapi.specimen import (
    document,
    form,
    get,
    pairs,
    path,
    posting,
    properties,
    query,
    reason,
    refused,
    sent,
    tool,
)
from toolroll.sources.openapi import read_operations

ARRAY = {"type": "array", "items": {"type": "string"}}
OBJECT = {"type": "object", "properties": {"R": {"type": "integer"}, "G": {"type": "integer"}}}
LIST = ["blue", "black"]
COLOR = {"R": 100, "G": 200}


@pytest.mark.rule("openapi-parameters-sent")
@pytest.mark.parametrize(
    ("location", "style", "explode", "schema", "value", "said"),
    [
        ("query", None, None, ARRAY, LIST, "c=blue&c=black"),
        ("query", "form", False, ARRAY, LIST, "c=blue,black"),
        ("query", None, None, OBJECT, COLOR, "R=100&G=200"),
        ("query", "form", False, OBJECT, COLOR, "c=R,100,G,200"),
        ("query", "spaceDelimited", None, ARRAY, LIST, "c=blue%20black"),
        ("query", "pipeDelimited", None, ARRAY, LIST, "c=blue%7Cblack"),
        ("query", "deepObject", True, OBJECT, COLOR, "c%5BR%5D=100&c%5BG%5D=200"),
        ("query", "deepObject", None, OBJECT, COLOR, "c%5BR%5D=100&c%5BG%5D=200"),
        ("path", None, None, ARRAY, LIST, "/x/blue,black"),
        ("path", "simple", True, OBJECT, COLOR, "/x/R=100,G=200"),
        ("path", "label", None, ARRAY, LIST, "/x/.blue,black"),
        ("path", "label", True, ARRAY, LIST, "/x/.blue.black"),
        ("path", "matrix", None, ARRAY, LIST, "/x/;c=blue,black"),
        ("path", "matrix", True, OBJECT, COLOR, "/x/;R=100;G=200"),
        ("header", None, None, ARRAY, LIST, "blue,black"),
        ("header", "simple", True, OBJECT, COLOR, "R=100,G=200"),
    ],
)
def test_every_style_and_explode_is_sent_as_the_document_says(
    location: str, style: str | None, explode: bool | None, schema: Any, value: Any, said: str
) -> None:
    parameter: dict[str, Any] = {"name": "c", "in": location, "schema": schema}
    parameter |= {} if style is None else {"style": style}
    parameter |= {} if explode is None else {"explode": explode}
    raw = get(parameter, path="/x/{c}" if location == "path" else "/x")
    request = sent(tool(raw), c=value)
    parts = urlsplit(request.url)
    if location == "header":
        assert ("c", said) in request.headers
    else:
        assert (parts.path[3:] if location == "path" else parts.query) == said


@pytest.mark.rule("openapi-unsaid-is-skipped")
@pytest.mark.parametrize(
    ("parameter", "said"),
    [
        (query("c", ARRAY, style="spaceDelimited", explode=True), "not defined"),
        (query("c", {"type": "string"}, style="pipeDelimited"), "not defined"),
        (query("c", ARRAY, style="deepObject"), "not defined"),
        (query("c", ARRAY, style="matrix"), "style 'matrix', which a query does not have"),
        (query("c", ARRAY, style=7), "style 7"),
        (query("c", {"type": "array", "items": OBJECT}), "list of lists or objects"),
        (query("c", {"type": "object", "properties": {"a": ARRAY}, "required": ["a"]}), "object of"),
        ({"name": "c", "in": "cookie"}, "'cookie', which cannot be written"),
        ({"name": "c", "in": "querystring"}, "no media type"),
        ({"name": "c"}, "no place"),
        ({"name": "a b", "in": "header"}, "no header name"),
        ({"name": "c", "in": "query", "content": {"application/xml": {}}}, "application/xml"),
        ({"name": "c", "in": "query", "content": {}}, "not exactly one media type"),
        ({"name": "c", "in": "query", "schema": 7}, "neither an object nor a boolean"),
    ],
)  # fmt: skip
def test_what_cannot_be_sent_as_said_is_left_out_by_name(parameter: Any, said: str) -> None:
    why = reason(get({**parameter, "required": True}))
    assert said in why
    assert repr(parameter["name"]) in why
    reading = read_operations(get({**parameter, "required": False}, query("kept")))
    assert list(properties(reading.operations[0])) == ["kept"]
    (note,) = reading.report.of_kind("lost")
    assert said in note.reason
    assert parameter["name"] in note.subject
    assert "op" in note.reason


@pytest.mark.rule("openapi-parameters-sent")
def test_a_parameter_with_content_is_json_or_plain_text() -> None:
    raw = get(
        {"name": "where", "in": "query", "content": {"application/json": {"schema": OBJECT}}},
        {"name": "words", "in": "query", "content": {"text/plain": {}}},
        {"name": "X-J", "in": "header", "content": {"application/json": {}}},
    )
    operation = tool(raw)
    assert properties(operation)["where"] == OBJECT
    request = sent(operation, where={"R": [1]}, words="a b", **{"X-J": {"k": "v"}})
    assert pairs(request) == [("where", '{"R":[1]}'), ("words", "a b")]
    assert ("X-J", '{"k":"v"}') in request.headers


@pytest.mark.rule("openapi-parameters-sent")
def test_a_parameter_says_its_description_and_that_it_is_deprecated() -> None:
    raw = get(query("a", {"type": "string", "description": "s"}, description="p", deprecated=True))
    assert properties(tool(raw))["a"] == {"type": "string", "description": "p", "deprecated": True}


@pytest.mark.rule("openapi-parameters-sent")
def test_a_description_beside_a_reference_counts_in_3_1_and_not_in_3_0() -> None:
    beside = {"$ref": "#/components/parameters/Q", "description": "here"}
    for version, said in (("3.1.0", "here"), ("3.0.3", "everywhere")):
        raw = get(beside, version=version)
        raw["paths"]["/y"] = {"get": {"parameters": [{"$ref": beside["$ref"]}]}}
        raw["components"] = {"parameters": {"Q": query("q", description="everywhere")}}
        here, there = map(properties, read_operations(raw).operations)
        assert (here["q"]["description"], there["q"]["description"]) == (said, "everywhere")


@pytest.mark.rule("openapi-host-supplies")
def test_what_the_host_supplies_is_not_asked_of_a_model() -> None:
    raw = get(
        query("api_key", required=True),
        query("token", required=True),
        {"name": "x-key", "in": "header", "required": True},
        {"name": "Authorization", "in": "header", "required": True},
        {"name": "X_Forwarded_For", "in": "header"},
        query("q"),
    )
    raw["components"] = {
        "securitySchemes": {
            "a": {"type": "apiKey", "in": "query", "name": "api_key"},
            "b": {"type": "apiKey", "in": "header", "name": "X-KEY"},
            "c": {"type": "http", "scheme": "bearer"},
            "d": {"$ref": "#/gone"},
        }
    }
    reading = read_operations(raw, hide=["token"])
    assert list(properties(reading.operations[0])) == ["q"]
    assert [note.subject for note in reading.report.of_kind("lost")] == [
        "query parameter api_key",
        "query parameter token",
        "header parameter x-key",
        "header parameter Authorization",
        "header parameter X_Forwarded_For",
    ]


@pytest.mark.rule("openapi-path-kept")
def test_a_path_keeps_its_words_and_its_fixed_query_and_sends_no_fragment() -> None:
    raw = get(path="/x:run?kind=1#Action=Add")
    request = sent(tool(raw))
    assert request.url == "https://api.test/v1/x:run?kind=1"
    assert "behind the '?'" in reason(get(query("a"), path="/x?kind={a}"))
    assert "must not hold" in reason(get(path="/../admin"))


JSON_BODY = {"application/json": {"schema": {"type": "object"}}}


@pytest.mark.rule("openapi-body-kinds")
@pytest.mark.parametrize(
    ("content", "value", "content_type", "said"),
    [
        (JSON_BODY, {"a": None}, "application/json", b'{"a":null}'),
        ({"application/json": {}}, [1], "application/json", b"[1]"),
        ({"application/x+json": {}}, 1, "application/x+json", b"1"),
        ({"*/*": {"schema": OBJECT}}, {}, "application/json", b"{}"),
        ({"text/plain": {}}, "a", "text/plain; charset=utf-8", b"a"),
        ({"text/*": {}}, "a", "text/plain; charset=utf-8", b"a"),
        ({"text/csv": {"schema": {"type": "string"}}}, "a,b", "text/csv; charset=utf-8", b"a,b"),
        ({"application/xml": {"schema": {"type": "string"}}}, "<a/>", "application/xml; charset=utf-8", b"<a/>"),
        ({"application/octet-stream": {}}, "AAE=", "application/octet-stream", b"\0\1"),
        ({"image/png": {}}, "AAE=", "image/png", b"\0\1"),
        ({"*/*": {"schema": {"type": "string", "format": "binary"}}}, "AAE=", "application/octet-stream", b"\0\1"),
        ({"application/x-tar": {"schema": {"type": "string", "format": "binary"}}}, "AAE=", "application/x-tar", b"\0\1"),
        ({"text/plain": {}, "application/json": {}}, {"a": 1}, "application/json", b'{"a":1}'),
        ({"application/xml": {}, "application/x-www-form-urlencoded": {"schema": OBJECT}}, {"R": 1}, "application/x-www-form-urlencoded", b"R=1"),
    ],
    ids=range(14),
)  # fmt: skip
def test_a_body_is_sent_as_the_best_of_its_media_types(
    content: Any, value: Any, content_type: str, said: bytes
) -> None:
    operation = tool(get(method="post", requestBody={"content": content}))
    request = sent(operation, body=value)
    assert (request.content, dict(request.headers)["Content-Type"]) == (said, content_type)


@pytest.mark.rule("openapi-body-kinds")
@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({"application/xml": {"schema": OBJECT}}, "its body is application/xml"),
        ({"text/xml": {}}, "its body is text/xml"),
        ({"multipart/mixed": {"schema": OBJECT}}, "its body is multipart/mixed"),
        ({"image/*": {}}, "its body is image/*, which names no type"),
        ({"application/x-www-form-urlencoded": {"schema": ARRAY}}, "and no object"),
        ({"application/json": {"schema": {"$ref": "#/gone"}}}, "leads to nothing"),
        ({"application/json": 7}, "is not an object"),
    ],
)
def test_a_body_that_cannot_be_written_skips_its_operation(content: Any, said: str) -> None:
    assert said in reason(get(method="post", requestBody={"content": content}))


@pytest.mark.rule("openapi-body-kinds")
def test_a_body_is_one_property_that_may_hold_a_parameters_name() -> None:
    raw = get({"name": "id", "in": "path"}, path="/users/{id}", method="put")
    body = {"content": JSON_BODY, "required": True, "description": "The user."}
    raw["paths"]["/users/{id}"]["put"]["requestBody"] = body
    operation = tool(raw)
    assert operation.definition.input_schema["required"] == ["id", "body"]
    assert properties(operation)["body"] == {"type": "object", "description": "The user."}
    request = sent(operation, id="7", body={"id": "8", "name": "Ana"})
    assert path(request) == "/v1/users/7"
    assert json.loads(request.content or b"") == {"id": "8", "name": "Ana"}


@pytest.mark.rule("openapi-body-kinds")
def test_a_get_has_a_body_in_3_1_and_none_in_3_0() -> None:
    body = {"content": JSON_BODY}
    assert "body" in properties(tool(get(requestBody=body)))
    reading = read_operations(get(requestBody=body, version="3.0.3"))
    assert properties(reading.operations[0]) == {}
    assert "its body is not sent" in reading.report.notes[0].reason
    assert "body" in properties(tool(get(method="delete", requestBody=body, version="3.0.3")))
    assert properties(tool(get(method="post", requestBody={"content": {}}))) == {}


FORM = "application/x-www-form-urlencoded"


@pytest.mark.rule("openapi-forms")
def test_a_form_is_sent_as_a_form_with_its_encodings() -> None:
    schema = {
        "type": "object",
        "properties": {
            "a": {"type": "string"},
            "tags": ARRAY,
            "address": OBJECT,
            "deep": OBJECT,
            "flat": ARRAY,
            "coded": {"type": "string"},
        },
    }
    encoding = {
        "deep": {"style": "deepObject", "explode": True},
        "flat": {"explode": False},
        "coded": {"contentType": "application/json"},
    }
    operation = tool(posting(FORM, {"schema": schema, "encoding": encoding}))
    body = {"a": "1", "tags": ["x", "y"], "address": {"R": 1}, "deep": {"R": 1}, "flat": ["p", "q"]}
    request = sent(operation, body={**body, "coded": "s"})
    assert dict(request.headers)["Content-Type"] == FORM
    assert form(request) == [
        ("a", "1"),
        ("tags", "x"),
        ("tags", "y"),
        ("address", '{"R":1}'),
        ("deep[R]", "1"),
        ("flat", "p,q"),
        ("coded", '"s"'),
    ]


@pytest.mark.rule("openapi-forms")
@pytest.mark.parametrize(
    ("encoding", "said"),
    [
        ({"style": "deepObject"}, "not defined"),
        ({"style": "label"}, "forms do not have"),
        ({"style": "pipeDelimited", "explode": True}, "not defined"),
        ({"contentType": "application/xml"}, "application/xml, which cannot be written"),
    ],
)
def test_an_encoding_that_cannot_be_written_skips_its_operation(encoding: Any, said: str) -> None:
    items = {"type": "array", "items": OBJECT if "contentType" in encoding else {"type": "string"}}
    media = {"schema": {"type": "object", "properties": {"p": items}}, "encoding": {"p": encoding}}
    why = reason(posting(FORM, media))
    assert said in why
    assert "'p'" in why


MULTIPART = "multipart/form-data"
BINARY = {"type": "string", "format": "binary"}


@pytest.mark.rule("openapi-multipart-files")
@pytest.mark.parametrize(
    ("schema", "encoding", "version"),
    [
        (BINARY, None, "3.0.3"),
        ({"type": "string", "contentMediaType": "image/png"}, None, "3.1.0"),
        ({}, None, "3.1.0"),
        ({"type": "string"}, {"contentType": "image/png, image/jpeg"}, "3.1.0"),
        ({"$ref": "#/components/schemas/File"}, None, "3.1.0"),
    ],
    ids=["binary", "media-type", "absent", "encoding", "reference"],
)
def test_a_file_is_asked_for_as_name_and_content(schema: Any, encoding: Any, version: str) -> None:
    top = {
        "type": "object",
        "properties": {"file": schema, "many": {"type": "array", "items": schema}, "n": {"type": "integer"}},
        "required": ["file"],
    }  # fmt: skip
    encodings = {"file": encoding, "many": encoding} if encoding else {}
    raw = posting(MULTIPART, {"schema": top, "encoding": encodings}, version=version)
    raw["components"] = {"schemas": {"File": BINARY}}
    operation = tool(raw)
    body = properties(operation)["body"]
    assert body["required"] == ["file"]
    assert list(body["properties"]["file"]["properties"]) == ["filename", "text", "base64", "media_type"]  # fmt: skip
    assert body["properties"]["many"]["items"]["required"] == ["filename"]
    request = sent(
        operation,
        body={"file": {"filename": "a.txt", "text": "x"}, "many": [{"filename": "b", "base64": "AA=="}], "n": 3},
    )  # fmt: skip
    content = (request.content or b"").decode()
    assert 'name="file"; filename="a.txt"' in content
    assert 'name="many"; filename="b"' in content
    assert 'name="n"\r\n\r\n3\r\n' in content


@pytest.mark.rule("openapi-multipart-files")
def test_files_are_found_behind_references_and_in_parts() -> None:
    raw = posting(MULTIPART, {"schema": {"$ref": "#/components/schemas/Upload"}}, version="3.0.3")
    raw["components"] = {
        "schemas": {
            "Upload": {
                "allOf": [
                    {"$ref": "#/components/schemas/Named"},
                    {"$ref": "#/components/schemas/Held"},
                ]
            },
            "Named": {"type": "object", "properties": {"name": {"type": "string"}}},
            "Held": {
                "type": "object",
                "properties": {"file": {**BINARY, "description": "The file."}},
                "required": ["file"],
            },
        }
    }
    operation = tool(raw)
    body = properties(operation)["body"]
    assert body["allOf"][0] == {"type": "object", "properties": {"name": {"type": "string"}}}
    assert body["allOf"][1]["properties"]["file"]["description"] == "The file."
    assert body["allOf"][1]["properties"]["file"]["type"] == "object"
    assert operation.request.body is not None
    assert [part.kind for part in operation.request.body.parts] == ["file"]


@pytest.mark.rule("openapi-multipart-files")
def test_parts_of_a_multipart_body_have_the_types_of_their_encodings() -> None:
    media = {
        "schema": {"type": "object", "properties": {"sdp": {"type": "string"}, "s": OBJECT, "p": {**BINARY}}},
        "encoding": {
            "sdp": {"contentType": "application/sdp"},
            "s": {"contentType": "application/json"},
            "p": {"contentType": "image/png"},
        },
    }  # fmt: skip
    request = sent(
        tool(posting(MULTIPART, media)),
        body={"sdp": "v=0", "s": {"R": 1}, "p": {"filename": "p", "base64": "AA=="}},
    )
    content = (request.content or b"").decode()
    assert "Content-Type: application/sdp\r\n\r\nv=0\r\n" in content
    assert 'Content-Type: application/json\r\n\r\n{"R":1}\r\n' in content
    assert 'filename="p"\r\nContent-Type: image/png\r\n\r\n' in content


def test_what_a_form_holds_is_checked_when_it_is_filled() -> None:
    schema = {"type": "object", "properties": {"f": BINARY}}
    operation = tool(posting(MULTIPART, {"schema": schema}, version="3.0.3"))
    assert refused(operation, body={"f": "plain"}) == ["/body/f"]


@pytest.mark.rule("openapi-swagger")
def test_swagger_2_is_read_by_rules_of_its_own() -> None:
    raw = {
        "swagger": "2.0",
        "host": "api.test",
        "basePath": "/v2",
        "schemes": ["https", "wss"],
        "consumes": ["application/json"],
        "produces": ["application/json", "text/csv"],
        "parameters": {"Limit": {"name": "limit", "in": "query", "type": "integer", "maximum": 9}},
        "responses": {"Pet": {"schema": {"$ref": "#/definitions/Pet"}}},
        "securityDefinitions": {"k": {"type": "apiKey", "in": "header", "name": "X-Key"}},
        "definitions": {
            "Pet": {"type": "object", "properties": {"name": {"type": "string", "x-nullable": True}}}
        },
        "paths": {
            "/pets/{id}": {
                "parameters": [{"name": "id", "in": "path", "required": True, "type": "string"}],
                "put": {
                    "operationId": "put",
                    "parameters": [
                        {"$ref": "#/parameters/Limit"},
                        {"name": "csv", "in": "query", "type": "array", "items": {"type": "string"}},
                        {"name": "multi", "in": "query", "type": "array", "collectionFormat": "multi"},
                        {"name": "pipes", "in": "query", "type": "array", "collectionFormat": "pipes"},
                        {"name": "ssv", "in": "query", "type": "array", "collectionFormat": "ssv"},
                        {"name": "X-List", "in": "header", "type": "array", "items": {"type": "string"}},
                        {"name": "X-Key", "in": "header", "type": "string"},
                        {"name": "pet", "in": "body", "required": True, "schema": {"$ref": "#/definitions/Pet"}},
                    ],
                    "responses": {"200": {"$ref": "#/responses/Pet"}},
                },
                "post": {
                    "operationId": "form",
                    "consumes": ["application/x-www-form-urlencoded"],
                    "parameters": [
                        {"name": "a", "in": "formData", "type": "string", "required": True},
                        {"name": "b", "in": "formData", "type": "array", "collectionFormat": "multi"},
                    ],
                },
                "patch": {
                    "operationId": "upload",
                    "parameters": [{"name": "f", "in": "formData", "type": "file", "description": "F"}],
                },
                "delete": {
                    "operationId": "tsv",
                    "parameters": [{"name": "t", "in": "query", "type": "array", "collectionFormat": "tsv"}],
                },
                "get": {"parameters": [{"$ref": "#/parameters/Gone"}]},
            }
        },
    }  # fmt: skip
    reading = read_operations(raw)
    assert reading.servers == ("https://api.test/v2",)
    assert {skipped.method: skipped.reason for skipped in reading.skipped} == {
        "GET": "the reference '#/parameters/Gone' leads to nothing",
        "DELETE": "its parameter 't' has collectionFormat tsv",
    }
    put, form_, upload = reading.operations
    request = sent(
        put, id="7", limit=3, csv=["a", "b"], multi=[1, 2], pipes=[1, 2], ssv=[1, 2],
        body={"name": None}, **{"X-List": ["a", "b"]},
    )  # fmt: skip
    assert urlsplit(request.url).path == "/v1/pets/7"
    assert urlsplit(request.url).query == ("limit=3&csv=a,b&multi=1&multi=2&pipes=1%7C2&ssv=1%202")
    assert ("X-List", "a,b") in request.headers
    assert put.definition.input_schema["required"] == ["id", "body"]
    assert properties(put)["body"]["properties"]["name"] == {"type": ["string", "null"]}
    assert put.definition.output_schema is not None
    assert form(sent(form_, id="7", body={"a": "1", "b": ["x", "y"]})) == [
        ("a", "1"),
        ("b", "x"),
        ("b", "y"),
    ]
    content = sent(upload, id="7", body={"f": {"filename": "n", "text": "t"}}).content or b""
    assert b'name="f"; filename="n"' in content


@pytest.mark.rule("openapi-unsaid-is-skipped")
def test_parameters_that_many_operations_share_are_lost_with_one_note() -> None:
    raw = document(
        {
            f"/{n}": {"get": {"parameters": [{"$ref": "#/components/parameters/C"}]}}
            for n in range(3)
        },
        components={"parameters": {"C": {"name": "c", "in": "cookie"}}},
    )
    (note,) = read_operations(raw).report.notes
    assert (note.kind, note.subject) == ("lost", "cookie parameter c")
    assert note.reason.endswith("it is not part of get_0 (and 2 more)")


@pytest.mark.rule("openapi-path-parameters-merge")
def test_a_header_is_one_parameter_however_it_is_spelled() -> None:
    raw = get({"name": "x-a", "in": "header", "schema": {"type": "integer"}})
    raw["paths"]["/x"]["parameters"] = [{"name": "X-A", "in": "header"}]
    assert properties(tool(raw)) == {"x-a": {"type": "integer"}}
