"""Numbers and booleans among the constants of types, kept apart as JSON keeps them.

To Python `True == 1 == 1.0`, and pydantic looks a `Literal` or an `Enum` up by equality. To a
schema `true` is no `1`, so both kinds of tool would judge one input differently.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any, cast

from pydantic_core import (
    CoreSchema,
    PydanticCustomError,
    SchemaValidator,
    core_schema,
    to_jsonable_python,
)

from toolroll.content import canonical_json
from toolroll.schema.inference.encoding import decoded_once

_KINDS: dict[type, CoreSchema] = {
    bool: core_schema.bool_schema(strict=True),
    int: core_schema.int_schema(strict=True),
    float: core_schema.float_schema(strict=True),
    str: core_schema.str_schema(strict=True),
    type(None): core_schema.none_schema(),
}
_NUMBERS = frozenset({bool, int, float})
_BELOW = frozenset(
    {
        "schema",
        "items_schema",
        "keys_schema",
        "values_schema",
        "extras_schema",
        "arguments_schema",
        "json_schema",
        "python_schema",
        "strict_schema",
        "lax_schema",
        "choices",
        "steps",
        "fields",
        "definitions",
    }
)
"""Where a schema of pydantic holds others: one, a list, or a table of them."""


def exact_validator(
    core: Any,
    config: core_schema.CoreConfig | None = None,
    *,
    ready: SchemaValidator | None = None,
) -> SchemaValidator:
    """A validator of a type that tells `1` from `true`, also inside its classes, and that takes of
    constants and of encoded bytes what the schema shows of them.

    Args:
        core: pydantic's core schema of it.
        config: pydantic's settings for it.
        ready: pydantic's own validator of it, taken where there is nothing to tell apart.

    Example:
        >>> exact_validator({"type": "literal", "expected": [1]}).isinstance_python(True)
        False
    """
    exact = exact_constants(core)
    if exact is core:
        return ready or SchemaValidator(core, config)
    # A class within has a validator of its own, made ready, which knows nothing of this.
    return SchemaValidator(exact, config, **_WITHOUT_READY_ONES)


def _without_ready_ones() -> dict[str, Any]:
    """What asks pydantic for it, where it still can be asked."""
    asked: dict[str, Any] = {"_use_prebuilt": False}
    try:
        SchemaValidator(_KINDS[str], None, **asked)
    except TypeError:
        return {}
    return asked


def exact_constants(core: Any) -> Any:
    """The same schema of a type, for a validator that tells `1` from `true`.

    Args:
        core: pydantic's core schema of it; is not changed.

    Returns:
        A copy, or the very same object where there is nothing to tell apart.

    Example:
        >>> exact_constants({"type": "literal", "expected": ["a"]})
        {'type': 'literal', 'expected': ['a']}
        >>> exact = exact_constants({"type": "literal", "expected": [1]})
        >>> [step["type"] for step in exact["steps"]]
        ['int', 'literal']
    """
    match core.get("type"):
        case "str" | "int" | "bool" | "float" | "none" | "any":
            return core
        case "literal":
            return _of_literal(core)
        case "enum":
            return _of_enum(core)
        case "tagged-union":
            return _below(_with_bare_tags(core))
        case "function-after":
            return _below(decoded_once(core))
        case _:
            return _below(core)


def _below(core: Any) -> Any:
    changed: dict[str, object] = {}
    for key in _BELOW.intersection(core):
        held = core[key]
        exact = _each(held)
        if exact is not held:
            changed[key] = exact
    return {**core, **changed} if changed else core


def _each(held: Any) -> Any:
    """A schema, a list of schemas (some with a label), or a table of schemas."""
    if isinstance(held, Mapping):
        table = cast("Mapping[str, Any]", held)
        if isinstance(table.get("type"), str):
            return exact_constants(table)
        exact: dict[str, Any] = {key: _each(item) for key, item in table.items()}
        return exact if any(exact[key] is not table[key] for key in table) else table
    if isinstance(held, (list, tuple)):
        items = cast("Sequence[Any]", held)
        each = [_each(item) for item in items]
        if all(new is old for new, old in zip(each, items, strict=True)):
            return items
        return each if isinstance(items, list) else tuple(each)
    return held


def _of_literal(core: Any) -> Any:
    expected = cast("Sequence[object]", core["expected"])
    if not any(type(constant) not in _KINDS for constant in expected):
        kinds = _kinds(expected)
        return core if kinds is None else core_schema.chain_schema([kinds, core])
    return core_schema.no_info_plain_validator_function(_lookup(expected))


def _of_enum(core: Any) -> Any:
    kind = cast("type[Enum]", core["cls"])
    members = cast("Sequence[Enum]", core["members"])
    values = [_bare(member) for member in members]
    if all(type(value) in _KINDS for value in values):
        kinds = _kinds(values)
        if kinds is None:
            return core
        lookup = core_schema.no_info_plain_validator_function(_lookup(members, kind))
        return core_schema.chain_schema([kinds, lookup])
    return core_schema.no_info_plain_validator_function(_lookup(members, kind))


def _with_bare_tags(core: Any) -> Any:
    """Tags as JSON writes them, where a model's tag is a member of an Enum."""
    choices = cast("Mapping[object, Any]", core["choices"])
    if not any(isinstance(tag, Enum) for tag in choices):
        return core
    bare = {_bare(tag) if isinstance(tag, Enum) else tag: choices[tag] for tag in choices}
    return {**core, "choices": bare}


def _bare(member: Enum) -> object:
    """The value of a member, of a built-in type where the enum mixes one in."""
    value = member.value
    return next((basic(value) for basic in (int, float, str) if _is_mixed(value, basic)), value)


def _is_mixed(value: object, basic: type) -> bool:
    return isinstance(value, basic) and type(value) not in _KINDS


def _lookup(
    constants: Sequence[object], kind: type[Enum] | None = None
) -> Callable[[object], object]:
    """Find the constant that a schema shows as this JSON; an enum may answer for other values."""
    shown = {_shown(constant): constant for constant in reversed(constants)}

    def constant(value: object) -> object:
        key = _shown(value)
        if key in shown:
            return shown[key]
        try:
            if kind is not None and isinstance(value, bool) is isinstance(
                (found := kind(value)).value, bool
            ):
                return found
        except ValueError:
            pass
        raise PydanticCustomError("enum", "Input should be one of the constants")

    return constant


def _shown(constant: object) -> str:
    """What a schema shows of a constant, as text; a number in one form."""
    return canonical_json(to_jsonable_python(constant))


def _kinds(values: Sequence[object]) -> CoreSchema | None:
    """The types of constants, where numbers are among them and all can be told apart."""
    found = dict.fromkeys(map(type, values))
    if _NUMBERS.isdisjoint(found) or not _KINDS.keys() >= found.keys():
        return None
    kinds = [schema for kind, schema in _KINDS.items() if kind in found]
    return kinds[0] if len(kinds) == 1 else core_schema.union_schema([*kinds], mode="left_to_right")


_WITHOUT_READY_ONES = _without_ready_ones()
