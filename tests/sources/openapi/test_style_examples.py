"""Every cell of the specification's table of styles, from a document to the request.

Source: OpenAPI 3.1.1, "Style Examples": `color` is empty, a text, a list, an object. A cell that
the specification leaves open is None here, and such a parameter is not sent.
"""

from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.sources.openapi.specimen import get, reason, refused, sent, tool

LIST = ["blue", "black", "brown"]
PAIRS = {"R": 100, "G": 200, "B": 150}
SCHEMAS: dict[str, Any] = {
    "empty": {"type": "string"},
    "text": {"type": "string"},
    "list": {"type": "array", "items": {"type": "string"}},
    "object": {"type": "object", "additionalProperties": {"type": "integer"}},
}
VALUES: dict[str, Any] = {"empty": "", "text": "blue", "list": LIST, "object": PAIRS}
REFUSED = "refused"  # an empty value would lead to another path

TABLE: dict[tuple[str, str, bool], tuple[str | None, ...]] = {
    ("path", "matrix", False): (REFUSED, ";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"),
    ("path", "matrix", True): (REFUSED, ";color=blue", ";color=blue;color=black;color=brown", ";R=100;G=200;B=150"),
    ("path", "label", False): (REFUSED, ".blue", ".blue,black,brown", ".R,100,G,200,B,150"),
    ("path", "label", True): (REFUSED, ".blue", ".blue.black.brown", ".R=100.G=200.B=150"),
    ("path", "simple", False): (REFUSED, "blue", "blue,black,brown", "R,100,G,200,B,150"),
    ("path", "simple", True): (REFUSED, "blue", "blue,black,brown", "R=100,G=200,B=150"),
    ("header", "simple", False): ("", "blue", "blue,black,brown", "R,100,G,200,B,150"),
    ("header", "simple", True): ("", "blue", "blue,black,brown", "R=100,G=200,B=150"),
    ("query", "form", False): ("color=", "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"),
    ("query", "form", True): ("color=", "color=blue", "color=blue&color=black&color=brown", "R=100&G=200&B=150"),
    ("query", "spaceDelimited", False): (None, None, "color=blue%20black%20brown", "color=R%20100%20G%20200%20B%20150"),
    ("query", "spaceDelimited", True): (None, None, None, None),
    ("query", "pipeDelimited", False): (None, None, "color=blue%7Cblack%7Cbrown", "color=R%7C100%7CG%7C200%7CB%7C150"),
    ("query", "pipeDelimited", True): (None, None, None, None),
    ("query", "deepObject", True): (None, None, None, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"),
}  # fmt: skip
CELLS = [
    (*row, kind, said)
    for row, cells in TABLE.items()
    for kind, said in zip(VALUES, cells, strict=True)
]


@pytest.mark.rule("openapi-parameters-sent")
@pytest.mark.parametrize(("location", "style", "explode", "kind", "said"), CELLS)
def test_every_cell_of_the_table_of_styles_is_sent_or_left_out(
    location: str, style: str, explode: bool, kind: str, said: str | None
) -> None:
    parameter = {
        "name": "color",
        "in": location,
        "style": style,
        "explode": explode,
        "required": True,
        "schema": SCHEMAS[kind],
    }
    raw = get(parameter, path="/x/{color}" if location == "path" else "/x")
    if said is None:
        assert "not defined" in reason(raw)
        return
    operation = tool(raw)
    if said is REFUSED:
        assert refused(operation, color=VALUES[kind]) == ["/color"]
        return
    request = sent(operation, color=VALUES[kind])
    parts = urlsplit(request.url)
    found = {
        "path": parts.path.removeprefix("/v1/x/"),
        "query": parts.query,
        "header": dict(request.headers).get("color"),
    }
    assert found[location] == said
