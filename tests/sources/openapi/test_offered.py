"""What a model is offered can be sent: every place of a request against every shape of value."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.sources.openapi.specimen import BASE, document, posting, properties
from toolroll.ports import HttpRequest
from toolroll.schema import compile_check
from toolroll.sources.http import fill
from toolroll.sources.http.place import STYLES
from toolroll.sources.openapi import OpenApiReading, ReadingLimits, read_operations

TEXT: Any = {"type": "string"}
LIST: Any = {"type": "array", "items": TEXT}
FLAT: Any = {"type": "object", "properties": {"a": TEXT, "n": {"type": "integer"}}}
NULL: Any = {"type": "null"}


def holding(inner: Any, *, required: bool = False, **more: Any) -> Any:
    """An object of a text and of something else."""
    made = {"type": "object", "properties": {"a": TEXT, "deep": inner}, **more}
    return {**made, "required": ["deep"]} if required else made


SHAPES: dict[str, Any] = {
    "anything": {},
    "text": TEXT,
    "number": {"type": "number"},
    "flag": {"type": "boolean"},
    "choice": {"enum": ["a", "b"]},
    "text or null": {"anyOf": [TEXT, NULL]},
    "list": LIST,
    "list of anything": {"type": "array"},
    "list or null": {"anyOf": [LIST, NULL]},
    "list of lists": {"type": "array", "items": LIST},
    "list of lists or null": {"anyOf": [{"type": "array", "items": LIST}, NULL]},
    "list of objects": {"type": "array", "items": FLAT},
    "list of texts or objects": {"type": "array", "items": {"oneOf": [TEXT, FLAT]}},
    "list of texts or lists": {"type": "array", "items": {"type": ["string", "array"]}},
    "object": FLAT,
    "open object": {"type": "object"},
    "object by reference": {"$ref": "#/components/schemas/Flat"},
    "object or null": {"oneOf": [FLAT, NULL]},
    "object of a list": holding(LIST),
    "object of a list that must be": holding(LIST, required=True),
    "object of nothing but a list": {"type": "object", "properties": {"deep": LIST}},
    "object of an object": holding(FLAT),
    "object of an object that must be": holding(FLAT, required=True),
    "object of a text or list": holding({"anyOf": [TEXT, LIST]}),
    "object of lists of lists": holding({"type": "array", "items": LIST}),
    "object of a list by reference": {"$ref": "#/components/schemas/Holding"},
    "object in parts": {"allOf": [FLAT, {"properties": {"deep": LIST}}]},
    "object in parts that must be": {"allOf": [holding(LIST), {"required": ["deep"]}]},
    "object that contains itself": {"$ref": "#/components/schemas/Node"},
    "object of a list that is read only": holding({**LIST, "readOnly": True}),
    "object that must have what is read only": holding({**LIST, "readOnly": True}, required=True),
    "map of texts": {"type": "object", "additionalProperties": TEXT},
    "map of lists": {"type": "object", "additionalProperties": LIST},
    "map of objects": {"type": "object", "additionalProperties": FLAT},
    "object and lists": {**FLAT, "additionalProperties": LIST},
    "text or list": {"oneOf": [TEXT, LIST]},
    "text or object of a list": {"oneOf": [TEXT, holding(LIST, required=True)]},
    "two objects": {"anyOf": [FLAT, holding(FLAT, required=True)]},
    "kinds by type": {"type": ["string", "array", "object"], "items": LIST},
    "bytes": {"type": "string", "format": "binary"},
    "bytes or null": {"anyOf": [{"type": "string", "format": "binary"}, NULL]},
    "list of bytes": {"type": "array", "items": {"type": "string", "format": "binary"}},
}
COMPONENTS: Any = {
    "schemas": {
        "Flat": FLAT,
        "Holding": holding(LIST),
        "Node": {
            "type": "object",
            "properties": {"a": TEXT, "kids": {"type": "array", "items": {"$ref": "#/components/schemas/Node"}}},
        },
    }
}  # fmt: skip

STYLED = [
    (location, {"style": style, "explode": explode})
    for location, styles in STYLES.items()
    if location != "querystring"
    for style in styles
    for explode in (True, False)
]
CONTENT = [
    (location, media_type)
    for location in ("path", "query", "header", "querystring")
    for media_type in ("application/json", "text/plain", "application/x-www-form-urlencoded")
]
ENCODINGS: list[Any] = [
    None,
    *({"style": style, "explode": explode} for style in STYLES["query"] for explode in (True, False)),
    *({"contentType": one} for one in ("application/json", "text/csv", "application/xml", "image/png, image/jpeg")),
]  # fmt: skip
FORMS = [
    (media_type, encoding)
    for media_type in ("application/x-www-form-urlencoded", "multipart/form-data")
    for encoding in ENCODINGS
]
BODIES = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data",
          "text/plain", "application/xml", "application/octet-stream", "image/png"]  # fmt: skip


def samples(schema: Any, whole: Any, depth: int = 0) -> Iterator[Any]:
    """Values that together use everything a schema offers."""
    if not isinstance(schema, dict) or not schema:
        yield "v"
        return
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        target = (whole.get("$defs") or COMPONENTS["schemas"])[name]
        yield from samples({**target, **beside}, whole, depth + 1)
        return
    for key in ("anyOf", "oneOf"):
        if key in schema:
            for branch in schema[key]:
                if branch != NULL:
                    yield from samples(branch, whole, depth)
            return
    if "allOf" in schema:
        joined: dict[str, Any] = {"type": "object", "properties": {}, "required": []}
        for part in schema["allOf"]:
            joined["properties"] |= part.get("properties", {})
            joined["required"] += part.get("required", [])
        yield from samples(joined, whole, depth)
        return
    if "enum" in schema:
        yield from schema["enum"]
        return
    types = schema.get("type", "object" if "properties" in schema else "string")
    for kind in [types] if isinstance(types, str) else types:
        yield from of_kind(kind, schema, whole, depth)


def of_kind(kind: str, schema: Any, whole: Any, depth: int) -> Iterator[Any]:
    match kind:
        case "array":
            if depth < 4:
                for item in samples(schema.get("items"), whole, depth + 1):
                    yield [item]
        case "object":
            yield from objects(schema, whole, depth)
        case "string":
            yield "dg==" if schema.get("contentEncoding") == "base64" else "v"
        case "boolean":
            yield True
        case "null":
            pass
        case _:
            yield 7


def objects(schema: Any, whole: Any, depth: int) -> Iterator[Any]:
    named: dict[str, Any] = schema.get("properties", {})
    if "base64" in named:
        yield {"filename": "a.txt", "text": "v"}
        yield {"filename": "a.txt", "base64": "dg=="}
        return
    base: dict[str, Any] = {}
    for name in schema.get("required", []):
        base[name] = next(samples(named.get(name), whole, depth + 1))
    for name, inner in named.items():
        for value in samples(inner, whole, depth + 1):
            yield {**base, name: value}
    others = schema.get("additionalProperties")
    if isinstance(others, dict):
        for value in samples(others, whole, depth + 1):
            yield {**base, "k": value}
    elif not named and others is not False:
        yield {"k": "v"}
    elif not named:
        yield {}


def parameter(location: str, schema: Any, required: bool, **said: Any) -> Any:
    one = {"name": "X-P", "in": location, "required": required or location == "path", **said}
    if "content" in said:
        one["content"] = {said["content"]: {"schema": schema}}
    else:
        one["schema"] = schema
    path = "/x/{X-P}" if location == "path" else "/x"
    operation = {"operationId": "op", "parameters": [one]}
    return document({path: {"get": operation}}, components=COMPONENTS)


def form(media_type: str, encoding: Any, schema: Any, required: bool) -> Any:
    whole = {"type": "object", "properties": {"plain": TEXT, "p": schema}}
    whole["required"] = ["p"] if required else []
    media = {"schema": whole, **({"encoding": {"p": encoding}} if encoding else {})}
    return {**posting(media_type, media), "components": COMPONENTS}


def judge(raw: Any, shape: Any) -> None:
    """Everything that is offered can be sent, everything that can be sent is offered or told."""
    reading = read_operations(raw)
    told = [*reading.skipped, *reading.report.of_kind("lost")]
    if not reading.operations:
        assert reading.skipped
        return
    (operation,) = reading.operations
    schema: Any = operation.definition.input_schema
    check = compile_check(schema)
    for input in samples(schema, schema):
        assert check(input) == [], input
        assert isinstance(fill(operation.request, BASE, input), HttpRequest), input
    assert told or all_offered(reading, shape)


def all_offered(reading: OpenApiReading, shape: Any) -> bool:
    """Whether every value of the document's schema that can be sent is one of the tool's."""
    (operation,) = reading.operations
    schema: Any = operation.definition.input_schema
    check = compile_check(schema)
    (key,) = [key for key in properties(operation) if key in ("X-P", "body")]
    for value in samples(shape, {}):
        in_form = key == "body" and "plain" in str(schema)
        whole = {"body": {"p": value}} if in_form else {key: value}
        sent = isinstance(fill(operation.request, BASE, whole), HttpRequest)
        if sent and check(whole):
            return False
    return True


NEEDED = pytest.mark.parametrize("required", [True, False], ids=["required", "optional"])
SHAPED = pytest.mark.parametrize("shape", SHAPES)


@pytest.mark.rule("openapi-offered-can-be-sent")
@NEEDED
@SHAPED
def test_what_a_styled_parameter_offers_can_be_sent(shape: str, required: bool) -> None:
    for location, style in STYLED:
        judge(parameter(location, SHAPES[shape], required, **style), SHAPES[shape])


@pytest.mark.rule("openapi-offered-can-be-sent")
@NEEDED
@SHAPED
def test_what_a_parameter_with_content_offers_can_be_sent(shape: str, required: bool) -> None:
    for location, media_type in CONTENT:
        judge(parameter(location, SHAPES[shape], required, content=media_type), SHAPES[shape])


@pytest.mark.rule("openapi-offered-can-be-sent")
@NEEDED
@SHAPED
def test_what_a_property_of_a_form_offers_can_be_sent(shape: str, required: bool) -> None:
    for media_type, encoding in FORMS:
        judge(form(media_type, encoding, SHAPES[shape], required), SHAPES[shape])


@pytest.mark.rule("openapi-offered-can-be-sent")
@SHAPED
def test_what_a_body_offers_can_be_sent(shape: str) -> None:
    for media_type in BODIES:
        raw = {**posting(media_type, {"schema": SHAPES[shape]}), "components": COMPONENTS}
        judge(raw, SHAPES[shape])


@pytest.mark.rule("openapi-offered-can-be-sent", "openapi-unsaid-is-skipped")
def test_a_property_that_its_place_cannot_write_is_left_out_with_a_note() -> None:
    deep = {"style": "deepObject", "explode": True}
    raw = parameter("query", holding(LIST), False, **deep)
    reading = read_operations(raw)
    (operation,) = reading.operations
    assert list(properties(operation)["X-P"]["properties"]) == ["a"]
    (note,) = reading.report.notes
    assert (note.kind, note.subject) == ("lost", "property deep of the query parameter X-P")
    assert note.reason == (
        "it is a list or an object within one, which no style can write; it is not part of op"
    )
    (skipped,) = read_operations(parameter("query", holding(LIST, required=True), True)).skipped
    assert skipped.reason == (
        "its query parameter 'X-P' is an object of lists or objects, which no style can write"
    )


@pytest.mark.rule("openapi-offered-can-be-sent", "openapi-forms")
def test_a_property_of_a_form_is_left_out_where_it_may_be_and_costs_its_operation_where_not() -> (
    None
):
    lists = {"type": "array", "items": LIST}
    form_type = "application/x-www-form-urlencoded"
    reading = read_operations(form(form_type, None, lists, required=False))
    (operation,) = reading.operations
    assert list(properties(operation)["body"]["properties"]) == ["plain"]
    (note,) = reading.report.notes
    assert (note.subject, note.reason) == (
        "property p of the body",
        "it is a list of lists, which no form can write; it is not part of op",
    )
    (skipped,) = read_operations(form(form_type, None, lists, required=True)).skipped
    assert skipped.reason == "its property 'p' is a list of lists, which no form can write"


@pytest.mark.rule("openapi-offered-can-be-sent")
def test_a_kind_of_value_that_its_place_cannot_write_is_left_out_with_a_note() -> None:
    raw = parameter("query", SHAPES["text or object of a list"], False)
    reading = read_operations(raw)
    assert properties(reading.operations[0])["X-P"] == {"oneOf": [TEXT]}
    (note,) = reading.report.notes
    assert note.subject == "query parameter X-P"
    assert note.reason.startswith("one kind of its values is an object of lists or objects")


@pytest.mark.rule("openapi-multipart-files")
@pytest.mark.parametrize("shape", ["bytes", "bytes or null", "list of bytes"])
@pytest.mark.parametrize("encoding", [None, {"style": "form"}], ids=["plain", "styled"])
def test_a_file_is_one_beside_null_and_whatever_style_a_generator_gives_it(
    shape: str, encoding: Any
) -> None:
    (operation,) = read_operations(
        form("multipart/form-data", encoding, SHAPES[shape], required=False)
    ).operations
    file: Any = {"filename": "a.bin", "base64": "AAE="}
    value = [file] if shape == "list of bytes" else file
    request = fill(operation.request, BASE, {"body": {"p": value}})
    assert isinstance(request, HttpRequest)
    assert b'name="p"; filename="a.bin"' in (request.content or b"")
    assert b"\0\1" in (request.content or b"")


@pytest.mark.rule("openapi-parameters-sent")
def test_json_in_a_header_is_written_with_ascii_alone() -> None:
    (operation,) = read_operations(
        parameter("header", {}, False, content="application/json")
    ).operations
    request = fill(operation.request, BASE, {"X-P": {"é": "日😀\x7f"}})
    assert isinstance(request, HttpRequest)
    (written,) = [value for name, value in request.headers if name == "X-P"]
    assert written.isascii()
    assert written.isprintable()
    assert json.loads(written) == {"é": "日😀\x7f"}


def test_what_a_shared_schema_loses_is_told_of_each_of_its_places() -> None:
    nested = {"type": "array", "items": {"anyOf": [{"type": "array"}, {"type": "string"}]}}
    shared = {"$ref": "#/components/schemas/Nested"}
    content = {"type": "object", "properties": {"a": shared, "b": shared}}
    raw = posting("application/x-www-form-urlencoded", {"schema": content})
    raw["components"] = {"schemas": {"Nested": nested}}
    told = [note.subject for note in read_operations(raw).report.notes]
    assert told == ["property a of the body", "property b of the body"]


@pytest.mark.rule("openapi-limits")
def test_kinds_that_multiply_are_looked_through_in_bounded_time() -> None:
    levels = {
        f"L{n}": {
            "anyOf": [
                {"required": [f"r{n}_{k}"], "allOf": [{"$ref": f"#/components/schemas/L{n + 1}"}]}
                for k in range(30)
            ]
        }
        for n in range(8)
    }
    raw = parameter("query", {"$ref": "#/components/schemas/L0"}, False)
    raw["components"] = {"schemas": {**levels, "L8": holding(LIST)}}
    reading = read_operations(raw, limits=ReadingLimits(places=2_000))
    assert len(reading.operations) + len(reading.skipped) == 1
