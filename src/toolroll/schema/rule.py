"""What is wrong with a schema before it is ever called: the rules of definition time.

| rule | severity | fault |
| --- | --- | --- |
| `not-a-schema` | error | a class, a function, a model of pydantic 1, ... stands for a schema |
| `root-not-object` | error | the root is no object |
| `invalid-schema` | error | no schema of its dialect, a broken reference, a bad pattern |
| `too-large` | error | beyond the limits |
| `open-object` | error | an object names properties and takes others too |
| `literal-union` | error | a union whose branches are all constants |
| `unknown-required` | error | `required` names what `properties` does not |
| `unsatisfiable` | error | bounds, types or values that contradict each other |
| `bad-default` | error | a default that its own schema refuses |
| `undescribable` | warning | no single type: a short view cannot show it |
| `optional-min-length` | warning | an optional text that may not be empty |
| `no-description` | warning | a property that says nothing of itself |

For a schema from elsewhere, `open-object`, `literal-union`, `optional-min-length` and
`no-description` are not looked for, and only `not-a-schema` and `root-not-object` are errors.

Source: the tool definition contract, "The two schema rules", "Optional text that may come empty".
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

from toolroll.content import JsonObject, JsonValue, compact_json
from toolroll.schema.check import (
    Check,
    check_of_plain,
    compile_part,
    dialect_of,
    has_references,
)
from toolroll.schema.error import SchemaError, SchemaTooLarge
from toolroll.schema.fault import Parts
from toolroll.schema.finding import Finding, error, warning
from toolroll.schema.limit import DEFAULT_LIMITS, Limits
from toolroll.schema.place_rule import ERROR_RULES, PLACE_RULES, Scope
from toolroll.schema.plain import plain_copy
from toolroll.schema.pointer import pointer_of
from toolroll.schema.refs import Resolver
from toolroll.schema.stranger import no_json, stranger_to_schemas
from toolroll.schema.view import slim
from toolroll.schema.walk import Place, as_list, data_keyword, places

_AUTHORS_ONLY = frozenset({"open-object", "literal-union", "optional-min-length", "no-description"})
_ALWAYS_ERRORS = frozenset({"not-a-schema", "root-not-object"})


def lint(
    schema: object,
    *,
    authored: bool = True,
    allow_open: bool = False,
    limits: Limits = DEFAULT_LIMITS,
) -> list[Finding]:
    """Look a schema through, at every depth.

    Args:
        schema: what was given as an input schema; anything.
        authored: whether it was written for this program; one from elsewhere is judged mildly.
        allow_open: objects may take keys they do not name.
        limits: how large it may be.

    Returns:
        The findings, errors first, then in order of place. No finding, no fault.

    Example:
        >>> schema = {"type": "object", "properties": {"a": {"type": "string"}}}
        >>> [(finding.severity, finding.rule, finding.pointer) for finding in lint(schema)]
        [('error', 'open-object', ''), ('warning', 'no-description', '/properties/a')]
    """
    found = _looked_through(schema, limits, errors_only=False)
    found = [item for item in found if not (allow_open and item.rule == "open-object")]
    if not authored:
        found = [_milder(item) for item in found if item.rule not in _AUTHORS_ONLY]
    return sorted(found, key=lambda item: item.severity)


def first_error(
    schema: object, *, allow_open: bool = False, limits: Limits = DEFAULT_LIMITS
) -> Finding | None:
    """The first error that `lint` finds in an authored schema; warnings are not looked for.

    Args:
        schema: what was given as an input schema; anything.
        allow_open: objects may take keys they do not name.
        limits: how large it may be.

    Example:
        >>> first_error({"type": "object", "properties": {"a": {"type": "string"}}}).rule
        'open-object'
    """
    for item in _looked_through(schema, limits, errors_only=True):
        if item.severity == "error" and not (allow_open and item.rule == "open-object"):
            return item
    return None


def _looked_through(schema: object, limits: Limits, *, errors_only: bool) -> list[Finding]:
    came = stranger_to_schemas(schema)
    if came is not None:
        return [came]
    plain, unsound = plain_copy(schema, limits.schema_depth * 2 + 16)
    if unsound:
        parts = unsound[0].parts
        pointer, held = pointer_of(parts), _held(schema, parts)
        keyword = data_keyword(parts)
        if keyword is not None:
            return [no_json(keyword, held, pointer, unsound[0].problem)]
        came = stranger_to_schemas(held)
        if came is not None:
            return [replace(came, pointer=pointer)]
        return [error("not-a-schema", pointer, unsound[0].problem, "write plain JSON")]
    try:
        return list(_findings(cast("JsonObject", plain), limits, errors_only=errors_only))
    except SchemaTooLarge as large:
        return [error("too-large", large.pointer, str(large).rstrip("."), "describe less")]


def _held(schema: object, parts: Parts) -> object:
    """What stands where a schema is no JSON."""
    held: Any = schema
    for part in parts:
        held = held[part]
    return held


def _milder(finding: Finding) -> Finding:
    return finding if finding.rule in _ALWAYS_ERRORS else replace(finding, severity="warning")


def _findings(root: JsonObject, limits: Limits, *, errors_only: bool) -> Iterator[Finding]:
    found = list(places(root, limits=limits))  # too large a schema is one finding, nothing else
    if root.get("type") != "object":
        got = "no type" if root.get("type") is None else compact_json(root["type"])
        fault = f"the input must be an object schema, got {got}"
        yield error("root-not-object", "", fault, 'write "type": "object"')
    invalid = _invalid(root, limits)
    if invalid is not None:
        yield invalid
    scope = Scope(Resolver(root, limits))
    for place in found:
        scope.seen[place.pointer] = place
        mapping = place.mapping
        if mapping is None:
            continue
        for rule in ERROR_RULES if errors_only else PLACE_RULES:
            yield from rule(place, mapping, scope)
        if invalid is None and "default" in mapping:
            yield from _bad_default(root, place, mapping, limits)
        if invalid is None:
            yield from _no_choice(root, place, mapping, limits)
    if invalid is None and not errors_only:
        yield from _undescribable(root, limits)


def _invalid(root: JsonObject, limits: Limits) -> Finding | None:
    try:
        check_of_plain(cast("dict[str, JsonValue]", root), limits=limits)
    except SchemaTooLarge:
        raise
    except SchemaError as caught:
        place = f"at {caught.pointer or '/'}: "
        fault = str(caught).removeprefix("schema ").removeprefix(place).rstrip(".")
        said, _, mend = fault.partition("; ")
        return error("invalid-schema", caught.pointer, said, mend or "correct it")
    return None


def _bad_default(
    root: JsonObject, place: Place, mapping: JsonObject, limits: Limits
) -> Iterator[Finding]:
    default = mapping["default"]
    if _check_of(root, place, mapping, limits).accepts(default):
        return
    fault = f"the default {compact_json(default)[:60]} does not fit its own schema"
    yield error("bad-default", place.pointer, fault, "change either")


_LAST: "deque[Check]" = deque(maxlen=64)
"""The last ones are kept, because tools of one module say the same of many places."""
_SAYS_NOTHING = frozenset({"default", "description", "title", "examples", "$schema"})


def _check_of(root: JsonObject, place: Place, mapping: JsonObject, limits: Limits) -> Check:
    """The check of one place: alone where nothing in it refers to the whole."""
    part = {key: value for key, value in mapping.items() if key not in _SAYS_NOTHING}
    if has_references(compact_json(part)):
        return compile_part(root, place.pointer, limits=limits)
    check = check_of_plain({**part, "$schema": dialect_of(root)}, limits=limits)
    _LAST.append(check)
    return check


_SAYS_LITTLE = frozenset({"type", "enum", "const", "title", "description", "default", "examples"})


def _no_choice(
    root: JsonObject, place: Place, mapping: JsonObject, limits: Limits
) -> Iterator[Finding]:
    """Values of which none fits what else is said than a type."""
    choices = as_list(mapping.get("enum")) if "enum" in mapping else [mapping.get("const")]
    if not mapping.keys() & {"enum", "const"} or not choices:
        return
    if _SAYS_LITTLE.issuperset(mapping) and not {"enum", "const"} <= mapping.keys():
        return
    check = _check_of(root, place, mapping, limits)
    if not any(check.accepts(choice) for choice in choices):
        fault = "none of its values fits what else is said of them"
        yield error("unsatisfiable", place.pointer, fault, "change either")


def _undescribable(root: JsonObject, limits: Limits) -> Iterator[Finding]:
    if root.get("type") != "object":
        return
    try:
        slim(root, "all", limits=limits)
    except SchemaError as caught:
        fault = "has no single type, so a short view cannot show it"
        mend = "give it one type, or list this tool word for word"
        yield warning("undescribable", caught.pointer, fault, mend)
