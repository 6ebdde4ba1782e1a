"""Schemas as providers see them, and the way back."""

from typing import Any

from tests.pains.case import Case
from toolroll import dialects
from toolroll.dialects import openai_strict
from toolroll.protocol import read_tools
from toolroll.schema import compile_check, object_schema, slim

DIALECTS: Any = {
    "gemini": dialects.gemini,
    "gemini-openapi3": dialects.gemini_openapi3,
    "anthropic": dialects.anthropic,
    "openai": dialects.openai,
    "openai-strict": dialects.openai_strict,
}


def view(case: Case) -> None:
    """One schema in one view, restored and still enforced."""
    given, wanted = case.given, case.wanted
    adapted = DIALECTS[given["view"]].adapt(given["schema"])
    assert adapted.schema == wanted["schema"]
    if "then_restore" in given:
        assert adapted.restore(given["then_restore"]) == wanted["restored"]
    if "validate_full" in wanted:
        check = compile_check(given["schema"])
        full = wanted["validate_full"]
        assert all(check(value) for value in full["refuses"])
        assert not any(check(value) for value in full["accepts"])


def view_each(case: Case) -> None:
    """One schema in every view."""
    schema, wanted = case.given["schema"], case.wanted
    for name in case.given["views"]:
        shown: Any = slim(schema) if name == "slim" else DIALECTS[name].adapt(schema).schema
        assert list(shown["properties"]) == wanted["properties_in_every_view"], name
        assert list(shown["required"]) == wanted["required_in_every_view"], name


def is_strictable_many(case: Case) -> None:
    """Whether strict mode takes a schema."""
    schemas = case.given["schemas"]
    assert [openai_strict.is_strict(schema) for schema in schemas] == case.wanted["values"]
    for schema in schemas:  # and what is sent as strict is such a schema
        adapted = openai_strict.adapt(schema)
        assert not adapted.strict or openai_strict.is_strict(adapted.schema)


def import_schema_many(case: Case) -> None:
    """A tool without parameters, in the forms servers send."""
    schemas = case.given["schemas"]
    assert [object_schema(schema) for schema in schemas] == case.wanted["schemas"]
    listed: Any = [{"name": f"t{at}", "inputSchema": schema} for at, schema in enumerate(schemas)]
    reading: Any = read_tools(listed)
    assert [tool.input_schema for tool in reading.definitions] == case.wanted["schemas"]
