"""Each dialect on schemas of real reports: what stays, what changes, what comes back."""

import json
from pathlib import Path
from types import ModuleType
from typing import cast

import pytest

from toolroll import dialects
from toolroll.content import JsonObject, JsonValue
from toolroll.dialects import (
    anthropic,
    anthropic_strict,
    gemini,
    gemini_openapi3,
    openai,
    openai_strict,
)
from toolroll.dialects.fault import Mode, faults
from toolroll.schema.error import SchemaTooLarge

NAMES = ("openai", "openai_strict", "anthropic", "anthropic_strict", "gemini", "gemini_openapi3")
DIALECTS: dict[str, ModuleType] = {name: getattr(dialects, name) for name in NAMES}
CASES = json.loads((Path(__file__).parent.parent / "data/provider-schemas/cases.json").read_text())


def of(properties: JsonObject, *required: str, **rest: JsonValue) -> JsonObject:
    schema: dict[str, JsonValue] = {"type": "object", "properties": properties}
    return {**schema, **({"required": list(required)} if required else {}), **rest}


@pytest.mark.rule("dialect-by-position")
@pytest.mark.parametrize("name", NAMES)
def test_properties_named_like_keywords_survive(name: str) -> None:
    words = [
        "title",
        "type",
        "format",
        "pattern",
        "default",
        "description",
        "$ref",
        "items",
        "enum",
    ]
    schema = of({word: {"type": "string"} for word in words}, *words, additionalProperties=False)
    made = DIALECTS[name].adapt(schema)
    own = [made.renamed.get(key, key) for key in made.schema["properties"]]
    assert own == words
    assert [made.renamed.get(key, key) for key in made.schema["required"]] == words
    written = dict.fromkeys(made.schema["properties"], "x")
    assert made.restore(written) == dict.fromkeys(words, "x")


@pytest.mark.rule("dialect-by-position")
@pytest.mark.parametrize("name", NAMES)
def test_data_that_looks_like_a_schema_is_left_alone(name: str) -> None:
    data: JsonValue = {"type": ["x"], "items": [1], "exclusiveMinimum": True, "$ref": "#/nowhere"}
    schema = of({"a": {"type": "object", "properties": {}, "default": data, "examples": [data]}})
    made = DIALECTS[name].adapt(schema)
    held = made.schema["properties"]["a"]
    assert held.get("default", data) == data
    assert held.get("examples", [data]) == [data]


@pytest.mark.rule("dialect-no-fault")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "case", [case for case in CASES if case["schema"]], ids=lambda case: case["feature"]
)
def test_a_reported_schema_is_taken_once_adapted(name: str, case: dict[str, JsonObject]) -> None:
    before = json.dumps(case["schema"])
    made = DIALECTS[name].adapt(case["schema"])
    mode = name.removesuffix("_strict") if name.endswith("_strict") and not made.strict else name
    assert faults(made.schema, cast("Mode", mode)) == []
    assert json.dumps(case["schema"]) == before


@pytest.mark.rule("fault-as-reported")
@pytest.mark.parametrize(
    "case", [case for case in CASES if case["schema"]], ids=lambda case: case["feature"]
)
def test_a_verdict_of_a_report_is_the_verdict_of_the_checker(case: dict[str, JsonObject]) -> None:
    modes = {
        "openai": "openai",
        "openai-strict": "openai_strict",
        "anthropic": "anthropic",
        "anthropic-strict": "anthropic_strict",
        "gemini-parameters": "gemini_openapi3",
        "gemini-json-schema": "gemini",
    }
    for mode, said in case["verdicts"].items():
        verdict = cast("str", cast("JsonObject", said)["verdict"])
        if mode in modes and verdict.startswith("rejected"):
            assert faults(case["schema"], cast("Mode", modes[mode])), mode


@pytest.mark.rule("dialect-equivalent-first")
def test_openapi_words_say_the_same_where_they_can() -> None:
    schema = of(
        {
            "n": {"type": "integer", "exclusiveMinimum": 0, "multipleOf": 5},
            "u": {"type": "string", "format": "uri"},
            "k": {"const": "on"},
            "t": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
        }
    )
    made = gemini_openapi3.adapt(schema)
    assert made.schema == of(
        {
            "n": {"type": "integer", "minimum": 1},
            "u": {"type": "string"},
            "k": {"type": "string", "enum": ["on"]},
            "t": {"type": "array", "items": {"type": "string"}},
        }
    )
    assert [(loss.pointer, loss.keyword) for loss in made.losses] == [
        ("/properties/n", "multipleOf"),
        ("/properties/u", "format"),
        ("/properties/t", "uniqueItems"),
    ]


@pytest.mark.rule("dialect-equivalent-first")
def test_fixed_numbers_are_texts_in_openapi_words_and_numbers_again() -> None:
    made = gemini_openapi3.adapt(of({"size": {"type": "integer", "enum": [1, 2, 4]}}, "size"))
    assert made.schema == of({"size": {"type": "string", "enum": ["1", "2", "4"]}}, "size")
    assert made.restore({"size": "2"}) == {"size": 2}


@pytest.mark.rule("dialect-equivalent-first")
def test_fixed_values_that_share_a_text_stay_apart() -> None:
    made = gemini_openapi3.adapt(of({"v": {"enum": [1, "1", "", None, True]}}))
    held = made.schema["properties"]["v"]
    assert held["nullable"] is True
    back = [made.restore({"v": text})["v"] for text in held["enum"]]
    assert [(type(value), value) for value in back] == [
        (int, 1),
        (str, "1"),
        (str, ""),
        (bool, True),
    ]


@pytest.mark.rule("dialect-references")
def test_a_definition_used_twice_is_no_recursion() -> None:
    side: JsonObject = {
        "type": "object",
        "properties": {"width": {"type": "number"}},
        "required": ["width"],
    }
    schema = of(
        {"x": {"$ref": "#/$defs/Side"}, "y": {"$ref": "#/$defs/Side"}},
        "x",
        "y",
        **{"$defs": {"Side": side}},
    )
    assert gemini_openapi3.adapt(schema).schema == of({"x": side, "y": side}, "x", "y")
    assert gemini.adapt(schema).schema == schema


@pytest.mark.rule("dialect-references")
def test_a_reference_that_closes_a_circle_becomes_anything_for_gemini() -> None:
    kids: JsonObject = {"type": "array", "items": {"$ref": "#/$defs/N"}}
    schema = of({"node": {"$ref": "#/$defs/N"}}, **{"$defs": {"N": of({"kids": kids})}})
    made = gemini.adapt(schema)
    assert made.schema["properties"] == {"node": {"$ref": "#/$defs/N"}}
    assert made.schema["$defs"] == {"N": of({"kids": {"type": "array", "items": {}}})}
    assert [loss.pointer for loss in made.losses] == ["/$defs/N/properties/kids/items"]


@pytest.mark.rule("dialect-references")
@pytest.mark.parametrize("name", NAMES)
def test_mutual_recursion_through_the_root_ends(name: str) -> None:
    schema = of(
        {
            "a": {"$ref": "#/definitions/A"},
            "self": {"$ref": "#"},
            "again": {"$ref": "#/properties/a"},
        },
        definitions={
            "A": of({"b": {"$ref": "#/definitions/B"}}),
            "B": of({"a": {"$ref": "#/definitions/A"}}),
        },
    )
    made = DIALECTS[name].adapt(schema)
    mode = name.removesuffix("_strict") if name.endswith("_strict") and not made.strict else name
    assert faults(made.schema, cast("Mode", mode)) == []


@pytest.mark.rule("dialect-references")
@pytest.mark.parametrize("name", NAMES)
def test_a_reference_to_nothing_is_told_and_takes_anything(name: str) -> None:
    made = DIALECTS[name].adapt(
        of({"a": {"$ref": "#/$defs/Gone"}, "b": {"$ref": "https://example.test/x"}})
    )
    told = [loss.pointer for loss in made.losses if loss.keyword == "$ref"]
    assert told == ["/properties/a", "/properties/b"]


@pytest.mark.rule("dialect-strict-nulls")
def test_optional_becomes_nullable_and_the_null_is_taken_away() -> None:
    schema = of(
        {
            "mail": {"type": "string"},
            "org": {"type": "string", "default": "acme"},
            "n": {"type": "integer"},
        },
        "mail",
    )
    made = openai_strict.adapt(schema)
    assert made.strict
    assert made.schema == of(
        {
            "mail": {"type": "string"},
            "org": {"type": ["string", "null"]},
            "n": {"type": ["integer", "null"]},
        },
        "mail",
        "org",
        "n",
        additionalProperties=False,
    )
    assert made.restore({"mail": "m", "org": None, "n": None}) == {"mail": "m"}


@pytest.mark.rule("dialect-strict-nulls")
def test_a_null_the_tool_takes_is_kept() -> None:
    made = openai_strict.adapt(
        of(
            {
                "v": {"type": ["string", "null"]},
                "w": {"anyOf": [{"type": "null"}, {"type": "integer"}]},
            }
        )
    )
    assert made.restore({"v": None, "w": None}) == {"v": None, "w": None}


@pytest.mark.rule("dialect-strict-nulls")
def test_nulls_are_taken_away_below_references_arrays_and_branches() -> None:
    leaf = of(
        {"x": {"type": "integer"}, "next": {"$ref": "#/$defs/Leaf"}}, additionalProperties=False
    )
    union: JsonValue = {
        "anyOf": [
            of({"k": {"const": "p"}, "o": {"type": "string"}}, "k"),
            of({"k": {"const": "q"}, "o": {"type": ["string", "null"]}}, "k"),
        ]
    }
    schema = of(
        {"leaf": {"$ref": "#/$defs/Leaf"}, "list": {"type": "array", "items": union}},
        "leaf",
        "list",
        **{"$defs": {"Leaf": leaf}},
    )
    made = openai_strict.adapt(schema)
    assert made.strict
    written: JsonValue = {
        "leaf": {"x": None, "next": {"x": 1, "next": None}},
        "list": [{"k": "p", "o": None}, {"k": "q", "o": None}],
    }
    assert made.restore(written) == {
        "leaf": {"next": {"x": 1}},
        "list": [{"k": "p"}, {"k": "q", "o": None}],
    }


@pytest.mark.rule("dialect-strict-falls-back")
@pytest.mark.parametrize(
    ("schema", "place"),
    [
        (
            of({"m": {"type": "object", "additionalProperties": {"type": "integer"}}}, "m"),
            "/properties/m",
        ),
        (of({"m": {"type": "object"}}), "/properties/m"),
        (of({"m": {}}), "/properties/m"),
        (of({"m": {"type": "array"}}), "/properties/m"),
        (of({"a": {"type": "string"}}, "a", "ghost"), ""),
        (of({}, additionalProperties=True), ""),
        (of({}, patternProperties={"^x": {"type": "string"}}), ""),
    ],
)
def test_a_schema_that_cannot_be_held_strictly_comes_back_plain(
    schema: JsonObject, place: str
) -> None:
    for strict, plain in ((openai_strict, openai), (anthropic_strict, anthropic)):
        made = strict.adapt(schema)
        assert not made.strict
        assert made.schema == plain.adapt(schema).schema
        assert place in [obstacle.pointer for obstacle in made.obstacles]


@pytest.mark.rule("dialect-strict-falls-back")
def test_only_openai_holds_recursion_strictly() -> None:
    tree = of({"kids": {"type": "array", "items": {"$ref": "#/$defs/T"}}})
    schema = of({"t": {"$ref": "#/$defs/T"}}, **{"$defs": {"T": tree}})
    assert openai_strict.adapt(schema).strict
    assert not anthropic_strict.adapt(schema).strict


@pytest.mark.rule("dialect-strict-falls-back")
@pytest.mark.parametrize(
    "schema",
    [
        of({f"p{number}": {"type": "string"} for number in range(5_001)}),
        of({"e": {"type": "string", "enum": [str(number) for number in range(1_001)]}}),
        of({"e": {"type": "string", "enum": ["x" * 130_000]}}),
    ],
    ids=["properties", "values", "characters"],
)
def test_a_schema_above_the_sizes_of_strict_mode_comes_back_plain(schema: JsonObject) -> None:
    made = openai_strict.adapt(schema)
    assert not made.strict
    assert made.obstacles[0].reason.endswith("of strict mode")


@pytest.mark.rule("dialect-strict-as-it-stands")
def test_strict_as_it_stands_is_asked_of_the_schema_itself() -> None:
    closed: JsonObject = {"additionalProperties": False}
    said = [
        of({"v": {"oneOf": [{"type": "integer"}, {"type": "string"}]}}, "v", **closed),
        of({"m": {"type": "object", "additionalProperties": {"type": "integer"}}}, "m", **closed),
        of({"a": {"type": "string"}}, "a", **closed),
        of({"a": {"type": "string"}}, **closed),
        of({"a": {"$ref": "#/$defs/A"}}, "a", **closed, **{"$defs": {"A": {"type": "string"}}}),
    ]
    assert [openai_strict.is_strict(schema) for schema in said] == [
        False,
        False,
        True,
        False,
        False,
    ]


@pytest.mark.rule("dialect-root-union")
@pytest.mark.parametrize("dialect", [anthropic, openai])
def test_a_union_at_the_root_becomes_one_object(dialect: ModuleType) -> None:
    text = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
    url = of({"url": {"type": "string"}, "kind": {"type": "string"}}, "url")
    made = dialect.adapt({"type": "object", "anyOf": [text, url]})
    assert made.schema == of(
        {"text": {"type": "string"}, "url": {"type": "string"}, "kind": {"type": "string"}}
    )
    assert [loss.keyword for loss in made.losses] == ["anyOf"]


@pytest.mark.rule("dialect-root-union")
def test_branches_that_only_require_leave_the_roots_own_words() -> None:
    properties: JsonObject = {
        "id": {"type": "string"},
        "link": {"type": "string"},
        "note": {"type": "string"},
    }
    schema = of(properties, "note", oneOf=[{"required": ["id"]}, {"required": ["link"]}])
    assert anthropic.adapt(schema).schema == of(properties, "note")


@pytest.mark.rule("dialect-root-union")
def test_all_of_at_the_root_is_everything_and_everything_required() -> None:
    schema: JsonObject = {
        "allOf": [of({"a": {"type": "string"}}, "a"), of({"b": {"type": "integer"}}, "b")]
    }
    made = anthropic.adapt(schema)
    assert made.schema == of({"a": {"type": "string"}, "b": {"type": "integer"}}, "a", "b")
    assert made.losses == ()


@pytest.mark.rule("dialect-root-union")
def test_a_property_of_several_branches_takes_what_any_of_them_takes() -> None:
    branches: JsonValue = [
        of({"kind": {"const": "a"}, "v": {"type": "string"}}, "kind"),
        of({"kind": {"const": "b"}, "v": {"type": "integer"}}, "kind"),
    ]
    made = anthropic.adapt({"oneOf": branches})
    assert made.schema == of(
        {"kind": {"enum": ["a", "b"]}, "v": {"anyOf": [{"type": "string"}, {"type": "integer"}]}},
        "kind",
    )


@pytest.mark.rule("dialect-root-union")
def test_a_root_that_is_a_reference_is_what_it_leads_to() -> None:
    schema: JsonObject = {"$ref": "#/$defs/In", "$defs": {"In": of({"a": {"type": "string"}}, "a")}}
    for dialect in DIALECTS.values():
        made = dialect.adapt(schema)
        assert list(made.schema["properties"]) == ["a"]
        assert "$ref" not in made.schema


@pytest.mark.rule("dialect-keys")
def test_names_anthropic_refuses_are_respelled_and_come_back_at_every_depth() -> None:
    long = "settings__" + "approved__" * 8
    inner = of({"$top": {"type": "integer"}, "top": {"type": "integer"}}, "$top")
    schema = of(
        {"filter[id]": {"type": "string"}, long: {"type": "array", "items": inner}}, "filter[id]"
    )
    made = anthropic.adapt(schema)
    assert faults(made.schema, "anthropic") == []
    short = next(name for name in made.schema["properties"] if name.startswith("settings"))
    odd = next(name for name, own in made.renamed.items() if own == "$top")
    assert made.schema["required"] == ["filter_id"]
    written: JsonValue = {"filter_id": "f", short: [{odd: 1, "top": 2}]}
    assert made.restore(written) == {"filter[id]": "f", long: [{"$top": 1, "top": 2}]}
    assert anthropic.adapt(schema).renamed == made.renamed


@pytest.mark.rule("dialect-gemini-four-repairs")
def test_gemini_gets_the_schema_as_written_but_for_four_repairs() -> None:
    kept: JsonObject = {
        "c": {"const": "on"},
        "n": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "e": {"type": "integer", "enum": [1, 2]},
        "m": {"type": "object", "additionalProperties": {"type": "string"}},
        "r": {"$ref": "#/$defs/R", "description": "Led to."},
    }
    schema = of(
        kept,
        "c",
        additionalProperties=False,
        **{"$defs": {"R": {"type": "string", "format": "uri"}}},
    )
    assert gemini.adapt(schema).schema == schema
    repaired = gemini.adapt(
        of(
            {
                "low": {"type": "number", "minimum": 3, "exclusiveMinimum": True},
                "off": {"type": "number", "minimum": 3, "exclusiveMinimum": False},
                "pair": {
                    "items": [{"type": "string"}, {"type": "number"}],
                    "additionalItems": False,
                },
            },
            "low",
            "ghost",
        )
    )
    assert repaired.schema == of(
        {
            "low": {"type": "number", "exclusiveMinimum": 3},
            "off": {"type": "number", "minimum": 3},
            "pair": {"prefixItems": [{"type": "string"}, {"type": "number"}], "items": False},
        },
        "low",
    )
    assert "required" not in gemini.adapt(of({}, "ghost")).schema


@pytest.mark.rule("dialect-nullable")
def test_null_is_nullable_only_in_openapi_words() -> None:
    branch: JsonValue = {
        "anyOf": [
            {"type": "string", "minLength": 1},
            {"type": "null", "description": "nothing here"},
        ]
    }
    made = gemini_openapi3.adapt(of({"v": branch}, "v"))
    assert made.schema == of({"v": {"type": "string", "minLength": 1, "nullable": True}}, "v")
    plain = of({"v": {"type": ["string", "null"]}}, "v")
    for dialect in (openai, anthropic, gemini):
        assert {**dialect.adapt(plain).schema} == plain


@pytest.mark.rule("dialect-any-value")
def test_a_value_of_any_type_is_json_text_in_openapi_words() -> None:
    made = gemini_openapi3.adapt(of({"v": {"description": "Whatever."}, "list": {"type": "array"}}))
    assert made.schema["properties"]["v"]["type"] == "string"
    written: JsonValue = {"v": '{"a": [1]}', "list": ["2", '"two"', "no json"]}
    assert made.restore(written) == {"v": {"a": [1]}, "list": [2, "two", "no json"]}


@pytest.mark.rule("dialect-losses-described")
def test_a_lost_bound_is_said_in_the_description_when_asked() -> None:
    schema = of(
        {"n": {"type": "string", "description": "A name.", "minLength": 2, "pattern": "^a"}},
        "n",
        additionalProperties=False,
    )
    quiet = anthropic_strict.adapt(schema)
    assert quiet.schema["properties"]["n"] == {"type": "string", "description": "A name."}
    told = anthropic_strict.adapt(schema, describe=True)
    assert told.schema["properties"]["n"]["description"] == (
        "A name.\nMust be: at least 2 characters; matches the regular expression ^a."
    )
    assert [(loss.keyword, loss.value, loss.kind) for loss in told.losses] == [
        ("minLength", 2, "bound"),
        ("pattern", "^a", "bound"),
    ]


@pytest.mark.rule("dialect-losses-described")
def test_a_default_that_strict_mode_does_not_take_is_said_when_asked() -> None:
    schema = of({"n": {"type": "integer", "default": 10}})
    told = openai_strict.adapt(schema, describe=True)
    assert told.schema["properties"]["n"]["description"] == "Default: 10."


@pytest.mark.rule("dialect-response")
@pytest.mark.parametrize(
    "name", ["openai", "openai_strict", "anthropic", "anthropic_strict", "gemini_openapi3"]
)
def test_an_answer_that_is_no_object_is_wrapped_and_unwrapped(name: str) -> None:
    schema: JsonObject = {
        "type": "array",
        "items": of({"a": {"type": "integer"}}, "a", additionalProperties=False),
    }
    made = DIALECTS[name].adapt(schema, "response")
    assert made.schema["type"] == "object"
    assert faults(made.schema, cast("Mode", name)) == []
    assert made.restore({"value": [{"a": 1}]}) == [{"a": 1}]


@pytest.mark.rule("dialect-response", "dialect-equivalent-first")
@pytest.mark.parametrize("name", NAMES)
def test_an_answer_of_several_kinds_keeps_its_kinds(name: str) -> None:
    closed: JsonObject = {"additionalProperties": False}
    text = of({"kind": {"const": "text"}, "text": {"type": "string"}}, "kind", "text", **closed)
    number = of({"kind": {"const": "number"}, "n": {"type": "integer"}}, "kind", "n", **closed)
    definitions: JsonObject = {"Text": text, "Number": number}
    kinds: JsonValue = [{"$ref": "#/$defs/Text"}, {"$ref": "#/$defs/Number"}, {"type": "null"}]
    made = DIALECTS[name].adapt({"anyOf": kinds, "$defs": definitions}, "response")
    assert made.lossless
    assert name == "gemini" or faults(made.schema, cast("Mode", name)) == []
    for answer in ({"kind": "number", "n": 1}, {"kind": "text", "text": "x"}, None):
        written = answer if name == "gemini" else {"value": answer}
        assert made.restore(written) == answer


@pytest.mark.rule("dialect-equivalent-first")
def test_gemini_keeps_what_a_condition_requires() -> None:
    schema = of(
        {"k": {"enum": ["a", "b"]}, "x": {"type": "string"}},
        **{"if": {"properties": {"k": {"const": "a"}}}, "then": {"required": ["x"]}},
    )
    made = gemini.adapt(schema)
    assert made.losses == ()
    assert made.schema["then"] == {"required": ["x"], "properties": {"x": {}}}


@pytest.mark.rule("dialect-equivalent-first")
@pytest.mark.parametrize("name", NAMES)
def test_a_tool_that_takes_no_object_is_told(name: str) -> None:
    (loss,) = DIALECTS[name].adapt({"type": "string"}).losses
    assert (loss.pointer, loss.keyword, loss.value) == ("", "type", "string")


@pytest.mark.rule("dialect-response")
def test_gemini_takes_an_answer_of_any_type() -> None:
    schema: JsonObject = {"type": "array", "items": {"type": "string"}}
    assert gemini.adapt(schema, "response").schema == schema
    union: JsonObject = {"anyOf": [{"type": "string"}, {"type": "object", "properties": {}}]}
    assert gemini.adapt(union, "response").schema == union


@pytest.mark.rule("dialect-bounded")
@pytest.mark.parametrize("name", NAMES)
def test_a_schema_that_holds_itself_or_explodes_is_refused(name: str) -> None:
    endless: dict[str, JsonValue] = {"type": "object"}
    endless["properties"] = {"a": endless}
    with pytest.raises(SchemaTooLarge):
        DIALECTS[name].adapt(endless)


@pytest.mark.rule("dialect-bounded")
def test_references_that_double_at_every_step_are_refused_when_they_stand_in_place() -> None:
    steps: dict[str, JsonValue] = {
        f"S{step}": of(
            {"a": {"$ref": f"#/$defs/S{step + 1}"}, "b": {"$ref": f"#/$defs/S{step + 1}"}}
        )
        for step in range(30)
    }
    schema = of({"s": {"$ref": "#/$defs/S0"}}, **{"$defs": {**steps, "S30": {"type": "string"}}})
    with pytest.raises(SchemaTooLarge):
        gemini_openapi3.adapt(schema)
    assert openai.adapt(schema).schema["$defs"]


@pytest.mark.rule("dialect-careless")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": None},
        {"type": "object", "properties": [], "required": None},
        {
            "type": "object",
            "properties": {
                "a": {"type": "str"},
                "b": {"type": ["float", "integer"]},
                "c": {"type": None},
            },
        },
        {"type": "object", "properties": {"a": {"type": "string", "required": True, "enum": []}}},
        {"type": "object", "properties": {"a": True, "b": False, "c": {"anyOf": []}}},
        {
            "type": "object",
            "properties": {"a": {"items": []}, "b": {"type": []}},
            "required": [1, "a"],
        },
        {},
        {"type": "string"},
    ],
)
def test_careless_schemas_are_mended_so_that_they_cost_nothing_else(
    name: str, schema: JsonObject
) -> None:
    made = DIALECTS[name].adapt(schema)
    mode = name.removesuffix("_strict") if name.endswith("_strict") and not made.strict else name
    assert faults(made.schema, cast("Mode", mode)) == []


@pytest.mark.rule("dialect-restore-never-raises")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "value", [None, 1, "text", [], [1, {"a": None}], {"a": {"b": [None]}}, {"a": 5}]
)
def test_restoring_what_fits_nothing_changes_nothing_and_raises_nothing(
    name: str, value: JsonValue
) -> None:
    schema = of(
        {
            "a": of({"b": {"type": "array", "items": {"enum": [1, 2]}}}, "b"),
            "$t": {"type": "integer"},
        }
    )
    made = DIALECTS[name].adapt(schema)
    before = json.dumps(value)
    made.restore(value)
    assert json.dumps(value) == before


@pytest.mark.rule("dialect-restore-never-raises")
def test_restoring_a_value_of_any_depth_ends() -> None:
    tree = of({"kid": {"$ref": "#/$defs/T"}, "n": {"type": "integer"}})
    made = openai_strict.adapt(of({"t": {"$ref": "#/$defs/T"}}, **{"$defs": {"T": tree}}))
    deep: JsonValue = {}
    for _ in range(5_000):
        deep = {"kid": deep}
    assert made.restore({"t": deep}) is not None


@pytest.mark.rule("dialect-no-fault")
@pytest.mark.parametrize("name", ["openai_strict", "anthropic_strict"])
def test_fixed_values_of_another_type_go_from_strict_schemas(name: str) -> None:
    strict = getattr(dialects, name)
    shown = strict.adapt(of({"p": {"type": "string", "enum": ["1", 1, None]}}, "p"))
    assert shown.strict
    assert shown.schema["properties"]["p"] == {"type": "string", "enum": ["1"]}
    for never in ({"type": "string", "enum": [1, 2]}, {"type": "string", "const": 5}):
        made = strict.adapt(of({"p": cast("JsonValue", never)}, "p"))
        assert not made.strict
        assert [obstacle.reason for obstacle in made.obstacles] == [
            "none of its values is of its type"
        ]
    refused = of({"p": {"type": "string", "enum": [1]}}, "p", additionalProperties=False)
    assert [fault.rule for fault in faults(refused, "openai_strict")] == ["fitting-values"]


@pytest.mark.rule("dialect-no-fault")
def test_one_long_enum_is_not_held_strictly_by_openai() -> None:
    texts: list[JsonValue] = [f"{number:060}" for number in range(251)]
    assert not dialects.openai_strict.adapt(of({"p": {"enum": texts}}, "p")).strict
    assert dialects.openai_strict.adapt(of({"p": {"enum": texts[:250]}}, "p")).strict
