"""A document as a whole: names, hints, selection, servers, and what is said of the rest."""

import json
from typing import Any

import pytest

from tests.sources.openapi.specimen import document, get, only, properties, query, reason, tool
from tests.text.slowdown import slowdown
from toolroll.outcome import DefinitionError
from toolroll.sources.http import Place, http_source
from toolroll.sources.openapi import ReadingLimits, Selection, read_operations
from toolroll.sources.openapi.naming import input_keys

OK: dict[str, Any] = {"responses": {"200": {"description": "ok"}}}


@pytest.mark.rule("openapi-versions")
@pytest.mark.parametrize("version", ["3.0.0", "3.0.4", "3.1.2", "3.2.0", "3.9.0"])
def test_every_version_3_is_read(version: str) -> None:
    assert only(read_operations(get(version=version))).name == "op"


@pytest.mark.rule("openapi-versions")
@pytest.mark.parametrize(
    "raw",
    [
        {},
        {"openapi": "4.0.0"},
        {"openapi": 3},
        {"swagger": "1.2"},
        {"openapi": None, "swagger": []},
        [],
        "openapi: 3.0.0",
        None,
        {"openapi": "3.1.0", "paths": []},
    ],
    ids=repr,
)
def test_what_is_no_openapi_document_is_refused_as_a_whole(raw: Any) -> None:
    with pytest.raises(DefinitionError, match="OpenAPI"):
        read_operations(raw)


def test_a_document_without_paths_has_no_operations() -> None:
    assert read_operations({"openapi": "3.1.0", "webhooks": {"x": {"post": OK}}}).operations == ()


@pytest.mark.rule("openapi-names")
@pytest.mark.parametrize(
    ("operation_id", "path", "name"),
    [
        ("listPets", "/pets", "listPets"),
        ("actions/list-runs", "/runs", "actions_list-runs"),
        ("a.b  c", "/x", "a_b_c"),
        ("日本", "/pets/{petId}", "get_pets_petId"),
        (None, "/pets/{petId}/toys", "get_pets_petId_toys"),
        (17, "/", "get"),
    ],
)
def test_a_tool_is_named_after_its_operation_id_or_method_and_path(
    operation_id: Any, path: str, name: str
) -> None:
    parameters = [{"name": "petId", "in": "path"}] if "{" in path else []
    raw = document({path: {"get": {"operationId": operation_id, "parameters": parameters}}})
    assert only(read_operations(raw)).name == name


@pytest.mark.rule("openapi-names")
def test_a_name_that_is_taken_skips_the_later_operation_and_names_both() -> None:
    raw = document({"/a": {"get": {"operationId": "list"}}, "/b": {"get": {"operationId": "list"}}})
    reading = read_operations(raw)
    assert [operation.name for operation in reading.operations] == ["list"]
    assert reading.operations[0].request.path == "/a"
    (skipped,) = reading.skipped
    assert (skipped.method, skipped.path) == ("GET", "/b")
    assert skipped.reason == "its name 'list' is taken by GET /a"


@pytest.mark.rule("openapi-names")
def test_operations_without_an_id_never_take_a_name_from_each_other() -> None:
    first = {"/a/{b}": {"get": {"parameters": [{"name": "b", "in": "path"}]}}}
    second = {"/a/b": {"get": {}}}
    names = [operation.name for operation in read_operations(document(first | second)).operations]
    assert names[0] == "get_a_b"
    assert names[1].startswith("get_a_b_")
    swapped = [o.name for o in read_operations(document(second | first)).operations]
    assert swapped[0] == "get_a_b"
    assert swapped[1] not in names


@pytest.mark.rule("openapi-property-names")
def test_two_parameters_of_one_name_carry_their_place() -> None:
    raw = get(
        query("id"),
        {"name": "id", "in": "path"},
        {"name": "body", "in": "header"},
        query("filter[eq]"),
        query("$top"),
        query("_limit"),
        query("X-Trace"),
        path="/x/{id}",
        method="post",
        requestBody={"content": {"application/json": {}}},
    )
    operation = tool(raw)
    assert list(properties(operation)) == [
        "query_id",
        "path_id",
        "header_body",
        "filter_eq",
        "top",
        "_limit",
        "X-Trace",
        "body",
    ]
    wire = [place.wire_name for place in operation.request.places]
    assert wire == ["id", "id", "body", "filter[eq]", "$top", "_limit", "X-Trace"]


@pytest.mark.rule("openapi-property-names")
def test_a_parameter_is_never_the_body() -> None:
    assert list(properties(tool(get(query("body"), query("page"))))) == ["query_body", "page"]


@pytest.mark.rule("openapi-property-names")
def test_names_stay_apart_whatever_they_are() -> None:
    raw = get(
        query("a b"), query("a$b"), query("query_a_b"), query("日"), query("本"), query("x" * 90)
    )
    keys = list(properties(tool(raw)))
    assert len(set(keys)) == 6
    assert all(len(key) <= 64 for key in keys)


@pytest.mark.rule("openapi-property-names", "openapi-limits")
@pytest.mark.parametrize("stem", ["q", "?"])
def test_names_of_very_many_parameters_are_found_in_linear_time(stem: str) -> None:
    names = [f"{stem}{'!' * number}" for number in range(20_000)]
    keys = input_keys([Place(key="", name=name) for name in names], body=True)
    assert len(set(keys)) == len(names)


@pytest.mark.rule("openapi-closed-input")
def test_an_input_is_closed_and_lists_what_is_required() -> None:
    raw = get(query("a", required=True), query("b"), {"name": "id", "in": "path"}, path="/x/{id}")
    schema = tool(raw).definition.input_schema
    assert schema["required"] == ["a", "id"]
    assert schema["additionalProperties"] is False
    assert tool(get()).definition.input_schema == {
        "type": "object",
        "properties": {},
        "additionalProperties": False,
    }


@pytest.mark.rule("openapi-hints")
@pytest.mark.parametrize(
    ("method", "hints"),
    [
        ("get", {"readOnlyHint": True}),
        ("head", {"readOnlyHint": True}),
        ("options", {"readOnlyHint": True}),
        ("trace", {"readOnlyHint": True}),
        ("query", {"readOnlyHint": True}),
        ("post", {"idempotentHint": False}),
        ("patch", {"idempotentHint": False}),
        ("put", {}),
        ("delete", {"destructiveHint": True}),
    ],
)
def test_hints_say_what_the_method_says_and_no_more(method: str, hints: object) -> None:
    operation = tool(get(method=method))
    assert operation.definition.hints.to_json() == hints
    assert operation.request.method == method.upper()


@pytest.mark.rule("openapi-description")
def test_a_definition_tells_what_the_document_tells() -> None:
    raw = get(
        summary="Lists.", description="All\u200b of them.", tags=["a", 1, "b"], deprecated=True
    )
    definition = tool(raw).definition
    assert definition.description == "Deprecated. Lists.\n\nAll of them."
    assert (definition.title, definition.tags) == ("Lists.", ("a", "b"))
    origin: Any = definition.meta["toolroll/http"]
    assert (origin["method"], origin["path"], origin["deprecated"]) == ("GET", "/x", True)
    assert tool(get(description="Lists. All.", summary="Lists.")).definition.description == (
        "Lists. All."
    )
    assert tool(get()).definition.description == "GET /x"
    noted = read_operations(raw).report.of_kind("cleaned")
    assert [note.reason for note in noted] == ["removed 1 invisible"]


@pytest.mark.rule("openapi-description")
def test_descriptions_are_cut_on_request() -> None:
    raw = get(query("a", description="d" * 50), description="e" * 50)
    definition = tool(raw, description_limit=10).definition
    assert definition.description == "e" * 9 + "…"
    assert properties(tool(raw, description_limit=10))["a"]["description"] == "d" * 9 + "…"


@pytest.mark.rule("openapi-description")
@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Short.", "Short."),
        ("The first sentence is here. The second one is too long.", "The first sentence is here."),
        ("Its words come, and then more words come.", "Its words come, and then more…"),
        ("No! This goes on and on and on and on.", "No! This goes on and on and…"),
        ("Given e.g. here, or there and elsewhere.", "Given e.g. here, or there and…"),
        ("Told in a paragraph of words\n\nand in another.", "Told in a paragraph of words"),
        ("é" * 40, "é" * 29 + "…"),
    ],
    ids=range(7),
)
def test_a_cut_description_keeps_whole_sentences(said: str, shown: str) -> None:
    definition = tool(get(query("a", description=said)), description_limit=30).definition
    inner: Any = definition.input_schema["properties"]
    assert inner["a"]["description"] == shown


@pytest.mark.rule("openapi-description")
def test_descriptions_are_whole_unless_asked_otherwise_and_cuts_are_reported() -> None:
    long = "All of what is to be said of it. " * 40
    raw = get(query("a", description=long), description=long)
    reading = read_operations(raw)
    assert reading.operations[0].definition.description == long.strip()
    assert not reading.report.notes
    cut = read_operations(raw, description_limit=50).report.of_kind("cut")
    assert [(note.subject, note.reason) for note in cut] == [
        ("descriptions", "2 are cut, as was asked for")
    ]


LINKS = [
    ("A [page](https://docs.test/page) of it.", "A page of it."),
    ("A [page](/docs/page#top 'x') ![of](a/b.png) it.", "A [page](/docs/page#top 'x') of it."),
    ('A [page](../page.md "Title"), [wiki](https://w.test/a_(b)).', "A page, wiki."),
    ('A <a href="https://docs.test">page</a> of it.', "A page of it."),
    ("[https://a.test](https://a.test) is it.", "https://a.test is it."),
    ("Write `[words](https://a.test)`.", "Write `[words](https://a.test)`."),
    ("```\n[words](https://a.test)\n```", "```\n[words](https://a.test)\n```"),
    ("Write [words](https://example.com).", "Write [words](https://example.com)."),
    ("[](c.d) [d][e] [f](g h) [i](j) a[0](1)", "[](c.d) [d][e] [f](g h) [i](j) a[0](1)"),
    ("One. For more information, see [Paging](/p).", "One."),
    ('One. For more information, see "[Paging](/p)." Two.', "One. Two."),
    ("One.\n\nFor further details about `x`,\nsee [A](/a) and [B](/b).\n\nTwo.", "One.\n\nTwo."),
    ("One. Learn more about [A](/a).", "One."),
    ("One. Learn more in the [A guide](/a). Two.", "One. Two."),
    ("One. [Read more](/a).", "One."),
    ("One. See the [A docs](/a) for more details. Two.", "One. Two."),
    ("See [A](/a).", "See A."),
    ("One. For more information, see [Get a thing](/a).", "One. For more information, see Get a thing."),
    ("One. See [A](/a) and send `x`.", "One. See A and send `x`."),
    ("One. See [A](/a)\nand send `x`.", "One. See A\nand send `x`."),
    ("One. See [A](/a) of all kinds.", "One. See A of all kinds."),
    ("**Note:** see [A](/a).", "**Note:** see A."),
    ("For more information, see the page.", "For more information, see the page."),
]  # fmt: skip


@pytest.mark.rule("openapi-links")
@pytest.mark.parametrize(("said", "shown"), LINKS, ids=range(len(LINKS)))
def test_links_are_their_words_and_sentences_that_only_point_to_a_page_go(
    said: str, shown: str
) -> None:
    raw = get(query("a", description=said), description=said)
    raw["paths"]["/y"] = {"get": {"summary": "Get a thing"}}
    operation = read_operations(raw).operations[0]
    assert operation.definition.description == shown
    assert properties(operation)["a"]["description"] == shown
    (kept, _) = read_operations(raw, links=True).operations
    assert kept.definition.description == properties(kept)["a"]["description"] == said


@pytest.mark.rule("openapi-links")
def test_the_report_tells_how_many_links_went_and_how_to_keep_them() -> None:
    raw = get(description="A [page](https://a.test). For more information, see [A](/a).")
    (note,) = read_operations(raw).report.notes
    assert (note.kind, note.subject) == ("cut", "links")
    assert note.reason == (
        "addresses taken out: 2; sentences left out that only point to a page: 1; "
        "links=True keeps them"
    )
    assert not read_operations(raw, links=True).report.notes


@pytest.mark.rule("openapi-links")
@pytest.mark.parametrize(
    "piece",
    ["[", "](", "[a](", "[a](/b", "<a ", "`", "For more information ", ". See [a](/b)", "\n",
     ". For more information, see [a](/b), ", ". Learn more about [a](/b) and ", "[a](/(b"],
)  # fmt: skip
def test_hostile_descriptions_are_read_in_linear_time(piece: str) -> None:
    def read(text: str) -> None:
        read_operations(get(description=text))

    short, long = f"[a](/b) {piece * 1_000}", f"[a](/b) {piece * 8_000}"
    assert slowdown(read, short, long) < 24


@pytest.mark.rule("openapi-description")
@pytest.mark.parametrize(
    ("summary", "described", "shown"),
    [
        ("List branches", "Lists all branches of a repository.", "{described}"),
        ("List branches", "Lists all. Of branches.", "{summary}\n\n{described}"),
        ("Get the keys", "Gets it.", "{summary}\n\n{described}"),
        ("Star", "star", "{described}"),
        ("???", "Anything.", "{summary}\n\n{described}"),
        ("一覧", "一覧を返す。", "{described}"),
    ],
)
def test_a_summary_that_the_description_repeats_is_said_once(
    summary: str, described: str, shown: str
) -> None:
    definition = tool(get(summary=summary, description=described)).definition
    assert definition.description == shown.format(summary=summary, described=described)
    assert definition.title == summary


@pytest.mark.rule("openapi-fingerprint")
def test_a_request_that_changes_changes_the_fingerprint() -> None:
    array = {"type": "array", "items": {"type": "string"}}
    one, other = (tool(get(query("a", array, explode=explode))) for explode in (True, False))
    assert one.definition.input_schema == other.definition.input_schema
    assert one.definition.fingerprint != other.definition.fingerprint


@pytest.mark.rule("openapi-selection")
@pytest.mark.parametrize(
    ("selection", "names"),
    [
        (Selection(), ["getA", "putA", "getB"]),
        (Selection(tags=("u*",)), ["putA", "getB"]),
        (Selection(paths=("/a",)), ["getA", "putA"]),
        (Selection(methods=("get",)), ["getA", "getB"]),
        (Selection(operation_ids=("*B", "putA")), ["putA", "getB"]),
        (Selection(tags=("u1",), methods=("GET",)), []),
        (lambda method, path, operation: path == "/b", ["getB"]),
    ],
    ids=["all", "tags", "paths", "methods", "ids", "none", "function"],
)
def test_operations_are_selected_by_what_the_document_says(
    selection: Any, names: list[str]
) -> None:
    raw = document(
        {
            "/a": {"get": {"operationId": "getA"}, "put": {"operationId": "putA", "tags": ["u1"]}},
            "/b": {"get": {"operationId": "getB", "tags": ["u2"]}},
        }
    )
    reading = read_operations(raw, select=selection)
    assert [operation.name for operation in reading.operations] == names
    assert reading.skipped == ()


@pytest.mark.rule("openapi-servers")
def test_servers_are_listed_with_the_defaults_of_their_variables() -> None:
    raw = document(
        {},
        servers=[
            {"url": "https://{r}.a.test/{v}", "variables": {"r": {"default": "eu"}}},
            {"url": "/relative"},
            {},
            7,
        ],
    )
    assert read_operations(raw).servers == ("https://eu.a.test/{v}", "/relative")


@pytest.mark.rule("openapi-servers")
@pytest.mark.anyio
async def test_an_operation_with_a_server_of_its_own_is_only_offered_there() -> None:
    own = {"servers": [{"url": "https://up.test"}]}
    raw = document(
        {
            "/a": {"get": {"operationId": "a"}},
            "/b": {"get": {"operationId": "b", **own}},
            "/c": {"get": {"operationId": "c"}, **own},
            "/d": {"get": {"operationId": "d"}, "servers": [{"url": "https://api.test"}]},
        },
        servers=[{"url": "https://api.test"}],
    )
    reading = read_operations(raw)
    assert {operation.name: operation.servers for operation in reading.operations} == {
        "a": (),
        "b": ("https://up.test",),
        "c": ("https://up.test",),
        "d": (),
    }
    assert "lives at https://up.test (and 1 more)" in reading.report.notes[0].reason
    for base, names in (
        ("https://api.test", ["a", "d"]),
        ("https://up.test/", ["a", "b", "c", "d"]),
    ):
        found = await http_source("s", base, reading.operations).discover()
        assert [definition.name for definition in found.definitions] == names


@pytest.mark.rule("openapi-item-by-item")
def test_one_bad_operation_costs_one_operation() -> None:
    raw = document(
        {
            "/good": {"get": {"operationId": "good", **OK}},
            "/number": {"get": 7},
            "/gone": {"$ref": "#/components/pathItems/Gone"},
            "/far": {"$ref": "https://evil.test/item.json"},
            "/list": [],
            "no-slash": {"get": {}},
            "/{id}": {"get": {}},
            "/extra": {"get": {"parameters": [{"name": "id", "in": "path"}]}},
            "/nameless": {"get": {"parameters": [{"in": "query"}]}},
            "/ref": {"get": {"parameters": [{"$ref": "#/components/parameters/Gone"}]}},
            "/circle": {"get": {"parameters": [{"$ref": "#/components/parameters/A"}]}},
            "/odd": {"post": {"requestBody": {"$ref": "#/components/schemas/Text"}}},
            "/word": {"additionalOperations": {"copy": {}, "COPY": {}}},
            "x-extension": 1,
        },
        components={
            "parameters": {"A": {"$ref": "#/components/parameters/A"}},
            "schemas": {"Text": "no schema"},
        },
    )
    reading = read_operations(raw)
    assert [operation.name for operation in reading.operations] == ["good", "copy_word"]
    reasons = {f"{s.method} {s.path}": s.reason for s in reading.skipped}
    assert reasons == {
        "GET /number": "the operation is not an object",
        "* /gone": "the reference '#/components/pathItems/Gone' leads to nothing",
        "* /far": "the reference 'https://evil.test/item.json' is not in this document",
        "* /list": "the path item is not an object",
        "GET no-slash": "the path must begin with '/' and hold neither '#' nor spaces",
        "GET /{id}": "the {names} of the path and its places differ in id",
        "GET /extra": "the {names} of the path and its places differ in id",
        "GET /nameless": "a parameter has no name",
        "GET /ref": "the reference '#/components/parameters/Gone' leads to nothing",
        "GET /circle": "the references of a parameter lead in a circle",
        "POST /odd": "the request body is not an object",
        "copy /word": "the method must be a word in upper case",
    }


@pytest.mark.rule("openapi-local-references")
def test_every_kind_of_local_reference_is_followed() -> None:
    raw = document(
        {
            "/a/{id}": {"$ref": "#/components/pathItems/A", "summary": "Beside."},
            "/again/{id}": {"$ref": "#/paths/~1a~1%7Bid%7D"},
        },
        components={
            "pathItems": {
                "A": {
                    "parameters": [{"$ref": "#/components/parameters/Id"}],
                    "post": {
                        "requestBody": {"$ref": "#/components/requestBodies/B"},
                        "responses": {"200": {"$ref": "#/components/responses/R"}},
                    },
                }
            },
            "parameters": {
                "Id": {"name": "id", "in": "path", "schema": {"$ref": "#/components/schemas/S%20s"}}
            },
            "requestBodies": {
                "B": {"content": {"application/json": {"schema": {"type": "object"}}}}
            },
            "responses": {
                "R": {
                    "content": {
                        "application/json": {"schema": {"$ref": "#/components/schemas/S s"}}
                    }
                }
            },
            "schemas": {"S s": {"type": "integer"}},
        },
    )
    first, second = read_operations(raw).operations
    assert first.definition.title == "Beside."
    assert properties(first) == {"id": {"type": "integer"}, "body": {"type": "object"}}
    assert first.definition.output_schema == {"type": "integer"}
    assert second.definition.input_schema == first.definition.input_schema


@pytest.mark.rule("openapi-path-parameters-merge")
def test_parameters_of_the_path_count_and_an_operations_own_replace_them() -> None:
    raw = document(
        {
            "/a/{id}": {
                "parameters": [
                    {"name": "id", "in": "path", "schema": {"type": "string"}},
                    query("q"),
                ],
                "get": {
                    "operationId": "op",
                    "parameters": [query("q", {"type": "integer"}, required=True), query("r")],
                },
            }
        }
    )
    operation = tool(raw)
    assert {key: value["type"] for key, value in properties(operation).items()} == {
        "id": "string",
        "q": "integer",
        "r": "string",
    }
    assert operation.definition.input_schema["required"] == ["id", "q"]


@pytest.mark.rule("openapi-limits")
def test_what_is_beyond_a_limit_is_named() -> None:
    raw = document({f"/{n}": {"get": {}} for n in range(3)})
    reading = read_operations(raw, limits=ReadingLimits(operations=2))
    assert len(reading.operations) == 2
    assert reading.skipped[0].reason == "there are more than 2 tools"
    large = get(query("a", description="d" * 2000))
    note = read_operations(large, limits=ReadingLimits(large=1000)).report.notes[0]
    assert (note.subject, note.reason) == ("op", "it has 2,151 characters as a tool")
    (note,) = read_operations(large, limits=ReadingLimits(large_list=1000)).report.notes
    assert note.subject == "tools"
    assert note.reason.startswith("1 tools have 2,151 characters together; select fewer")
    too_large = document(
        {"/a": {"get": {"parameters": [query("q", {"$ref": "#/components/schemas/A"})]}}},
        components={"schemas": {"A": {"enum": ["x" * 500]}}},
    )
    reading = read_operations(too_large, limits=ReadingLimits(schema=300))
    assert reading.skipped[0].reason == "its schema is larger than 300 characters"


@pytest.mark.rule("openapi-item-by-item")
def test_what_a_reason_repeats_of_a_document_is_one_clean_line() -> None:
    reading = read_operations(document({"/\x1b[31mred\n{x": {"get": {}}}))
    (skipped,) = reading.skipped
    assert skipped.path == "/red {x"
    assert "\n" not in skipped.reason
    assert "\x1b" not in reason(get({"name": "\x1b[2J", "in": "moon", "required": True}))


def test_yaml_readings_of_numbers_and_dates_are_understood() -> None:
    import datetime as dt

    raw: dict[Any, Any] = {
        "openapi": 3.1,
        "paths": {
            "/a": {
                "get": {
                    "operationId": "op",
                    "parameters": [query("d", {"enum": [dt.date(2020, 1, 2), "x"]})],
                    "responses": {
                        200: {"content": {"application/json": {"schema": {"type": "array"}}}}
                    },
                }
            }
        },
    }
    operation = tool(raw)
    assert properties(operation)["d"] == {"enum": ["2020-01-02", "x"]}
    assert operation.definition.output_schema == {"type": "array"}
    json.dumps(operation.to_json())


@pytest.mark.rule("openapi-item-by-item")
def test_a_media_type_that_is_no_text_costs_itself() -> None:
    content: Any = {0: None, "application/json": {"schema": {"type": "object"}}}
    operation = tool(get(responses={"200": {"description": "", "content": content}}))
    assert operation.definition.output_schema == {"type": "object"}


@pytest.mark.rule("openapi-item-by-item")
def test_a_reading_is_data() -> None:
    reading = read_operations(get(query("a"), summary="S"))
    assert (reading.title, reading.version) == ("t", "1")
    (operation,) = reading.operations
    assert json.loads(json.dumps(operation.to_json())) == operation.to_json()


@pytest.mark.rule("openapi-item-by-item")
def test_what_is_said_of_a_hostile_document_is_short_and_clean() -> None:
    raw = document(
        {
            "/a": {
                "get": {
                    "operationId": "a",
                    "tags": ["t\u202e", "\u200b"],
                    "parameters": [{"name": "c\x1b[2J" + "x" * 999, "in": "cookie"}],
                    "servers": [{"url": "https://up.test/\x1b]0;x\x07" + "y" * 999}],
                }
            },
            "/b" + "z" * 999: {"post": {"requestBody": {"content": {"a/" + "b" * 9999: {}}}}},
        }
    )
    reading = read_operations(raw)
    assert reading.operations[0].definition.tags == ("t",)
    for note in reading.report.notes:
        assert (note.subject + note.reason).isprintable()
        assert len(note.subject) <= 200
        assert len(note.reason) <= 600
    (skipped,) = reading.skipped
    assert len(skipped.path) <= 200
    assert len(skipped.reason) <= 500
