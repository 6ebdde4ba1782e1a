"""What importing and using the schema package loads."""

import subprocess
import sys

import pytest

CODE = """
import sys
import toolroll.schema as schema
def loaded():
    return sorted({{name.partition(".")[0] for name in sys.modules}} & {{"pydantic", "pydantic_core", "jsonschema_rs", "docstring_parser"}})
{steps}
print(",".join(loaded()))
"""
SCHEMA = (
    '{"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": False}'
)


@pytest.mark.rule("schema-light-import")
@pytest.mark.parametrize(
    ("steps", "modules"),
    [
        ("", ""),
        (f"schema.slim({SCHEMA})", ""),
        (f"schema.schema_reader({SCHEMA}, authored=False)", ""),
        ('schema.result_writer().write({"a": [1]})', ""),
        (f'schema.schema_reader({SCHEMA}).read({{"a": "1", "b": None}})', "jsonschema_rs"),
        (f"schema.lint({SCHEMA})", "jsonschema_rs"),
        (
            'def f(a: int): "Say."\nschema.function_front(f).reader.read({"a": 1})',
            "pydantic,pydantic_core",
        ),
    ],
)
def test_nothing_heavy_is_loaded_before_it_is_used(steps: str, modules: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CODE.format(steps=steps)],
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.strip() == modules
