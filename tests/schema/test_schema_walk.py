"""Walking schemas by position, and resolving local references."""

import copy

import pytest

from toolroll.schema.error import SchemaTooLarge
from toolroll.schema.limit import Limits
from toolroll.schema.refs import broken_references, recursive_targets, resolve
from toolroll.schema.walk import places, transform

NAMES = ["title", "type", "format", "pattern", "default", "$ref", "items", "properties", "enum"]


@pytest.mark.rule("schema-name-is-no-keyword")
def test_names_of_properties_are_walked_as_names() -> None:
    schema = {"properties": {name: {"type": "string"} for name in NAMES}}

    walked = list(places(schema))

    assert [place.name for place in walked[1:]] == NAMES
    assert all(place.keyword == "properties" for place in walked[1:])
    assert [place.path for place in walked[1:]] == [f"/{name}" for name in NAMES]


@pytest.mark.rule("schema-name-is-no-keyword")
def test_data_is_not_walked() -> None:
    schema = {
        "const": {"items": {}},
        "enum": [{"properties": {"a": {}}}],
        "default": {"anyOf": [{}]},
        "examples": [{"items": {}}],
    }

    assert [place.pointer for place in places(schema)] == [""]


@pytest.mark.rule("schema-name-is-no-keyword")
def test_transform_leaves_names_and_data_alone() -> None:
    schema = {
        "pattern": "x",
        "properties": {"pattern": {"pattern": "y", "default": {"pattern": "z"}}},
        "$defs": {"pattern": {"pattern": "w"}},
    }

    def without_pattern(part, place):
        return {key: value for key, value in part.items() if key != "pattern"}

    assert transform(schema, without_pattern) == {
        "properties": {"pattern": {"default": {"pattern": "z"}}},
        "$defs": {"pattern": {}},
    }


@pytest.mark.rule("schema-never-mutates")
def test_transform_copies() -> None:
    schema = {"items": [{"type": "string"}, True], "properties": {"a": {"anyOf": [{"x": 1}]}}}
    before = copy.deepcopy(schema)

    def spoil(part, place):
        part["spoilt"] = True
        return part

    changed = transform(schema, spoil)

    assert schema == before
    assert changed["properties"]["a"]["anyOf"][0] == {"x": 1, "spoilt": True}
    assert changed["items"][0] == {"type": "string", "spoilt": True}
    assert changed["items"][1] is True


def test_transform_goes_bottom_up_with_the_original_place() -> None:
    order = []

    def note(part, place):
        order.append((place.pointer, place.keyword, place.name, place.depth))
        return part

    transform({"properties": {"": {"items": {}}}}, note)

    assert order == [
        ("/properties//items", "items", None, 2),
        ("/properties/", "properties", "", 1),
        ("", "", None, 0),
    ]


@pytest.mark.parametrize(
    "schema",
    [
        {"additionalItems": {}, "contains": {}, "if": {}, "then": {}, "else": {}, "not": {}},
        {"additionalProperties": {}, "propertyNames": {}, "contentSchema": {}, "items": {}},
        {"unevaluatedItems": {}, "unevaluatedProperties": {}},
        {"allOf": [{}], "anyOf": [{}], "oneOf": [{}], "prefixItems": [{}], "items": [{}]},
        {"$defs": {"a": {}}, "definitions": {"a": {}}, "dependencies": {"a": {}, "b": ["c"]}},
        {"dependentSchemas": {"a": {}}, "patternProperties": {"a": {}}, "properties": {"a": True}},
    ],
)
def test_every_keyword_that_holds_schemas_is_walked(schema) -> None:
    assert len(list(places(schema))) == 1 + len(schema)


def test_stores_can_be_left_out() -> None:
    schema = {"$defs": {"a": {"items": {}}}, "properties": {"$defs": {"type": "string"}}}

    pointers = [place.pointer for place in places(schema, applied_only=True)]

    assert pointers == ["", "/properties/$defs"]


@pytest.mark.rule("schema-limits-hold")
def test_a_schema_that_holds_itself_ends() -> None:
    schema = {}
    schema["items"] = schema

    with pytest.raises(SchemaTooLarge, match="128 levels"):
        list(places(schema))
    with pytest.raises(SchemaTooLarge):
        transform(schema, lambda part, place: part)


@pytest.mark.rule("schema-limits-hold")
def test_a_wide_schema_is_refused_and_the_limit_can_be_set() -> None:
    schema = {"properties": {str(number): {} for number in range(20)}}

    assert len(list(places(schema))) == 21
    with pytest.raises(SchemaTooLarge, match="10 subschemas"):
        list(places(schema, limits=Limits(schema_places=10)))


@pytest.mark.rule("schema-refs-are-local")
@pytest.mark.parametrize(
    ("reference", "pointer"),
    [
        ("#", ""),
        ("#/$defs/a~1b", "/$defs/a~1b"),
        ("#/$defs/a%20b", "/$defs/a b"),
        ("#/anyOf/0", "/anyOf/0"),
        ("#here", "/$defs/c"),
        ("https://example.com/s.json#/anyOf/0", "/anyOf/0"),
    ],
)
def test_local_references_resolve(reference: str, pointer: str) -> None:
    root = {
        "$id": "https://example.com/s.json",
        "$defs": {"a/b": {}, "a b": {}, "c": {"$anchor": "here"}},
        "anyOf": [True],
    }

    target = resolve(root, reference)

    assert target is not None
    assert target.pointer == pointer


@pytest.mark.rule("schema-refs-are-local")
@pytest.mark.parametrize(
    "reference",
    ["https://example.com/other", "file:///x", "other.json", "#/$defs/no", "#nowhere", "#/title",
     "#/anyOf/7", "#/anyOf/x", "#/anyOf/²"],
)  # fmt: skip
def test_everything_else_is_not_answered(reference: str) -> None:
    root = {"title": "text", "anyOf": [True], "items": {"$ref": reference}}

    assert resolve(root, reference) is None
    assert broken_references(root) == [("/items", reference)]


@pytest.mark.rule("schema-twice-is-no-recursion")
def test_using_a_definition_twice_is_no_recursion() -> None:
    schema = {
        "$defs": {"side": {"type": "object"}},
        "properties": {"x": {"$ref": "#/$defs/side"}, "y": {"$ref": "#/$defs/side"}},
    }

    assert recursive_targets(schema) == frozenset()


@pytest.mark.rule("schema-twice-is-no-recursion")
def test_recursion_through_others_is_found() -> None:
    schema = {
        "$defs": {
            "a": {"items": {"$ref": "#/$defs/b"}},
            "b": {"properties": {"x": {"$ref": "#/$defs/a"}}},
            "c": {"$ref": "#/$defs/a"},
            "d": {"$ref": "#/$defs/d"},
        },
        "properties": {"c": {"$ref": "#/$defs/c"}},
    }

    assert recursive_targets(schema) == {"/$defs/a", "/$defs/b", "/$defs/d"}


def test_a_reference_to_the_root_is_recursive_from_below_only() -> None:
    assert recursive_targets({"properties": {"kids": {"items": {"$ref": "#"}}}}) == {""}
    assert (
        recursive_targets({"$defs": {"a": {"$ref": "#/properties/b"}}, "properties": {"b": {}}})
        == set()
    )
