"""JSON Schema as data: checked, walked, mended, bounded, and inferred from types.

`import toolroll.schema` loads neither pydantic nor jsonschema-rs; each comes with its first use.
"""

from toolroll.schema.bound import Clamped, clamp
from toolroll.schema.check import Check, compile_check
from toolroll.schema.error import SchemaError, SchemaTooLarge
from toolroll.schema.finding import Finding
from toolroll.schema.inference import Front, function_front, model_front
from toolroll.schema.limit import DEFAULT_LIMITS, Limits
from toolroll.schema.marker import BlankIsAbsent, Required
from toolroll.schema.reader import SchemaReader, schema_reader
from toolroll.schema.reading import (
    InputReader,
    ReadInput,
    RejectedInput,
    RepairMode,
    ResultWriter,
)
from toolroll.schema.rule import lint
from toolroll.schema.types import JsonObject, JsonSchema, JsonValue
from toolroll.schema.view import object_schema, slim, verbatim
from toolroll.schema.writer import PlainWriter, result_writer

__all__ = [
    "DEFAULT_LIMITS",
    "BlankIsAbsent",
    "Check",
    "Clamped",
    "Finding",
    "Front",
    "InputReader",
    "JsonObject",
    "JsonSchema",
    "JsonValue",
    "Limits",
    "PlainWriter",
    "ReadInput",
    "RejectedInput",
    "RepairMode",
    "Required",
    "ResultWriter",
    "SchemaError",
    "SchemaReader",
    "SchemaTooLarge",
    "clamp",
    "compile_check",
    "function_front",
    "lint",
    "model_front",
    "object_schema",
    "result_writer",
    "schema_reader",
    "slim",
    "verbatim",
]
