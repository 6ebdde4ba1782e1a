"""Documents of real APIs: what they come to, and every request beside an oracle of its own."""

import base64
import gzip
import json
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
from toolroll.sources.http import Body, Operation, fill
from toolroll.sources.openapi import OpenApiReading, read_operations

pytestmark = pytest.mark.corpora

TOOLS = {
    "adyen.com-DisputeService-v30": 5,
    "amazonaws.com-sqs": 20,
    "circleci.com": 22,
    "codat.io-banking": 8,
    "discord-3.1": 242,
    "docker.com-engine": 105,
    "docker.com-hub": 28,
    "form-data": 1,
    "googleapis.com-calendar": 37,
    "googleapis.com-youtube": 80,
    "hetzner.cloud": 144,
    "instagram.com": 27,
    "launchdarkly.com": 105,
    "link-example": 6,
    "listennotes.com": 24,
    "medium.com": 27,
    "museum-3.1": 8,
    "nasa.gov-asteroids-neows": 3,
    "netlify.com": 120,
    "non-oauth-scopes-3.1": 1,
    "notion.com": 12,
    "openai": 288,
    "parameters-common": 5,
    "parameters-cookies": 1,
    "parameters-style": 24,
    "petstore-3.0": 19,
    "petstore-3.1": 20,
    "petstore-expanded-3.0": 4,
    "polymorphism": 13,
    "readme-3.1": 54,
    "rentcast.io": 10,
    "schema-circular": 3,
    "slack.com": 174,
    "spotify.com": 88,
    "star-trek": 120,
    "telegram.org": 74,
    "train-travel-3.1": 7,
    "trello.com": 324,
    "uber-swagger2": 5,
    "wolframalpha.com": 2,
    "wordnik.com": 16,
    "xkcd.com": 2,
    "youneedabudget.com": 31,
}
"""Tools of each document."""

SKIPPED: dict[str, dict[str, int]] = {
    "amazonaws.com-sqs": {
        "its body is text/xml, which cannot be written": 23,
        "its query parameter 'Entries' is a list of lists or objects, which no style can write": 3,
    },
    "medium.com": {
        "a {name} behind the '?' of the path is not filled; make it a query place": 5,
    },
    "notion.com": {"a parameter has no name": 1},
    "parameters-style": {
        "its property 'primitive' has style deepObject for what is no object, "
        "which is not defined": 1,
    },
}
"""Why the operations that are not among them were skipped."""


def load(corpora: Path, name: str) -> Any:
    (path,) = (corpora / "openapi").glob(f"{name}.*.gz")
    text = gzip.decompress(path.read_bytes())
    return json.loads(text) if ".json" in path.suffixes else yaml.safe_load(text)


@pytest.fixture(params=sorted(TOOLS))
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
    assert len(reading.operations) == TOOLS[name]
    assert Counter(skipped.reason for skipped in reading.skipped) == SKIPPED.get(name, {})
    assert len(operations) == len(reading.operations) + len(reading.skipped)
    names = [operation.name for operation in reading.operations]
    assert len(set(names)) == len(names)


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
