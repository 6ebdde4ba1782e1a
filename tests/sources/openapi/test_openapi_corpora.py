"""Documents of real APIs: what they come to, and every request beside an oracle of its own."""

import base64
import gzip
import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

import jsonschema_rs
import pytest
import uritemplate
import yaml

from tests.sources.openapi.specimen import BASE, references
from toolroll.ports import HttpRequest
from toolroll.schema import SchemaError, slim
from toolroll.sources.http import Body, Operation, fill
from toolroll.sources.openapi import OpenApiReading, read_operations

pytestmark = pytest.mark.corpora

GOLDEN: dict[str, Any] = tomllib.loads(
    Path(__file__).with_name("documents.toml").read_text(encoding="utf-8")
)
"""What each document comes to: its tools, and how often something was left out for which reason."""


def load(corpora: Path, name: str) -> Any:
    (path,) = (corpora / "openapi").glob(f"{name}.*.gz")
    text = gzip.decompress(path.read_bytes())
    return json.loads(text) if ".json" in path.suffixes else yaml.safe_load(text)


@pytest.fixture(params=sorted(GOLDEN))
def named(request: pytest.FixtureRequest, corpora: Path) -> tuple[str, Any, OpenApiReading]:
    raw = load(corpora, request.param)
    return request.param, raw, read_operations(raw)


@pytest.mark.rule("openapi-item-by-item")
def test_every_operation_is_a_tool_or_skipped_for_a_reason(
    named: tuple[str, Any, OpenApiReading],
) -> None:
    name, raw, reading = named
    methods = {"get", "put", "post", "delete", "options", "head", "patch", "trace"}
    operations = [m for item in raw["paths"].values() for m in item if m in methods]
    assert came_to(reading) == GOLDEN[name]
    assert len(operations) == len(reading.operations) + len(reading.skipped)
    names = [operation.name for operation in reading.operations]
    assert len(set(names)) == len(names)


def came_to(reading: OpenApiReading) -> dict[str, Any]:
    """Counts and kinds of reasons, without a word of the document."""
    found: dict[str, Any] = {"tools": len(reading.operations)}
    told = {"skipped": [skipped.reason for skipped in reading.skipped]}
    for kind in ("lost", "warning", "cut", "cleaned"):
        told[kind] = [note.reason for note in reading.report.of_kind(kind)]
    for kind, reasons in told.items():
        if reasons:
            found[kind] = dict(Counter(map(kind_of_reason, reasons)))
    return found


def kind_of_reason(reason: str) -> str:
    """A reason without names and numbers."""
    reason = re.sub(r"; it is not part of .*| \(and \d+ more\)|; select fewer.*", "", reason)
    reason = re.sub(r"it lives at .*", "it lives elsewhere", reason)
    reason = re.sub(r"removed .*", "removed what nobody sees", reason)
    return re.sub(r"\d[\d,]*", "#", re.sub(r"'[^']*'", "'…'", reason))


@pytest.mark.rule("openapi-definitions-kept")
def test_every_schema_is_whole_and_can_be_checked(named: tuple[str, Any, OpenApiReading]) -> None:
    for operation in named[2].operations:
        assert Operation.from_json(json.loads(json.dumps(operation.to_json()))) == operation
        for schema in (operation.definition.input_schema, operation.definition.output_schema):
            if schema is None:
                continue
            jsonschema_rs.Draft202012Validator(cast("Any", schema))
            definitions = cast("dict[str, Any]", schema.get("$defs", {}))
            assert {f"#/$defs/{key}" for key in definitions} == set(references(schema))


SLIMLESS = {
    "discord-3.1": {"property": 1},
    "googleapis.com-calendar": {"property": 4},
    "readme-3.1": {"property": 5},
    "telegram.org": {"property": 23, "first branch": 9},
}
"""How many tools have no short view, by what it is that the document gives no type."""


@pytest.mark.rule("slim-no-single-type")
def test_tools_have_a_short_view_but_for_places_that_the_document_gives_no_type(
    named: tuple[str, Any, OpenApiReading],
) -> None:
    name, _, reading = named
    found: Counter[str] = Counter()
    for operation in reading.operations:
        try:
            slim(operation.definition.input_schema)
        except SchemaError as error:
            above = error.pointer.rpartition("/")[0].rpartition("/")[2]
            found["first branch" if above in ("anyOf", "oneOf") else "property"] += 1
    assert found == SLIMLESS.get(name, {})


@pytest.mark.rule("openapi-parameters-sent")
def test_every_request_is_what_rfc_6570_makes_of_the_document(
    named: tuple[str, Any, OpenApiReading],
) -> None:
    _, raw, reading = named
    for operation in reading.operations:
        template = operation.request
        values = {place.key: value_for(operation, place.key) for place in template.places}
        input = values if template.body is None else {**values, template.body.key: body_for(template.body)}  # fmt: skip
        request = fill(template, BASE, input)
        assert isinstance(request, HttpRequest), (operation.name, request)
        assert request.method == template.method
        parts = urlsplit(request.url)
        assert parts.netloc == "api.test"
        expected_path, expected_query = oracle(raw, operation, values)
        assert parts.path == f"/v1{expected_path}", operation.name
        if expected_query is not None:
            assert parts.query == expected_query, operation.name


def value_for(operation: Operation, key: str) -> Any:
    """A value of the kind a parameter's schema names, awkward where it may be."""
    schema: Any = operation.definition.input_schema
    found: Any = schema["properties"][key]
    for _ in range(5):
        found = schema["$defs"][found["$ref"][8:]] if "$ref" in found else found
        found = found.get("anyOf", found.get("oneOf", found.get("allOf", [found])))[0]
    types = found.get("type", "object" if "properties" in found else "string")
    kind = types if isinstance(types, str) else types[0]
    values: dict[str, Any] = {
        "array": ["x/y", "b c"],
        "boolean": True,
        "integer": 7,
        "number": 0.5,
        "object": {"k": "a&b", "l": 2},
    }
    is_header = any(p.key == key and p.location == "header" for p in operation.request.places)
    return values.get(kind, "plain" if is_header else "a b/é?&=#%2e")


def body_for(body: Body) -> Any:
    match body.kind:
        case "json":
            return {"a": 1}
        case "text":
            return "text"
        case "binary":
            return base64.b64encode(b"\0\1").decode()
        case "form" | "multipart":
            return {"a": "1"}


def oracle(raw: Any, operation: Operation, values: dict[str, Any]) -> tuple[str, str | None]:
    """Path and query by another reader of RFC 6570, from the document's own words.

    The query is None where a parameter has a style the RFC does not know.
    """
    template = operation.request
    said = {(p["in"], p["name"]): p for p in parameters(raw, operation)}
    path, query, variables = template.path, "", dict[str, Any]()
    for number, place in enumerate(template.places):
        parameter = said[place.location, place.wire_name]
        value, name = values[place.key], place.wire_name
        if place.location == "header":
            continue
        star = "*" if explodes(parameter) else ""
        if place.location == "path":
            operator = {"label": ".", "matrix": ";"}.get(parameter.get("style", ""), "")
            shown = uritemplate.expand(f"{{{operator}v{star}}}", v=texts(value))
            path = path.replace(f"{{{name}}}", shown.replace(";v=", f";{name}="))
        elif parameter.get("style", "form") != "form" or "content" in parameter:
            return path.partition("?")[0], None
        else:
            # The oracle takes no name with '[' or '$' in it: the name is put in afterwards.
            alias = f"v{number}x"
            shown = uritemplate.expand(f"{{&{alias}{star}}}", {alias: texts(value)})
            query += shown.replace(f"&{alias}=", f"&{encoded_name(name)}=")
            variables[alias] = name
    fixed = template.path.partition("?")[2]
    return path.partition("?")[0], f"{fixed}{query}".lstrip("&")


def encoded_name(name: str) -> str:
    return uritemplate.expand("{v}", v=name)


def texts(value: Any) -> Any:
    if isinstance(value, dict):
        return [(key, str(item)) for key, item in value.items()]
    if isinstance(value, list):
        return [str(item) for item in value]
    return "true" if value is True else str(value)


def explodes(parameter: Any) -> bool:
    style = parameter.get("style", "form" if parameter["in"] == "query" else "simple")
    return bool(parameter.get("explode", style == "form"))


def parameters(raw: Any, operation: Operation) -> Iterator[Any]:
    """The parameters of an operation as the document has them."""
    for path, item in raw["paths"].items():
        own = item.get(operation.request.method.lower())
        if path.partition("#")[0] != operation.request.path or own is None:
            continue
        for parameter in (*item.get("parameters", []), *own.get("parameters", [])):
            found = parameter
            while "$ref" in found:
                target = raw
                for part in found["$ref"][2:].split("/"):
                    target = target[part.replace("~1", "/").replace("~0", "~")]
                found = target
            if "collectionFormat" in found:
                found = {**found, "explode": found["collectionFormat"] == "multi"}
            yield found
