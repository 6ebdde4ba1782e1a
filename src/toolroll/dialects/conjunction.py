"""Two schemas as one: where both hold (`allOf`), and where one of several holds (unions at a
root).
"""

from collections.abc import Callable, Hashable, Iterable, Sequence

from toolroll.content import JsonObject, JsonValue, canonical_json
from toolroll.dialects.draft import modern, type_of_value, types_of
from toolroll.schema.walk import as_list, as_mapping

Lose = Callable[[str, JsonValue], None]
"""Keyword and value that could not be merged."""

WORDS = frozenset(
    {
        "$comment",
        "default",
        "deprecated",
        "description",
        "example",
        "examples",
        "readOnly",
        "title",
        "writeOnly",
    }
)
"""Keywords without force: words for people and programs."""

_LARGER = frozenset(
    {"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties", "minContains"}
)
_SMALLER = frozenset(
    {"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains"}
)
_MAPS = frozenset({"properties", "patternProperties", "$defs", "dependentSchemas"})
_SCHEMAS = frozenset({"items", "additionalProperties", "propertyNames", "unevaluatedProperties"})


def conjoin(left: JsonObject, right: JsonObject, lose: Lose) -> dict[str, JsonValue]:
    """One schema for what both schemas allow. Words of the left one win.

    Args:
        left: a schema without a `$ref` of its own.
        right: another one.
        lose: told what of the right one cannot be said beside the left one.

    Example:
        >>> conjoin({"type": "number", "minimum": 1}, {"type": "integer", "minimum": 5}, print)
        {'type': 'integer', 'minimum': 5}
    """
    said = _Told(lose)
    left, right = modern(left, said), modern(right, said)
    merged = dict(left)
    for keyword, value in right.items():
        if keyword not in merged:
            merged[keyword] = value
        elif merged[keyword] != value and keyword not in WORDS:
            both = _both(keyword, merged[keyword], value, lose)
            if both is None:
                lose(keyword, value)
            else:
                merged[keyword] = both
    if "const" in merged or "enum" in merged:
        _fix(merged, lose)
    for closing, other in ((left, right), (right, left)):
        if _forbids(closing, other):
            lose("additionalProperties", closing["additionalProperties"])
    return merged


class _Told:
    """Tells of what `modern` could not keep."""

    __slots__ = ("_lose",)

    def __init__(self, lose: Lose) -> None:
        self._lose = lose

    def __call__(self, keyword: str, value: JsonValue, _: str) -> None:
        self._lose(keyword, value)


def _fix(merged: dict[str, JsonValue], lose: Lose) -> None:
    """Fixed values of one side are those that fit the type and the fixed values of the other."""
    values = as_list(merged.get("enum")) if "const" not in merged else [merged["const"]]
    allowed = as_list(merged.get("enum")) or values or []
    types = types_of(merged)
    known = {identity(value) for value in allowed}
    fitting = [
        value
        for value in values or ()
        if identity(value) in known and (not types or _is_of(value, types))
    ]
    if len(fitting) == len(values or ()):
        if "const" in merged:
            merged.pop("enum", None)
        return
    word = "const" if "const" in merged else "enum"
    if fitting:
        merged["enum"] = fitting
    else:
        lose(word, merged[word])


def _is_of(value: JsonValue, types: frozenset[str]) -> bool:
    own = type_of_value(value)
    return own in types or (own == "integer" and "number" in types)


def _forbids(closing: JsonObject, other: JsonObject) -> bool:
    """What one schema says of names it does not list holds for names the other one lists."""
    if closing.get("additionalProperties", True) is True:
        return False
    listed = as_mapping(closing.get("properties")) or {}
    return any(name not in listed for name in as_mapping(other.get("properties")) or ())


def _both(keyword: str, left: JsonValue, right: JsonValue, lose: Lose) -> JsonValue:
    """The value that says both; None where there is none."""
    if keyword in _LISTED:
        return _LISTED[keyword](as_list(left) or [], as_list(right) or [])
    if keyword in _LARGER or keyword in _SMALLER:
        if not isinstance(left, (int, float)) or not isinstance(right, (int, float)):
            return None
        return max(left, right) if keyword in _LARGER else min(left, right)
    if keyword in _SCHEMAS:
        return _both_schemas(left, right, lose)
    if keyword in _MAPS:
        merged = dict(as_mapping(left) or {})
        for name, schema in (as_mapping(right) or {}).items():
            merged[name] = _both_schemas(merged.get(name, True), schema, lose)
        return merged
    if keyword == "type":
        return _common_type(left, right)
    return (left is True or right is True) if keyword == "uniqueItems" else None


def _every_name(left: list[JsonValue], right: list[JsonValue]) -> JsonValue:
    return [*left, *(name for name in right if name not in left)]


def _common_values(left: list[JsonValue], right: list[JsonValue]) -> JsonValue:
    known = {identity(value) for value in right}
    return [value for value in left if identity(value) in known] or None


_LISTED: dict[str, Callable[[list[JsonValue], list[JsonValue]], JsonValue]] = {
    "required": _every_name,
    "enum": _common_values,
    "allOf": lambda left, right: [*left, *right],
}


def _both_schemas(left: JsonValue, right: JsonValue, lose: Lose) -> JsonValue:
    if left is False or right is False:
        return False
    first, second = as_mapping(left), as_mapping(right)
    if first is None or second is None:
        return right if first is None else left
    if first == second:
        return left
    if "$ref" in first or "$ref" in second:
        return {"allOf": [left, right]}
    return conjoin(first, second, lose)


def _common_type(left: JsonValue, right: JsonValue) -> JsonValue:
    first, second = types_of({"type": left}), types_of({"type": right})
    common = {
        name for name in first if name in second or (name == "integer" and "number" in second)
    }
    common |= {name for name in second if name == "integer" and "number" in first}
    ordered = sorted(common)
    return ordered[0] if len(ordered) == 1 else ordered or None


def unite(schemas: Sequence[JsonValue]) -> JsonValue:
    """One schema for what any of the schemas allows; single values become one `enum`.

    Example:
        >>> unite([{"const": "a"}, {"type": "string", "enum": ["b"]}, {"const": "a"}])
        {'enum': ['a', 'b']}
        >>> unite([{"type": "string"}, {"type": "integer"}])
        {'anyOf': [{'type': 'string'}, {'type': 'integer'}]}
    """
    if any(schema is True or schema == {} for schema in schemas):
        return {}
    kinds = distinct(schema for schema in schemas if schema is not False)
    if len(kinds) < 2:
        return kinds[0] if kinds else False
    return _one_enum(kinds) or {"anyOf": kinds}


def _one_enum(schemas: Sequence[JsonValue]) -> dict[str, JsonValue] | None:
    values: list[JsonValue] = []
    heads: list[dict[str, JsonValue]] = []
    for schema in schemas:
        mapping = as_mapping(schema)
        if mapping is None or set(mapping) - WORDS - {"const", "enum", "type"}:
            return None
        own = [mapping["const"]] if "const" in mapping else as_list(mapping.get("enum"))
        if own is None:
            return None
        values.extend(own)
        heads.append({key: mapping[key] for key in ("type", "description") if key in mapping})
    shared = heads[0] if all(head == heads[0] for head in heads) else {}
    return {**shared, "enum": distinct(values)}


def distinct(values: Iterable[JsonValue]) -> list[JsonValue]:
    """The values without those that came before.

    Example:
        >>> distinct([1, True, {"a": 1, "b": 2}, 1.0, {"b": 2, "a": 1}])
        [1, True, {'a': 1, 'b': 2}]
    """
    found: dict[Hashable, JsonValue] = {}
    for value in values:
        found.setdefault(identity(value), value)
    return list(found.values())


def identity(value: JsonValue) -> Hashable:
    """A key that equal JSON values share: looked up, it spares comparing each with each."""
    if isinstance(value, bool) or value is None:
        return (value,)
    if isinstance(value, (str, int, float)):
        return value
    try:
        return ("json", canonical_json(value))
    except (TypeError, ValueError, RecursionError):  # no JSON: equal to itself alone
        return ("same", id(value))
