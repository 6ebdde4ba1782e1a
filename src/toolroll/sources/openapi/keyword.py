"""Keywords of a document's schemas whose value is data, as JSON Schema 2020-12 has them.

A value that a keyword does not take is left out: a looser schema refuses nothing the API takes.

Source: JSON Schema 2020-12 validation §6; OpenAPI 3.0, "Schema Object" (`nullable`, exclusive
bounds as booleans).
"""

import datetime as dt
import math
from collections.abc import Callable, Mapping
from typing import TypeAlias, cast

from toolroll.content import JsonObject, JsonValue
from toolroll.sources.openapi.document import LeftOutError, as_list, as_object
from toolroll.text import join_surrogates

Read: TypeAlias = tuple[bool, JsonValue]
"""Whether a value is one its keyword takes, and it."""

TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")

_MEANT = {
    **{word: word for word in TYPES},
    "bool": "boolean",
    "file": "string",
    "float": "number",
    "int": "integer",
    "str": "string",
}
_DEEPEST_DATA = 32


def plain_keyword(key: str, value: JsonValue, budget: "Budget") -> Read:
    """Read a keyword whose value is data; one that JSON Schema does not know is left out.

    Example:
        >>> plain_keyword("type", "Integer", Budget(9)), plain_keyword("minLength", "1", Budget(9))
        ((True, 'integer'), (False, None))
    """
    read = _READERS.get(key)
    return (False, None) if read is None else read(value, budget)


def with_modern_bounds(schema: JsonObject) -> JsonObject:
    """A schema whose exclusive bounds are numbers and not booleans beside the bound.

    Example:
        >>> with_modern_bounds({"minimum": 0, "exclusiveMinimum": True})
        {'exclusiveMinimum': 0}
    """
    if not any(isinstance(schema.get(name), bool) for name in _EXCLUSIVE):
        return schema
    written = dict(schema)
    for exclusive, bound in _EXCLUSIVE.items():
        if isinstance(flag := written.get(exclusive), bool):
            del written[exclusive]
            if flag and bound in written:
                written[exclusive] = written.pop(bound)
    return written


def or_null(schema: dict[str, JsonValue]) -> JsonObject:
    """A schema that takes null as well.

    Example:
        >>> or_null({"type": "string"})
        {'type': ['string', 'null']}
        >>> or_null({"$ref": "#/$defs/A"})
        {'anyOf': [{'$ref': '#/$defs/A'}, {'type': 'null'}]}
    """
    enum, types = schema.get("enum"), schema.get("type")
    if isinstance(enum, list) and None not in enum:
        schema["enum"] = [*enum, None]
    if isinstance(types, str | list):
        said = [types] if isinstance(types, str) else types
        schema["type"] = said if "null" in said else [*said, "null"]
    if _COMPOSED.isdisjoint(schema):
        return schema
    outside = {key: schema.pop(key) for key in ("description", "default") if key in schema}
    return {"anyOf": [schema, {"type": "null"}], **outside}


class Budget:
    """How many subschemas and values one schema may have; aliases of YAML can make few endless.

    Args:
        places: most of them.
    """

    __slots__ = ("_left", "_most")

    def __init__(self, places: int) -> None:
        self._left = self._most = places

    def spend(self) -> None:
        """Count one.

        Raises:
            LeftOutError: there are more than there may be.
        """
        self._left -= 1
        if self._left < 0:
            raise LeftOutError(f"a schema has more than {self._most:,} parts")


def plain_json(value: object, budget: Budget, depth: int = _DEEPEST_DATA) -> Read:
    """Whether a value of a parsed document is JSON, and it; dates of YAML become texts."""
    budget.spend()
    if isinstance(value, str):
        return True, join_surrogates(value)
    if value is None or isinstance(value, (bool, int)):
        return True, value
    if isinstance(value, float):
        return math.isfinite(value), value
    if isinstance(value, dt.date):
        return True, value.isoformat()
    if depth and isinstance(value, Mapping):
        pairs = cast("Mapping[object, object]", value).items()
        items = [plain_json(item, budget, depth - 1) for _, item in pairs]
        keys = [str(key) for key, _ in pairs]
        return all(ok for ok, _ in items), dict(zip(keys, (i for _, i in items), strict=True))
    if depth and isinstance(value, list | tuple):
        items = [plain_json(item, budget, depth - 1) for item in cast("list[object]", value)]
        return all(ok for ok, _ in items), [item for _, item in items]
    return False, None


def _types(value: JsonValue, _: Budget) -> Read:
    said = [value] if isinstance(value, str) else as_list(value)
    known = [_MEANT.get(word.lower(), "") for word in said if isinstance(word, str)]
    types = list(dict.fromkeys(known))
    if not types or not all(types):
        return False, None
    return True, types[0] if len(types) == 1 else types


def _number(value: JsonValue, _: Budget) -> Read:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return is_number and abs(cast("float", value)) < math.inf, value


def _step(value: JsonValue, budget: Budget) -> Read:
    known, _ = _number(value, budget)
    return known and cast("float", value) > 0, value


def _count(value: JsonValue, budget: Budget) -> Read:
    known, _ = _number(value, budget)
    if not known or cast("float", value) < 0 or cast("float", value) % 1:
        return False, None
    return True, int(cast("float", value))


def _text(value: JsonValue, _: Budget) -> Read:
    return isinstance(value, str), value


def _flag(value: JsonValue, _: Budget) -> Read:
    return value is True, value


def _choices(value: JsonValue, budget: Budget) -> Read:
    known, data = plain_json(value, budget)
    return known and isinstance(data, list) and bool(data), data


def _names(value: JsonValue, _: Budget) -> Read:
    names = as_object(value)
    if names is None:
        return False, None
    return True, {
        str(name): [item for item in as_list(items) if isinstance(item, str)]
        for name, items in names.items()
    }


_EXCLUSIVE = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}
_COMPOSED = frozenset({"$ref", "allOf", "anyOf", "const", "if", "not", "oneOf"})

_READERS: Mapping[str, Callable[[JsonValue, Budget], Read]] = {
    "const": plain_json,
    "contentEncoding": _text,
    "contentMediaType": _text,
    "default": plain_json,
    "dependentRequired": _names,
    "deprecated": _flag,
    "enum": _choices,
    "exclusiveMaximum": _number,
    "exclusiveMinimum": _number,
    "format": _text,
    "maxContains": _count,
    "maxItems": _count,
    "maxLength": _count,
    "maxProperties": _count,
    "maximum": _number,
    "minContains": _count,
    "minItems": _count,
    "minLength": _count,
    "minProperties": _count,
    "minimum": _number,
    "multipleOf": _step,
    "pattern": _text,
    "type": _types,
    "uniqueItems": _flag,
}
