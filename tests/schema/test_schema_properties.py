"""What must hold of every schema, every type and every input."""

import copy
import json
from typing import cast

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.dialects.schema_writer import tool_schemas, values
from tests.schema.type_writer import ANYTHING, EXACT, LOOSE, functions, near
from toolroll.content import JsonObject, JsonValue
from toolroll.outcome import DefinitionError
from toolroll.schema import (
    Front,
    ReadInput,
    RejectedInput,
    SchemaError,
    clamp,
    compile_check,
    function_front,
    lint,
    schema_reader,
    slim,
)
from toolroll.schema.fault import value_at
from toolroll.schema.pointer import parts_of
from toolroll.schema.walk import places

MANY = settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
FEW = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
SIX = {"type", "description", "enum", "required", "items", "properties"}


def made(function) -> Front:
    try:
        return function_front(function)
    except DefinitionError:
        assume(condition=False)
        raise


@pytest.mark.rule("schema-front-same-words")
@MANY
@given(st.data(), st.sampled_from(["schema", "off"]))
def test_types_and_their_schema_read_alike(data: st.DataObject, repair) -> None:
    front = made(data.draw(functions()))
    value = data.draw(near(front.input_schema, front.input_schema))
    plain = schema_reader(front.input_schema)

    by_type = front.reader.read(value, repair=repair)
    by_schema = plain.read(value, repair=repair)

    if isinstance(by_schema, RejectedInput):
        assert by_type == by_schema
        return
    assert isinstance(by_type, ReadInput), by_type
    assert by_type.value == by_schema.value
    assert by_type.repairs == by_schema.repairs


@pytest.mark.rule("schema-front-same-words")
@FEW
@given(st.data())
def test_what_types_take_their_schema_takes(data: st.DataObject) -> None:
    front = made(data.draw(functions((*EXACT, *LOOSE))))
    value = data.draw(near(front.input_schema, front.input_schema))
    check = compile_check(front.input_schema)

    got = front.reader.read(value, repair="off")

    if isinstance(got, ReadInput):
        assert check(got.value) == []
    elif not check(value):
        assert all(issue.keyword not in ("type", "required", "enum") for issue in got.issues)


@FEW
@given(st.data())
def test_reading_never_raises_never_mutates_and_settles_at_once(data: st.DataObject) -> None:
    schema = data.draw(tool_schemas())
    value = data.draw(st.one_of(ANYTHING, near(schema, schema)))
    before = copy.deepcopy((schema, value))

    for authored in (True, False):
        try:
            reader = schema_reader(schema, authored=authored)
        except SchemaError:
            continue
        got = reader.read(value)
        assert (schema, value) == before
        if isinstance(got, RejectedInput):
            assert got.issues
            assert isinstance(reader.read(value, repair="off"), RejectedInput)
            continue
        again = reader.read(got.value)
        assert isinstance(again, ReadInput)
        assert json.dumps(again.value) == json.dumps(got.value)
        assert all(repair.kind == "drop_filler" for repair in again.repairs)


@FEW
@given(st.data())
def test_issues_point_into_the_input_and_stay_on_their_line(data: st.DataObject) -> None:
    schema = data.draw(tool_schemas())
    value = data.draw(near(schema, schema))
    try:
        check = compile_check(schema)
    except SchemaError:
        return

    issues = check(value)

    assert check.accepts(value) == (not issues)
    assert len(set(issues)) == len(issues)
    for issue in issues:
        assert issue.problem.isprintable()
        assert issue.pointer == "" or _holds(value, issue.pointer)


def _holds(value: JsonValue, pointer: str) -> bool:
    *path, last = parts_of(pointer)
    holder = value
    for part in path:
        holder = value_at(holder, (int(part) if isinstance(holder, list) else part,))
    if isinstance(holder, list):
        return int(last) < len(holder)
    return last in cast("JsonObject", holder)


@pytest.mark.rule("slim-keeps-six")
@FEW
@given(tool_schemas())
def test_short_views_hold_six_keywords_and_are_their_own_view(schema) -> None:
    before = copy.deepcopy(schema)
    for unions in ("first", "all"):
        try:
            view = slim(schema, unions)
        except SchemaError:
            continue
        allowed = SIX | {"anyOf"} if unions == "all" else SIX
        assert all(allowed.issuperset(place.mapping or {}) for place in places(view))
        assert slim(view, unions) == view
    assert schema == before


@pytest.mark.rule("clamp-table")
@FEW
@given(st.data())
def test_clamping_twice_is_clamping_once_and_fitting_values_stay(data: st.DataObject) -> None:
    schema = data.draw(tool_schemas())
    value = data.draw(st.one_of(ANYTHING, near(schema, schema)))

    once = clamp(value, schema)

    assert clamp(once.value, schema).value is once.value
    if not once.clamped:
        assert once.value is value


@FEW
@given(st.data())
def test_values_made_for_a_schema_fit_and_go_through(data: st.DataObject) -> None:
    schema = data.draw(tool_schemas())
    try:
        reader = schema_reader(schema, authored=False)
    except SchemaError:
        return
    assume(not reader.loss)
    value = data.draw(values(schema, schema))
    assume(compile_check(schema).accepts(value))

    got = reader.read(value)

    assert isinstance(got, ReadInput)
    assert got.repairs == ()


@FEW
@given(st.one_of(tool_schemas(), ANYTHING))
def test_lint_never_raises(schema) -> None:
    for authored in (True, False):
        for finding in lint(schema, authored=authored):
            assert finding.fault
            assert finding.mend
