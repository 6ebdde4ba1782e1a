"""What was given where a schema is wanted, and is none."""

import inspect
from collections.abc import Mapping

from toolroll.schema.finding import Finding, error

_A_SCHEMA = "give a JSON Schema (a mapping)"


def is_old_model(kind: object) -> bool:
    """Whether a class is a model of pydantic 1, as pydantic 2 still carries it or by itself.

    Example:
        >>> is_old_model(dict)
        False
    """
    if not isinstance(kind, type) or hasattr(kind, "model_json_schema"):
        return False
    bases = {f"{base.__module__}.{base.__qualname__}" for base in kind.__mro__}
    return bool(bases & {"pydantic.v1.main.BaseModel", "pydantic.main.BaseModel"})


def stranger_to_schemas(schema: object) -> Finding | None:
    """What to say of what is no mapping: what came, from where, and what to give instead."""
    if isinstance(schema, Mapping):
        return None
    if isinstance(schema, type):
        return _class(schema)
    origin = f"{type(schema).__module__}.{type(schema).__qualname__}"
    if callable(schema):
        named = getattr(schema, "__qualname__", type(schema).__qualname__)
        fault = f"got the function {getattr(schema, '__module__', '?')}.{named} as a schema"
        mend = f"{_A_SCHEMA}; a function that makes one has to be called"
        return error("not-a-schema", "", fault, mend)
    shown = inspect.cleandoc(repr(schema))[:60]
    return error("not-a-schema", "", f"got {shown} ({origin}) as a schema", _A_SCHEMA)


def no_json(keyword: str, held: object, pointer: str, problem: str) -> Finding:
    """What to say of data in a schema that JSON cannot hold, such as a default of NaN.

    Args:
        keyword: the keyword it stands under.
        held: what came.
        pointer: of its place.
        problem: what it must be.
    """
    shown = inspect.cleandoc(repr(held))[:60]
    fault = f"the {keyword} {shown} {problem}"
    return error("not-a-schema", pointer, fault, "JSON cannot hold it, give another one")


def _class(schema: type) -> Finding:
    origin = f"{schema.__module__}.{schema.__qualname__}"
    if is_old_model(schema):
        fault = f"got the model of pydantic 1 {origin} as a schema"
        mend = "make it a model of pydantic 2, or give its .schema()"
        return error("not-a-schema", "", fault, mend)
    if hasattr(schema, "model_json_schema"):
        fault = f"got the pydantic model {origin} as a schema"
        return error("not-a-schema", "", fault, "give it to @tool as takes=")
    fault = f"got the class {origin} as a schema"
    return error("not-a-schema", "", fault, f"{_A_SCHEMA}, or the class as takes=")
