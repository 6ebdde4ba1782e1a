"""Types as schemas: functions, pydantic models, dataclasses and TypedDicts.

Only this folder knows pydantic (and `jsonable`, beside it, pydantic-core); the modules that do are
imported when the first function or model becomes a tool.
"""

from toolroll.schema.inference.front import Front, function_front, model_front

__all__ = ["Front", "function_front", "model_front"]
