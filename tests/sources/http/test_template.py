"""Request templates as data."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolroll.content import JsonObject
from toolroll.outcome import DefinitionError
from toolroll.sources.http import Body, Operation, Part, Place, RequestTemplate
from toolroll.sources.http.place import STYLES
from toolroll.tools.definition import ToolDefinition

RICH = RequestTemplate(
    method="POST",
    path="/a/{id}/{rest}?fixed=1",
    places=(
        Place(key="id", location="path", style="matrix", explode=True),
        Place(key="path_rest", name="rest", location="path"),
        Place(key="q", style="pipeDelimited", explode=False),
        Place(key="r", allow_reserved=True),
        Place(key="j", media_type="application/json"),
        Place(key="X-Trace", location="header"),
    ),
    body=Body(
        kind="multipart",
        media_type="multipart/form-data",
        parts=(
            Part(key="f", kind="file", media_type="image/png"),
            Part(key="s", kind="style", style="deepObject", explode=True, allow_reserved=True),
        ),
    ),
    accept="text/csv",
)


@pytest.mark.rule("http-template-round-trip")
def test_a_template_and_an_operation_survive_json() -> None:
    assert RequestTemplate.from_json(RICH.to_json()) == RICH
    definition = ToolDefinition(name="t", description="d", input_schema={"type": "object"})
    operation = Operation(definition=definition, request=RICH, servers=("https://a.test",))
    assert Operation.from_json(operation.to_json()) == operation


names = st.text("abcXYZ_", min_size=1, max_size=3)


@st.composite
def templates(draw: st.DrawFn) -> RequestTemplate:
    keys = draw(st.lists(names, unique=True, max_size=5))
    places: list[Place] = []
    for key in keys:
        location = draw(st.sampled_from(["path", "query", "header"]))
        places.append(
            Place(
                key=key,
                location=location,  # pyright: ignore[reportArgumentType]
                style=draw(st.sampled_from([None, *STYLES[location]])),  # pyright: ignore[reportArgumentType]
                explode=draw(st.sampled_from([None, True, False])),
                allow_reserved=draw(st.booleans()),
                media_type=draw(st.sampled_from([None, "application/json"])),
            )
        )
    path = "/" + "/".join(f"{{{place.key}}}" for place in places if place.location == "path")
    return RequestTemplate(method="PUT", path=path, places=tuple(places))


@given(templates())
@pytest.mark.rule("http-template-round-trip")
def test_every_template_survives_json(template: RequestTemplate) -> None:
    assert RequestTemplate.from_json(template.to_json()) == template


@pytest.mark.rule("http-template-checked")
@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"method": "get"}, "upper case"),
        ({"method": "GET /x"}, "upper case"),
        ({"method": "CONNECT"}, "tunnel"),
        ({"path": "x"}, "begin with"),
        ({"path": "/x#y"}, "'#'"),
        ({"path": "/x y"}, "spaces"),
        ({"path": "/x\r\ny"}, "spaces"),
        ({"path": "/../admin"}, "'..'"),
        ({"path": "/%2e%2E/admin"}, "'..'"),
        ({"path": "/{id"}, "braces"),
        ({"path": "/{id}"}, "differ in id"),
        ({"path": "/x?y={id}"}, "query place"),
        ({"path": "/{a/b}", "places": (Place(key="a/b", location="path"),)}, "{a/b} of the path"),
        ({"path": "/{a?}", "places": (Place(key="a?", location="path"),)}, r"{a\?} of the path"),
        ({"places": (Place(key="id", location="path"),)}, "differ in id"),
        ({"places": (Place(key="a"), Place(key="a", location="header"))}, "two places: a"),
        ({"places": (Place(key="body"),), "body": Body()}, "two places: body"),
        ({"places": (Place(key="a", style="matrix"),)}, "'matrix' does not exist in a query"),
        ({"places": (Place(key="a b", location="header"),)}, "no header name"),
        ({"places": (Place(key="a\r\nb", location="header"),)}, "no header name"),
        ({"accept": "a\r\nX: 1"}, "accept"),
        ({"body": Body(media_type="a\r\nX: 1")}, "media type"),
        ({"body": Body(parts=(Part(key="a", style="label"),))}, "style"),
    ],
)
def test_a_template_that_cannot_be_sent_is_refused(fields: dict[str, Any], fault: str) -> None:
    fields.setdefault("method", "GET")
    fields.setdefault("path", "/")
    with pytest.raises(DefinitionError, match=fault):
        RequestTemplate(**fields)


@pytest.mark.rule("http-template-checked")
@pytest.mark.parametrize(
    "raw",
    [
        {},
        {"method": "GET"},
        {"method": 1, "path": "/"},
        {"method": "GET", "path": "/", "places": {}},
        {"method": "GET", "path": "/", "places": [1]},
        {"method": "GET", "path": "/", "places": [{"key": "a"}]},
        {"method": "GET", "path": "/", "places": [{"key": "a", "location": "cookie"}]},
        {"method": "GET", "path": "/", "places": [{"key": "a", "location": ["query"]}]},
        {"method": "GET", "path": "/", "places": [{"key": "a", "location": "query", "explode": 1}]},
        {"method": "GET", "path": "/", "body": []},
        {"method": "GET", "path": "/", "body": {"key": "body", "kind": "xml"}},
        {"method": "GET", "path": "/", "accept": 3},
    ],
)
def test_stored_data_of_another_form_is_a_definition_error(raw: JsonObject) -> None:
    with pytest.raises(DefinitionError):
        RequestTemplate.from_json(raw)
    with pytest.raises(DefinitionError):
        Operation.from_json(raw)


def test_a_stored_operation_with_odd_servers_is_a_definition_error() -> None:
    definition = ToolDefinition(name="t", description="d", input_schema={"type": "object"})
    stored = Operation(definition=definition, request=RICH).to_json()
    with pytest.raises(DefinitionError, match="servers"):
        Operation.from_json({**stored, "servers": [1]})
