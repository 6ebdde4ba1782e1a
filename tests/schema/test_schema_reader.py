"""Reading the inputs of tools whose schema is plain JSON Schema: null, repair, defaults, fillers."""

import copy
import json
from types import MappingProxyType
from typing import Any

import pytest

from tests.text.slowdown import slowdown
from toolroll.outcome import Repair, issue_lines
from toolroll.schema import ReadInput, RejectedInput, SchemaError, schema_reader

NOTE = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "revision": {"type": "integer"},
        "dry_run": {"type": "boolean"},
    },
    "required": ["text"],
    "additionalProperties": False,
}


def obj(**properties) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False}


def read(schema, value, **options):
    repair = options.pop("repair", "schema")
    return schema_reader(schema, **options).read(value, repair=repair)


def value_of(got):
    assert isinstance(got, ReadInput), got
    return got.value


def kinds(got) -> list[tuple[str, str]]:
    assert isinstance(got, ReadInput), got
    return [(repair.kind, repair.pointer) for repair in got.repairs]


def problems(got) -> list[tuple[str, str]]:
    assert isinstance(got, RejectedInput), got
    return [(issue.pointer, issue.problem) for issue in got.issues]


@pytest.mark.rule("schema-valid-untouched")
@pytest.mark.parametrize("authored", [True, False])
def test_a_fitting_input_goes_through_as_it_is(authored: bool) -> None:
    value = {"text": '{"a": 1}', "revision": 3}

    got = read(NOTE, value, authored=authored)

    assert isinstance(got, ReadInput)
    assert got.value is value
    assert got.bound is value
    assert got.repairs == ()


@pytest.mark.rule("schema-null-is-absent")
def test_an_optional_null_is_left_out() -> None:
    got = read(NOTE, {"text": "a", "revision": None})

    assert value_of(got) == {"text": "a"}
    assert got.repairs == (Repair("drop_null", "/revision"),)


@pytest.mark.rule("schema-null-is-absent")
def test_a_required_null_counts_as_missing() -> None:
    (issue,) = read(NOTE, {"text": None}).issues

    assert issue.pointer == ""
    assert issue.missing == ("text",)


@pytest.mark.rule("schema-null-is-absent")
def test_nulls_are_left_out_at_every_object_depth() -> None:
    schema = obj(
        list={"type": "array", "items": obj(a={"type": "string"}, b={"enum": ["x"]})},
        led={"$ref": "#/$defs/deep"},
        union={"anyOf": [obj(kind={"const": "k"}, v={"type": "integer"}), {"type": "string"}]},
    ) | {"$defs": {"deep": obj(n={"allOf": [{"type": "number"}]})}}
    sent = {
        "list": [{"a": None, "b": None}, {"a": "x"}],
        "led": {"n": None},
        "union": {"kind": "k", "v": None},
    }

    got = read(schema, sent)

    assert value_of(got) == {"list": [{}, {"a": "x"}], "led": {}, "union": {"kind": "k"}}
    assert kinds(got) == [
        ("drop_null", "/list/0/a"),
        ("drop_null", "/list/0/b"),
        ("drop_null", "/led/n"),
        ("drop_null", "/union/v"),
    ]


@pytest.mark.rule("schema-null-kept")
@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (obj(a={"type": ["string", "null"]}), {"a": None}),
        (obj(a={"anyOf": [{"type": "string"}, {"type": "null"}]}), {"a": None}),
        (obj(a={}), {"a": None}),
        (obj(a={"enum": ["x", None]}), {"a": None}),
        ({"type": "object", "properties": {"a": {}}}, {"other": None}),
    ],
)
def test_a_null_that_the_schema_takes_stays(schema, value) -> None:
    got = read(schema, value)

    assert value_of(got) == value
    assert got.repairs == ()


@pytest.mark.rule("schema-null-kept")
@pytest.mark.parametrize(
    "schema",
    [
        obj(a={"type": "array", "items": {"type": "string"}}),
        obj(a={"type": "object", "additionalProperties": {"type": "string"}}),
        obj(a={"type": "object", "patternProperties": {".": {"type": "string"}}}),
    ],
)
def test_nulls_in_lists_and_open_records_are_refused_not_dropped(schema) -> None:
    held = [None] if schema["properties"]["a"]["type"] == "array" else {"k": None}

    ((pointer, problem),) = problems(read(schema, {"a": held}))

    assert pointer in ("/a/0", "/a/k")
    assert problem == "must be string"


@pytest.mark.rule("schema-unknown-null-refused")
def test_an_unknown_key_is_refused_also_when_null() -> None:
    got = read(NOTE, {"text": "a", "txet": None})

    assert issue_lines(got.issues) == [
        'Invalid arguments: unknown property "txet"; takes text, revision, dry_run'
    ]


@pytest.mark.parametrize("value", ["hi", [1], None, 5])
def test_an_input_that_is_no_object_is_refused(value) -> None:
    assert problems(read(NOTE, value)) == [("", "must be object")]


@pytest.mark.rule("schema-parse-text")
@pytest.mark.parametrize(
    ("schema", "sent", "meant"),
    [
        ({"type": "array", "items": {"type": "string"}}, '["ash", "oak"]', ["ash", "oak"]),
        ({"type": "object"}, ' {"a": 1}', {"a": 1}),
        ({"type": ["object", "array"]}, "[1]", [1]),
        ({"type": "integer"}, "7", 7),
        ({"type": "integer"}, "-7", -7),
        ({"type": "number"}, "0.5", 0.5),
        ({"type": "number"}, "1e3", 1000.0),
        ({"type": "number"}, "7", 7),
        ({"type": "boolean"}, "false", False),
        ({"type": "boolean"}, "True", True),
        ({"anyOf": [{"type": "boolean"}, {"type": "null"}]}, "true", True),
        ({"type": "integer", "enum": [1, 2, 4]}, "2", 2),
        ({"enum": [1, 2]}, "2", 2),
        ({"const": True}, "true", True),
        ({"$ref": "#/$defs/n"}, "3", 3),
    ],
)
def test_text_is_read_where_no_text_is_allowed(schema, sent: str, meant) -> None:
    whole = obj(a=schema) | {"$defs": {"n": {"type": "integer"}}}

    got = read(whole, {"a": sent})

    assert json.dumps(value_of(got)) == json.dumps({"a": meant})
    assert got.repairs == (Repair("parse_text", "/a"),)


@pytest.mark.rule("schema-parse-text")
@pytest.mark.parametrize(
    ("schema", "sent"),
    [
        ({"type": "integer"}, "1.5"),
        ({"type": "integer"}, "5.0"),
        ({"type": "integer"}, ""),
        ({"type": "integer"}, "007"),
        ({"type": "integer"}, "+7"),
        ({"type": "integer"}, "7 "),
        ({"type": "integer"}, "１"),
        ({"type": "integer"}, "9" * 50),
        ({"type": "number"}, "NaN"),
        ({"type": "number"}, "1e999"),
        ({"type": "boolean"}, "yes"),
        ({"type": "boolean"}, "1"),
        ({"type": "array"}, "ash,oak"),
        ({"type": "array"}, '{"a": 1}'),
        ({"type": "array"}, "[1"),
        ({"type": "array"}, "[NaN]"),
        ({"type": "array"}, "[" * 100_000),
        ({"type": "object"}, "null"),
        ({"type": "object"}, '{"a": 1, "a": 2}'),
        ({"type": "array"}, '[{"a": {"b": 1, "b": 1}}]'),
        ({"enum": [1, "1"]}, "2"),
    ],
)
def test_any_other_text_is_refused_at_its_place(schema, sent: str) -> None:
    (issue,) = read(obj(a=schema), {"a": sent}).issues

    assert issue.pointer == "/a"


@pytest.mark.rule("schema-text-stays-text")
@pytest.mark.parametrize(
    ("schema", "sent"),
    [
        ({"type": "string"}, '{"a": 1}'),
        ({"anyOf": [{"type": "integer"}, {"type": "string"}]}, "0042"),
        ({"type": ["integer", "string"]}, "7"),
        ({}, "[1]"),
    ],
)
def test_text_stays_text_where_text_is_allowed(schema, sent: str) -> None:
    got = read(obj(a=schema), {"a": sent})

    assert value_of(got) == {"a": sent}
    assert got.repairs == ()


@pytest.mark.rule("schema-parse-text")
def test_what_was_read_is_mended_further() -> None:
    schema = obj(filter=obj(n={"type": "integer"}, s={"type": "string"}))

    got = read(schema, {"filter": '{"n": "7", "s": null}'})

    assert value_of(got) == {"filter": {"n": 7}}
    assert kinds(got) == [
        ("parse_text", "/filter"),
        ("parse_text", "/filter/n"),
        ("drop_null", "/filter/s"),
    ]


@pytest.mark.rule("schema-parse-text")
def test_arguments_that_are_one_text_are_peeled_once() -> None:
    assert value_of(read(NOTE, '{"text": "a"}')) == {"text": "a"}
    assert problems(read(NOTE, '"{}"')) == [("", "must be object")]
    assert problems(read(NOTE, "[1]")) == [("", "must be object")]


@pytest.mark.rule("schema-rename-key")
@pytest.mark.parametrize("sent", ["pageSize", "PageSize", "page-size", "PAGE_SIZE", "page size"])
def test_a_key_in_another_spelling_is_renamed_in_place(sent: str) -> None:
    schema = obj(query={"type": "string"}, page_size={"type": "integer"}, z={"type": "string"})

    got = read(schema, {"query": "owl", sent: 5, "z": "z"})

    assert list(value_of(got).items()) == [("query", "owl"), ("page_size", 5), ("z", "z")]
    assert got.repairs == (Repair("rename_key", "/page_size", was=sent),)


@pytest.mark.rule("schema-rename-key")
@pytest.mark.parametrize(
    ("properties", "value"),
    [
        (["page_size"], {"pageSize": 5, "page_size": 9}),
        (["page_size"], {"pageSize": 5, "PageSize": 9}),
        (["page_size", "pageSize"], {"PAGESIZE": 5}),
        (["page_size"], {"page_sizes": 5}),
        (["page_size"], {"pag_size": 5}),
    ],
)
def test_anything_but_one_certain_name_is_refused(properties, value) -> None:
    schema = obj(**{name: {"type": "integer"} for name in properties})

    got = read(schema, value)

    assert isinstance(got, RejectedInput)
    assert all("unknown property" in issue.problem for issue in got.issues)


@pytest.mark.rule("schema-rename-key")
def test_keys_of_open_objects_stay() -> None:
    schema = {"type": "object", "properties": {"page_size": {"type": "integer"}}}

    assert value_of(read(schema, {"pageSize": "x"}, authored=False)) == {"pageSize": "x"}


@pytest.mark.rule("schema-rename-key")
def test_a_renamed_key_is_checked_and_mended_like_any_other() -> None:
    schema = obj(page_size={"type": "integer"}, after={"type": "string"})

    got = read(schema, {"pageSize": "5", "After": None})

    assert value_of(got) == {"page_size": 5}
    assert kinds(got) == [
        ("rename_key", "/page_size"),
        ("parse_text", "/page_size"),
        ("rename_key", "/after"),
        ("drop_null", "/after"),
    ]


@pytest.mark.rule("schema-repairs-reported")
def test_repairs_are_reported_in_order_of_place() -> None:
    schema = obj(count={"type": "integer"}, dry={"type": "boolean"}, ratio={"type": "number"})

    got = read(schema, {"ratio": "0.5", "count": "7", "dry": None})

    assert kinds(got) == [("parse_text", "/ratio"), ("parse_text", "/count"), ("drop_null", "/dry")]


def test_only_what_cannot_be_mended_is_told() -> None:
    got = read(NOTE, {"text": 5, "revision": "7", "dry_run": None, "x": 1})

    assert problems(got) == [
        ("", 'unknown property "x"; takes text, revision, dry_run'),
        ("/text", "must be string"),
    ]


@pytest.mark.rule("schema-repair-off")
def test_repair_off_takes_the_input_as_it_came() -> None:
    sent = {"text": "a", "revision": "7", "dry_run": None, "Text": "b"}

    assert problems(read(NOTE, sent, repair="off")) == [
        ("", 'unknown property "Text"; takes text, revision, dry_run'),
        ("/revision", "must be integer"),
        ("/dry_run", "must be boolean"),
    ]


@pytest.mark.rule("schema-whole-float-is-integer")
@pytest.mark.parametrize("authored", [True, False])
def test_five_point_zero_is_five_at_an_integer_place(authored: bool) -> None:
    schema = obj(
        n={"type": "integer"},
        maybe={"anyOf": [{"type": "integer"}, {"type": "null"}]},
        list={"type": "array", "items": {"type": ["integer", "null"]}},
        led={"$ref": "#/$defs/n"},
        any={"type": "number"},
        both={"type": ["integer", "number"]},
    ) | {"$defs": {"n": {"type": "integer"}}}
    sent = {"n": 5.0, "maybe": 5.0, "list": [5.0, 6], "led": 5.0, "any": 5.0, "both": 5.0}

    got = read(schema, sent, authored=authored)

    assert json.dumps(value_of(got)) == json.dumps(
        {"n": 5, "maybe": 5, "list": [5, 6], "led": 5, "any": 5.0, "both": 5.0}
    )
    assert got.repairs == ()
    assert sent["n"] == 5.0
    assert type(sent["n"]) is float


@pytest.mark.rule("schema-defaults-filled")
def test_defaults_are_filled_at_every_depth_with_fresh_copies() -> None:
    schema = obj(
        size={"type": "number", "default": 10},
        tags={"type": "array", "items": {"type": "string"}, "default": []},
        page=obj(limit={"type": "integer", "default": 5}),
        rows={"type": "array", "items": {"$ref": "#/$defs/row"}},
    ) | {"$defs": {"row": obj(open={"type": "boolean", "default": True})}}
    reader = schema_reader(schema)

    first, second = (reader.read({"page": {}, "rows": [{}]}) for _ in range(2))

    assert value_of(first) == {
        "page": {"limit": 5},
        "rows": [{"open": True}],
        "size": 10,
        "tags": [],
    }
    first.value["tags"].append("x")
    assert second.value["tags"] == []
    assert value_of(reader.read({})) == {"size": 10, "tags": []}


@pytest.mark.rule("schema-defaults-filled")
def test_a_required_field_with_a_default_may_be_left_out() -> None:
    schema = obj(a={"type": "integer", "default": 1}) | {"required": ["a"]}

    assert value_of(read(schema, {})) == {"a": 1}
    assert value_of(read(schema, {"a": None})) == {"a": 1}


@pytest.mark.rule("schema-defaults-filled")
def test_a_tool_from_elsewhere_is_sent_no_default() -> None:
    schema = obj(size={"type": "number", "default": 10})

    assert value_of(read(schema, {}, authored=False)) == {}


@pytest.mark.rule("schema-filler-dropped")
@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object"},
        {"type": "object", "properties": {}},
        obj(),
        {"type": "object", "title": "x"},
    ],
)
@pytest.mark.parametrize("repair", ["schema", "off"])
def test_a_tool_without_parameters_drops_any_key(schema, repair) -> None:
    got = read(schema, {"_": "", "a/b": {"c": 1}}, repair=repair)

    assert value_of(got) == {}
    assert kinds(got) == [("drop_filler", "/_"), ("drop_filler", "/a~1b")]
    assert problems(read(schema, [1])) == [("", "must be object")]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "additionalProperties": True},
        {"type": "object", "additionalProperties": {"type": "string"}},
        {"type": "object", "patternProperties": {".": {}}},
    ],
)
def test_a_record_keeps_its_keys(schema) -> None:
    assert value_of(read(schema, {"a": "b"})) == {"a": "b"}


@pytest.mark.rule("schema-foreign-not-run")
def test_patterns_and_formats_from_elsewhere_are_not_run() -> None:
    schema = obj(
        pattern={"type": "string", "pattern": "(?<!x)(a+)+$"},
        when={"type": "string", "format": "date"},
        led={"$ref": "#/$defs/word"},
        record={
            "type": "object",
            "patternProperties": {"^(?=a)": {"type": "string"}},
            "additionalProperties": False,
        },
    ) | {"$defs": {"word": {"pattern": "^x$"}}}
    sent = {"pattern": "!", "when": "soon", "led": "y", "record": {"q": 1}}

    reader = schema_reader(schema, authored=False)

    assert reader.loss == ""
    assert value_of(reader.read(sent)) == sent
    assert problems(reader.read({"pattern": 5})) == [("/pattern", "must be string")]


@pytest.mark.rule("schema-foreign-broken")
@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"a": {"$ref": "#/nope"}}},
        {"type": "object", "properties": {"a": {"type": "strin"}}},
        {"type": "object", "$schema": "https://example.com/own"},
        {"type": "object", "properties": {"a": {"$ref": "https://example.com/x"}}},
    ],
)
def test_a_schema_from_elsewhere_that_cannot_be_checked_asks_for_an_object(schema) -> None:
    reader = schema_reader(schema, authored=False)

    assert value_of(reader.read({"a": 5})) == {"a": 5}
    assert problems(reader.read(5)) == [("", "must be object")]
    assert reader.loss
    with pytest.raises(SchemaError):
        schema_reader(schema)


@pytest.mark.rule("schema-clamp-reported")
def test_a_clamping_tool_cuts_and_reports() -> None:
    schema = obj(s={"type": "string", "maxLength": 5}, n={"type": "integer", "maximum": 10}) | {
        "required": ["s"]
    }

    got = read(schema, {"s": "abcdefghij", "n": 99}, clamp=True)

    assert value_of(got) == {"s": "abcd…", "n": 10}
    assert kinds(got) == [("clamp", "/s"), ("clamp", "/n")]
    assert problems(read(schema, {"wrong": "f"}, clamp=True))[0][1].startswith("unknown property")
    assert isinstance(read(schema, {"s": "abcdefghij"}), RejectedInput)


@pytest.mark.rule("schema-never-mutates")
def test_reading_changes_neither_schema_nor_input() -> None:
    schema = obj(
        a=obj(n={"type": "integer", "default": [1]}),
        b={"type": "array", "items": {"type": "integer"}},
    )
    sent = {"a": '{"n": null}', "b": ["1", 2.0], "A": 1}
    before = copy.deepcopy((schema, sent))

    for repair in ("schema", "off"):
        read(schema, sent, repair=repair)

    assert (schema, sent) == before


@pytest.mark.rule("schema-only-json")
def test_mappings_and_tuples_are_read_and_what_is_no_json_is_refused() -> None:
    got = read(obj(a={"type": "array"}), MappingProxyType({"a": (1, 2)}))

    assert value_of(got) == {"a": [1, 2]}
    assert problems(read(obj(a={}), {"a": {1}})) == [("/a", "must be a JSON value")]


@pytest.mark.rule("schema-mending-time")
def test_many_mended_keys_of_one_object_are_read_in_linear_time() -> None:
    numbers = {"type": "object", "additionalProperties": {"type": "integer"}}

    def mend(value: dict[str, str]) -> None:
        assert len(kinds(read(numbers, value))) == len(value)

    short, long = ({f"k{number}": "1" for number in range(count)} for count in (2000, 16_000))
    assert slowdown(mend, short, long, rounds=3) < 24
