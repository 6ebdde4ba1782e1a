"""What must hold of every dialect, for any schema and any value written to it."""

import json
from collections.abc import Mapping
from types import ModuleType
from typing import cast

import jsonschema_rs
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.dialects.schema_writer import tool_schemas, values
from toolroll import dialects
from toolroll.content import JsonObject, JsonValue
from toolroll.dialects.fault import Mode, faults
from toolroll.dialects.record import Adapted

DIALECTS: dict[str, ModuleType] = {
    name: getattr(dialects, name)
    for name in (
        "openai",
        "openai_strict",
        "anthropic",
        "anthropic_strict",
        "gemini",
        "gemini_openapi3",
    )
}
# The same cases every time; for a longer search with others raise the number and drop the other
# word.
FEW = settings(
    max_examples=25, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck)
)


def adapted(name: str, schema: JsonObject) -> Adapted:
    return cast("Adapted", DIALECTS[name].adapt(schema))


def mode_of(name: str, made: Adapted) -> Mode:
    plain = name.endswith("_strict") and not made.strict
    return cast("Mode", name.removesuffix("_strict") if plain else name)


def modern(schema: JsonValue) -> JsonValue:
    """`nullable` in words a checker knows; drafts 4 to 7 in those of 2020-12."""
    if isinstance(schema, Mapping):
        node = {key: modern(value) for key, value in cast("JsonObject", schema).items()}
        if node.pop("nullable", None) is True:
            return {"anyOf": [node, {"type": "null"}]}
        if isinstance(node.get("items"), list):
            node["prefixItems"] = node.pop("items")
            if "additionalItems" in node:
                node["items"] = node.pop("additionalItems")
        if node.get("exclusiveMinimum") is True:
            node["exclusiveMinimum"] = node.pop("minimum")
        return node
    if isinstance(schema, list):
        return [modern(item) for item in schema]
    return schema


def fits(schema: JsonValue, value: JsonValue) -> bool:
    return jsonschema_rs.Draft202012Validator(cast("dict[str, object]", modern(schema))).is_valid(
        value
    )


@pytest.mark.rule("dialect-no-fault", "dialect-never-mutates")
@pytest.mark.parametrize("name", DIALECTS)
@given(schema=tool_schemas())
@FEW
def test_an_adapted_schema_has_no_fault_and_the_given_one_is_not_changed(
    name: str, schema: JsonObject
) -> None:
    before = json.dumps(schema)
    made = adapted(name, schema)
    assert json.dumps(schema) == before
    assert faults(made.schema, mode_of(name, made)) == []
    jsonschema_rs.meta.validate(cast("dict[str, object]", modern(made.schema)))


@pytest.mark.rule("dialect-restore-fits")
@pytest.mark.parametrize("name", DIALECTS)
@given(data=st.data())
@FEW
def test_what_is_written_to_a_lossless_schema_fits_the_given_one_when_restored(
    name: str, data: st.DataObject
) -> None:
    schema = data.draw(tool_schemas())
    made = adapted(name, schema)
    assume(made.lossless)
    written = data.draw(values(made.schema, made.schema))
    assume(fits(made.schema, written))
    before = json.dumps(written)
    restored = made.restore(written)
    assert json.dumps(written) == before
    assert fits(schema, restored), (made.schema, written, restored)


@pytest.mark.rule("dialect-never-narrower")
@pytest.mark.parametrize("name", ["openai", "anthropic", "anthropic_strict", "gemini"])
@given(data=st.data())
@FEW
def test_every_input_the_tool_takes_can_be_written_and_comes_back_equal(
    name: str, data: st.DataObject
) -> None:
    schema = data.draw(tool_schemas())
    value = data.draw(values(schema, schema))
    assume(fits(schema, value))
    made = adapted(name, schema)
    # What a branch does not list counts as closed when branches are merged.
    assume(not any(loss.keyword in ("anyOf", "oneOf") and not loss.pointer for loss in made.losses))
    written = _renamed(value, {own: wire for wire, own in made.renamed.items()})
    assert fits(made.schema, written), made.schema
    assert made.restore(written) == value


@pytest.mark.rule("dialect-never-narrower", "dialect-strict-nulls")
@given(data=st.data())
@FEW
def test_every_input_can_be_written_strictly_with_null_for_what_is_left_out(
    data: st.DataObject,
) -> None:
    schema = data.draw(tool_schemas())
    value = data.draw(values(schema, schema))
    assume(fits(schema, value))
    made = adapted("openai_strict", schema)
    assume(made.strict)
    assume(not any(loss.keyword in ("anyOf", "oneOf") and not loss.pointer for loss in made.losses))
    written = _filled(value, made.schema, made.schema)
    assert fits(made.schema, written), (made.schema, written)
    restored = made.restore(written)
    assert not made.lossless or fits(schema, restored)
    assert _without_nulls(restored) == _without_nulls(value)  # a null the tool takes is kept


def _without_nulls(value: JsonValue) -> JsonValue:
    if isinstance(value, Mapping):
        held = cast("JsonObject", value)
        return {key: _without_nulls(item) for key, item in held.items() if item is not None}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value


def _filled(value: JsonValue, schema: JsonValue, root: JsonObject) -> JsonValue:
    """The value with null for every property that is left out."""
    node = cast("JsonObject", schema) if isinstance(schema, Mapping) else {}
    definitions = cast("JsonObject", root.get("$defs", {}))
    if isinstance(reference := node.get("$ref"), str):
        return _filled(value, definitions[reference.rpartition("/")[2]], root)
    for branch in cast("list[JsonValue]", node.get("anyOf", [])):
        written = _filled(value, branch, root)
        if fits({**cast("JsonObject", branch), "$defs": definitions}, written):
            return written
    if isinstance(value, Mapping):
        held = cast("JsonObject", value)
        listed = cast("JsonObject", node.get("properties", {}))
        return {
            **dict.fromkeys(listed),
            **{name: _filled(item, listed.get(name, True), root) for name, item in held.items()},
        }
    if isinstance(value, list):
        return [_filled(item, node.get("items", True), root) for item in value]
    return value


def _renamed(value: JsonValue, names: Mapping[str, str]) -> JsonValue:
    if isinstance(value, Mapping):
        held = cast("JsonObject", value)
        return {names.get(key, key): _renamed(item, names) for key, item in held.items()}
    return [_renamed(item, names) for item in value] if isinstance(value, list) else value
