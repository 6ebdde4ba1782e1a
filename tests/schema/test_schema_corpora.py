"""The official suite of JSON Schema, and the tool lists of real servers."""

import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from toolroll.outcome import Repair
from toolroll.schema import (
    ReadInput,
    RejectedInput,
    SchemaError,
    compile_check,
    lint,
    object_schema,
    schema_reader,
    slim,
)
from toolroll.schema.pointer import parts_of
from toolroll.schema.refs import Resolver

pytestmark = pytest.mark.corpora

DRAFTS = {
    "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
    "draft7": "http://json-schema.org/draft-07/schema#",
    "draft4": "http://json-schema.org/draft-04/schema#",
}
REMOTE = "http://localhost:1234"


def load(path: Path) -> Any:
    return json.loads(gzip.decompress(path.read_bytes()))


@pytest.mark.rule("schema-suite-passes")
@pytest.mark.rule("schema-refs-are-local")
@pytest.mark.parametrize("draft", list(DRAFTS))
def test_the_official_suite(corpora: Path, draft: str) -> None:
    files = load(corpora / "json-schema-test-suite" / f"{draft}.json.gz")
    passed, refused, wrong = 0, 0, []

    for name, groups in files.items():
        for group in groups:
            schema = group["schema"]
            if isinstance(schema, dict):
                schema = {"$schema": DRAFTS[draft], **schema}
            try:
                check = compile_check(schema, formats=name.startswith("optional/format"))
            except SchemaError:
                assert name.startswith("optional") or REMOTE in json.dumps(schema), group[
                    "description"
                ]
                refused += 1
                continue
            for test in group["tests"]:
                accepted, issues = check.accepts(test["data"]), check(test["data"])
                assert accepted == (not issues)
                if accepted == test["valid"]:
                    passed += 1
                elif not name.startswith("optional"):
                    wrong.append((name, group["description"], test["description"]))

    assert wrong == []
    assert passed > 400
    assert refused < 10


def tools(corpora: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for path in sorted((corpora / "mcp-tool-lists").glob("*.json.gz")):
        for tool in load(path)["tools"]:
            yield f"{path.name}:{tool['name']}", tool


def sample(schema: Any, root: Mapping[str, Any], depth: int = 0) -> Any:
    """A small value that fits a schema of these lists."""
    if not isinstance(schema, Mapping):
        return "x"
    target = Resolver(root).find(schema.get("$ref"))
    if target is not None:
        return sample(target.schema, root, depth + 1)
    for keyword in ("anyOf", "oneOf"):
        if keyword in schema:
            return sample(schema[keyword][0], root, depth + 1)
    if "allOf" in schema and "type" not in schema:
        return sample(schema["allOf"][0], root, depth + 1)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type", "object" if "properties" in schema else "string")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        named = schema.get("properties", {})
        wanted = named if depth < 3 else schema.get("required", ())
        return {name: sample(named[name], root, depth + 1) for name in wanted if name in named}
    if kind == "array":
        count = max(1, schema.get("minItems", 1))
        return [sample(schema.get("items", {}), root, depth + 1)] * count
    if kind in ("integer", "number"):
        low = schema.get("minimum", schema.get("exclusiveMinimum", 0) + 1)
        return min(max(low, 1), schema.get("maximum", max(1, low)))
    if kind == "string":
        return "x" * max(1, schema.get("minLength", 1))
    return {"boolean": True, "null": None}[kind]


@pytest.mark.rule("schema-valid-untouched")
def test_every_tool_takes_a_sample_and_refuses_a_fault_at_its_place(corpora: Path) -> None:
    seen = faults = nulls = 0
    for name, tool in tools(corpora):
        schema: Any = object_schema(tool["inputSchema"])
        reader = schema_reader(schema, authored=False)
        assert reader.loss == "", name
        value = sample(schema, schema)

        got = reader.read(value)

        assert isinstance(got, ReadInput), (name, value, got)
        assert got.value == value
        assert got.repairs == ()
        seen += 1
        for key, below in schema["properties"].items():
            if below.get("type") not in ("string", "integer", "number", "boolean", "array"):
                continue
            wrong = reader.read({**value, key: {"no": 1}})
            assert isinstance(wrong, RejectedInput), (name, key)
            assert {issue.pointer for issue in wrong.issues} == {f"/{key}"}, (name, key)
            faults += 1
            if key not in schema.get("required", ()) and None not in below.get("enum", ()):
                left_out = reader.read({**value, key: None})
                assert isinstance(left_out, ReadInput), (name, key)
                assert left_out.repairs == (Repair("drop_null", f"/{key}"),)
                nulls += 1
    assert (seen, faults > 700, nulls > 400) == (294, True, True), (seen, faults, nulls)


def leaves(value: Any, pointer: str = "") -> Iterator[tuple[str, Any]]:
    """Every scalar of a value with its place."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, f"{pointer}/{index}")
    else:
        yield pointer, value


def with_fault(value: Any, parts: list[str]) -> Any:
    """A copy of a value with an object in the place of one scalar."""
    if not parts:
        return {"no": 1}
    head, *rest = parts
    if isinstance(value, list):
        return [with_fault(item, rest) if str(i) == head else item for i, item in enumerate(value)]
    return {key: with_fault(item, rest) if key == head else item for key, item in value.items()}


@pytest.mark.rule("schema-order-of-place")
def test_a_fault_at_any_depth_of_a_sample_is_told_at_its_place(corpora: Path) -> None:
    deep = 0
    for name, tool in tools(corpora):
        schema: Any = object_schema(tool["inputSchema"])
        reader = schema_reader(schema, authored=False)
        value = sample(schema, schema)
        for pointer, _ in leaves(value):
            wrong = reader.read(with_fault(value, parts_of(pointer)))
            if isinstance(wrong, ReadInput):
                continue  # a place that takes anything
            places = {issue.pointer for issue in wrong.issues}
            assert all(f"{place}/".startswith(f"{pointer}/") for place in places), (name, pointer)
            deep += pointer.count("/") > 1
    assert deep > 150


def test_every_tool_has_a_short_view_and_sound_output(corpora: Path) -> None:
    whole = short = 0
    for name, tool in tools(corpora):
        schema = object_schema(tool["inputSchema"])
        view = slim(schema)
        whole += len(json.dumps(schema))
        short += len(json.dumps(view))
        assert list(view.get("properties", {})) == list(schema["properties"]), name
        assert [f for f in lint(schema, authored=False) if f.severity == "error"] == []
        if "outputSchema" in tool:
            compile_check(tool["outputSchema"])
    assert short < whole
